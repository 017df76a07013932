#include "gui/timings/timing_table.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "engine/image/format_words.h"
#include "engine/operations/registry.h"
#include "engine/report/report_text.h"
#include "engine/report/text_table.h"
#include "gui/document/step_levels.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {

namespace {

// Of what a copy through memory reaches, in per cent: more means that the data never left the
// cache.
constexpr double kAsFastAsCopying = 110;

// The device's copy speed wavers more than the digits behind the point.
QString wholePercent(double percent) {
    return QLocale().toString(percent, 'f', percent < 9.95 ? 1 : 0);
}

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

QString operationLabel(const std::string& id) {
    const Operation* operation = findOperation(id);
    return engineText(operation ? operation->description().label : id);
}

QString detailText(const StepTiming& t) {
    QStringList parts;
    const Operation* operation = findOperation(t.operation);
    for (const auto& [id, value] : t.parameters.values()) {
        if (!isUsed(t.operation, t.parameters, id)) continue;
        const ParamSpec* spec = operation ? operation->description().findParameter(id) : nullptr;
        const auto* choice = std::get_if<std::string>(&value);
        const ChoiceSpec* named = spec && choice ? spec->findChoice(*choice) : nullptr;
        const auto* number = std::get_if<std::int64_t>(&value);
        const bool automatic = spec && spec->zeroIsAutomatic && number && *number == 0;
        parts << QStringLiteral("%1 %2").arg(
            engineText(spec ? spec->label : id).toLower(),
            automatic ? tr("automatic")
            : named   ? named->label.empty() ? text(*choice) : engineText(named->label)
                      : text(toText(value)));
    }
    if (!t.variant.empty() && t.variant != kAutomaticVariant)
        parts << tr("variant %1").arg(text(t.variant));
    if (t.width > 0)
        parts << sizeText({t.width, t.height}) << engineText(std::string(formatWords(t.format)));
    return parts.join(QStringLiteral(", "));
}

TimingLine line(const StepTiming& t, const QString& where, double ms) {
    TimingLine l;
    l.backend = t.backendRequested.kind();
    const auto put = [&](TimingColumn column, const QString& content,
                         TimingTone tone = TimingTone::Normal) {
        l.cells[std::size_t(column)] = {content, tone};
    };
    put(TimingColumn::Where, where);
    put(TimingColumn::Median, millisecondText(ms));
    return l;
}

void putSamples(TimingLine& l, const StepTiming& t, const MachineInfo& machine) {
    l.cells[std::size_t(TimingColumn::Spread)] = {
        QStringLiteral("%1–%2").arg(millisecondText(t.time.p10Ms), millisecondText(t.time.p90Ms))};
    l.cells[std::size_t(TimingColumn::Samples)] = {QString::number(t.time.n)};
    if (!(t.gbPerS > 0)) return;
    const double percent = copyPercent(t, machine);
    l.cells[std::size_t(TimingColumn::Bandwidth)] = {
        percent > kAsFastAsCopying ? tr("%1 · cache").arg(millisecondText(t.gbPerS))
        : percent > 0 ? tr("%1 · %2%").arg(millisecondText(t.gbPerS), wholePercent(percent))
                      : millisecondText(t.gbPerS)};
}

TimingCell agreementCell(const StepTiming& t) {
    if (t.backendRequested == BackendKind::CpuSingle) return {tr("reference"), TimingTone::Weak};
    if (t.agreement.verdict == Verdict::NotCompared) return {tr("not compared"), TimingTone::Weak};
    return {engineText(describe(t.agreement)),
            t.agreement.verdict == Verdict::Differs ? TimingTone::Error : TimingTone::Normal};
}

// "9.10–14.0×", where a sentence has "9.10× to 14.0×".
QString shortTimes(const Speedup& speedup) {
    if (!speedup.ranged() || isUnsure(speedup)) return timesText(speedup);
    return QStringLiteral("%1–%2").arg(millisecondText(speedup.low), timesText(speedup.high));
}

TimingCell speedupCell(const std::vector<Speedup>& all, SpeedupSubject subject,
                       const StepTiming& t) {
    if (t.agreement.verdict == Verdict::Differs)
        return {tr("none: results differ"), TimingTone::Error};
    // The line is one side, its name stands in front: "against 1 thread 212×, 16 threads 20.1×".
    QStringList parts, whole;
    for (const Speedup& speedup : all) {
        if (speedup.subject != subject) continue;
        // The card has room for the threads and the variant.
        const QString best = tr("best CPU %1");
        const QString other = tr("%1 %2").arg(againstText(speedup, t.variant));
        const QString& side = speedup.best && speedup.ofGpu() ? best : other;
        parts << side.arg(shortTimes(speedup));
        whole << side.arg(timesText(speedup));
    }
    if (parts.isEmpty()) return {};
    const auto cell = [](const QStringList& sides) {
        return tr("against %1").arg(sides.join(QStringLiteral(", ")));
    };
    return {cell(parts), TimingTone::Normal, whole == parts ? QString() : cell(whole)};
}

TimingLine reasonLine(const StepTiming& t, bool hasGpu) {
    TimingLine l;
    l.backend = t.backendRequested.kind();
    l.spanned = true;
    const QString reason = engineText(reasonText(t));
    if (isGpu(t) && !hasGpu)
        l.cells[0] = {tr("no GPU: %1").arg(reason), TimingTone::Weak};
    else
        l.cells[0] = {tr("%1 not measured: %2").arg(isGpu(t) ? tr("GPU") : cpuRowName(t), reason),
                      TimingTone::Error};
    return l;
}

void addCpu(TimingGroup& group, TimingBarGroup& bars, const StepTiming& t,
            const std::vector<Speedup>& all, const MachineInfo& machine) {
    TimingLine l = line(t, cpuRowName(t), t.time.medianMs);
    putSamples(l, t, machine);
    l.cells[std::size_t(TimingColumn::Agreement)] = agreementCell(t);
    if (t.backendRequested == BackendKind::Cpu)
        l.cells[std::size_t(TimingColumn::Speedup)] = speedupCell(all, SpeedupSubject::AllCores, t);
    group.lines.push_back(std::move(l));
    bars.bars.push_back(
        {t.backendRequested.kind(),
         t.backendRequested == BackendKind::CpuSingle ? tr("CPU, 1 thread") : cpuRowName(t),
         t.time.medianMs, t.time.medianMs});
}

void addGpu(TimingGroup& group, TimingBarGroup& bars, const StepTiming& t,
            const std::vector<Speedup>& all, const MachineInfo& machine) {
    TimingLine kernels = line(t, tr("GPU kernels"), t.time.medianMs);
    putSamples(kernels, t, machine);
    kernels.cells[std::size_t(TimingColumn::Agreement)] = agreementCell(t);
    kernels.cells[std::size_t(TimingColumn::Speedup)] =
        speedupCell(all, SpeedupSubject::GpuKernels, t);
    TimingLine upload = line(t, tr("GPU upload"), t.uploadMs);
    TimingLine download = line(t, tr("GPU download"), t.downloadMs);
    TimingLine whole = line(t, tr("GPU end to end"), t.endToEndMs);
    whole.cells[std::size_t(TimingColumn::Speedup)] =
        speedupCell(all, SpeedupSubject::GpuEndToEnd, t);
    upload.indented = download.indented = true;
    for (TimingLine* l : {&kernels, &upload, &download, &whole})
        group.lines.push_back(std::move(*l));
    bars.bars.push_back(
        {t.backendRequested.kind(), tr("GPU kernels"), t.time.medianMs, t.time.medianMs});
    if (t.endToEndMs > 0)
        bars.bars.push_back({t.backendRequested.kind(), tr("GPU end to end"), t.endToEndMs,
                             std::min(t.time.medianMs, t.endToEndMs)});
}

}  // namespace

