// warpscope-cli bench: the benchmark of engine/measure without a window.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <tuple>

#include "cli/bench_run.h"
#include "cli/common.h"
#include "engine/measure/benchmark.h"
#include "engine/report/report_file.h"
#include "engine/report/report_text.h"
#include "engine/report/text_table.h"

namespace warpscope::cli {
namespace {

// Of a file, what --ops, --sizes, --backends and --cache name.
Result<void> keepChosen(const BenchOptions& options, const BenchmarkPlan& plan,
                        TimingReport& report) {
    const auto has = [](const auto& list, const auto& one) {
        return std::find(list.begin(), list.end(), one) != list.end();
    };
    const std::size_t before = report.results.size();
    std::erase_if(report.results, [&](const StepTiming& row) {
        return (options.operationsGiven && !plan.operations.empty() &&
                !has(plan.operations, row.operation)) ||
               (options.sizesGiven && !has(plan.sizes, Size{row.width, row.height})) ||
               (options.backendsGiven && !has(plan.backends, row.backendRequested.kind())) ||
               (options.cacheGiven && !(row.cold ? plan.cold : plan.warm));
    });
    if (report.results.empty() && before > 0)
        return fail(ErrorCode::NotFound,
                    fmt::format("{}: has no row of what --ops, --sizes, --backends and --cache "
                                "name",
                                options.from));
    return {};
}

// Why nothing pairs, in terms of what was typed.
std::string nothingPairs(const BenchOptions& options, const std::pair<RowChoice, RowChoice>& pair,
                         const PlotSource& here, const PlotSource& there) {
    const std::string places = fmt::format("figures here are of {}, there of {}",
                                           placesText(*here.report), placesText(*there.report));
    if (options.pair.empty())
        return fmt::format(
            "no row has a counterpart: {}; --pair sets one place against another "
            "(--pair cpu=cuda)",
            places);
    for (const auto& [choice, source, side] :
         {std::tuple{&pair.first, &here, "here"}, std::tuple{&pair.second, &there, "there"}})
        if (!hasRowOf(*source->report, *choice))
            return fmt::format("--pair {}: no row {} is of {}; {}", options.pair, side,
                               toText(*choice), places);
    return fmt::format(
        "--pair {}: no two rows are of the same operation, parameters, format and "
        "cache; {}",
        options.pair, places);
}

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
        if (const auto kept = keepChosen(options, *plan, report); !kept)
            return failWith(kept.error());
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
        auto measured = measure(*plan, commandLine(), options.gpu, stream);
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
    const auto nameOf = [](const std::string& file) {
        return std::filesystem::path(file).filename().string();
    };
    const PlotSource here{&report, options.from.empty() ? "this run" : nameOf(options.from)};
    std::vector<PlotSource> sides;
    for (std::size_t i = 0; i < others.size(); ++i)
        sides.push_back({&others[i], nameOf(options.compare[i])});
    if (others.empty() && !options.pair.empty()) sides.push_back(here);
    const std::string ratios = comparisonText(here, sides, format, pair->first, pair->second);
    if (!streamed) {
        std::string text = resultText(report, format, options.published);
        // What was asked for comes first.
        if (forPeople && !ratios.empty()) text = ratios.substr(1) + "\n" + text;
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
    // The sentence that a reader shall not miss stands last.
    const auto last = [&](int code) {
        if (!before) return code;
        sayBusy(*before, fmt::format("the run of {}", options.slower));
        sayBusy(report, options.from.empty() ? "this run" : "the run of " + options.from);
        return code;
    };
    const auto charts = writeCharts(options, report, others, *pair);
    if (!charts && (report.complete || charts.error().code != ErrorCode::NotFound))
        return last(failWith(charts.error()));
    if (!report.complete && options.from.empty()) return last(stopped(report));
    for (const PlotSource& other : sides)
        if (compareReports(report, *other.report, pair->first, pair->second).rows.empty())
            return last(failWith({ErrorCode::NotFound, nothingPairs(options, *pair, here, other)}));
    return last(before ? slowerThan(options, *before, report) : kDone);
}

}  // namespace

void addBench(CLI::App& app, int& exitCode) {
    auto options = std::make_shared<BenchOptions>();
    CLI::App* command = app.add_subcommand("bench", "Time operations, sizes and backends");
    addBenchOptions(*command, *options);
    command->callback([options, &exitCode] { exitCode = run(*options); });
}

}  // namespace warpscope::cli
