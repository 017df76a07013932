#include "engine/measure/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/backend/cpu_backend.h"
#include "engine/measure/single_run.h"
#include "engine/operations/analysis/histogram.h"

namespace warpscope {
namespace {

// Recording costs a little and must not outlive the measurement.
class RecordingScope {
  public:
    explicit RecordingScope(Backend& backend) : m_backend(backend) {
        backend.setRecording(Recording::Operations);
    }
    ~RecordingScope() { m_backend.setRecording(Recording::Off); }
    RecordingScope(const RecordingScope&) = delete;
    RecordingScope& operator=(const RecordingScope&) = delete;

  private:
    Backend& m_backend;
};

struct SpanSums {
    double uploadMs = 0;
    double kernelMs = 0;
    double downloadMs = 0;
    bool anyKernel = false;
};

SpanSums sumSpans(const std::vector<Span>& spans) {
    SpanSums sums;
    for (const Span& span : spans) {
        switch (span.kind) {
            case SpanKind::Upload:
                sums.uploadMs += span.ms;
                break;
            case SpanKind::Kernel:
                sums.kernelMs += span.ms;
                sums.anyKernel = true;
                break;
            case SpanKind::Download:
                sums.downloadMs += span.ms;
                break;
        }
    }
    return sums;
}

// What an operation gave on the backend: a buffer, or what it found.
struct Output {
    BufferPtr buffer;
    std::optional<AnalysisResult> counts;
};

double percentile(const std::vector<double>& sorted, double fraction) {
    const double position = fraction * double(sorted.size() - 1);
    const auto below = std::size_t(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], position - double(below));
}

class Measurement {
  public:
    Measurement(Backend& backend, const MeasureRequest& request, const RunContext& context,
                const Clock& clock)
        : m_backend(backend),
          m_request(request),
          // No progress while timing: telling somebody costs time, and fractions start over with
          // each sample.
          m_context{context.stop, {}},
          m_clock(clock),
          m_counts(request.plan->operation->description().kind == OperationKind::Analysis),
          m_device(backend.info().kind == BackendKind::Cuda) {}

    Result<Measured> take();

  private:
    Result<StepBuffers> uploaded(const StepImages& images);
    Result<Output> compute(const StepBuffers& input);
    Result<Measured> firstCall();
    Result<void> prepareInputs(StepTiming& timing);
    Result<void> timeCpu(StepTiming& timing);
    Result<void> timeKernels(StepTiming& timing);
    Result<void> timeShortKernels(StepTiming& timing);
    Result<void> timeEndToEnd(StepTiming& timing);
    void compare(Measured& measured) const;
    Agreement agreementOf(const Image& output, const std::optional<AnalysisResult>& counts) const;

    // Calls `sample` (true: it counts) as the options say: warm-ups first, uncounted.
    template <class Sample>
    Result<void> repeat(Sample sample);

    // Warm: the one input. Cold: the copy whose turn it is.
    const StepBuffers& nextInput() { return m_inputs[m_turn++ % m_inputs.size()]; }
    const StepImages& nextImages() { return m_images[m_imageTurn++ % m_images.size()]; }