QString timingColumnTitle(TimingColumn column) {
    switch (column) {
        case TimingColumn::Where:
            return tr("Where");
        case TimingColumn::Median:
            return tr("Median, ms");
        case TimingColumn::Spread:
            return tr("p10–p90, ms");
        case TimingColumn::Samples:
            return tr("n", "number of samples");
        case TimingColumn::Bandwidth:
            return tr("GB/s");
        case TimingColumn::Agreement:
            return tr("Agreement");
        case TimingColumn::Speedup:
            return tr("Speedup");
    }
    return {};
}

bool isFigure(TimingColumn column) {
    return column == TimingColumn::Median || column >= TimingColumn::Spread;
}

QString cpuRowName(const StepTiming& t) {
    if (t.backendRequested == BackendKind::CpuSingle) return tr("CPU, 1 thread");
    if (t.threadsWorked > 0 && t.threadsWorked < t.threads)
        return tr("CPU, %1 of %2 threads").arg(t.threadsWorked).arg(t.threads);
    return t.threads > 0 ? tr("CPU, %1 threads").arg(t.threads) : tr("CPU, all cores");
}

QString bandwidthText(const StepTiming& timing, const MachineInfo& machine) {
    if (!(timing.gbPerS > 0)) return {};
    const double percent = copyPercent(timing, machine);
    const QString figure = tr("%1 GB/s").arg(millisecondText(timing.gbPerS));
    if (percent > kAsFastAsCopying) return tr("%1 · in the cache").arg(figure);
    return percent > 0 ? tr("%1 · %2% of the speed of copying").arg(figure, wholePercent(percent))
                       : figure;
}

