// Charts as SVG files, without a window: what the benchmark window draws, for the command line.
#pragma once

#include <string>
#include <string_view>

#include "engine/report/chart_axes.h"

namespace warpscope {

// In SVG units; a line is from one text to the next.
inline constexpr double kChartFont = 12;
inline constexpr double kChartLine = 16;

struct PanelPlace {
    ChartFrame frame;
    bool firstColumn = false;        // names the values
    bool lastRow = false;            // names the sizes
    ChartLines lines;                // of this panel
    std::vector<ChartLabel> labels;  // of all of them, right of the frame
};

struct ChartPlaces {
    std::vector<PanelPlace> panels;  // one a panel of the plot, with the same axes
    double width = 0, height = 0;    // of all of them, titles above and axes below included
};

struct FrameSize {
    double width = 0, height = 0;
};
// Panels in 1 column, 2 or 3, from `top` downwards. They point into the plot. `frame`: of each
// panel; 0: what suits so many.
ChartPlaces placePanels(const Plot& plot, double top, FrameSize frame = {}, int mostColumns = 3);

// A panel an operation; the name of a line at its end; one thread grey, all cores blue, GPU green,
// end to end lighter. A tool tip a point, where the viewer shows such. As large as its labels need:
// nothing is cut off. A plot without lines gives an SVG that says so.
std::string toSvg(const Plot& plot, int mostColumns = 3);

// 1600 x 900 with large type, for a screen that is seen from afar. `plot` has one panel.
inline constexpr int kSlideWidth = 1600, kSlideHeight = 900;
std::string toSlide(const Plot& plot);

// For the content of an element or a quoted attribute: markup escaped, control characters left out,
// bytes that are no UTF-8 replaced by U+FFFD.
std::string svgEscaped(std::string_view text);

// About how wide the text will be, in font sizes: there is no font at hand. On the wide side of the
// usual sans-serif fonts, so that what is laid out with it does not overlap.
double svgTextWidth(std::string_view text);

}  // namespace warpscope
