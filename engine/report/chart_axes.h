// Where everything of a chart file goes. Coordinates are SVG units, y downwards.
#pragma once

#include <string>
#include <vector>

#include "engine/report/plot.h"

namespace warpscope {

inline constexpr double kChartFont = 12;
inline constexpr double kChartLine = 16;  // from one line of text to the next

struct LogRange {
    double low = 0;  // decades
    double high = 1;
};

struct ChartAxes {
    LogRange pixels;
    LogRange values;
};

struct PanelLabel {
    std::size_t line = 0;  // in PlotPanel::lines
    double y = 0;          // its middle
};

struct PanelPlace {
    double left = 0, top = 0, width = 0, height = 0;  // of the plot within its axes
    bool firstColumn = false;                         // names the values
    bool lastRow = false;                             // names the sizes
    std::vector<PanelLabel> labels;                   // right of it, without overlaps

    double x(const ChartAxes& axes, double pixels) const;
    double y(const ChartAxes& axes, double value) const;
};

struct ChartPlaces {
    ChartAxes axes;
    std::vector<PanelPlace> panels;  // one a panel of the plot
    double width = 0, height = 0;    // of all of them, titles above and axes below included
};

// Panels in 1 column, 2 or 3, from `top` downwards.
ChartPlaces placePanels(const Plot& plot, double top);

// Decades, and 2 and 5 of each where there are few; at most about `wanted`.
std::vector<double> logTicks(const LogRange& range, int wanted);
std::string tickText(double value);  // "0.001", "1", "10,000", "1e+12"

}  // namespace warpscope
