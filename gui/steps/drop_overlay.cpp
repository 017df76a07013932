#include "gui/steps/drop_overlay.h"

#include <QPainter>

#include "gui/widgets/theme.h"

namespace warpscope::gui {

DropOverlay::DropOverlay(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void DropOverlay::start(const QPixmap& picture, const QRect& origin, const QPoint& grabOffset) {
    m_picture = picture;
    m_origin = origin;
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
    QColor veil = colors.window;
    veil.setAlphaF(0.65f);
    painter.fillRect(m_origin, veil);
    painter.setOpacity(0.93);
    const QPoint at(m_origin.left() + 8, m_cursor.y() - m_grabOffset.y());
    painter.drawPixmap(at, m_picture);
    painter.setPen(QPen(colors.border, 1));
    painter.setBrush(Qt::NoBrush);
    const QSizeF shown = m_picture.deviceIndependentSize();
    painter.drawRoundedRect(QRectF(at, shown).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setOpacity(1);
    painter.setPen(QPen(colors.accent, 2));
    painter.setBrush(colors.window);
    const double y = m_lineY;
    painter.drawLine(QPointF(10, y), QPointF(width() - 4, y));
    painter.drawEllipse(QPointF(7, y), 3, 3);
}

}  // namespace warpscope::gui
