// Keys of the canvas.
#include <QKeyEvent>
#include <algorithm>

#include "gui/canvas/canvas_state.h"

namespace warpscope::gui {
namespace {

constexpr double kWipeStep = 0.02;
constexpr double kArrowPan = 0.1;  // of the pane
constexpr int kLongPixelStep = 10;

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
        const bool control = (event.modifiers() & Qt::ControlModifier) != 0;
        if (pixelCursor) return others == 0;
        if (region && !comparison) return (others & ~Qt::ShiftModifier) == 0;
        return others == 0 && !control;
    }
    if (!isPlain(event)) return false;
    switch (key) {
        case Qt::Key_Escape:
            return pixelCursor || comparison || !comparing.isEmpty() || line || lineWanted ||
                   region;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return pixelCursor;
        case Qt::Key_T:
            return mode == ViewMode::Wipe;
        case Qt::Key_BracketLeft:
        case Qt::Key_BracketRight:
            return mode == ViewMode::Wipe || mode == ViewMode::Difference;
        case Qt::Key_S:
            return mode == ViewMode::Difference;
        case Qt::Key_N:
            return comparison.has_value();
        case Qt::Key_R:
            return !comparison;
        case Qt::Key_F:
        case Qt::Key_L:
        case Qt::Key_X:
        case Qt::Key_Plus:
        case Qt::Key_Equal:
        case Qt::Key_Minus:
        case Qt::Key_1:
        case Qt::Key_2:
        case Qt::Key_3:
        case Qt::Key_4:
        case Qt::Key_5:
        case Qt::Key_6:
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
        case Qt::Key_5:
        case Qt::Key_6:
            q.setViewMode(ViewMode(key - Qt::Key_1));
            return true;
        case Qt::Key_X:
            togglePixelCursor();
            return true;
        case Qt::Key_Escape:
            return pressEscape();
        case Qt::Key_S:
            toggleSign();
            return true;
        case Qt::Key_N:
            showNextDifference();
            return true;
        case Qt::Key_R:
            makeRegion();
            return true;
        case Qt::Key_L:
            toggleLine();
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
            if (mode == ViewMode::Difference) {
                changeGain(key == Qt::Key_BracketRight);
                return true;
            }
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

// What was put on the picture last, as far as that can be told, goes first.
bool Canvas::State::pressEscape() {
    if (pixelCursor)
        togglePixelCursor();
    else if (line || lineWanted)
        setLine(std::nullopt);
    else if (comparison || !comparing.isEmpty())
        q.endComparison();
    else
        editRegion(std::nullopt);
    return true;
}

bool Canvas::State::pressArrow(const QKeyEvent& event) {
    const QPoint to = arrowDirection(event.key());
    if (pixelCursor) {
        movePixelCursor((event.modifiers() & Qt::ControlModifier) != 0 ? to * kLongPixelStep : to);
        return true;
    }
    if (moveRegion(event)) return true;
    const QSize pane = transform.paneSize();
    transform.panBy(
        QPointF(-to.x() * pane.width() * kArrowPan, -to.y() * pane.height() * kArrowPan));
    viewChanged();
    return true;
}

}  // namespace warpscope::gui
