#include "engine/report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/operations/registry.h"
#include "engine/report/text_table.h"

namespace warpscope {
namespace {

bool isGpu(const StepTiming& row) {
    return row.backend == BackendKind::Cuda;
}

bool isSingle(const StepTiming& row) {
    // A processor with one core has rows of all cores, too.
    return row.backendRequested.oneThread() ||
           (row.threads == 1 && row.backendRequested != BackendKind::Cpu);
}

std::string placeText(const StepTiming& row) {
    const std::string place = isSingle(row)      ? "1 thread"
                              : row.threads > 1  ? fmt::format("{} threads", row.threads)
                              : row.threads == 1 ? "all cores (1)"
                                                 : "all cores";
    return row.peer.empty() ? place : fmt::format("{}, {}", row.peer, place);
}

std::string sizeText(const StepTiming& row) {
    std::string text = fmt::format("{} x {}", row.width, row.height);
    return row.imageName.empty() ? text : fmt::format("{}, {}", text, row.imageName);
}

std::string agreementText(const StepTiming& row) {
    return describe(row.agreement);
}

std::string panelKey(const StepTiming& row) {
    return row.operation + "|" + row.experiment;
}

// What another report needs to have in common with the first to lie beside it: all but the size,
// the temperature and the place.
std::string kindKey(const StepTiming& row) {
    return fmt::format("{}|{}|{}|{}", panelKey(row), row.variant, parameterText(row.parameters),
                       formatName(row.format));
}

// What rows of one step on one input have in common; backends and peers differ.
std::string stepKey(const StepTiming& row) {
    return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}", row.operation, row.variant,
                       parameterText(row.parameters), imageText(row), row.cold, row.experiment,
                       row.imageName, row.stepIndex);
}

// What tells rows of one panel apart; said at a line only where there is more than one of it.
struct Kinds {
    std::set<std::string> formats, parameters;
    bool warm = false;
    bool cold = false;
};

class Collector {
  public:
    explicit Collector(const std::vector<PlotSource>& sources) : m_sources(sources) {
        for (std::size_t i = 0; i < sources.size(); ++i)
            for (const StepTiming& row : sources[i].report->results) {
                if (!row.measured()) continue;
                if (i == 0) m_comparable.insert(kindKey(row));
                if (!m_comparable.contains(kindKey(row))) continue;
                Kinds& kinds = m_kinds[panelKey(row)];
                kinds.formats.emplace(formatName(row.format));
                kinds.parameters.insert(parameterText(row.parameters));
                (row.cold ? kinds.cold : kinds.warm) = true;
            }
        for (std::size_t i = 0; i < sources.size(); ++i) {
            std::string text = machineText(*sources[i].report);
            if (!sources[i].report->date.empty())
                text += ", " + sources[i].report->date.substr(0, 10);
            if (!sources[i].name.empty()) text = sources[i].name + ": " + text;
            plot.sources.push_back(sources.size() > 1 ? fmt::format("{}: {}", tag(i), text) : text);
        }
    }

    void add(std::size_t source, const StepTiming& row, const std::string& name, PlotInk ink,
             PlotPoint point) {
        if (!(point.value > 0) || !std::isfinite(point.value) ||
            !m_comparable.contains(kindKey(row)))
            return;
        point.pixels = double(row.width) * double(row.height);
        point.figures = sizeText(row) + ": " + point.figures;
        m_used.insert(source);
        lineOf(source, row, name, ink).points.push_back(std::move(point));
    }

    Plot take() {
        for (std::size_t i = 1; i < m_sources.size(); ++i)
            if (!m_used.contains(i))
                plot.sources[i] +=
                    "; nothing alike: other operations, variants, parameters or "
                    "formats";
        for (PlotPanel& panel : plot.panels)
            for (PlotLine& line : panel.lines)
                std::stable_sort(
                    line.points.begin(), line.points.end(),
                    [](const PlotPoint& a, const PlotPoint& b) { return a.pixels < b.pixels; });
        return std::move(plot);
    }

    Plot plot;

  private:
    // "A" to "Z", then "A1".
    static std::string tag(std::size_t index) {
        std::string text(1, char('A' + index % 26));
        return index < 26 ? text : text + fmt::format("{}", index / 26);
    }

    PlotPanel& panelOf(const StepTiming& row) {
        const auto [found, isNew] = m_panels.emplace(panelKey(row), plot.panels.size());
        if (isNew) {
            const Operation* operation = findOperation(row.operation);
            const Kinds& kinds = m_kinds[found->first];
            PlotPanel panel;
            panel.title = operation ? operation->description().label : row.operation;
            if (!row.experiment.empty())
                panel.title += fmt::format(", source text ({})", row.experiment);
            if (kinds.parameters.size() == 1) panel.subtitle = *kinds.parameters.begin();
            if (kinds.formats.size() == 1)
                panel.subtitle += (panel.subtitle.empty() ? "" : ", ") + *kinds.formats.begin();
            plot.panels.push_back(std::move(panel));
        }
        return plot.panels[found->second];
    }

    PlotLine& lineOf(std::size_t source, const StepTiming& row, const std::string& name,
                     PlotInk ink) {
        PlotPanel& panel = panelOf(row);
        std::string full = name + qualifiers(row);
        if (m_sources.size() > 1) full += fmt::format(" ({})", tag(source));
        for (PlotLine& line : panel.lines)
            if (line.name == full) return line;
        PlotLine line;
        line.name = std::move(full);
        line.ink = ink;
        line.hollow = !row.peer.empty();
        line.cold = row.cold;
        line.thin = row.variant != kAutomaticVariant;
        line.beside = source > 0;
        panel.lines.push_back(std::move(line));
        return panel.lines.back();
    }

