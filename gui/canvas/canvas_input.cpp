// Mouse, wheel and keys of the canvas.
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QStyleHints>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/canvas/canvas_state.h"

namespace warpscope::gui {
namespace {

constexpr double kUnitsPerDoubling = 480.0;  // of wheel angle: four notches double the zoom
constexpr double kPanPerNotch = 64.0;        // logical pixels
constexpr double kNotch = 120.0;
constexpr double kGrabDistance = 6.0;  // from the wipe line, logical pixels
constexpr double kHandleRadius = 12.0;
constexpr double kWipeStep = 0.02;
constexpr double kArrowPan = 0.1;  // of the pane
constexpr int kLongPixelStep = 10;

// Touchpads pass 100% between two events; it should still be met exactly, as it is what people
// look for.
double stopAtActual(double from, double to) {
    const bool crosses = (from < 1.0 && to > 1.0) || (from > 1.0 && to < 1.0);
    return crosses ? 1.0 : to;
}

bool isPlain(const QKeyEvent& event) {
    return (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) == 0;
}

bool isArrow(int key) {
    return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
}

QPoint arrowDirection(int key) {
    switch (key) {
        case Qt::Key_Left:
            return {-1, 0};
        case Qt::Key_Right:
            return {1, 0};
        case Qt::Key_Up:
            return {0, -1};
        default:
            return {0, 1};
    }
}

}  // namespace

bool Canvas::event(QEvent* event) {
    State& s = *m_state;
    if (event->type() == QEvent::LanguageChange) {
        s.retranslate();
        update();
    }
    // Shortcuts of the window with the same key wait until another widget has the focus.
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (s.wants(*key)) {
            key->accept();
            return true;
        }
    }
    if (event->type() == QEvent::NativeGesture && !s.isEmpty()) {
        auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            s.cancelHold();
            setZoom(stopAtActual(zoom(), zoom() * (1.0 + gesture->value())), gesture->position());
            return true;
        }
    }
    return QWidget::event(event);
}

void Canvas::wheelEvent(QWheelEvent* event) {
    State& s = *m_state;
    if (s.isEmpty()) {
        event->ignore();
        return;
    }
    event->accept();
    s.cancelHold();
    const QPoint angle = event->angleDelta();
    const bool sideways = (event->modifiers() & Qt::ShiftModifier) != 0;
    if (sideways || angle.y() == 0) {
        const QPoint pixels = event->pixelDelta();
        const double inAngle = angle.x() != 0 ? angle.x() : angle.y();
        const double inPixels = pixels.x() != 0 ? pixels.x() : pixels.y();
        const double by = inPixels != 0 ? inPixels : inAngle / kNotch * kPanPerNotch;
        s.transform.panBy(QPointF(by * s.dpr, 0));
        s.viewChanged();
        return;
    }
    const double wanted = zoom() * std::exp2(angle.y() / kUnitsPerDoubling);
    setZoom(stopAtActual(zoom(), wanted), event->position());
}

void Canvas::mousePressEvent(QMouseEvent* event) {
    State& s = *m_state;
    if (s.isEmpty() || s.drag != DragKind::None) return;
    s.pixelCursor = false;
    s.mouseInside = true;
    s.mousePosition = event->position();
    s.followMouse();
    if (event->button() == Qt::MiddleButton) {
        s.drag = DragKind::Pan;
    } else if (event->button() == Qt::LeftButton) {
        s.drag = DragKind::Pan;
        if (!s.spaceHeld && s.onWipeHandle(event->position()))
            s.drag = DragKind::WipeHandle;
        else if (!s.spaceHeld && s.onWipeLine(event->position()))
            s.drag = DragKind::WipeLine;
    } else {
        event->ignore();
        return;
    }
    s.dragMoved = false;
    s.pressPosition = s.lastPosition = event->position();
    s.updateCursorShape();
}

