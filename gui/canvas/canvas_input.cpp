// Mouse, wheel and keys of the canvas.
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QStyleHints>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/canvas/canvas.h"

namespace warpscope::gui {
namespace {

constexpr double kUnitsPerDoubling = 480.0;  // of wheel angle: four notches double the zoom
constexpr double kPanPerNotch = 64.0;        // logical pixels
constexpr double kNotch = 120.0;
constexpr double kArrowPan = 0.1;  // of the pane
constexpr int kLongStep = 10;      // image pixels

bool isPlain(const QKeyEvent& event) {
    return (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) == 0;
}

// Of an arrow key; else null.
QPoint arrowOf(int key) {
    return {(key == Qt::Key_Right) - (key == Qt::Key_Left),
            (key == Qt::Key_Down) - (key == Qt::Key_Up)};
}

}  // namespace

bool Canvas::event(QEvent* event) {
    if (event->type() == QEvent::WindowActivate) findMouse();
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        update();
    }
    // Shortcuts of the window with the same key wait until another widget has the focus.
    if (event->type() == QEvent::ShortcutOverride && wants(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::NativeGesture && !m_pair.isEmpty()) {
        auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            cancelHold();
            setZoom(ViewTransform::zoomTimes(zoom(), 1.0 + gesture->value()), gesture->position());
            return true;
        }
    }
    return QWidget::event(event);
}

// --- mouse ---

void Canvas::wheelEvent(QWheelEvent* event) {
    if (m_pair.isEmpty()) {
        event->ignore();
        return;
    }
    event->accept();
    cancelHold();
    const QPoint angle = event->angleDelta();
    m_unlinked = unlinks(event->modifiers());
    const bool sideways = !m_unlinked && (event->modifiers() & Qt::ShiftModifier) != 0;
    if (sideways || angle.y() == 0) {
        const QPoint pixels = event->pixelDelta();
        const double inAngle = angle.x() != 0 ? angle.x() : angle.y();
        const double inPixels = pixels.x() != 0 ? pixels.x() : pixels.y();
        const double by = inPixels != 0 ? inPixels : inAngle / kNotch * kPanPerNotch;
        changeView(m_panes.at(event->position()), [&](ViewTransform& transform) {
            transform.panBy(QPointF(by * m_panes.dpr(), 0));
        });
    } else {
        setZoom(ViewTransform::zoomTimes(zoom(), std::exp2(angle.y() / kUnitsPerDoubling)),
                event->position());
    }
    m_unlinked = false;
}

