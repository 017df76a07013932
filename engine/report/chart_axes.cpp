#include "engine/report/chart_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace warpscope {
namespace {

constexpr double kLeastDecades = 0.6;
constexpr double kLinesPerTick = 2;
constexpr double kTickGap = 8;  // between the texts of sizes

struct Extent {
    double low = 0, high = 0;
    bool any = false;
    void take(double decades) {
        low = any ? std::min(low, decades) : decades;
        high = any ? std::max(high, decades) : decades;
        any = true;
    }
    LogRange widened(double share, double least) const {
        const double margin = std::max(0.0, least - (high - low)) / 2 + share * (high - low);
        return margin > 0 ? LogRange{low - margin, high + margin} : LogRange{low - 1, high + 1};
    }
};

}  // namespace

double ChartFrame::x(double at) const {
    const LogRange& range = axes.across;
    const double place = axes.xLinear ? at : std::log10(at);
    return left + width * (place - range.low) / (range.high - range.low);
}

double ChartFrame::y(double value) const {
    const LogRange& range = axes.values;
    return top + height * (range.high - std::log10(value)) / (range.high - range.low);
}

ChartAxes axesOf(const ChartLines& lines, bool unityLine, bool xLinear) {
    Extent across, values;
    for (const PlotLine* line : lines)
        for (const PlotPoint& point : line->points) {
            across.take(xLinear ? point.x : std::log10(point.x));
            for (const double value : {point.value, point.low, point.high})
                if (value > 0) values.take(std::log10(value));
        }
    if (unityLine && values.any) values.take(0);
    return {across.widened(0.04, xLinear ? 0 : kLeastDecades), values.widened(0.06, kLeastDecades),
            xLinear};
}

std::vector<ChartTick> valueTicks(const ChartFrame& frame, double lineHeight) {
    const int wanted = std::max(2, int(frame.height / (kLinesPerTick * lineHeight)));
    std::vector<ChartTick> ticks;
    for (const double value : logTicks(frame.axes.values, wanted))
        ticks.push_back({frame.y(value), tickText(value)});
    return ticks;
}

std::vector<ChartTick> sizeTicks(const ChartLines& lines, const ChartFrame& frame,
                                 const TextWidth& width) {
    std::map<double, std::string_view> sizes;
    for (const PlotLine* line : lines)
        for (const PlotPoint& point : line->points) sizes.emplace(point.x, point.size);
    std::vector<std::pair<double, std::string_view>> order;
    if (!sizes.empty()) order = {*sizes.rbegin(), *sizes.begin()};
    order.insert(order.end(), sizes.begin(), sizes.end());
    std::vector<ChartTick> ticks;
    for (const auto& [x, text] : order) {
        const double at = frame.x(x);
        const double half = width(text) / 2 + kTickGap;
        const bool free = std::all_of(ticks.begin(), ticks.end(), [&](const ChartTick& tick) {
            return std::abs(tick.at - at) > half + width(tick.text) / 2;
        });
        if (free) ticks.push_back({at, std::string(text)});
    }
    return ticks;
}

std::vector<ChartLabel> placeLabels(const ChartLines& lines, const ChartFrame& frame,
                                    double lineHeight) {
    const auto room = std::size_t(std::max(1.0, frame.height / lineHeight));
    std::vector<ChartLabel> labels;
    for (std::size_t i = 0; i < std::min(lines.size(), room); ++i)
        labels.push_back({i, frame.y(lines[i]->points.back().value)});
    std::stable_sort(labels.begin(), labels.end(),
                     [](const ChartLabel& a, const ChartLabel& b) { return a.y < b.y; });
    double least = frame.top + lineHeight / 2;
    for (ChartLabel& label : labels) {
        label.y = std::max(label.y, least);
        least = label.y + lineHeight;
    }
    double most = frame.bottom() - lineHeight / 2;
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
        label->y = std::min(label->y, most);
        most = label->y - lineHeight;
    }
    return labels;
}

std::vector<double> logTicks(const LogRange& range, int wanted) {
    std::vector<double> ticks;
    const int first = int(std::floor(range.low)), last = int(std::ceil(range.high));
    const int decades = std::max(1, int(range.high - range.low));
    const int every = std::max(1, (decades + wanted - 1) / std::max(1, wanted));
    const bool fine = 3 * decades <= wanted;
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