void Canvas::mouseMoveEvent(QMouseEvent* event) {
    State& s = *m_state;
    if (s.isEmpty()) return;
    s.mouseInside = true;
    s.mousePosition = event->position();
    if (s.drag == DragKind::None) {
        s.pixelCursor = false;
        s.followMouse();
        s.updateCursorShape();
        return;
    }
    const double travelled = (event->position() - s.pressPosition).manhattanLength();
    if (!s.dragMoved && travelled < QApplication::startDragDistance()) return;
    if (!s.dragMoved) s.cancelHold();
    s.dragMoved = true;
    if (s.drag == DragKind::Pan) {
        s.transform.panBy((event->position() - s.lastPosition) * s.dpr);
        s.viewChanged();
    } else {
        s.dragWipe(event->position());
    }
    s.lastPosition = event->position();
}

void Canvas::mouseReleaseEvent(QMouseEvent* event) {
    State& s = *m_state;
    if (s.drag == DragKind::None || event->buttons() != Qt::NoButton) return;
    const DragKind ended = s.drag;
    s.drag = DragKind::None;
    s.updateCursorShape();
    if (s.dragMoved) return;
    if (ended == DragKind::WipeHandle) {
        s.wipeTurned = !s.wipeTurned;
        s.updateCursorShape();
        update();
    } else if (event->button() == Qt::LeftButton && !s.spaceHeld) {
        s.clickedPixel = s.pixelAt(event->position());
        s.clickTimer.start(QGuiApplication::styleHints()->mouseDoubleClickInterval());
    }
}

void Canvas::mouseDoubleClickEvent(QMouseEvent* event) {
    State& s = *m_state;
    s.clickTimer.stop();
    if (s.isEmpty() || event->button() != Qt::LeftButton) return;
    if (s.onWipeHandle(event->position())) {
        mousePressEvent(event);  // two quick turns
        return;
    }
    if (isFitted())
        setZoom(1.0, event->position());
    else
        fit();
}

void Canvas::leaveEvent(QEvent* event) {
    m_state->mouseInside = false;
    if (!m_state->pixelCursor) m_state->setCursorPixel(kNoPixel);
    QWidget::leaveEvent(event);
}

void Canvas::focusInEvent(QFocusEvent* event) {
    update();
    QWidget::focusInEvent(event);
}

void Canvas::focusOutEvent(QFocusEvent* event) {
    State& s = *m_state;
    s.cancelHold();
    s.spaceHeld = false;
    s.updateCursorShape();
    update();
    QWidget::focusOutEvent(event);
}

void Canvas::keyPressEvent(QKeyEvent* event) {
    State& s = *m_state;
    if (event->key() == Qt::Key_Shift && !event->isAutoRepeat() && isPlain(*event) &&
        !s.isEmpty() && s.drag == DragKind::None) {
        s.holdTimer.start();
        return;
    }
    s.holdTimer.stop();
    if (!s.wants(*event) || !s.press(*event)) QWidget::keyPressEvent(event);
}

void Canvas::keyReleaseEvent(QKeyEvent* event) {
    State& s = *m_state;
    if (event->isAutoRepeat()) return;
    if (event->key() == Qt::Key_Shift) {
        s.cancelHold();
    } else if (event->key() == Qt::Key_Space) {
        s.spaceHeld = false;
        s.updateCursorShape();
    } else {
        QWidget::keyReleaseEvent(event);
    }
}

bool Canvas::State::wants(const QKeyEvent& event) const {
    if (isEmpty()) return false;
    const int key = event.key();
    if (isArrow(key)) {
        const auto others = event.modifiers() & ~(Qt::KeypadModifier | Qt::ControlModifier);
        return others == 0 && (pixelCursor || (event.modifiers() & Qt::ControlModifier) == 0);
    }
    if (!isPlain(event)) return false;
    switch (key) {
        case Qt::Key_Escape:
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return pixelCursor;
        case Qt::Key_T:
        case Qt::Key_BracketLeft:
        case Qt::Key_BracketRight:
            return mode == ViewMode::Wipe;
        case Qt::Key_F:
        case Qt::Key_X:
        case Qt::Key_Plus:
        case Qt::Key_Equal:
        case Qt::Key_Minus:
        case Qt::Key_1:
        case Qt::Key_2:
        case Qt::Key_3:
        case Qt::Key_4:
        case Qt::Key_Space:
            return true;
        default:
            return false;
    }
}

