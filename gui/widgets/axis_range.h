// Range and tick distance of a Qt Charts axis together.
#pragma once

#include <QValueAxis>

namespace warpscope::gui {

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
