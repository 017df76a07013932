#include "gui/widgets/flow_layout.h"

#include <algorithm>

namespace warpscope::gui {

FlowLayout::FlowLayout(int spacing, QWidget* parent, Widths widths)
    : QLayout(parent), m_spacing(spacing), m_widths(widths) {
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
    int width = 0;
    for (QLayoutItem* item : m_items) {
        const bool own = m_widths == Widths::Own;
        if (own && item->isEmpty()) continue;
        width += (own ? item->sizeHint().width() : one.width()) + m_spacing;
    }
    return {std::max(0, width - m_spacing), one.height()};
}

QSize FlowLayout::minimumSize() const {
    if (m_widths == Widths::Alike) return cell();
    QSize size;
    for (const QLayoutItem* item : m_items) size = size.expandedTo(item->minimumSize());
    return size;
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    place(rect, true);
}

int FlowLayout::place(const QRect& rect, bool move) const {
    return m_widths == Widths::Alike ? placeAlike(rect, move) : placeOwn(rect, move);
}

int FlowLayout::placeAlike(const QRect& rect, bool move) const {
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

int FlowLayout::placeOwn(const QRect& rect, bool move) const {
    QList<QLayoutItem*> row;
    int taken = 0, high = 0, y = rect.y();
    const auto close = [&] {
        if (row.isEmpty()) return;
        if (move) placeRow(row, QRect(rect.x(), y, rect.width(), high));
        y += high + m_spacing;
        row.clear();
        taken = high = 0;
    };
    for (QLayoutItem* item : m_items) {
        if (item->isEmpty()) continue;
        const QSize wanted = item->sizeHint();
        if (taken + wanted.width() > rect.width()) close();
        row << item;
        taken += wanted.width() + m_spacing;
        high = std::max(high, wanted.height());
    }
    close();
    return std::max(0, y - m_spacing - rect.y());
}

void FlowLayout::placeRow(const QList<QLayoutItem*>& row, const QRect& rect) const {
    int left = rect.width() - m_spacing * int(row.size() - 1);
    int expanding = 0;
    for (const QLayoutItem* item : row) {
        left -= item->sizeHint().width();
        if (item->expandingDirections() & Qt::Horizontal) ++expanding;
    }
    int x = rect.x();
    for (QLayoutItem* item : row) {
        QSize size = item->sizeHint();
        if ((item->expandingDirections() & Qt::Horizontal) && left > 0) {
            const int more = left / expanding--;
            size.rwidth() += more;
            left -= more;
        }
        // One that is alone in its row and too wide for it gives way.
        size.setWidth(std::min(size.width(), std::max(rect.right() + 1 - x, 0)));
        item->setGeometry(QRect(QPoint(x, rect.y() + (rect.height() - size.height()) / 2), size));
        x += size.width() + m_spacing;
    }
}

}  // namespace warpscope::gui
