#include "engine/report/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/image/format_words.h"
#include "engine/operations/registry.h"
#include "engine/report/break_even.h"
#include "engine/report/chart_svg.h"
#include "engine/report/html_roofline.h"
#include "engine/report/html_rows.h"
#include "engine/report/html_style.h"
#include "engine/report/report_tables.h"
#include "engine/report/sweep.h"

namespace warpscope {
namespace {

std::string paragraph(std::string_view text) {
    return fmt::format("<p>{}</p>\n", svgEscaped(text));
}

std::string list(const std::vector<std::string>& lines) {
    std::string html = "<ul>\n";
    for (const std::string& line : lines) html += fmt::format("<li>{}</li>\n", svgEscaped(line));
    return html + "</ul>\n";
}

// In three columns letters would be half as large as those of the text around them.
constexpr int kColumns = 2;

// Tables of a longer report are folded, or nobody would come to its end.
constexpr std::size_t kMostOpenRows = 100;

std::string figure(const Plot& plot) {
    return plot.empty() ? std::string()
                        : fmt::format("<figure>{}</figure>\n", toSvg(plot, kColumns));
}

std::string page(std::string_view title, std::string_view style, std::string_view body,
                 std::string_view script) {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
        "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'; script-src 'unsafe-inline'; img-src data: 'self'\">\n<meta "
        "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n"
        "<style>{}</style>\n</head>\n<body>\n{}{}</body>\n</html>\n",
        svgEscaped(title), style, body,
        script.empty() ? std::string() : fmt::format("<script>{}</script>\n", script));
}

// Rows of one operation, or of one experiment, as a report of their own.
struct Part {
    std::string title;
    std::string id;
    TimingReport report;
};

std::vector<Part> partsOf(const TimingReport& report) {
    std::vector<Part> parts;
    std::map<std::pair<std::string, std::string>, std::size_t> known;
    for (const StepTiming& row : report.results) {
        const auto [at, isNew] =
            known.emplace(std::pair(row.operation, row.experiment), parts.size());
        if (isNew) {
            const Operation* operation = findOperation(row.operation);
            const PlotPanel panel{
                operation ? operation->description().label : row.operation, row.experiment, {}};
            Part& part = parts.emplace_back();
            part.title = panel.title();
            part.id = fmt::format("part{}", parts.size());
            part.report.machine = report.machine;
            part.report.date = report.date;
            part.report.command = report.command;
        }
        parts[at->second].report.results.push_back(row);
    }
    return parts;
}

std::string conditionsHtml(const TimingReport& report) {
    std::string html = "<h2 id=\"conditions\">Conditions</h2>\n";
    std::vector<std::string> lines;
    if (!report.compiler.empty() || !report.build.empty())
        lines.push_back(fmt::format("Warpscope {}{}, {} {}", report.programVersion,
                                    report.commit.empty() ? "" : " of commit " + report.commit,
                                    report.compiler, report.build));
    if (!report.pinned.empty()) lines.push_back("pinned: " + report.pinned);
    if (!report.before || !report.after) {
        lines.emplace_back("Conditions around the run are not known.");
        return html + list(lines);
    }
    const auto described = describeConditions(*report.before, *report.after);
    lines.insert(lines.end(), described.begin(), described.end());
    html += paragraph(fmt::format("From {} to {}.", report.before->time, report.after->time)) +
            list(lines);
    const std::vector<std::string> doubts = warnings(*report.before, *report.after);
    for (const std::string& doubt : doubts)
        html += fmt::format("<p class=\"warning\" role=\"note\"><b>Doubtful:</b> {}</p>\n",
                            svgEscaped(doubt));
    return doubts.empty() ? html + paragraph("Nothing is known that makes the figures doubtful.")
                          : html;
}

std::string methodHtml(const TimingReport& report) {
    int fewest = 0, most = 0;
    for (const StepTiming& row : report.results) {
        if (!row.measured()) continue;
        fewest = fewest == 0 ? row.time.rounds : std::min(fewest, row.time.rounds);
        most = std::max(most, row.time.rounds);
    }
    std::string html = "<h2 id=\"method\">How it was measured</h2>\n";
    if (most >= 2)
        html += paragraph(fmt::format(
            "Each row was sampled in {} rounds, which took turns with those of all other rows, so "
            "that what changes on the machine meets all of them. Its figure is the median of the "
            "medians of its rounds, with a 95% interval from how far these lie apart. A row whose "
            "interval is wider than {:.0f}% of its median is marked noisy, and its speedups are "
            "given as ranges. The interval covers the scatter between the rounds of this run: a "
            "machine that is busier, hotter or clocked otherwise another time is not in it.",
            fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most),
            100 * kNoisyAbove));
    else
        html += paragraph(
            "The samples of each row were taken at one moment, without rounds. Its figure is their "
            "median. How far another run would come out is not known: there are no intervals, and "
            "no row is marked noisy.");
    return html + paragraph(fmt::format(
                      "Speedups are first against the fastest that the CPU was measured to do the "
                      "same with, whatever the variant, and are given only where results agree "
                      "with those of one thread. {}",
                      drawRule()));
}

