#include "gui/benchmark/row_series.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "engine/image/format_words.h"
#include "engine/operations/registry.h"
#include "engine/report/roofline_plot.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

// The machine with one row: what the engine plots of it alone.
TimingReport withOne(const BenchmarkEntry& entry, const StepTiming& row) {
    TimingReport report;
    report.date = entry.report.date;
    report.machine = entry.report.machine;
    report.results.push_back(row);
    report.results.back().dropSamples();
    return report;
}

std::optional<double> numberOf(const ParamSet& parameters, const ParamSpec& spec) {
    const ParamValue* value = parameters.find(spec.id);
    if (!value) return std::nullopt;
    if (const auto* whole = std::get_if<std::int64_t>(value)) return double(*whole);
    if (const auto* real = std::get_if<double>(value)) return *real;
    return std::nullopt;
}

std::string parametersBut(const StepTiming& row, const std::string& id) {
    ParamSet others;
    for (const auto& [name, value] : row.parameters.values())
        if (name != id) others.set(name, value);
    return parameterText(others);
}

// All that a line of a sweep has in common.
struct SweptLine {
    StepKey key;  // without the parameters
    std::string parameter;
    std::string others;
    Place place;
    auto operator<=>(const SweptLine&) const = default;
};

struct SweptPoint {
    double value = 0;
    std::size_t row = 0;
};

// Points by growing value, of lines with two of them at least.
std::map<SweptLine, std::vector<SweptPoint>> sweptLines(const TimingReport& report) {
    std::map<SweptLine, std::vector<SweptPoint>> lines;
    for (std::size_t i = 0; i < report.results.size(); ++i) {
        const StepTiming& row = report.results[i];
        const Operation* operation = findOperation(row.operation);
        if (!operation || !row.measured() || !row.experiment.empty()) continue;
        for (const ParamSpec& spec : operation->description().parameters) {
            const auto value = numberOf(row.parameters, spec);
            if (!value || !(*value > 0)) continue;
            SweptLine line{keyOf(row), spec.id, parametersBut(row, spec.id), row.backendRequested};
            line.key.kind.parameters.clear();
            line.key.stepIndex = 0;
            lines[line].push_back({*value, i});
        }
    }
    for (auto& [line, points] : lines) {
        const auto less = [](const SweptPoint& a, const SweptPoint& b) {
            return a.value < b.value;
        };
        const auto same = [](const SweptPoint& a, const SweptPoint& b) {
            return a.value == b.value;
        };
        std::stable_sort(points.begin(), points.end(), less);
        points.erase(std::unique(points.begin(), points.end(), same), points.end());
    }
    std::erase_if(lines, [](const auto& line) { return line.second.size() < 2; });
    return lines;
}

// What all series of one entry share.
void finish(ChartContent& content, ChartSeries series, const BenchmarkEntry& entry,
            const ChartCaption& caption, const QString& key) {
    series.id = QStringLiteral("%1|%2").arg(QString::number(entry.id), key);
    series.machine = machineLabel(entry);
    series.pen = caption.pen;
    series.tint = caption.tint;
    QStringList operations;
    for (const ChartSeries& other : content.series)
        if (!operations.contains(other.operation)) operations << other.operation;
    if (!operations.contains(series.operation)) operations << series.operation;
    series.marker = int(operations.indexOf(series.operation));
    content.series.push_back(std::move(series));
}

QString variantName(const StepTiming& row) {
    const Operation* operation = findOperation(row.operation);
    const VariantSpec* found =
        operation ? operation->description().findVariant(row.variant) : nullptr;
    return found ? engineText(found->label) : QString::fromStdString(row.variant);
}

}  // namespace

bool hasSweep(const std::vector<BenchmarkEntry>& entries) {
    return std::any_of(entries.begin(), entries.end(), [](const BenchmarkEntry& entry) {
        return entry.shown && !sweptLines(entry.report).empty();
    });
}

