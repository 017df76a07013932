#include "gui/demos/demo_table.h"

#include <QLocale>
#include <algorithm>

#include "engine/backend/cpu_backend.h"
#include "engine/report/plot.h"
#include "engine/report/text_table.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

QString dash() {
    return QStringLiteral("—");
}

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

const StepTiming* rowOf(const std::vector<StepTiming>& rows, BackendKind backend) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const StepTiming& row) {
        return row.backendRequested == backend;
    });
    return found == rows.end() ? nullptr : &*found;
}

DemoCell ourCell(const std::vector<StepTiming>& rows, BackendKind backend, bool endToEnd) {
    const StepTiming* row = rowOf(rows, backend);
    if (!row) return {dash(), true, false, rows.empty() ? tr("Not run") : tr("Not measured yet")};
    if (!row->measured()) return {dash(), true, false, engineText(reasonText(*row))};
    const double ms = endToEnd ? row->endToEndMs : row->time.medianMs;
    DemoCell cell{
        millisecondText(ms), false, false,
        endToEnd ? tr("Upload, kernels and download, median of %1").arg(row->time.n)
                 : tr("Median of %1, %2 to %3 ms from the 10th to the 90th percentile")
                       .arg(row->time.n)
                       .arg(millisecondText(row->time.p10Ms), millisecondText(row->time.p90Ms))};
    if (const SampleSummary& time = endToEnd ? row->endToEnd : row->time; time.noisy())
        cell.toolTip +=
            QLatin1Char('\n') +
            tr("Noisy: %1 to %2 ms").arg(millisecondText(time.lowMs), millisecondText(time.highMs));
    if (const std::string fewer = fewerWorkedText(*row); !fewer.empty() && !endToEnd)
        cell.toolTip += QLatin1Char('\n') + text(fewer);
    if (row->agreement.verdict == Verdict::Differs) {
        cell.error = true;
        cell.toolTip +=
            QLatin1Char('\n') + tr("Against one thread: %1").arg(text(describe(row->agreement)));
    }
    return cell;
}

// The speedup of the column: of the GPU's kernels (without a GPU: of all cores) over one thread.
// The others of the row stand in the tool tip, each naming both sides. Nothing where results
// differ: speedups() has none then.
DemoCell speedupCell(const std::vector<StepTiming>& rows, bool gpu) {
    QStringList all;
    DemoCell cell{dash(), true, false, {}};
    for (const Speedup& speedup : speedups(rows)) {
        const QString factor = speedupText(speedup);
        all << tr("%1 against %2: %3")
                   .arg(engineText(subjectText(speedup.subject)),
                        againstText(speedup, rows.front().variant), factor);
        const bool ofColumn =
            speedup.subject == (gpu ? SpeedupSubject::GpuKernels : SpeedupSubject::AllCores) &&
            speedup.baseline == BackendKind::CpuSingle &&
            speedup.baselineVariant == rows.front().variant;
        if (!ofColumn) continue;
        cell.text = factor;
        cell.weak = false;
    }
    cell.toolTip = all.join(QLatin1Char('\n'));
    if (!cell.weak) return cell;
    const StepTiming* subject = rowOf(rows, gpu ? BackendKind::Cuda : BackendKind::Cpu);
    const QString why =
        !subject               ? rows.empty() ? tr("Not run") : tr("Not measured yet")
                      : !subject->measured() ? engineText(reasonText(*subject))
        : !subject->agreement.allowsSpeedup() ? tr("No speedup: the results do not agree")
        : !gpu && subject->threadsWorked == 1 ? tr("No speedup: one thread did all the work")
                                              : tr("Not measured yet");
    if (!all.isEmpty()) cell.toolTip.prepend(QLatin1Char('\n'));
    cell.toolTip.prepend(why);
    return cell;
}

QString hardwareText(const PublishedExperiment& e) {
    if (e.cpuName.empty()) return tr("Published elsewhere, hardware not known here");
    return tr("Published elsewhere, on %1 and %2").arg(text(e.cpuName), text(e.gpuName));
}

