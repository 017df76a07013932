// One run of one plan: the loop behind BenchmarkRunner, and how long its rows will take, judged
// from what was measured before.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/band_threads.h"
#include "engine/measure/benchmark.h"
#include "engine/measure/row_measurement.h"
#include "engine/measure/timing_report.h"
#include "engine/pipeline/executor.h"

namespace warpscope {

// What is alike but for its size.
struct CostSeries {
    StepKind kind;
    Place place;
    auto operator<=>(const CostSeries&) const = default;
};

class CostModel {
  public:
    // One run on so many pixels. A figure from more pixels replaces one from fewer, because fixed
    // costs weigh less in it.
    void record(const CostSeries& series, std::int64_t pixels, double msPerRun);

    // In proportion to the pixels, which is what operations cost for a given set of parameters.
    std::optional<double> msPerRun(const CostSeries& series, std::int64_t pixels) const;

    // The fewest pixels from which an estimate is worth more than a guess.
    bool knows(const CostSeries& series) const { return m_runs.contains(series); }

    // One round: warm-ups and samples; on a device a second time, end to end.
    static double roundMs(double msPerRun, const SamplingOptions& sampling, bool device);
    // A whole row: first call and minRounds rounds.
    static double rowMs(double msPerRun, const SamplingOptions& sampling, bool device);

  private:
    struct Known {
        std::int64_t pixels = 0;
        double ms = 0;
    };
    std::map<CostSeries, Known> m_runs;
};

// Images that were made for rows, the last used first, up to an eighth of the machine's memory:
// rounds come back to all of them.
class InputCache {
  public:
    struct Key {
        Size size;
        PixelFormat format = PixelFormat::Gray8;
        std::vector<std::string> before = {};
        int step = -1;  // of the chain; -1: no chain
        bool ofImage = false;
        bool operator==(const Key&) const = default;
    };
    struct Entry {
        Key key;
        Image image;
        std::uint64_t hash = 0;
    };
    InputCache();
    const Entry* find(const Key& key);
    const Entry& keep(Key key, Image image);

  private:
    std::vector<Entry> m_entries;
    std::uint64_t m_limit = 0;
};

class BenchmarkRunner::Run {
  public:
    Run(BenchmarkRunner& runner, const BenchmarkPlan& plan, std::vector<BenchmarkCase> cases,
        std::stop_token stop, const BenchmarkCallbacks& callbacks);

    Result<BenchmarkResult> go();

  private:
    // A side of the part of an image that is tried where nothing is known of an operation.
    static constexpr int kTrialSide = 256;
    static constexpr int kPeerTrialSide = 64;
    // Counters of a GPU move every 20 to 100 ms.
    static constexpr double kEnergyMs = 500;

    // A row to be.
    struct Job {
        std::size_t caseIndex = 0;
        Place place;
        BackendPtr backend;  // null: `missing` says why
        std::string missing;
        bool cold = false;
        std::unique_ptr<RowMeasurement> row = {};  // once begun, until it fails
        SamplingOptions sampling = {};             // of its own: a long row has fewer rounds
        bool finished = false;                     // failed in a later round

        bool peer() const { return place.isPeer(); }
        bool device() const { return !place.empty() && place.kind() == BackendKind::Cuda; }
    };
    // What the cases plan to do; no plan where the operation refuses.
    struct Planned {
        PlanPtr plan;
        std::string refusal;
    };

    void planCases();
    void addJobs(std::size_t caseIndex);

    Result<void> prepareInput(std::size_t caseIndex);
    Result<Image> makeInput(const BenchmarkCase& one);
    Result<Image> makeChainInput(const BenchmarkCase& one);
    Result<Image> sourceOf(const BenchmarkCase& one);
    // The one-thread result of `automatic`, which all rows of a case are compared with. None where
    // it would take too long.
    Result<void> ensureReference(const Job& job);
    bool isReference(const Job& job) const;
    CostSeries seriesOf(const BenchmarkCase& one, std::string_view variant, Place place) const;
    CostSeries seriesOf(const Job& job) const;

