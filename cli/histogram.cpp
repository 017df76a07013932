// warpscope-cli histogram: counts of luminance and colours.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/common.h"
#include "cli/histogram_picture.h"
#include "engine/io/image_reader.h"
#include "engine/operations/analysis/histogram.h"
#include "engine/pipeline/executor.h"
#include "engine/report/analysis_text.h"

namespace warpscope::cli {
namespace {

struct HistogramOptions {
    std::string input;
    std::string channel = "all";
    std::string format = "table";
    std::string variant{kAutomaticVariant};
    std::string picture;
    BackendOption backend;
    MemoryOption memory;
    PageOption page;
};

std::string asJson(const HistogramSet& set) {
    nlohmann::ordered_json json;
    json["width"] = set.size.width;
    json["height"] = set.size.height;
    json["low"] = set.low;
    json["high"] = set.high;
    json["not_finite"] = set.notFinite;
    json["channels"] = nlohmann::ordered_json::object();
    for (const Histogram& histogram : set.channels)
        json["channels"][channelName(histogram.channel)] = histogram.bins;
    return json.dump() + "\n";
}

bool binsAreValues(const HistogramSet& set) {
    return bytesPerSample(set.format) <= 2;
}

double binValue(const HistogramSet& set, std::size_t bin, std::size_t bins) {
    if (binsAreValues(set)) return set.low + double(bin);
    return set.low + (set.high - set.low) * double(bin) / double(bins);
}

std::string asTable(const HistogramSet& set) {
    constexpr int kRows = 32;
    constexpr int kBarCells = 28;
    const std::size_t bins = set.channels.front().bins.size();
    std::string text =
        fmt::format("{} x {} pixels, {}, {} bins from {:.6g} to {:.6g}\n", set.size.width,
                    set.size.height, formatName(set.format), bins, set.low, set.high);
    if (set.notFinite)
        text += fmt::format("{} samples are NaN or infinite and in no bin\n", set.notFinite);
    text += fmt::format("\n{:<8}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}\n", "channel", "minimum",
                        "maximum", "mean", "std. dev.", "median", "at low end", "at high end");
    std::vector<Histogram> coarse;
    for (const Histogram& histogram : set.channels) {
        const HistogramSummary s = summarize(set, histogram);
        const double percent = 100.0 / double(std::max<std::uint64_t>(s.count, 1));
        text += fmt::format(
            "{:<8}{:>12.6g}{:>12.6g}{:>12.6g}{:>12.6g}{:>12.6g}{:>11.2f}%{:>11.2f}%\n",
            channelName(histogram.channel), s.minimum, s.maximum, s.mean, s.standardDeviation,
            s.median, double(s.atLow) * percent, double(s.atHigh) * percent);
        coarse.push_back(rebinned(histogram, kRows));
    }
    text += fmt::format("\n{:<18}", binsAreValues(set) ? "values" : "from");
    for (const Histogram& histogram : coarse)
        text += fmt::format("{:>14}", channelName(histogram.channel));
    text += '\n';
    const std::uint64_t peak = std::max<std::uint64_t>(
        1, *std::max_element(coarse.front().bins.begin(), coarse.front().bins.end()));
    const std::size_t group = bins / kRows;
    for (std::size_t row = 0; row < kRows; ++row) {
        text +=
            binsAreValues(set)
                ? fmt::format("{:<18}", fmt::format("{} - {}", row * group, (row + 1) * group - 1))
                : fmt::format("{:<18.6g}", binValue(set, row * group, bins));
        for (const Histogram& histogram : coarse)
            text += fmt::format("{:>14}", histogram.bins[row]);
        const auto cells =
            std::size_t(double(coarse.front().bins[row]) / double(peak) * kBarCells + 0.5);
        text += cells ? "  " + std::string(cells, '#') + "\n" : "\n";
    }
    return text;
}

Result<AnalyzeResult> count(const HistogramOptions& options, const Image& image) {
    const Operation& operation = histogram_operation();
    PlanRequest request;
    ParamSet given;
    given.set("channel", options.channel);
    auto parameters = resolveParameters(operation.description().parameters, given);
    if (!parameters) return fail(parameters.error());
    request.parameters = *parameters;
    request.variant = options.variant;
    request.format = image.format();
    request.size = image.size();
    auto plan = operation.plan(request);
    if (!plan) return fail(plan.error());
    const auto backends = options.backend.makeBackends();
    if (!backends) return fail(backends.error());
    Executor executor(*backends, options.memory.bytes());
    ProgressBar bar("counting");
    auto result = executor.analyze(image, *plan, options.backend.choice(),
                                   RunContext{interruptToken(), bar.sink()});
    if (!result) return result;
    if (auto good = options.backend.judge("", result->backend, result->fallbackReason,
                                          backends->cuda != nullptr);
        !good)
        return fail(good.error());
    return result;
}

int runHistogram(const HistogramOptions& options) {
    if (!options.picture.empty() && lowerExtension(options.picture) != "svg")
        return usageError("--picture " + options.picture + ": the name must end in .svg");
    auto image = readInput(options.input, options.memory, options.page);
    if (!image) return failWith(image.error());
    auto counted = count(options, *image);
    if (!counted) return failWith(counted.error());
    const auto& counts = std::get<HistogramSet>(counted->found);
    if (!options.picture.empty()) {
        const std::string name = std::filesystem::path(options.input).filename().string();
        const std::string title =
            fmt::format("{}: {} x {} pixels", name, image->width(), image->height());
        WriteOptions write;
        write.protectedFiles = {options.input};
        if (auto written = writeOutput(histogramSvg(counts, title), options.picture, write);
            !written)
            return failWith(written.error());
    }
    const std::string text = options.format == "json"  ? asJson(counts)
                             : options.format == "csv" ? analysisText(counts, "csv")
                                                       : asTable(counts);
    if (auto written = writeOutput(text, ""); !written) return failWith(written.error());
    return kDone;
}

}  // namespace

void addHistogram(CLI::App& app, int& exitCode) {
    auto options = std::make_shared<HistogramOptions>();
    CLI::App* command = app.add_subcommand("histogram", "Count luminance (BT.601) and colours");
    command->add_option("INPUT", options->input, "Image to read")->required();
    command->add_option("--channel", options->channel, "Which counts; a gray image has only luma")
        ->check(CLI::IsMember({"luma", "red", "green", "blue", "all"}))
        ->capture_default_str();
    command->add_option("--format", options->format, "Form of the output")
        ->check(CLI::IsMember({"table", "csv", "json"}))
        ->capture_default_str();
    // Those that are wrong on purpose are taken, and not named here.
    const auto known = [](const std::string& id) {
        return histogram_operation().description().findVariant(id) ? std::string()
                                                                   : "there is no variant " + id;
    };
    std::string variants;
    for (const VariantSpec& variant : histogram_operation().description().variants)
        variants += (variants.empty() ? "{" : ",") + variant.id;
    command->add_option("--variant", options->variant, "Algorithm (see ops)")
        ->check(CLI::Validator(known, variants + "}"))
        ->capture_default_str();
    command->add_option("--picture", options->picture, "Also draw it into this SVG file");
    options->backend.addTo(*command);
    options->memory.addTo(*command);
    options->page.addTo(*command);
    command->callback([options, &exitCode] { exitCode = runHistogram(*options); });
}

}  // namespace warpscope::cli
