// Samples, their summary, and the timing of one step on one backend. The only module that times
// operations.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/backend/backend.h"
#include "engine/backend/backend_set.h"
#include "engine/base/clock.h"
#include "engine/measure/agreement.h"

namespace warpscope {

// Where a row of timings was measured: on a backend of ours or by another library beside them.
class Place {
  public:
    // Another library, `library` is Peer::id, where it takes the part of that backend of ours.
    struct Peer {
        std::string library;
        BackendKind kind = BackendKind::Cpu;
        auto operator<=>(const Peer&) const = default;
    };

    Place() = default;  // nowhere
    Place(BackendKind backend) : m_place(backend) {}
    Place(Peer peer) : m_place(std::move(peer)) {}
    // The id in a file: "" (nowhere), "cpu-single", "cpu", "cuda"; every other is that of a peer,
    // "opencv", "opencv-single" or "npp-cuda".
    static Place fromId(std::string_view id);
    std::string id() const;

    bool empty() const { return std::holds_alternative<std::monostate>(m_place); }
    bool isPeer() const { return std::holds_alternative<Peer>(m_place); }
    bool oneThread() const;
    // The backend that it is, or, of a peer, that uses as many threads: gives colours and columns.
    // Nowhere counts as one thread.
    BackendKind kind() const;

    auto operator<=>(const Place&) const = default;

  private:
    std::variant<std::monostate, BackendKind, Peer> m_place;
};

// Above this share of the median, its 95% interval says that the figure would come out differently
// another time: the row is called noisy.
inline constexpr double kNoisyAbove = 0.03;

struct SampleSummary {
    int n = 0;
    double medianMs = 0;  // of several rounds: the median of their medians
    double p10Ms = 0;     // of all samples
    double p90Ms = 0;
    // Bursts of samples, minutes or other rows between them. Samples of one burst have too much in
    // common to say how far another run would come out; those of several say it.
    int rounds = 0;
    // 95% interval of the median; both 0 where there was one round and it is not known.
    double lowMs = 0;
    double highMs = 0;

    bool intervalKnown() const { return highMs > 0; }
    // Width of the interval as a share of the median; 0 where it is not known.
    double width() const { return intervalKnown() ? (highMs - lowMs) / medianMs : 0; }
    bool noisy() const { return intervalKnown() && !(width() <= kNoisyAbove); }
};

// As they were taken, milliseconds.
struct Samples {
    std::vector<double> ms;
    std::vector<int> perRound;  // counts that sum to ms.size()

    void addRound(const std::vector<double>& samplesMs);
};
// Percentiles by linear interpolation between order statistics. Empty input gives n = 0.
SampleSummary summarizeSamples(std::vector<double> samplesMs);
// The interval is that of the sign test on the medians of rounds (order statistics, at least 95%)
// from six rounds on, Student's t around their median for two to five. Rounds are what repeats
// independently: that many samples taken at one moment share that moment's luck.
SampleSummary summarizeRounds(const Samples& samples);

// In one round everything is taken at once. In several, minSamples, maxSamples and budgetMs are
// shared out over minRounds of them.
struct SamplingOptions {
    int warmups = 1;  // not counted; the very first call is kept apart as firstCallMs
    int minSamples = 5;
    int maxSamples = 200;
    double budgetMs = 200.0;  // sampling ends after minSamples when this is spent
    // More rounds than minRounds, of a third of the budget, follow while the row is noisy: what
    // differs from one moment to the next is learnt from many moments, not from many samples. From
    // two on, warm-ups go on until runs are no longer getting faster.
    int minRounds = 1;
    int maxRounds = 1;

    // Each round begins with memory that nobody has used: its first use takes 10 ms and more where
    // a result is one of 4K.
    bool freshMemory = false;

    SamplingOptions ofRound(bool extra = false) const;  // what one round of them is

    // Of one round: whether a call that takes so long warms up what there is to warm, so that none
    // is made for that alone: longer than the budget of a round and, where memory is fresh, so long
    // that its first use is little beside it.
    bool warmsItself(double callMs) const;
};

// One row of every timing table; the fields of warpscope-timings/1.
struct StepTiming {
    std::string operation;
    std::string variant;
    ParamSet parameters;
    std::size_t stepIndex = 0;  // in the chain; tells equal steps of one chain apart
    Place backendRequested;
    Place backend;               // where it ran; empty if it did not
    std::string fallbackReason;  // or why it was skipped
    // How the figure was taken. "single": the clock, or two events, around one run. Where an event
    // pair is too coarse for kernels that short: "graph", a graph of `launches` runs between two
    // events; "repeated", as many runs queued one after the other, where the host may be the limit.
    std::string method = "single";
    int launches = 1;  // runs in one sample
    int threads = 0;   // that were offered; 0 for a GPU
    // CPU: how many of them did any of the work (median of the runs); 0: not known.
    int threadsWorked = 0;
    int width = 0;
    int height = 0;
    PixelFormat format = PixelFormat::Gray8;  // of the input
    // Warm: the same input again and again. Cold: `inputs` copies of it in turn, together larger
    // than the L2 cache of the GPU or the last-level cache of the CPU.
    bool cold = false;
    int inputs = 1;
    SampleSummary time;  // CPU: the whole operation; CUDA: the kernels
    Samples samples;     // those of `time`; empty where a file does not have them
    // Of a GPU; empty where a file does not have them.
    Samples endToEndSamples, uploadSamples, downloadSamples;
    double firstCallMs = 0;  // end to end, before any warm-up
    double uploadMs = 0;     // medians; 0 on the CPU
    double kernelMs = 0;
    double downloadMs = 0;
    double endToEndMs = 0;   // CPU, and a peer on a GPU: same as the median
    SampleSummary endToEnd;  // CPU: same as `time`
    // CUDA: energy of the whole device while it runs nothing else; 0: not measured.
    double joulesPerMegapixel = 0;
    std::uint64_t bytesMoved = 0;  // minimal traffic: Plan::minimalBytes
    double gbPerS = 0;             // bytesMoved over the median
    std::uint64_t imageHash = 0;
    std::string imageName;   // for people: a file name; empty for the program's scene
    std::string experiment;  // id of the published experiment that it repeats; else empty
    std::string peer;     // "OpenCV 4.6.0": not our code, never one side of a speedup; else empty
    Agreement agreement;  // with the one-thread CPU result
    std::string error;    // why there is no figure, e.g. "skipped: no NVIDIA driver"

