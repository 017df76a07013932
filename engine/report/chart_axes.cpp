#include "engine/report/chart_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/report/svg_text.h"

namespace warpscope {
namespace {

constexpr double kMargin = 16;
constexpr double kLeader = 18;  // between a plot and the labels beside it
constexpr double kLeastDecades = 0.6;
constexpr double kAbove = 2 * kChartLine + 10;  // a panel's titles

struct Span {
    double low = 0, high = 0;
    bool any = false;
    void take(double decades) {
        low = any ? std::min(low, decades) : decades;
        high = any ? std::max(high, decades) : decades;
        any = true;
    }
    LogRange widened(double share) const {
        const double margin =
            std::max(0.0, kLeastDecades - (high - low)) / 2 + share * (high - low);
        return {low - margin, high + margin};
    }
};

ChartAxes axesOf(const Plot& plot) {
    Span pixels, values;
    for (const PlotPanel& panel : plot.panels)
        for (const PlotLine& line : panel.lines)
            for (const PlotPoint& point : line.points) {
                pixels.take(std::log10(point.pixels));
                for (const double value : {point.value, point.low, point.high})
                    if (value > 0) values.take(std::log10(value));
            }
    if (plot.unityLine && values.any) values.take(0);
    return {pixels.widened(0.04), values.widened(0.06)};
}

double widestLabel(const PlotPanel& panel) {
    double widest = 0;
    for (const PlotLine& line : panel.lines)
        widest = std::max(widest, svgTextWidth(line.name) * kChartFont);
    return widest;
}

// Labels want to stand at the end of their line; those that would overlap move apart.
void placeLabels(const PlotPanel& panel, const ChartAxes& axes, PanelPlace& place) {
    std::vector<PanelLabel>& labels = place.labels;
    for (std::size_t i = 0; i < panel.lines.size(); ++i)
        if (!panel.lines[i].points.empty())
            labels.push_back({i, place.y(axes, panel.lines[i].points.back().value)});
    std::stable_sort(labels.begin(), labels.end(),
                     [](const PanelLabel& a, const PanelLabel& b) { return a.y < b.y; });
    double least = place.top + kChartLine / 2;
    for (PanelLabel& label : labels) {
        label.y = std::max(label.y, least);
        least = label.y + kChartLine;
    }
    double most = place.top + place.height - kChartLine / 2;
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
        label->y = std::min(label->y, most);
        most = label->y - kChartLine;
    }
}

}  // namespace

double PanelPlace::x(const ChartAxes& axes, double pixels) const {
    const LogRange& range = axes.pixels;
    return left + width * (std::log10(pixels) - range.low) / (range.high - range.low);
}

double PanelPlace::y(const ChartAxes& axes, double value) const {
    const LogRange& range = axes.values;
    return top + height * (range.high - std::log10(value)) / (range.high - range.low);
}

ChartPlaces placePanels(const Plot& plot, double top) {
    ChartPlaces places;
    places.axes = axesOf(plot);
    const std::size_t count = plot.panels.size();
    const std::size_t columns = count <= 1 ? 1 : count <= 4 ? 2 : 3;
    const double plotWidth = columns == 1 ? 560 : columns == 2 ? 360 : 280;
    double plotHeight = columns == 1 ? 400 : columns == 2 ? 260 : 220;
    double widestTick = 0;
    for (const double tick : logTicks(places.axes.values, 1000))
        widestTick = std::max(widestTick, svgTextWidth(tickText(tick)) * kChartFont);
    std::vector<double> labelWidths(columns, 0);
    for (std::size_t i = 0; i < count; ++i) {
        const PlotPanel& panel = plot.panels[i];
        plotHeight = std::max(plotHeight, kChartLine * double(panel.lines.size()));
        labelWidths[i % columns] = std::max(labelWidths[i % columns], widestLabel(panel));
    }
    std::vector<double> lefts;
    double x = kMargin + kChartLine;  // the rotated title of the values
    for (const double labels : labelWidths) {
        lefts.push_back(x + widestTick + 8);
        x = lefts.back() + plotWidth + kLeader + labels + kMargin;
    }
    const double step = kAbove + plotHeight + kChartLine + 14;
    const std::size_t rows = (count + columns - 1) / columns;
    for (std::size_t i = 0; i < count; ++i) {
        PanelPlace place;
        place.left = lefts[i % columns];
        place.top = top + step * double(i / columns) + kAbove;
        place.width = plotWidth;
        place.height = plotHeight;
        place.firstColumn = i % columns == 0;
        place.lastRow = i + columns >= count;
        placeLabels(plot.panels[i], places.axes, place);
        places.panels.push_back(std::move(place));
    }
    places.width = x;
    places.height = step * double(rows) + kChartLine;
    return places;
}

std::vector<double> logTicks(const LogRange& range, int wanted) {
    std::vector<double> ticks;
    const int first = int(std::floor(range.low)), last = int(std::ceil(range.high));
    const int decades = std::max(1, int(range.high - range.low));
    const int every = std::max(1, (decades + wanted - 1) / std::max(1, wanted));
    const bool fine = range.high - range.low < 2 && 3 * decades <= wanted;
    for (int decade = first; decade <= last; ++decade) {
        if (decade % every != 0) continue;
        for (const double factor : {1.0, 2.0, 5.0}) {
            if (factor > 1 && !fine) break;
            const double at = decade + std::log10(factor);
            const double value = factor * std::pow(10.0, decade);
            // The margins may reach beyond what a double holds.
            if (at >= range.low - 1e-9 && at <= range.high + 1e-9 && std::isnormal(value))
                ticks.push_back(value);
        }
    }
    return ticks;
}

std::string tickText(double value) {
    // A file may say anything.
    if (value > 2e7 || value < 1e-7) return fmt::format("{:.0e}", value);
    const int after = std::max(0, -int(std::floor(std::log10(value) + 1e-9)));
    std::string text = fmt::format("{:.{}f}", value, after);
    if (after == 0)
        for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
    return text;
}

}  // namespace warpscope
