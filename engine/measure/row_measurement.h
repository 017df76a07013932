// One row of a benchmark, taken in rounds: between two of them it holds no image and no buffer, so
// that rounds of hundreds of rows can take turns.
#pragma once

#include <optional>
#include <vector>

#include "engine/backend/part_runs.h"
#include "engine/measure/timing.h"

namespace warpscope {

class RowMeasurement {
  public:
    // `request` without images; they come with each round, equal every time.
    RowMeasurement(Backend& backend, MeasureRequest request, const Clock& clock);

    // The first call, kept apart, and the comparison of its result. Errors: those of measureStep.
    Result<void> begin(const StepImages& input, const RunContext& context);
    // A burst of samples: inputs anew, warm-up, samples of the kernels, samples end to end. On an
    // error what earlier rounds gave stays. `copies`: of the input, beyond every cache, for a cold
    // row, if they are at hand; fewer than needed are made here. Errors: those of measureStep.
    Result<void> round(const StepImages& input, const RunContext& context,
                       const std::vector<Image>& copies = {});

    // Runs without transfers, one after the other for so long; gives their number. Not for cold
    // rows. Errors: those of measureStep.
    Result<int> runFor(double ms, const StepImages& input, const RunContext& context);

    int rounds() const { return m_rounds; }
    // Enough rounds, and no figure noisy.
    bool steady() const;
    double spentMs() const { return m_spentMs; }
    // Whether every round ended with the very result of the first call. One thread has no excuse.
    bool repeatable() const { return m_repeatable; }

    // The row as it stands.
    const StepTiming& timing();
    // The first result, for who needs it as a reference; let go of by dropResult().
    const Measured& first() const { return m_first; }
    void dropResult();
    // Of the reference itself, with what it agrees is known; of others once it is none any more.
    void agreesWith(const Agreement& agreement) { m_first.timing.agreement = agreement; }

  private:
    struct Inputs {
        std::vector<StepBuffers> resident;
        std::vector<StepImages> host;
        std::size_t turn = 0;
        std::size_t hostTurn = 0;
        // Warm: the one input. Cold: the copy whose turn it is.
        const StepBuffers& next() { return resident[turn++ % resident.size()]; }
        const StepImages& nextOnHost() { return host[hostTurn++ % host.size()]; }
    };
    // What an operation gave on the backend: a buffer, or what it found.
    struct Output {
        BufferPtr buffer;
        std::optional<AnalysisResult> counts;
    };

    Result<StepBuffers> uploaded(const StepImages& images);
    Result<Output> compute(const StepBuffers& input);
    Result<Inputs> inputsOf(const StepImages& input, const std::vector<Image>& copies);
    Result<void> timeCpu(Inputs& inputs);
    Result<void> timeKernels(Inputs& inputs);
    Result<void> timeSingleKernels(Inputs& inputs);
    Result<void> timeManyKernels(Inputs& inputs);
    Result<void> timeEndToEnd(Inputs& inputs);
    Result<Output> throughDevice(const StepImages& images);
    Agreement agreementOf(const Image* reference, const Image& output,
                          const std::optional<AnalysisResult>& counts) const;
    void compareLast();

    // Calls `sample` (true: it counts) as the options say: warm-ups first, uncounted.
    template <class Sample>
    Result<void> repeat(Sample sample);

    Backend& m_backend;
    MeasureRequest m_request;  // without images
    std::optional<AnalysisResult> m_referenceCounts;
    RunContext m_context;
    const Clock& m_clock;
    const bool m_counts;
    const bool m_device;
    const bool m_endToEnd;         // of our own GPU
    std::vector<PartRun> m_parts;  // of an end to end whose copies and work are side by side
    bool m_manyRuns = false;       // kernels so short that they are timed in graphs
    bool m_methodChosen = false;   // in the first round
    int m_rounds = 0;
    double m_spentMs = 0;
    Measured m_first;
    double m_callMs = 0;  // its own call
    std::uint64_t m_firstHash = 0;
    std::optional<AnalysisResult> m_firstCounts;
    bool m_repeatable = true;
    std::vector<int> m_worked;  // threads, one a run
    Image m_lastOutput;         // of the last sample: it must be as right as the first
    std::optional<AnalysisResult> m_lastCounts;
};

}  // namespace warpscope
