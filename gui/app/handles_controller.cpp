#include "gui/app/handles_controller.h"

#include <algorithm>
#include <cmath>

#include "gui/base/queued_call.h"
#include "gui/canvas/canvas.h"
#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/steps/image_row.h"

namespace warpscope::gui {
namespace {

bool isCrop(const Step& step) {
    return step.operation == "crop";
}

bool hasHandles(const Step& step) {
    return isCrop(step) || step.operation == "rotate";
}

// Can be turned round: does not squeeze all into a line.
bool isSound(const PixelMap& map) {
    const double area = map.xx * map.yy - map.xy * map.yx;
    return std::isfinite(area) && std::abs(area) > 1e-12;
}

// What of the crop lies in the image; all of that where nothing does.
Rect windowOf(const ParamSet& parameters, Size image) {
    const auto given = [&](const char* id) { return int(parameters.integer(id)); };
    const Rect all{0, 0, image.width, image.height};
    const int x = given("x"), y = given("y");
    const int width = given("width") > 0 ? given("width") : std::max(0, image.width - x);
    const int height = given("height") > 0 ? given("height") : std::max(0, image.height - y);
    const Rect window = intersect({x, y, width, height}, all);
    return window.empty() ? all : window;
}

// A side that reached to the edge by itself goes on doing so while it does.
ParamSet cropTo(const Rect& window, ParamSet parameters, Size image) {
    if (window == windowOf(parameters, image)) return parameters;
    const auto extent = [&](const char* id, int from, int length, int side) {
        const bool byItself = parameters.integer(id) == 0 && from + length == side;
        parameters.set(id, std::int64_t{byItself ? 0 : length});
    };
    extent("width", window.x, window.width, image.width);
    extent("height", window.y, window.height, image.height);
    parameters.set("x", std::int64_t{window.x});
    parameters.set("y", std::int64_t{window.y});
    return parameters;
}

}  // namespace

HandlesController::HandlesController(Document& document, EngineBridge& bridge, Canvas& canvas,
                                     QAction& shown, RenderWorker::BackendFactory factory)
    : m_document(document),
      m_bridge(bridge),
      m_canvas(canvas),
      m_shown(shown),
      m_factory(std::move(factory)),
      m_events(queuedCall(this, "drain")) {
    for (const auto changed : {&Document::sourceChanged, &Document::secondChanged})
        connect(&document, changed, this, &HandlesController::sync);
    connect(&document, &Document::pipelineChanged, this, &HandlesController::sync);
    connect(&document, &Document::currentStepChanged, this, &HandlesController::sync);
    connect(&document, &Document::stepAdded, this, [this](int step) {
        if (hasHandles(m_document.pipeline().steps[std::size_t(step)])) m_shown.setChecked(true);
    });
    connect(&bridge, &EngineBridge::peekChanged, this, &HandlesController::sync);
    connect(&bridge, &EngineBridge::backendsOutdated, this, [this] {
        if (m_worker) m_worker->remakeBackends();
    });
    connect(&shown, &QAction::toggled, this, &HandlesController::sync);
    // Whoever asks for them goes on there, by mouse or by keys.
    connect(&shown, &QAction::triggered, this, [this](bool on) {
        if (on) m_canvas.setFocus(Qt::OtherFocusReason);
    });
    connect(&canvas, &Canvas::handlesGrabbed, this, &HandlesController::grabbed);
    connect(&canvas, &Canvas::handlesMoved, this, &HandlesController::edit);
    connect(&canvas, &Canvas::handlesLeft, &shown, [&shown] { shown.setChecked(false); });
    sync();
}

HandlesController::~HandlesController() {
    m_worker.reset();
}

void HandlesController::sync() {
    const int index = m_document.currentStep();
    const auto& steps = m_document.pipeline().steps;
    const Step* step = index >= 0 ? &steps[std::size_t(index)] : nullptr;
    const bool possible =
        step && hasHandles(*step) && step->enabled && m_document.source() && !m_bridge.peek();
    m_shown.setEnabled(possible);
    const auto wanted = possible && m_shown.isChecked() ? handled(index) : std::nullopt;
    if (!wanted || index != m_index) grabbed(false);
    m_index = wanted ? index : -1;
    if (!wanted || !isCrop(*step)) dropInput();
    m_canvas.setStepHandles(wanted);
}

std::optional<HandledStep> HandlesController::handled(int index) {
    const Step& step = m_document.pipeline().steps[std::size_t(index)];
    const ChainShape before = m_document.shapeBefore(index);
    HandledStep is;
    is.kind = isCrop(step) ? HandledStep::Kind::Crop : HandledStep::Kind::Rotate;
    is.input = before.place.whole;
    is.sourceFromInput = before.sourceFromResult;
    if (is.input.empty() || !isSound(is.sourceFromInput)) return std::nullopt;
    if (isCrop(step)) {
        is.window = windowOf(step.parameters, is.input);
        is.picture = inputOf(index);
        is.caption = tr("Before %1 · Esc or Return shows the result").arg(stepTitle(step));
        return is;
    }
    is.angle = step.parameters.real("angle");
    const PixelMap all =
        m_document.shapeBefore(int(m_document.pipeline().steps.size())).sourceFromResult;
    const PixelMap own = m_document.shapeBefore(index + 1).sourceFromResult;
    if (!isSound(all) || !isSound(own)) return std::nullopt;
    is.resultFromOutput = after(own, inverse(all));
    return is;
}

// Steps behind the crop do not change it: while the crop is dragged it stays.
PyramidPtr HandlesController::inputOf(int index) {
    Pipeline steps = m_document.pipeline();
    steps.steps.resize(std::size_t(index));
    if (std::ranges::none_of(steps.steps, &Step::enabled)) {
        dropInput();
        return m_document.source();
    }
    if (m_steps == steps && m_source == m_document.source() && m_second == m_document.second())
        return m_input;
    dropInput();
    if (!m_bridge.held().isEmpty()) return nullptr;  // somebody measures
    m_steps = steps;
    m_source = m_document.source();
    m_second = m_document.second();
    if (!m_worker)
        m_worker = std::make_unique<RenderWorker>(
            m_factory, [this](RenderEvent event) { m_events.post(std::move(event)); },
            m_bridge.memoryBudget() / 2);
    RenderRequest request;
    request.revision = ++m_revision;
    request.source = m_source;
    request.second = m_second;
    request.pipeline = std::move(steps);
    request.backend = m_bridge.backend();
    const Size size = m_source->levels.front().size();
    request.viewport = {{0, 0, size.width, size.height}, 1.0};
    request.compare = false;
    m_computing = true;
    m_worker->submit(std::move(request));
    return nullptr;
}

void HandlesController::dropInput() {
    if (m_computing && m_worker) m_worker->cancel();
    m_computing = false;
    m_steps.reset();
    m_source.reset();
    m_second.reset();
    m_input.reset();
}

// Without an input there are no handles over the result; elsewhere there are.
void HandlesController::drain() {
    for (RenderEvent& event : m_events.take()) {
        const auto* full = std::get_if<FullReady>(&event);
        if (!full || full->revision != m_revision || !m_computing) continue;
        m_computing = false;
        m_input = full->result;
        m_worker->cancel();  // nobody looks at its histogram
        sync();
    }
}

void HandlesController::grabbed(bool on) {
    if (on == m_held || (on && m_index < 0)) return;
    m_held = on;
    if (!on) return m_document.endInteraction();
    m_before = m_document.pipeline().steps[std::size_t(m_index)].parameters;
    m_document.beginInteraction();
}

void HandlesController::edit(const HandledStep& to) {
    if (m_index < 0) return;
    const Step& step = m_document.pipeline().steps[std::size_t(m_index)];
    ParamSet parameters = m_held ? m_before : step.parameters;
    if (isCrop(step))
        parameters = cropTo(to.window, std::move(parameters), to.input);
    else if (parameters.real("angle") != to.angle)
        parameters.set("angle", to.angle);
    m_document.setStepValues(m_index, parameters, step.variant,
                             isCrop(step) ? tr("Crop in the image") : tr("Rotate in the image"),
                             m_held ? EditPhase::Drag : EditPhase::Single);
}

}  // namespace warpscope::gui
