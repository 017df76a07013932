#include "engine/report/chart_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpscope {
namespace {

constexpr double kMargin = 16;
constexpr double kMarker = 3;                   // radius
constexpr double kRing = 1.6;                   // of that, around a cold marker
constexpr double kInRing = 0.55;                // of that, a marker with a ring around it
constexpr double kSampleWidth = 36;             // of a piece of line in the legend
constexpr double kLeader = 18;                  // between a plot and the labels beside it
constexpr double kAbove = 2 * kChartLine + 10;  // a panel's titles
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

double textWidth(std::string_view text) {
    return svgTextWidth(text) * kChartFont;
}

std::string textAt(double x, double y, std::string_view anchor, std::string_view fill,
                   std::string_view text, std::string_view more = {}) {
    return fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\"{}{}{} fill=\"{}\">{}</text>\n", x, y,
                       anchor.empty() ? "" : " text-anchor=\"", anchor,
                       anchor.empty() ? std::string(more) : "\"" + std::string(more), fill,
                       svgEscaped(text));
}

std::string lineAttributes(const PlotLine& line) {
    const bool beside = line.source > 0;
    const std::string_view dashes = beside      ? line.cold ? "7 3 1.5 3" : "7 3"
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

std::string noisyRing(double x, double y) {
    return fmt::format(
        "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"7\" fill=\"none\" stroke=\"{}\" "
        "stroke-dasharray=\"2 2\"/>",
        x, y, kError);
}

std::string drawnLine(const PlotLine& line, const ChartFrame& frame) {
    std::string svg, path;
    for (const PlotPoint& point : line.points)
        path += fmt::format("{}{:.2f} {:.2f}", path.empty() ? "M" : "L", frame.x(point.x),
                            frame.y(point.value));
    if (line.points.size() > 1)
        svg += fmt::format("<path d=\"{}\" {}/>\n", path, lineAttributes(line));
    for (const PlotPoint& point : line.points) {
        const double x = frame.x(point.x);
        const double y = frame.y(point.value);
        if (point.hasSpread())
            svg += fmt::format(
                "<path d=\"M{:.2f} {:.2f}V{:.2f}\" stroke=\"{}\" stroke-opacity=\"0.55\"/>\n", x,
                frame.y(point.low), frame.y(point.high), inkOf(line.ink).line);
        // Noisy: a ring around it, so that it cannot be read as if it were sure.
        if (point.noisy) svg += noisyRing(x, y);
        svg += fmt::format("<g><title>{}, {}</title>{}</g>\n", svgEscaped(line.name),
                           svgEscaped(point.size + ": " + point.figures),
                           marker(line, x, y, point.doubtful));
    }
    return svg;
}

std::string drawnLabels(const PanelPlace& place) {
    std::string svg;
    const double right = place.frame.right();
    for (const ChartLabel& label : place.labels) {
        const PlotLine& line = *place.lines[label.line];
        const Ink ink = inkOf(line.ink);
        const PlotPoint& last = line.points.back();
        const double x = place.frame.x(last.x) + kMarker + 3;
        svg += fmt::format(
            "<path d=\"M{:.2f} {:.2f}H{:.2f}L{:.2f} {:.2f}\" fill=\"none\" stroke=\"{}\" "
            "stroke-width=\"0.8\"/>\n",
            x, place.frame.y(last.value), std::max(x, right), right + kLeader - 3, label.y,
            ink.leader);
        svg += textAt(right + kLeader, label.y + 4, "", ink.text, line.name);
    }
    return svg;
}

std::string drawnFrame(const Plot& plot, const PlotPanel& panel, const PanelPlace& place) {
    const ChartFrame& frame = place.frame;
    const double right = frame.right(), bottom = frame.bottom();
    const auto across = [&](double y, std::string_view color) {
        return fmt::format("<path d=\"M{:.2f} {:.2f}H{:.2f}\" stroke=\"{}\"/>\n", frame.left, y,
                           right, color);
    };
    std::string svg = textAt(frame.left, frame.top - kChartLine - 8, "", kText, panel.title(),
                             " font-weight=\"bold\"");
    svg += textAt(frame.left, frame.top - 8, "", kWeak, panel.subtitle);
    for (const ChartTick& tick : valueTicks(frame, kChartLine)) {
        svg += across(tick.at, kGrid);
        svg += textAt(frame.left - 8, tick.at + 4, "end", kWeak, tick.text);
    }
    for (const ChartTick& tick : sizeTicks(place.lines, frame, textWidth)) {
        svg += fmt::format("<path d=\"M{:.2f} {:.2f}V{:.2f}\" stroke=\"{}\"/>", tick.at, frame.top,
                           bottom, kGrid);
        svg += textAt(tick.at, bottom + kChartLine, "middle", kWeak, tick.text);
    }
    svg += across(bottom, kAxis);
    if (plot.unityLine) svg += across(frame.y(1), kAxis);
    if (place.lastRow)
        svg += textAt(frame.left + frame.width / 2, bottom + 2 * kChartLine, "middle", kWeak,
                      plot.xLinear ? plot.xTitle : fmt::format("{}, logarithmic", plot.xTitle));
    if (place.firstColumn)
        svg += fmt::format(
            "<text transform=\"translate({:.2f} {:.2f}) rotate(-90)\" text-anchor=\"middle\" "
            "fill=\"{}\">{}, logarithmic</text>\n",
            kMargin + 8.0, frame.top + frame.height / 2, kWeak, svgEscaped(plot.valueTitle));
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
        if (line.empty() || textWidth(longer) <= width)
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
    bool cold = false, hollow = false, thin = false, doubtful = false, spread = false,
         noisy = false;
    for (const PlotLine& line : plot.lines) {
        cold |= line.cold;
        hollow |= line.hollow;
        thin |= line.thin;
        for (const PlotPoint& point : line.points) {
            doubtful |= point.doubtful;
            spread |= point.hasSpread();
            noisy |= point.noisy;
        }
    }
    PlotLine line;
    for (std::size_t i = 0; i < plot.sources.size(); ++i) {
        line.source = i;
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
        legend.add(plot.unityLine
                       ? "what the speedup may be"
                       : "95% interval of the median (of one round: 10th to 90th percentile)",
                   fmt::format("<path d=\"M14 -6V6\" stroke=\"{}\" stroke-opacity=\"0.55\"/>",
                               inkOf(line.ink).line));
    if (noisy)
        legend.add(plot.unityLine ? "noisy: a side of it is, by more than 3%"
                                  : "noisy: that interval is wider than 3%",
                   noisyRing(14, 0));
    if (doubtful)
        legend.add("the result differs from that of one thread by more than the operation allows",
                   cross(14, 0));
}

// Length of the UTF-8 sequence at the start of the text; 0 if there is none. Overlong forms,
// surrogates and what XML forbids (U+FFFE, U+FFFF) are none.
std::size_t sequenceLength(std::string_view text) {
    const auto byte = [&](std::size_t i) { return std::uint32_t(std::uint8_t(text[i])); };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
    std::uint32_t code = lead & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return 0;
        code = (code << 6) | (byte(i) & 0x3F);
    }
    const std::uint32_t least = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    const bool forbidden = code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
    return code < least || surrogate || forbidden ? 0 : length;
}

}  // namespace

