#include "gui/widgets/table_text.h"

#include <cmath>

#include "gui/widgets/engine_text.h"

namespace warpscope::gui {

QString headText(const TableColumn& column) {
    const QString label = engineText(column.label);
    if (column.unit.empty()) return label;
    return QStringLiteral("%1 (%2)").arg(label, engineText(column.unit));
}

QString cellText(const TableCell& cell) {
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) return QString::number(*whole);
    if (const auto* text = std::get_if<std::string>(&cell)) return QString::fromStdString(*text);
    const double real = std::get<double>(cell);
    return std::isnan(real) ? QStringLiteral("–") : QString::number(real, 'g', 6);
}

}  // namespace warpscope::gui
