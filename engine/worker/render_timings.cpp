// The comparison of backends: what a request asks for when its result and all figures are there.
#include <algorithm>
#include <utility>

#include "engine/image/storage_pool.h"
#include "engine/measure/single_run.h"
#include "engine/measure/timing_report.h"
#include "engine/operations/analysis/histogram.h"
#include "engine/worker/render_session.h"

namespace warpscope {

// Takes longest by far: other figures of the same result do not wait for it.
void RenderSession::measure(const RenderRequest& request, ProgressReporter& progress) {
    const auto stop = m_slot.begin(WorkPhase::Timings);
    if (!stop) return;
    const RunContext context = progress.context(*stop);
    if (request.compare && !timings(request, context, progress)) return;
    if (request.copyBandwidth && !m_copyMeasured) copyBandwidth(request, context);
}

Result<StepInput> RenderSession::limited(StepInput input, const RenderRequest& request,
                                         const ChainShape& shape) {
    const Size whole = input.image.size();
    PixelMap map;
    for (const ShapedStep& step : shape.steps)
        if (step.index == input.stepIndex) map = step.sourceFromInput;
    const auto region = regionIn(map, request.region);
    Image image = limitedTo(input.image, region);
    if (image.size() == whole) return input;
    PlanRequest part;
    part.parameters = input.parameters;
    part.variant = input.plan->variant;
    part.format = image.format();
    part.size = image.size();
    // Where it lies in the image: noise depends on it.
    part.place =
        Placement::partOf(whole, intersect(region->box(), {0, 0, whole.width, whole.height}));
    auto plan = input.plan->operation->plan(part);
    // A crop beside the region: all of the input, as where a region has nothing of an image.
    if (!plan && plan.error().code == ErrorCode::Unsupported) return input;
    if (!plan) return fail(plan.error());
    input.image = std::move(image);
    input.second = limitedTo(input.second, input.second.isNull() ? std::nullopt : region);
    input.plan = std::move(*plan);
    return input;
}

bool RenderSession::difference(const RenderRequest& request, const RunContext& context) {
    const RunContext quiet{context.stop, {}};
    auto inputs = m_executor.stepInputs(fullRequest(request), quiet);
    if (!inputs) return failed(request, RenderStage::Timings, inputs.error());
    for (StepInput& input : *inputs) {
        if (input.stepIndex != request.difference->stepIndex) continue;
        const auto part = limited(std::move(input), request, fullShape(request));
        if (!part) return failed(request, RenderStage::Timings, part.error());
        const auto resultOn = [&](const BackendPtr& backend) -> Result<Image> {
            if (!backend) return fail(ErrorCode::Unsupported, "this backend is not there");
            auto done = runOnce(*backend, *part->plan, {part->image, part->second}, quiet);
            if (!done) return fail(done.error());
            return std::move(done->output);
        };
        const BackendSet& backends = m_executor.backends();
        const BackendKind kind = request.difference->backend;
        auto reference = resultOn(backends.cpuSingle);
        if (!reference) return failed(request, RenderStage::Timings, reference.error());
        auto other = resultOn(kind == BackendKind::Cuda ? backends.cuda : backends.cpu);
        if (!other) return failed(request, RenderStage::Timings, other.error());
        m_sink(DifferenceReady{request.revision, part->stepIndex, std::move(*reference),
                               std::move(*other), kind});
    }
    return true;
}

bool RenderSession::timings(const RenderRequest& request, const RunContext& context,
                            ProgressReporter& progress) {
    progress.begin({"Timings"});
    progress.update(0);  // or the work before would seem to go on until the first row
    // The chain's own progress is not what is waited for here.
    const RunContext quiet{context.stop, {}};
    // Its rows say how large it is, and that it is one.
    std::optional<TimedPart> part = timedPart(request);
    // Nobody else has blocks of these sizes. What the last result's copies left is no use either.
    struct Trim {
        bool wanted;
        explicit Trim(bool is) : wanted(is) { now(); }
        ~Trim() { now(); }
        void now() const {
            if (wanted) trimStorage();
        }
    } const trim(part.has_value());
    auto inputs = m_executor.stepInputs(part ? part->request : fullRequest(request), quiet);
    if (part && part->request.source.id() != m_sourceId)
        m_executor.forgetImage(part->request.source.id());
    // A step that cannot be planned for a part.
    if (part && !inputs && inputs.error().code == ErrorCode::Unsupported) {
        part.reset();
        inputs = m_executor.stepInputs(fullRequest(request), quiet);
    }
    if (!inputs) return failed(request, RenderStage::Timings, inputs.error());
    // Bursts of a step's rows, as long as none needs more than the least of rounds.
    const SamplingOptions sampling{.minRounds = 7, .maxRounds = 12};
    constexpr int kRowsPerStep = 3;  // one thread, all cores, GPU
    const std::size_t steps = inputs->size() + (request.timeHistogram ? 1 : 0);
    std::size_t finished = 0;
    const auto time = [&](const PlanPtr& plan, const ParamSet& parameters, const StepImages& images,
                          std::size_t stepIndex, bool ofPart) {
        int bursts = 0;
        const auto onRow = [&](const StepTiming& row) {
            ++bursts;
            if (const auto asked = m_slot.takeProbe()) probe(*asked, context.stop);
            const double share =
                std::min(1.0, double(bursts) / (kRowsPerStep * sampling.minRounds));
            progress.update((double(finished) + share) / double(steps));
            m_sink(TimingReady{request.revision, stepIndex, row, false, ofPart});
        };
        const auto rows = compareBackends(m_executor.backends(), plan, parameters, images, sampling,
                                          quiet, onRow);
        if (!rows) return failed(request, RenderStage::Timings, rows.error());
        ++finished;
        if (finished == steps)
            m_sink(TimingReady{request.revision, stepIndex, rows->back(), true, ofPart});
        return true;
    };
    const ChainShape shape = fullShape(request);
    for (StepInput& input : *inputs) {
        auto timed =
            part ? Result<StepInput>(std::move(input)) : limited(std::move(input), request, shape);
        if (!timed) return failed(request, RenderStage::Timings, timed.error());
        if (!time(timed->plan, timed->parameters, {timed->image, timed->second}, timed->stepIndex,
                  part && part->isLess))
            return false;
        // What nobody times any more.
        input = {};
        *timed = {};
    }
    if (!request.timeHistogram) return true;
    const Image counted =
        limitedTo(m_finished->full.result->levels.front(),
                  regionIn(m_finished->full.place.sourceFromResult, request.region));
    const Operation& histogram = histogram_operation();
    PlanRequest counting;
    counting.parameters = resolveParameters(histogram.description().parameters, {}).value();
    counting.format = counted.format();
    counting.size = counted.size();
    const auto plan = histogram.plan(counting);
    if (!plan) return failed(request, RenderStage::Timings, plan.error());
    return time(*plan, counting.parameters, counted, kAnalysisStep, false);
}

void RenderSession::copyBandwidth(const RenderRequest& request, const RunContext& context) {
    CopyBandwidthReady ready;
    ready.revision = request.revision;
    const auto answer = [&] {
        if (const auto asked = m_slot.takeProbe()) probe(*asked, context.stop);
    };
    ready.cpuSingle = copyGbpsCpu(Threading::Single, context.stop);
    answer();
    ready.cpu = copyGbpsCpu(Threading::AllCores, context.stop);
    answer();
    if (const auto peaks = measurePeaks(m_executor.backends(), context)) ready.peaks = *peaks;
    const BackendPtr& cuda = m_executor.backends().cuda;
    if (cuda && !context.stop.stop_requested())
        ready.gpu = copyGbpsDevice(*cuda, RunContext{context.stop, {}});
    if (context.stop.stop_requested()) return;  // half a measurement is none
    m_copyMeasured = true;
    m_sink(ready);
}

}  // namespace warpscope