ChartPlaces placePanels(const Plot& plot, double top, FrameSize wanted, int mostColumns) {
    ChartPlaces places;
    const std::size_t count = plot.panels.size();
    const std::size_t columns = std::min<std::size_t>(count <= 1   ? 1
                                                      : count <= 4 ? 2
                                                                   : 3,
                                                      std::size_t(mostColumns));
    const std::size_t rows = (count + columns - 1) / columns;
    ChartLines all;
    places.panels.resize(count);
    for (const PlotLine& line : plot.lines) {
        all.push_back(&line);
        places.panels[line.panel].lines.push_back(&line);
    }
    ChartFrame frame;
    frame.axes = axesOf(all, plot.unityLine, plot.xLinear);
    frame.width = count <= 1 ? 560 : count <= 4 ? 360 : 280;
    frame.height = count <= 1 ? 400 : count <= 4 ? 260 : 220;
    if (wanted.width > 0) frame.width = wanted.width;
    if (wanted.height > 0) frame.height = wanted.height;
    std::vector<double> labelWidths(columns, 0);
    for (std::size_t i = 0; i < count; ++i) {
        const ChartLines& lines = places.panels[i].lines;
        if (wanted.height <= 0)
            frame.height = std::max(frame.height, kChartLine * double(lines.size()));
        for (const PlotLine* line : lines)
            labelWidths[i % columns] = std::max(labelWidths[i % columns], textWidth(line->name));
    }
    double widestTick = 0;
    for (const ChartTick& tick : valueTicks(frame, kChartLine))
        widestTick = std::max(widestTick, textWidth(tick.text));
    const double step = kAbove + frame.height + kChartLine + 14;
    places.width = kMargin + kChartLine;  // the rotated title of the values
    for (std::size_t column = 0; column < columns; ++column) {
        frame.left = places.width + widestTick + 8;
        places.width = frame.right() + kLeader + labelWidths[column] + kMargin;
        for (std::size_t i = column; i < count; i += columns) {
            PanelPlace& place = places.panels[i];
            place.frame = frame;
            place.frame.top = top + step * double(i / columns) + kAbove;
            place.firstColumn = column == 0;
            place.lastRow = i + columns >= count;
            place.labels = placeLabels(place.lines, place.frame, kChartLine);
        }
    }
    places.height = step * double(rows) + kChartLine;
    return places;
}

