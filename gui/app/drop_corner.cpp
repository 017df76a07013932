#include "gui/app/drop_corner.h"

#include <QPainter>
#include <algorithm>

#include "gui/widgets/theme.h"

namespace warpscope::gui {

DropCorner::DropCorner(QWidget* area) : QWidget(area) {
    setObjectName(QStringLiteral("dropCorner"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void DropCorner::appear() {
    const QSize room = parentWidget()->size();
    const int width = std::min(360, room.width() - 32);
    const int height = std::min(72, room.height() / 3);
    setGeometry((room.width() - width) / 2, room.height() - height - 16, width, height);
    m_under = false;
    raise();
    show();
}

bool DropCorner::holds(const QPoint& globalCursor) const {
    return isVisible() && rect().contains(mapFromGlobal(globalCursor));
}

void DropCorner::setUnder(const QPoint& globalCursor) {
    const bool under = holds(globalCursor);
    if (under == m_under) return;
    m_under = under;
    update();
}

void DropCorner::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor ground = m_under ? colors.accent : colors.raised;
    ground.setAlphaF(0.94f);
    painter.setBrush(ground);
    painter.setPen(QPen(m_under ? colors.accent : colors.weakText, 1.5, Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    painter.setPen(m_under ? colors.accentText : colors.text);
    painter.drawText(rect().adjusted(8, 4, -8, -4), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("Drop here to open as second image"));
}

}  // namespace warpscope::gui
