// Axes, ticks and labels of a chart with a logarithmic y axis, for files and for the window. y goes
// downwards; the unit is that of the text widths.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/report/plot.h"

namespace warpscope {

struct LogRange {
    double low = 0;  // decades, or values on a linear axis
    double high = 1;
};

struct ChartAxes {
    LogRange across;
    LogRange values;
    bool xLinear = false;
};

// The plot within its axes.
struct ChartFrame {
    double left = 0, top = 0, width = 0, height = 0;
    ChartAxes axes;

    double right() const { return left + width; }
    double bottom() const { return top + height; }
    double x(double at) const;
    double y(double value) const;
};

struct ChartTick {
    double at = 0;  // x or y
    std::string text;
};

struct ChartLabel {
    std::size_t line = 0;  // in the lines that were given
    double y = 0;          // its middle
};

using ChartLines = std::vector<const PlotLine*>;
using TextWidth = std::function<double(std::string_view)>;

// Everything that the lines have, with some room around it.
ChartAxes axesOf(const ChartLines& lines, bool unityLine, bool xLinear = false);
// As many as there is room for, `lineHeight` being that of their text. Needs top, height and axes.
std::vector<ChartTick> valueTicks(const ChartFrame& frame, double lineHeight);
// Sizes (or values) that were measured: the largest, the smallest, then what still has room.
std::vector<ChartTick> sizeTicks(const ChartLines& lines, const ChartFrame& frame,
                                 const TextWidth& width);
// At the ends of the lines, as far as there is room, top to bottom; those that would overlap move
// apart.
std::vector<ChartLabel> placeLabels(const ChartLines& lines, const ChartFrame& frame,
                                    double lineHeight);

// Decades, and 2 and 5 of each where there are few; at most about `wanted`.
std::vector<double> logTicks(const LogRange& range, int wanted);
std::string tickText(double value);  // "0.001", "1", "10,000", "1e+12"

}  // namespace warpscope
