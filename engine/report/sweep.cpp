#include "engine/report/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "engine/operations/registry.h"
#include "engine/report/text_table.h"

namespace warpscope {
namespace {

constexpr std::size_t kLeastValues = 4;

bool takesPart(const StepTiming& row) {
    return row.measured() && row.experiment.empty();
}

std::optional<double> numberOf(const StepTiming& row, const std::string& parameter) {
    const ParamValue* value = row.parameters.find(parameter);
    if (!value) return std::nullopt;
    if (const auto* whole = std::get_if<std::int64_t>(value)) return double(*whole);
    const auto* real = std::get_if<double>(value);
    return real && std::isfinite(*real) ? std::optional(*real) : std::nullopt;
}

// Spread of the steps, as a share of their mean.
double unevenness(const std::vector<double>& values, bool logarithmic) {
    std::vector<double> steps;
    double mean = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        steps.push_back(logarithmic ? std::log(values[i] / values[i - 1])
                                    : values[i] - values[i - 1]);
        mean += steps.back() / double(values.size() - 1);
    }
    double squares = 0;
    for (const double step : steps) squares += (step - mean) * (step - mean);
    return std::sqrt(squares / double(steps.size())) / mean;
}

bool isLogarithmic(const TimingReport& report, const Sweep& sweep) {
    if (!(sweep.values.front() > 0)) return false;
    const std::string begin = fmt::format("{}.{}=", sweep.operation, sweep.parameter);
    for (std::string_view word : report.command) {
        if (word.starts_with("--sweep=")) word.remove_prefix(8);
        if (word.starts_with(begin)) return word.ends_with(":log");
    }
    return unevenness(sweep.values, true) < unevenness(sweep.values, false);
}

std::string labelOf(const Sweep& sweep) {
    const Operation* operation = findOperation(sweep.operation);
    const ParamSpec* spec =
        operation ? operation->description().findParameter(sweep.parameter) : nullptr;
    if (!spec) return sweep.parameter;
    return spec->unit.empty() ? spec->label : fmt::format("{}, {}", spec->label, spec->unit);
}

std::string operationLabel(const std::string& id) {
    const Operation* operation = findOperation(id);
    return operation ? operation->description().label : id;
}

// The parameters that stay.
std::string restText(const StepTiming& row, const std::string& parameter) {
    ParamSet rest;
    for (const auto& [name, value] : row.parameters.values())
        if (name != parameter) rest.set(name, value);
    return parameterText(rest);
}

}  // namespace

std::vector<Sweep> sweepsOf(const TimingReport& report) {
    std::vector<Sweep> sweeps;
    std::map<std::string, std::map<std::string, std::set<std::string>>> texts;
    for (const StepTiming& row : report.results) {
        if (!takesPart(row)) continue;
        if (!texts.contains(row.operation)) sweeps.push_back({row.operation, {}, false, {}});
        for (const auto& [name, value] : row.parameters.values())
            texts[row.operation][name].insert(toText(value));
        texts[row.operation];
    }
    for (Sweep& sweep : sweeps) {
        int differing = 0;
        for (const auto& [name, values] : texts[sweep.operation]) {
            if (values.size() < 2) continue;
            ++differing;
            sweep.parameter = name;
        }
        std::set<double> values;
        for (const StepTiming& row : report.results)
            if (takesPart(row) && row.operation == sweep.operation)
                if (const auto number = numberOf(row, sweep.parameter)) values.insert(*number);
        if (differing == 1) sweep.values.assign(values.begin(), values.end());
    }
    std::erase_if(sweeps, [](const Sweep& one) { return one.values.size() < kLeastValues; });
    for (Sweep& sweep : sweeps) sweep.logarithmic = isLogarithmic(report, sweep);
    return sweeps;
}

Plot sweepPlot(const std::vector<PlotSource>& sources, const Sweep& sweep) {
    // Lines of times against sizes have names, colours and figures already: each row is asked for
    // its own, and goes to the place of its value.
    Plot plot;
    const std::string label = labelOf(sweep);
    plot.xTitle = label;
    plot.xLinear = !sweep.logarithmic;
    plot.title = fmt::format("{}: median time against {}", operationLabel(sweep.operation),
                             label.substr(0, label.find(',')));
    plot.valueTitle = "median time, ms";
    std::map<std::string, std::size_t> panels;
    std::map<std::string, std::size_t> lines;
    std::vector<TimingReport> rows(sources.size());
    std::vector<PlotSource> ofSweep = sources;
    std::set<std::string> kinds;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        rows[i] = *sources[i].report;
        std::erase_if(rows[i].results, [&](const StepTiming& row) {
            return !takesPart(row) || row.operation != sweep.operation ||
                   !numberOf(row, sweep.parameter);
        });
        for (StepTiming& row : rows[i].results) {
            row.dropSamples();
            kinds.insert(
                fmt::format("{}, {}", restText(row, sweep.parameter), formatName(row.format)));
        }
        ofSweep[i].report = &rows[i];
    }
    plot.sources = timePlot(ofSweep, PlotScope::Everything).sources;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        // All rows of one value at a time, in one plot of sizes.
        for (const double value : [&] {
                 std::set<double> all;
                 for (const StepTiming& row : rows[i].results)
                     all.insert(*numberOf(row, sweep.parameter));
                 return all;
             }()) {
            std::vector<TimingReport> some = rows;
            std::vector<PlotSource> ofValue = ofSweep;
            for (std::size_t k = 0; k < some.size(); ++k) {
                std::erase_if(some[k].results, [&](const StepTiming& row) {
                    return k != i || *numberOf(row, sweep.parameter) != value;
                });
                ofValue[k].report = &some[k];
            }
            const Plot sizes = timePlot(ofValue, PlotScope::Everything);
            for (const PlotLine& from : sizes.lines)
                for (PlotPoint point : from.points) {
                    const auto [panel, newPanel] = panels.emplace(point.size, plot.panels.size());
                    if (newPanel)
                        plot.panels.push_back(
                            {point.size, {}, kinds.size() == 1 ? *kinds.begin() : std::string()});
                    const auto [at, newLine] = lines.emplace(
                        fmt::format("{}|{}|{}", i, point.size, from.name), plot.lines.size());
                    if (newLine) {
                        plot.lines.push_back(from);
                        plot.lines.back().panel = panel->second;
                        plot.lines.back().points.clear();
                    }
                    point.x = value;
                    point.size = toText(ParamValue(value));
                    plot.lines[at->second].points.push_back(std::move(point));
                }
        }
    }
    if (plot.panels.size() > 1) plot.title += ", by image size";
    return plot;
}

Plot chartPlot(const std::vector<PlotSource>& sources) {
    const std::vector<Sweep> sweeps = sweepsOf(*sources.front().report);
    const auto other = [&](const StepTiming& row) {
        return row.measured() && row.operation != sweeps.front().operation;
    };
    const std::vector<StepTiming>& rows = sources.front().report->results;
    if (sweeps.size() != 1 || std::any_of(rows.begin(), rows.end(), other))
        return timePlot(sources);
    return sweepPlot(sources, sweeps.front());
}

}  // namespace warpscope