namespace {

constexpr double kTop = kMargin + 1.5 * kChartLine;  // below the title

std::string drawnPlot(const Plot& plot, ChartPlaces& places) {
    std::string svg = textAt(kMargin, kMargin + kChartLine - 2, "", kText, plot.title,
                             " font-size=\"15\" font-weight=\"bold\"");
    if (plot.empty()) {
        svg += textAt(kMargin, kTop + kChartLine, "", kWeak, "Nothing was measured that it shows.");
        places.height = 2 * kChartLine;
    }
    for (std::size_t i = 0; i < plot.panels.size(); ++i) {
        const PanelPlace& place = places.panels[i];
        svg += drawnFrame(plot, plot.panels[i], place);
        for (const PlotLine* line : place.lines) svg += drawnLine(*line, place.frame);
        svg += drawnLabels(place);
    }
    return svg;
}

// `shown`: as large as it is drawn where nobody says otherwise.
std::string svgFile(const Plot& plot, FrameSize inner, FrameSize shown, const std::string& svg) {
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{2}\" "
               "height=\"{3}\" font-family=\"sans-serif\" font-size=\"{4}\">\n"
               "<title>{5}</title>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
               inner.width, inner.height, shown.width, shown.height, kChartFont,
               svgEscaped(plot.title)) +
           svg + "</svg>\n";
}

}  // namespace

std::string toSvg(const Plot& plot, int mostColumns) {
    ChartPlaces places = placePanels(plot, kTop, {}, mostColumns);
    places.width = std::max({places.width, 480.0, svgTextWidth(plot.title) * 15 + 2 * kMargin});
    const std::string svg = drawnPlot(plot, places);
    Legend legend(kTop + places.height + 8, places.width);
    addMeanings(plot, legend);
    const FrameSize size{std::ceil(places.width), std::ceil(legend.bottom())};
    return svgFile(plot, size, size, svg + legend.svg());
}

std::string toSlide(const Plot& plot) {
    constexpr double kLeastWidth = 240, kLeastHeight = 130;
    double longest = 0;
    for (const PlotLine& line : plot.lines) longest = std::max(longest, textWidth(line.name));
    // The smaller the drawing, the larger its type on the slide: as small as all of it has room.
    for (FrameSize size{620, 0};; size.width *= 1.1) {
        size.height = size.width * kSlideHeight / kSlideWidth;
        Legend measured(0, size.width);
        addMeanings(plot, measured);
        const ChartPlaces tried = placePanels(plot, kTop, {100, 100});
        const FrameSize frame{size.width - (tried.width - 100),
                              size.height - (kTop + tried.height - 100) - 8 - measured.bottom()};
        const bool fits =
            frame.width >= std::max(kLeastWidth, longest * 0.5) &&
            frame.height >= std::max(kLeastHeight, kChartLine * double(plot.lines.size()));
        if (!fits && size.width < 4000) continue;
        ChartPlaces places = placePanels(
            plot, kTop, {std::max(frame.width, kLeastWidth), std::max(frame.height, kLeastHeight)});
        const std::string svg = drawnPlot(plot, places);
        Legend legend(kTop + places.height + 8, size.width);
        addMeanings(plot, legend);
        return svgFile(plot, size, {kSlideWidth, kSlideHeight}, svg + legend.svg());
    }
}

std::string svgEscaped(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const char c = text.front();
        const std::size_t length = sequenceLength(text);
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else if (length == 0)
            out += "\xEF\xBF\xBD";
        else if (length > 1 || (std::uint8_t(c) >= 0x20 && c != 0x7F))
            out += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

double svgTextWidth(std::string_view text) {
    double width = 0;
    for (const char c : text) {
        if ((std::uint8_t(c) & 0xC0) == 0x80) continue;  // inside a sequence
        if (std::string_view("ijlItf.,:;|'!()[] ").find(c) != std::string_view::npos)
            width += 0.37;
        else if (std::string_view("mwMW@%").find(c) != std::string_view::npos)
            width += 0.95;
        else
            width += c >= 'A' && c <= 'Z' ? 0.7 : 0.63;
    }
    return width;
}

}  // namespace warpscope
