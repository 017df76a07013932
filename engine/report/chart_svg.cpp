#include "engine/report/chart_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "engine/report/chart_axes.h"
#include "engine/report/svg_text.h"

namespace warpscope {
namespace {

constexpr double kMargin = 16;
constexpr double kMarker = 3;        // radius
constexpr double kRing = 1.6;        // of that, around a cold marker
constexpr double kInRing = 0.55;     // of that, a marker with a ring around it
constexpr double kSampleWidth = 36;  // of a piece of line in the legend
constexpr std::string_view kText = "#202020", kWeak = "#5c5c5c", kGrid = "#e4e4e4",
                           kAxis = "#8c8c8c", kError = "#c02020";

struct Ink {
    std::string_view line, text, leader;
};

// The colours of the window's light theme; names a little darker, so that they can be read.
Ink inkOf(PlotInk ink) {
    switch (ink) {
        case PlotInk::AllCores:
            return {"#0072b2", "#075480", "#80b9d9"};
        case PlotInk::GpuKernels:
            return {"#008662", "#0b6250", "#80c3b1"};
        case PlotInk::GpuEndToEnd:
            return {"#5cb19b", "#3d8471", "#aed8cd"};
        case PlotInk::SingleThread:
            break;
    }
    return {"#787878", "#595959", "#bcbcbc"};
}

std::string textAt(double x, double y, std::string_view anchor, std::string_view fill,
                   std::string_view text, std::string_view more = {}) {
    return fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\"{}{}{} fill=\"{}\">{}</text>\n", x, y,
                       anchor.empty() ? "" : " text-anchor=\"", anchor,
                       anchor.empty() ? std::string(more) : "\"" + std::string(more), fill,
                       svgEscaped(text));
}

std::string lineAttributes(const PlotLine& line) {
    const std::string_view dashes = line.beside ? line.cold ? "7 3 1.5 3" : "7 3"
                                    : line.cold ? "1.5 3"
                                                : "";
    return fmt::format(
        "fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{}",
        inkOf(line.ink).line, line.thin ? 1.0 : 1.6,
        dashes.empty() ? std::string() : fmt::format(" stroke-dasharray=\"{}\"", dashes));
}

std::string circle(double x, double y, double r, std::string_view fill, std::string_view stroke) {
    return fmt::format(
        "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" fill=\"{}\" stroke=\"{}\" "
        "stroke-width=\"1.2\"/>",
        x, y, r, fill, stroke);
}

std::string cross(double x, double y) {
    constexpr double r = kMarker + 0.8;
    return fmt::format(
        "<path d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}M{:.2f} {:.2f}L{:.2f} {:.2f}\" stroke=\"{}\" "
        "stroke-width=\"1.8\"/>",
        x - r, y - r, x + r, y + r, x - r, y + r, x + r, y - r, kError);
}

std::string marker(const PlotLine& line, double x, double y, bool doubtful) {
    if (doubtful) return cross(x, y);
    const std::string_view color = inkOf(line.ink).line;
    const std::string_view fill = line.hollow ? "#ffffff" : color;
    if (!line.cold) return circle(x, y, kMarker, fill, color);
    return circle(x, y, kMarker * kRing, "#ffffff", color) +
           circle(x, y, kMarker * kInRing, fill, color);
}

std::string drawnLine(const PlotLine& line, const ChartAxes& axes, const PanelPlace& place) {
    std::string svg, path;
    for (const PlotPoint& point : line.points)
        path += fmt::format("{}{:.2f} {:.2f}", path.empty() ? "M" : "L",
                            place.x(axes, point.pixels), place.y(axes, point.value));
    if (line.points.size() > 1)
        svg += fmt::format("<path d=\"{}\" {}/>\n", path, lineAttributes(line));
    for (const PlotPoint& point : line.points) {
        const double x = place.x(axes, point.pixels);
        const double y = place.y(axes, point.value);
        if (point.low > 0 && point.high > point.low)
            svg += fmt::format(
                "<path d=\"M{:.2f} {:.2f}V{:.2f}\" stroke=\"{}\" stroke-opacity=\"0.55\"/>\n", x,
                place.y(axes, point.low), place.y(axes, point.high), inkOf(line.ink).line);
        svg += fmt::format("<g><title>{}, {}</title>{}</g>\n", svgEscaped(line.name),
                           svgEscaped(point.figures), marker(line, x, y, point.doubtful));
    }
    return svg;
}

std::string drawnLabels(const PlotPanel& panel, const ChartAxes& axes, const PanelPlace& place) {
    std::string svg;
    const double right = place.left + place.width;
    for (const PanelLabel& label : place.labels) {
        const PlotLine& line = panel.lines[label.line];
        const Ink ink = inkOf(line.ink);
        const PlotPoint& last = line.points.back();
        const double x = place.x(axes, last.pixels) + kMarker + 3;
        const double y = place.y(axes, last.value);
        svg += fmt::format(
            "<path d=\"M{:.2f} {:.2f}H{:.2f}L{:.2f} {:.2f}\" fill=\"none\" stroke=\"{}\" "
            "stroke-width=\"0.8\"/>\n",
            x, y, std::max(x, right), right + 15, label.y, ink.leader);
        svg += textAt(right + 18, label.y + 4, "", ink.text, line.name);
    }
    return svg;
}

std::string frame(const Plot& plot, const PlotPanel& panel, const ChartAxes& axes,
                  const PanelPlace& place) {
    const double right = place.left + place.width, bottom = place.top + place.height;
    std::string svg = textAt(place.left, place.top - kChartLine - 8, "", kText, panel.title,
                             " font-weight=\"bold\"");
    svg += textAt(place.left, place.top - 8, "", kWeak, panel.subtitle);
    for (const double tick : logTicks(axes.values, int(place.height / (2 * kChartLine)))) {
        const double y = place.y(axes, tick);
        svg += fmt::format("<path d=\"M{:.2f} {:.2f}H{:.2f}\" stroke=\"{}\"/>", place.left, y,
                           right, kGrid);
        svg += textAt(place.left - 8, y + 4, "end", kWeak, tickText(tick));
    }
    for (const double tick : logTicks(axes.pixels, int(place.width / 70))) {
        const double x = place.x(axes, tick);
        svg += fmt::format("<path d=\"M{:.2f} {:.2f}V{:.2f}\" stroke=\"{}\"/>", x, place.top,
                           bottom, kGrid);
        svg += textAt(x, bottom + kChartLine, "middle", kWeak, tickText(tick / 1e6));
    }
    svg += fmt::format("<path d=\"M{:.2f} {:.2f}H{:.2f}\" stroke=\"{}\"/>\n", place.left, bottom,
                       right, kAxis);
    if (plot.unityLine)
        svg += fmt::format("<path d=\"M{:.2f} {:.2f}H{:.2f}\" stroke=\"{}\"/>\n", place.left,
                           place.y(axes, 1), right, kAxis);
    if (place.lastRow)
        svg += textAt(place.left + place.width / 2, bottom + 2 * kChartLine, "middle", kWeak,
                      "image size, megapixels, logarithmic");
    if (place.firstColumn)
        svg += fmt::format(
            "<text transform=\"translate({:.2f} {:.2f}) rotate(-90)\" text-anchor=\"middle\" "
            "fill=\"{}\">{}, logarithmic</text>\n",
            kMargin + 8.0, place.top + place.height / 2, kWeak, svgEscaped(plot.valueTitle));
    return svg;
}

// Words in lines that are not much wider than the chart.
std::vector<std::string> wrapped(const std::string& text, double width) {
    std::vector<std::string> lines(1);
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t blank = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, blank - at);
        std::string& line = lines.back();
        const std::string longer = line.empty() ? word : line + " " + word;
        if (line.empty() || svgTextWidth(longer) * kChartFont <= width)
            line = longer;
        else
            lines.push_back(word);
        at = blank + 1;
    }
    return lines;
}

