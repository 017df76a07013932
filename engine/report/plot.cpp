#include "engine/report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/image/format_words.h"
#include "engine/measure/factor.h"
#include "engine/operations/registry.h"
#include "engine/report/chart_axes.h"
#include "engine/report/text_table.h"

namespace warpscope {
namespace {

bool isGpu(const StepTiming& row) {
    return row.backend == BackendKind::Cuda;
}

// Another library that works there; its kernels alone are timed.
bool isPeerOnGpu(const StepTiming& row) {
    return row.backendRequested.isPeer() && row.backendRequested.kind() == BackendKind::Cuda;
}

bool isSingle(const StepTiming& row) {
    // A processor with one core has rows of all cores, too.
    return row.backendRequested.oneThread() ||
           (row.threads == 1 && row.backendRequested != BackendKind::Cpu);
}

// The label, as people read it; the id where this program does not know it.
std::string variantText(const StepTiming& row) {
    const Operation* operation = findOperation(row.operation);
    const VariantSpec* variant =
        operation ? operation->description().findVariant(row.variant) : nullptr;
    if (!variant) return row.variant;
    std::string label = variant->label;
    for (char& c : label)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return label;
}

// Experiments have parameters of their own and do not make those of the others worth saying.
std::string panelKey(const StepTiming& row) {
    return row.operation + "|" + row.experiment;
}

// What another report needs to have in common with the first to lie beside it: all but the size,
// the temperature and the place.
std::string kindKey(const StepTiming& row) {
    return fmt::format("{}|{}|{}|{}", panelKey(row), row.variant, parameterText(row.parameters),
                       formatName(row.format));
}

// What tells rows of one panel apart; said at a line only where there is more than one of it.
struct Kinds {
    std::set<std::string> formats, parameters;
    bool warm = false;
    bool cold = false;
};

std::string sizeText(const StepTiming& row) {
    return fmt::format("{} × {}", tickText(row.width), tickText(row.height));
}

class Collector {
  public:
    Collector(const std::vector<PlotSource>& sources, PlotScope scope)
        : m_sources(sources), m_scope(scope) {
        for (std::size_t i = 0; i < sources.size(); ++i) {
            const TimingReport& report = *sources[i].report;
            for (const StepTiming& row : report.results) {
                if (!row.measured()) continue;
                if (i == 0 || scope == PlotScope::Everything) m_shown.insert(kindKey(row));
                if (!m_shown.contains(kindKey(row))) continue;
                Kinds& kinds = m_kinds[panelKey(row)];
                kinds.formats.emplace(formatWords(row.format));
                kinds.parameters.insert(parameterText(row.parameters));
                (row.cold ? kinds.cold : kinds.warm) = true;
            }
            std::string text = machineText(report);
            if (!report.date.empty()) text += ", " + report.date.substr(0, 10);
            if (!sources[i].name.empty()) text = sources[i].name + ": " + text;
            plot.sources.push_back(sources.size() > 1 ? tag(i) + ": " + text : text);
        }
    }

    // `name` is that of all points; of a place the plot says itself how many threads worked.
    void add(std::size_t source, const StepTiming& row, const std::string& name, PlotInk ink,
             PlotPoint point) {
        point.row = std::size_t(&row - m_sources[source].report->results.data());
        point.x = double(row.width) * double(row.height);
        if (!(point.value > 0) || !std::isfinite(point.value) || !(point.x > 0) ||
            !m_shown.contains(kindKey(row)))
            return;
        if (!std::isfinite(point.low) || !std::isfinite(point.high)) point.low = point.high = 0;
        point.size = sizeText(row);
        if (!row.imageName.empty()) point.figures = row.imageName + ", " + point.figures;
        if (const std::string fewer = fewerWorkedText(row); !fewer.empty())
            point.figures += ", " + fewer;
        lineOf(source, row, name, ink).points.push_back(std::move(point));
    }

