#include "gui/benchmark/pairing.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "engine/measure/factor.h"
#include "engine/report/plot.h"
#include "engine/report/text_table.h"
#include "gui/timings/timing_table.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

Size sizeOf(const StepTiming& row) {
    return {row.width, row.height};
}

template <class T>
T chosen(const std::optional<T>& own, const std::optional<T>& other, const T& ofRow) {
    return own ? *own : other ? *other : ofRow;
}

// Whether the row can stand on a side.
bool allowed(const StepTiming& row, const ComparedSide& side, const ComparedSide& other) {
    return row.measured() &&
           row.backendRequested == chosen(side.place, other.place, row.backendRequested) &&
           row.variant == chosen(side.variant, other.variant, row.variant) &&
           sizeOf(row) == chosen(side.size, other.size, sizeOf(row));
}

// What the two rows of a pair have in common. `place` and the like: empty where a side chose.
auto commonKey(const StepTiming& row, bool place, bool variant, bool size) {
    return std::tuple(row.operation, parameterText(row.parameters), row.format, row.cold,
                      row.experiment, place ? row.backendRequested : Place(),
                      variant ? row.variant : std::string(), size ? row.width : 0,
                      size ? row.height : 0);
}

QString noteOf(const StepTiming& left, const StepTiming& right) {
    QStringList notes;
    for (const StepTiming* row : {&left, &right})
        if (row->agreement.verdict == Verdict::Differs && row->peer.empty()) {
            notes << tr("results differ from those of one thread");
            break;
        }
    if (left.width == right.width && left.height == right.height &&
        left.imageHash != right.imageHash && left.imageHash && right.imageHash)
        notes << tr("another image");
    if (left.backendRequested == right.backendRequested && placeText(left) != placeText(right))
        notes << tr("%1 against %2").arg(placeWords(left), placeWords(right));
    if (left.noisy() || right.noisy())
        notes << (!right.noisy()  ? tr("noisy: left")
                  : !left.noisy() ? tr("noisy: right")
                                  : tr("noisy: both"));
    return notes.join(QStringLiteral("; "));
}

// "GPU", "GPU, direct_2d, 512 × 512".
QString sideText(const StepTiming& row, const ComparedSide& side) {
    // By what was offered, the same for all sizes of a line.
    QStringList parts{text(offeredPlaceText(row))};
    if (side.variant) parts << text(row.variant);
    if (side.size) parts << sizeWords(row);
    return parts.join(QStringLiteral(", "));
}

QString hasText(const ComparedSide& side) {
    QStringList places;
    for (const Place& place : placesOf(side.entry->report))
        places << placeName(side.entry->report, place);
    return places.isEmpty() ? tr("no measured results") : places.join(QStringLiteral(", "));
}

}  // namespace

Pairing pairRows(const ComparedSide& left, const ComparedSide& right) {
    Pairing pairing;
    if (!left.entry || !right.entry) return pairing;
    const bool place = !left.place && !right.place, size = !left.size && !right.size;
    const bool variant = !left.variant && !right.variant;
    const auto keyOfRow = [&](const StepTiming& row) {
        return commonKey(row, place, variant, size);
    };
    std::map<decltype(keyOfRow(StepTiming{})), const StepTiming*> others;
    for (const StepTiming& row : right.entry->report.results)
        if (allowed(row, right, left) && others.emplace(keyOfRow(row), &row).second)
            ++pairing.onlyRight;
    double logarithms = 0;
    for (const StepTiming& row : left.entry->report.results) {
        if (!allowed(row, left, right)) continue;
        const auto found = others.find(keyOfRow(row));
        if (found == others.end() || !(row.time.medianMs > 0) ||
            !(found->second->time.medianMs > 0) || found->second == &row) {
            ++pairing.onlyLeft;
            continue;
        }
        const StepTiming& other = *found->second;
        RowPair pair{row, other, other.time.medianMs / row.time.medianMs, 0, noteOf(row, other)};
        if (row.endToEndMs > 0 && other.endToEndMs > 0)
            pair.endToEndRatio = other.endToEndMs / row.endToEndMs;
        logarithms += std::log(pair.ratio);
        pairing.means.add(row, other, pair.ratio, pair.endToEndRatio);
        pairing.rows.push_back(std::move(pair));
        others.erase(found);
        --pairing.onlyRight;
    }
    if (!pairing.rows.empty())
        pairing.geometricMean = std::exp(logarithms / double(pairing.rows.size()));
    return pairing;
}

std::vector<Place> placesOf(const TimingReport& report) {
    std::vector<Place> list;
    for (const StepTiming& row : report.results)
        if (row.measured() &&
            std::find(list.begin(), list.end(), row.backendRequested) == list.end())
            list.push_back(row.backendRequested);
    return list;
}

std::vector<std::string> variantsOf(const TimingReport& report) {
    std::vector<std::string> list;
    for (const StepTiming& row : report.results)
        if (row.measured() && std::find(list.begin(), list.end(), row.variant) == list.end())
            list.push_back(row.variant);
    return list;
}

