#include "gui/timings/timing_card.h"

#include <algorithm>

#include "engine/measure/roofline.h"
#include "engine/report/text_table.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {

namespace {

QString utf8(const std::string& text) {
    return QString::fromStdString(text);
}

// Where, and of which temperature where a step has rows of both.
QString nameOf(const StepTiming& t, const QString& where, bool bothTemperatures) {
    const QString name = t.peer.empty() ? where : utf8(t.peer);
    if (!bothTemperatures) return name;
    return t.cold ? tr("%1, cold").arg(name) : tr("%1, warm").arg(name);
}

void addNoisy(QStringList& notes, const SampleSummary& time) {
    if (time.noisy())
        notes
            << tr("noisy: %1–%2 ms").arg(millisecondText(time.lowMs), millisecondText(time.highMs));
}

QStringList notesOf(const StepTiming& t, const MachineInfo& machine) {
    QStringList notes{tr("n %1 · %2–%3 ms")
                          .arg(t.time.n)
                          .arg(millisecondText(t.time.p10Ms), millisecondText(t.time.p90Ms))};
    addNoisy(notes, t.time);
    if (t.threadsWorked > 0 && t.threadsWorked < t.threads)
        notes << tr("%1 of %2 threads worked").arg(t.threadsWorked).arg(t.threads);
    if (const QString bandwidth = bandwidthText(t, machine); !bandwidth.isEmpty())
        notes << bandwidth.split(QStringLiteral(" · "));  // one line would widen the whole card
    return notes;
}

void addFigures(TimingCard& card, const StepTiming& t, bool bothTemperatures,
                const MachineInfo& machine) {
    const auto add = [&](const QString& where, double ms, const QStringList& notes) {
        card.figures.push_back({t.backendRequested.kind(), nameOf(t, where, bothTemperatures),
                                millisecondText(ms), notes, tr("ms")});
    };
    if (!isGpu(t)) {
        add(cpuRowName(t), t.time.medianMs, notesOf(t, machine));
        return;
    }
    add(tr("GPU kernels"), t.time.medianMs, notesOf(t, machine));
    add(tr("GPU upload"), t.uploadMs, {});
    add(tr("GPU download"), t.downloadMs, {});
    QStringList whole{tr("upload to download")};
    addNoisy(whole, t.endToEnd);
    add(tr("GPU end to end"), t.endToEndMs, whole);
}

// The row that a speedup is of, for its agreement.
const StepTiming* rowOf(const Speedup& speedup, const std::vector<StepTiming>& rows) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const StepTiming& t) {
        return t.peer.empty() && t.measured() &&
               t.backendRequested == (speedup.ofGpu() ? BackendKind::Cuda : BackendKind::Cpu);
    });
    return row == rows.end() ? nullptr : &*row;
}

// The first pair of a subject is its gain; the others are lines:
// "GPU kernel only against 1 thread: 212×, against 16 threads: 20.1×".
void addSpeedups(TimingCard& card, const std::vector<StepTiming>& rows) {
    std::vector<SpeedupSubject> subjects;
    std::vector<QStringList> others;
    for (const Speedup& speedup : speedups(rows)) {
        const QString against = againstText(speedup, rows.front().variant);
        const auto known = std::find(subjects.begin(), subjects.end(), speedup.subject);
        if (known != subjects.end()) {
            others[std::size_t(known - subjects.begin())]
                << tr("against %1: %2").arg(against, timesText(speedup));
            continue;
        }
        subjects.push_back(speedup.subject);
        others.emplace_back();
        QStringList notes{tr("against %1").arg(against)};
        if (const StepTiming* row = rowOf(speedup, rows);
            row && row->agreement.verdict != Verdict::NotCompared)
            notes << engineText(describe(row->agreement));
        card.gains.push_back({speedup.ofGpu() ? BackendKind::Cuda : BackendKind::Cpu,
                              engineText(std::string(subjectText(speedup.subject))),
                              timesText(speedup), notes});
    }
    for (std::size_t i = 0; i < subjects.size(); ++i)
        if (!others[i].isEmpty())
            card.lines.push_back({engineText(std::string(subjectText(subjects[i]))) +
                                      QLatin1Char(' ') + others[i].join(QStringLiteral(", ")),
                                  TimingTone::Normal,
                                  {}});
}

