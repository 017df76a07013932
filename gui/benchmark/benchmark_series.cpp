#include "gui/benchmark/benchmark_series.h"

#include <QCoreApplication>
#include <QHash>
#include <QLocale>
#include <QSet>
#include <algorithm>
#include <set>

#include "engine/operations/registry.h"
#include "engine/report/text_table.h"
#include "gui/timings/timing_table.h"
#include "gui/widgets/engine_text.h"

namespace warpscope::gui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("BenchmarkSeries", text);
}

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), qsizetype(utf8.size()));
}

bool isGpu(const StepTiming& row) {
    return row.backend == BackendKind::Cuda;
}

// The newest run of this machine has a whole line; what lies beside it is told apart by dashes.
Qt::PenStyle penOf(bool newest, int other) {
    if (newest) return Qt::SolidLine;
    constexpr Qt::PenStyle kPens[] = {Qt::DashLine, Qt::DotLine, Qt::DashDotLine,
                                      Qt::DashDotDotLine};
    return kPens[other % 4];
}

// What tells rows of one operation apart; said only where there is more than one of it.
struct Kinds {
    QSet<QString> formats, parameters;
    bool warm = false, cold = false;
};

class Collector {
  public:
    explicit Collector(const std::vector<BenchmarkEntry>& entries) {
        int other = 0;
        const BenchmarkEntry* newest = nullptr;
        for (const BenchmarkEntry& entry : entries)
            if (entry.shown && entry.ofThisMachine()) newest = &entry;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const BenchmarkEntry& entry = entries[i];
            if (!entry.shown) continue;
            const Qt::PenStyle pen = penOf(&entry == newest, &entry == newest ? 0 : other++);
            m_shown.push_back({&entry, entryTag(i), pen});
            for (const StepTiming& row : entry.report.results) {
                if (!row.measured()) continue;
                Kinds& kinds = m_kinds[kindsKey(row)];
                kinds.formats.insert(text(formatName(row.format)));
                kinds.parameters.insert(text(parameterText(row.parameters)));
                (row.cold ? kinds.cold : kinds.warm) = true;
            }
        }
        for (const Shown& shown : m_shown) {
            const QString label =
                QStringLiteral("%1, %2").arg(machineLabel(*shown.entry), originText(*shown.entry));
            m_content.captions.push_back(
                {m_shown.size() > 1 ? QStringLiteral("%1: %2").arg(shown.tag, label) : label,
                 shown.pen});
        }
    }

    struct Shown {
        const BenchmarkEntry* entry = nullptr;
        QString tag;
        Qt::PenStyle pen = Qt::SolidLine;
    };
    const std::vector<Shown>& shown() const { return m_shown; }

    void add(const Shown& shown, const StepTiming& row, const QString& name, ChartInk ink,
             ChartPoint point) {
        if (!(point.value > 0)) return;
        const QString key =
            QStringLiteral("%1|%2|%3|%4|%5|%6|%7|%8")
                .arg(text(row.operation), text(row.variant), text(parameterText(row.parameters)),
                     text(formatName(row.format)), row.cold ? QStringLiteral("cold") : QString(),
                     text(row.experiment), name, QString::number(shown.entry->id));
        auto found = m_places.find(key);
        if (found == m_places.end()) {
            ChartSeries series;
            series.key = key;
            series.operation = operationText(row.operation);
            series.name = name + qualifiers(row);
            if (m_shown.size() > 1) series.name += QStringLiteral(" (%1)").arg(shown.tag);
            series.machine = machineLabel(*shown.entry);
            series.ink = ink;
            series.pen = shown.pen;
            series.hollow = !row.peer.empty();
            series.ringed = row.cold;
            series.thin = row.variant != kAutomaticVariant;
            const Kinds& kinds = m_kinds[kindsKey(row)];
            series.aside = !row.experiment.empty() || (row.cold && kinds.warm);
            series.marker = markerOf(row.operation);
            found = m_places.insert(key, m_content.series.size());
            m_content.series.push_back(std::move(series));
        }
        point.pixels = double(row.width) * double(row.height);
        point.size = sizeWords(row);
        m_content.series[*found].points.push_back(std::move(point));
    }

    ChartContent take() {
        for (ChartSeries& series : m_content.series)
            std::stable_sort(
                series.points.begin(), series.points.end(),
                [](const ChartPoint& a, const ChartPoint& b) { return a.pixels < b.pixels; });
        const auto any = [this](bool ChartSeries::*mark) {
            return std::any_of(m_content.series.begin(), m_content.series.end(),
                               [mark](const ChartSeries& series) { return series.*mark; });
        };
        QStringList markers;
        if (any(&ChartSeries::ringed)) markers << tr("ring around the marker: cold cache");
        if (any(&ChartSeries::hollow)) markers << tr("hollow marker: another library");
        if (!markers.isEmpty())
            m_content.captions.push_back({markers.join(QStringLiteral("; ")), Qt::NoPen});
        return std::move(m_content);
    }
    ChartContent& content() { return m_content; }

  private:
    // Experiments have parameters of their own and do not make those of the others worth saying.
    static QString kindsKey(const StepTiming& row) {
        return text(row.operation) + QLatin1Char('|') + text(row.experiment);
    }

    QString qualifiers(const StepTiming& row) const {
        const Kinds& kinds = m_kinds[kindsKey(row)];
        QString said;
        const auto add = [&](const QString& more) { said += QStringLiteral(", ") + more; };
        if (row.variant != kAutomaticVariant) {
            const Operation* operation = findOperation(row.operation);
            const VariantSpec* variant =
                operation ? operation->description().findVariant(row.variant) : nullptr;
            add(variant ? engineText(variant->label).toLower() : text(row.variant));
        }
        if (kinds.parameters.size() > 1) add(text(parameterText(row.parameters)));
        if (kinds.formats.size() > 1) add(text(formatName(row.format)));
        // Warm is the usual; cold is always said.
        if (row.cold)
            add(tr("cold"));
        else if (kinds.cold)
            add(tr("warm"));
        if (!row.experiment.empty()) add(tr("source text"));
        return said;
    }

    int markerOf(const std::string& operation) {
        const auto found = std::find(m_operations.begin(), m_operations.end(), operation);
        if (found != m_operations.end()) return int(found - m_operations.begin());
        m_operations.push_back(operation);
        return int(m_operations.size()) - 1;
    }

    std::vector<Shown> m_shown;
    mutable QHash<QString, Kinds> m_kinds;
    QHash<QString, std::size_t> m_places;
    std::vector<std::string> m_operations;
    ChartContent m_content;
};

