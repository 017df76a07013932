// warpscope-cli bench: the benchmark of engine/measure without a window.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/bench_files.h"
#include "cli/bench_plan.h"
#include "cli/common.h"
#include "engine/measure/benchmark.h"
#include "engine/report/report_file.h"
#include "engine/report/report_text.h"

namespace warpscope::cli {
namespace {

// "3 min 20 s left, gaussian_blur 512 x 512, cpu".
std::string detailOf(const BenchmarkProgress& progress) {
    const std::string row =
        fmt::format("{}/{}", std::min(progress.done + 1, progress.total), progress.total);
    if (progress.secondsLeft < 0) return fmt::format("{}  {}", row, progress.what);
    const auto seconds = std::int64_t(progress.secondsLeft + 0.5);
    const std::string left = seconds < 60 ? fmt::format("{} s", seconds)
                                          : fmt::format("{} min {} s", seconds / 60, seconds % 60);
    return fmt::format("{}  {} left  {}", row, left, progress.what);
}

// Nothing where the run failed and has said why.
std::optional<BenchmarkResult> measure(const BenchmarkPlan& plan) {
    const bool gpu = std::find(plan.backends.begin(), plan.backends.end(), BackendKind::Cuda) !=
                     plan.backends.end();
    const BackendSet backends = *BackendOption{gpu ? "auto" : "cpu"}.makeBackends();
    PeerSet peers;
    if (plan.peers) {
        peers = loadPeers();
        if (!peers.available()) notice("--peers: " + peers.unavailable);
    }
    BenchmarkRunner runner(backends, reportHead(backends), peers);
    ProgressBar bar("benchmark");
    BenchmarkCallbacks callbacks;
    callbacks.onProgress = [&](const BenchmarkProgress& progress) {
        if (progress.total == 0) return;
        bar.update(double(progress.done) / double(progress.total), detailOf(progress));
    };
    auto result = runner.run(plan, interruptToken(), callbacks);
    if (result) return std::move(*result);
    failWith(result.error());
    return std::nullopt;
}

int run(const BenchOptions& options) {
    auto plan = planOf(options);
    if (!plan) return usageError(plan.error().message);
    if (const auto good = checkNames(options); !good) return usageError(good.error().message);
    // What cannot be read or written is said before minutes are spent.
    if (const auto good = checkTargets(options); !good) return failWith(good.error());
    std::vector<TimingReport> others;
    for (const std::string& file : options.compare) {
        auto report = loadTimings(file);
        if (!report) return failWith(report.error());
        others.push_back(std::move(*report));
    }
    BenchmarkResult result;
    if (!options.from.empty()) {
        auto report = loadTimings(options.from);
        if (!report) return failWith(report.error());
        result = {std::move(*report), true};
    } else {
        if (!options.image.empty()) {
            auto image = readInput(options.image, options.memory);
            if (!image) return failWith(image.error());
            plan->image = std::move(*image);
            plan->imageName = std::filesystem::path(options.image).filename().string();
        }
        if (!options.pipelineFile.empty()) {
            auto chain = readPipeline(options.pipelineFile);
            if (!chain) return failWith(chain.error());
            plan->chain = std::move(*chain);
        }
        if (const auto good = checkSecond(plan->chain, options.second); !good)
            return usageError("--pipeline: " + good.error().message);
        if (!options.second.empty()) {
            auto second = readInput(options.second, options.memory);
            if (!second) return failWith(second.error());
            plan->second = std::move(*second);
        }
        if (const auto cases = casesOf(*plan); !cases) return usageError(cases.error().message);
        auto measured = measure(*plan);
        if (!measured) return kFailed;
        result = std::move(*measured);
    }
    const std::string format = formatOf(options);
    const bool forPeople = format == "table" || format == "markdown";
    std::string text = resultText(result.report, format, options.published);
    const std::string ratios = comparisonText(result.report, others, format);
    if (forPeople) text += ratios;
    if (auto written = writeOutput(text, options.output, protecting(options)); !written)
        return failWith(written.error());
    // A table of ratios is no part of a JSON or CSV file.
    if (!forPeople && !ratios.empty()) {
        if (options.output.empty() || options.output == "-")
            fmt::print(stderr, "{}", ratios);
        else if (auto shown = writeOutput(ratios, {}); !shown)
            return failWith(shown.error());
    }
    const auto charts = writeCharts(options, result.report, others);
    if (!charts && (result.complete || charts.error().code != ErrorCode::NotFound))
        return failWith(charts.error());
    if (result.complete) return kDone;
    return failWith({ErrorCode::Cancelled,
                     fmt::format("stopped: {} rows were complete", result.report.results.size())});
}

void addOptions(CLI::App& command, BenchOptions& options) {
    CLI::Option* operations =
        command
            .add_option(
                "--ops", options.operations,
                "all, or ids separated by commas; where only --step is given, the steps alone, and "
                "of an operation that both name the --step instead of its defaults")
            ->type_name("OPS")
            ->capture_default_str();
    CLI::Option* steps = command.add_option(
        "--step", options.steps,
        "ID[:name=value[,name=value...]]: an operation with parameters of its own, or with "
        "variant=NAME; again and again for several variants (see ops)");
    steps->type_name("STEP")->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    CLI::Option* pipeline = command.add_option(
        "--pipeline", options.pipelineFile,
        "Every step of this file, on what the steps before it make of each image; without --ops "
        "these alone");
    pipeline->type_name("FILE")->excludes(steps);
    CLI::Option* sizes =
        command.add_option("--sizes", options.sizes, "N, WxH, 4k, 8k, separated by commas")
            ->capture_default_str();
    command.parse_complete_callback([&options, operations, sizes] {
        options.operationsGiven = operations->count() > 0;
        options.sizesGiven = sizes->count() > 0;
    });
    CLI::Option* image =
        command.add_option("--image", options.image,
                           "Time this image in its own size and format, instead of the made scene");
    command
        .add_option("--second", options.second,
                    "Beside --image: the second image of steps of --pipeline that take two")
        ->type_name("FILE")
        ->needs(image);
    options.memory.addTo(command);
    command.add_flag(
        "--published", options.published,
        "All experiments of the source texts, whatever --ops says, with their figures beside "
        "ours");
    command
        .add_option("--backends", options.backends, "cpu-single, cpu, cuda, separated by commas")
        ->type_name("BACKENDS")
        ->capture_default_str();
    command.add_flag("--peers", options.peers,
                     "OpenCV's CPU functions on the same data, where this build has them");
    command
        .add_option("--cache", options.cache,
                    "warm: the same input again and again; cold: copies in turn, larger than the "
                    "cache")
        ->check(CLI::IsMember({"warm", "cold", "both"}))
        ->capture_default_str();
    command
        .add_option("--pixels", options.pixels,
                    "Kind of image; auto is gray, and colour for grayscale")
        ->check(CLI::IsMember({"auto", "gray", "color", "both"}))
        ->capture_default_str();
    command.add_option("--repetitions", options.repetitions, "Samples of each row, at least")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    command
        .add_option("--budget-ms", options.budgetMs,
                    "Time to sample each row, after that many repetitions")
        ->check(CLI::Range(1.0, 60000.0))
        ->capture_default_str();
    command
        .add_option("--longest-row", options.longestRow,
                    "Seconds; a row that would take longer is skipped, and says so")
        ->check(CLI::Range(0.001, 86400.0))
        ->capture_default_str();
    command
        .add_option(
            "--longest-call", options.longestCall,
            "Seconds; other libraries cannot be interrupted, so a call of theirs that would "
            "last longer is skipped, and says so")
        ->check(CLI::Range(0.001, 86400.0))
        ->capture_default_str();
    command.add_flag("--variants", options.variants,
                     "Every variant, not only automatic; of a --step that names none, too");
    command
        .add_option("--compare", options.compare,
                    "Results (JSON) of other machines or days: a table of ratios each")
        ->expected(1, -1);
    command
        .add_option("--from", options.from,
                    "Show these results (JSON) instead of measuring anything")
        ->excludes(steps)
        ->excludes(pipeline);
    command
        .add_option("--format", options.format,
                    "Form of the output; otherwise by the name of the file (.json, .csv, .md), "
                    "else table")
        ->check(CLI::IsMember({"table", "csv", "json", "markdown"}));
    command.add_option("-o,--output", options.output,
                       "File to write instead of standard output; never one that is read");
    command.add_option("--chart", options.chart,
                       "Also draw time against image size into this SVG file, --compare beside it "
                       "(the window saves PNG as well)");
    command.add_option("--speedup-chart", options.speedupChart,
                       "Also draw speedups against image size into this SVG file");
    command
        .add_option("--against", options.against,
                    "What --speedup-chart is against: one thread, or all cores")
        ->check(CLI::IsMember({"cpu-single", "cpu"}))
        ->capture_default_str();
}

}  // namespace

void addBench(CLI::App& app, int& exitCode) {
    auto options = std::make_shared<BenchOptions>();
    CLI::App* command = app.add_subcommand("bench", "Time operations, sizes and backends");
    addOptions(*command, *options);
    command->callback([options, &exitCode] { exitCode = run(*options); });
}

}  // namespace warpscope::cli