// "GPU: 87% of copying: bound by memory"
void addWhy(TimingCard& card, const StepTiming& t, const MachineInfo& machine) {
    // What more threads gain is seen in their speedup.
    if (t.backend != BackendKind::Cuda && t.backend != BackendKind::Cpu) return;
    const auto point = rooflinePoint(t, machine, peaksOf(machine));
    if (!point) return;
    const QString where = isGpu(t) ? tr("GPU") : cpuRowName(t);
    card.lines.push_back(
        {tr("%1: %2").arg(where, engineText(whyThatFast(*point))), TimingTone::Weak, {}});
}

void addAgreement(TimingCard& card, const StepTiming& t) {
    if (t.backendRequested == BackendKind::CpuSingle && t.peer.empty())
        return;  // the reference itself
    const QString where = !t.peer.empty() ? utf8(t.peer) : isGpu(t) ? tr("GPU") : cpuRowName(t);
    const QString verdict = engineText(describe(t.agreement));
    if (t.agreement.verdict == Verdict::Differs) {
        card.lines.push_back({tr("%1 and 1 thread: %2. No speedup is shown.").arg(where, verdict),
                              TimingTone::Error,
                              {}});
        if (t.peer.empty()) card.lines.back().differsOn = t.backendRequested.kind();
    } else if (t.agreement.verdict != Verdict::NotCompared) {
        card.lines.push_back({tr("%1 and 1 thread: %2").arg(where, verdict), TimingTone::Weak, {}});
    }
}

}  // namespace

TimingCard buildTimingCard(const std::vector<TimingReady>& rows, bool hasGpu,
                           const MachineInfo& machine) {
    TimingCard card;
    if (rows.empty()) return card;
    const TimingTable table = buildTimingTable(rows, hasGpu, machine);
    card.stepIndex = rows.front().stepIndex;
    card.title = table.groups.front().title;
    card.details = table.groups.front().details;

    std::vector<StepTiming> timings;
    for (const TimingReady& row : rows) timings.push_back(row.timing);
    const auto measured = [](const StepTiming& t) { return t.measured(); };
    const bool anyCold = std::any_of(timings.begin(), timings.end(),
                                     [&](const auto& t) { return measured(t) && t.cold; });
    const bool anyWarm = std::any_of(timings.begin(), timings.end(),
                                     [&](const auto& t) { return measured(t) && !t.cold; });
    for (const StepTiming& t : timings)
        if (measured(t)) addFigures(card, t, anyCold && anyWarm, machine);
    addSpeedups(card, timings);
    for (const StepTiming& t : timings)
        if (measured(t)) addAgreement(card, t);
    for (const StepTiming& t : timings)
        if (measured(t)) addWhy(card, t, machine);
    // What differs is told before what is well.
    std::ranges::stable_partition(
        card.lines, [](const CardLine& line) { return line.tone == TimingTone::Error; });
    for (const TimingLine& line : table.groups.front().lines)
        if (line.spanned) card.lines.push_back({line.cells[0].text, line.cells[0].tone, {}});

    if (anyWarm || anyCold) {
        QStringList how{tr("Medians and 10th to 90th percentile of n repeated runs")};
        if (anyWarm != anyCold)
            how << (anyWarm ? tr("warm: the same input again and again")
                            : tr("cold: inputs in turn, larger together than the cache"));
        const auto single = std::find_if(timings.begin(), timings.end(), measured);
        how << tr("first call, not counted: %1 ms on %2")
                   .arg(millisecondText(single->firstCallMs),
                        isGpu(*single) ? tr("GPU") : cpuRowName(*single));
        card.lines.push_back({how.join(QStringLiteral("; ")), TimingTone::Weak, {}});
    }
    if (const QString& note = table.groups.front().note; !note.isEmpty())
        card.lines.push_back({note, TimingTone::Weak, {}});
    return card;
}

}  // namespace warpscope::gui
