#include "gui/timings/timing_tree.h"

#include <QHeaderView>
#include <QRegularExpression>
#include <QStyledItemDelegate>
#include <algorithm>
#include <utility>

#include "gui/timings/timing_item_model.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {

constexpr int kTreeSwatch = 10;
constexpr int kCellMargin = 22;
// From the first that stays to the first that goes.
constexpr TimingColumn kByWorth[kTimingColumns] = {
    TimingColumn::Where,  TimingColumn::Speedup, TimingColumn::Median,   TimingColumn::Agreement,
    TimingColumn::Spread, TimingColumn::Samples, TimingColumn::Bandwidth};
constexpr int kTelling = 4;  // of these, that are worth cells of several lines

bool isBroken(TimingColumn column) {
    return column == TimingColumn::Speedup || column == TimingColumn::Agreement;
}

// A line for each side of a speedup and each part of an agreement; a place "(3, 5)" stays together.
QStringList linesOf(const QString& text, TimingTree::Lines lines) {
    if (lines == TimingTree::Lines::Whole) return {text};
    static const QRegularExpression kBetween(QStringLiteral("(?<=,) (?![^(]*\\))"));
    static const QRegularExpression kFigures(
        QStringLiteral("(?<=,) (?![^(]*\\))| (?=[^ ]*×(,|$))"));
    return text.split(lines == TimingTree::Lines::Parts ? kBetween : kFigures);
}

// A colour swatch as decoration, small enough for a dense table.
class LineDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->decorationSize = QSize(kTreeSwatch, kTreeSwatch);
        // A sentence over all columns ends in dots where it must; its tool tip has all of it.
        option->textElideMode = index.column() == 0 ? Qt::ElideRight : Qt::ElideNone;
        if (isBroken(TimingColumn(index.column())))
            option->text = linesOf(option->text, static_cast<const TimingTree*>(parent())->lines())
                               .join(QChar(QChar::LineSeparator));
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
    constexpr Lines kAll[] = {Lines::Whole, Lines::Parts, Lines::Figures};
    int widthsOf[std::size(kAll)][kTimingColumns] = {};
    // Not the header's own hint, which is nothing for a hidden column.
    for (int column = 0; column < kTimingColumns; ++column)
        for (int* widths : widthsOf)
            widths[column] =
                head->fontMetrics().horizontalAdvance(timingColumnTitle(TimingColumn(column))) +
                kCellMargin;
    const auto widen = [&](int& width, const QString& text, int column) {
        const int decoration = column == 0 ? 2 * indentation() + kTreeSwatch + 12 : 0;
        width = std::max(width, figures.horizontalAdvance(text) + kCellMargin + decoration);
    };
    for (const TimingGroup& group : m_items->table().groups)
        for (const TimingLine& line : group.lines)
            for (int column = 0; column < kTimingColumns && !line.spanned; ++column) {
                const QString& text = line.cells[std::size_t(column)].text;
                const bool breaks = isBroken(TimingColumn(column));
                for (const Lines lines : kAll)
                    for (const QString& part : breaks ? linesOf(text, lines) : QStringList(text))
                        widen(widthsOf[int(lines)][column], part, column);
            }
    const int room = viewport()->width();
    const auto widthOf = [](const int* widths, int columns) {
        int sum = 0;
        for (int i = 0; i < columns; ++i) sum += widths[int(kByWorth[i])];
        return sum;
    };
    // As few lines as leave the telling columns room, and where they have none, the most.
    Lines chosen = Lines::Figures;
    for (const Lines lines : {Lines::Parts, Lines::Whole})
        if (widthOf(widthsOf[int(lines)], kTelling) <= room) chosen = lines;
    const int* const widths = widthsOf[int(chosen)];
    int shown = 2;
    while (shown < kTimingColumns && widthOf(widths, shown + 1) <= room) ++shown;
    // Where a speedup has no room at all, the time stands for it.
    const bool tiny = widthOf(widths, 2) > room;
    const auto isShown = [&](int column) {
        if (tiny) return column <= int(TimingColumn::Median);
        return std::find(kByWorth, kByWorth + shown, TimingColumn(column)) != kByWorth + shown;
    };
    int last = kTimingColumns - 1;
    while (!isShown(last)) --last;
    // The last one shown takes what is left.
    for (int column = 0; column < kTimingColumns; ++column) {
        const bool visible = isShown(column);
        if (head->isSectionHidden(column) == visible) head->setSectionHidden(column, !visible);
        const int rest = column == last && !tiny ? room - widthOf(widths, shown) : 0;
        if (visible && head->sectionSize(column) != widths[column] + rest)
            head->resizeSection(column, widths[column] + rest);
    }
    if (std::exchange(m_lines, chosen) != chosen) scheduleDelayedItemsLayout();
    QStringList hidden;
    for (int column = 0; column < kTimingColumns; ++column)
        if (!isShown(column)) hidden << timingColumnTitle(TimingColumn(column));
    head->setToolTip(hidden.isEmpty() ? QString()
                                      : tr("No room here for: %1. The card has them.")
                                            .arg(hidden.join(QStringLiteral(", "))));
}

}  // namespace warpscope::gui