    Plot take() {
        std::set<std::size_t> used;
        for (PlotLine& line : plot.lines) {
            used.insert(line.source);
            sayWorked(line);
            std::stable_sort(line.points.begin(), line.points.end(),
                             [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
        }
        for (std::size_t i = 1; i < m_sources.size() && m_scope == PlotScope::LikeTheFirst; ++i)
            if (!used.contains(i))
                plot.sources[i] +=
                    "; nothing alike: other operations, variants, parameters or "
                    "formats";
        return std::move(plot);
    }

    Plot plot;

  private:
    std::string tag(std::size_t source) const {
        return m_sources[source].tag.empty() ? sourceTag(source) : m_sources[source].tag;
    }

    std::size_t panelOf(const StepTiming& row) {
        const auto [found, isNew] = m_panels.emplace(panelKey(row), plot.panels.size());
        if (isNew) {
            const Operation* operation = findOperation(row.operation);
            const Kinds& kinds = m_kinds[found->first];
            PlotPanel panel;
            panel.operation = operation ? operation->description().label : row.operation;
            panel.experiment = row.experiment;
            if (kinds.parameters.size() == 1) panel.subtitle = *kinds.parameters.begin();
            if (kinds.formats.size() == 1)
                panel.subtitle += (panel.subtitle.empty() ? "" : ", ") + *kinds.formats.begin();
            plot.panels.push_back(std::move(panel));
        }
        return found->second;
    }

    PlotLine& lineOf(std::size_t source, const StepTiming& row, const std::string& name,
                     PlotInk ink) {
        std::string key = fmt::format("{}|{}|{}", kindKey(row), row.cold ? "cold" : "", name);
        const auto [found, isNew] = m_lines.emplace(std::pair(source, key), plot.lines.size());
        if (!isNew) return plot.lines[found->second];
        PlotLine line;
        line.key = std::move(key);
        line.name = name + qualifiers(row);
        if (m_sources.size() > 1) line.name += fmt::format(" ({})", tag(source));
        line.panel = panelOf(row);
        line.source = source;
        line.ink = ink;
        line.hollow = !row.peer.empty();
        line.cold = row.cold;
        line.thin = row.variant != kAutomaticVariant;
        line.aside = !row.experiment.empty() || (row.cold && m_kinds[panelKey(row)].warm);
        plot.lines.push_back(std::move(line));
        return plot.lines.back();
    }

    // What was offered is the name of the line, as long as the threads that worked are as many.
    void sayWorked(PlotLine& line) const {
        const std::vector<StepTiming>& rows = m_sources[line.source].report->results;
        const StepTiming& first = rows[line.points.front().row];
        const std::string name = offeredPlaceText(first), offered = threadsText(first.threads);
        if (first.ofGpu() || !line.name.starts_with(name) || !name.ends_with(offered)) return;
        int fewest = first.threads, most = 0;
        for (const PlotPoint& point : line.points) {
            const StepTiming& row = rows[point.row];
            const int worked = row.threadsWorked > 0 ? row.threadsWorked : row.threads;
            fewest = std::min(fewest, worked);
            most = std::max(most, worked);
        }
        line.name.replace(name.size() - offered.size(), offered.size(),
                          workedText(first.threads, fewest, most));
    }

    std::string qualifiers(const StepTiming& row) {
        const Kinds& kinds = m_kinds[panelKey(row)];
        std::string said;
        const auto say = [&](std::string_view more) {
            if (!more.empty()) said += fmt::format(", {}", more);
        };
        if (row.variant != kAutomaticVariant) say(variantText(row));
        if (kinds.parameters.size() > 1) say(parameterText(row.parameters));
        if (kinds.formats.size() > 1) say(formatWords(row.format));
        // Warm is the usual; cold is always said.
        if (row.cold)
            say("cold");
        else if (kinds.cold)
            say("warm");
        if (m_scope == PlotScope::Everything && !row.experiment.empty()) say("source text");
        return said;
    }

    const std::vector<PlotSource>& m_sources;
    const PlotScope m_scope;
    std::set<std::string> m_shown;  // kinds
    std::map<std::string, Kinds> m_kinds;
    std::map<std::string, std::size_t> m_panels;
    std::map<std::pair<std::size_t, std::string>, std::size_t> m_lines;  // by source and key
};

}  // namespace

std::string PlotPanel::title() const {
    return experiment.empty() ? operation
                              : fmt::format("{}, source text ({})", operation, experiment);
}

Plot panelOf(const Plot& plot, std::size_t panel) {
    Plot one = plot;
    one.panels = {plot.panels[panel]};
    std::erase_if(one.lines, [&](const PlotLine& line) { return line.panel != panel; });
    for (PlotLine& line : one.lines) line.panel = 0;
    return one;
}

std::string sourceTag(std::size_t index) {
    std::string tag;
    for (std::size_t i = index + 1; i > 0; i = (i - 1) / 26)
        tag.insert(tag.begin(), char('A' + (i - 1) % 26));
    return tag;
}

namespace {

std::string placeNamed(const StepTiming& row, int worked) {
    if (row.backendRequested == BackendKind::Cuda) return "GPU";
    const std::string place = isPeerOnGpu(row)   ? "GPU kernels"
                              : isSingle(row)    ? "1 thread"
                              : row.threads > 1  ? workedText(row.threads, worked)
                              : row.threads == 1 ? "all cores (1)"
                                                 : "all cores";
    return row.peer.empty() ? place : fmt::format("{}, {}", row.peer, place);
}

}  // namespace

std::string placeText(const StepTiming& row) {
    return placeNamed(row, row.threadsWorked);
}

std::string offeredPlaceText(const StepTiming& row) {
    return placeNamed(row, 0);
}

std::string fewerWorkedText(const StepTiming& row) {
    const bool fewer = !row.ofGpu() && row.threadsWorked > 0 && row.threadsWorked < row.threads;
    return fewer ? offeredText(row.threads, row.threadsWorked) : std::string();
}

std::vector<std::vector<const StepTiming*>> rowsByStep(const TimingReport& report) {
    std::map<StepKey, std::size_t> places;
    std::vector<std::vector<const StepTiming*>> groups;
    for (const StepTiming& row : report.results) {
        const auto [found, isNew] = places.emplace(inputKeyOf(row), groups.size());
        if (isNew) groups.emplace_back();
        groups[found->second].push_back(&row);
    }
    return groups;
}

Plot timePlot(const std::vector<PlotSource>& sources, PlotScope scope) {
    Collector collector(sources, scope);
    collector.plot.title = "Median time against image size";
    collector.plot.valueTitle = "median time, ms";
    for (std::size_t i = 0; i < sources.size(); ++i) {
        for (const StepTiming& row : sources[i].report->results) {
            if (!row.measured()) continue;
            PlotPoint point;
            point.value = row.time.medianMs;
            point.low = row.time.intervalKnown() ? row.time.lowMs : row.time.p10Ms;
            point.high = row.time.intervalKnown() ? row.time.highMs : row.time.p90Ms;
            point.noisy = row.time.noisy();
            // Another library may compute something a little different; its table row says so.
            point.doubtful = row.agreement.verdict == Verdict::Differs && row.peer.empty();
            point.figures =
                fmt::format("{} ms, {} {} to {} ms, n = {}{}, {}", msText(row.time.medianMs),
                            row.time.intervalKnown() ? "95% of medians" : "p10 to p90",
                            msText(point.low), msText(point.high), row.time.n,
                            point.noisy ? ", noisy" : "", describe(row.agreement));
            if (!isGpu(row)) {
                const PlotInk ink = isPeerOnGpu(row) ? PlotInk::GpuKernels
                                    : isSingle(row)  ? PlotInk::SingleThread
                                                     : PlotInk::AllCores;
                collector.add(i, row, offeredPlaceText(row), ink, std::move(point));
                continue;
            }
            PlotPoint whole;
            whole.value = row.endToEndMs;
            whole.doubtful = point.doubtful;
            std::string interval;
            if (row.endToEnd.intervalKnown()) {
                whole.low = row.endToEnd.lowMs;
                whole.high = row.endToEnd.highMs;
                whole.noisy = row.endToEnd.noisy();
                interval = fmt::format(", 95% of medians {} to {} ms{}", msText(whole.low),
                                       msText(whole.high), whole.noisy ? ", noisy" : "");
            }
            whole.figures =
                fmt::format("{} ms{}: upload {}, kernels {}, download {} ms, {}",
                            msText(row.endToEndMs), interval, msText(row.uploadMs),
                            msText(row.kernelMs), msText(row.downloadMs), describe(row.agreement));
            collector.add(i, row, "GPU kernels", PlotInk::GpuKernels, std::move(point));
            collector.add(i, row, "GPU end to end", PlotInk::GpuEndToEnd, std::move(whole));
        }
    }
    return collector.take();
}

namespace {

PlotInk cpuInk(const StepTiming& row) {
    return isSingle(row) ? PlotInk::SingleThread : PlotInk::AllCores;
}

// One row against the fastest of the CPU; that one is 1x.
void addAgainstBest(Collector& collector, std::size_t source,
                    const std::vector<const StepTiming*>& rowsOfOneInput) {
    const StepTiming* best = bestOfCpu(rowsOfOneInput);
    // Alone it is relative to nothing.
    const auto counted = std::count_if(rowsOfOneInput.begin(), rowsOfOneInput.end(),
                                       [](const StepTiming* row) { return comparable(*row); });
    if (!best || counted < 2) return;
    std::string other = placeText(*best);
    if (best->variant != kAutomaticVariant) other = best->variant + ", " + other;
    const auto add = [&](const StepTiming& row, const std::string& name, PlotInk ink,
                         const TimedSide& side) {
        Factor factor{1};
        if (&row != best) {
            const auto found = factorOf(side, {best->time, best->time.medianMs});
            if (!found) return;
            factor = *found;
        }
        PlotPoint point;
        point.value = factor.value;
        point.low = factor.low;
        point.high = factor.high;
        Speedup said;
        said.factor = factor.value;
        said.low = factor.low;
        said.high = factor.high;
        point.figures = &row == best
                            ? "the best CPU itself"
                            : fmt::format("{} against the best CPU ({}), {}", factorText(said),
                                          other, describe(row.agreement));
        point.noisy = said.ranged();
        if (point.noisy) point.figures += ", noisy";
        collector.add(source, row, name, ink, std::move(point));
    };
    for (const StepTiming* row : rowsOfOneInput) {
        if (!comparable(*row)) continue;
        if (!isGpu(*row)) {
            add(*row, offeredPlaceText(*row), cpuInk(*row), {row->time, row->time.medianMs});
            continue;
        }
        add(*row, "GPU kernels", PlotInk::GpuKernels, {row->time, row->time.medianMs});
        add(*row, "GPU end to end", PlotInk::GpuEndToEnd, {row->endToEnd, row->endToEndMs});
    }
}

}  // namespace

Plot speedupPlot(const std::vector<PlotSource>& sources, std::optional<BackendKind> against,
                 PlotScope scope) {
    Collector collector(sources, scope);
    collector.plot.unityLine = true;
    if (!against) {
        collector.plot.title = "Speedup against the best CPU";
        collector.plot.valueTitle = "speedup against the best CPU, which is 1, times";
        for (std::size_t i = 0; i < sources.size(); ++i)
            for (const auto& rows : rowsByStep(*sources[i].report))
                addAgainstBest(collector, i, rows);
        return collector.take();
    }
    const auto counts = [&](const Speedup& speedup, const StepTiming& row) {
        return speedup.baseline == *against && speedup.baselineVariant == row.variant;
    };
    std::set<std::string> baselines;
    for (const PlotSource& source : sources) {
        const auto all = speedupsOfRows(source.report->results);
        for (std::size_t k = 0; k < all.size(); ++k)
            for (const Speedup& speedup : all[k])
                if (counts(speedup, source.report->results[k]))
                    baselines.insert(threadsText(speedup.baselineOffered));
    }
    const bool common = baselines.size() == 1;
    const std::string baseline = common                              ? *baselines.begin()
                                 : against == BackendKind::CpuSingle ? "one thread"
                                                                     : "all cores";
    collector.plot.title = fmt::format("Speedup against the same algorithm on {}", baseline);
    collector.plot.valueTitle =
        fmt::format("speedup against the same algorithm on {}, times", baseline);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const std::vector<StepTiming>& rows = sources[i].report->results;
        const std::vector<std::vector<Speedup>> all = speedupsOfRows(rows);
        for (std::size_t k = 0; k < rows.size(); ++k) {
            for (const Speedup& speedup : all[k]) {
                if (!counts(speedup, rows[k])) continue;
                const bool gpu = speedup.ofGpu();
                const bool whole = speedup.subject == SpeedupSubject::GpuEndToEnd;
                const std::string name = !gpu    ? offeredPlaceText(rows[k])
                                         : whole ? "GPU end to end"
                                                 : "GPU kernels";
                const std::string other = threadsText(speedup.baselineOffered);
                PlotPoint point;
                point.value = speedup.factor;
                point.low = speedup.low;
                point.high = speedup.high;
                point.figures =
                    fmt::format("{} against {}, {}", factorText(speedup),
                                workedText(speedup.baselineOffered, speedup.baselineThreads),
                                describe(rows[k].agreement));
                point.noisy = speedup.ranged();
                if (point.noisy) point.figures += ", noisy";
                collector.add(i, rows[k], common ? name : fmt::format("{} against {}", name, other),
                              !gpu    ? PlotInk::AllCores
                              : whole ? PlotInk::GpuEndToEnd
                                      : PlotInk::GpuKernels,
                              std::move(point));
            }
        }
    }
    return collector.take();
}

}  // namespace warpscope
