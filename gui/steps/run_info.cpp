#include "gui/steps/run_info.h"

#include <algorithm>

#include "engine/operations/registry.h"
#include "engine/report/text_table.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {

namespace {

QString deviceLabel(BackendKind kind, const std::optional<BackendSet>& backends) {
    if (backends)
        for (const BackendPtr& backend : backends->available())
            if (backend->info().kind == kind) return engineText(backend->info().label);
    return backendShortName(kind);
}

const StepTiming* rowOf(BackendKind backend, const std::vector<StepTiming>& rows) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const StepTiming& timing) {
        return timing.backend == backend && timing.measured();
    });
    return row == rows.end() ? nullptr : &*row;
}

// "with soft": where a step takes its second input from.
QString secondText(const ImageReference& from) {
    if (from.kind == ImageReference::Kind::Source) return tr("with the source");
    if (from.kind == ImageReference::Kind::Second) return tr("with the second image");
    return tr("with %1").arg(QString::fromStdString(from.step));
}

// What a card has room for: against the best of the CPU. All others stand in its tool tip.
std::vector<Speedup> forCard(BackendKind backend, const std::vector<Speedup>& all) {
    std::vector<Speedup> chosen;
    for (const Speedup& speedup : all)
        if (speedup.best && backend == (speedup.ofGpu() ? BackendKind::Cuda : BackendKind::Cpu))
            chosen.push_back(speedup);
    return chosen;
}

QString speedupLine(const Speedup& speedup, const std::string& variant) {
    return tr("%1 against %2: %3")
        .arg(engineText(shortSubjectText(speedup.subject)),  // the card says where
             againstText(speedup, variant), speedupText(speedup));
}

}  // namespace

QString backendShortName(BackendKind backend) {
    if (backend == BackendKind::Cuda) return tr("GPU");
    return backend == BackendKind::Cpu ? tr("All cores") : tr("1 thread");
}

