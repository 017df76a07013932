#include "gui/timings/timing_tree.h"

#include <QHeaderView>
#include <QStyledItemDelegate>
#include <algorithm>

#include "gui/timings/timing_item_model.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {

constexpr int kTreeSwatch = 10;

// A colour swatch as decoration, small enough for a dense table.
class LineDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->decorationSize = QSize(kTreeSwatch, kTreeSwatch);
        // A sentence over all columns ends in dots where it must; its tool tip has all of it.
        option->textElideMode = index.column() == 0 ? Qt::ElideRight : Qt::ElideNone;
    }
};

}  // namespace

TimingTree::TimingTree(QWidget* parent) : QTreeView(parent), m_items(new TimingItemModel(this)) {
    setObjectName(QStringLiteral("timingsTable"));
    setModel(m_items);
    setItemDelegate(new LineDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setRootIsDecorated(false);
    setItemsExpandable(false);
    setExpandsOnDoubleClick(false);
    setIndentation(12);
    setTextElideMode(Qt::ElideNone);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setWordWrap(true);
    header()->setStretchLastSection(false);
    header()->setSectionsMovable(false);
    header()->setTextElideMode(Qt::ElideNone);
    header()->setMinimumSectionSize(16);
    setAccessibleName(tr("Timings"));
}

void TimingTree::setTable(const TimingTable& table) {
    m_items->setTable(table);
    expandAll();
    for (int g = 0; g < m_items->rowCount(); ++g) {
        setFirstColumnSpanned(g, {}, true);
        const QModelIndex step = m_items->index(g, 0);
        for (int row = 0; row < m_items->rowCount(step); ++row)
            setFirstColumnSpanned(row, step, m_items->line(m_items->index(row, 0, step))->spanned);
    }
    fitColumns();
}

void TimingTree::resizeEvent(QResizeEvent* event) {
    QTreeView::resizeEvent(event);
    fitColumns();
}

// Columns as wide as what stands in them, as many as there is room for, the most telling first. A
// sentence goes over all of them.
void TimingTree::fitColumns() {
    QHeaderView* const head = header();
    const QFontMetrics figures(Theme::instance().figureFont());
    int widths[kTimingColumns] = {};
    for (int column = 0; column < kTimingColumns; ++column)
        widths[column] = head->sectionSizeHint(column);
    for (const TimingGroup& group : m_items->table().groups)
        for (const TimingLine& line : group.lines)
            for (int column = 0; column < kTimingColumns && !line.spanned; ++column) {
                const int decoration = column == 0 ? 2 * indentation() + kTreeSwatch + 12 : 0;
                widths[column] =
                    std::max(widths[column],
                             figures.horizontalAdvance(line.cells[std::size_t(column)].text) + 22 +
                                 decoration);
            }
    const int room = viewport()->width();
    int total = 0, shown = 0;
    while (shown < kTimingColumns && (shown < 2 || total + widths[shown] <= room))
        total += widths[shown++];
    // The first two always; the last one shown takes what is left.
    for (int column = 0; column < kTimingColumns; ++column) {
        const bool visible = column < shown;
        if (head->isSectionHidden(column) == visible) head->setSectionHidden(column, !visible);
        const int width = widths[column] + (column == shown - 1 ? std::max(0, room - total) : 0);
        if (visible && head->sectionSize(column) != width) head->resizeSection(column, width);
    }
    QStringList hidden;
    for (int column = shown; column < kTimingColumns; ++column)
        hidden << timingColumnTitle(TimingColumn(column));
    head->setToolTip(hidden.isEmpty() ? QString()
                                      : tr("No room here for: %1. The card has them.")
                                            .arg(hidden.join(QStringLiteral(", "))));
}

}  // namespace warpscope::gui
