// Where the time around a GPU's kernels goes, by the host's clock: the phases of one operation from
// an image on the host to a result on the host, a dragged slider from the request to the draft's
// pixels without a window, and a chain on a small image. Asserts nothing; --cpu does the same
// without a GPU.
#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "cuda_kernels/runtime/cuda_backend.h"
#include "engine/backend/backend_set.h"
#include "engine/backend/prepared_chain.h"
#include "engine/base/clock.h"
#include "engine/base/log.h"
#include "engine/image/pyramid.h"
#include "engine/image/synthetic.h"
#include "engine/measure/agreement.h"
#include "engine/measure/single_run.h"
#include "engine/operations/analysis/histogram.h"
#include "engine/operations/registry.h"
#include "engine/pipeline/overlapped_run.h"
#include "engine/worker/render_worker.h"

using namespace warpscope;

namespace {

double percentile(std::vector<double> values, double p) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[std::size_t(p * double(values.size() - 1) + 0.5)];
}
double median(const std::vector<double>& values) {
    return percentile(values, 0.5);
}

PlanPtr planOf(const Step& step, const Image& image) {
    PlanRequest request;
    request.parameters = step.parameters;
    request.variant = step.variant;
    request.format = image.format();
    request.size = image.size();
    return findOperation(step.operation)->plan(request).value();
}

double spanMs(const std::vector<Span>& spans, SpanKind kind) {
    double ms = 0;
    for (const Span& span : spans)
        if (span.kind == kind) ms += span.ms;
    return ms;
}

struct Phases {
    std::vector<double> upload, run, download, rest, all, overlapped;
    std::vector<double> deviceUpload, deviceRun, deviceDownload;
};

// One operation, inputs in turn.
void runPhases(Backend& backend, const char* text, Size size, bool color, int images) {
    const Step step = parseStep(text).value();
    const BackendPtr cpu = BackendSet::cpuOnly({}).cpu;
    std::vector<Image> inputs, expected;
    PlanPtr plan;
    for (int i = 0; i < images; ++i) {
        inputs.push_back(makeScene(size, color, unsigned(i), CpuContext{}).value());
        if (!plan) plan = planOf(step, inputs[0]);
        expected.push_back(runOnce(*cpu, *plan, inputs.back(), {}).value().output);
    }
    bool right = true;
    Phases phases;
    constexpr int kRuns = 60;
    // Until all images have been sent so often that they are page-locked.
    const int uncounted = 3 * images + 8;
    for (int i = 0; i < kRuns + uncounted; ++i) {
        // The last third with spans, which cost something.
        const bool spans = i >= uncounted + kRuns * 2 / 3;
        backend.setRecording(spans ? Recording::Operations : Recording::Off);
        const Stopwatch watch;
        const BufferPtr input = backend.upload(inputs[std::size_t(i % images)], {}).value();
        const double uploaded = watch.elapsedMs();
        const BufferPtr output = backend.run(*plan, input, {}).value();
        const double queued = watch.elapsedMs();
        const Image result = backend.download(output, {}).value();
        const double fetched = watch.elapsedMs();
        (void)backend.synchronize();
        const double done = watch.elapsedMs();
        right = right && sameSamples(expected[std::size_t(i % images)], result);
        if (i < uncounted) continue;
        if (spans) {
            const std::vector<Span> taken = backend.takeSpans().value();
            phases.deviceUpload.push_back(spanMs(taken, SpanKind::Upload));
            phases.deviceRun.push_back(spanMs(taken, SpanKind::Kernel));
            phases.deviceDownload.push_back(spanMs(taken, SpanKind::Download));
            continue;
        }
        phases.upload.push_back(uploaded);
        phases.run.push_back(queued - uploaded);
        phases.download.push_back(fetched - queued);
        phases.rest.push_back(done - fetched);
        phases.all.push_back(done);
    }
    backend.setRecording(Recording::Off);
    const auto planFor = [&](const Placement& part) {
        PlanRequest request{step.parameters, step.variant, plan->input, part.part.size(), part};
        return findOperation(step.operation)->plan(request);
    };
    const std::vector<PartRun> parts = overlappingParts(*plan, planFor);
    for (int i = 0; i < kRuns; ++i) {
        int runs = 0;
        const Image& image = inputs[std::size_t(i % images)];
        const Stopwatch watch;
        const Image result = runOverlapped(backend, *plan, parts, image, {}, runs).value();
        phases.overlapped.push_back(watch.elapsedMs());
        right = right && sameSamples(expected[std::size_t(i % images)], result);
    }
    std::printf(
        "%-24s %5d x %-4d %-4s %2d in turn | %7.3f %7.3f %7.3f %7.3f | %7.3f (p10 %.3f p90 %.3f) | "
        "%7.3f %7.3f %7.3f | %zu parts %7.3f (p90 %.3f)%s\n",
        text, size.width, size.height, color ? "RGBA" : "gray", images, median(phases.upload),
        median(phases.run), median(phases.download), median(phases.rest), median(phases.all),
        percentile(phases.all, 0.1), percentile(phases.all, 0.9), median(phases.deviceUpload),
        median(phases.deviceRun), median(phases.deviceDownload), parts.size(),
        median(phases.overlapped), percentile(phases.overlapped, 0.9),
        right ? "" : " NOT THE RESULT OF THE CPU");
    std::fflush(stdout);
}

