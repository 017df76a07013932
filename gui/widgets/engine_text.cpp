#include "gui/widgets/engine_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace warpscope::gui {

namespace {

// Three significant digits without exponent; at most four places behind the point.
QString threeDigits(double value) {
    if (!(value > 0)) return QStringLiteral("0");
    int decimals = 2 - int(std::floor(std::log10(value)));
    // 9.996 has three decimals by its magnitude but rounds to 10.00, a digit too many.
    if (std::round(value * std::pow(10.0, decimals)) >= 1000) --decimals;
    return QString::number(value, 'f', std::clamp(decimals, 0, 4));
}

}  // namespace

QString engineText(const std::string& text) {
    return text.empty() ? QString() : QCoreApplication::translate("Engine", text.c_str());
}

QString durationText(double ms) {
    if (ms >= 999.5)
        return QCoreApplication::translate("Figures", "%1 s").arg(threeDigits(ms / 1000));
    return QCoreApplication::translate("Figures", "%1 ms").arg(threeDigits(ms));
}

QString factorText(double factor) {
    // A GPU that loses has a figure, too.
    if (factor < 0.0005) return QStringLiteral("<0.001") + QChar(0x00d7);
    const int decimals = factor < 0.0995 ? 3 : factor < 0.995 ? 2 : factor < 9.95 ? 1 : 0;
    return QString::number(factor, 'f', decimals) + QChar(0x00d7);
}

}  // namespace warpscope::gui
