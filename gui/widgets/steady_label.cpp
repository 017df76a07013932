#include "gui/widgets/steady_label.h"

#include <algorithm>

namespace warpscope::gui {

SteadyLabel::SteadyLabel(QWidget* parent) : QLabel(parent) {
    setWordWrap(true);
}

void SteadyLabel::setText(const QString& text, const QString& mark, bool marked) {
    const QString longest = text.isEmpty() ? QString() : text + mark;
    if (longest != m_longest) {
        m_longest = longest;
        updateGeometry();
    }
    const QString now = marked ? longest : text;
    if (now != QLabel::text()) QLabel::setText(now);
}

int SteadyLabel::heightForWidth(int width) const {
    const int own = QLabel::heightForWidth(width);
    if (m_longest.isEmpty()) return own;
    const QMargins around = contentsMargins();
    const QRect room(0, 0, width - around.left() - around.right() - 2 * margin(), 1 << 20);
    const QRect needed = fontMetrics().boundingRect(room, Qt::TextWordWrap, m_longest);
    return std::max(own, needed.height() + around.top() + around.bottom() + 2 * margin());
}

}  // namespace warpscope::gui
