#include "engine/report/roofline_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/operations/registry.h"
#include "engine/report/chart_svg.h"
#include "engine/report/text_table.h"

namespace warpscope {
namespace {

constexpr double kRoofMargin = 16;
constexpr double kRoofLeader = 18;
constexpr double kRoofWidth = 560, kRoofHeight = 400;
constexpr std::string_view kRoofText = "#202020", kRoofWeak = "#5c5c5c", kRoofGrid = "#e4e4e4";

// The colours of the other charts.
std::string_view roofColor(PlotInk ink) {
    switch (ink) {
        case PlotInk::AllCores:
            return "#0072b2";
        case PlotInk::GpuKernels:
        case PlotInk::GpuEndToEnd:
            return "#008662";
        case PlotInk::SingleThread:
            break;
    }
    return "#787878";
}

PlotInk roofInk(const StepTiming& row) {
    switch (row.backend.kind()) {
        case BackendKind::Cuda:
            return PlotInk::GpuKernels;
        case BackendKind::Cpu:
            return PlotInk::AllCores;
        case BackendKind::CpuSingle:
            break;
    }
    return PlotInk::SingleThread;
}

std::string pointName(const StepTiming& row, bool manySizes) {
    const Operation* operation = findOperation(row.operation);
    std::string name = operation ? operation->description().label : row.operation;
    if (row.variant != kAutomaticVariant) name += " " + row.variant;
    if (manySizes) name += fmt::format(" {} × {}", row.width, row.height);
    return name + ", " + placeText(row) + (row.cold ? ", cold" : "");
}

std::string roofText(double x, double y, std::string_view anchor, std::string_view fill,
                     std::string_view what, std::string_view more = {}) {
    return fmt::format(
        "<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n", x, y,
        anchor, fill, more, svgEscaped(what));
}

std::string roofPath(std::string_view d, std::string_view stroke, double width) {
    return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>\n", d,
                       stroke, width);
}

// Rates of copying that waver, or that more threads make lower, are said so.
std::string roofDoubt(const StepTiming& row, const MachineInfo& machine) {
    const BackendKind kind = row.backend.kind();
    const bool lower = kind == BackendKind::Cpu && machine.copyGbpsCpu > 0 &&
                       machine.copyGbpsCpu < machine.copyGbpsCpuSingle;
    const double rate = copyGbPerSFor(row, machine);
    const std::string noisy =
        copyNoisyText(rate, kind == BackendKind::Cuda ? machine.copyIntervalGpu
                            : row.backend.oneThread() ? machine.copyIntervalCpuSingle
                                                      : machine.copyIntervalCpu);
    if (!noisy.empty()) return ", copying" + noisy;
    return lower ? ", copying (noisy: less than 1 thread)" : "";
}

// Room for the points, for the bends of the roofs and for their tops.
ChartAxes roofAxes(const RooflinePlot& plot) {
    std::vector<PlotLine> all = plot.points;
    for (const Roof& roof : plot.roofs) {
        if (!(roof.peakGops > 0)) continue;
        PlotLine& bend = all.emplace_back(plot.points.front());
        bend.points.front() = {};
        bend.points.front().value = roof.peakGops;
        bend.points.front().x =
            roof.copyGbPerS > 0 ? roof.peakGops / roof.copyGbPerS : plot.points.front().points[0].x;
    }
    ChartLines lines;
    for (const PlotLine& line : all) lines.push_back(&line);
    return axesOf(lines, false);
}

// From the left edge, or where it enters from below, to its bend, and on to the right edge.
std::string drawnRoof(const Roof& roof, const ChartFrame& frame) {
    const auto power = [](double decades) { return std::pow(10.0, decades); };
    const double left = power(frame.axes.across.low), right = power(frame.axes.across.high);
    const double bottom = power(frame.axes.values.low), top = power(frame.axes.values.high);
    const double peak = roof.peakGops > 0 ? roof.peakGops : top;
    std::string d;
    double flatFrom = left;
    if (roof.copyGbPerS > 0) {
        const double from = std::max(left, bottom / roof.copyGbPerS);
        const double to = std::min(right, peak / roof.copyGbPerS);
        if (from < to)
            d += fmt::format("M{:.2f} {:.2f}L{:.2f} {:.2f}", frame.x(from),
                             frame.y(from * roof.copyGbPerS), frame.x(to),
                             frame.y(to * roof.copyGbPerS));
        flatFrom = std::max(left, to);
    }
    if (roof.peakGops > 0 && flatFrom < right)
        d += fmt::format("M{:.2f} {:.2f}H{:.2f}", frame.x(flatFrom), frame.y(peak), frame.right());
    std::string svg = roofPath(d, roofColor(roof.ink), 1.6);
    if (roof.peakGops > 0)
        svg +=
            roofText(frame.right() - 4, frame.y(peak) - 4, "end", roofColor(roof.ink), roof.name);
    return svg;
}

std::string drawnRoofAxes(const ChartFrame& frame) {
    std::string svg;
    for (const ChartTick& tick : valueTicks(frame, kChartLine)) {
        svg += roofPath(fmt::format("M{:.2f} {:.2f}H{:.2f}", frame.left, tick.at, frame.right()),
                        kRoofGrid, 1);
        svg += roofText(frame.left - 8, tick.at + 4, "end", kRoofWeak, tick.text);
    }
    for (const double value : logTicks(frame.axes.across, 12)) {
        svg += roofPath(
            fmt::format("M{:.2f} {:.2f}V{:.2f}", frame.x(value), frame.top, frame.bottom()),
            kRoofGrid, 1);
        svg += roofText(frame.x(value), frame.bottom() + kChartLine, "middle", kRoofWeak,
                        tickText(value));
    }
    svg += roofText(frame.left + frame.width / 2, frame.bottom() + 2 * kChartLine, "middle",
                    kRoofWeak, fmt::format("{}, logarithmic", kRooflineAcross));
    return svg + fmt::format(
                     "<text transform=\"translate({:.2f} {:.2f}) rotate(-90)\" "
                     "text-anchor=\"middle\" fill=\"{}\">{}, logarithmic</text>\n",
                     kRoofMargin + 8, frame.top + frame.height / 2, kRoofWeak, kRooflineUpwards);
}

}  // namespace

