#include "gui/benchmark/benchmark_series.h"

#include <QStringList>
#include <algorithm>

#include "engine/operations/registry.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

// The newest run of this machine has a whole line; what lies beside it is told apart by dashes.
Qt::PenStyle penOf(bool newest, int other) {
    if (newest) return Qt::SolidLine;
    constexpr Qt::PenStyle kPens[] = {Qt::DashLine, Qt::DotLine, Qt::DashDotLine,
                                      Qt::DashDotDotLine};
    return kPens[other % 4];
}

}  // namespace

std::vector<ChartCaption> entryCaptions(const std::vector<BenchmarkEntry>& entries) {
    const BenchmarkEntry* newest = nullptr;
    std::size_t count = 0;
    for (const BenchmarkEntry& entry : entries) {
        if (entry.shown && entry.ofThisMachine()) newest = &entry;
        count += entry.shown;
    }
    std::vector<ChartCaption> captions;
    int other = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const BenchmarkEntry& entry = entries[i];
        if (!entry.shown) continue;
        QString text = QStringLiteral("%1, %2").arg(machineLabel(entry), originText(entry));
        if (count > 1) text.prepend(entryTag(i) + QStringLiteral(": "));
        const bool isNewest = &entry == newest;
        const int place = isNewest ? 0 : other++;
        // Alone nothing needs telling apart.
        const int tint = isNewest || count < 2 ? 0 : place + (newest ? 1 : 0);
        captions.push_back({text, penOf(isNewest, place), tint});
    }
    return captions;
}

void addNotes(ChartContent& content) {
    bool noisy = false, spread = false, cold = false, hollow = false;
    for (const ChartSeries& series : content.series) {
        cold |= series.cold;
        hollow |= series.hollow;
        for (const PlotPoint& point : series.points) {
            noisy |= point.noisy;
            spread |= point.hasSpread();
        }
    }
    QStringList said;
    if (noisy && content.unityLine)
        said << tr("dashed ring: a side is noisy; bar: what the speedup may be");
    else if (noisy)
        said << tr("dashed ring: noisy, that interval is wider than 3%");
    if (spread && !content.unityLine)
        said.prepend(tr("bar: 95% interval of the median (of one round: 10th to 90th percentile)"));
    if (!said.isEmpty()) content.captions.push_back({said.join(QStringLiteral("; ")), Qt::NoPen});
    QStringList markers;
    if (cold) markers << tr("ring around the marker: cold cache");
    if (hollow) markers << tr("hollow marker: another library");
    if (!markers.isEmpty())
        content.captions.push_back({markers.join(QStringLiteral("; ")), Qt::NoPen});
}

ChartContent chartContent(const std::vector<BenchmarkEntry>& entries,
                          std::optional<Baseline> against) {
    std::vector<const BenchmarkEntry*> shown;
    std::vector<PlotSource> sources;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (!entries[i].shown) continue;
        shown.push_back(&entries[i]);
        sources.push_back({&entries[i].report, {}, sourceTag(i)});
    }
    Plot plot = against ? speedupPlot(sources, against->kind, PlotScope::Everything)
                        : timePlot(sources, PlotScope::Everything);
    ChartContent content;
    content.valueTitle = engineText(plot.valueTitle);
    content.unityLine = plot.unityLine;
    content.captions = entryCaptions(entries);
    QStringList operations;
    for (PlotLine& line : plot.lines) {
        const BenchmarkEntry& entry = *shown[line.source];
        ChartSeries series{std::move(line)};
        series.name = enginePartsText(series.name).toStdString();
        series.id = QStringLiteral("%1|%2").arg(QString::number(entry.id),
                                                QString::fromStdString(series.key));
        series.operation = engineText(plot.panels[series.panel].operation);
        series.machine = machineLabel(entry);
        series.pen = content.captions[series.source].pen;
        series.tint = content.captions[series.source].tint;
        if (!operations.contains(series.operation)) operations << series.operation;
        series.marker = int(operations.indexOf(series.operation));
        content.series.push_back(std::move(series));
    }
    addNotes(content);
    return content;
}

const StepTiming* rowOfPoint(const std::vector<BenchmarkEntry>& entries, const ChartSeries& series,
                             const PlotPoint& point) {
    const int id = series.id.section(QLatin1Char('|'), 0, 0).toInt();
    const auto entry = std::find_if(entries.begin(), entries.end(),
                                    [id](const BenchmarkEntry& e) { return e.id == id; });
    if (entry == entries.end()) return nullptr;
    std::size_t at = point.row;
    if (!series.rows.empty()) {
        const auto place = std::size_t(&point - series.points.data());
        if (place >= series.rows.size()) return nullptr;
        at = series.rows[place];
    }
    return at < entry->report.results.size() ? &entry->report.results[at] : nullptr;
}

QString operationText(const std::string& id) {
    const Operation* operation = findOperation(id);
    return operation ? engineText(operation->description().label) : QString::fromStdString(id);
}

QString sizeWords(const StepTiming& row) {
    return sizeText(Size{row.width, row.height});
}

QString placeWords(const StepTiming& row) {
    return engineText(placeText(row));
}

}  // namespace warpscope::gui