TimingTable buildTimingTable(const std::vector<TimingReady>& rows, bool hasGpu,
                             const MachineInfo& machine) {
    TimingTable table;
    for (std::size_t begin = 0; begin < rows.size();) {
        // Rows of one step come one after the other.
        std::size_t end = begin;
        std::vector<StepTiming> step;
        while (end < rows.size() && rows[end].stepIndex == rows[begin].stepIndex &&
               rows[end].timing.operation == rows[begin].timing.operation)
            step.push_back(rows[end++].timing);
        const std::vector<Speedup> all = speedups(step);
        TimingGroup group;
        group.stepIndex = rows[begin].stepIndex;
        group.title = operationLabel(step.front().operation);
        if (group.stepIndex != kAnalysisStep)
            group.title = QStringLiteral("%1  %2").arg(group.stepIndex + 1).arg(group.title);
        group.details = detailText(step.front());
        if (rows[begin].ofPart)
            group.note = tr("Timed on a part of the image: all of it would take too much memory.");
        TimingBarGroup bars{group.title, {}};
        for (const StepTiming& t : step) {
            if (!t.measured())
                group.lines.push_back(reasonLine(t, hasGpu));
            else if (isGpu(t))
                addGpu(group, bars, t, all, machine);
            else
                addCpu(group, bars, t, all, machine);
        }
        table.groups.push_back(std::move(group));
        table.bars.push_back(std::move(bars));
        begin = end;
    }
    return table;
}

QString timingStateText(const TimingState& s) {
    if (!s.hasImage || s.steps == 0) return {};
    if (s.complete) {
        const qint64 seconds = s.ageMs / 1000;
        if (seconds < 1) return tr("measured just now");
        if (seconds < 60) return tr("measured %1 s ago").arg(seconds);
        if (seconds < 3600) return tr("measured %1 min ago").arg(seconds / 60);
        return tr("measured %1 h ago").arg(seconds / 3600);
    }
    if (s.measuring && s.problem.isEmpty())
        return tr("measuring step %1 of %2…").arg(std::min(s.stepsDone + 1, s.steps)).arg(s.steps);
    if (!s.problem.isEmpty()) return tr("not measured: %1").arg(s.problem);
    if (s.paused) return tr("live update is paused: not measured");
    return s.measuredBefore ? tr("pipeline changed: measuring when idle")
                            : tr("measuring when idle");
}

QString timingEmptyText(const TimingState& s) {
    if (!s.hasImage)
        return s.hasGpu ? tr("Open an image and add a step: it is then timed on one thread, on all "
                             "cores and on the GPU")
                        : tr("Open an image and add a step: it is then timed on one thread and on "
                             "all cores");
    if (s.steps == 0)
        return s.hasGpu ? tr("Add a step or switch one on: it is then timed on one thread, on all "
                             "cores and on the GPU")
                        : tr("Add a step or switch one on: it is then timed on one thread and on "
                             "all cores");
    return {};
}

MachineInfo machineInfo(const BackendSet& backends, const std::optional<CopyBandwidthReady>& copy) {
    MachineInfo machine = reportHead(backends).machine;
    if (copy) {
        machine.copyGbpsCpuSingle = copy->cpuSingle;
        machine.copyGbpsCpu = copy->cpu;
        machine.copyGbpsGpu = copy->gpu;
        setPeaks(machine, copy->peaks);
    }
    return machine;
}

TimingReport timingReport(const std::vector<TimingReady>& rows,
                          const std::optional<BackendSet>& backends,
                          const std::optional<CopyBandwidthReady>& copy) {
    TimingReport report = reportHead(backends.value_or(BackendSet{}));
    report.machine = backends ? machineInfo(*backends, copy) : MachineInfo{};
    for (const TimingReady& row : rows) report.results.push_back(row.timing);
    return report;
}

}  // namespace warpscope::gui