RooflinePlot rooflinePlot(const TimingReport& report, const MachinePeaks& peaks) {
    RooflinePlot plot;
    plot.title = "Roofline: " + report.machine.cpu +
                 (report.machine.gpu.empty() ? "" : ", " + report.machine.gpu);
    std::set<std::pair<int, int>> sizes;
    for (const StepTiming& row : report.results) sizes.emplace(row.width, row.height);
    for (const StepTiming& row : report.results) {
        const auto found = rooflinePoint(row, report.machine, peaks);
        if (!found || !(found->opsPerByte > 0) || !(found->gops > 0)) continue;
        Roof roof{offeredPlaceText(row), roofInk(row), copyGbPerSFor(row, report.machine),
                  peaks.gopsFor(row)};
        if (!row.peer.empty())
            roof.name = row.backend.oneThread()                   ? "1 thread"
                        : row.backend.kind() == BackendKind::Cuda ? "GPU"
                                                                  : "all cores";
        roof.name += roofDoubt(row, report.machine);
        const bool known =
            std::any_of(plot.roofs.begin(), plot.roofs.end(), [&](const Roof& other) {
                return other.ink == roof.ink && other.peakGops == roof.peakGops;
            });
        if (!known) plot.roofs.push_back(std::move(roof));
        PlotLine& line = plot.points.emplace_back();
        line.name = pointName(row, sizes.size() > 1);
        line.ink = roofInk(row);
        line.hollow = !row.peer.empty();
        line.cold = row.cold;
        PlotPoint& point = line.points.emplace_back();
        point.x = found->opsPerByte;
        point.value = found->gops;
        point.doubtful = row.agreement.verdict == Verdict::Differs;
        const std::string parameters = parameterText(row.parameters);
        point.figures =
            fmt::format("{}{} {}: {:.3g} operations a byte, {:.3g} x 10^9 a second; {}",
                        parameters.empty() ? "" : parameters + ", ",
                        fmt::format("{} × {}", row.width, row.height), formatName(row.format),
                        found->opsPerByte, found->gops, whyThatFast(*found));
    }
    return plot;
}

std::string toSvg(const RooflinePlot& plot) {
    std::string svg = roofText(kRoofMargin, kRoofMargin + kChartLine - 2, "start", kRoofText,
                               plot.title, " font-size=\"15\" font-weight=\"bold\"");
    double width = std::max(480.0, svgTextWidth(plot.title) * 15 + 2 * kRoofMargin);
    double height = 5 * kChartLine;
    if (plot.empty()) {
        svg += roofText(kRoofMargin, kRoofMargin + 3 * kChartLine, "start", kRoofWeak,
                        "Nothing was measured that it shows.");
    } else {
        ChartLines lines;
        double widest = 0;
        for (const PlotLine& line : plot.points) {
            lines.push_back(&line);
            widest = std::max(widest, svgTextWidth(line.name) * kChartFont);
        }
        ChartFrame frame;
        frame.axes = roofAxes(plot);
        frame.left = kRoofMargin + 6 * kChartLine;
        frame.top = kRoofMargin + 2 * kChartLine;
        frame.width = kRoofWidth;
        frame.height = std::max(kRoofHeight, kChartLine * double(lines.size()));
        svg += drawnRoofAxes(frame);
        for (const Roof& roof : plot.roofs) svg += drawnRoof(roof, frame);
        for (const ChartLabel& label : placeLabels(lines, frame, kChartLine)) {
            const PlotLine& line = *lines[label.line];
            const PlotPoint& point = line.points.front();
            const double x = frame.x(point.x), y = frame.y(point.value);
            const std::string_view color = point.doubtful ? "#c02020" : roofColor(line.ink);
            svg += roofPath(
                fmt::format("M{:.2f} {:.2f}L{:.2f} {:.2f}L{:.2f} {:.2f}", x, y, frame.right(),
                            label.y, frame.right() + kRoofLeader - 3, label.y),
                kRoofGrid, 0.8);
            svg += fmt::format(
                "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"4\" fill=\"{}\" "
                "stroke=\"{}\"><title>{}</title></circle>\n",
                x, y, line.hollow ? "#ffffff" : color, color,
                svgEscaped(line.name + ": " + point.figures));
            svg += roofText(frame.right() + kRoofLeader, label.y + 4, "start", color, line.name);
        }
        width = std::max(width, frame.right() + kRoofLeader + widest + kRoofMargin);
        height = frame.bottom() + 3 * kChartLine;
    }
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
               "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"sans-serif\" "
               "font-size=\"{2}\">\n<title>{3}</title>\n"
               "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#ffffff\"/>\n",
               std::ceil(width), std::ceil(height), kChartFont, svgEscaped(plot.title)) +
           svg + "</svg>\n";
}

}  // namespace warpscope
