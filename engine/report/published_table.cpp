#include "engine/report/published_table.h"

#include <fmt/format.h>

#include "engine/report/text_table.h"

namespace warpscope {
namespace {

// As it was printed, with "about" where the text said so.
std::string printed(const PublishedFigure& figure, const char* unit) {
    if (!figure.known()) return "-";
    return fmt::format("{}{:.{}f}{}", figure.approximate ? "about " : "", figure.value,
                       figure.decimals, unit);
}

std::string ours(const StepTiming& row, double ms) {
    return row.measured() ? msText(ms) : "-";
}

// Against one thread, as the texts did it, for the kernels alone and end to end.
std::string oursFaster(const PublishedComparison& line) {
    std::string text;
    for (const Speedup& speedup : speedups({line.single, line.gpu}))
        text +=
            fmt::format("{}{} {}", text.empty() ? "" : ", ", ratioText(speedup.factor),
                        speedup.subject == SpeedupSubject::GpuEndToEnd ? "end to end" : "kernels");
    if (text.empty() && line.gpu.measured() && !line.gpu.agreement.allowsSpeedup())
        return describe(line.gpu.agreement);
    return text.empty() ? "-" : text;
}

TextTable publishedTableOf(const TimingReport& report) {
    TextTable table{{{"experiment", "image", "method", "printed CPU ms", "printed GPU ms",
                      "printed speedup", "1 thread ms", "all cores ms", "GPU kernels ms",
                      "GPU end to end ms", "GPU against 1 thread", "measured then on"}},
                    3,
                    9};
    for (const PublishedComparison& line : publishedComparison(report)) {
        const PublishedExperiment& e = *line.experiment;
        const PublishedRow& r = *line.row;
        const std::string machine =
            e.cpuName.empty() ? "not known" : e.cpuName + " and " + e.gpuName;
        table.lines.push_back({e.title, fmt::format("{}x{}", r.size.width, r.size.height), r.method,
                               printed(r.cpuMs, ""), printed(r.gpuMs, ""), printed(r.speedup, "x"),
                               ours(line.single, line.single.time.medianMs),
                               ours(line.cores, line.cores.time.medianMs),
                               ours(line.gpu, line.gpu.kernelMs),
                               ours(line.gpu, line.gpu.endToEndMs), oursFaster(line), machine});
    }
    return table;
}

// What a reader must know, once each.
std::string notes(const char* bullet) {
    std::string text =
        "The printed figures were measured by their authors on the machines named in the last "
        "column; they are never one side of our speedups.\n";
    for (const PublishedExperiment& e : publishedExperiments()) {
        if (!e.note.empty()) text += fmt::format("{}{}: {}.\n", bullet, e.title, e.note);
        for (const PublishedRow& row : e.rows)
            if (!row.note.empty()) text += fmt::format("{}{}: {}.\n", bullet, e.title, row.note);
    }
    return text;
}

}  // namespace

std::vector<PublishedComparison> publishedComparison(const TimingReport& report) {
    std::vector<PublishedComparison> lines;
    for (const PublishedExperiment& experiment : publishedExperiments()) {
        for (const PublishedRow& published : experiment.rows) {
            PublishedComparison line{&experiment, &published, {}, {}, {}};
            for (const StepTiming& row : report.results) {
                const bool same = row.experiment == experiment.id && row.measured() &&
                                  row.peer.empty() && row.variant == published.variant &&
                                  Size{row.width, row.height} == published.size;
                if (!same) continue;
                StepTiming* place = row.backend == BackendKind::CpuSingle ? &line.single
                                    : row.backend == BackendKind::Cpu     ? &line.cores
                                    : row.backend == BackendKind::Cuda    ? &line.gpu
                                                                          : nullptr;
                if (place && (!place->measured() || place->cold)) *place = row;
            }
            lines.push_back(std::move(line));
        }
    }
    return lines;
}

std::string toPublishedTable(const TimingReport& report) {
    return alignedText(publishedTableOf(report)) + "\n" + notes("  ");
}

std::string toPublishedMarkdown(const TimingReport& report) {
    return markdownText(publishedTableOf(report)) + "\n" + notes("- ");
}

}  // namespace warpscope