    // All errors but Cancelled and OutOfMemory of an input are rows.
    Result<void> allRounds();
    Result<void> beginRow(Job& job);
    // `firstMs`: what the very first call took, if it was made before.
    Result<void> firstCallOf(Job& job, std::optional<double> expectedMs,
                             std::optional<double> firstMs);
    Result<void> takeRound(Job& job);
    Result<void> dropReference(Job& job);
    Result<void> measureEnergy();
    // Whether a row whose runs take so long is run once more for it.
    bool getsEnergy(const Job& job, double msPerRun) const;
    Result<void> skip(Job& job, const std::string& why);
    // Ours and a peer's one thread: pinned. A peer's own threads would all inherit one CPU.
    void pinFor(const Job& job);
    // Of the input at hand; the second one, where the plan takes it, is a copy.
    Result<StepImages> imagesFor(const Job& job);
    // Copies of the input at hand for a cold row, the same for its neighbours in one round.
    Result<void> prepareCopies(const Job& job);
    StepTiming emptyRow(const Job& job, const std::string& why) const;
    void name(const Job& job, StepTiming& row) const;
    void report(const Job& job, StepTiming row);

    // Milliseconds of one run, from other sizes or from a trial on a part of the image; none for
    // images so small that trying is all it takes. Errors: Cancelled.
    Result<std::optional<double>> expectedMs(const CostSeries& series, std::string_view variant,
                                             Backend& backend, const BenchmarkCase& one);
    // The same for a peer, which must not be tried for long either: on a small part first.
    Result<std::optional<double>> expectedPeerMs(const Job& job);
    // From a trial on a square of that side; none for images that are not much larger.
    Result<std::optional<double>> triedMs(const CostSeries& series, std::string_view variant,
                                          Backend& backend, const BenchmarkCase& one, int side);
    // Milliseconds of two runs on that image, the first of which may load and map things; of one,
    // twice, where it took longer than `longMs`. Errors: the runs'.
    struct Trial {
        double firstMs = 0, secondMs = 0;
    };
    Result<Trial> tryTwice(Backend& backend, const Plan& plan, const Image& image, double longMs);
    // How many rounds of such runs the longest row has room for.
    double roundsFitting(const Job& job, double msPerRun) const;

    bool waitWhilePaused();  // true if it did
    void tell(bool paused);
    double secondsLeft() const;
    // Of one row: the rounds that it was promised, and energy after all rounds.
    struct RowLeft {
        double roundsMs = 0;
        double energyMs = 0;
    };
    RowLeft leftOf(std::size_t index) const;
    double activeMs() const;  // since the run began, without pauses
    double limitMs() const { return m_plan.longestRowSeconds * 1000; }
    double longestPeerCallMs() const { return m_plan.longestPeerCallSeconds * 1000; }

    BenchmarkRunner& m_runner;
    const BenchmarkPlan& m_plan;
    const std::vector<BenchmarkCase> m_cases;
    const RunContext m_context;
    const BenchmarkCallbacks& m_callbacks;
    const Clock& m_clock;

    std::vector<Planned> m_planned;  // one a case
    std::vector<Job> m_jobs;
    std::size_t m_at = 0;      // the job whose burst runs; one past the last when all is done
    int m_round = 0;           // from 0
    std::size_t m_bursts = 0;  // that were taken, or skipped for good
    std::size_t m_allBursts = 0;
    CostModel m_costs;
    BenchmarkResult m_result;

    std::vector<int> m_cpus;  // to pin threads to; empty: not pinned
    std::optional<PinnedPool> m_pinned;

    std::optional<EnergyMeter> m_meter;  // empty: not asked for
    bool m_countsCpu = false, m_countsGpu = false;
    bool m_measuresEnergy = false;  // the rounds are over

    InputCache m_inputs;
    std::optional<std::size_t> m_inputCase;  // whose input is at hand
    std::unique_ptr<Executor> m_chain;       // null until a step of the chain is at hand
    Image m_input;
    std::uint64_t m_hash = 0;
    std::vector<Image> m_copies;
    std::uint64_t m_copiesHash = 0;
    int m_copiesRound = -1;
    int m_trimmedRound = 0;
    // What m_reference is of, also where there is none.
    struct ReferenceKey {
        CostSeries series;
        std::uint64_t hash = 0;
        Size size;
        bool operator==(const ReferenceKey&) const = default;
    };
    std::optional<ReferenceKey> m_referenceKey;
    std::optional<Measured> m_reference;

    std::int64_t m_startNs = 0;
    double m_pausedMs = 0;
    double m_burstStartMs = 0;   // active time
    double m_lastTellMs = -1e9;  // active time
    double m_finishedMs = 0;     // active time of first rounds with figures
    double m_expectedMs = 0;     // what the model says of the same rounds
    std::size_t m_finished = 0;
};

}  // namespace warpscope