RunInfo describeRun(const Step& step, const StepReport* report, const std::vector<StepTiming>& rows,
                    const std::optional<BackendSet>& backends) {
    RunInfo info;
    QStringList tips;
    const auto add = [&info](const QString& text, Tone tone) {
        if (!info.status.isEmpty()) info.status.append({QStringLiteral(" · "), Tone::Weak, {}});
        info.status.append({text, tone, {}});
    };
    const Operation* operation = findOperation(step.operation);
    if (operation && step.variant != kAutomaticVariant) {
        const VariantSpec* variant = operation->description().findVariant(step.variant);
        add(variant ? engineText(variant->label) : QString::fromStdString(step.variant),
            Tone::Weak);
    }
    if (const auto second = secondInputOf(step)) add(secondText(*second), Tone::Weak);
    if (!step.enabled) {
        add(tr("Off"), Tone::Weak);
        return info;
    }
    if (report && !report->problem.empty()) {
        add(tr("passed over"), Tone::Warning);
        info.warnings << engineText(report->problem);
        return info;
    }
    if (!report || !report->backend) return info;
    const BackendKind backend = *report->backend;

    if (!info.status.isEmpty()) info.status.append({QStringLiteral(" · "), Tone::Weak, {}});
    info.status.append(
        {QStringLiteral("\u25cf "), Tone::Fixed, Theme::instance().backendColor(backend)});
    const StepTiming* timed = rowOf(backend, rows);
    const bool fewer = timed && timed->threadsWorked > 0 && timed->threadsWorked < timed->threads;
    info.status.append({fewer ? engineText(workedText(timed->threads, timed->threadsWorked))
                              : backendShortName(backend),
                        Tone::Weak,
                        {}});
    tips << tr("Ran on %1").arg(deviceLabel(backend, backends));
    if (fewer) tips << tr("Other threads found nothing to do");

    const bool gpu = backend == BackendKind::Cuda;
    // The time beside it is that of the kernels alone.
    const auto named = [gpu](double ms) {
        return gpu ? tr("kernels %1").arg(durationText(ms)) : durationText(ms);
    };
    if (timed) {
        add(gpu ? named(timed->time.medianMs)
                : tr("median %1").arg(durationText(timed->time.medianMs)),
            Tone::Text);
        tips << (gpu ? tr("This step alone: %1 for its kernels, median of %2 repeated runs")
                     : tr("This step alone: %1, median of %2 repeated runs"))
                    .arg(durationText(timed->time.medianMs))
                    .arg(timed->time.n);
        if (gpu)
            tips << tr("%1 end to end, transfers included").arg(durationText(timed->endToEndMs));
    } else if (report->fromCache) {
        add(tr("kept"), Tone::Weak);
        tips << tr("Not computed again: nothing before it or in it has changed");
    } else if (report->ms > 0) {
        add(named(report->ms), Tone::Text);
        tips << (gpu ? tr("This step alone: %1 for its kernels in the last run")
                     : tr("This step alone: %1 in the last run"))
                    .arg(durationText(report->ms));
    }

    const std::vector<Speedup> all = speedups(rows, step.variant);
    QStringList lines;
    for (const Speedup& speedup : forCard(backend, all))
        lines << speedupLine(speedup, step.variant);
    const qsizetype places = gpu ? 2 : backend == BackendKind::Cpu ? 1 : 0;
    while (lines.size() < places) lines << QStringLiteral(" ");
    for (const QString& line : lines) {
        if (!info.speedups.isEmpty()) info.speedups.append({QStringLiteral("\n"), Tone::Weak, {}});
        // The figure, which of a noisy pair is a range.
        const qsizetype colon = std::max(line.lastIndexOf(QStringLiteral(": ")) + 2,
                                         line.lastIndexOf(QChar(0xFF1A)) + 1);
        info.speedups.append({line.left(colon), Tone::Weak, {}});
        info.speedups.append({line.mid(colon), Tone::Text, {}});
    }
    for (const Speedup& speedup : all) {
        tips << tr("%1 against %2: %3")
                    .arg(engineText(subjectText(speedup.subject)),
                         againstText(speedup, step.variant), speedupText(speedup));
        if (isUnsure(speedup))
            tips << tr("Noisy: it may be %1. A machine with less else to do says more")
                        .arg(rangeText({speedup.factor, speedup.low, speedup.high}));
    }

    if (!report->fallbackReason.empty()) info.warnings << engineText(report->fallbackReason);
    for (const std::string& notice : report->notices) info.warnings << engineText(notice);
    for (const StepTiming& row : rows)
        if (row.measured() && row.agreement.verdict == Verdict::Differs)
            info.warnings << tr("%1: %2, so no speedup is shown")
                                 .arg(backendShortName(row.backend.kind()),
                                      engineText(describe(row.agreement)));
    info.toolTip = tips.join(QLatin1Char('\n'));
    return info;
}

void addFound(RunInfo& info, const QString& words) {
    if (!info.status.isEmpty()) info.status.prepend({QStringLiteral(" · "), Tone::Weak, {}});
    info.status.prepend({words, Tone::Text, {}});
}

void addNothingDone(RunInfo& info, const Step& step) {
    const bool levels = step.operation == "levels";
    const auto level = [&step](const char* id) {
        return QString::fromStdString(toText(*step.parameters.find(id)));
    };
    addFound(info, levels ? tr("%1 to %2: changes nothing").arg(level("black"), level("white"))
                          : tr("changes nothing"));
    const QString tip =
        levels ? tr("These levels are all that there are: with them what comes in is given back. A "
                    "picture that uses all of them has nothing to stretch")
               : tr("With these values what comes in is given back");
    info.toolTip = info.toolTip.isEmpty() ? tip : tip + QLatin1Char('\n') + info.toolTip;
}

void addThresholdLevel(RunInfo& info, const QString& level) {
    addFound(info, tr("level %1").arg(level));
    const QString tip = tr("What is above %1 is white").arg(level);
    info.toolTip = info.toolTip.isEmpty() ? tip : tip + QLatin1Char('\n') + info.toolTip;
}

}  // namespace warpscope::gui