// What the worker's thread sends, for a thread that waits for it.
class Inbox {
  public:
    void take(RenderEvent event) {
        const std::lock_guard lock(m_mutex);
        if (auto* draft = std::get_if<DraftReady>(&event)) m_draft = std::move(*draft);
        if (const auto* failed = std::get_if<RenderFailed>(&event))
            m_problem = failed->error.message;
        if (std::holds_alternative<BackendsReady>(event)) m_ready = true;
        m_changed.notify_all();
    }
    void waitForBackends() {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_ready; });
    }
    // False where the request failed.
    bool waitForDraft(std::uint64_t revision) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_draft.revision == revision || !m_problem.empty(); });
        if (!m_problem.empty()) std::printf("%s\n", m_problem.c_str());
        return m_problem.empty();
    }
    const DraftReady& draft() const { return m_draft; }

  private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    DraftReady m_draft;
    std::string m_problem;
    bool m_ready = false;
};

// The slider of `parameter` from `from` to `to` and back, each value once the draft of the one
// before is there.
void drag(const BackendSet& backends, const char* text, const char* parameter, double from,
          double to, Size size, double zoom) {
    Inbox inbox;
    RenderWorker worker([&] { return backends; },
                        [&](RenderEvent event) { inbox.take(std::move(event)); },
                        defaultMemoryBudget());
    inbox.waitForBackends();
    RenderRequest request;
    const Image scene = makeScene(size, true, 1, CpuContext{}).value();
    request.source = std::make_shared<const Pyramid>(buildPyramid(scene, CpuContext{}).value());
    request.pipeline.steps = {parseStep(text).value()};
    request.interactive = true;
    const Size window{1600, 1000};
    request.viewport.zoom =
        zoom > 0 ? zoom
                 : std::min(double(window.width) / size.width, double(window.height) / size.height);
    const Size seen{std::min(size.width, int(window.width / request.viewport.zoom)),
                    std::min(size.height, int(window.height / request.viewport.zoom))};
    request.viewport.visible = {(size.width - seen.width) / 2, (size.height - seen.height) / 2,
                                seen.width, seen.height};
    constexpr int kTicks = 200;
    constexpr int kUncounted = 40;
    std::vector<double> total, render;
    // Of the GPU, after which the CPU goes on: its times are no figures of the GPU.
    std::string fallback;
    for (int i = 0; i < kTicks + kUncounted; ++i) {
        const double way = double(i % 50) / 49;
        request.pipeline.steps[0].parameters.set(parameter, from + (to - from) * way);
        request.revision = unsigned(i) + 1;
        const Stopwatch watch;
        worker.submit(request);
        if (!inbox.waitForDraft(request.revision)) return;
        for (const StepReport& step : inbox.draft().steps)
            if (backends.cuda && fallback.empty()) fallback = step.fallbackReason;
        if (i < kUncounted) continue;
        total.push_back(watch.elapsedMs());
        render.push_back(inbox.draft().ms);
    }
    const DraftReady& last = inbox.draft();
    std::printf(
        "%-24s %5d x %-4d zoom %4.2f | pixels 1/%.0f, %4d x %-4d | %7.3f %7.3f %7.3f | "
        "%7.3f %7.3f%s%s\n",
        text, size.width, size.height, request.viewport.zoom, 1 / last.scale, last.picture.width(),
        last.picture.height(), median(total), percentile(total, 0.95), percentile(total, 1),
        median(render), percentile(render, 0.95),
        fallback.empty() ? "" : " NOT ALL ON THE GPU: ", fallback.c_str());
    std::fflush(stdout);
}

// From the image on the host to the histogram of the result, step by step on the device, and as one
// prepared chain where the backend has them.
struct ChainTimes {
    std::vector<double> wall, device;

    // Every second of 420 times with spans, which cost something; 20 not counted.
    template <class Once>
    void take(Backend& backend, Once&& once) {
        for (int i = 0; i < 420; ++i) {
            backend.setRecording(i % 2 ? Recording::Operations : Recording::Off);
            (void)backend.synchronize();
            const Stopwatch watch;
            once(watch);
            const double ms = watch.elapsedMs();
            if (i < 20) continue;
            if (i % 2)
                device.push_back(spanMs(backend.takeSpans().value(), SpanKind::Kernel));
            else
                wall.push_back(ms);
        }
        backend.setRecording(Recording::Off);
    }
    void print(const std::string& how, std::size_t steps, Size size, bool right) const {
        std::printf(
            "chain of %zu and histogram on %d x %d, resident, %s: counts on the host after %.1f us "
            "(p95 %.1f), kernels %.1f us (p95 %.1f)%s\n",
            steps, size.width, size.height, how.c_str(), median(wall) * 1e3,
            percentile(wall, 0.95) * 1e3, median(device) * 1e3, percentile(device, 0.95) * 1e3,
            right ? "" : " NOT THE RESULT OF THE CPU");
        std::fflush(stdout);
    }
};

