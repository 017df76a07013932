// Tables of figures in a dock of usual width: small type, so that nothing is to be scrolled
// sideways.
#pragma once

#include <QFont>

class QTableWidget;

namespace warpscope::gui {

// While it lives, changes of a table's items are one change: each by itself makes the table look
// for its rows and columns anew. Not for rows that come or go.
class ItemsChange {
  public:
    explicit ItemsChange(QTableWidget& table);
    ~ItemsChange();
    ItemsChange(const ItemsChange&) = delete;
    ItemsChange& operator=(const ItemsChange&) = delete;

  private:
    QTableWidget& m_table;
    const bool m_before;
};

// The property in which a table keeps the width that it was tightened for; 0: anew.
inline constexpr const char* kTightWidth = "tightWidth";

// Of all cells and headings that are there, whatever fonts they have; sizes columns and rows. Where
// they are wider than the table the type is still smaller, down to three quarters: to be called
// again when the width changes.
void tighten(QTableWidget& table);
// After that, whether they are wider all the same.
bool overflows(const QTableWidget& table);
// The font of the size that the table has got: for cells that come, which are then as they are to
// be.
QFont tightFont(const QTableWidget& table, const QFont& font);

}  // namespace warpscope::gui