    std::string qualifiers(const StepTiming& row) {
        const Kinds& kinds = m_kinds[panelKey(row)];
        std::string said;
        const auto say = [&](std::string_view more) {
            if (!more.empty()) said += fmt::format(", {}", more);
        };
        if (row.variant != kAutomaticVariant) say(row.variant);
        if (kinds.parameters.size() > 1) say(parameterText(row.parameters));
        if (kinds.formats.size() > 1) say(formatName(row.format));
        // Warm is the usual; cold is always said.
        if (row.cold)
            say("cold");
        else if (kinds.cold)
            say("warm");
        return said;
    }

    const std::vector<PlotSource>& m_sources;
    std::set<std::string> m_comparable;
    std::set<std::size_t> m_used;  // sources with a point
    std::map<std::string, Kinds> m_kinds;
    std::map<std::string, std::size_t> m_panels;
};

std::vector<std::vector<StepTiming>> rowsByStep(const TimingReport& report) {
    std::map<std::string, std::size_t> places;
    std::vector<std::vector<StepTiming>> groups;
    for (const StepTiming& row : report.results) {
        if (!row.measured() || !row.peer.empty()) continue;
        const auto [found, isNew] = places.emplace(stepKey(row), groups.size());
        if (isNew) groups.emplace_back();
        groups[found->second].push_back(row);
    }
    return groups;
}

}  // namespace

Plot timePlot(const std::vector<PlotSource>& sources) {
    Collector collector(sources);
    collector.plot.title = "Median time against image size";
    collector.plot.valueTitle = "median time, ms";
    for (std::size_t i = 0; i < sources.size(); ++i) {
        for (const StepTiming& row : sources[i].report->results) {
            if (!row.measured()) continue;
            PlotPoint point;
            point.value = row.time.medianMs;
            point.low = row.time.p10Ms;
            point.high = row.time.p90Ms;
            // Another library may compute something a little different; its table row says so.
            point.doubtful = row.agreement.verdict == Verdict::Differs && row.peer.empty();
            point.figures = fmt::format("{} ms, p10 to p90 {} to {} ms, n = {}, {}",
                                        msText(row.time.medianMs), msText(row.time.p10Ms),
                                        msText(row.time.p90Ms), row.time.n, agreementText(row));
            if (!isGpu(row)) {
                const PlotInk ink = isSingle(row) ? PlotInk::SingleThread : PlotInk::AllCores;
                collector.add(i, row, placeText(row), ink, std::move(point));
                continue;
            }
            PlotPoint whole;
            whole.value = row.endToEndMs;
            whole.doubtful = point.doubtful;
            whole.figures =
                fmt::format("{} ms: upload {}, kernels {}, download {} ms, {}",
                            msText(row.endToEndMs), msText(row.uploadMs), msText(row.kernelMs),
                            msText(row.downloadMs), agreementText(row));
            collector.add(i, row, "GPU kernels", PlotInk::GpuKernels, std::move(point));
            collector.add(i, row, "GPU end to end", PlotInk::GpuEndToEnd, std::move(whole));
        }
    }
    return collector.take();
}

Plot speedupPlot(const std::vector<PlotSource>& sources, BackendKind against) {
    Collector collector(sources);
    const bool ofSingle = against == BackendKind::CpuSingle;
    std::set<std::string> baselines;
    for (const PlotSource& source : sources)
        for (const StepTiming& row : source.report->results)
            if (row.measured() && row.peer.empty() && row.backend == against)
                baselines.insert(placeText(row));
    const std::string baseline = baselines.size() == 1 ? *baselines.begin()
                                 : ofSingle            ? "one thread"
                                                       : "all cores";
    collector.plot.title = fmt::format("Speedup against {}", baseline);
    collector.plot.valueTitle = fmt::format("times as fast as {}", baseline);
    collector.plot.unityLine = true;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        for (std::vector<StepTiming> rows : rowsByStep(*sources[i].report)) {
            // With one baseline only in the list, no speedup is against the other.
            if (!ofSingle)
                std::erase_if(rows, [](const StepTiming& row) {
                    return row.backend == BackendKind::CpuSingle;
                });
            const auto base = std::find_if(rows.begin(), rows.end(), [&](const StepTiming& row) {
                return row.backend == against;
            });
            if (base == rows.end() || !base->agreement.allowsSpeedup() ||
                !(base->time.medianMs > 0))
                continue;
            std::set<SpeedupSubject>
                seen;  // the first of each subject is against the first baseline
            for (const Speedup& speedup : speedups(rows)) {
                if (!seen.insert(speedup.subject).second) continue;
                const bool gpu = speedup.ofGpu();
                const bool whole = speedup.subject == SpeedupSubject::GpuEndToEnd;
                const auto subject =
                    std::find_if(rows.begin(), rows.end(), [&](const StepTiming& row) {
                        return row.backend == (gpu ? BackendKind::Cuda : BackendKind::Cpu);
                    });
                if (subject == rows.end()) continue;
                PlotPoint point;
                point.value = speedup.factor;
                point.figures = fmt::format("{} against {}, {}", ratioText(speedup.factor),
                                            placeText(*base), agreementText(*subject));
                collector.add(i, *subject,
                              !gpu    ? placeText(*subject)
                              : whole ? "GPU end to end"
                                      : "GPU kernels",
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