void runChain(Backend& backend, const std::vector<std::string>& steps, Size size) {
    const Image scene = makeScene(size, true, 1, CpuContext{}).value();
    const BackendPtr cpu = BackendSet::cpuOnly({}).cpu;
    std::vector<PlanPtr> plans;
    Image image = scene;
    for (const std::string& text : steps) {
        plans.push_back(planOf(parseStep(text).value(), image));
        image = runOnce(*cpu, *plans.back(), image, {}).value().output;
    }
    const PlanPtr counting = planHistogram(ChannelSet::all(), image.format(), image.size()).value();
    const AnalysisResult expected =
        cpu->analyze(*counting, cpu->upload(image, {}).value(), {}).value();
    const auto isRight = [&](const AnalysisResult& found) {
        return compareAnalyses(expected, found).verdict == Verdict::Identical;
    };
    {
        const BufferPtr input = backend.upload(scene, {}).value();
        AnalysisResult found;
        std::vector<double> queued;
        ChainTimes times;
        times.take(backend, [&](const Stopwatch& watch) {
            BufferPtr value = input;
            for (const PlanPtr& plan : plans) value = backend.run(*plan, value, {}).value();
            queued.push_back(watch.elapsedMs());
            found = backend.analyze(*counting, value, {}).value();
        });
        times.print("step by step, queued after " + std::to_string(median(queued) * 1e3) + " us",
                    steps.size(), size, isRight(found));
    }
    auto* const chains = dynamic_cast<ChainRunner*>(&backend);
    if (!chains) return;
    const ChainPtr chain = chains->prepareChain(plans, counting, {}).value();
    if (const auto filled = chains->fillChain(*chain, scene, {}); !filled)
        throw tl::bad_expected_access<Error>(filled.error());
    AnalysisResult found;
    ChainTimes times;
    times.take(backend, [&](const Stopwatch&) { found = *chains->runChain(*chain, {}).value(); });
    const bool right =
        isRight(found) && sameSamples(image, chains->downloadChain(*chain, {}).value());
    times.print("prepared", steps.size(), size, right);
}

void measureAll(const BackendSet& backends, Backend& backend) {
    const Size k512{512, 512}, k4{3840, 2160}, k8{7680, 4320};
    std::printf("%s, %d threads; ms, medians\n", backend.info().label.c_str(),
                CpuContext{}.threadCount());
    std::printf(
        "operation | upload, run, download, rest by the host's clock | all | upload, "
        "kernels, download by the device's | all in parts\n");
    for (const Size size : {k512, k4, k8}) {
        const int images = size.width > 512 ? 5 : 64;
        runPhases(backend, "grayscale", size, true, images);
        runPhases(backend, "invert", size, true, images);
        runPhases(backend, "invert", size, false, images);
        runPhases(backend, "gaussian_blur", size, true, images);
        runPhases(backend, "gaussian_blur", size, false, images);
        runPhases(backend, "equalize", size, true, images);
    }
    std::printf(
        "drag | draft | request to pixels: median, p95, most | of it the chain: median, "
        "p95\n");
    for (const Size size : {k4, k8})
        for (const double zoom : {0.0, 1.0}) {
            drag(backends, "gaussian_blur", "sigma", 1, 10, size, zoom);
            drag(backends, "levels", "gamma", 0.5, 2, size, zoom);
        }
    for (const Size size : {Size{256, 256}, k512, Size{1024, 1024}, k4})
        runChain(backend, {"grayscale", "gaussian_blur", "equalize"}, size);
}

}  // namespace

int main(int argc, char** argv) {
    setLogSink([](LogLevel, std::string_view text) {
        std::fprintf(stderr, "%.*s\n", int(text.size()), text.data());
    });
    const bool cpu = argc > 1 && !std::strcmp(argv[1], "--cpu");
    const BackendSet backends = cpu ? BackendSet::cpuOnly("asked for") : makeBackends();
    if (!cpu && !backends.cuda) {
        std::fprintf(stderr, "%s\n", backends.cudaUnavailable.c_str());
        return 1;
    }
    try {
        measureAll(backends, cpu ? *backends.cpu : *backends.cuda);
    } catch (const tl::bad_expected_access<Error>& failure) {
        std::fprintf(stderr, "%s\n", failure.error().message.c_str());
        return 1;
    }
    return 0;
}
