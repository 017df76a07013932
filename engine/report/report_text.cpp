#include "engine/report/report_text.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "engine/measure/roofline.h"
#include "engine/report/break_even.h"
#include "engine/report/peer_table.h"
#include "engine/report/report_file.h"
#include "engine/report/report_tables.h"
#include "engine/report/text_table.h"

namespace warpscope {
namespace {

std::string speedupText(const std::vector<Speedup>& ofRow, const StepTiming& row) {
    std::string text;
    for (const Speedup& speedup : ofRow) {
        const std::string what = row.ofGpu() ? shortSubjectText(speedup.subject) + " " : "";
        text += fmt::format("{}{}{} {}", text.empty() ? "" : "; ", what, factorText(speedup),
                            baselineText(speedup, row.variant));
    }
    return text;
}

const Cells& tableHeader() {
    static const Cells header = {"operation", "variant",    "parameters", "image",      "backend",
                                 "cache",     "median ms",  "95% from",   "to",         "p10",
                                 "p90",       "n",          "rounds",     "first call", "upload",
                                 "download",  "end to end", "GB/s",       "% of copy",  "J/MP",
                                 "method",    "steady",     "agreement",  "faster than"};
    return header;
}

constexpr std::size_t kFirstNumber = 6;
constexpr std::size_t kLastNumber = 19;

std::string methodText(const StepTiming& row) {
    return row.launches > 1 ? fmt::format("{} of {}", row.method, row.launches) : row.method;
}

Cells tableRow(const TimingReport& report, const StepTiming& row,
               const std::vector<Speedup>& ofRow) {
    Cells cells = {row.operation,  row.variant,      parameterText(row.parameters),
                   imageText(row), backendText(row), row.cold ? "cold" : "warm"};
    if (!row.imageName.empty()) cells[3] += ", " + row.imageName;
    if (!row.measured()) {
        cells.resize(tableHeader().size() - 2);
        cells.push_back(row.error.empty() ? "skipped: no samples" : row.error);
        cells.emplace_back();
        return cells;
    }
    const bool gpu = row.backend == BackendKind::Cuda;
    const double percent = copyPercent(row, report.machine);
    const bool known = row.time.intervalKnown();
    cells.push_back(msText(row.time.medianMs));
    cells.push_back(known ? msText(row.time.lowMs) : "");
    cells.push_back(known ? msText(row.time.highMs) : "");
    for (const double ms : {row.time.p10Ms, row.time.p90Ms}) cells.push_back(msText(ms));
    cells.push_back(fmt::format("{}", row.time.n));
    cells.push_back(fmt::format("{}", row.time.rounds));
    cells.push_back(msText(row.firstCallMs));
    cells.push_back(gpu ? msText(row.uploadMs) : "");
    cells.push_back(gpu ? msText(row.downloadMs) : "");
    cells.push_back(msText(row.endToEndMs));
    cells.push_back(gbPerSText(row.gbPerS));
    cells.push_back(percent > 100 * kBeyondCopying ? "cache"
                    : percent > 0                  ? fmt::format("{:.0f}%", percent)
                                                   : "-");
    cells.push_back(row.joulesPerMegapixel > 0 ? fmt::format("{:.3g}", row.joulesPerMegapixel)
                                               : "");
    cells.push_back(methodText(row));
    cells.push_back(steadyText(row));
    cells.push_back(describe(row.agreement));
    cells.push_back(speedupText(ofRow, row));
    return cells;
}

TextTable tableOf(const TimingReport& report) {
    TextTable table{{tableHeader()}, kFirstNumber, kLastNumber};
    const std::vector<std::vector<Speedup>> ofRows = speedupsOfRows(report.results);
    for (std::size_t i = 0; i < report.results.size(); ++i)
        table.lines.push_back(tableRow(report, report.results[i], ofRows[i]));
    return table;
}

std::string section(std::string_view title, bool markdown) {
    return markdown ? fmt::format("\n## {}\n\n", title) : fmt::format("\n{}\n\n", title);
}

std::string breakEvenText(const TimingReport& report, bool markdown) {
    std::string text;
    const std::vector<BreakEven> all = breakEven(report.results);
    if (!all.empty())
        text += fmt::format("{}{}\n", markdown ? "" : "  ", drawRule()) + (markdown ? "\n" : "");
    for (const BreakEven& found : all) {
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

// Names and contents of a row's cells. Later versions add some at the end.
std::vector<std::pair<const char*, std::string>> csvFields(const StepTiming& row,
                                                           const MachineInfo& machine) {
    const Agreement& agreement = row.agreement;
    const bool compared = agreement.verdict != Verdict::NotCompared;
    const bool noise = compared && agreement.differing > 0;
    const bool place = agreement.firstX >= 0;
    const double percent = copyPercent(row, machine);
    const auto whole = [](auto value) { return fmt::format("{}", value); };
    const auto number = [&](double value) {
        return row.measured() && std::isfinite(value) ? fmt::format("{}", value) : "";
    };
    return {
        {"operation", row.operation},
        {"variant", row.variant},
        {"parameters", parameterText(row.parameters)},
        {"image_hash", fmt::format("{:016x}", row.imageHash)},
        {"method", row.method},
        {"backend_requested", row.backendRequested.id()},
        {"backend", row.backend.id()},
        {"fallback_reason", row.error.empty() ? row.fallbackReason : row.error},
        {"threads", whole(row.threads)},
        {"width", whole(row.width)},
        {"height", whole(row.height)},
        {"format", std::string(formatName(row.format))},
        {"cold", row.cold ? "true" : "false"},
        {"n", whole(row.time.n)},
        {"median_ms", number(row.time.medianMs)},
        {"p10_ms", number(row.time.p10Ms)},
        {"p90_ms", number(row.time.p90Ms)},
        {"first_call_ms", number(row.firstCallMs)},
        {"upload_ms", number(row.uploadMs)},
        {"kernel_ms", number(row.kernelMs)},
        {"download_ms", number(row.downloadMs)},
        {"end_to_end_ms", number(row.endToEndMs)},
        {"bytes_moved", whole(row.bytesMoved)},
        {"gb_per_s", number(row.gbPerS)},
        {"verdict", std::string(verdictId(agreement.verdict))},
        {"max_difference", compared ? number(agreement.maxDifference) : ""},
        {"differing", compared ? whole(agreement.differing) : ""},
        {"psnr_db", noise ? number(agreement.psnrDb) : ""},
        {"launches", whole(row.launches)},
        {"inputs", whole(row.inputs)},
        {"image", row.imageName},
        {"experiment", row.experiment},
        {"peer", row.peer},
        {"copy_percent", percent > 0 ? number(percent) : ""},
        {"first_x", place ? whole(agreement.firstX) : ""},
        {"first_y", place ? whole(agreement.firstY) : ""},
        {"threads_worked", row.threadsWorked > 0 ? whole(row.threadsWorked) : ""},
        {"rounds", whole(row.time.rounds)},
        {"low_ms", row.time.intervalKnown() ? number(row.time.lowMs) : ""},
        {"high_ms", row.time.intervalKnown() ? number(row.time.highMs) : ""},
        {"end_to_end_low_ms", row.endToEnd.intervalKnown() ? number(row.endToEnd.lowMs) : ""},
        {"end_to_end_high_ms", row.endToEnd.intervalKnown() ? number(row.endToEnd.highMs) : ""},
        {"noisy", row.time.intervalKnown() ? (row.noisy() ? "true" : "false") : ""},
        {"end_to_end_noisy",
         row.endToEnd.intervalKnown() ? (row.endToEnd.noisy() ? "true" : "false") : ""},
        {"joules_per_megapixel", row.joulesPerMegapixel > 0 ? number(row.joulesPerMegapixel) : ""}};
}

}  // namespace

double copyPercent(const StepTiming& row, const MachineInfo& machine) {
    if (!row.measured()) return 0;
    const double copy = row.ofGpu()                                ? machine.copyGbpsGpu
                        : row.threads == 1 && machine.threads != 1 ? machine.copyGbpsCpuSingle
                                                                   : machine.copyGbpsCpu;
    const double percent = copy > 0 ? 100 * row.gbPerS / copy : 0;
    return std::isfinite(percent) ? percent : 0;
}

std::string toCsv(const TimingReport& report) {
    Cells cells;
    for (const auto& [name, content] : csvFields({}, {})) cells.emplace_back(name);
    std::string text = csvLine(cells);
    for (const StepTiming& row : report.results) {
        cells.clear();
        for (auto& [name, content] : csvFields(row, report.machine))
            cells.push_back(std::move(content));
        text += csvLine(cells);
    }
    return text;
}

std::string toMarkdown(const TimingReport& report) {
    return machineText(report) + "\n\n" + markdownText(tableOf(report));
}

std::string toTable(const TimingReport& report) {
    return alignedText(tableOf(report));
}

std::string resultText(const TimingReport& report, std::string_view format, bool published) {
    if (format == "json") return toJson(report);
    if (format == "jsonl") return toJsonLines(report);
    if (format == "csv") return toCsv(report);
    const bool markdown = format == "markdown";
    std::string text =
        markdown ? toMarkdown(report) : machineText(report) + "\n\n" + toTable(report);
    if (report.before && report.after) {
        text += section("Conditions", markdown);
        const char* bullet = markdown ? "- " : "  ";
        if (!report.pinned.empty()) text += fmt::format("{}pinned: {}\n", bullet, report.pinned);
        for (const std::string& line : describeConditions(*report.before, *report.after))
            text += fmt::format("{}{}\n", bullet, line);
        for (const std::string& line : warnings(*report.before, *report.after))
            text += fmt::format("{}doubtful: {}\n", bullet, line);
    }
    if (!report.complete)
        text += fmt::format("\nStopped before the end: {} of {} rows, not all with all rounds.\n",
                            report.results.size(),
                            report.rowsPlanned > 0 ? fmt::format("{}", report.rowsPlanned) : "?");
    if (const std::string words = breakEvenText(report, markdown); !words.empty())
        text += section("Break-even", markdown) + words;
    if (const TextTable peers = peerTable(report); !peers.lines.empty()) {
        text += section("Other libraries", markdown) +
                (markdown ? markdownText(peers) : alignedText(peers)) + "\n";
        for (const std::string& note : peerNotes()) text += fmt::format("- {}\n", note);
    }
    if (published || hasExperiments(report))
        text += section("Published figures beside ours", markdown) +
                (markdown ? toPublishedMarkdown(report) : toPublishedTable(report));
    return text;
}

std::string comparisonText(const PlotSource& report, const std::vector<PlotSource>& others,
                           std::string_view format, const RowChoice& left, const RowChoice& right) {
    const bool markdown = format == "markdown";
    std::string text;
    for (const PlotSource& other : others)
        text += section("Comparison", markdown) + (markdown
                                                       ? toRatioMarkdown(report, other, left, right)
                                                       : toRatioTable(report, other, left, right));
    return text;
}

}  // namespace warpscope