bool Canvas::State::press(const QKeyEvent& event) {
    const int key = event.key();
    if (isArrow(key)) return pressArrow(event);
    switch (key) {
        case Qt::Key_F:
            q.fit();
            return true;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            q.zoomIn();
            return true;
        case Qt::Key_Minus:
            q.zoomOut();
            return true;
        case Qt::Key_1:
        case Qt::Key_2:
        case Qt::Key_3:
        case Qt::Key_4:
            q.setViewMode(ViewMode(key - Qt::Key_1));
            return true;
        case Qt::Key_X:
        case Qt::Key_Escape:
            togglePixelCursor();
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            emit q.pixelClicked(cursorPixel);
            return true;
        case Qt::Key_T:
            wipeTurned = !wipeTurned;
            q.update();
            return true;
        case Qt::Key_BracketLeft:
        case Qt::Key_BracketRight:
            wipeAt += key == Qt::Key_BracketLeft ? -kWipeStep : kWipeStep;
            wipeAt = std::clamp(wipeAt, 0.0, 1.0);
            q.update();
            return true;
        case Qt::Key_Space:
            spaceHeld = true;
            updateCursorShape();
            return true;
        default:
            return false;
    }
}

bool Canvas::State::pressArrow(const QKeyEvent& event) {
    const QPoint to = arrowDirection(event.key());
    if (pixelCursor) {
        movePixelCursor((event.modifiers() & Qt::ControlModifier) != 0 ? to * kLongPixelStep : to);
        return true;
    }
    const QSize pane = transform.paneSize();
    transform.panBy(
        QPointF(-to.x() * pane.width() * kArrowPan, -to.y() * pane.height() * kArrowPan));
    viewChanged();
    return true;
}

QRectF Canvas::State::wipeLine() const {
    const QRectF whole = q.rect();
    if (wipeTurned) return {0, whole.height() * wipeAt, whole.width(), 0};
    return {whole.width() * wipeAt, 0, 0, whole.height()};
}

QRectF Canvas::State::wipeHandle() const {
    const QPointF center = wipeLine().center();
    return {center.x() - kHandleRadius, center.y() - kHandleRadius, 2 * kHandleRadius,
            2 * kHandleRadius};
}

bool Canvas::State::onWipeHandle(const QPointF& widgetPosition) const {
    return mode == ViewMode::Wipe && wipeHandle().contains(widgetPosition);
}

bool Canvas::State::onWipeLine(const QPointF& widgetPosition) const {
    if (mode != ViewMode::Wipe) return false;
    const QPointF away = widgetPosition - wipeLine().topLeft();
    return std::abs(wipeTurned ? away.y() : away.x()) <= kGrabDistance ||
           onWipeHandle(widgetPosition);
}

void Canvas::State::dragWipe(const QPointF& widgetPosition) {
    const double at = wipeTurned ? widgetPosition.y() / std::max(1, q.height())
                                 : widgetPosition.x() / std::max(1, q.width());
    wipeAt = std::clamp(at, 0.0, 1.0);
    q.update();
}

void Canvas::State::updateCursorShape() {
    const bool wipe =
        drag == DragKind::WipeLine || drag == DragKind::WipeHandle ||
        (drag == DragKind::None && !spaceHeld && mouseInside && onWipeLine(mousePosition));
    if (wipe)
        q.setCursor(wipeTurned ? Qt::SplitVCursor : Qt::SplitHCursor);
    else if (drag == DragKind::Pan)
        q.setCursor(Qt::ClosedHandCursor);
    else if (spaceHeld)
        q.setCursor(Qt::OpenHandCursor);
    else
        q.unsetCursor();
}

}  // namespace warpscope::gui
