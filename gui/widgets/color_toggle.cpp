#include "gui/widgets/color_toggle.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>

#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {
constexpr int kToggleHeight = 22;
constexpr int kTogglePadding = 7;

double luminance(const QColor& color) {
    return 0.299 * color.redF() + 0.587 * color.greenF() + 0.114 * color.blueF();
}
}  // namespace

ColorToggle::ColorToggle(const QString& text, const QString& accessibleName, const QString& help,
                         QWidget* parent)
    : QToolButton(parent) {
    setText(text);
    setAccessibleName(accessibleName);
    setAccessibleDescription(help);
    setToolTip(help);
    setCheckable(true);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void ColorToggle::setColor(const QColor& color) {
    m_color = color;
    update();
}

QSize ColorToggle::sizeHint() const {
    const QFontMetrics metrics(font());
    const int height = std::max(kToggleHeight, metrics.height() + 6);
    return {std::max(height, metrics.horizontalAdvance(text()) + 2 * kTogglePadding), height};
}

void ColorToggle::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    const QColor color = m_color.isValid() ? m_color : colors.weakText;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5);
    const bool on = isChecked() && isEnabled();
    QColor fill = on ? color : QColor(Qt::transparent);
    if (underMouse() && isEnabled()) {
        if (on)
            fill = luminance(fill) > 0.5 ? fill.darker(108) : fill.lighter(115);
        else
            fill = colors.raised;
    }
    painter.setBrush(fill);
    painter.setPen(QPen(on ? fill : colors.border, 1));
    painter.drawRoundedRect(box, 4, 4);
    QColor ink = on ? (luminance(color) > 0.5 ? QColor(16, 16, 16) : QColor(250, 250, 250))
                    : (m_color.isValid() && isEnabled() ? m_color : colors.weakText);
    if (!isEnabled()) ink.setAlphaF(0.45f);
    painter.setPen(ink);
    painter.drawText(rect(), Qt::AlignCenter, text());
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colors.accent, 1.5));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75), 5, 5);
    }
}

}  // namespace warpscope::gui