void Canvas::mousePressEvent(QMouseEvent* event) {
    const bool focusing = std::exchange(m_focusingClick, false);
    if (m_pair.isEmpty() || m_drag != Drag::None) return;
    m_focusingClick = focusing;
    m_pixelCursor = false;
    m_mouseInside = true;
    m_mousePosition = event->position();
    followMouse();
    if (event->button() != Qt::MiddleButton && event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    m_pressPixel = draggedPixel(event->position());
    const QPointF pressed = draggedPlace(event->position());
    m_drag = event->button() == Qt::MiddleButton || m_spaceHeld
                 ? Drag::Pan
                 : leftDragAt(event->position(), event->modifiers());
    if (m_drag == Drag::Handles) {
        const QRect& pane = m_panes.at(event->position());
        m_handles.grab(m_panes.toPane(event->position()), handlesPane(pane));
        emit handlesGrabbed(true);
    }
    m_region.grab(m_drag == Drag::RegionHandle ? handleAt(event->position()) : RegionHandle::None,
                  m_pressPixel, pressed);
    m_dragMoved = false;
    m_pressPosition = m_lastPosition = event->position();
    updateCursorShape();
}

// What lies on top decides; Shift begins a region anywhere else.
Canvas::Drag Canvas::leftDragAt(const QPointF& widgetPosition,
                                Qt::KeyboardModifiers modifiers) const {
    if (unlinks(modifiers)) return Drag::Pan;
    if (onHandles(widgetPosition)) return Drag::Handles;
    if (handleAt(widgetPosition) != RegionHandle::None) return Drag::RegionHandle;
    if (((modifiers & Qt::ShiftModifier) != 0 || m_strokeAwaited) && takesRegions())
        return Drag::Region;
    if (m_line) return Drag::Line;
    switch (wipePartAt(widgetPosition)) {
        case WipeLine::Part::Handle:
            return Drag::WipeHandle;
        case WipeLine::Part::Line:
            return Drag::WipeLine;
        default:
            return Drag::Pan;
    }
}

RegionHandle Canvas::handleAt(const QPointF& widgetPosition) const {
    if (!showsRegion()) return RegionHandle::None;
    return m_region.handleAt(m_panes.toPane(widgetPosition), viewIn(m_panes.at(widgetPosition)),
                             m_panes.dpr());
}

WipeLine::Part Canvas::wipePartAt(const QPointF& widgetPosition) const {
    return m_mode == ViewMode::Wipe ? m_wipe.partAt(widgetPosition, size()) : WipeLine::Part::None;
}

// In the pane in which the drag began, so that crossing the gap of side by side jumps nowhere.
QPointF Canvas::draggedPlace(const QPointF& widgetPosition) const {
    const QRect& pane = m_panes.at(m_drag == Drag::None ? widgetPosition : m_pressPosition);
    return viewIn(pane).toSource(widgetPosition * m_panes.dpr() - pane.topLeft());
}

QPoint Canvas::draggedPixel(const QPointF& widgetPosition) const {
    return ViewTransform::nearestPixel(draggedPlace(widgetPosition), sourceSize());
}

void Canvas::mouseMoveEvent(QMouseEvent* event) {
    if (m_pair.isEmpty()) return;
    m_mouseInside = true;
    m_mousePosition = event->position();
    if (m_drag == Drag::None) {
        m_pixelCursor = false;
        followMouse();
        updateCursorShape();
        return;
    }
    const double travelled = (event->position() - m_pressPosition).manhattanLength();
    if (!m_dragMoved && travelled < QApplication::startDragDistance()) return;
    if (!m_dragMoved) cancelHold();
    m_dragMoved = true;
    m_unlinked = m_drag == Drag::Pan && unlinks(event->modifiers());
    dragTo(event->position(), event->modifiers());
    m_lastPosition = event->position();
}

void Canvas::dragTo(const QPointF& widgetPosition, Qt::KeyboardModifiers modifiers) {
    const QPointF half(0.5, 0.5);
    switch (m_drag) {
        case Drag::None:
            return;
        case Drag::Pan:
            changeView(m_panes.at(m_pressPosition), [&](ViewTransform& transform) {
                transform.panBy((widgetPosition - m_lastPosition) * m_panes.dpr());
            });
            return;
        case Drag::Region:
        case Drag::RegionHandle:
            regionChanged(m_region.dragTo(draggedPixel(widgetPosition), sourceSize(),
                                          draggedPlace(widgetPosition)));
            break;
        case Drag::Handles:
            dragHandles(widgetPosition, (modifiers & Qt::ShiftModifier) != 0);
            break;
        case Drag::Line:
            setLine(QLineF(m_pressPixel + half, draggedPixel(widgetPosition) + half));
            break;
        case Drag::WipeLine:
        case Drag::WipeHandle:
            m_wipe.dragTo(widgetPosition, size());
            update();
            emit linesMoved();
            break;
    }
    followMouse();
}

void Canvas::mouseReleaseEvent(QMouseEvent* event) {
    if (m_drag == Drag::None || event->buttons() != Qt::NoButton) return;
    const Drag ended = m_drag;
    if (ended == Drag::Handles) return endHandlesDrag();
    m_unlinked = false;
    m_drag = Drag::None;
    updateCursorShape();
    const bool focusing = std::exchange(m_focusingClick, false);
    if (m_dragMoved && ended == Drag::Region) awaitStroke(false);
    if (m_dragMoved) return;
    if (ended == Drag::WipeHandle) {
        WipeLine turned = m_wipe;
        turned.turn();
        setWipeLine(turned);
    } else if (event->button() == Qt::LeftButton && !m_spaceHeld) {
        const QPoint pixel = pixelAt(event->position()).source;
        if (pixel != kNoPixel) emit pixelPointedAt(pixel);
        if (focusing && std::ranges::find(m_pins, pixel) != m_pins.end()) return;
        m_clickedPixel = pixel;
        m_clickTimer.start(QGuiApplication::styleHints()->mouseDoubleClickInterval());
    }
}

void Canvas::mouseDoubleClickEvent(QMouseEvent* event) {
    m_clickTimer.stop();
    if (m_pair.isEmpty() || event->button() != Qt::LeftButton) return;
    if (wipePartAt(event->position()) == WipeLine::Part::Handle)
        mousePressEvent(event);  // two quick turns
    else if (isFitted())
        setZoom(1.0, event->position());
    else
        fit();
}

void Canvas::mouseAt(const QPointF& widgetPosition) {
    m_mouseInside = true;
    m_mouseCovered = false;
    m_mousePosition = widgetPosition;
    if (m_pixelCursor || m_drag != Drag::None || m_pair.isEmpty()) return;
    followMouse();
    updateCursorShape();
}

// A list that closed over a mouse that stays where it is brings no event of the mouse everywhere.
void Canvas::findMouse() {
    if (m_mouseCovered && QApplication::widgetAt(QCursor::pos()) == this)
        mouseAt(mapFromGlobal(QCursor::pos()));
}

void Canvas::enterEvent(QEnterEvent* event) {
    mouseAt(event->position());
    QWidget::enterEvent(event);
}

void Canvas::leaveEvent(QEvent* event) {
    m_mouseCovered = m_mouseInside && rect().contains(mapFromGlobal(QCursor::pos()));
    m_mouseInside = false;
    if (!m_pixelCursor) setCursorPixel({});
    QWidget::leaveEvent(event);
}

void Canvas::updateCursorShape() {
    const bool free = m_drag == Drag::None && !m_spaceHeld && m_mouseInside;
    switch (free ? leftDragAt(m_mousePosition, {}) : m_drag) {
        case Drag::WipeLine:
        case Drag::WipeHandle:
            return setCursor(m_wipe.turned() ? Qt::SplitVCursor : Qt::SplitHCursor);
        case Drag::RegionHandle:
            return setCursor(cursorOf(
                free ? handleAt(m_mousePosition) : m_region.grabbed(),
                viewIn(m_panes.at(free ? m_mousePosition : m_pressPosition)).imageFromSource()));
        case Drag::Handles:
            return setCursor(handlesCursor());
        case Drag::Region:
        case Drag::Line:
            return setCursor(Qt::CrossCursor);
        default:
            break;
    }
    if (m_drag == Drag::Pan)
        setCursor(Qt::ClosedHandCursor);
    else if (m_spaceHeld)
        setCursor(Qt::OpenHandCursor);
    else
        unsetCursor();
}

// --- keys ---

void Canvas::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Shift && !event->isAutoRepeat() && isPlain(*event) &&
        !m_pair.isEmpty() && m_drag == Drag::None) {
        m_holdTimer.start();
        return;
    }
    m_holdTimer.stop();
    if (wants(*event))
        press(*event);
    else
        QWidget::keyPressEvent(event);
}

