#include "engine/measure/row_measurement.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/backend/cpu_backend.h"
#include "engine/base/band_threads.h"
#include "engine/image/content_hash.h"
#include "engine/measure/peers.h"
#include "engine/measure/single_run.h"
#include "engine/pipeline/overlapped_run.h"

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

// The step's plan for a part of its input.
PartPlanner partPlanner(const MeasureRequest& request) {
    return [&request](const Placement& part) {
        PlanRequest own;
        own.parameters = request.parameters;
        own.variant = request.plan->variant;
        own.format = request.plan->input;
        own.size = part.part.size();
        own.place = part;
        return request.plan->operation->plan(own);
    };
}

}  // namespace

RowMeasurement::RowMeasurement(Backend& backend, MeasureRequest request, const Clock& clock)
    : m_backend(backend),
      m_request(std::move(request)),
      m_clock(clock),
      m_counts(m_request.plan->operation->description().kind == OperationKind::Analysis),
      m_device(backend.info().kind == BackendKind::Cuda),
      m_endToEnd(m_device && !dynamic_cast<PeerBackend*>(&backend)) {
    m_request.input = {};
    // Whose pointer it is may go before the last round.
    if (m_request.referenceCounts) m_referenceCounts = *m_request.referenceCounts;
}

template <class Sample>
Result<void> RowMeasurement::repeat(Sample sample) {
    const SamplingOptions options =
        m_request.sampling.ofRound(m_rounds >= m_request.sampling.minRounds);
    const bool rounds = m_request.sampling.minRounds > 1;
    int uncounted = options.warmsItself(m_callMs) ? 0 : options.warmups;
    const int least = std::max(options.minSamples, 1);
    double spentMs = 0;
    double warmMs = 0;
    double fastestMs = 0;
    int n = 0;
    while (uncounted > 0 || n < least || (n < options.maxSamples && spentMs < options.budgetMs)) {
        if (m_context.stop.stop_requested()) return cancelled();
        if (m_request.betweenSamples && m_request.betweenSamples())
            uncounted = std::max(uncounted, 1);
        if (m_context.stop.stop_requested()) return cancelled();
        const bool counts = uncounted == 0;
        const Stopwatch watch(m_clock);
        if (const auto done = sample(counts); !done) return done;
        const double ms = watch.elapsedMs();
        if (counts) {
            spentMs += ms;
            ++n;
            continue;
        }
        --uncounted;
        warmMs += ms;
        // Clocks rise and caches fill for as long as each run is faster than all before it; other
        // rows have run since the last round.
        const bool faster = fastestMs == 0 || ms < 0.98 * fastestMs;
        fastestMs = fastestMs == 0 ? ms : std::min(fastestMs, ms);
        if (rounds && faster && warmMs < options.budgetMs) uncounted = std::max(uncounted, 1);
    }
    return {};
}

Result<StepBuffers> RowMeasurement::uploaded(const StepImages& images) {
    auto first = m_backend.upload(images.first, m_context);
    if (!first) return fail(first.error());
    if (!m_request.plan->takesSecond) return StepBuffers(std::move(*first));
    auto second = m_backend.upload(images.second, m_context);
    if (!second) return fail(second.error());
    return StepBuffers(std::move(*first), std::move(*second));
}

Result<RowMeasurement::Output> RowMeasurement::compute(const StepBuffers& input) {
    if (m_counts) {
        auto counts = m_backend.analyze(*m_request.plan, input, m_context);
        if (!counts) return fail(counts.error());
        return Output{nullptr, std::move(*counts)};
    }
    auto buffer = m_backend.run(*m_request.plan, input, m_context);
    if (!buffer) return fail(buffer.error());
    return Output{std::move(*buffer), std::nullopt};
}

