#include "gui/steps/drop_overlay.h"

#include <QPainter>

#include "gui/app/theme.h"

namespace warpscope::gui {

DropOverlay::DropOverlay(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void DropOverlay::start(const QPixmap& picture, const QPoint& grabOffset) {
    m_picture = picture;
    m_grabOffset = grabOffset;
    setGeometry(parentWidget()->rect());
    raise();
    show();
}

void DropOverlay::update(const QPoint& cursor, int lineY) {
    m_cursor = cursor;
    m_lineY = lineY;
    QWidget::update();
}

void DropOverlay::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setOpacity(0.7);
    painter.drawPixmap(QPoint(8, m_cursor.y() - m_grabOffset.y()), m_picture);
    painter.setOpacity(1);
    painter.setPen(QPen(colors.accent, 2));
    painter.setBrush(colors.window);
    const double y = m_lineY;
    painter.drawLine(QPointF(10, y), QPointF(width() - 4, y));
    painter.drawEllipse(QPointF(7, y), 3, 3);
}

}  // namespace warpscope::gui
