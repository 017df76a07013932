// The roofline as a log-log chart: operations a byte across, operations a second upwards; a roof a
// place, a point a row.
#pragma once

#include "engine/measure/roofline.h"
#include "engine/report/plot.h"

namespace warpscope {

// Operations a second are at most the copied bytes times the operations a byte, and at most the
// peak. Either may be 0: not known.
struct Roof {
    std::string name;  // "GPU", "16 threads"
    PlotInk ink = PlotInk::SingleThread;
    double copyGbPerS = 0;
    double peakGops = 0;

    bool operator==(const Roof&) const = default;
};

struct RooflinePlot {
    std::string title;
    std::vector<Roof> roofs;
    // Of one point each: `pixels` are operations a byte, `value` is 1e9 operations a second,
    // `figures` say why.
    std::vector<PlotLine> points;

    bool empty() const { return points.empty(); }
};

inline constexpr std::string_view kRooflineAcross = "operations a byte that must move";
inline constexpr std::string_view kRooflineUpwards = "operations a second, 10^9";

// Rows that measured something and compute something; crop and the like only move pixels. Integers
// and floats have roofs of their own where their peaks differ.
RooflinePlot rooflinePlot(const TimingReport& report, const MachinePeaks& peaks);

// Names beside the points, a tool tip a point. Without points an SVG that says so.
std::string toSvg(const RooflinePlot& plot);

}  // namespace warpscope