    Backend& m_backend;
    const MeasureRequest& m_request;
    RunContext m_context;
    const Clock& m_clock;
    bool m_counts;
    bool m_device;
    double m_firstCallMs = 0;
    std::vector<StepBuffers> m_inputs;  // resident
    std::vector<StepImages> m_images;   // on the host
    std::size_t m_turn = 0;
    std::size_t m_imageTurn = 0;
    Image m_lastOutput;  // of the last sample: it must be as right as the first
    std::optional<AnalysisResult> m_lastCounts;
};

template <class Sample>
Result<void> Measurement::repeat(Sample sample) {
    const SamplingOptions& options = m_request.sampling;
    // A first call that alone spends the budget has warmed up what there is to warm.
    const bool longCalls = options.budgetMs > 0 && m_firstCallMs > options.budgetMs;
    int uncounted = longCalls ? 0 : options.warmups;
    const int least = std::max(options.minSamples, 1);
    double spentMs = 0;
    int n = 0;
    while (uncounted > 0 || n < least || (n < options.maxSamples && spentMs < options.budgetMs)) {
        if (m_context.stop.stop_requested()) return cancelled();
        if (m_request.betweenSamples && m_request.betweenSamples())
            uncounted = std::max(uncounted, 1);
        if (m_context.stop.stop_requested()) return cancelled();
        const bool counts = uncounted == 0;
        const Stopwatch watch(m_clock);
        if (const auto done = sample(counts); !done) return done;
        if (counts) {
            spentMs += watch.elapsedMs();
            ++n;
        } else {
            --uncounted;
        }
    }
    return {};
}

Result<StepBuffers> Measurement::uploaded(const StepImages& images) {
    auto first = m_backend.upload(images.first, m_context);
    if (!first) return fail(first.error());
    if (!m_request.plan->takesSecond) return StepBuffers(std::move(*first));
    auto second = m_backend.upload(images.second, m_context);
    if (!second) return fail(second.error());
    return StepBuffers(std::move(*first), std::move(*second));
}

Result<Output> Measurement::compute(const StepBuffers& input) {
    if (m_counts) {
        auto counts = m_backend.analyze(*m_request.plan, input, m_context);
        if (!counts) return fail(counts.error());
        return Output{nullptr, std::move(*counts)};
    }
    auto buffer = m_backend.run(*m_request.plan, input, m_context);
    if (!buffer) return fail(buffer.error());
    return Output{std::move(*buffer), std::nullopt};
}

Result<Measured> Measurement::take() {
    if (const auto able = m_backend.supports(*m_request.plan); !able) return fail(able.error());
    auto measured = firstCall();
    if (!measured) return measured;
    StepTiming& timing = measured->timing;
    auto timed = prepareInputs(timing);
    if (timed) timed = m_device ? timeKernels(timing) : timeCpu(timing);
    if (timed && m_device) timed = timeShortKernels(timing);
    if (timed && m_device) timed = timeEndToEnd(timing);
    if (!timed) return fail(timed.error());
    // A stop in the last moment may have cut the last sample short.
    if (m_context.stop.stop_requested()) return cancelled();
    // Less than a nanosecond is the clock's grain, not a speed.
    if (timing.time.medianMs > 1e-6)
        timing.gbPerS = double(timing.bytesMoved) / (timing.time.medianMs * 1e6);
    compare(*measured);
    return measured;
}

Result<Measured> Measurement::firstCall() {
    Measured measured;
    StepTiming& timing = measured.timing;
    const Plan& plan = *m_request.plan;
    const BackendInfo& info = m_backend.info();
    timing.operation = plan.operation->description().id;
    timing.variant = plan.variant;
    timing.parameters = m_request.parameters;
    timing.backendRequested = info.kind;
    timing.backend = timing.backendRequested;
    timing.threads = m_device ? 0 : info.threads;
    timing.width = plan.size.width;
    timing.height = plan.size.height;
    timing.format = plan.input;
    timing.bytesMoved = plan.minimalBytes;

    if (const auto quiet = m_backend.synchronize(); !quiet) return fail(quiet.error());
    const Stopwatch watch(m_clock);
    auto input = uploaded(m_request.input);
    if (!input) return fail(input.error());
    m_inputs = {std::move(*input)};
    m_images = {m_request.input};
    auto output = compute(m_inputs.front());
    if (!output) return fail(output.error());
    if (output->buffer) {
        auto image = m_backend.download(output->buffer, m_context);
        if (!image) return fail(image.error());
        measured.output = std::move(*image);
    }
    measured.counts = std::move(output->counts);
    if (const auto done = m_backend.synchronize(); !done) return fail(done.error());
    timing.firstCallMs = m_firstCallMs = watch.elapsedMs();
    return measured;
}

// Cold: on the CPU copies beyond its last-level cache; on a GPU beyond its L2 cache, and on the
// host beyond the CPU's, from where end to end begins.
Result<void> Measurement::prepareInputs(StepTiming& timing) {
    timing.cold = m_request.cold;
    if (!m_request.cold) return {};
    const auto& [first, second] = m_request.input;
    const std::uint64_t bytes = first.byteCount() + second.byteCount();
    const auto count = coldCopyCount(bytes, m_backend.cacheBytes());
    if (!count) return fail(count.error());
    const auto onHost = m_device ? coldCopyCount(bytes, cpuCacheBytes()) : count;
    if (!onHost) return fail(onHost.error());
    auto firsts = copiesOf(first, *onHost, m_context.stop);
    if (!firsts) return fail(firsts.error());
    std::vector<Image> seconds(firsts->size());
    if (!second.isNull()) {
        auto copies = copiesOf(second, *onHost, m_context.stop);
        if (!copies) return fail(copies.error());
        seconds = std::move(*copies);
    }
    m_images.clear();
    for (std::size_t i = 0; i < seconds.size(); ++i)
        m_images.emplace_back((*firsts)[i], seconds[i]);
    m_inputs.clear();
    for (int i = 0; i < *count; ++i) {
        auto input = uploaded(m_images[std::size_t(i) % m_images.size()]);
        if (!input) return fail(input.error());
        m_inputs.push_back(std::move(*input));
    }
    timing.inputs = *count;
    return m_backend.synchronize();
}

Result<void> Measurement::timeCpu(StepTiming& timing) {
    std::vector<double> samples;
    BufferPtr last;
    const auto sampled = repeat([&](bool counts) -> Result<void> {
        const StepBuffers& input = nextInput();
        const Stopwatch watch(m_clock);
        auto output = compute(input);
        if (!output) return fail(output.error());
        // Nothing may be left to do when the clock stops.
        if (const auto done = m_backend.synchronize(); !done) return done;
        const double ms = watch.elapsedMs();
        if (counts) samples.push_back(ms);
        last = std::move(output->buffer);
        m_lastCounts = std::move(output->counts);
        return {};
    });
    if (!sampled) return sampled;
    if (last) {
        auto image = m_backend.download(last, m_context);
        if (!image) return fail(image.error());
        m_lastOutput = std::move(*image);
    }
    timing.time = summarizeSamples(std::move(samples));
    timing.kernelMs = timing.time.medianMs;
    timing.endToEndMs = timing.time.medianMs;
    return {};
}

// Between device events, with the input resident: what the kernels alone take.
Result<void> Measurement::timeKernels(StepTiming& timing) {
    const RecordingScope recording(m_backend);
    std::vector<double> samples;
    const auto sampled = repeat([&](bool counts) -> Result<void> {
        const auto output = compute(nextInput());
        if (!output) return fail(output.error());
        const auto spans = m_backend.takeSpans();
        if (!spans) return fail(spans.error());
        const SpanSums sums = sumSpans(*spans);
        if (!sums.anyKernel)
            return fail(ErrorCode::Internal, "the backend recorded no kernel to be timed");
        if (counts) samples.push_back(sums.kernelMs);
        return {};
    });
    if (!sampled) return sampled;
    timing.time = summarizeSamples(std::move(samples));
    timing.kernelMs = timing.time.medianMs;
    return {};
}

// Where a run is so short that the two events around it are part of what they measure: many runs
// between two events. Backends that cannot do that, or not this operation, leave what was measured.
Result<void> Measurement::timeShortKernels(StepTiming& timing) {
    constexpr double kSampleMs = 0.5;
    const double onceMs = timing.time.medianMs;
    if (onceMs >= kCoarseKernelMs) return {};
    const int runs = int(std::clamp(kSampleMs / std::max(onceMs, 1e-4), 10.0, 500.0));
    std::vector<double> samples;
    bool graph = true;
    const auto sampled = repeat([&](bool counts) -> Result<void> {
        const auto repeated =
            m_backend.timeRepeated(*m_request.plan, m_inputs, m_turn, runs, m_context);
        if (!repeated) return fail(repeated.error());
        m_turn += std::size_t(runs);
        if (!counts) return {};
        graph = graph && repeated->graph;
        samples.push_back(repeated->msPerRun);
        return {};
    });
    if (!sampled) {
        const ErrorCode code = sampled.error().code;
        if (code == ErrorCode::Cancelled || code == ErrorCode::DeviceFault) return sampled;
        return {};
    }
    timing.method = graph ? "graph" : "repeated";
    timing.launches = runs;
    timing.time = summarizeSamples(std::move(samples));
    timing.kernelMs = timing.time.medianMs;
    return {};
}

// From an image on the host to a result on the host, which is what a person waits for.
Result<void> Measurement::timeEndToEnd(StepTiming& timing) {
    const RecordingScope recording(m_backend);
    std::vector<double> total;
    std::vector<double> upload;
    std::vector<double> download;
    const auto sampled = repeat([&](bool counts) -> Result<void> {
        const StepImages& images = nextImages();
        const Stopwatch watch(m_clock);
        const auto input = uploaded(images);
        if (!input) return fail(input.error());
        auto output = compute(*input);
        if (!output) return fail(output.error());
        if (output->buffer) {
            auto result = m_backend.download(output->buffer, m_context);
            if (!result) return fail(result.error());
            m_lastOutput = std::move(*result);
        }
        if (const auto done = m_backend.synchronize(); !done) return done;
        const double ms = watch.elapsedMs();
        m_lastCounts = std::move(output->counts);
        const auto spans = m_backend.takeSpans();
        if (!spans) return fail(spans.error());
        if (!counts) return {};
        const SpanSums sums = sumSpans(*spans);
        total.push_back(ms);
        upload.push_back(sums.uploadMs);
        download.push_back(sums.downloadMs);
        return {};
    });
    if (!sampled) return sampled;
    timing.endToEndMs = summarizeSamples(std::move(total)).medianMs;
    timing.uploadMs = summarizeSamples(std::move(upload)).medianMs;
    timing.downloadMs = summarizeSamples(std::move(download)).medianMs;
    return {};
}

Agreement Measurement::agreementOf(const Image& output,
                                   const std::optional<AnalysisResult>& counts) const {
    if (m_request.reference && !output.isNull())
        return compareImages(
            *m_request.reference, output,
            m_request.plan->operation->description().agreementFor(output.format()));
    if (m_request.referenceCounts && counts)
        return compareAnalyses(*m_request.referenceCounts, *counts);
    return {};
}

// The first result and the last: work that races may be right once.
void Measurement::compare(Measured& measured) const {
    Agreement& agreement = measured.timing.agreement;
    agreement = agreementOf(measured.output, measured.counts);
    const Agreement last = agreementOf(m_lastOutput, m_lastCounts);
    const bool worse = last.verdict != Verdict::NotCompared &&
                       (last.verdict > agreement.verdict || last.differing > agreement.differing);
    if (worse && agreement.verdict != Verdict::Differs) agreement = last;
}

constexpr std::string_view kSingle = "-single";

}  // namespace

