#include "gui/benchmark/sheet_view.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <set>

namespace warpscope::gui {
namespace {

constexpr int kWidestColumn = 460;

// Where names wrap: a figure is one word with its unit, and an interval another.
class FigureDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

  protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        if (option->displayAlignment & Qt::AlignRight)
            option->features &= ~QStyleOptionViewItem::WrapText;
    }
};

}  // namespace

SheetView::SheetView(const QString& name, const QString& accessibleName, QWidget* parent)
    : QTableView(parent), m_model(new SheetModel(this)), m_sorted(new QSortFilterProxyModel(this)) {
    setObjectName(name);
    setAccessibleName(accessibleName);
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(SheetModel::kOrderRole);
    m_sorted->setSortLocaleAware(true);
    setModel(m_sorted);
    setSortingEnabled(true);
    m_sorted->sort(-1);  // as measured, until a title is clicked
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    horizontalHeader()->setSortIndicatorClearable(true);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMaximumSectionSize(kWidestColumn * 2);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    setShowGrid(false);
    setWordWrap(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setHorizontalScrollMode(ScrollPerPixel);
    setTabKeyNavigation(false);
    setIconSize(QSize(9, 9));
    setItemDelegate(new FigureDelegate(this));
}

void SheetView::setSheet(Sheet sheet) {
    const int place = verticalScrollBar()->value();
    const bool changed = m_model->setSheet(std::move(sheet));
    verticalScrollBar()->setValue(place);
    // Widths follow the first rows and what is new; a person's own widths are lost only then.
    if (!changed) return;
    fitColumns();
}

void SheetView::fitColumns() {
    resizeColumnsToContents();
    for (int c = 0; c < m_model->columnCount(); ++c)
        if (columnWidth(c) > kWidestColumn && c + 1 < m_model->columnCount())
            setColumnWidth(c, kWidestColumn);
    if (m_firstColumn <= 0 || m_model->columnCount() == 0) return;
    const QFontMetrics metrics(
        qvariant_cast<QFont>(m_model->headerData(0, Qt::Horizontal, Qt::FontRole)));
    setColumnWidth(0, std::min(columnWidth(0), int(m_firstColumn * m_model->scale())));
    // Titles of two lines keep no room for the arrow of sorting: it stands above them.
    for (int c = 1; c < m_model->columnCount(); ++c) {
        const QString title = m_model->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString();
        const int wanted = std::max(metrics.size(0, title).width() + 14, sizeHintForColumn(c));
        setColumnWidth(c, std::min(wanted, kWidestColumn));
    }
}

void SheetView::setWrapped(int firstColumn) {
    m_firstColumn = firstColumn;
    setWordWrap(true);
    fitRows();
}

void SheetView::fitRows() {
    const int lines = m_firstColumn > 0 ? 2 : 1;
    verticalHeader()->setDefaultSectionSize(lines * fontMetrics().height() + 6);
}

QString SheetView::textOf(bool selectedOnly) const {
    std::set<int> rows;
    if (selectedOnly)
        for (const QModelIndex& index : selectionModel()->selectedRows()) rows.insert(index.row());
    QString text;
    const auto line = [&](auto cell) {
        QStringList cells;
        for (int c = 0; c < m_sorted->columnCount(); ++c) cells << cell(c);
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    };
    line([&](int c) {
        return m_sorted->headerData(c, Qt::Horizontal)
            .toString()
            .replace(QLatin1Char('\n'), QLatin1Char(' '));
    });
    for (int r = 0; r < m_sorted->rowCount(); ++r) {
        if (!rows.empty() && !rows.contains(r)) continue;
        line([&](int c) {
            return m_sorted->index(r, c).data().toString().replace(QLatin1Char('\n'),
                                                                   QLatin1Char(' '));
        });
    }
    return text;
}

int SheetView::currentSheetRow() const {
    return m_sorted->mapToSource(currentIndex()).row();
}

void SheetView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    if (current.row() != previous.row()) emit currentSheetRowChanged();
}

void SheetView::copy() const {
    QGuiApplication::clipboard()->setText(textOf(true));
}

void SheetView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        copy();
    else
        QTableView::keyPressEvent(event);
}

void SheetView::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("sheetMenu"));
    QAction* rows = menu->addAction(tr("Copy rows"), this, &SheetView::copy);
    rows->setEnabled(selectionModel()->hasSelection());
    menu->addAction(tr("Copy table"), this,
                    [this] { QGuiApplication::clipboard()->setText(textOf(false)); });
    emit menuWanted(menu);
    menu->popup(event->globalPos());
}

void SheetView::setScale(double scale) {
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() * scale);
    setFont(font);
    m_model->setScale(scale);
    fitRows();
    fitColumns();
}

}  // namespace warpscope::gui