void Canvas::keyReleaseEvent(QKeyEvent* event) {
    if (event->isAutoRepeat()) return;
    if (event->key() == Qt::Key_Shift) {
        cancelHold();
    } else if (event->key() == Qt::Key_Space) {
        m_spaceHeld = false;
        updateCursorShape();
    } else {
        QWidget::keyReleaseEvent(event);
    }
}

bool Canvas::wants(const QKeyEvent& event) const {
    if (m_pair.isEmpty()) return false;
    if (!arrowOf(event.key()).isNull()) {
        const auto others = event.modifiers() & ~(Qt::KeypadModifier | Qt::ControlModifier);
        if (m_pixelCursor) return others == 0;
        if (showsHandles() || showsRegion()) return (others & ~Qt::ShiftModifier) == 0;
        return others == 0 && (event.modifiers() & Qt::ControlModifier) == 0;
    }
    if (!isPlain(event) || m_givenAway.contains(event.key())) return false;
    switch (event.key()) {
        case Qt::Key_Escape:
            return m_pixelCursor || m_strokeAwaited || m_pair.given() || !m_comparing.isEmpty() ||
                   m_line || m_region.region() || showsHandles() || m_pair.isHighlighted();
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return m_pixelCursor || showsHandles();
        case Qt::Key_T:
            return m_mode == ViewMode::Wipe;
        case Qt::Key_BracketLeft:
        case Qt::Key_BracketRight:
            return m_mode == ViewMode::Wipe || m_mode == ViewMode::Difference;
        case Qt::Key_S:
            return m_mode == ViewMode::Difference;
        case Qt::Key_N:
            return m_pair.given();
        case Qt::Key_R:
            return takesRegions();
        case Qt::Key_F:
        case Qt::Key_L:
        case Qt::Key_X:
        case Qt::Key_Plus:
        case Qt::Key_Equal:
        case Qt::Key_Minus:
        case Qt::Key_Space:
            return true;
        default:
            return event.key() >= Qt::Key_1 && event.key() <= Qt::Key_6;
    }
}

