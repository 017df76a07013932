#include "gui/canvas/canvas_area.h"

#include <QEvent>
#include <QLayout>

#include "gui/canvas/canvas.h"

namespace warpscope::gui {

CanvasArea::CanvasArea(QWidget* parent) : QWidget(parent) {}

void CanvasArea::setParts(Canvas* canvas, QWidget* messages) {
    m_canvas = canvas;
    m_messages = messages;
    // A hidden bar stays hidden: setParent hides, and only its owner shows it.
    if (canvas->parentWidget() != this) canvas->setParent(this);
    if (messages->parentWidget() != this) messages->setParent(this);
    messages->raise();
    messages->installEventFilter(this);
    place();
}

QSize CanvasArea::sizeHint() const {
    return m_canvas ? m_canvas->sizeHint() : QSize();
}

QSize CanvasArea::minimumSizeHint() const {
    if (!m_canvas) return {};
    return m_canvas->minimumSizeHint().expandedTo(m_canvas->minimumSize());
}

void CanvasArea::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
    if (m_canvas) m_canvas->fitAgain();
}

bool CanvasArea::eventFilter(QObject* watched, QEvent* event) {
    const bool changed = event->type() == QEvent::Show || event->type() == QEvent::Hide ||
                         event->type() == QEvent::LayoutRequest;
    const bool handled = QWidget::eventFilter(watched, event);
    if (watched == m_messages && changed) place();
    return handled;
}

bool CanvasArea::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) place();
    return QWidget::event(event);
}

void CanvasArea::place() {
    if (!m_canvas) return;
    int height = 0;
    if (!m_messages->isHidden()) {
        const int needed = m_messages->heightForWidth(width());
        height = std::max(needed, m_messages->minimumSizeHint().height());
        m_messages->setGeometry(0, 0, width(), height);
    }
    const int top = m_canvas->isEmpty() ? 0 : height;
    m_canvas->placeBelow(rect().adjusted(0, top, 0, 0));
}

}  // namespace warpscope::gui
