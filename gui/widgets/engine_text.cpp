#include "gui/widgets/engine_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "engine/base/figures.h"
#include "engine/report/text_table.h"

namespace warpscope::gui {

namespace {

// Without exponent; at most four places behind the point.
QString threeDigits(double value) {
    if (!(value > 0)) return QStringLiteral("0");
    return QString::number(value, 'f', std::clamp(decimalsOfThreeDigits(value), 0, 4));
}

// Groups, in the C locale too.
QLocale figureLocale() {
    QLocale locale;
    locale.setNumberOptions(QLocale::DefaultNumberOptions);
    return locale;
}

// Above it the ends of a range say less than its middle.
constexpr double kWidestRange = 3;

QString noisyText(const QString& factor) {
    return QCoreApplication::translate("Figures", "%1, noisy").arg(factor);
}

}  // namespace

QString engineText(const std::string& text) {
    return text.empty() ? QString() : QCoreApplication::translate("Engine", text.c_str());
}

QString enginePartsText(const std::string& text) {
    QStringList parts;
    for (const QString& part : QString::fromStdString(text).split(QStringLiteral(", ")))
        parts << engineText(part.toStdString());
    return parts.join(QStringLiteral(", "));
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

QString millisecondText(double ms) {
    if (!(ms > 0) || !std::isfinite(ms)) return figureLocale().toString(0);
    // Result files can say anything; a figure stays short.
    if (ms < 1e-9 || ms >= 1e9) return figureLocale().toString(ms, 'g', 3);
    const int decimals = decimalsOfThreeDigits(ms);
    const double scale = std::pow(10.0, decimals);
    return figureLocale().toString(std::round(ms * scale) / scale, 'f', std::max(0, decimals));
}

QString timesText(double factor) {
    return millisecondText(factor) + QChar(0x00d7);
}

bool isUnsure(const Speedup& speedup) {
    return speedup.ranged() && speedup.high > kWidestRange * speedup.low;
}

QString timesText(const Speedup& speedup) {
    if (!speedup.ranged()) return timesText(speedup.factor);
    if (isUnsure(speedup)) return noisyText(timesText(speedup.factor));
    return QCoreApplication::translate("Figures", "%1 to %2")
        .arg(timesText(speedup.low), timesText(speedup.high));
}

QString speedupText(const Speedup& speedup) {
    if (!speedup.ranged()) return factorText(speedup.factor);
    if (isUnsure(speedup)) return noisyText(factorText(speedup.factor));
    return QCoreApplication::translate("Figures", "%1 to %2")
        .arg(factorText(speedup.low), factorText(speedup.high));
}

QString rangeText(const Factor& factor) {
    if (!(factor.high > 0)) return {};
    return QCoreApplication::translate("Figures", "%1 to %2")
        .arg(factorText(factor.low), factorText(factor.high));
}

QString againstText(const Speedup& speedup, const std::string& variant) {
    const QString threads =
        engineText(workedText(speedup.baselineOffered, speedup.baselineThreads));
    // All cores against one of them.
    if (!speedup.ofGpu() && speedup.baselineVariant == variant) return threads;
    if (!speedup.best)
        return variant == kAutomaticVariant
                   ? threads
                   : QCoreApplication::translate("Figures", "the same algorithm, %1").arg(threads);
    if (speedup.baselineVariant == kAutomaticVariant)
        return QCoreApplication::translate("Figures", "the best CPU (%1)").arg(threads);
    return QCoreApplication::translate("Figures", "the best CPU (%1, %2)")
        .arg(QString::fromStdString(speedup.baselineVariant), threads);
}

QString sizeText(Size size) {
    return QStringLiteral("%1 × %2").arg(figureLocale().toString(size.width),
                                         figureLocale().toString(size.height));
}

}  // namespace warpscope::gui