ChartContent parameterContent(const std::vector<BenchmarkEntry>& entries) {
    ChartContent content;
    content.valueTitle = tr("median time, ms");
    content.captions = entryCaptions(entries);
    std::set<std::string> parameters;
    std::vector<bool> lined;  // a caption each
    std::size_t shown = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const BenchmarkEntry& entry = entries[i];
        if (!entry.shown) continue;
        const ChartCaption& caption = content.captions[shown++];
        const auto lines = sweptLines(entry.report);
        lined.push_back(!lines.empty());
        std::set<Size, decltype([](const Size& a, const Size& b) {
                     return std::pair(a.width, a.height) < std::pair(b.width, b.height);
                 })>
            sizes;
        std::map<std::pair<std::string, std::string>, std::set<std::string>> others;
        for (const auto& [line, points] : lines) {
            sizes.insert({line.key.width, line.key.height});
            others[{line.key.kind.operation, line.parameter}].insert(line.others);
        }
        for (const auto& [line, points] : lines) {
            const StepTiming& first = entry.report.results[points.front().row];
            const ParamSpec* spec =
                findOperation(first.operation)->description().findParameter(line.parameter);
            parameters.insert(spec->unit.empty() ? spec->label : spec->label + ", " + spec->unit);
            // A GPU gives two lines.
            std::vector<ChartSeries> made;
            for (const SweptPoint& point : points) {
                const TimingReport alone = withOne(entry, entry.report.results[point.row]);
                const Plot plot = timePlot({{&alone, {}, {}}}, PlotScope::Everything);
                for (std::size_t l = 0; l < plot.lines.size(); ++l) {
                    if (made.size() <= l) {
                        ChartSeries& series = made.emplace_back(ChartSeries{plot.lines[l]});
                        series.points.clear();
                    } else if (made[l].name != plot.lines[l].name) {
                        // Not as many threads worked at every value.
                        made[l].name = offeredPlaceText(first);
                    }
                    for (PlotPoint one : plot.lines[l].points) {
                        one.x = point.value;
                        one.size = QString::number(point.value, 'g', 6).toStdString();
                        made[l].points.push_back(std::move(one));
                        made[l].rows.push_back(point.row);
                    }
                }
            }
            for (ChartSeries& series : made) {
                QStringList name{enginePartsText(series.name)};
                if (first.variant != kAutomaticVariant) name << variantName(first);
                if (sizes.size() > 1) name << sizeWords(first);
                if (others[{first.operation, line.parameter}].size() > 1 && !line.others.empty())
                    name << QString::fromStdString(line.others);
                series.name = name.join(QStringLiteral(", ")).toStdString();
                if (content.captions.size() > 1)
                    series.name += " (" + entryTag(i).toStdString() + ")";
                series.operation = QStringLiteral("%1, %2").arg(operationText(first.operation),
                                                                engineText(spec->label));
                const QString key = QStringLiteral("%1 %2 %3 %4")
                                        .arg(QString::fromStdString(series.key),
                                             QString::fromStdString(line.parameter),
                                             sizeWords(first), QString::fromStdString(line.others));
                finish(content, std::move(series), entry, caption, key);
            }
        }
    }
    content.acrossTitle = parameters.size() == 1
                              ? engineText(*parameters.begin())
                              : tr("value of the parameter that the series names");
    // A run without a sweep has no line here.
    for (std::size_t i = lined.size(); i-- > 0;)
        if (!lined[i]) content.captions.erase(content.captions.begin() + std::ptrdiff_t(i));
    addNotes(content);
    return content;
}

// "1,024", "4K", "640 × 480".
QString shortSize(const StepTiming& row) {
    if (row.width == row.height) return sizeWords(row).section(QStringLiteral(" × "), 0, 0);
    if (row.width == 3840 && row.height == 2160) return QStringLiteral("4K");
    if (row.width == 7680 && row.height == 4320) return QStringLiteral("8K");
    return sizeWords(row);
}