std::vector<Size> sizesOf(const TimingReport& report) {
    std::vector<Size> list;
    for (const StepTiming& row : report.results)
        if (row.measured() && std::find(list.begin(), list.end(), sizeOf(row)) == list.end())
            list.push_back(sizeOf(row));
    std::stable_sort(list.begin(), list.end(),
                     [](const Size& a, const Size& b) { return a.pixels() < b.pixels(); });
    return list;
}

QString placeName(const TimingReport& report, const Place& place) {
    for (const StepTiming& row : report.results)
        if (row.measured() && row.backendRequested == place) return text(offeredPlaceText(row));
    return text(place.id());
}

QString pairingSummary(const Pairing& pairing, const ComparedSide& left,
                       const ComparedSide& right) {
    QStringList said;
    if (pairing.rows.empty())
        said << tr("No result of one side has a counterpart on the other (the same operation, "
                   "parameters, format and cache). Left has: %1. Right has: %2.")
                    .arg(hasText(left), hasText(right));
    else
        said << tr("Above 1×, the left side is faster; geometric mean: %1.")
                    .arg(text(pairing.means.text()));
    if (pairing.onlyLeft + pairing.onlyRight > 0)
        said << tr("Without a counterpart: %1 of the left side, %2 of the right.")
                    .arg(QString::number(pairing.onlyLeft), QString::number(pairing.onlyRight));
    return said.join(QLatin1Char(' '));
}

ChartContent pairingChart(const Pairing& pairing, const ComparedSide& left,
                          const ComparedSide& right) {
    ChartContent content;
    content.valueTitle = tr("time of the right side over that of the left");
    content.unityLine = true;
    std::map<QString, std::size_t> known;
    QStringList operations;
    const auto add = [&](const RowPair& pair, bool whole) {
        const StepTiming &l = pair.left, &r = pair.right;
        const double value = whole ? pair.endToEndRatio : pair.ratio;
        if (!(value > 0) || !std::isfinite(value)) return;
        const bool gpu =
            l.backendRequested == BackendKind::Cuda || r.backendRequested == BackendKind::Cuda;
        const QString above = sideText(r, right), below = sideText(l, left);
        QString name = above == below ? above : QStringLiteral("%1 / %2").arg(above, below);
        if (!left.variant && !right.variant && l.variant != kAutomaticVariant)
            name += QStringLiteral(", %1").arg(text(l.variant));
        if (l.cold) name += tr(", cold");
        if (gpu) name += whole ? tr(", end to end") : tr(", kernels");
        const QString operation = operationText(l.operation);
        const QString id =
            QStringLiteral("%1|%2|%3|%4|%5")
                .arg(text(l.operation), text(parameterText(l.parameters)),
                     text(std::string(formatName(l.format))), text(l.experiment), name);
        const auto [at, isNew] = known.emplace(id, content.series.size());
        if (isNew) {
            ChartSeries series;
            series.id = id;
            series.name = name.toStdString();
            series.operation = operation;
            series.machine = QStringLiteral("%1 / %2").arg(machineLabel(*right.entry),
                                                           machineLabel(*left.entry));
            series.ink = whole                                    ? PlotInk::GpuEndToEnd
                         : gpu                                    ? PlotInk::GpuKernels
                         : l.backendRequested == BackendKind::Cpu ? PlotInk::AllCores
                                                                  : PlotInk::SingleThread;
            series.cold = l.cold;
            series.thin = l.variant != kAutomaticVariant;
            series.aside = !l.experiment.empty();
            if (!operations.contains(operation)) operations << operation;
            series.marker = int(operations.indexOf(operation));
            content.series.push_back(std::move(series));
        }
        PlotPoint point;
        point.x = double(l.width) * double(l.height);
        point.value = value;
        point.size = sizeWords(l).toStdString();
        point.figures = timesText(value).toStdString();
        // What it may be where a side is noisy.
        const auto side = [whole](const StepTiming& row) {
            return whole && row.ofGpu() ? TimedSide{row.endToEnd, row.endToEndMs}
                                        : TimedSide{row.time, row.time.medianMs};
        };
        if (const auto factor = factorOf(side(l), side(r)); factor && factor->high > 0) {
            point.low = factor->low;
            point.high = factor->high;
            point.noisy = true;
            point.figures = tr("%1 to %2, noisy")
                                .arg(timesText(factor->low), timesText(factor->high))
                                .toStdString();
        }
        content.series[at->second].points.push_back(std::move(point));
    };
    for (const RowPair& pair : pairing.rows) {
        add(pair, false);
        const bool gpu = pair.left.backendRequested == BackendKind::Cuda ||
                         pair.right.backendRequested == BackendKind::Cuda;
        if (gpu) add(pair, true);
    }
    for (ChartSeries& series : content.series)
        std::stable_sort(series.points.begin(), series.points.end(),
                         [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
    if (!content.series.empty()) {
        content.captions = {{tr("Left: %1").arg(machineLabel(*left.entry)), Qt::NoPen},
                            {tr("Right: %1").arg(machineLabel(*right.entry)), Qt::NoPen}};
        addNotes(content);
    }
    return content;
}

}  // namespace warpscope::gui
