// What bench understands, and its help.
#include "cli/bench_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace warpscope::cli {
namespace {

// What measures nothing, or measures what a file says, heeds few options; others would be ignored.
// How to measure says nothing of what is shown.
void refuseIgnored(CLI::App& command) {
    CLI::Option* const from = command.get_option("--from");
    for (const char* name : {"--step", "--sweep", "--pipeline", "--image", "--second", "--pixels",
                             "--peers", "--variants", "--check"})
        from->excludes(command.get_option(name));
    constexpr std::string_view kOfCheck[] = {"--check", "--by",     "--all",           "--output",
                                             "--help",  "--memory", "--decode-seconds"};
    CLI::Option* const check = command.get_option("--check");
    for (CLI::Option* option : command.get_options())
        if (std::none_of(std::begin(kOfCheck), std::end(kOfCheck), [&](std::string_view name) {
                return option->check_name(std::string(name));
            }))
            check->excludes(option);
}

// CLI11's own range lets NaN through, which is below no limit and above none.
CLI::Validator between(double least, double most) {
    return {[least, most](std::string& text) {
                double value = 0;
                if (CLI::detail::lexical_cast(text, value) && value >= least && value <= most)
                    return std::string();
                return fmt::format("Value {} not in range {} to {}", text, least, most);
            },
            fmt::format("FLOAT in [{} - {}]", least, most)};
}

}  // namespace

void addBenchOptions(CLI::App& command, BenchOptions& options) {
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
        "variant=NAME; again and again for several variants (see ops); or @FILE, which lists such "
        "steps, a line each");
    steps->type_name("STEP")->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command
        .add_option("--sweep", options.sweep,
                    "One operation at many values of a parameter, OPERATION.PARAMETER=FROM:TO"
                    "[:COUNT][:log], for example gaussian_blur.sigma=1:50:log; at 1024 x 1024 "
                    "unless --sizes says otherwise. --chart draws time against it")
        ->type_name("SWEEP");
    CLI::Option* pipeline = command.add_option(
        "--pipeline", options.pipelineFile,
        "Every step of this file, on what the steps before it make of each image; without --ops "
        "these alone");
    pipeline->type_name("FILE")->excludes(steps);
    command.add_option("--sizes", options.sizes, "N, WxH, 4k, 8k, separated by commas")
        ->capture_default_str();
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
    addGpuTo(command, options.gpu);
    command.add_flag(
        "--peers", options.peers,
        "Other libraries on the same data, where this build has them: OpenCV on the CPU, "
        "NVIDIA's NPP on the GPU; ours beside theirs is a table of its own");
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
    command
        .add_option("--rounds", options.rounds,
                    "Bursts of samples of each row, taken in turn with those of all other rows")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command
        .add_option("--most-rounds", options.mostRounds,
                    "Rounds of a row whose figure is not steady: its 95% interval above 3%")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command.add_flag("--no-pin", options.noPin, "Let the system move threads between cores");
    command.add_flag("--no-energy", options.noEnergy,
                     "Do not measure energy (half a second a row where the GPU or CPU counts it)");
    command.add_option("--repetitions", options.repetitions, "Samples of each row, at least")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    command
        .add_option(
            "--budget-ms", options.budgetMs,
            "Time to sample each row, shared out over its rounds, after that many repetitions")
        ->check(between(1.0, 60000.0))
        ->capture_default_str();
    command
        .add_option("--longest-row", options.longestRow,
                    "Seconds; a row that would take longer is skipped, and says so")
        ->check(between(0.001, 86400.0))
        ->capture_default_str();
    command
        .add_option(
            "--longest-call", options.longestCall,
            "Seconds; other libraries cannot be interrupted, so a call of theirs that would "
            "last longer is skipped, and says so")
        ->check(between(0.001, 86400.0))
        ->capture_default_str();
    command.add_flag("--variants", options.variants,
                     "Every variant, not only automatic; of a --step that names none, too");
    command
        .add_option(
            "--compare", options.compare,
            "Results (JSON) of other machines or days: a table of ratios each; exit 1 where "
            "no row has a counterpart")
        ->expected(1, -1);
    command
        .add_option("--pair", options.pair,
                    "What is set against what, here = there: PLACE[/VARIANT][@WIDTHxHEIGHT] on "
                    "either side, for example cpu=cuda; without --compare within these results")
        ->type_name("LEFT=RIGHT");
    command
        .add_option("--check", options.check,
                    "Run the command that made these results again and say which figures moved by "
                    "more than --by (5%); exit 1 where one did that is not marked noisy. -o keeps "
                    "the second run, --all shows every figure")
        ->type_name("FILE");
    command.add_flag("--all", options.all, "With --check: figures that came out again, too");
    command
        .add_option("--fail-if-slower", options.slower,
                    "Exit 1 where a figure is slower than in these results by more than --by (10%) "
                    "and beyond both intervals, as where anything fails: the message says which")
        ->type_name("FILE");
    command.add_option("--by", options.by, "5% or 0.05")->type_name("SHARE");
    command.add_option("--from", options.from,
                       "Show these results (JSON) instead of measuring anything; of --ops, "
                       "--sizes, --backends and --cache those rows alone");
    command
        .add_option(
            "--format", options.format,
            "Form of the output; otherwise by the name of the file (.json, .jsonl, .csv, .md), "
            "else table; jsonl is written while the run goes on")
        ->check(CLI::IsMember({"table", "csv", "json", "jsonl", "markdown"}));
    command.add_option("-o,--output", options.output,
                       "File to write instead of standard output; never one that is read");
    command.add_option(
        "--chart", options.chart,
        "Also draw time against image size, of a --sweep against its parameter, into this "
        "SVG file, --compare beside it (the window saves PNG as well)");
    command.add_option("--speedup-chart", options.speedupChart,
                       "Also draw speedups against image size into this SVG file");
    command.add_option("--html", options.html,
                       "Also write a report for a browser into this one file: charts, tables, "
                       "samples, conditions, commands; it loads nothing from elsewhere");
    command
        .add_option("--slides", options.slides,
                    "Also draw the charts in large type, 1600 x 900, as SVG files in this folder, "
                    "with an index.html")
        ->type_name("FOLDER");
    command
        .add_option("--against", options.against,
                    "What --speedup-chart is against: the best of the CPU whatever its variant, or "
                    "the same variant on one thread or all cores")
        ->check(CLI::IsMember({"best", "cpu-single", "cpu"}))
        ->capture_default_str();
    command.parse_complete_callback([&command, &options] {
        const auto given = [&](const char* name) { return command.get_option(name)->count() > 0; };
        options.operationsGiven = given("--ops");
        options.sizesGiven = given("--sizes");
        options.backendsGiven = given("--backends");
        options.cacheGiven = given("--cache");
    });
    refuseIgnored(command);
}

}  // namespace warpscope::cli