SampleSummary summarizeSamples(std::vector<double> samplesMs) {
    SampleSummary summary;
    if (samplesMs.empty()) return summary;
    std::sort(samplesMs.begin(), samplesMs.end());
    summary.n = int(samplesMs.size());
    summary.medianMs = percentile(samplesMs, 0.5);
    summary.p10Ms = percentile(samplesMs, 0.1);
    summary.p90Ms = percentile(samplesMs, 0.9);
    return summary;
}

Result<Measured> measureStep(Backend& backend, const MeasureRequest& request,
                             const RunContext& context, const Clock& clock) {
    auto measured = Measurement(backend, request, context, clock).take();
    if (measured) measured->timing.imageHash = contentHash(request.input.first);
    return measured;
}

Place Place::fromId(std::string_view id) {
    if (id.empty()) return {};
    if (const auto kind = backendFromId(id)) return *kind;
    const bool single = id.ends_with(kSingle);
    if (single) id.remove_suffix(kSingle.size());
    return Peer{std::string(id), single};
}

std::string Place::id() const {
    if (const auto* kind = std::get_if<BackendKind>(&m_place)) return std::string(backendId(*kind));
    if (const auto* peer = std::get_if<Peer>(&m_place))
        return peer->oneThread ? peer->library + std::string(kSingle) : peer->library;
    return {};
}

bool Place::oneThread() const {
    if (const auto* peer = std::get_if<Peer>(&m_place)) return peer->oneThread;
    return *this == BackendKind::CpuSingle;
}

BackendKind Place::kind() const {
    if (const auto* kind = std::get_if<BackendKind>(&m_place)) return *kind;
    return isPeer() && !oneThread() ? BackendKind::Cpu : BackendKind::CpuSingle;
}

}  // namespace warpscope
