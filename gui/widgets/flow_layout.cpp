#include "gui/widgets/flow_layout.h"

#include <algorithm>

namespace warpscope::gui {

FlowLayout::FlowLayout(int spacing, QWidget* parent) : QLayout(parent), m_spacing(spacing) {
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() {
    while (QLayoutItem* item = takeAt(0)) delete item;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

QSize FlowLayout::cell() const {
    QSize size;
    for (const QLayoutItem* item : m_items) size = size.expandedTo(item->sizeHint());
    return size;
}

QSize FlowLayout::sizeHint() const {
    const QSize one = cell();
    const int width = count() * (one.width() + m_spacing) - m_spacing;
    return {std::max(0, width), one.height()};
}

QSize FlowLayout::minimumSize() const {
    return cell();
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    place(rect, true);
}

int FlowLayout::place(const QRect& rect, bool move) const {
    const QSize one = cell();
    if (m_items.isEmpty() || one.isEmpty()) return 0;
    const int columns =
        std::clamp((rect.width() + m_spacing) / (one.width() + m_spacing), 1, count());
    for (int i = 0; move && i < count(); ++i) {
        const QPoint at(rect.x() + i % columns * (one.width() + m_spacing),
                        rect.y() + i / columns * (one.height() + m_spacing));
        m_items[i]->setGeometry(QRect(at, one));
    }
    const int rows = (count() + columns - 1) / columns;
    return rows * (one.height() + m_spacing) - m_spacing;
}

}  // namespace warpscope::gui
