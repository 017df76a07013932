// warpscope-cli bench: the benchmark of engine/measure without a window.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <optional>

#include "cli/bench_run.h"
#include "cli/common.h"
#include "engine/measure/benchmark.h"
#include "engine/report/report_file.h"
#include "engine/report/report_text.h"
#include "engine/report/text_table.h"

namespace warpscope::cli {
namespace {

int run(const BenchOptions& options) {
    if (!options.check.empty()) return checkAgain(options);
    auto plan = planOf(options);
    if (!plan) return usageError(plan.error().message);
    if (const auto good = checkNames(options); !good) return usageError(good.error().message);
    const auto pair = pairOf(options.pair);
    if (!pair) return usageError(pair.error().message);
    if (const auto share = shareOf(options.by.empty() ? "10%" : options.by); !share)
        return usageError(share.error().message);
    // What cannot be read or written is said before minutes are spent.
    if (const auto good = checkTargets(options); !good) return failWith(good.error());
    std::vector<TimingReport> others;
    for (const std::string& file : options.compare) {
        auto report = loadTimings(file);
        if (!report) return failWith(report.error());
        others.push_back(std::move(*report));
    }
    std::optional<TimingReport> before;
    if (!options.slower.empty()) {
        auto report = loadTimings(options.slower);
        if (!report) return failWith(report.error());
        before = std::move(*report);
    }
    const std::string format = formatOf(options);
    TimingReport report;
    if (!options.from.empty()) {
        auto loaded = loadTimings(options.from);
        if (!loaded) return failWith(loaded.error());
        report = std::move(*loaded);
    } else {
        if (const auto read = readInto(*plan, options); !read) return failWith(read.error());
        if (const auto good = checkSecond(plan->chain, options.second); !good)
            return usageError("--pipeline: " + good.error().message);
        if (const auto cases = casesOf(*plan); !cases) return usageError(cases.error().message);
        std::ofstream file;
        std::ostream* stream = nullptr;
        if (format == "jsonl") {
            const bool toFile = !options.output.empty() && options.output != "-";
            if (toFile) file.open(options.output, std::ios::binary | std::ios::trunc);
            stream = toFile ? &file : &std::cout;
            if (!*stream)
                return failWith(
                    {ErrorCode::Io, fmt::format("{}: cannot be written", options.output)});
        }
        auto measured = measure(*plan, commandLine(), stream);
        if (!measured) return kFailed;
        report = std::move(*measured);
        if (stream && !stream->flush())
            return failWith(
                {ErrorCode::Io, fmt::format("{}: could not be written to its end",
                                            stream == &file ? options.output : "standard output")});
    }
    const bool forPeople = format == "table" || format == "markdown";
    const bool streamed = format == "jsonl" && options.from.empty();
    // Without another file the pair is looked for in these results.
    const std::vector<TimingReport> sides =
        others.empty() && !pair->first.open() ? std::vector{report} : others;
    const std::string ratios = comparisonText(report, sides, format, pair->first, pair->second);
    if (!streamed) {
        std::string text = resultText(report, format, options.published);
        if (forPeople) text += ratios;
        if (auto written = writeOutput(text, options.output, protecting(options)); !written)
            return failWith(written.error());
    }
    // A table of ratios is no part of a JSON or CSV file.
    if (!forPeople && !ratios.empty()) {
        if (options.output.empty() || options.output == "-")
            fmt::print(stderr, "{}", ratios);
        else if (auto shown = writeOutput(ratios, {}); !shown)
            return failWith(shown.error());
    }
    const auto charts = writeCharts(options, report, others);
    if (!charts && (report.complete || charts.error().code != ErrorCode::NotFound))
        return failWith(charts.error());
    if (!report.complete && options.from.empty()) return stopped(report);
    for (const TimingReport& other : sides)
        if (compareReports(report, other, pair->first, pair->second).rows.empty())
            return failWith(
                {ErrorCode::NotFound,
                 fmt::format("no row has a counterpart: figures here are of {}, there of {}; "
                             "--pair sets one place against another (--pair cpu=cuda)",
                             placesText(report), placesText(other))});
    return before ? slowerThan(options, *before, report) : kDone;
}

}  // namespace

void addBench(CLI::App& app, int& exitCode) {
    auto options = std::make_shared<BenchOptions>();
    CLI::App* command = app.add_subcommand("bench", "Time operations, sizes and backends");
    addBenchOptions(*command, *options);
    command->callback([options, &exitCode] { exitCode = run(*options); });
}

}  // namespace warpscope::cli