// What dashes and markers mean, where they occur, and where the figures come from.
class Legend {
  public:
    Legend(double top, double width) : m_y(top + kChartLine), m_width(width) {}

    void add(const std::string& text, std::string_view sample) {
        m_svg +=
            fmt::format("<g transform=\"translate({} {:.2f})\">{}</g>\n", kMargin, m_y - 4, sample);
        for (const std::string& line : wrapped(text, m_width - 2 * kMargin - kSampleWidth)) {
            m_svg += textAt(kMargin + kSampleWidth, m_y, "", kWeak, line);
            m_y += kChartLine + 2;
        }
    }
    const std::string& svg() const { return m_svg; }
    double bottom() const { return m_y; }

  private:
    std::string m_svg;
    double m_y;
    double m_width;
};

std::string sampleOf(const PlotLine& line, bool withMarker) {
    std::string svg = fmt::format("<path d=\"M0 0H28\" {}/>", lineAttributes(line));
    return withMarker ? svg + marker(line, 14, 0, false) : svg;
}

void addMeanings(const Plot& plot, Legend& legend) {
    bool cold = false, hollow = false, thin = false, doubtful = false, spread = false;
    for (const PlotPanel& panel : plot.panels)
        for (const PlotLine& line : panel.lines) {
            cold |= line.cold;
            hollow |= line.hollow;
            thin |= line.thin;
            for (const PlotPoint& point : line.points) {
                doubtful |= point.doubtful;
                spread |= point.low > 0 && point.high > point.low;
            }
        }
    PlotLine line;
    for (std::size_t i = 0; i < plot.sources.size(); ++i) {
        line.beside = i > 0;
        legend.add(plot.sources[i], sampleOf(line, false));
    }
    line = {};
    line.cold = true;
    if (cold) legend.add("cold cache", sampleOf(line, true));
    line = {};
    line.hollow = true;
    if (hollow) legend.add("another library", sampleOf(line, true));
    line = {};
    line.thin = true;
    if (thin) legend.add("a variant other than automatic", sampleOf(line, false));
    if (spread)
        legend.add("10th to 90th percentile",
                   fmt::format("<path d=\"M14 -6V6\" stroke=\"{}\" stroke-opacity=\"0.55\"/>",
                               inkOf(line.ink).line));
    if (doubtful)
        legend.add("the result differs from that of one thread by more than the operation allows",
                   cross(14, 0));
}

}  // namespace

