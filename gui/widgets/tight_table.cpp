#include "gui/widgets/tight_table.h"

#include <QHeaderView>
#include <QTableWidget>

namespace warpscope::gui {
namespace {

constexpr double kSmaller = 0.88;

QFont smaller(QFont font, const QFont& usual) {
    if (usual.pointSizeF() > 0) font.setPointSizeF(usual.pointSizeF() * kSmaller);
    return font;
}

}  // namespace

void tighten(QTableWidget& table) {
    const QFont usual = table.font();
    for (QHeaderView* header : {table.horizontalHeader(), table.verticalHeader()})
        header->setFont(smaller(usual, usual));
    for (int row = 0; row < table.rowCount(); ++row)
        for (int column = 0; column < table.columnCount(); ++column)
            if (QTableWidgetItem* item = table.item(row, column))
                item->setFont(smaller(item->font(), usual));
    table.resizeColumnsToContents();
    table.resizeRowsToContents();
}

}  // namespace warpscope::gui
