#include "engine/measure/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/operations/histogram.h"

namespace warpscope {
namespace {

// Recording costs a little and must not outlive the measurement.
class RecordingScope {
  public:
    explicit RecordingScope(Backend& backend) : m_backend(backend) { backend.setRecording(true); }
    ~RecordingScope() { m_backend.setRecording(false); }
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

// What an operation gave on the backend: a buffer, or counts.
struct Output {
    BufferPtr buffer;
    std::optional<HistogramSet> counts;
};

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
    Result<Output> compute(const BufferPtr& input);
    Result<Measured> firstCall();
    Result<void> timeCpu(StepTiming& timing);
    Result<void> timeKernels(StepTiming& timing);
    Result<void> timeEndToEnd(StepTiming& timing);
    void compare(Measured& measured) const;

    // Calls `sample` (milliseconds, or an error) as the options say: warm-ups first, uncounted.
    template <class Sample>
    Result<void> repeat(Sample sample);

    Backend& m_backend;
    const MeasureRequest& m_request;
    RunContext m_context;
    const Clock& m_clock;
    bool m_counts;
    bool m_device;
    BufferPtr m_input;  // resident
};

template <class Sample>
Result<void> Measurement::repeat(Sample sample) {
    const SamplingOptions& options = m_request.sampling;
    for (int i = 0; i < options.warmups; ++i) {
        if (m_context.stop.stop_requested()) return cancelled();
        if (const auto done = sample(false); !done) return done;
    }
    const Stopwatch spent(m_clock);
    const int least = std::max(options.minSamples, 1);
    for (int n = 0; n < least || (n < options.maxSamples && spent.elapsedMs() < options.budgetMs);
         ++n) {
        if (m_context.stop.stop_requested()) return cancelled();
        if (const auto done = sample(true); !done) return done;
    }
    return {};
}

Result<Output> Measurement::compute(const BufferPtr& input) {
    if (m_counts) {
        auto counts = m_backend.histogram(*m_request.plan, input, m_context);
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
    auto timed = m_device ? timeKernels(timing) : timeCpu(timing);
    if (timed && m_device) timed = timeEndToEnd(timing);
    if (!timed) return fail(timed.error());
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
    timing.backendRequested = backendId(info.kind);
    timing.backend = timing.backendRequested;
    timing.threads = m_device ? 0 : info.threads;
    timing.width = plan.size.width;
    timing.height = plan.size.height;
    timing.format = plan.input;
    timing.bytesMoved = plan.minimalBytes;

    if (const auto quiet = m_backend.synchronize(); !quiet) return fail(quiet.error());
    const Stopwatch watch(m_clock);
    auto input = m_backend.upload(m_request.input, m_context);
    if (!input) return fail(input.error());
    m_input = std::move(*input);
    auto output = compute(m_input);
    if (!output) return fail(output.error());
    if (output->buffer) {
        auto image = m_backend.download(output->buffer, m_context);
        if (!image) return fail(image.error());
        measured.output = std::move(*image);
    }
    measured.counts = std::move(output->counts);
    if (const auto done = m_backend.synchronize(); !done) return fail(done.error());
    timing.firstCallMs = watch.elapsedMs();
    return measured;
}

Result<void> Measurement::timeCpu(StepTiming& timing) {
    std::vector<double> samples;
    const auto sampled = repeat([&](bool counts) -> Result<void> {
        const Stopwatch watch(m_clock);
        const auto output = compute(m_input);
        const double ms = watch.elapsedMs();
        if (!output) return fail(output.error());
        if (counts) samples.push_back(ms);
        return {};
    });
    if (!sampled) return sampled;
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
        const auto output = compute(m_input);
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

// From an image on the host to a result on the host, which is what a person waits for.
Result<void> Measurement::timeEndToEnd(StepTiming& timing) {
    const RecordingScope recording(m_backend);
    std::vector<double> total;
    std::vector<double> upload;
    std::vector<double> download;
    const auto sampled = repeat([&](bool counts) -> Result<void> {
        const Stopwatch watch(m_clock);
        const auto input = m_backend.upload(m_request.input, m_context);
        if (!input) return fail(input.error());
        const auto output = compute(*input);
        if (!output) return fail(output.error());
        if (output->buffer) {
            const auto image = m_backend.download(output->buffer, m_context);
            if (!image) return fail(image.error());
        }
        if (const auto done = m_backend.synchronize(); !done) return done;
        const double ms = watch.elapsedMs();
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

void Measurement::compare(Measured& measured) const {
    if (m_request.reference && !measured.output.isNull()) {
        measured.timing.agreement =
            compareImages(*m_request.reference, measured.output,
                          m_request.plan->operation->description().agreement);
    }
    if (m_request.referenceCounts && measured.counts) {
        measured.timing.agreement = compareHistograms(*m_request.referenceCounts, *measured.counts);
    }
}

}  // namespace

Result<Measured> measureStep(Backend& backend, const MeasureRequest& request,
                             const RunContext& context, const Clock& clock) {
    auto measured = Measurement(backend, request, context, clock).take();
    if (measured) measured->timing.imageHash = contentHash(request.input);
    return measured;
}

}  // namespace warpscope
