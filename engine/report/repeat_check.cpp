#include "engine/report/repeat_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "engine/report/text_table.h"

namespace warpscope {
namespace {

auto placedKeyOf(const StepTiming& row) {
    return std::pair(keyOf(row), row.backendRequested);
}

bool apart(const SampleSummary& a, const SampleSummary& b) {
    if (!a.intervalKnown() || !b.intervalKnown()) return true;
    return a.highMs < b.lowMs || b.highMs < a.lowMs;
}

std::vector<double> steadyChanges(const std::vector<RepeatedFigure>& figures) {
    std::vector<double> changes;
    for (const RepeatedFigure& figure : figures)
        if (!figure.noisy) changes.push_back(std::abs(figure.change));
    return changes;
}

std::string percentText(double share) {
    return fmt::format("{:+.1f}%", 100 * share);
}

std::string wordOf(const RepeatedFigure& figure) {
    if (figure.moved) return "MOVED";
    if (figure.noisy) {
        const bool before =
            figure.endToEnd ? figure.before.endToEnd.noisy() : figure.before.time.noisy();
        const bool now = figure.endToEnd ? figure.now.endToEnd.noisy() : figure.now.time.noisy();
        return before && now ? "noisy in both" : before ? "noisy then" : "noisy now";
    }
    return "came out again";
}

}  // namespace

std::size_t RepeatCheck::moved() const {
    return std::size_t(std::count_if(figures.begin(), figures.end(),
                                     [](const RepeatedFigure& one) { return one.moved; }));
}

std::size_t RepeatCheck::slower() const {
    return std::size_t(std::count_if(figures.begin(), figures.end(),
                                     [](const RepeatedFigure& one) { return one.slower(); }));
}

std::size_t RepeatCheck::noisy() const {
    return std::size_t(std::count_if(figures.begin(), figures.end(),
                                     [](const RepeatedFigure& one) { return one.noisy; }));
}

double RepeatCheck::medianChange() const {
    return summarizeSamples(steadyChanges(figures)).medianMs;
}

double RepeatCheck::medianChangeOfAll() const {
    std::vector<double> changes;
    for (const RepeatedFigure& figure : figures) changes.push_back(std::abs(figure.change));
    return summarizeSamples(std::move(changes)).medianMs;
}

double RepeatCheck::largestChange() const {
    const std::vector<double> changes = steadyChanges(figures);
    return changes.empty() ? 0 : *std::max_element(changes.begin(), changes.end());
}

RepeatCheck checkRepeat(const TimingReport& before, const TimingReport& now, double tolerance,
                        bool beyondIntervals) {
    RepeatCheck check;
    check.tolerance = tolerance;
    std::map<decltype(placedKeyOf(StepTiming{})), const StepTiming*> known;
    for (const StepTiming& row : now.results)
        if (row.measured()) known.emplace(placedKeyOf(row), &row);
    for (const StepTiming& row : before.results) {
        if (!row.measured()) continue;
        const auto found = known.find(placedKeyOf(row));
        if (found == known.end()) {
            ++check.missing;
            continue;
        }
        if (row.agreement.allowsSpeedup() && found->second->agreement.verdict == Verdict::Differs)
            ++check.wrong;
        const auto add = [&](const SampleSummary& then, const SampleSummary& again, bool whole) {
            if (!(then.medianMs > 0) || !(again.medianMs > 0)) return;
            RepeatedFigure figure{row, *found->second, whole, then.medianMs, again.medianMs};
            figure.before.dropSamples();
            figure.now.dropSamples();
            figure.change = again.medianMs / then.medianMs - 1;
            figure.noisy = then.noisy() || again.noisy();
            // A factor is as far whichever way it is read.
            const double factor = std::abs(std::log(again.medianMs / then.medianMs));
            const bool sure = beyondIntervals ? apart(then, again) : !figure.noisy;
            figure.moved = sure && factor > std::log1p(tolerance);
            check.figures.push_back(std::move(figure));
        };
        add(row.time, found->second->time, false);
        // A peer's kernels are timed alone.
        if (row.ofGpu() && row.peer.empty()) add(row.endToEnd, found->second->endToEnd, true);
    }
    return check;
}

std::string describe(const RepeatCheck& check, bool all) {
    TextTable table{{{"operation", "variant", "parameters", "image", "backend", "cache", "figure",
                      "then ms", "now ms", "change", "verdict"}},
                    7,
                    9};
    std::map<std::string, RepeatCheck> places;
    for (const RepeatedFigure& figure : check.figures) {
        const StepTiming& row = figure.before;
        const std::string place =
            row.backendRequested.id() + (figure.endToEnd ? ", end to end" : "");
        places[place].figures.push_back(figure);
        if (!all && !figure.moved && !figure.noisy) continue;
        table.lines.push_back({row.operation, row.variant, parameterText(row.parameters),
                               imageText(row), row.backendRequested.id(),
                               row.cold ? "cold" : "warm",
                               figure.endToEnd ? "end to end"
                               : row.ofGpu()   ? "kernels"
                                               : "whole",
                               msText(figure.beforeMs), msText(figure.nowMs),
                               percentText(figure.change), wordOf(figure)});
    }
    std::string text = table.lines.size() > 1 ? alignedText(table) + "\n" : "";
    const auto line = [](const std::string& name, const RepeatCheck& part) {
        const std::size_t steady = part.figures.size() - part.noisy();
        if (steady == 0 && part.moved() == 0)
            return fmt::format(
                "{}: {} figures, all noisy: they promise nothing (median change {:.1f}%)\n", name,
                part.figures.size(), 100 * part.medianChangeOfAll());
        return fmt::format(
            "{}: {} figures; {} not noisy, of these {} moved; median change {:.1f}%, largest "
            "{:.1f}%\n",
            name, part.figures.size(), steady, part.moved(), 100 * part.medianChange(),
            100 * part.largestChange());
    };
    for (const auto& [place, part] : places) text += line(place, part);
    text += line("all", check);
    text += fmt::format("Moved is a change of more than {:.3g}%.\n", 100 * check.tolerance);
    if (check.missing > 0)
        text += fmt::format("{} rows have no figure this time.\n", check.missing);
    if (check.wrong > 0)
        text += fmt::format("{} rows agreed with one thread then and differ now.\n", check.wrong);
    return text;
}

}  // namespace warpscope
