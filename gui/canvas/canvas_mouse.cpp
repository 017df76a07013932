// Mouse and wheel of the canvas.
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

// Touchpads pass 100% between two events; it should still be met exactly, as it is what people
// look for.
double stopAtActual(double from, double to) {
    const bool crosses = (from < 1.0 && to > 1.0) || (from > 1.0 && to < 1.0);
    return crosses ? 1.0 : to;
}

Qt::CursorShape cursorOf(RegionHandle handle) {
    switch (handle) {
        case RegionHandle::TopLeft:
        case RegionHandle::BottomRight:
            return Qt::SizeFDiagCursor;
        case RegionHandle::TopRight:
        case RegionHandle::BottomLeft:
            return Qt::SizeBDiagCursor;
        case RegionHandle::Left:
        case RegionHandle::Right:
            return Qt::SizeHorCursor;
        case RegionHandle::Top:
        case RegionHandle::Bottom:
            return Qt::SizeVerCursor;
        default:
            return Qt::SizeAllCursor;
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
        s.drag = s.spaceHeld ? DragKind::Pan : s.leftDragAt(event->position(), event->modifiers());
        s.grabbed =
            s.drag == DragKind::RegionHandle ? s.handleAt(event->position()) : RegionHandle::None;
        s.regionBefore = s.region;
    } else {
        event->ignore();
        return;
    }
    s.dragMoved = false;
    s.pressPosition = s.lastPosition = event->position();
    s.grabPoint = s.imageAt(event->position());
    s.updateCursorShape();
}

// What lies on top decides; Shift begins a region anywhere else.
DragKind Canvas::State::leftDragAt(const QPointF& widgetPosition,
                                   Qt::KeyboardModifiers modifiers) const {
    if (handleAt(widgetPosition) != RegionHandle::None) return DragKind::RegionHandle;
    if ((modifiers & Qt::ShiftModifier) != 0 && !comparison) return DragKind::Region;
    if (lineWanted) return DragKind::Line;
    if (onWipeHandle(widgetPosition)) return DragKind::WipeHandle;
    return onWipeLine(widgetPosition) ? DragKind::WipeLine : DragKind::Pan;
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
    switch (s.drag) {
        case DragKind::Pan:
            s.transform.panBy((event->position() - s.lastPosition) * s.dpr);
            s.viewChanged();
            break;
        case DragKind::Region:
        case DragKind::RegionHandle:
            s.dragRegion(event->position());
            s.followMouse();
            break;
        case DragKind::Line:
            s.dragLine(event->position());
            s.followMouse();
            break;
        default:
            s.dragWipe(event->position());
            s.followMouse();
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
    const bool free = drag == DragKind::None && !spaceHeld && mouseInside;
    const DragKind kind = free ? leftDragAt(mousePosition, {}) : drag;
    const RegionHandle handle = free ? handleAt(mousePosition) : grabbed;
    switch (kind) {
        case DragKind::WipeLine:
        case DragKind::WipeHandle:
            q.setCursor(wipeTurned ? Qt::SplitVCursor : Qt::SplitHCursor);
            return;
        case DragKind::RegionHandle:
            q.setCursor(cursorOf(handle));
            return;
        case DragKind::Region:
        case DragKind::Line:
            q.setCursor(Qt::CrossCursor);
            return;
        default:
            break;
    }
    if (drag == DragKind::Pan)
        q.setCursor(Qt::ClosedHandCursor);
    else if (spaceHeld)
        q.setCursor(Qt::OpenHandCursor);
    else
        q.unsetCursor();
}

}  // namespace warpscope::gui