std::string breakEvenHtml(const TimingReport& report) {
    std::vector<std::string> lines;
    for (const BreakEven& found : breakEven(report.results)) {
        const std::string words = describe(found);
        if (words.empty()) continue;
        lines.push_back(fmt::format("{}{}{}, {}, {}: {}", found.step.variant,
                                    found.step.parameters.values().empty() ? "" : ", ",
                                    parameterText(found.step.parameters),
                                    formatWords(found.step.format),
                                    found.step.cold ? "cold" : "warm", words));
    }
    if (!lines.empty()) return "<h3>Break-even</h3>\n" + list(lines);
    const auto noisyCpu = [](const StepTiming& row) { return !row.ofGpu() && row.noisy(); };
    if (!std::any_of(report.results.begin(), report.results.end(), noisyCpu)) return {};
    return "<h3>Break-even</h3>\n" + paragraph("None is said: rows of the CPU are noisy.");
}

std::string comparisonHtml(const std::vector<PlotSource>& sources,
                           const HtmlComparison& comparison) {
    std::string html = "<h2 id=\"comparison\">Comparison</h2>\n";
    const auto add = [&](const PlotSource& b) {
        const RatioTable made = ratioTable(sources[0], b, comparison.left, comparison.right);
        for (const std::string& line : made.heading) html += paragraph(line);
        if (!made.table.lines.empty()) html += tableHtml(made.table, "Ratios, row by row");
    };
    if (sources.size() == 1) add(sources[0]);
    for (std::size_t i = 1; i < sources.size(); ++i) add(sources[i]);
    return html;
}

// The others lie beside each part where they have anything alike.
std::vector<PlotSource> besides(const std::vector<PlotSource>& sources, const TimingReport& part) {
    std::vector<PlotSource> of = sources;
    of.front().report = &part;
    return of;
}

// Of operations that have automatic rows, those alone.
Plot withoutVariants(Plot plot) {
    std::set<std::size_t> automatic;
    for (const PlotLine& line : plot.lines)
        if (!line.thin) automatic.insert(line.panel);
    std::erase_if(plot.lines, [&](const PlotLine& line) {
        return line.thin && automatic.contains(line.panel);
    });
    // Along an axis that is low for lack of variants.
    plot.valueTitle = "speedup, times";
    return plot;
}

std::string partHtml(const std::vector<PlotSource>& sources, const Part& part, bool open) {
    const std::vector<PlotSource> of = besides(sources, part.report);
    const std::vector<Sweep> sweeps = sweepsOf(part.report);
    std::string html = fmt::format("<h2 id=\"{}\">{}</h2>\n", part.id, svgEscaped(part.title));
    for (const Sweep& sweep : sweeps) html += figure(sweepPlot(of, sweep));
    // A line a value of a sweep would say the same less well.
    if (sweeps.empty()) html += figure(timePlot(of));
    const Plot faster = speedupPlot(of, std::nullopt);
    if (sweeps.empty() && std::ranges::any_of(faster.lines, &PlotLine::thin))
        html += figure(faster);
    html += rowsHtml(part.report.results, part.report.machine, part.report.command, open);
    return html + (sweeps.empty() ? breakEvenHtml(part.report) : "");
}

std::string pictureHtml(const HtmlPicture& picture) {
    if (picture.empty()) return {};
    const Operation* operation = findOperation(picture.operation);
    const std::string what =
        fmt::format("{}{}{}", operation ? operation->description().label : picture.operation,
                    picture.parameters.empty() ? "" : ", ", picture.parameters);
    const auto image = [&](const std::string& png, std::string_view alt) {
        return fmt::format(
            "<img width=\"{}\" height=\"{}\" alt=\"{}\" "
            "src=\"data:image/png;base64,{}\">",
            picture.size.width, picture.size.height, svgEscaped(alt), png);
    };
    return fmt::format(
        "<h2 id=\"picture\">Before and after</h2>\n<figure><div class=\"pair\">{}{}</div>"
        "<figcaption>{} of the program's own scene, {} x {} pixels, computed by the CPU when this "
        "report was written.</figcaption></figure>\n",
        image(picture.before, "The scene before the filter"),
        image(picture.after, "The scene after " + what), svgEscaped(what), picture.size.width,
        picture.size.height);
}

