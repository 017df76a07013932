// One run of one plan: the loop behind BenchmarkRunner, and how long its rows will take, judged
// from what was measured before.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/measure/benchmark.h"
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

    // A whole row: first call, warm-ups and samples; on a device transfers and a second round end
    // to end.
    static double rowMs(double msPerRun, const SamplingOptions& sampling, bool device);

  private:
    struct Known {
        std::int64_t pixels = 0;
        double ms = 0;
    };
    std::map<CostSeries, Known> m_runs;
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

    // A row to be.
    struct Job {
        std::size_t caseIndex = 0;
        Place place;
        BackendPtr backend;  // null: `missing` says why
        std::string missing;
        bool cold = false;

        bool peer() const { return place.isPeer(); }
        bool device() const { return place == BackendKind::Cuda; }
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

    // Errors: Cancelled, OutOfMemory of an input; everything else is a row.
    Result<StepTiming> rowOf(const Job& job);
    Result<StepTiming> measured(const Job& job);
    StepTiming emptyRow(const Job& job, const std::string& why) const;
    void name(const Job& job, StepTiming& row) const;

    // Milliseconds of one run, from other sizes or from a trial on a part of the image; none for
    // images so small that trying is all it takes. Errors: Cancelled.
    Result<std::optional<double>> expectedMs(const CostSeries& series, std::string_view variant,
                                             Backend& backend, const BenchmarkCase& one);
    // The same for a peer, which must not be tried for long either: on a small part first.
    Result<std::optional<double>> expectedPeerMs(const Job& job);
    // From a trial on a square of that side; none for images that are not much larger.
    Result<std::optional<double>> triedMs(const CostSeries& series, std::string_view variant,
                                          Backend& backend, const BenchmarkCase& one, int side);

    bool waitWhilePaused();  // true if it did
    void tell(std::size_t done, bool paused);
    double secondsLeft(std::size_t done) const;
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
    std::size_t m_done = 0;
    CostModel m_costs;
    BenchmarkResult m_result;

    std::optional<std::size_t> m_inputCase;  // whose input is at hand
    Image m_scene;                           // the last scene, before any steps
    std::unique_ptr<Executor> m_chain;       // null until a step of the chain is at hand
    Image m_input;
    std::uint64_t m_hash = 0;
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
    double m_rowStartMs = 0;      // active time
    double m_lastTellMs = -1e9;   // active time
    double m_finishedRowsMs = 0;  // active time of rows with figures
    double m_expectedRowsMs = 0;  // what the model says of the same rows
    std::size_t m_finishedRows = 0;
};

}  // namespace warpscope
