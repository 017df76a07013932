// Benchmarks that are run again: whether figures come out as before, and whether they became
// slower.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "cli/bench_run.h"
#include "engine/report/repeat_check.h"
#include "engine/report/report_file.h"
#include "engine/report/text_table.h"

namespace warpscope::cli {
namespace {

// The words after "bench" of the command that made these results.
Result<std::vector<std::string>> recordedWords(const TimingReport& report,
                                               const std::string& file) {
    const std::vector<std::string>& command = report.command;
    const auto bench = std::find(command.begin(), command.end(), "bench");
    if (bench == command.end())
        return fail(ErrorCode::NotFound,
                    fmt::format("{}: does not say which command made it, so that it cannot be run "
                                "again",
                                file));
    return std::vector<std::string>(bench + 1, command.end());
}

}  // namespace

int checkAgain(const BenchOptions& options) {
    const auto tolerance = shareOf(options.by.empty() ? "5%" : options.by);
    if (!tolerance) return usageError(tolerance.error().message);
    // What cannot be read or written is said before minutes are spent.
    if (const auto good = checkTargets(options); !good) return failWith(good.error());
    const auto before = loadTimings(options.check);
    if (!before) return failWith(before.error());
    const auto words = recordedWords(*before, options.check);
    if (!words) return failWith(words.error());
    BenchOptions recorded;
    CLI::App command("bench");
    addBenchOptions(command, recorded);
    addQuietTo(command);
    std::vector<std::string> reversed(words->rbegin(), words->rend());
    try {
        command.parse(reversed);
    } catch (const CLI::ParseError& error) {
        return failWith(
            {ErrorCode::InvalidArgument, fmt::format("{}: its command is none of this program: {}",
                                                     options.check, error.what())});
    }
    if (!recorded.from.empty() || !recorded.check.empty())
        return failWith({ErrorCode::InvalidArgument,
                         fmt::format("{}: its command measures nothing", options.check)});
    auto plan = planOf(recorded);
    if (!plan) return failWith(plan.error());
    plan->energy = false;  // times are compared, and no joules
    if (const auto read = readInto(*plan, recorded); !read) return failWith(read.error());
    if (const auto cases = casesOf(*plan); !cases) return failWith(cases.error());
    std::vector<std::string> again{"warpscope-cli", "bench"};
    again.insert(again.end(), words->begin(), words->end());
    const auto now = measure(*plan, again, recorded.gpu);
    if (!now) return kFailed;
    const RepeatCheck found = checkRepeat(*before, *now, *tolerance);
    std::string text = fmt::format("then: {}, {}\nnow:  {}, {}\n\n", machineText(*before),
                                   before->date, machineText(*now), now->date) +
                       describe(found, options.all);
    // The second run, for whoever wants both.
    if (!options.output.empty()) {
        if (auto written = writeOutput(toJson(*now), options.output, protecting(options)); !written)
            return failWith(written.error());
    }
    if (auto shown = writeOutput(text, {}); !shown) return failWith(shown.error());
    const auto verdict = [&] {
        if (!now->complete) return stopped(*now);
        if (found.figures.empty())
            return failWith({ErrorCode::NotFound, "no figure of the file could be taken again"});
        if (found.missing > 0 || found.wrong > 0)
            return failWith({ErrorCode::Internal,
                             fmt::format("{} rows have no figure any more, {} have another result",
                                         found.missing, found.wrong)});
        if (found.moved() == 0) return int(kDone);
        return failWith({ErrorCode::Internal,
                         fmt::format("{} of {} figures moved by more than {:.3g}%", found.moved(),
                                     found.figures.size(), 100 * *tolerance)});
    };
    const int code = verdict();
    sayBusy(*before, fmt::format("the run of {}", options.check));
    sayBusy(*now, "this run");
    return code;
}

// The exit code of --fail-if-slower, after what is slower was said.
int slowerThan(const BenchOptions& options, const TimingReport& before, const TimingReport& now) {
    const auto tolerance = shareOf(options.by.empty() ? "10%" : options.by);
    const RepeatCheck found = checkRepeat(before, now, *tolerance, true);
    for (const RepeatedFigure& figure : found.figures)
        if (figure.slower())
            complain(fmt::format(
                "slower: {} {} {} {} on {}{}: {} ms, was {} ms ({:+.1f}%)", figure.now.operation,
                figure.now.variant, parameterText(figure.now.parameters), imageText(figure.now),
                figure.now.backendRequested.id(), figure.endToEnd ? ", end to end" : "",
                msText(figure.nowMs), msText(figure.beforeMs), 100 * figure.change));
    if (found.figures.empty())
        return failWith({ErrorCode::NotFound,
                         fmt::format("{}: has no figure of what was measured", options.slower)});
    // A part of the other run may be measured on purpose.
    if (found.missing > 0)
        notice(
            fmt::format("{}: {} of its rows were not measured now", options.slower, found.missing));
    if (found.wrong > 0)
        return failWith(
            {ErrorCode::Internal, fmt::format("{} rows agreed with one thread in {} and differ now",
                                              found.wrong, options.slower)});
    if (found.slower() == 0) return kDone;
    return failWith(
        {ErrorCode::Internal,
         fmt::format("{} of {} figures are slower than in {} by more than {:.3g}%", found.slower(),
                     found.figures.size(), options.slower, 100 * *tolerance)});
}

}  // namespace warpscope::cli
