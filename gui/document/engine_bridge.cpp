#include "gui/document/engine_bridge.h"

#include "engine/worker/large_image.h"
#include "gui/base/queued_call.h"
#include "gui/document/image_loader.h"
#include "gui/document/memory_budget.h"
#include "gui/document/prefetcher.h"
#include "gui/widgets/engine_text.h"

namespace warpscope::gui {
namespace {

// A value that rests this long under a held slider is worth the exact result.
constexpr int kStillMs = 40;
// Also while it moves, so often, if all of it takes no longer than a frame: the next draft waits
// for nothing that anybody would see.
constexpr qint64 kFollowMs = 100;
constexpr qint64 kQuickMs = 15;

// Of these only the newest matters; what nobody has fetched yet is replaced.
bool replaces(const RenderEvent& waiting, const RenderEvent& newer) {
    return newer.index() == waiting.index() && (std::holds_alternative<DraftReady>(newer) ||
                                                std::holds_alternative<ProgressChanged>(newer) ||
                                                std::holds_alternative<FullReady>(newer));
}

}  // namespace

EngineBridge::EngineBridge(Document& document, RenderWorker::BackendFactory factory,
                           QObject* parent)
    : QObject(parent),
      m_document(document),
      m_memoryBudget(defaultMemoryBudget()),
      m_images(std::make_unique<ImageCache>()),
      m_events(queuedCall(this, "drain"), replaces),
      m_prefetcher(std::make_unique<Prefetcher>(*m_images)) {
    connect(&document, &Document::sourceChanged, this, &EngineBridge::onSourceChanged);
    connect(&document, &Document::secondChanged, this, &EngineBridge::onSecondChanged);
    connect(&document, &Document::pipelineChanged, this, &EngineBridge::onPipelineChanged);
    connect(&document, &Document::interactionChanged, this, &EngineBridge::onInteractionChanged);
    connect(&document, &Document::regionChanged, this, &EngineBridge::onRegionChanged);
    m_stillTimer.setSingleShot(true);
    m_stillTimer.setInterval(kStillMs);
    connect(&m_stillTimer, &QTimer::timeout, this, &EngineBridge::submitHeld);
    m_images->retain({}, m_memoryBudget / 2);
    m_loader = std::make_unique<ImageLoader>(queuedCall(this, "drain"));
    m_secondLoader = std::make_unique<ImageLoader>(queuedCall(this, "drain"));
    m_worker = std::make_unique<RenderWorker>(
        std::move(factory), [this](RenderEvent event) { m_events.post(std::move(event)); },
        m_memoryBudget);
}

EngineBridge::~EngineBridge() {
    shutDown();
}

void EngineBridge::shutDown() {
    disconnect(&m_document, nullptr, this, nullptr);
    m_stillTimer.stop();
    m_worker.reset();
    m_loader.reset();
    m_secondLoader.reset();
    m_prefetcher.reset();
}

// --- opening ---

void EngineBridge::setViewport(const Viewport& viewport) {
    if (m_viewport.visible == viewport.visible && m_viewport.zoom == viewport.zoom) return;
    m_viewport = viewport;
    // While live update is off, or after a cancel, looking around starts no work either.
    if (!resultIsCurrent() && !m_stopped) submit();
}

void EngineBridge::setBackend(BackendChoice choice) {
    if (choice == m_backend) return;
    m_backend = choice;
    m_figuresMs.reset();
    m_contentFloor = m_draftFloor = m_analysisFloor = m_revision + 1;
    outdateStepHistograms(false);
    setStepFailure(std::nullopt);
    submit();
}

void EngineBridge::remakeBackends() {
    if (!m_worker) return;
    m_worker->cancel();
    m_worker->remakeBackends();
    m_figuresMs.reset();
    m_copyBandwidth.reset();
    m_contentFloor = m_draftFloor = m_analysisFloor = m_revision + 1;
    outdateStepHistograms(false);
    setStepFailure(std::nullopt);
    clearTimings();
    emit backendsOutdated();
    submit();
}

void EngineBridge::setPaused(bool paused) {
    if (paused == m_paused) return;
    m_paused = paused;
    submitWhatIsMissing();
    updateStale();
}

void EngineBridge::setHeld(const QString& why) {
    if (why == m_held) return;
    const QString dropped = !opening()                ? QString()
                            : m_openingPath.isEmpty() ? m_openingTitle
                                                      : m_openingPath;
    const QString droppedSecond = openingSecond() ? m_secondTitle : QString();
    if (!why.isEmpty() && (m_busy || opening() || openingSecond())) cancel();
    m_held = why;
    if (!why.isEmpty() && m_prefetcher) m_prefetcher->cancel();
    submitWhatIsMissing();
    updateStale();
    if (!why.isEmpty() && !dropped.isEmpty()) emit openFailed(dropped, why);
    if (!why.isEmpty() && !droppedSecond.isEmpty()) emit openSecondFailed(droppedSecond, why);
}

// After a time in which nothing was computed. What was interrupted or changed meanwhile may be the
// result, its histogram or its timings.
void EngineBridge::submitWhatIsMissing() {
    if (m_paused || !m_held.isEmpty()) return;
    const bool analysisMissing =
        (m_analysis && !analysisIsCurrent()) ||
        ((m_stepHistogramsWanted || m_stepInputWanted) && !stepHistogramsAreCurrent());
    if (!resultIsCurrent() || !histogramsAreCurrent() || analysisMissing || m_timingsWanted)
        submit();
}

void EngineBridge::cancel() {
    cancelOpening();
    if (!m_worker) return;
    m_worker->cancel();
    m_stopped = true;
    if (m_busy && m_timingsWanted) setAnalysisProblems(m_histogramProblem, tr("cancelled"));
    setBusy(false);
    updateStale();
}

void EngineBridge::resume() {
    if (m_stopped) submitWhatIsMissing();
}

void EngineBridge::requestTimings() {
    if (!m_held.isEmpty()) return emit failed(m_held);
    clearTimings();
    m_analysisFloor = m_revision + 1;
    const bool paused = std::exchange(m_paused, false);  // asked for by name
    submit();
    m_paused = paused;
}

void EngineBridge::requestDifference(std::size_t stepIndex, BackendKind backend) {
    if (!m_held.isEmpty()) return emit failed(m_held);
    m_differenceWanted = RenderRequest::StepOn{stepIndex, backend};
    const bool paused = std::exchange(m_paused, false);  // asked for by name
    submit();
    m_paused = paused;
}

void EngineBridge::setAnalysis(const std::optional<Step>& analysis) {
    if (analysis == m_analysis) return;
    m_analysis = analysis;
    m_found.reset();
    emit analysisReady();
    submitWhatIsMissing();
}

void EngineBridge::setMemoryBudget(std::uint64_t bytes) {
    m_memoryBudget = bytes;
    if (m_worker) m_worker->setMemoryBudget(bytes);
}

bool EngineBridge::resultIsCurrent() const {
    return m_result && m_resultRevision >= m_contentFloor;
}

void EngineBridge::onSourceChanged() {
    m_trial.reset();
    outdateStepHistograms(true);
    m_contentFloor = m_draftFloor = m_analysisFloor = m_revision + 1;
    m_result.reset();
    m_histograms.reset();
    m_found.reset();
    m_lastRun.reset();
    m_figuresMs.reset();
    m_stepReports.clear();
    emit stepReportsChanged();
    emit histogramsReady();
    emit analysisReady();
    setStepFailure(std::nullopt);
    clearTimings();
    submit();
}

void EngineBridge::onSecondChanged() {
    const auto& steps = m_document.pipeline().steps;
    const bool wanted = std::any_of(steps.begin(), steps.end(), [](const Step& step) {
        const auto reference = secondInputOf(step);
        return step.enabled && reference && reference->kind == ImageReference::Kind::Second;
    });
    if (wanted) onPipelineChanged(true);
}

void EngineBridge::onPipelineChanged(bool structural) {
    m_trial.reset();
    if (structural) endPeekOfOtherSteps();
    clearTimings();
    renderAnew(structural);
}

void EngineBridge::renderAnew(bool structural) {
    outdateStepHistograms(structural);
    m_contentFloor = m_analysisFloor = m_revision + 1;
    // A draft of the value before is worth showing while a newer one is made; a draft of another
    // list of steps is not.
    if (structural) {
        m_draftFloor = m_revision + 1;
        m_figuresMs.reset();
    }
    setStepFailure(std::nullopt);
    submit();
}

void EngineBridge::onInteractionChanged(bool interacting) {
    if (interacting) {
        m_heldResult = false;
        return;
    }
    m_stillTimer.stop();
    // The timings of what came while the slider was held are still to be taken.
    if (!resultIsCurrent() || (m_heldResult && m_timingsWanted)) submit();
}

void EngineBridge::submitHeld() {
    if (m_document.interacting() && !m_stopped && !histogramsAreCurrent()) submit(false);
}

bool EngineBridge::keepsUpWithDrag() const {
    return m_figuresMs && *m_figuresMs <= kQuickMs &&
           (!m_sinceHeldResult.isValid() || m_sinceHeldResult.elapsed() >= kFollowMs);
}

void EngineBridge::onRegionChanged() {
    m_analysisFloor = m_revision + 1;
    outdateStepHistograms(false);
    clearTimings();
    submit();
}

void EngineBridge::submit() {
    submit(m_document.interacting() && !keepsUpWithDrag());
}

void EngineBridge::submit(bool draftOnly) {
    if (!m_document.source() || !m_worker) return;
    if (m_paused || !m_held.isEmpty()) {
        updateStale();
        return;
    }
    RenderRequest request;
    request.revision = ++m_revision;
    request.source = m_document.source();
    request.second = m_document.second();
    request.pipeline = renderedPipeline();
    request.backend = m_backend;
    request.viewport = m_viewport;
    const bool held = m_document.interacting();
    request.interactive = draftOnly;
    // The picture never waits for the figures.
    request.draftFirst = held && m_shownRevision < m_contentFloor;
    request.compare = m_timingsWanted && !held && !m_trial;
    request.timeHistogram = m_histogramTimed;
    request.difference = std::exchange(m_differenceWanted, std::nullopt);
    // A second's work on all cores. Without a step there is nothing that it would be set beside.
    request.copyBandwidth =
        m_copyWanted && !m_copyBandwidth && !held && !m_trial && !request.pipeline.steps.empty();
    request.region = m_document.regionShape();
    request.analysis = m_analysis;
    request.stepHistograms = (m_stepHistogramsWanted || m_stepInputWanted) && !held;
    m_stopped = false;
    m_heldResult = held;
    if (draftOnly) {
        m_stillTimer.start();
    } else {
        m_stillTimer.stop();
        if (held) m_sinceHeldResult.start();
        m_exactRevision = request.revision;
        m_sinceExact.start();
    }
    setAnalysisProblems({}, {});
    m_worker->submit(std::move(request));
    setBusy(true);
    updateStale();
}

void EngineBridge::clearTimings() {
    m_timingsWanted = true;
    if (m_timings.empty()) return;
    m_timings.clear();
    emit timingsChanged();
}

void EngineBridge::setStepFailure(std::optional<StepFailure> failure) {
    if (!m_stepFailure && !failure) return;
    m_stepFailure = std::move(failure);
    emit stepFailureChanged();
}

void EngineBridge::setAnalysisProblems(const QString& histogram, const QString& timings) {
    if (histogram == m_histogramProblem && timings == m_timingsProblem) return;
    m_histogramProblem = histogram;
    m_timingsProblem = timings;
    emit analysisProblemChanged();
}

// --- events ---

void EngineBridge::drain() {
    takeLoaded();
    takeSecond();
    for (RenderEvent& event : m_events.take()) std::visit([this](auto& e) { handle(e); }, event);
}

void EngineBridge::handle(BackendsReady& event) {
    m_backends = std::move(event.backends);
    emit backendsReady();
}

void EngineBridge::handle(DraftReady& event) {
    if (event.revision < m_draftFloor || event.revision < m_shownRevision) return;
    if (resultIsCurrent()) return;  // never a draft over the exact result
    m_shownRevision = event.revision;
    // The exact one is being made.
    if (event.revision >= m_contentFloor && m_exactRevision >= m_contentFloor && !m_stopped)
        letGoOfResult();
    emit draftReady(event);
}

void EngineBridge::handle(FullReady& event) {
    if (event.revision < m_contentFloor) return;
    m_result = std::move(event.result);
    m_sourceFromResult = event.place.sourceFromResult;
    m_resultRevision = event.revision;
    m_shownRevision = std::max(m_shownRevision, event.revision);
    m_stepReports = std::move(event.steps);
    // A result that was there already says nothing new about the run that made it.
    if (!event.again || !m_lastRun)
        m_lastRun = LastRun{event.revision, event.ms, std::move(event.events), event.begunNs,
                            steadyClock().nowNs()};
    updateStale();
    emit stepReportsChanged();
    emit fullReady();
}

void EngineBridge::letGoOfResult() {
    if (!m_result || m_result == m_document.source() || m_result->levels.size() < 2) return;
    const Image& image = m_result->levels.front();
    // The smaller copies of sums and labels are no pictures of them.
    const bool hasCopies = bytesPerSample(image.format()) <= 2 || isFloat(image.format());
    if (image.isNull() || !hasCopies || !isLarge(image.format(), image.size())) return;
    Pyramid copies = *m_result;
    copies.levels.front() = image.withoutSamples();
    m_result = std::make_shared<const Pyramid>(std::move(copies));
}

void EngineBridge::handle(HistogramsReady& event) {
    if (event.revision < m_analysisFloor) return;
    if (event.revision == m_exactRevision) m_figuresMs = m_sinceExact.elapsed();
    m_histograms = std::move(event);
    emit histogramsReady();
}

void EngineBridge::handle(AnalysisReady& event) {
    if (event.revision < m_analysisFloor || event.analysis != m_analysis) return;
    m_found = std::move(event);
    emit analysisReady();
}

void EngineBridge::handle(TimingReady& event) {
    if (event.revision < m_analysisFloor || !m_timingsWanted) return;
    // The rows of an interrupted measurement give way to those of the one that took its place.
    if (!m_timings.empty() && m_timings.front().revision != event.revision) m_timings.clear();
    if (event.last) m_timingsWanted = false;
    // What was known of a row gives way to what is known better.
    const auto known = std::find_if(m_timings.begin(), m_timings.end(), [&](const auto& row) {
        return row.stepIndex == event.stepIndex && row.timing.variant == event.timing.variant &&
               row.timing.backendRequested == event.timing.backendRequested;
    });
    if (known == m_timings.end())
        m_timings.push_back(std::move(event));
    else
        *known = std::move(event);
    emit timingsChanged();
}

void EngineBridge::handle(DifferenceReady& event) {
    if (event.revision >= m_analysisFloor) emit differenceReady(event);
}

void EngineBridge::handle(CopyBandwidthReady& event) {
    m_copyBandwidth = event;
    emit copyBandwidthReady();
}

void EngineBridge::handle(ProgressChanged& event) {
    if (event.revision < m_contentFloor || !m_busy) return;
    emit progressChanged(event.fraction, engineText(event.what));
}

void EngineBridge::handle(RenderFailed& event) {
    if (event.revision < m_contentFloor || event.error.code == ErrorCode::Cancelled) return;
    m_stopped = true;
    setBusy(false);
    updateStale();
    const QString message = QString::fromStdString(event.error.message);
    if (event.stepIndex) setStepFailure(StepFailure{*event.stepIndex, message});
    // What was shown before is of another pipeline, or of none that could be computed.
    setAnalysisProblems(event.stage == RenderStage::Timings ? QString() : message, message);
    emit failed(message);
}

void EngineBridge::handle(Idle& event) {
    if (event.revision == m_revision) setBusy(false);
}

void EngineBridge::setBusy(bool busy) {
    if (busy == m_busy) return;
    m_busy = busy;
    emit busyChanged(busy);
}

void EngineBridge::updateStale() {
    const bool stale = m_document.source() && !resultIsCurrent() && (m_paused || m_stopped);
    if (stale == m_stale) return;
    m_stale = stale;
    emit staleChanged(stale);
}

}  // namespace warpscope::gui
