// Tables of analyses as people read them.
#pragma once

#include <QString>

#include "engine/operations/analysis_table.h"

namespace warpscope::gui {

QString headText(const TableColumn& column);  // "Area (px)"
// Six significant digits; a dash for what is no number.
QString cellText(const TableCell& cell);

}  // namespace warpscope::gui
