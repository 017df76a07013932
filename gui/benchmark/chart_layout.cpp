#include "gui/benchmark/chart_layout.h"

#include <QLocale>
#include <QSet>
#include <algorithm>
#include <cmath>
#include <map>

namespace warpscope::gui {
namespace {

constexpr double kGap = 8;
constexpr double kLeader = 18;            // between the plot and the labels beside it
constexpr double kMostLabelShare = 0.38;  // of the chart's width
constexpr double kLeastDecades = 0.6;

struct Range {
    double low = 0, high = 0;
    bool any = false;
    void take(double value) {
        low = any ? std::min(low, value) : value;
        high = any ? std::max(high, value) : value;
        any = true;
    }
    void widen(double share) {
        const double missing = std::max(0.0, kLeastDecades - (high - low)) / 2;
        const double margin = missing + share * (high - low);
        low -= margin;
        high += margin;
    }
};

// The largest and the smallest first, then what still has room.
std::vector<ChartTick> sizeTicks(const std::map<double, QString>& sizes, const ChartLayout& layout,
                                 const QFontMetricsF& metrics) {
    std::vector<std::pair<double, QString>> order;
    if (!sizes.empty()) {
        order.emplace_back(*sizes.rbegin());
        order.emplace_back(*sizes.begin());
        for (const auto& one : sizes) order.emplace_back(one);
    }
    std::vector<ChartTick> ticks;
    for (const auto& [pixels, label] : order) {
        const double at = layout.place(pixels, 1).x();
        const double half = metrics.horizontalAdvance(label) / 2 + kGap;
        const bool free = std::all_of(ticks.begin(), ticks.end(), [&](const ChartTick& tick) {
            const double other = metrics.horizontalAdvance(tick.label) / 2;
            return std::abs(tick.at - at) > half + other;
        });
        if (free) ticks.push_back({at, label});
    }
    return ticks;
}

// Labels want to stand at the end of their line; those that would overlap move apart.
void spread(std::vector<ChartLabel>& labels, double top, double bottom, double height) {
    std::stable_sort(labels.begin(), labels.end(),
                     [](const ChartLabel& a, const ChartLabel& b) { return a.y < b.y; });
    double least = top + height / 2;
    for (ChartLabel& label : labels) {
        label.y = std::max(label.y, least);
        least = label.y + height;
    }
    double most = bottom - height / 2;
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
        label->y = std::min(label->y, most);
        most = label->y - height;
    }
}

}  // namespace

QPointF ChartLayout::place(double pixels, double value) const {
    const double x = (std::log10(pixels) - logLeft) / (logRight - logLeft);
    const double y = (std::log10(value) - logBottom) / (logTop - logBottom);
    return {plot.left() + x * plot.width(), plot.bottom() - y * plot.height()};
}

std::vector<double> logTicks(double logLow, double logHigh, int wanted) {
    std::vector<double> ticks;
    const int first = int(std::floor(logLow)), last = int(std::ceil(logHigh));
    const int decades = std::max(1, int(logHigh - logLow));
    const int every = std::max(1, (decades + wanted - 1) / std::max(1, wanted));
    const bool fine = 3 * decades <= wanted;
    for (int decade = first; decade <= last; ++decade) {
        if (decade % every != 0) continue;
        for (const double factor : {1.0, 2.0, 5.0}) {
            if (factor > 1 && !fine) break;
            const double at = decade + std::log10(factor);
            if (at >= logLow - 1e-9 && at <= logHigh + 1e-9)
                ticks.push_back(factor * std::pow(10.0, decade));
        }
    }
    return ticks;
}

QString tickText(double value) {
    QLocale locale;
    locale.setNumberOptions(QLocale::DefaultNumberOptions);
    const int after = std::max(0, -int(std::floor(std::log10(value) + 1e-9)));
    return locale.toString(value, 'f', after);
}

ChartLayout layoutChart(const ChartContent& content, const std::vector<std::size_t>& visible,
                        const QSizeF& size, const QFontMetricsF& metrics) {
    ChartLayout layout;
    Range pixels, values;
    std::map<double, QString> sizes;
    // One operation needs not be said at every line.
    QSet<QString> operations;
    for (const std::size_t index : visible) operations.insert(content.series[index].operation);
    const auto nameOf = [&](const ChartSeries& series) {
        return operations.size() < 2 ? series.name
                                     : QStringLiteral("%1, %2").arg(series.operation, series.name);
    };
    double widestName = 0;
    for (const std::size_t index : visible) {
        const ChartSeries& series = content.series[index];
        for (const ChartPoint& point : series.points) {
            pixels.take(std::log10(point.pixels));
            values.take(std::log10(point.value));
            sizes.emplace(point.pixels, point.size);
        }
        widestName = std::max(widestName, metrics.horizontalAdvance(nameOf(series)));
    }
    layout.empty = !pixels.any;
    if (content.unityLine && values.any) values.take(0);
    if (!pixels.any) {
        pixels.take(5);
        values.take(0);
    }
    pixels.widen(0.04);
    values.widen(0.06);
    layout.logLeft = pixels.low;
    layout.logRight = pixels.high;
    layout.logBottom = values.low;
    layout.logTop = values.high;

    const double line = metrics.height();
    const double top = line + 2 * kGap;
    const double below = 2 * line + 2 * kGap + double(content.captions.size()) * (line + 2) + kGap;
    const int wanted = std::max(2, int((size.height() - top - below) / (2.5 * line)));
    const std::vector<double> ticks = logTicks(values.low, values.high, wanted);
    double widestTick = 0;
    for (const double tick : ticks)
        widestTick = std::max(widestTick, metrics.horizontalAdvance(tickText(tick)));
    layout.labelWidth = std::min(widestName + 4, kMostLabelShare * size.width());
    if (layout.empty) layout.labelWidth = 0;
    const double left = widestTick + 2 * kGap;
    const double right = layout.empty ? kGap : layout.labelWidth + kLeader + kGap;
    layout.plot = QRectF(left, top, std::max(40.0, size.width() - left - right),
                         std::max(40.0, size.height() - top - below));
    layout.labelLeft = layout.plot.right() + kLeader;
    if (layout.empty) return layout;

    for (const double tick : ticks)
        layout.yTicks.push_back(
            {layout.place(std::pow(10.0, pixels.low), tick).y(), tickText(tick)});
    layout.xTicks = sizeTicks(sizes, layout, metrics);

    const auto most = std::size_t(std::max(1.0, layout.plot.height() / line));
    for (const std::size_t index : visible) {
        const ChartSeries& series = content.series[index];
        if (series.points.empty() || layout.labels.size() == most) continue;
        const ChartPoint& last = series.points.back();
        const QPointF from = layout.place(last.pixels, last.value);
        layout.labels.push_back(
            {index, metrics.elidedText(nameOf(series), Qt::ElideMiddle, layout.labelWidth),
             from.y(), from});
    }
    spread(layout.labels, layout.plot.top(), layout.plot.bottom(), line);
    return layout;
}

}  // namespace warpscope::gui
