#include "cli/bench_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "engine/io/image_reader.h"
#include "engine/report/chart_svg.h"
#include "engine/report/html_report.h"
#include "engine/report/report_tables.h"
#include "engine/report/sweep.h"

namespace warpscope::cli {
namespace {

namespace fs = std::filesystem;

struct Target {
    const char* option;
    std::string file;
};

std::vector<Target> targetsOf(const BenchOptions& options) {
    std::vector<Target> targets;
    if (options.output != "-") targets.push_back({"-o", options.output});
    targets.push_back({"--chart", options.chart});
    targets.push_back({"--speedup-chart", options.speedupChart});
    targets.push_back({"--html", options.html});
    targets.push_back({"--slides", options.slides});
    std::erase_if(targets, [](const Target& target) { return target.file.empty(); });
    return targets;
}

bool sameFile(const fs::path& a, const fs::path& b) {
    std::error_code none;
    if (fs::equivalent(a, b, none) && !none) return true;
    return fs::absolute(a, none).lexically_normal() == fs::absolute(b, none).lexically_normal();
}

std::string fileName(const std::string& file) {
    return fs::path(file).filename().string();
}

Result<void> writeSlides(const BenchOptions& options, const std::vector<SlideFile>& slides) {
    const fs::path folder = options.slides;
    if (slides.empty())
        return fail(
            ErrorCode::NotFound,
            fmt::format("{}: there is nothing to draw: no row has a figure", folder.string()));
    std::error_code failed;
    fs::create_directory(folder, failed);
    if (!fs::is_directory(folder, failed))
        return fail(ErrorCode::Io, fmt::format("{}: is no folder", folder.string()));
    for (const SlideFile& slide : slides)
        if (auto written =
                writeOutput(slide.content, (folder / slide.name).string(), protecting(options));
            !written)
            return written;
    return {};
}

}  // namespace

std::string formatOf(const BenchOptions& options) {
    if (!options.format.empty()) return options.format;
    const std::string extension = lowerExtension(options.output);
    if (extension == "json" || extension == "jsonl" || extension == "csv") return extension;
    return extension == "md" || extension == "markdown" ? "markdown" : "table";
}

Result<void> checkNames(const BenchOptions& options) {
    const std::vector<Target> targets = targetsOf(options);
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const Target& target = targets[i];
        const std::string_view option = target.option;
        if (const std::string extension = lowerExtension(target.file);
            option == "--html" && extension != "html" && extension != "htm")
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("--html {}: the name must end in .html", target.file));
        const bool chart = option == "--chart" || option == "--speedup-chart";
        if (chart && lowerExtension(target.file) != "svg")
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("{} {}: the name must end in .svg; the window saves charts as "
                                    "PNG",
                                    target.option, target.file));
        for (std::size_t k = 0; k < i; ++k)
            if (sameFile(targets[k].file, target.file))
                return fail(ErrorCode::InvalidArgument,
                            fmt::format("{} and {} name the same file, {}", targets[k].option,
                                        target.option, target.file));
    }
    return {};
}

WriteOptions protecting(const BenchOptions& options) {
    WriteOptions write;
    for (const std::string& file : {options.image, options.second, options.from,
                                    options.pipelineFile, options.check, options.slower})
        if (!file.empty()) write.protectedFiles.emplace_back(file);
    for (const std::string& file : options.compare) write.protectedFiles.emplace_back(file);
    return write;
}

Result<void> checkTargets(const BenchOptions& options) {
    const WriteOptions write = protecting(options);
    for (const Target& target : targetsOf(options)) {
        for (const fs::path& file : write.protectedFiles)
            if (sameFile(target.file, file))
                return fail(ErrorCode::InvalidArgument,
                            fmt::format("{}: not saved, it is the same file as {}, which "
                                        "is protected",
                                        target.file, file.string()));
        std::error_code none;
        if (target.file != kNowhere && fs::is_other(target.file, none))
            return fail(ErrorCode::Io,
                        fmt::format("{}: not saved, it is a device, FIFO or socket, not a file",
                                    target.file));
        const fs::path folder = fs::absolute(target.file, none).parent_path();
        if (!fs::is_directory(folder, none))
            return fail(ErrorCode::Io, fmt::format("{}: not saved, there is no folder {}",
                                                   target.file, folder.string()));
    }
    return {};
}

Result<void> writeCharts(const BenchOptions& options, const TimingReport& report,
                         const std::vector<TimingReport>& others,
                         const std::pair<RowChoice, RowChoice>& pair) {
    std::vector<PlotSource> sources{{&report, fileName(options.from)}};
    if (sources[0].name.empty() && !others.empty()) sources[0].name = "this run";
    for (std::size_t i = 0; i < others.size(); ++i)
        sources.push_back({&others[i], fileName(options.compare[i])});
    const std::optional<BackendKind> against = backendFromId(options.against);
    // What cannot be drawn is no reason to leave out the rest.
    std::string missing;
    const auto note = [&](Result<void> written) -> Result<void> {
        if (written || written.error().code != ErrorCode::NotFound) return written;
        missing += (missing.empty() ? "" : "; ") + written.error().message;
        return {};
    };
    const auto write = [&](const Plot& plot, const std::string& file,
                           std::string_view why) -> Result<void> {
        if (plot.empty())
            return fail(ErrorCode::NotFound,
                        fmt::format("{}: there is nothing to draw: {}", file, why));
        return writeOutput(toSvg(plot), file, protecting(options));
    };
    if (!options.chart.empty())
        if (auto written = note(write(chartPlot(sources), options.chart, "no row has a figure"));
            !written)
            return written;
    if (!options.speedupChart.empty())
        if (auto written =
                note(write(speedupPlot(sources, against), options.speedupChart,
                           fmt::format("nothing was measured against {} with results that agree",
                                       against ? options.against : "the best CPU")));
            !written)
            return written;
    if (!options.html.empty()) {
        // Of a run that was stopped, what there is shall be written at once.
        const bool picture = report.complete || !options.from.empty();
        const HtmlPicture made =
            picture ? pictureOf(report, RunContext{interruptToken(), {}}) : HtmlPicture();
        const HtmlComparison comparison{!options.pair.empty() || !others.empty(), pair.first,
                                        pair.second};
        if (auto written =
                writeOutput(toHtml(sources, made, comparison), options.html, protecting(options));
            !written)
            return written;
    }
    if (!options.slides.empty()) {
        std::vector<Plot> plots{chartPlot(sources)};
        // Of a sweep every value would be a line.
        if (sweepsOf(report).empty()) plots.push_back(speedupPlot(sources, against));
        if (auto written =
                note(writeSlides(options, slidesOf(plots, "Benchmark, " + reportLabel(report))));
            !written)
            return written;
    }
    if (!missing.empty()) return fail(ErrorCode::NotFound, missing);
    return {};
}

}  // namespace warpscope::cli