std::string headHtml(const std::vector<PlotSource>& sources) {
    const TimingReport& report = *sources.front().report;
    std::string html = "<h1>Benchmark of image operations on CPU and GPU</h1>\n" +
                       fmt::format("<p>{}<br><span class=\"weak\">{}</span></p>\n",
                                   svgEscaped(machineText(report)), svgEscaped(report.date));
    for (std::size_t i = 1; i < sources.size(); ++i)
        html += fmt::format(
            "<p class=\"weak\">beside it {}: {}, {}</p>\n", svgEscaped(sources[i].name),
            svgEscaped(machineText(*sources[i].report)), svgEscaped(sources[i].report->date));
    if (!report.complete)
        html += fmt::format(
            "<p class=\"warning\" role=\"note\"><b>Stopped before the end:</b> {} of {} rows, not "
            "all with all rounds.</p>\n",
            report.results.size(),
            report.rowsPlanned > 0 ? fmt::format("{}", report.rowsPlanned) : "an unknown number");
    std::size_t noisy = 0, figures = 0;
    for (const StepTiming& row : report.results) {
        noisy += row.noisy();
        figures += row.measured();
    }
    html += paragraph(fmt::format("{} rows, {} with figures, {} of them noisy.",
                                  report.results.size(), figures, noisy));
    if (!report.command.empty())
        html += "<p>The command that made it:</p>\n" + commandHtml(report.command);
    return html;
}

}  // namespace

std::string toHtml(const std::vector<PlotSource>& sources, const HtmlPicture& picture,
                   const HtmlComparison& comparison) {
    const TimingReport& report = *sources.front().report;
    const std::vector<Part> parts = partsOf(report);
    const bool published = std::any_of(report.results.begin(), report.results.end(),
                                       [](const auto& row) { return !row.experiment.empty(); });
    std::string html = headHtml(sources) + "<nav>";
    const auto link = [&](std::string_view id, std::string_view text) {
        html += fmt::format("<a href=\"#{}\">{}</a> ", id, svgEscaped(text));
    };
    for (const Part& part : parts) link(part.id, part.title);
    const std::string roofline = rooflineHtml(report);
    if (!roofline.empty()) link("roofline", "Roofline");
    if (comparison.wanted) link("comparison", "Comparison");
    if (published) link("published", "Published figures");
    html += "</nav>\n" + conditionsHtml(report) + methodHtml(report) + pictureHtml(picture);
    const Plot faster = speedupPlot(sources, std::nullopt);
    // Every value of a sweep is a line of its own there, which nobody can read.
    if (!faster.empty() && sweepsOf(report).empty()) {
        const Plot ours = withoutVariants(faster);
        html += "<h2 id=\"speedups\">Speedups</h2>\n" + figure(ours);
        if (ours.lines.size() < faster.lines.size())
            html += paragraph("Variants other than the automatic one are compared below.");
    }
    html += roofline;
    const bool open = report.results.size() <= kMostOpenRows;
    for (const Part& part : parts) html += partHtml(sources, part, open);
    if (comparison.wanted) html += comparisonHtml(sources, comparison);
    if (published)
        html += "<h2 id=\"published\">Published figures beside ours</h2>\n" +
                tableHtml(publishedTable(report), "As printed in the source texts, and ours") +
                list(publishedNotes());
    return page("Benchmark, " + reportLabel(report), kHtmlStyle, html, kHtmlScript);
}

std::vector<SlideFile> slidesOf(const std::vector<Plot>& plots, const std::string& title) {
    std::vector<SlideFile> files;
    std::string body = fmt::format("<h1>{}</h1>\n", svgEscaped(title));
    for (const Plot& plot : plots)
        for (std::size_t panel = 0; panel < plot.panels.size(); ++panel) {
            const std::string name = fmt::format("slide-{:02}.svg", files.size() + 1);
            body += fmt::format("<p><img src=\"{}\" width=\"{}\" height=\"{}\" alt=\"{}\"></p>\n",
                                name, kSlideWidth, kSlideHeight,
                                svgEscaped(plot.title + ": " + plot.panels[panel].title()));
            files.push_back({name, toSlide(panelOf(plot, panel))});
        }
    if (files.empty()) return files;
    constexpr std::string_view kStyle =
        "body{margin:0 auto;max-width:1600px;font:18px/1.5 system-ui,sans-serif;color:#202020;"
        "background:#fff;padding:16px}img{max-width:100%;height:auto;border:1px solid #ddd}"
        "@media print{h1{display:none}body{padding:0}p{margin:0;break-after:page}img{border:0}}";
    files.push_back({"index.html", page(title, kStyle, body, {})});
    return files;
}

}  // namespace warpscope