ChartInk inkOf(const StepTiming& row) {
    if (isGpu(row)) return ChartInk::GpuKernels;
    return row.threads == 1 || row.backendRequested.oneThread() ? ChartInk::SingleThread
                                                                : ChartInk::AllCores;
}

QString agreementWords(const StepTiming& row) {
    return row.agreement.verdict == Verdict::NotCompared ? tr("not compared")
                                                         : text(describe(row.agreement));
}

}  // namespace

QString operationText(const std::string& id) {
    const Operation* operation = findOperation(id);
    return operation ? engineText(operation->description().label) : text(id);
}

QString sizeWords(const StepTiming& row) {
    QLocale locale;
    locale.setNumberOptions(QLocale::DefaultNumberOptions);
    return QStringLiteral("%1 × %2").arg(locale.toString(row.width), locale.toString(row.height));
}

QString placeWords(const StepTiming& row) {
    if (row.backendRequested == BackendKind::Cuda) return tr("GPU");
    // A processor with one core has two rows, too.
    const bool cores = row.backendRequested == BackendKind::Cpu;
    const bool single = row.backendRequested.oneThread() || (row.threads == 1 && !cores);
    const QString place = single             ? tr("1 thread")
                          : row.threads > 1  ? tr("%1 threads").arg(row.threads)
                          : row.threads == 1 ? tr("all cores (1)")
                                             : tr("all cores");
    return row.peer.empty() ? place : QStringLiteral("%1, %2").arg(text(row.peer), place);
}

std::vector<std::vector<const StepTiming*>> rowsByStep(const TimingReport& report) {
    QHash<QString, std::size_t> places;
    std::vector<std::vector<const StepTiming*>> groups;
    for (const StepTiming& row : report.results) {
        const QString key =
            QStringLiteral("%1|%2|%3|%4|%5|%6|%7|%8")
                .arg(text(row.operation), text(row.variant), text(parameterText(row.parameters)),
                     text(imageText(row)), row.cold ? QStringLiteral("cold") : QString(),
                     text(row.experiment), text(row.imageName), QString::number(row.stepIndex));
        auto found = places.find(key);
        if (found == places.end()) {
            found = places.insert(key, groups.size());
            groups.emplace_back();
        }
        groups[*found].push_back(&row);
    }
    return groups;
}

