#include "engine/measure/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpscope {
namespace {

using Cells = std::vector<std::string>;

std::string parameterText(const ParamSet& parameters) {
    std::string text;
    for (const auto& [id, value] : parameters.values())
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", id, toText(value));
    return text;
}

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

// For people: three significant digits, from nanoseconds to minutes.
std::string msText(double ms) {
    if (ms <= 0) return "-";
    if (ms < 0.01) return fmt::format("{:.4f}", ms);
    if (ms < 1) return fmt::format("{:.3f}", ms);
    if (ms < 100) return fmt::format("{:.2f}", ms);
    return fmt::format("{:.0f}", ms);
}

bool sameStep(const StepTiming& a, const StepTiming& b) {
    return a.stepIndex == b.stepIndex && a.operation == b.operation && a.variant == b.variant &&
           a.parameters == b.parameters && a.width == b.width && a.height == b.height &&
           a.format == b.format;
}

// The speedups whose subject is the backend of this row, naming what they are measured against.
std::string speedupText(const std::vector<StepTiming>& rows, const StepTiming& row) {
    std::vector<StepTiming> step;
    for (const StepTiming& other : rows)
        if (sameStep(row, other)) step.push_back(other);
    const bool gpu = row.backend == backendId(BackendKind::Cuda);
    if (!gpu && row.backend != backendId(BackendKind::Cpu)) return "";
    std::string text;
    for (const Speedup& speedup : speedups(step)) {
        const bool ofGpu = speedup.subject.starts_with("GPU");
        if (ofGpu != gpu) continue;
        const std::string what = ofGpu ? speedup.subject.substr(4) + " " : "";
        text += fmt::format("{}{}{:.3g}x {}", text.empty() ? "" : "; ", what, speedup.factor,
                            speedup.baseline);
    }
    return text;
}

const Cells& tableHeader() {
    static const Cells header = {"operation",  "variant",    "parameters", "image",
                                 "backend",    "median ms",  "p10",        "p90",
                                 "n",          "first call", "upload",     "download",
                                 "end to end", "GB/s",       "agreement",  "faster than"};
    return header;
}

constexpr std::size_t kFirstNumber = 5;
constexpr std::size_t kLastNumber = 13;

Cells tableRow(const std::vector<StepTiming>& rows, const StepTiming& row) {
    Cells cells = {row.operation, row.variant, parameterText(row.parameters),
                   fmt::format("{}x{} {}", row.width, row.height, formatName(row.format)),
                   row.backendRequested};
    if (!row.measured()) {
        cells.resize(kLastNumber + 1);
        cells.push_back(row.error.empty() ? "skipped: no samples" : row.error);
        cells.emplace_back();
        return cells;
    }
    if (row.backend != row.backendRequested && !row.backend.empty())
        cells.back() += " -> " + row.backend;
    if (row.threads > 0) cells.back() += fmt::format(" ({})", row.threads);
    const bool gpu = row.backend == backendId(BackendKind::Cuda);
    for (const double ms : {row.time.medianMs, row.time.p10Ms, row.time.p90Ms})
        cells.push_back(msText(ms));
    cells.push_back(fmt::format("{}", row.time.n));
    cells.push_back(msText(row.firstCallMs));
    cells.push_back(gpu ? msText(row.uploadMs) : "");
    cells.push_back(gpu ? msText(row.downloadMs) : "");
    cells.push_back(msText(row.endToEndMs));
    cells.push_back(row.gbPerS > 0 ? fmt::format("{:.3g}", row.gbPerS) : "-");
    cells.push_back(describe(row.agreement));
    cells.push_back(speedupText(rows, row));
    return cells;
}

std::vector<Cells> tableCells(const TimingReport& report) {
    std::vector<Cells> lines = {tableHeader()};
    for (const StepTiming& row : report.results) lines.push_back(tableRow(report.results, row));
    return lines;
}

// Columns are as wide as they look, not as many bytes as they take.
std::size_t characters(const std::string& text) {
    return std::size_t(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

std::string markdownCell(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '|') escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string machineLine(const TimingReport& report) {
    const MachineInfo& machine = report.machine;
    std::string line =
        fmt::format("{}, {} threads, {}", machine.cpu, machine.threads, machine.simd);
    line += machine.gpu.empty() ? "; no GPU" : "; " + machine.gpu;
    if (!machine.driver.empty()) line += ", driver " + machine.driver;
    if (!machine.cuda.empty()) line += ", CUDA " + machine.cuda;
    return line;
}

std::string numberCell(const StepTiming& row, double value) {
    return row.measured() && std::isfinite(value) ? fmt::format("{}", value) : "";
}

}  // namespace

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
                                "differing",   "psnr_db"});
    for (const StepTiming& row : report.results) {
        const Agreement& agreement = row.agreement;
        const bool compared = agreement.verdict != Verdict::NotCompared;
        const bool noise = compared && agreement.differing > 0;
        text += csvLine({row.operation,
                         row.variant,
                         parameterText(row.parameters),
                         fmt::format("{:016x}", row.imageHash),
                         row.method,
                         row.backendRequested,
                         row.backend,
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
                         noise ? numberCell(row, agreement.psnrDb) : ""});
    }
    return text;
}

std::string toMarkdown(const TimingReport& report) {
    std::string text = machineLine(report) + "\n\n";
    const std::vector<Cells> lines = tableCells(report);
    for (std::size_t l = 0; l < lines.size(); ++l) {
        text += "|";
        for (const std::string& cell : lines[l]) text += fmt::format(" {} |", markdownCell(cell));
        text += "\n";
        if (l > 0) continue;
        text += "|";
        for (std::size_t c = 0; c < lines[0].size(); ++c)
            text += c >= kFirstNumber && c <= kLastNumber ? "---:|" : "---|";
        text += "\n";
    }
    return text;
}

std::string toTable(const TimingReport& report) {
    const std::vector<Cells> lines = tableCells(report);
    std::vector<std::size_t> widths(tableHeader().size());
    for (const Cells& line : lines)
        for (std::size_t c = 0; c < line.size(); ++c)
            widths[c] = std::max(widths[c], characters(line[c]));
    std::string text;
    for (const Cells& line : lines) {
        std::string out;
        for (std::size_t c = 0; c < line.size(); ++c) {
            const std::string padding(widths[c] - characters(line[c]), ' ');
            const bool right = c >= kFirstNumber && c <= kLastNumber;
            out += (c ? "  " : "") + (right ? padding + line[c] : line[c] + padding);
        }
        out.erase(out.find_last_not_of(' ') + 1);
        text += out + "\n";
    }
    return text;
}

}  // namespace warpscope
