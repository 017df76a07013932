// warpscope-cli bench: the benchmark of engine/measure without a window.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/bench_report.h"
#include "cli/common.h"
#include "cli/report_head.h"
#include "cli/sizes.h"
#include "engine/measure/benchmark.h"
#include "engine/measure/report_file.h"
#include "engine/operations/registry.h"

namespace warpscope::cli {
namespace {

struct Options {
    std::string operations = "all";
    std::string sizes = "256,512,1024,1280x1024,4k,8k";
    std::string backends = "cpu-single,cpu,cuda";
    std::string pixels = "auto";
    std::string cache = "warm";
    std::string format = "table";
    std::string image;
    std::string from;
    std::string output;
    MemoryOption memory;
    std::vector<std::string> compare;
    double budgetMs = 200;
    double longestRow = BenchmarkPlan().longestRowSeconds;
    int repetitions = 5;
    bool variants = false;
    bool peers = false;
    bool published = false;
    bool sizesGiven = false;
};

std::vector<std::string> splitCommas(const std::string& text) {
    std::vector<std::string> parts;
    std::size_t at = 0;
    while (true) {
        const std::size_t comma = text.find(',', at);
        parts.push_back(text.substr(at, comma - at));
        if (comma == std::string::npos) return parts;
        at = comma + 1;
    }
}

Result<std::vector<std::string>> chosenOperations(const std::string& text) {
    if (text == "all") return std::vector<std::string>();
    std::vector<std::string> chosen = splitCommas(text);
    for (const std::string& id : chosen)
        if (const auto known = requireOperation(id); !known) return fail(known.error());
    return chosen;
}

Result<std::vector<BackendKind>> chosenBackends(const std::string& text) {
    std::vector<BackendKind> chosen;
    for (const std::string& id : splitCommas(text)) {
        if (id == backendId(BackendKind::CpuSingle))
            chosen.push_back(BackendKind::CpuSingle);
        else if (id == backendId(BackendKind::Cpu))
            chosen.push_back(BackendKind::Cpu);
        else if (id == backendId(BackendKind::Cuda))
            chosen.push_back(BackendKind::Cuda);
        else
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("'{}' is no backend: cpu-single, cpu, cuda", id));
    }
    return chosen;
}

BenchmarkPixels chosenPixels(const std::string& id) {
    return id == "gray"    ? BenchmarkPixels::Gray
           : id == "color" ? BenchmarkPixels::Color
           : id == "both"  ? BenchmarkPixels::Both
                           : BenchmarkPixels::Automatic;
}

// Errors of a wrong command line; the image is read later.
Result<BenchmarkPlan> planOf(const Options& options) {
    BenchmarkPlan plan;
    const auto named = [](const char* option, const Error& error) {
        return fail(error.code, fmt::format("{} {}", option, error.message));
    };
    auto operations = chosenOperations(options.operations);
    if (!operations) return named("--ops", operations.error());
    plan.operations = std::move(*operations);
    // An image at hand is timed alone unless sizes were asked for, too.
    if (options.sizesGiven || (options.image.empty() && !options.published)) {
        auto sizes = parseSizes(options.sizes);
        if (!sizes) return named("--sizes", sizes.error());
        plan.sizes = std::move(*sizes);
    }
    auto backends = chosenBackends(options.backends);
    if (!backends) return named("--backends", backends.error());
    plan.backends = std::move(*backends);
    plan.allVariants = options.variants;
    plan.pixels = chosenPixels(options.pixels);
    plan.published = options.published;
    plan.warm = options.cache != "cold";
    plan.cold = options.cache != "warm";
    plan.peers = options.peers;
    plan.sampling.budgetMs = options.budgetMs;
    plan.sampling.minSamples = options.repetitions;
    plan.sampling.maxSamples = std::max(plan.sampling.maxSamples, options.repetitions);
    plan.longestRowSeconds = options.longestRow;
    return plan;
}

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
    const BackendSet backends = backendsFor(gpu ? BackendChoice::Auto : BackendChoice::Cpu);
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

int run(const Options& options) {
    auto plan = planOf(options);
    if (!plan) return usageError(plan.error().message);
    // What cannot be read is said before minutes are spent.
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
        if (const auto cases = casesOf(*plan); !cases) return usageError(cases.error().message);
        auto measured = measure(*plan);
        if (!measured) return kFailed;
        result = std::move(*measured);
    }
    const bool forPeople = options.format == "table" || options.format == "markdown";
    std::string text = benchText(result.report, options.format, options.published);
    const std::string ratios = ratioText(result.report, others, options.format);
    if (forPeople) text += ratios;
    if (auto written = writeOutput(text, options.output); !written)
        return failWith(written.error());
    // A table of ratios is no part of a JSON or CSV file.
    if (!forPeople && !ratios.empty()) {
        if (options.output.empty() || options.output == "-")
            fmt::print(stderr, "{}", ratios);
        else if (auto shown = writeOutput(ratios, {}); !shown)
            return failWith(shown.error());
    }
    if (result.complete) return kDone;
    return failWith({ErrorCode::Cancelled,
                     fmt::format("stopped: {} rows were complete", result.report.results.size())});
}

void addOptions(CLI::App& command, Options& options) {
    command.add_option("--ops", options.operations, "all, or ids separated by commas")
        ->capture_default_str();
    CLI::Option* sizes =
        command.add_option("--sizes", options.sizes, "N, WxH, 4k, 8k, separated by commas")
            ->capture_default_str();
    command.parse_complete_callback([&options, sizes] { options.sizesGiven = sizes->count() > 0; });
    command.add_option("--image", options.image,
                       "Time this image in its own size and format, instead of the made scene");
    options.memory.addTo(command);
    command.add_flag(
        "--published", options.published,
        "All experiments of the source texts, whatever --ops says, with their figures beside "
        "ours");
    command
        .add_option("--backends", options.backends, "cpu-single, cpu, cuda, separated by commas")
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
    command.add_flag("--variants", options.variants, "Every variant, not only automatic");
    command
        .add_option("--compare", options.compare,
                    "Results (JSON) of other machines or days: a table of ratios each")
        ->expected(1, -1);
    command.add_option("--from", options.from,
                       "Show these results (JSON) instead of measuring anything");
    command.add_option("--format", options.format, "Form of the output")
        ->check(CLI::IsMember({"table", "csv", "json", "markdown"}))
        ->capture_default_str();
    command.add_option("-o,--output", options.output, "File to write instead of standard output");
}

}  // namespace

void addBench(CLI::App& app, int& exitCode) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("bench", "Time operations, sizes and backends");
    addOptions(*command, *options);
    command->callback([options, &exitCode] { exitCode = run(*options); });
}

}  // namespace warpscope::cli
