#include "cli/bench_report.h"

#include <fmt/format.h>

#include "engine/report/break_even.h"
#include "engine/report/comparison.h"
#include "engine/report/published_table.h"
#include "engine/report/report_file.h"
#include "engine/report/report_text.h"
#include "engine/report/text_table.h"

namespace warpscope::cli {
namespace {

std::string section(std::string_view title, bool markdown) {
    return markdown ? fmt::format("\n## {}\n\n", title) : fmt::format("\n{}\n\n", title);
}

std::string breakEvenText(const TimingReport& report, bool markdown) {
    std::string text;
    for (const BreakEven& found : breakEven(report.results)) {
        const StepTiming& step = found.step;
        std::string name = step.operation;
        if (step.variant != kAutomaticVariant) name += ", " + step.variant;
        name += fmt::format(", {}, {}", formatName(step.format), step.cold ? "cold" : "warm");
        text += fmt::format("{}{}: {}\n", markdown ? "- " : "  ", name, describe(found));
    }
    return text;
}

bool hasExperiments(const TimingReport& report) {
    for (const StepTiming& row : report.results)
        if (!row.experiment.empty()) return true;
    return false;
}

}  // namespace

std::string benchText(const TimingReport& report, std::string_view format, bool published) {
    if (format == "json") return toJson(report);
    if (format == "csv") return toCsv(report);
    const bool markdown = format == "markdown";
    std::string text =
        markdown ? toMarkdown(report) : machineText(report) + "\n\n" + toTable(report);
    if (const std::string words = breakEvenText(report, markdown); !words.empty())
        text += section("Break-even", markdown) + words;
    if (published || hasExperiments(report))
        text += section("Published figures beside ours", markdown) +
                (markdown ? toPublishedMarkdown(report) : toPublishedTable(report));
    return text;
}

std::string ratioText(const TimingReport& report, const std::vector<TimingReport>& others,
                      std::string_view format) {
    const bool markdown = format == "markdown";
    std::string text;
    for (const TimingReport& other : others)
        text += section("Comparison", markdown) +
                (markdown ? toRatioMarkdown(report, other) : toRatioTable(report, other));
    return text;
}

}  // namespace warpscope::cli
