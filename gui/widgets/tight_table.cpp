#include "gui/widgets/tight_table.h"

#include <QHeaderView>
#include <QTableWidget>
#include <optional>

namespace warpscope::gui {
namespace {

// Of the usual type, the larger first. None fits: nobody should read the smallest for nothing.
constexpr double kSizes[] = {0.88, 0.82, 0.76};
constexpr int kSizeCount = 3;
// What was found for the present width is kept with the table: measuring its cells is slow, and
// they change while a slider is dragged.
constexpr const char* kSize = "tightSize";

QFont smaller(QFont font, const QFont& usual, double size) {
    if (usual.pointSizeF() > 0) font.setPointSizeF(usual.pointSizeF() * size);
    return font;
}

// Nothing is told of a table that has them: it would measure itself anew.
void setFonts(QTableWidget& table, double size) {
    const QFont usual = table.font();
    std::optional<ItemsChange> change;
    const auto set = [&](QTableWidgetItem* item, const QFont& font) {
        if (!item || item->font() == font) return;
        if (!change) change.emplace(table);
        item->setFont(font);
    };
    const QFont head = smaller(usual, usual, size);
    for (QHeaderView* header : {table.horizontalHeader(), table.verticalHeader()})
        if (header->font() != head) header->setFont(head);
    // Sections measure by the header's font and are drawn by the style's: their own one holds for
    // both.
    for (int column = 0; column < table.columnCount(); ++column)
        set(table.horizontalHeaderItem(column), head);
    for (int row = 0; row < table.rowCount(); ++row) set(table.verticalHeaderItem(row), head);
    for (int row = 0; row < table.rowCount(); ++row)
        for (int column = 0; column < table.columnCount(); ++column)
            if (QTableWidgetItem* item = table.item(row, column))
                set(item, smaller(item->font(), usual, size));
}

void setSize(QTableWidget& table, double size) {
    setFonts(table, size);
    table.resizeColumnsToContents();
}

}  // namespace

ItemsChange::ItemsChange(QTableWidget& table)
    : m_table(table), m_before(table.model()->blockSignals(true)) {}

ItemsChange::~ItemsChange() {
    QAbstractItemModel& model = *m_table.model();
    model.blockSignals(m_before);
    const int rows = model.rowCount(), columns = model.columnCount();
    if (rows == 0 || columns == 0) return;
    emit model.dataChanged(model.index(0, 0), model.index(rows - 1, columns - 1));
    emit model.headerDataChanged(Qt::Vertical, 0, rows - 1);
    emit model.headerDataChanged(Qt::Horizontal, 0, columns - 1);
}

QFont tightFont(const QTableWidget& table, const QFont& font) {
    return smaller(font, table.font(), kSizes[table.property(kSize).toInt() % kSizeCount]);
}

bool overflows(const QTableWidget& table) {
    const int room =
        table.width() - table.verticalHeader()->sizeHint().width() - 2 * table.frameWidth();
    return table.horizontalHeader()->length() > room;
}

void tighten(QTableWidget& table) {
    const bool same = table.property(kTightWidth).toInt() == table.width();
    int size = same ? table.property(kSize).toInt() : 0;
    setSize(table, kSizes[size % kSizeCount]);
    while (table.isVisible() && size < kSizeCount && overflows(table))
        setSize(table, kSizes[++size % kSizeCount]);
    table.setProperty(kTightWidth, table.isVisible() ? table.width() : 0);
    table.setProperty(kSize, size);
    table.resizeRowsToContents();
}

}  // namespace warpscope::gui