bool Canvas::mayWant(int key) {
    static const QList<int> kKeys{Qt::Key_Escape, Qt::Key_Return,      Qt::Key_Enter,
                                  Qt::Key_T,      Qt::Key_S,           Qt::Key_N,
                                  Qt::Key_R,      Qt::Key_BracketLeft, Qt::Key_BracketRight,
                                  Qt::Key_F,      Qt::Key_L,           Qt::Key_X,
                                  Qt::Key_Plus,   Qt::Key_Equal,       Qt::Key_Minus,
                                  Qt::Key_Space,  Qt::Key_Shift};
    return kKeys.contains(key) || !arrowOf(key).isNull() || (key >= Qt::Key_1 && key <= Qt::Key_6);
}

// Of a key that is wanted.
void Canvas::press(const QKeyEvent& event) {
    const int key = event.key();
    switch (key) {
        case Qt::Key_F:
            return fit();
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return zoomIn();
        case Qt::Key_Minus:
            return zoomOut();
        case Qt::Key_X:
            return togglePixelCursor();
        case Qt::Key_Escape:
            return pressEscape();
        case Qt::Key_S:
            return toggleDifferenceSign();
        case Qt::Key_N:
            return showNextDifference();
        case Qt::Key_R:
            return selectRegion();
        case Qt::Key_L:
            return toggleProfileLine();
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (!m_pixelCursor)
                emit handlesLeft();
            else if (const QPoint pixel = m_cursorPixel.source; pixel != kNoPixel) {
                emit pixelPointedAt(pixel);
                emit pixelClicked(pixel);
            }
            return;
        case Qt::Key_T:
            return turnWipe();
        case Qt::Key_BracketLeft:
        case Qt::Key_BracketRight:
            return stepComparison(key == Qt::Key_BracketRight);
        case Qt::Key_Space:
            m_spaceHeld = true;
            return updateCursorShape();
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down:
            return pressArrow(event);
        default:
            return setViewMode(ViewMode(key - Qt::Key_1));
    }
}

void Canvas::turnWipe() {
    WipeLine turned = m_wipe;
    turned.turn();
    setWipeLine(turned);
}

void Canvas::stepComparison(bool up) {
    if (m_mode == ViewMode::Difference) return changeGain(up);
    if (m_mode != ViewMode::Wipe) return;
    m_wipe.step(up);
    emit linesMoved();
    update();
}

// What was put on the picture last, as far as that can be told, goes first.
void Canvas::pressEscape() {
    if (m_drag == Drag::Handles) {
        handlesChanged(m_handles.restore());
        endHandlesDrag();
    } else if (m_pixelCursor)
        togglePixelCursor();
    else if (m_strokeAwaited)
        awaitStroke(false);
    else if (m_line)
        setLine(std::nullopt);
    else if (m_pair.given() || !m_comparing.isEmpty())
        endComparison();
    else if (showsHandles())
        emit handlesLeft();
    else if (m_region.region())
        dropRegion();
    else
        emit highlightLeft();
}

void Canvas::pressArrow(const QKeyEvent& event) {
    const QPoint to = arrowOf(event.key());
    const bool control = (event.modifiers() & Qt::ControlModifier) != 0;
    if (m_pixelCursor) return movePixelCursor(control ? to * kLongStep : to);
    if (showsHandles()) return pressHandles(to, event.modifiers());
    if (showsRegion()) {
        cancelHold();  // Shift belongs to the arrow
        const bool longStep = (event.modifiers() & Qt::ShiftModifier) != 0;
        const QPoint by = to * (longStep ? kLongStep : 1);
        const PixelMap shown = m_view.imageFromSource();
        regionChanged(control ? m_region.resizeBy(by, sourceSize(), shown)
                              : m_region.moveBy(stepIn(inverse(shown), by), sourceSize()));
        m_view.transform().reveal(m_region.cornerTowards(control ? QPoint(1, 1) : by, shown));
    } else {
        const QSize pane = m_view.transform().paneSize();
        m_view.transform().panBy(
            QPointF(-to.x() * pane.width() * kArrowPan, -to.y() * pane.height() * kArrowPan));
    }
    viewChanged();
}

void Canvas::focusInEvent(QFocusEvent* event) {
    m_focusingClick = event->reason() == Qt::MouseFocusReason;
    findMouse();
    update();
    QWidget::focusInEvent(event);
}

void Canvas::focusOutEvent(QFocusEvent* event) {
    cancelHold();
    m_spaceHeld = false;
    updateCursorShape();
    update();
    QWidget::focusOutEvent(event);
}

}  // namespace warpscope::gui