std::string toSvg(const Plot& plot) {
    const double top = kMargin + 1.5 * kChartLine;
    ChartPlaces places = placePanels(plot, top);
    places.width = std::max({places.width, 480.0, svgTextWidth(plot.title) * 15 + 2 * kMargin});
    std::string svg = textAt(kMargin, kMargin + kChartLine - 2, "", kText, plot.title,
                             " font-size=\"15\" font-weight=\"bold\"");
    if (plot.empty()) {
        svg += textAt(kMargin, top + kChartLine, "", kWeak, "Nothing was measured that it shows.");
        places.height = 2 * kChartLine;
    }
    for (std::size_t i = 0; i < plot.panels.size(); ++i) {
        const PanelPlace& place = places.panels[i];
        svg += frame(plot, plot.panels[i], places.axes, place);
        for (const PlotLine& line : plot.panels[i].lines)
            svg += drawnLine(line, places.axes, place);
        svg += drawnLabels(plot.panels[i], places.axes, place);
    }
    Legend legend(top + places.height + 8, places.width);
    addMeanings(plot, legend);
    const double width = std::ceil(places.width), height = std::ceil(legend.bottom());
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
               "height=\"{1}\" font-family=\"sans-serif\" font-size=\"{2}\">\n"
               "<title>{3}</title>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
               width, height, kChartFont, svgEscaped(plot.title)) +
           svg + legend.svg() + "</svg>\n";
}

}  // namespace warpscope