Result<void> RowMeasurement::begin(const StepImages& input, const RunContext& context) {
    // No progress while timing: telling somebody costs time, and fractions start over with each
    // sample.
    m_context = {context.stop, {}};
    if (const auto able = m_backend.supports(*m_request.plan); !able) return fail(able.error());
    StepTiming& timing = m_first.timing;
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
    timing.cold = m_request.cold;
    timing.bytesMoved = plan.minimalBytes;
    const auto hash = contentHash(input.first, m_context.stop);
    if (!hash) return cancelled();
    timing.imageHash = *hash;

    if (m_endToEnd) m_parts = overlappingParts(plan, partPlanner(m_request));
    if (const auto quiet = m_backend.synchronize(); !quiet) return fail(quiet.error());
    const Stopwatch watch(m_clock);
    auto resident = uploaded(input);
    if (!resident) return fail(resident.error());
    auto output = compute(*resident);
    if (!output) return fail(output.error());
    if (output->buffer) {
        auto image = m_backend.download(output->buffer, m_context);
        if (!image) return fail(image.error());
        m_first.output = std::move(*image);
    }
    m_first.counts = std::move(output->counts);
    if (const auto done = m_backend.synchronize(); !done) return fail(done.error());
    m_callMs = watch.elapsedMs();
    timing.firstCallMs = m_request.firstCallMs.value_or(m_callMs);
    timing.agreement = agreementOf(m_request.reference, m_first.output, m_first.counts);
    if (!m_first.output.isNull()) {
        const auto made = contentHash(m_first.output, m_context.stop);
        if (!made) return cancelled();
        m_firstHash = *made;
    }
    m_firstCounts = m_first.counts;
    m_request.reference = nullptr;
    return {};
}

// Cold: on the CPU copies beyond its last-level cache; on a GPU beyond its L2 cache, and on the
// host beyond the CPU's, from where end to end begins.
Result<RowMeasurement::Inputs> RowMeasurement::inputsOf(const StepImages& input,
                                                        const std::vector<Image>& copies) {
    Inputs inputs;
    if (!m_request.cold) {
        auto resident = uploaded(input);
        if (!resident) return fail(resident.error());
        inputs.resident = {std::move(*resident)};
        inputs.host = {input};
        return inputs;
    }
    const auto& [first, second] = input;
    const std::uint64_t bytes = first.byteCount() + second.byteCount();
    // Lines of a GPU's L2 are replaced in no strict order: twice as much as on the CPU.
    const auto count = coldCopyCount(bytes, (m_device ? 2 : 1) * m_backend.cacheBytes());
    if (!count) return fail(count.error());
    const auto onHost = m_device ? coldCopyCount(bytes, cpuCacheBytes()) : count;
    if (!onHost) return fail(onHost.error());
    std::vector<Image> firsts(
        copies.begin(),
        copies.begin() + std::min<std::ptrdiff_t>(*onHost, std::ptrdiff_t(copies.size())));
    if (int(firsts.size()) < *onHost) {
        auto made = copiesOf(first, *onHost, m_context.stop);
        if (!made) return fail(made.error());
        firsts = std::move(*made);
    }
    std::vector<Image> seconds(firsts.size());
    if (!second.isNull()) {
        auto made = copiesOf(second, *onHost, m_context.stop);
        if (!made) return fail(made.error());
        seconds = std::move(*made);
    }
    for (std::size_t i = 0; i < seconds.size(); ++i)
        inputs.host.emplace_back(firsts[i], seconds[i]);
    for (int i = 0; i < *count; ++i) {
        auto resident = uploaded(inputs.host[std::size_t(i) % inputs.host.size()]);
        if (!resident) return fail(resident.error());
        inputs.resident.push_back(std::move(*resident));
    }
    m_first.timing.inputs = *count;
    if (const auto done = m_backend.synchronize(); !done) return fail(done.error());
    return inputs;
}

Result<void> RowMeasurement::round(const StepImages& input, const RunContext& context,
                                   const std::vector<Image>& copies) {
    m_context = {context.stop, {}};
    const Stopwatch watch(m_clock);
    auto inputs = inputsOf(input, copies);
    if (!inputs) return fail(inputs.error());
    auto timed = m_device ? timeKernels(*inputs) : timeCpu(*inputs);
    if (timed && m_endToEnd) timed = timeEndToEnd(*inputs);
    if (!timed) return fail(timed.error());
    // A stop in the last moment may have cut the last sample short.
    if (m_context.stop.stop_requested()) return cancelled();
    compareLast();
    // What was not compared is no round.
    if (m_context.stop.stop_requested()) return cancelled();
    ++m_rounds;
    m_spentMs += watch.elapsedMs();
    return {};
}

