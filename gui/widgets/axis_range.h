// Ticks of charts: round distances, and range and distance of a Qt Charts axis together.
#pragma once

#include <QValueAxis>
#include <cmath>

namespace warpscope::gui {

// 1, 2 or 5 times a power of ten, not below `least` (up to rounding).
inline double niceStep(double least) {
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

// An axis with dynamic ticks makes an item for every tick at once when its range grows, so that a
// range of 65,536 at a distance of 1 takes minutes. The larger distance is therefore always set
// while the larger range is.
inline void setRangeAndStep(QValueAxis& axis, double low, double high, double anchor, double step) {
    if (!(step > 0)) return;
    if (axis.tickType() != QValueAxis::TicksDynamic) {
        axis.setTickInterval(step);
        axis.setTickAnchor(anchor);
        axis.setRange(low, high);
        axis.setTickType(QValueAxis::TicksDynamic);
        return;
    }
    if (step > axis.tickInterval()) axis.setTickInterval(step);
    if (axis.tickAnchor() != anchor) axis.setTickAnchor(anchor);
    axis.setRange(low, high);
    if (step != axis.tickInterval()) axis.setTickInterval(step);
}

}  // namespace warpscope::gui
