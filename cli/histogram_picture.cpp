#include "cli/histogram_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/report/chart_svg.h"

namespace warpscope::cli {
namespace {

constexpr double kLeft = 64, kTop = 36, kWidth = 552, kHeight = 264;

std::string_view strokeOf(HistogramChannel channel) {
    switch (channel) {
        case HistogramChannel::Luma:
            return "#808080";
        case HistogramChannel::Red:
            return "#d03838";
        case HistogramChannel::Green:
            return "#2a9a4a";
        case HistogramChannel::Blue:
            return "#3a66d8";
    }
    return "";
}

// Axis steps of 1, 2 or 5 times a power of ten.
double niceStep(double range, int wanted) {
    const double raw = range / wanted;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (factor * power >= raw) return factor * power;
    return 10.0 * power;
}

std::string curve(const Histogram& histogram, double peak, bool closed) {
    std::string path =
        closed ? fmt::format("M{:.2f} {:.2f}", kLeft, kTop + kHeight) : std::string();
    const std::size_t n = histogram.bins.size();
    for (std::size_t i = 0; i < n; ++i) {
        const double x = kLeft + kWidth * (double(i) + 0.5) / double(n);
        const double y = kTop + kHeight * (1.0 - std::min(1.0, double(histogram.bins[i]) / peak));
        path += fmt::format("{}{:.2f} {:.2f}", path.empty() ? "M" : "L", x, y);
    }
    if (closed) path += fmt::format("L{:.2f} {:.2f}Z", kLeft + kWidth, kTop + kHeight);
    return path;
}

}  // namespace

std::string histogramSvg(const HistogramSet& set, const std::string& title) {
    std::vector<Histogram> shown;
    for (const Histogram& histogram : set.channels) shown.push_back(rebinned(histogram, 256));
    double peak = 1;
    for (const Histogram& histogram : shown)
        for (const std::uint64_t count : histogram.bins) peak = std::max(peak, double(count));

    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 360\" width=\"640\" "
        "height=\"360\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"640\" height=\"360\" fill=\"#ffffff\"/>\n"
        "<text x=\"{}\" y=\"22\" fill=\"#202020\">{}</text>\n",
        kLeft, svgEscaped(title));
    const double countStep = niceStep(peak, 4);
    for (double count = 0; count <= peak; count += countStep) {
        const double y = kTop + kHeight * (1.0 - count / peak);
        svg += fmt::format(
            "<path d=\"M{} {:.2f}H{}\" stroke=\"#e4e4e4\"/><text x=\"{}\" y=\"{:.2f}\" "
            "text-anchor=\"end\" "
            "fill=\"#606060\">{:.0f}</text>\n",
            kLeft, y, kLeft + kWidth, kLeft - 6, y + 4, count);
    }
    for (int i = 0; i <= 4; ++i) {
        const double x = kLeft + kWidth * i / 4.0;
        svg += fmt::format(
            "<text x=\"{:.2f}\" y=\"{}\" text-anchor=\"middle\" fill=\"#606060\">{:.6g}</text>\n",
            x, kTop + kHeight + 18, set.low + (set.high - set.low) * i / 4.0);
    }
    for (const Histogram& histogram : shown) {
        const bool filled = histogram.channel == HistogramChannel::Luma;
        svg +=
            fmt::format("<path d=\"{}\" fill=\"{}\" fill-opacity=\"0.45\" stroke=\"{}\"/>\n",
                        curve(histogram, peak, filled),
                        filled ? strokeOf(histogram.channel) : "none", strokeOf(histogram.channel));
    }
    svg += fmt::format(
        "<path d=\"M{0} {1}V{2}H{3}\" fill=\"none\" stroke=\"#404040\"/>\n"
        "<text x=\"{4}\" y=\"348\" text-anchor=\"middle\" fill=\"#404040\">sample value</text>\n"
        "<text transform=\"translate(14 {5}) rotate(-90)\" text-anchor=\"middle\" "
        "fill=\"#404040\">pixels</text>\n</svg>\n",
        kLeft, kTop, kTop + kHeight, kLeft + kWidth, kLeft + kWidth / 2, kTop + kHeight / 2);
    return svg;
}

}  // namespace warpscope::cli