Result<void> RowMeasurement::timeCpu(Inputs& inputs) {
    std::vector<double> samples;
    BufferPtr last;
    const auto sampled = repeat([&](bool counts) -> Result<void> {
        const StepBuffers& input = inputs.next();
        // The next result takes its memory, as other libraries write over their last one: two in
        // turn would be twice as much for the caches.
        last = nullptr;
        const WorkedThreads worked;
        const Stopwatch watch(m_clock);
        auto output = compute(input);
        if (!output) return fail(output.error());
        // Nothing may be left to do when the clock stops.
        if (const auto done = m_backend.synchronize(); !done) return done;
        const double ms = watch.elapsedMs();
        if (counts) {
            samples.push_back(ms);
            if (const int count = worked.count(); count > 0) m_worked.push_back(count);
        }
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
    m_first.timing.samples.addRound(samples);
    return {};
}

// Between device events, with the input resident: what the kernels alone take. Where a run is so
// short that the two events around it are part of what they measure: many runs between two events.
// The first round decides, and the others do as it did.
Result<void> RowMeasurement::timeKernels(Inputs& inputs) {
    if (!m_methodChosen) {
        if (auto single = timeSingleKernels(inputs); !single) return single;
        m_methodChosen = true;
        const Samples once = m_first.timing.samples;
        if (summarizeRounds(once).medianMs >= kCoarseKernelMs) return {};
        // Backends that cannot do that, or not this operation, leave what was measured.
        m_manyRuns = true;
        const auto many = timeManyKernels(inputs);
        if (many) return {};
        const ErrorCode code = many.error().code;
        if (code == ErrorCode::Cancelled || code == ErrorCode::DeviceFault) return many;
        m_manyRuns = false;
        m_first.timing.samples = once;
        m_first.timing.method = "single";
        m_first.timing.launches = 1;
        return {};
    }
    return m_manyRuns ? timeManyKernels(inputs) : timeSingleKernels(inputs);
}

Result<void> RowMeasurement::timeSingleKernels(Inputs& inputs) {
    const RecordingScope recording(m_backend);
    std::vector<double> samples;
    const auto sampled = repeat([&](bool counts) -> Result<void> {
        const auto output = compute(inputs.next());
        if (!output) return fail(output.error());
        const auto spans = m_backend.takeSpans();
        if (!spans) return fail(spans.error());
        const SpanSums sums = sumSpans(*spans);
        if (!sums.anyKernel)
            return fail(ErrorCode::Internal, "the backend recorded no kernel to be timed");
        if (counts) samples.push_back(sums.kernelMs);
        return {};
    });
    if (sampled) m_first.timing.samples.addRound(samples);
    return sampled;
}

Result<void> RowMeasurement::timeManyKernels(Inputs& inputs) {
    constexpr double kSampleMs = 0.5;
    StepTiming& timing = m_first.timing;
    if (timing.launches == 1) {
        const double onceMs = summarizeRounds(timing.samples).medianMs;
        timing.launches = int(std::clamp(kSampleMs / std::max(onceMs, 1e-4), 10.0, 500.0));
        timing.method = "graph";
        timing.samples = {};
    }
    std::vector<double> samples;
    const auto sampled = repeat([&](bool counts) -> Result<void> {
        const auto repeated = m_backend.timeRepeated(*m_request.plan, inputs.resident, inputs.turn,
                                                     timing.launches, m_context);
        if (!repeated) return fail(repeated.error());
        inputs.turn += std::size_t(timing.launches);
        if (!counts) return {};
        if (!repeated->graph) timing.method = "repeated";
        samples.push_back(repeated->msPerRun);
        return {};
    });
    if (sampled) timing.samples.addRound(samples);
    return sampled;
}

// From an image on the host to what the operation gives there.
Result<RowMeasurement::Output> RowMeasurement::throughDevice(const StepImages& images) {
    if (!m_parts.empty()) {
        int runs = 0;
        auto result = runOverlapped(m_backend, *m_request.plan, m_parts, images, m_context, runs);
        if (!result) return fail(result.error());
        m_lastOutput = std::move(*result);
        return Output{};
    }
    const auto input = uploaded(images);
    if (!input) return fail(input.error());
    auto output = compute(*input);
    if (!output || !output->buffer) return output;
    auto result = m_backend.download(output->buffer, m_context);
    if (!result) return fail(result.error());
    m_lastOutput = std::move(*result);
    return output;
}

// What a person waits for.
Result<void> RowMeasurement::timeEndToEnd(Inputs& inputs) {
    const RecordingScope recording(m_backend);
    std::vector<double> total;
    std::vector<double> upload;
    std::vector<double> download;
    const auto sampled = repeat([&](bool counts) -> Result<void> {
        const StepImages& images = inputs.nextOnHost();
        const Stopwatch watch(m_clock);
        auto output = throughDevice(images);
        if (!output) return fail(output.error());
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
    m_first.timing.endToEndSamples.addRound(total);
    m_first.timing.uploadSamples.addRound(upload);
    m_first.timing.downloadSamples.addRound(download);
    return {};
}

Result<int> RowMeasurement::runFor(double ms, const StepImages& input, const RunContext& context) {
    m_context = {context.stop, {}};
    const auto resident = uploaded(input);
    if (!resident) return fail(resident.error());
    // Waited for now and then: a queue must not run on for seconds after a stop.
    const double once = std::max(summarizeRounds(m_first.timing.samples).medianMs, 1e-4);
    const int together = int(std::clamp(20 / once, 1.0, 1000.0));
    const Stopwatch watch(m_clock);
    int runs = 0;
    while (watch.elapsedMs() < ms) {
        for (int i = 0; i < together; ++i, ++runs) {
            if (m_context.stop.stop_requested()) return cancelled();
            if (const auto output = compute(*resident); !output) return fail(output.error());
        }
        if (const auto done = m_backend.synchronize(); !done) return fail(done.error());
    }
    return runs;
}

Agreement RowMeasurement::agreementOf(const Image* reference, const Image& output,
                                      const std::optional<AnalysisResult>& counts) const {
    if (reference && !output.isNull())
        return compareImages(
            *reference, output,
            m_request.plan->operation->description().agreementFor(output.format()));
    if (m_referenceCounts && counts) return compareAnalyses(*m_referenceCounts, *counts);
    return {};
}

// The first result and the last of each round: work that races may be right once.
void RowMeasurement::compareLast() {
    Agreement& agreement = m_first.timing.agreement;
    Agreement last;
    if (m_lastOutput.isNull()) {
        if (m_firstCounts && m_lastCounts)
            m_repeatable &=
                compareAnalyses(*m_firstCounts, *m_lastCounts).verdict == Verdict::Identical;
        last = agreementOf(nullptr, m_lastOutput, m_lastCounts);
    } else if (const auto hash = contentHash(m_lastOutput, m_context.stop);
               hash && *hash != m_firstHash) {
        m_repeatable = false;
        if (m_request.referenceAgain && agreement.verdict != Verdict::NotCompared)
            last = agreementOf(m_request.referenceAgain(), m_lastOutput, {});
    }
    const bool worse = last.verdict != Verdict::NotCompared &&
                       (last.verdict > agreement.verdict || last.differing > agreement.differing);
    if (worse && agreement.verdict != Verdict::Differs) agreement = last;
    m_lastOutput = Image();
    m_lastCounts.reset();
}

bool RowMeasurement::steady() const {
    if (m_rounds < m_request.sampling.minRounds) return false;
    return !summarizeRounds(m_first.timing.samples).noisy() &&
           (!m_endToEnd || !summarizeRounds(m_first.timing.endToEndSamples).noisy());
}

void RowMeasurement::dropResult() {
    m_first.output = Image();
    m_first.counts.reset();
}

const StepTiming& RowMeasurement::timing() {
    StepTiming& timing = m_first.timing;
    timing.time = summarizeRounds(timing.samples);
    timing.kernelMs = timing.time.medianMs;
    timing.endToEnd = m_endToEnd ? summarizeRounds(timing.endToEndSamples) : timing.time;
    timing.endToEndMs = timing.endToEnd.medianMs;
    timing.uploadMs = summarizeRounds(timing.uploadSamples).medianMs;
    timing.downloadMs = summarizeRounds(timing.downloadSamples).medianMs;
    if (!m_worked.empty()) {
        std::nth_element(m_worked.begin(), m_worked.begin() + m_worked.size() / 2, m_worked.end());
        timing.threadsWorked = m_worked[m_worked.size() / 2];
    }
    // Less than a nanosecond is the clock's grain, not a speed.
    if (timing.time.medianMs > 1e-6)
        timing.gbPerS = double(timing.bytesMoved) / (timing.time.medianMs * 1e6);
    return timing;
}

Result<Measured> measureStep(Backend& backend, const MeasureRequest& request,
                             const RunContext& context, const Clock& clock) {
    MeasureRequest asked = request;
    asked.referenceAgain = [&] { return request.reference; };
    RowMeasurement row(backend, asked, clock);
    if (const auto begun = row.begin(request.input, context); !begun) return fail(begun.error());
    do {
        if (const auto taken = row.round(request.input, context); !taken)
            return fail(taken.error());
    } while (!row.steady() && row.rounds() < request.sampling.maxRounds);
    row.timing();
    return row.first();
}

}  // namespace warpscope
