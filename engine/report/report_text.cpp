#include "engine/report/report_text.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "engine/report/break_even.h"
#include "engine/report/comparison.h"
#include "engine/report/published_table.h"
#include "engine/report/report_file.h"
#include "engine/report/text_table.h"

namespace warpscope {
namespace {

std::string csvCell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + "\"";
}

std::string csvLine(const Cells& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) line += (i ? "," : "") + csvCell(cells[i]);
    return line + "\n";
}

// The speedups whose subject is the backend of this row, naming what they are measured against.
std::string speedupText(const std::vector<Speedup>& ofStep, const StepTiming& row) {
    if (!row.peer.empty()) return "";
    const bool gpu = row.backend == BackendKind::Cuda;
    if (!gpu && row.backend != BackendKind::Cpu) return "";
    std::string text;
    for (const Speedup& speedup : ofStep) {
        if (speedup.ofGpu() != gpu) continue;
        const std::string what = gpu ? shortSubjectText(speedup.subject) + " " : "";
        text += fmt::format("{}{}{} {}", text.empty() ? "" : "; ", what, ratioText(speedup.factor),
                            threadsText(speedup.baselineThreads));
    }
    return text;
}

const Cells& tableHeader() {
    static const Cells header = {"operation",  "variant",   "parameters", "image",      "backend",
                                 "cache",      "median ms", "p10",        "p90",        "n",
                                 "first call", "upload",    "download",   "end to end", "GB/s",
                                 "% of copy",  "method",    "agreement",  "faster than"};
    return header;
}

constexpr std::size_t kFirstNumber = 6;
constexpr std::size_t kLastNumber = 15;

std::string methodText(const StepTiming& row) {
    return row.launches > 1 ? fmt::format("{} of {}", row.method, row.launches) : row.method;
}

Cells tableRow(const TimingReport& report, const StepTiming& row,
               const std::vector<Speedup>& ofStep) {
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
    for (const double ms : {row.time.medianMs, row.time.p10Ms, row.time.p90Ms})
        cells.push_back(msText(ms));
    cells.push_back(fmt::format("{}", row.time.n));
    cells.push_back(msText(row.firstCallMs));
    cells.push_back(gpu ? msText(row.uploadMs) : "");
    cells.push_back(gpu ? msText(row.downloadMs) : "");
    cells.push_back(msText(row.endToEndMs));
    cells.push_back(row.gbPerS > 0 ? fmt::format("{:.3g}", row.gbPerS) : "-");
    cells.push_back(percent > 0 ? fmt::format("{:.0f}%", percent) : "-");
    cells.push_back(methodText(row));
    cells.push_back(describe(row.agreement));
    cells.push_back(speedupText(ofStep, row));
    return cells;
}

TextTable tableOf(const TimingReport& report) {
    TextTable table{{tableHeader()}, kFirstNumber, kLastNumber};
    std::map<StepKey, std::vector<StepTiming>> steps;
    for (const StepTiming& row : report.results) steps[keyOf(row)].push_back(row);
    std::map<StepKey, std::vector<Speedup>> ofSteps;
    for (const auto& [key, rows] : steps) ofSteps[key] = speedups(rows);
    for (const StepTiming& row : report.results)
        table.lines.push_back(tableRow(report, row, ofSteps[keyOf(row)]));
    return table;
}

std::string numberCell(const StepTiming& row, double value) {
    return row.measured() && std::isfinite(value) ? fmt::format("{}", value) : "";
}

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

double copyPercent(const StepTiming& row, const MachineInfo& machine) {
    if (!row.measured()) return 0;
    const double copy = row.backend == BackendKind::Cuda           ? machine.copyGbpsGpu
                        : row.threads == 1 && machine.threads != 1 ? machine.copyGbpsCpuSingle
                                                                   : machine.copyGbpsCpu;
    const double percent = copy > 0 ? 100 * row.gbPerS / copy : 0;
    return std::isfinite(percent) ? percent : 0;
}

std::string toCsv(const TimingReport& report) {
    std::string text = csvLine({"operation",   "variant",
                                "parameters",  "image_hash",
                                "method",      "backend_requested",
                                "backend",     "fallback_reason",
                                "threads",     "width",
                                "height",      "format",
                                "cold",        "n",
                                "median_ms",   "p10_ms",
                                "p90_ms",      "first_call_ms",
                                "upload_ms",   "kernel_ms",
                                "download_ms", "end_to_end_ms",
                                "bytes_moved", "gb_per_s",
                                "verdict",     "max_difference",
                                "differing",   "psnr_db",
                                "launches",    "inputs",
                                "image",       "experiment",
                                "peer",        "copy_percent",
                                "first_x",     "first_y"});
    for (const StepTiming& row : report.results) {
        const Agreement& agreement = row.agreement;
        const bool compared = agreement.verdict != Verdict::NotCompared;
        const bool noise = compared && agreement.differing > 0;
        const bool place = agreement.firstX >= 0;
        const double percent = copyPercent(row, report.machine);
        text += csvLine({row.operation,
                         row.variant,
                         parameterText(row.parameters),
                         fmt::format("{:016x}", row.imageHash),
                         row.method,
                         row.backendRequested.id(),
                         row.backend.id(),
                         row.error.empty() ? row.fallbackReason : row.error,
                         fmt::format("{}", row.threads),
                         fmt::format("{}", row.width),
                         fmt::format("{}", row.height),
                         std::string(formatName(row.format)),
                         row.cold ? "true" : "false",
                         fmt::format("{}", row.time.n),
                         numberCell(row, row.time.medianMs),
                         numberCell(row, row.time.p10Ms),
                         numberCell(row, row.time.p90Ms),
                         numberCell(row, row.firstCallMs),
                         numberCell(row, row.uploadMs),
                         numberCell(row, row.kernelMs),
                         numberCell(row, row.downloadMs),
                         numberCell(row, row.endToEndMs),
                         fmt::format("{}", row.bytesMoved),
                         numberCell(row, row.gbPerS),
                         std::string(verdictId(agreement.verdict)),
                         compared ? numberCell(row, agreement.maxDifference) : "",
                         compared ? fmt::format("{}", agreement.differing) : "",
                         noise ? numberCell(row, agreement.psnrDb) : "",
                         fmt::format("{}", row.launches),
                         fmt::format("{}", row.inputs),
                         row.imageName,
                         row.experiment,
                         row.peer,
                         percent > 0 ? numberCell(row, percent) : "",
                         place ? fmt::format("{}", agreement.firstX) : "",
                         place ? fmt::format("{}", agreement.firstY) : ""});
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

std::string comparisonText(const TimingReport& report, const std::vector<TimingReport>& others,
                           std::string_view format) {
    const bool markdown = format == "markdown";
    std::string text;
    for (const TimingReport& other : others)
        text += section("Comparison", markdown) +
                (markdown ? toRatioMarkdown(report, other) : toRatioTable(report, other));
    return text;
}

}  // namespace warpscope