    bool measured() const { return error.empty() && time.n > 0; }
    // Of a GPU row its kernels; end to end is a figure of its own.
    bool noisy() const { return measured() && time.noisy(); }
    // A peer's too.
    bool ofGpu() const { return !backend.empty() && backend.kind() == BackendKind::Cuda; }
    void dropSamples() { samples = endToEndSamples = uploadSamples = downloadSamples = {}; }
};

struct MeasureRequest {
    PlanPtr plan;
    ParamSet parameters;
    StepImages input;
    const Image* reference = nullptr;  // one-thread result for filters; null: not compared
    const AnalysisResult* referenceCounts = nullptr;  // the same for an analysis
    SamplingOptions sampling;
    bool cold = false;  // rotate copies of the input, see StepTiming
    // What the very first call took, where there was one before the row's own.
    std::optional<double> firstCallMs;
    // Where a later result differs from the first one and `reference` is gone by then: called to
    // have it again. May be null.
    std::function<const Image*()> referenceAgain;
    // Called between samples, never inside one; may block (a pause), which the budget does not
    // count. Returns true if it blocked: a sample is then taken and dropped. May be null.
    std::function<bool()> betweenSamples;
};

// Below this, an event pair adds too much to one run: a tenth of a figure of 40 us.
inline constexpr double kCoarseKernelMs = 0.2;

struct Measured {
    StepTiming timing;
    Image output;                          // of a filter
    std::optional<AnalysisResult> counts;  // of an analysis
};

// That of the reference, which agrees with itself.
Agreement ownAgreement(const Measured& measured);

// Times one plan on one backend. First call, transfers and synchronization are kept apart as
// StepTiming says. Errors: Cancelled, also when the stop came in the last moment, and what the
// backend reports; Unsupported for a cold run of an image too small to fill a cache with copies.
Result<Measured> measureStep(Backend& backend, const MeasureRequest& request,
                             const RunContext& context, const Clock& clock = steadyClock());

// One thread, all cores and GPU for one step on the same input, each compared with one thread. A
// backend that is missing or fails gives a row whose `error` says why. `onRow` is called after
// each. Errors: Cancelled.
Result<std::vector<StepTiming>> compareBackends(
    const BackendSet& backends, const PlanPtr& plan, const ParamSet& parameters,
    const StepImages& input, const SamplingOptions& sampling, const RunContext& context,
    const std::function<void(const StepTiming&)>& onRow = {}, const Clock& clock = steadyClock());

// A speedup names both sides and exists only where both were measured and the results agree.
enum class SpeedupSubject { AllCores, GpuKernels, GpuEndToEnd };
struct Speedup {
    SpeedupSubject subject = SpeedupSubject::AllCores;
    BackendKind baseline = BackendKind::CpuSingle;  // or Cpu
    int baselineThreads = 0;                        // that worked, where it is known
    std::string baselineVariant;
    // The fastest that the CPU was measured to do this with, whatever the variant: the one baseline
    // that says what a GPU is worth. Others compare an algorithm with itself.
    bool best = false;
    double factor = 0;
    // Where either side is noisy: what the factor may be; both 0 where it is steady or not known.
    double low = 0;
    double high = 0;

    bool ofGpu() const { return subject != SpeedupSubject::AllCores; }
    // Threads that the baseline was offered: the same for all sizes.
    int baselineOffered = 0;

    bool ranged() const { return high > 0; }
};
// Of the rows with this variant among rows of one operation on one input, other variants beside it.
// First against the best of the CPU (of one thread, where all cores are the subject), then against
// the same variant on all cores and on one thread. A row of all cores where one thread did the work
// is no subject.
std::vector<Speedup> speedups(const std::vector<StepTiming>& rowsOfOneInput,
                              std::string_view variant);
// The same for rows that all have one variant, that of the first.
std::vector<Speedup> speedups(const std::vector<StepTiming>& rowsOfOneStep);

}  // namespace warpscope