QString machineText(const std::optional<BackendSet>& backends) {
    if (!backends) return tr("Measured here");
    const QString cpu = text(cpuModelName());
    return backends->cuda
               ? tr("Measured here, on %1 and %2").arg(cpu, text(backends->cuda->info().label))
               : tr("Measured here, on %1, no GPU").arg(cpu);
}

}  // namespace

QString publishedText(const PublishedFigure& figure) {
    if (!figure.known()) return dash();
    const QString number = QLocale().toString(figure.value, 'f', figure.decimals);
    return figure.approximate ? QStringLiteral("≈ ") + number : number;
}

DemoTable buildDemoTable(const PublishedExperiment& experiment,
                         const std::vector<std::vector<StepTiming>>& ours, int runningRow,
                         const std::optional<BackendSet>& backends) {
    DemoTable table;
    table.publishedTitle = hardwareText(experiment);
    table.oursTitle = machineText(backends);
    table.publishedColumns = {{{tr("CPU"), {}}, {tr("GPU"), {}}, {tr("Speedup"), {}}}};
    // Until the devices are known, as with one.
    const bool gpu = !backends || backends->cuda;
    const int threads = backends && backends->cpu ? backends->cpu->info().threads : 0;
    table.ourColumns = {
        {{tr("CPU, 1 thread"), BackendKind::CpuSingle},
         {threads > 0 ? tr("CPU, %1 threads").arg(threads) : tr("CPU, all cores"),
          BackendKind::Cpu},
         {tr("GPU kernels"), BackendKind::Cuda},
         {tr("GPU end to end"), BackendKind::Cuda},
         {tr("Speedup"), gpu ? BackendKind::Cuda : BackendKind::Cpu,
          gpu ? tr("kernels : 1 thread") : tr("all cores : 1 thread"),
          gpu ? tr("GPU kernels against the CPU on one thread, both measured here. Other pairs: in "
                   "the tool tips of the figures.")
              : tr("All cores against one thread, both measured here. There is no GPU.")}}};
    QString noGpu;
    for (std::size_t i = 0; i < experiment.rows.size(); ++i) {
        const PublishedRow& row = experiment.rows[i];
        static const std::vector<StepTiming> kNone;
        const std::vector<StepTiming>& measured = i < ours.size() ? ours[i] : kNone;
        DemoLine line;
        line.label = row.method.empty() ? sizeText(row.size) : engineText(row.method);
        line.running = int(i) == runningRow;
        const auto published = [&](const PublishedFigure& figure, bool factor) {
            const QString shown = publishedText(figure);
            return DemoCell{factor && figure.known() ? tr("%1×").arg(shown) : shown,
                            !figure.known(), false,
                            figure.known() ? table.publishedTitle : tr("None was published")};
        };
        line.published = {published(row.cpuMs, false), published(row.gpuMs, false),
                          published(row.speedup, true)};
        line.ours = {ourCell(measured, BackendKind::CpuSingle, false),
                     ourCell(measured, BackendKind::Cpu, false),
                     ourCell(measured, BackendKind::Cuda, false),
                     ourCell(measured, BackendKind::Cuda, true), speedupCell(measured, gpu)};
        if (const StepTiming* there = rowOf(measured, BackendKind::Cuda);
            there && !there->measured())
            noGpu = engineText(reasonText(*there));
        for (const StepTiming& timing : measured)
            if (timing.measured() && timing.agreement.verdict == Verdict::Differs)
                table.notes << tr("%1: the result on %2 %3")
                                   .arg(line.label, text(timing.backend.id()),
                                        engineText(describe(timing.agreement)));
        // A dash beside two figures needs its reason in view.
        if (line.ours[4].weak && !line.ours[0].weak && !line.ours[gpu ? 2 : 1].weak)
            table.notes << tr("%1: %2").arg(line.label,
                                            line.ours[4].toolTip.section(QLatin1Char('\n'), 0, 0));
        if (!row.note.empty()) table.notes << engineText(row.note);
        table.lines.push_back(std::move(line));
    }
    if (!experiment.note.empty()) table.notes << engineText(experiment.note);
    if (!noGpu.isEmpty()) table.notes << tr("No GPU figures: %1").arg(noGpu);
    return table;
}

}  // namespace warpscope::gui