ChartContent timeContent(const std::vector<BenchmarkEntry>& entries) {
    Collector collector(entries);
    collector.content().valueTitle = tr("median time, ms");
    collector.content().sizeTitle = tr("image size, pixels");
    for (const auto& shown : collector.shown()) {
        for (const StepTiming& row : shown.entry->report.results) {
            if (!row.measured()) continue;
            ChartPoint point;
            point.value = row.time.medianMs;
            point.low = row.time.p10Ms;
            point.high = row.time.p90Ms;
            point.doubtful = row.agreement.verdict == Verdict::Differs && row.peer.empty();
            point.figures =
                tr("%1 ms, p10 to p90 %2 to %3 ms, n = %4, %5")
                    .arg(millisecondText(row.time.medianMs), millisecondText(row.time.p10Ms),
                         millisecondText(row.time.p90Ms), QString::number(row.time.n),
                         agreementWords(row));
            if (!isGpu(row)) {
                collector.add(shown, row, placeWords(row), inkOf(row), std::move(point));
                continue;
            }
            ChartPoint whole;
            whole.value = row.endToEndMs;
            whole.doubtful = point.doubtful;
            whole.figures = tr("%1 ms: upload %2, kernels %3, download %4 ms, %5")
                                .arg(millisecondText(row.endToEndMs), millisecondText(row.uploadMs),
                                     millisecondText(row.kernelMs), millisecondText(row.downloadMs),
                                     agreementWords(row));
            collector.add(shown, row, tr("GPU kernels"), ChartInk::GpuKernels, std::move(point));
            collector.add(shown, row, tr("GPU end to end"), ChartInk::GpuEndToEnd,
                          std::move(whole));
        }
    }
    return collector.take();
}

ChartContent speedupContent(const std::vector<BenchmarkEntry>& entries, SpeedupBaseline baseline) {
    Collector collector(entries);
    collector.content().sizeTitle = tr("image size, pixels");
    collector.content().unityLine = true;
    const BackendKind against =
        baseline == SpeedupBaseline::OneThread ? BackendKind::CpuSingle : BackendKind::Cpu;
    // One baseline for all is named once, over the chart; else every series names its own.
    QSet<QString> baselines;
    for (const auto& shown : collector.shown())
        for (const StepTiming& row : shown.entry->report.results)
            if (row.measured() && row.peer.empty() && row.backend == against)
                baselines.insert(placeWords(row));
    const bool common = baselines.size() == 1;
    collector.content().valueTitle =
        common ? tr("speedup against %1, times").arg(*baselines.begin())
        : baseline == SpeedupBaseline::OneThread ? tr("speedup against one thread, times")
                                                 : tr("speedup against all cores, times");
    for (const auto& shown : collector.shown()) {
        for (const auto& group : rowsByStep(shown.entry->report)) {
            std::vector<StepTiming> rows;
            const StepTiming* base = nullptr;
            for (const StepTiming* row : group) {
                if (!row->measured() || !row->peer.empty()) continue;
                // With one side only in the list, no speedup is of the other side.
                if (against == BackendKind::Cpu && row->backend == BackendKind::CpuSingle) continue;
                rows.push_back(*row);
                if (!base && row->backend == against) base = row;
            }
            // Where it has no part in speedups, the first one would be against another side.
            if (!base || !base->agreement.allowsSpeedup() || !(base->time.medianMs > 0)) continue;
            std::set<SpeedupSubject> subjects;  // the first of each is against the first baseline
            for (const Speedup& speedup : speedups(rows)) {
                if (!subjects.insert(speedup.subject).second) continue;
                const bool gpu = speedup.ofGpu();
                const bool whole = speedup.subject == SpeedupSubject::GpuEndToEnd;
                const auto subject = std::find_if(rows.begin(), rows.end(), [&](const auto& row) {
                    return gpu == isGpu(row) && (gpu || row.backend == BackendKind::Cpu);
                });
                if (subject == rows.end()) continue;
                const QString name = !gpu    ? placeWords(*subject)
                                     : whole ? tr("GPU end to end")
                                             : tr("GPU kernels");
                ChartPoint point;
                point.value = speedup.factor;
                point.figures = tr("%1 against %2, %3")
                                    .arg(timesText(speedup.factor), placeWords(*base),
                                         agreementWords(*subject));
                collector.add(shown, *subject,
                              common ? name : tr("%1 against %2").arg(name, placeWords(*base)),
                              !gpu    ? ChartInk::AllCores
                              : whole ? ChartInk::GpuEndToEnd
                                      : ChartInk::GpuKernels,
                              std::move(point));
            }
        }
    }
    return collector.take();
}

}  // namespace warpscope::gui
