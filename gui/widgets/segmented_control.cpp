#include "gui/widgets/segmented_control.h"

#include <QPainter>
#include <algorithm>

#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {
constexpr int kSegmentPadding = 10;
}

SegmentButton::SegmentButton(const QString& label, QWidget* parent) : QRadioButton(label, parent) {
    setAttribute(Qt::WA_Hover);
}

QSize SegmentButton::sizeHint() const {
    return {fontMetrics().horizontalAdvance(text()) + 2 * kSegmentPadding,
            fontMetrics().height() + 8};
}

void SegmentButton::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF inner = QRectF(rect()).adjusted(2, 2, -2, -2);
    if (isChecked() || underMouse()) {
        QColor fill = colors.text;
        fill.setAlphaF(isChecked() ? 0.18f : 0.07f);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(inner, 3, 3);
    }
    if (hasFocus()) {
        painter.setPen(QPen(colors.accent, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(inner.adjusted(-0.5, -0.5, 0.5, 0.5), 3, 3);
    }
    painter.setPen(isEnabled() && isChecked() ? colors.text : colors.weakText);
    const QRect textRect = rect().adjusted(4, 0, -4, 0);
    painter.drawText(textRect, Qt::AlignCenter,
                     fontMetrics().elidedText(text(), Qt::ElideRight, textRect.width()));
}

SegmentedControl::SegmentedControl(const QStringList& labels, const QStringList& toolTips,
                                   QWidget* parent)
    : QWidget(parent) {
    for (int i = 0; i < labels.size(); ++i) {
        auto* button = new SegmentButton(labels[i], this);
        button->setToolTip(toolTips.value(i));
        button->setAccessibleDescription(toolTips.value(i));
        // Also by arrow keys, which check without a click.
        connect(button, &QRadioButton::toggled, this, [this, i](bool checked) {
            if (checked) emit chosen(i);
        });
        m_buttons.append(button);
    }
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

int SegmentedControl::current() const {
    for (int i = 0; i < m_buttons.size(); ++i)
        if (m_buttons[i]->isChecked()) return i;
    return -1;
}

void SegmentedControl::setCurrent(int index) {
    const QSignalBlocker blocker(this);
    if (index >= 0 && index < m_buttons.size()) m_buttons[index]->setChecked(true);
}

bool SegmentedControl::fitsInOneRow(int width) const {
    int widest = 0;
    for (const SegmentButton* button : m_buttons)
        widest = std::max(widest, button->sizeHint().width());
    return widest * m_buttons.size() <= width;
}

int SegmentedControl::heightForWidth(int width) const {
    const int row = m_buttons.isEmpty() ? 0 : m_buttons.first()->sizeHint().height();
    return fitsInOneRow(width) ? row : row * int(m_buttons.size());
}

QSize SegmentedControl::sizeHint() const {
    int width = 0;
    for (const SegmentButton* button : m_buttons)
        width = std::max(width, button->sizeHint().width());
    width *= int(m_buttons.size());
    return {width, heightForWidth(width)};
}

QSize SegmentedControl::minimumSizeHint() const {
    return {48, m_buttons.isEmpty() ? 0 : m_buttons.first()->sizeHint().height()};
}

void SegmentedControl::resizeEvent(QResizeEvent*) {
    const int count = int(m_buttons.size());
    if (count == 0) return;
    const bool oneRow = fitsInOneRow(width());
    for (int i = 0; i < count; ++i) {
        if (oneRow) {
            const int left = width() * i / count;
            m_buttons[i]->setGeometry(left, 0, width() * (i + 1) / count - left, height());
        } else {
            const int top = height() * i / count;
            m_buttons[i]->setGeometry(0, top, width(), height() * (i + 1) / count - top);
        }
    }
}

void SegmentedControl::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.border, 1));
    painter.setBrush(colors.base);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
}

}  // namespace warpscope::gui
