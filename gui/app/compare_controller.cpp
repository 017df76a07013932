#include "gui/app/compare_controller.h"

#include <algorithm>

#include "gui/base/file_name.h"
#include "gui/base/queued_call.h"
#include "gui/canvas/canvas.h"
#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/document/memory_budget.h"
#include "gui/widgets/engine_text.h"

namespace warpscope::gui {

CompareController::CompareController(Document& document, EngineBridge& bridge, Canvas& canvas,
                                     RenderWorker::BackendFactory factory)
    : m_document(document),
      m_bridge(bridge),
      m_canvas(canvas),
      m_factory(std::move(factory)),
      m_events(queuedCall(this, "drain")) {
    connect(&document, &Document::sourceChanged, this, &CompareController::onSourceChanged);
    connect(&document, &Document::pipelineChanged, this, &CompareController::compute);
    connect(&bridge, &EngineBridge::peekChanged, this, &CompareController::compute);
    connect(&document, &Document::secondChanged, this, &CompareController::compute);
    connect(&bridge, &EngineBridge::fullReady, this, &CompareController::show);
    connect(&bridge, &EngineBridge::backendsOutdated, this, [this] {
        if (m_worker) m_worker->remakeBackends();
    });
    connect(&canvas, &Canvas::comparisonChanged, this, &CompareController::onComparisonChanged);
}

CompareController::~CompareController() {
    m_worker.reset();
    m_loader.reset();
}

void CompareController::compareWith(const QString& path) {
    if (!m_document.source() || path.isEmpty()) return;
    if (!m_bridge.held().isEmpty()) return emit failed(m_bridge.held());
    m_path = path;
    load();
    emit changed();
}

void CompareController::load() {
    m_source.reset();
    m_result.reset();
    m_loading = true;
    if (!m_loader) m_loader = std::make_unique<ImageLoader>(queuedCall(this, "drain"));
    ReadOptions options;
    options.limits.maxDecodedBytes = m_bridge.memoryBudget();
    options.limits.howToRaise = howToRaiseMemory().toStdString();
    m_loader->start(
        [images = &m_bridge.images(), options, path = m_path](std::stop_token stop) mutable {
            options.stop = std::move(stop);
            return images->load({path}, options);
        },
        shownFileName(m_path));
}

void CompareController::stop() {
    if (!active()) return;
    m_path.clear();
    m_source.reset();
    m_result.reset();
    m_loading = m_computing = m_awaitsSource = false;
    if (m_loader) m_loader->cancel();
    if (m_worker) m_worker->cancel();
    const bool ours = m_canvas.comparison() && m_canvas.comparison()->first == m_shownFirst;
    m_shownFirst.reset();
    m_shownSecond.reset();
    if (ours) m_canvas.endComparison();
    emit changed();
}

void CompareController::compute() {
    if (!m_source) return;
    if (!m_bridge.held().isEmpty()) return stop();  // somebody measures
    m_result.reset();
    const Pipeline pipeline = m_bridge.renderedPipeline();
    m_computing = std::ranges::any_of(pipeline.steps, &Step::enabled);
    if (!m_computing) {
        m_result = m_source;
        return show();
    }
    if (!m_worker)
        m_worker = std::make_unique<RenderWorker>(
            m_factory, [this](RenderEvent event) { m_events.post(std::move(event)); },
            m_bridge.memoryBudget() / 2);
    RenderRequest request;
    request.revision = ++m_revision;
    request.source = m_source;
    request.second = m_document.second();
    request.pipeline = pipeline;
    request.backend = m_bridge.backend();
    const Size size = m_source->levels.front().size();
    request.viewport = {{0, 0, size.width, size.height}, 1.0};
    request.compare = false;
    m_worker->submit(std::move(request));
}

void CompareController::drain() {
    if (auto loaded = m_loader ? m_loader->take() : std::nullopt) {
        m_loading = false;
        if (*loaded) {
            m_source = **loaded;
            emit read();
            compute();
        } else if (loaded->error().code != ErrorCode::Cancelled) {
            const QString message = engineText(loaded->error().message);
            stop();
            emit failed(tr("Could not compare. %1").arg(message));
        }
    }
    for (RenderEvent& event : m_events.take()) {
        if (const auto* full = std::get_if<FullReady>(&event)) {
            if (full->revision != m_revision || !m_computing) continue;
            m_computing = false;
            m_result = full->result;
            m_worker->cancel();  // nobody looks at its histogram
            show();
        } else if (const auto* wrong = std::get_if<RenderFailed>(&event)) {
            if (wrong->revision != m_revision || !m_computing ||
                wrong->error.code == ErrorCode::Cancelled)
                continue;
            const QString name = shownFileName(m_path);
            stop();
            emit failed(
                tr("Could not compare with %1. %2").arg(name, engineText(wrong->error.message)));
        }
    }
}

void CompareController::show() {
    if (!m_result || !m_bridge.resultIsCurrent()) return;
    m_awaitsSource = false;
    const PyramidPtr first = m_bridge.result();
    if (first == m_shownFirst && m_result == m_shownSecond) return;
    m_shownFirst = first;
    m_shownSecond = m_result;
    const bool steps = m_result != m_source;
    const auto label = [steps](const QString& name) {
        return steps ? tr("%1, result").arg(name) : name;
    };
    m_canvas.compare(first, m_result, label(m_document.title()), label(shownFileName(m_path)));
}

// The canvas goes back to source and result then, until both are there.
void CompareController::onSourceChanged() {
    if (!active()) return;
    m_awaitsSource = true;
    m_shownFirst.reset();
}

void CompareController::onComparisonChanged() {
    const Comparison* given = m_canvas.comparison();
    if (!active() || m_awaitsSource || !m_shownFirst) return;
    if (!given || given->first != m_shownFirst) stop();
}

}  // namespace warpscope::gui
