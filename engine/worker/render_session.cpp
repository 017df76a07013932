#include "engine/worker/render_session.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/clock.h"
#include "engine/operations/registry.h"
#include "engine/worker/large_image.h"

namespace warpscope {
namespace {

// A full result that takes longer than this is preceded by a draft.
constexpr double kDraftFirstMs = 60;
// Of a draft, so that thirty or more come in a second beside what else a frame costs.
constexpr double kDraftMs = 22;
// Before anything was timed: of what the operations guess, which is the CPU's time.
constexpr double kGpuShare = 0.03;

std::vector<std::string> stepLabels(const Pipeline& pipeline) {
    std::vector<std::string> labels;
    for (const Step& step : pipeline.steps)
        if (step.enabled) labels.push_back(findOperation(step.operation)->description().label);
    return labels;
}

// Before anything was timed. Steps that cannot be planned cost nothing: they fail.
double guessedMsPerMegapixel(const Pipeline& pipeline, const Image& source) {
    double ms = 0;
    const auto pixels = double(source.size().pixels());
    for (const ShapedStep& step :
         shapeOf(pipeline, source.format(), Placement::all(source.size())).steps)
        if (step.plan)
            ms += step.plan->guessedMsPerMegapixel * double(step.plan->size.pixels()) / pixels;
    return ms;
}

ResultPlace resultPlace(const RenderRequest& request) {
    const Image& source = request.source->levels.front();
    const ChainShape shape =
        shapeOf(request.pipeline, source.format(), Placement::all(source.size()));
    return {shape.place.whole, shape.sourceFromResult};
}

bool namesSecond(const Pipeline& pipeline) {
    return std::any_of(pipeline.steps.begin(), pipeline.steps.end(), [](const Step& step) {
        const auto named = step.enabled ? secondInputOf(step) : std::nullopt;
        return named && named->kind == ImageReference::Kind::Second;
    });
}

double megapixels(const Image& image) {
    return double(image.size().pixels()) * 1e-6;
}

}  // namespace

ChainShape RenderSession::fullShape(const RenderRequest& request) {
    const Image& source = request.source->levels.front();
    return shapeOf(request.pipeline, source.format(), Placement::all(source.size()));
}

std::uint64_t RenderSession::idOf(const PyramidPtr& image) {
    return image && !image->levels.empty() ? image->levels.front().id() : 0;
}

ExecuteRequest RenderSession::fullRequest(const RenderRequest& request) {
    ExecuteRequest full;
    full.source = request.source->levels.front();
    full.pipeline = request.pipeline;
    full.backend = request.backend;
    if (idOf(request.second)) full.second = request.second->levels.front();
    full.skipBrokenSteps = true;
    return full;
}

RenderSession::RenderSession(BackendSet backends, std::uint64_t memoryBudgetBytes,
                             RequestSlot& slot, const RenderEventSink& sink)
    : m_executor(std::move(backends), memoryBudgetBytes), m_slot(slot), m_sink(sink) {}

void RenderSession::forgetAll() {
    m_executor.clearCache();
    m_crop = {};
    m_finished.reset();
    m_sourceAnalysis.reset();
    m_resultAnalysis.reset();
    m_sourceFigures.reset();
    m_resultFigures.reset();
    m_timedStructure.reset();
    m_draftPace.reset();
    m_knownSteps.clear();
    m_knownThresholds.clear();
    m_knownTables.clear();
}

void RenderSession::process(const RenderRequest& given) {
    const bool anything = given.source && !given.source->levels.empty();
    const std::uint64_t sourceId = idOf(given.source);
    if (sourceId != m_sourceId) {
        forgetAll();
        m_lastPipeline = {};
        if (anything) m_executor.setHostLimit(outputsLimit(*given.source));
    }
    m_sourceId = sourceId;
    if (!anything) return;
    keepWhatIsEdited(given);

    const auto checked = checkPipeline(given.pipeline);
    if (!checked) failed(given, RenderStage::Result, checked.error());
    const RenderRequest request = checked ? withoutBroken(given) : given;
    forgetOtherTables(request);
    ProgressReporter progress(request.revision, m_sink);
    bool good = checked.has_value();
    if (good && draftFirst(request)) good = draft(request, progress);
    if (request.interactive) return;
    const auto stop = m_slot.begin(WorkPhase::Rest);
    if (!stop) return;
    const RunContext context = progress.context(*stop);
    if (!good || !full(request, context, progress)) {
        if (!stop->stop_requested()) sourceFigures(request, context, progress);
        return;
    }
    if (!histograms(request, context, progress)) return;
    if (!thresholds(request, context)) return;
    if (request.analysis && !analysis(request, context, progress)) return;
    if (request.stepHistograms && !stepHistograms(request, context)) return;
    if (request.difference && !difference(request, context)) return;
    measure(request, progress);
}

// The step whose parameters are another than before is the one that will change again.
void RenderSession::keepWhatIsEdited(const RenderRequest& request) {
    const std::vector<Step>& now = request.pipeline.steps;
    const std::vector<Step>& before = m_lastPipeline.steps;
    const auto differ = std::ranges::mismatch(now, before).in1;
    if (differ == now.end() && now.size() == before.size()) return;
    m_editedDepth = std::uint32_t(
        std::count_if(now.begin(), differ, [](const Step& step) { return step.enabled; }));
    m_executor.keepInputOf(m_editedDepth);
    m_lastPipeline = request.pipeline;
}

RenderRequest RenderSession::withoutBroken(const RenderRequest& request) {
    const Image& source = request.source->levels.front();
    RenderRequest rest = request;
    // Decided once, for the full image: drafts leave out the same steps.
    ComputablePart part =
        computablePart(request.pipeline, source.format(), Placement::all(source.size()));
    rest.pipeline = std::move(part.pipeline);
    m_passedOver = std::move(part.passedOver);
    return rest;
}

void RenderSession::tellPassedOver(std::vector<StepReport>& reports) const {
    // Of a result that was there before: what was passed over then.
    std::erase_if(reports, [](const StepReport& report) { return !report.backend; });
    for (const ChainShape::Failure& failure : m_passedOver) {
        const auto at = std::ranges::find_if(
            reports, [&](const StepReport& report) { return report.stepIndex > failure.step; });
        StepReport report;
        report.stepIndex = failure.step;
        report.problem = failure.error.message;
        reports.insert(at, std::move(report));
    }
}

bool RenderSession::draftFirst(const RenderRequest& request) const {
    if (request.interactive) return true;
    if (alreadyFinished(request)) return false;
    // The last full result of a large image is let go then.
    if (request.draftFirst || isLargeWork(request, fullShape(request))) return true;
    const Image& source = request.source->levels.front();
    const bool known = m_timedStructure && *m_timedStructure == RequestStructure(request);
    const double ms = known ? m_msPerMegapixel : guessedMsPerMegapixel(request.pipeline, source);
    return megapixels(source) * ms > kDraftFirstMs;
}

bool RenderSession::alreadyFinished(const RenderRequest& request) const {
    return m_finished && m_finished->source == m_sourceId &&
           m_finished->second == idOf(request.second) && m_finished->backend == request.backend &&
           m_finished->pipeline == request.pipeline;
}

bool RenderSession::draft(const RenderRequest& request, ProgressReporter& progress) {
    const DraftPlan plan =
        planDraft(*request.source, request.pipeline, request.viewport, paceFor(request));
    if (plan.empty()) return true;
    const auto stop = m_slot.begin(WorkPhase::Draft);
    if (!stop) return false;

    const Image& level = request.source->levels[std::size_t(plan.level)];
    ExecuteRequest wanted = fullRequest(request);
    wanted.source = cropFor(level, plan);
    wanted.place = placementOfLevel(*request.source, plan.level);
    wanted.place->part = m_crop.rect;
    if (plan.wholeLevel >= 0) {
        wanted.whole = request.source->levels[std::size_t(plan.wholeLevel)];
        wanted.wholeScale = 1.0 / double(1 << plan.wholeLevel);
    }
    if (idOf(request.second)) {
        // One of another size has other levels, and is refused for its size.
        const auto levelOfSecond = [&](int wantedLevel) {
            return std::min(wantedLevel, int(request.second->levels.size()) - 1);
        };
        const int own = levelOfSecond(plan.level);
        // After a crop the second image may be small where the first is not: it has no copy that
        // fits a draft this coarse, and the full result comes without one.
        if (own != plan.level && namesSecond(request.pipeline)) return true;
        wanted.second = request.second->levels[std::size_t(own)];
        wanted.secondPlace = placementOfLevel(*request.second, own);
        if (plan.wholeLevel >= 0)
            wanted.wholeSecond =
                request.second->levels[std::size_t(levelOfSecond(plan.wholeLevel))];
    }
    progress.begin(stepLabels(request.pipeline));
    auto result = m_executor.run(wanted, progress.context(*stop));
    if (!result) return failed(request, RenderStage::Draft, result.error());
    learnPace(request, plan, *result);

    DraftReady ready;
    ready.revision = request.revision;
    Rect shown = plan.visible;
    shown = intersect(shown, result->place.part);
    if (shown.empty())
        return failed(request, RenderStage::Draft,
                      {ErrorCode::Internal, "the draft has nothing of what is seen"});
    ready.picture = result->image.crop({shown.x - result->place.part.x,
                                        shown.y - result->place.part.y, shown.width, shown.height});
    ready.place = resultPlace(request);
    ready.rect = plan.covered;
    ready.scale = plan.scale;
    ready.exact = plan.exact;
    ready.steps = std::move(result->steps);
    tellPassedOver(ready.steps);
    ready.ms = result->totalMs;
    m_sink(std::move(ready));
    return true;
}

// The same window as last time where it will do: its image keeps its id, and with it everything
// that the executor has cached for it.
Image RenderSession::cropFor(const Image& level, const DraftPlan& plan) {
    const auto area = [](const Rect& rect) { return rect.size().pixels(); };
    const bool all = plan.roomy == Rect{0, 0, level.width(), level.height()};
    const bool fits = m_crop.level == level.id() && contains(m_crop.rect, plan.needed) &&
                      area(m_crop.rect) <= 2 * area(plan.roomy);
    // All of the level is always itself, so that its own statistics are those of the whole image.
    if (fits && !(all && m_crop.rect != plan.roomy)) return m_crop.image;
    if (!m_crop.image.isNull() && m_crop.image.id() != m_crop.level)
        m_executor.forgetImage(m_crop.image.id());
    m_crop = {level.id(), plan.roomy, level.crop(plan.roomy)};
    return m_crop.image;
}

bool RenderSession::full(const RenderRequest& request, const RunContext& context,
                         ProgressReporter& progress) {
    if (alreadyFinished(request)) {
        m_finished->full.revision = request.revision;
        m_finished->full.again = true;
        tellPassedOver(m_finished->full.steps);
        m_sink(m_finished->full);
        return true;
    }
    progress.begin(stepLabels(request.pipeline));
    const std::int64_t begun = steadyClock().nowNs();
    const Stopwatch watch;
    auto result = fullRun(request, context);
    if (!result) return failed(request, RenderStage::Result, result.error());
    learnSpeed(request, *result);

    FullReady ready;
    ready.revision = request.revision;
    ready.steps = std::move(result->steps);
    tellPassedOver(ready.steps);
    ready.ms = result->totalMs;
    ready.events = std::move(result->events);
    ready.begunNs = begun;
    if (result->image.id() == m_sourceId) {
        ready.result = request.source;
    } else {
        const double start = watch.elapsedMs();
        auto pyramid = buildPyramid(result->image, {Threading::AllCores, context.stop, {}});
        if (!pyramid) return failed(request, RenderStage::Result, pyramid.error());
        ready.result = std::make_shared<const Pyramid>(std::move(*pyramid));
        ready.events.push_back(
            {RunEvent::Kind::Reduce, {}, {}, BackendKind::Cpu, start, watch.elapsedMs() - start});
    }
    ready.place = resultPlace(request);
    m_finished =
        Finished{m_sourceId, idOf(request.second), request.pipeline, request.backend, ready};
    m_sink(std::move(ready));
    return true;
}

void RenderSession::learnSpeed(const RenderRequest& request, const ExecuteResult& result) {
    // A run that resumed in the middle says little about the chain.
    const bool resumed = std::any_of(result.steps.begin(), result.steps.end(),
                                     [](const StepReport& report) { return report.fromCache; });
    if (resumed) return;
    m_timedStructure = RequestStructure(request);
    m_msPerMegapixel = result.totalMs / std::max(megapixels(request.source->levels.front()), 1e-6);
}

DraftPace RenderSession::paceFor(const RenderRequest& request) const {
    DraftPace pace;
    pace.budgetMs = kDraftMs;
    if (m_draftPace && m_draftPace->structure == RequestStructure(request)) {
        pace.msPerGuess = m_draftPace->msPerGuess;
        pace.lastLevel = m_draftPace->level;
    } else if (m_executor.backends().cuda &&
               (request.backend == BackendChoice::Auto || request.backend == BackendChoice::Cuda)) {
        pace.msPerGuess = kGpuShare;
    }
    return pace;
}

void RenderSession::learnPace(const RenderRequest& request, const DraftPlan& plan,
                              const ExecuteResult& result) {
    if (plan.guessedMs <= 0) return;
    const bool known = m_draftPace && m_draftPace->structure == RequestStructure(request);
    // A value that was there before is no faster to compute than others are.
    if (std::ranges::all_of(result.steps, &StepReport::fromCache)) {
        if (known) m_draftPace->level = plan.level;
        return;
    }
    const double now = result.totalMs / plan.guessedMs;
    // Other work on the machine makes single drafts slow; the first one is slow by itself, since
    // the steps before the one that changes are not in the cache yet.
    const double pace = known ? std::sqrt(now * m_draftPace->msPerGuess) : now;
    m_draftPace = DraftSpeed{RequestStructure(request), pace, plan.level};
}

bool RenderSession::failed(const RenderRequest& request, RenderStage stage, const Error& error) {
    if (error.code != ErrorCode::Cancelled)
        m_sink(RenderFailed{request.revision, error, m_executor.failedStep(), stage});
    return false;
}

}  // namespace warpscope
