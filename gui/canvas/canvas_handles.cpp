// The handles of a crop or rotation in the canvas: where they are, and what the person does to
// them.
#include "gui/canvas/canvas.h"
#include "gui/display/display_settings.h"

namespace warpscope::gui {
namespace {

constexpr int kLongArrow = 10;  // pixels, or degrees

}  // namespace

void Canvas::setStepHandles(const std::optional<HandledStep>& step) {
    if (step == m_handles.step()) return;
    const auto over = [this] {
        const auto& is = m_handles.step();
        return m_handles.isCrop() ? std::optional(ResultPlace{is->input, is->sourceFromInput})
                                  : std::nullopt;
    };
    const auto inputBefore = over();
    const ResultPlace before = alonePlace();
    m_handles.set(step);
    m_handled.setPyramid(step ? step->picture : nullptr);
    updateHandledLook();
    if (!step && m_drag == Drag::Handles) {  // taken away under the mouse
        m_drag = Drag::None;
        emit handlesGrabbed(false);
    }
    if (alonePlace() != before || over() != inputBefore) {
        followPlace();
        viewChanged();
    }
    updateCursorShape();
    update();
}

void Canvas::updateHandledLook() {
    const Image image = m_handled.image();
    m_handled.setLook(m_display && !image.isNull() ? m_display->lookFor(image) : DisplayLook{});
}

bool Canvas::showsInput() const {
    return m_mode == ViewMode::Result && !m_heldSource && showsHandles() && m_handled.pyramid();
}

ResultPlace Canvas::alonePlace() const {
    const bool input = showsHandles() && m_handled.pyramid();
    return input ? ResultPlace{m_handled.image().size(), handledStep()->sourceFromInput}
                 : m_pair.secondPlace();
}

// A result without what is beside it is nothing to crop.
bool Canvas::handlesIn(const QRect& pane) const {
    if (!showsHandles() || !m_handles.isCrop() || m_heldSource) return showsHandles();
    return m_mode == ViewMode::Result ? showsInput() : !isResultPane(pane);
}

StepHandles::Pane Canvas::handlesPane(const QRect& pane) const {
    return {viewIn(pane), isResultPane(pane) && !m_heldSource, m_panes.dpr()};
}

bool Canvas::onHandles(const QPointF& widgetPosition) const {
    const QRect& pane = m_panes.at(widgetPosition);
    return handlesIn(pane) && m_handles.isAt(m_panes.toPane(widgetPosition), handlesPane(pane));
}

QCursor Canvas::handlesCursor() const {
    const QPointF at = m_drag == Drag::Handles ? m_pressPosition : m_mousePosition;
    return m_handles.cursorAt(m_panes.toPane(at), handlesPane(m_panes.at(at)));
}

void Canvas::handlesChanged(bool changed) {
    if (!changed) return;
    update();
    emit handlesMoved(HandledStep(*handledStep()));
}

void Canvas::dragHandles(const QPointF& widgetPosition, bool snap) {
    const QRect& pane = m_panes.at(m_pressPosition);
    handlesChanged(
        m_handles.dragTo(widgetPosition * m_panes.dpr() - pane.topLeft(), handlesPane(pane), snap));
}

void Canvas::endHandlesDrag() {
    m_drag = Drag::None;
    m_focusingClick = false;
    m_handles.release();
    update();
    updateCursorShape();
    emit handlesGrabbed(false);
}

void Canvas::pressHandles(const QPoint& to, Qt::KeyboardModifiers modifiers) {
    cancelHold();  // Shift belongs to the arrow
    const QPoint by = to * ((modifiers & Qt::ShiftModifier) != 0 ? kLongArrow : 1);
    const bool second = (modifiers & Qt::ControlModifier) != 0;
    handlesChanged(m_handles.press(by, second, handlesPane(m_panes.first())));
    if (!m_handles.isCrop() || isFitted()) return;
    m_view.transform().reveal(m_handles.cornerTowards(second ? QPoint(1, 1) : to, m_view));
    viewChanged();
}

}  // namespace warpscope::gui
