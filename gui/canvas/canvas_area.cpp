#include "gui/canvas/canvas_area.h"

#include <QEvent>
#include <QLayout>
#include <algorithm>

#include "gui/canvas/canvas.h"

namespace warpscope::gui {

namespace {

// Of a message, for which panels give way.
constexpr int kMostForMessage = 96;

}  // namespace

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
    const QSize canvas = m_canvas->minimumSizeHint().expandedTo(m_canvas->minimumSize());
    return canvas + QSize(0, std::min(messageHeight(), kMostForMessage));
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
    if (watched == m_messages && changed) {
        place();
        updateGeometry();
    }
    return handled;
}

bool CanvasArea::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) place();
    return QWidget::event(event);
}

int CanvasArea::messageHeight() const {
    if (!m_canvas || m_messages->isHidden()) return 0;
    return std::max(m_messages->heightForWidth(width()), m_messages->minimumSizeHint().height());
}

void CanvasArea::place() {
    if (!m_canvas) return;
    // It folds by its width.
    m_messages->resize(width(), m_messages->height());
    const int height = messageHeight();
    if (height > 0) m_messages->setGeometry(0, 0, width(), height);
    const int top = m_canvas->isEmpty() ? 0 : height;
    m_canvas->placeBelow(rect().adjusted(0, top, 0, 0));
}

}  // namespace warpscope::gui
