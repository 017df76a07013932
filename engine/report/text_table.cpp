#include "engine/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/figures.h"

namespace warpscope {
namespace {

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

std::string csvCell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + "\"";
}

}  // namespace

std::string csvLine(const Cells& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) line += (i ? "," : "") + csvCell(cells[i]);
    return line + "\n";
}

std::string alignedText(const TextTable& table) {
    if (table.lines.empty()) return "";
    std::vector<std::size_t> widths(table.lines.front().size());
    for (const Cells& line : table.lines)
        for (std::size_t c = 0; c < line.size(); ++c)
            widths[c] = std::max(widths[c], characters(line[c]));
    std::string text;
    for (const Cells& line : table.lines) {
        std::string out;
        for (std::size_t c = 0; c < line.size(); ++c) {
            const std::string padding(widths[c] - characters(line[c]), ' ');
            out += c ? "  " : "";
            out += table.isNumber(c) ? padding + line[c] : line[c] + padding;
        }
        out.erase(out.find_last_not_of(' ') + 1);
        text += out + "\n";
    }
    return text;
}

std::string markdownText(const TextTable& table) {
    std::string text;
    for (std::size_t l = 0; l < table.lines.size(); ++l) {
        text += "|";
        for (const std::string& cell : table.lines[l])
            text += fmt::format(" {} |", markdownCell(cell));
        text += "\n";
        if (l > 0) continue;
        text += "|";
        for (std::size_t c = 0; c < table.lines[0].size(); ++c)
            text += table.isNumber(c) ? "---:|" : "---|";
        text += "\n";
    }
    return text;
}

std::string gbPerSText(double gbPerS) {
    return gbPerS > 0 ? fmt::format("{:.{}f}", gbPerS, std::max(0, decimalsOfThreeDigits(gbPerS)))
                      : "-";
}

std::string copyNoisyText(double gbps, const CopyInterval& interval) {
    if (!copyNoisy(gbps, interval)) return {};
    return fmt::format(" (noisy: {:.3g} to {:.3g})", interval.low, interval.high);
}

std::string machineText(const TimingReport& report) {
    const MachineInfo& machine = report.machine;
    std::string line =
        fmt::format("{}, {} threads, {}", machine.cpu, machine.threads, machine.simd);
    if (machine.copyGbpsCpu > 0)
        line += fmt::format(", copies {:.3g} GB/s{}", machine.copyGbpsCpu,
                            copyNoisyText(machine.copyGbpsCpu, machine.copyIntervalCpu));
    line += machine.gpu.empty() ? "; no GPU" : "; " + machine.gpu;
    if (machine.copyGbpsGpu > 0)
        line += fmt::format(", copies {:.4g} GB/s{}", machine.copyGbpsGpu,
                            copyNoisyText(machine.copyGbpsGpu, machine.copyIntervalGpu));
    if (!machine.driver.empty()) line += ", driver " + machine.driver;
    if (!machine.cuda.empty()) line += ", CUDA " + machine.cuda;
    return line;
}

std::string subjectText(SpeedupSubject subject) {
    const bool gpu = subject != SpeedupSubject::AllCores;
    return (gpu ? "GPU " : "") + shortSubjectText(subject);
}

std::string shortSubjectText(SpeedupSubject subject) {
    switch (subject) {
        case SpeedupSubject::AllCores:
            return "all cores";
        case SpeedupSubject::GpuKernels:
            return "kernel only";
        case SpeedupSubject::GpuEndToEnd:
            return "end to end";
    }
    return "";
}

std::string factorText(const Speedup& speedup) {
    if (!speedup.ranged()) return ratioText(speedup.factor);
    std::string low = ratioText(speedup.low);
    low.pop_back();
    return fmt::format("{} to {}", low, ratioText(speedup.high));
}

std::string workedText(int offered, int worked) {
    return workedText(offered, worked, worked);
}

std::string workedText(int offered, int fewest, int most) {
    if (fewest <= 0 || most <= 0 || fewest >= offered) return threadsText(offered);
    const std::string worked =
        fewest == most ? fmt::format("{}", fewest) : fmt::format("{} to {}", fewest, most);
    return fmt::format("{} of {}", worked, threadsText(offered));
}

std::string offeredText(int offered, int worked) {
    if (worked <= 0 || worked >= offered) return threadsText(offered);
    return fmt::format("{} offered, {} worked", threadsText(offered), worked);
}

std::string baselineText(const Speedup& speedup, std::string_view variant) {
    const std::string threads = workedText(speedup.baselineOffered, speedup.baselineThreads);
    // All cores against one of them.
    if (!speedup.ofGpu() && speedup.baselineVariant == variant) return threads;
    if (!speedup.best) return variant == kAutomaticVariant ? threads : "same algorithm, " + threads;
    if (speedup.baselineVariant == kAutomaticVariant) return fmt::format("best CPU ({})", threads);
    return fmt::format("best CPU ({}, {})", speedup.baselineVariant, threads);
}

std::string steadyText(const StepTiming& row) {
    if (!row.measured()) return "";
    if (!row.time.intervalKnown()) return row.time.rounds == 1 ? "one round" : "not known";
    std::string text =
        fmt::format("{}: {:.1f}%", row.noisy() ? "noisy" : "steady", 100 * row.time.width());
    if (row.ofGpu() && row.endToEnd.noisy())
        text += fmt::format(", end to end noisy: {:.1f}%", 100 * row.endToEnd.width());
    return text;
}

std::string reasonText(const StepTiming& row) {
    constexpr std::string_view kPrefix = "skipped: ";
    const std::string& text = row.error.empty() ? row.fallbackReason : row.error;
    return text.starts_with(kPrefix) ? text.substr(kPrefix.size()) : text;
}

std::string imageText(const StepTiming& row) {
    return fmt::format("{}x{} {}", row.width, row.height, formatName(row.format));
}

std::string backendText(const StepTiming& row) {
    std::string text = row.backendRequested.id();
    if (row.backend != row.backendRequested && !row.backend.empty())
        text += " -> " + row.backend.id();
    // What was offered counts little where fewer found work.
    if (row.threads > 0)
        text += row.threadsWorked > 0 && row.threadsWorked < row.threads
                    ? fmt::format(" ({} of {})", row.threadsWorked, row.threads)
                    : fmt::format(" ({})", row.threads);
    if (!row.peer.empty()) text += ", " + row.peer;
    return text;
}

}  // namespace warpscope
