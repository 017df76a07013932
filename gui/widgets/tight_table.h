// Tables of figures in a dock of usual width: small type, so that nothing is to be scrolled
// sideways.
#pragma once

class QTableWidget;

namespace warpscope::gui {

// The property in which a table keeps the width that it was tightened for; 0: anew.
inline constexpr const char* kTightWidth = "tightWidth";

// Of all cells and headings that are there, whatever fonts they have; sizes columns and rows. Where
// they are wider than the table the type is still smaller, down to three quarters: to be called
// again when the width changes.
void tighten(QTableWidget& table);
// After that, whether they are wider all the same.
bool overflows(const QTableWidget& table);

}  // namespace warpscope::gui