ChartContent rooflineContent(const std::vector<BenchmarkEntry>& entries) {
    ChartContent content;
    content.valueTitle = engineText(std::string(kRooflineUpwards));
    content.acrossTitle = engineText(std::string(kRooflineAcross));
    content.numbersAcross = true;
    content.captions = entryCaptions(entries);
    std::map<std::string, std::set<PixelFormat>> formatsOf;
    std::map<std::string, std::set<std::string>> parametersOf;
    for (const BenchmarkEntry& entry : entries)
        if (entry.shown)
            for (const StepTiming& row : entry.report.results) {
                formatsOf[row.operation].insert(row.format);
                parametersOf[row.operation].insert(parameterText(row.parameters));
            }
    std::size_t shown = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const BenchmarkEntry& entry = entries[i];
        if (!entry.shown) continue;
        const ChartCaption& caption = content.captions[shown++];
        const MachinePeaks peaks = peaksOf(entry.report.machine);
        struct Point {
            PlotLine line;
            std::size_t row = 0;
        };
        std::map<std::tuple<StepKind, Place, bool, std::string>, std::vector<Point>> lines;
        std::vector<Roof> roofs;
        for (std::size_t r = 0; r < entry.report.results.size(); ++r) {
            const StepTiming& row = entry.report.results[r];
            const TimingReport alone = withOne(entry, row);
            RooflinePlot plot = rooflinePlot(alone, peaks);
            if (plot.empty()) continue;
            for (const Roof& roof : plot.roofs) {
                const bool known = std::any_of(roofs.begin(), roofs.end(), [&](const Roof& other) {
                    return other.ink == roof.ink && other.peakGops == roof.peakGops;
                });
                if (!known) roofs.push_back(roof);
            }
            plot.points[0].points[0].noisy = row.noisy();
            plot.points[0].points[0].size = sizeWords(row).toStdString();
            lines[{kindOf(row), row.backendRequested, row.cold, row.experiment}].push_back(
                {std::move(plot.points[0]), r});
        }
        const QString tag =
            content.captions.size() > 1 ? QStringLiteral(" (%1)").arg(entryTag(i)) : QString();
        for (const Roof& roof : roofs)
            content.roofs.push_back({enginePartsText(roof.name) + tag, roof.ink, roof.copyGbPerS,
                                     roof.peakGops, caption.pen, caption.tint});
        for (auto& [key, points] : lines) {
            const auto pixels = [&](const Point& p) {
                const StepTiming& row = entry.report.results[p.row];
                return double(row.width) * double(row.height);
            };
            std::stable_sort(points.begin(), points.end(),
                             [&](const Point& a, const Point& b) { return pixels(a) < pixels(b); });
            const StepTiming& first = entry.report.results[points.front().row];
            ChartSeries series{points.front().line};
            series.points.clear();
            for (Point& point : points) {
                series.points.push_back(std::move(point.line.points[0]));
                series.rows.push_back(point.row);
                series.marks << shortSize(entry.report.results[point.row]);
            }
            QStringList name{engineText(offeredPlaceText(first))};
            if (first.variant != kAutomaticVariant) name << variantName(first);
            if (formatsOf[first.operation].size() > 1)
                name << engineText(std::string(formatWords(first.format)));
            if (parametersOf[first.operation].size() > 1)
                name << QString::fromStdString(parameterText(first.parameters));
            if (first.cold) name << tr("cold");
            series.name = name.join(QStringLiteral(", ")).toStdString();
            if (content.captions.size() > 1) series.name += " (" + entryTag(i).toStdString() + ")";
            series.operation = operationText(first.operation);
            series.thin = first.variant != kAutomaticVariant;
            series.aside = first.cold || !first.experiment.empty();
            const auto& [kind, place, cold, experiment] = key;
            const std::string text = kind.operation + "|" + kind.variant + "|" + kind.parameters +
                                     "|" + std::string(formatName(kind.format)) + "|" + place.id() +
                                     (cold ? "|cold|" : "|warm|") + experiment;
            finish(content, std::move(series), entry, caption, QString::fromStdString(text));
        }
    }
    addNotes(content);
    return content;
}

}  // namespace warpscope::gui
