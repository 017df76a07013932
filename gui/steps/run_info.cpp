#include "gui/steps/run_info.h"

#include <QCoreApplication>
#include <algorithm>

#include "engine/operations/registry.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("RunInfo", text);
}

QString deviceLabel(const std::string& id, const std::optional<BackendSet>& backends) {
    if (backends)
        for (const BackendPtr& backend : backends->available())
            if (backendId(backend->info().kind) == id)
                return QString::fromStdString(backend->info().label);
    return backendShortName(id);
}

const StepTiming* rowOf(const std::string& backend, const std::vector<StepTiming>& rows) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const StepTiming& timing) {
        return timing.backend == backend && timing.measured();
    });
    return row == rows.end() ? nullptr : &*row;
}

// What a card has room for. All others stand in its tool tip. GPU: the kernels against one thread,
// and what the user waits for against all cores.
std::vector<Speedup> forCard(const std::string& backend, const std::vector<Speedup>& all) {
    std::vector<Speedup> chosen;
    const auto isGpu = [](const Speedup& s) { return s.subject.starts_with("GPU"); };
    const auto isEndToEnd = [](const Speedup& s) {
        return s.subject.find("end to end") != std::string::npos;
    };
    const auto isAgainstOne = [](const Speedup& s) { return s.baseline == "1 thread"; };
    const bool manyThreads = std::any_of(all.begin(), all.end(), [&](const Speedup& s) {
        return isGpu(s) && isEndToEnd(s) && !isAgainstOne(s);
    });
    for (const Speedup& speedup : all) {
        if (backend == "cpu" && !isGpu(speedup)) chosen.push_back(speedup);
        if (backend != "cuda" || !isGpu(speedup)) continue;
        const bool kernels = !isEndToEnd(speedup);
        if (kernels ? isAgainstOne(speedup) : isAgainstOne(speedup) != manyThreads)
            chosen.push_back(speedup);
    }
    return chosen;
}

QString speedupLine(const Speedup& speedup) {
    QString subject = engineText(speedup.subject);
    if (subject.startsWith(QLatin1String("GPU "))) subject.remove(0, 4);  // the card says where
    return tr("%1 against %2: %3")
        .arg(subject, engineText(speedup.baseline), factorText(speedup.factor));
}

}  // namespace

QString backendShortName(const std::string& backendId) {
    if (backendId == "cuda") return tr("GPU");
    if (backendId == "cpu") return tr("All cores");
    if (backendId == "cpu-single") return tr("1 thread");
    return QString::fromStdString(backendId);
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
    if (!step.enabled) {
        add(tr("Off"), Tone::Weak);
        return info;
    }
    if (!report || report->backend.empty()) return info;

    if (!info.status.isEmpty()) info.status.append({QStringLiteral(" · "), Tone::Weak, {}});
    info.status.append(
        {QStringLiteral("\u25cf "), Tone::Fixed, Theme::instance().backendColor(report->backend)});
    info.status.append({backendShortName(report->backend), Tone::Weak, {}});
    tips << tr("Ran on %1").arg(deviceLabel(report->backend, backends));

    const bool gpu = report->backend == "cuda";
    // The time beside it is that of the kernels alone.
    const auto named = [gpu](double ms) {
        return gpu ? tr("kernels %1").arg(durationText(ms)) : durationText(ms);
    };
    if (const StepTiming* row = rowOf(report->backend, rows)) {
        add(named(row->time.medianMs), Tone::Text);
        tips << (gpu ? tr("This step alone: %1 for its kernels, median of %2 repeated runs")
                     : tr("This step alone: %1, median of %2 repeated runs"))
                    .arg(durationText(row->time.medianMs))
                    .arg(row->time.n);
        if (gpu) tips << tr("%1 end to end, transfers included").arg(durationText(row->endToEndMs));
    } else if (report->fromCache) {
        add(tr("kept"), Tone::Weak);
        tips << tr("Not computed again: nothing before it or in it has changed");
    } else if (report->ms > 0) {
        add(named(report->ms), Tone::Text);
        tips << (gpu ? tr("This step alone: %1 for its kernels in the last run")
                     : tr("This step alone: %1 in the last run"))
                    .arg(durationText(report->ms));
    }

    const std::vector<Speedup> all = speedups(rows);
    QStringList lines;
    for (const Speedup& speedup : forCard(report->backend, all)) lines << speedupLine(speedup);
    const qsizetype places = gpu ? 2 : report->backend == "cpu" ? 1 : 0;
    while (lines.size() < places) lines << QStringLiteral(" ");
    for (const QString& line : lines) {
        if (!info.speedups.isEmpty()) info.speedups.append({QStringLiteral("\n"), Tone::Weak, {}});
        const qsizetype colon = line.lastIndexOf(QLatin1Char(' ')) + 1;
        info.speedups.append({line.left(colon), Tone::Weak, {}});
        info.speedups.append({line.mid(colon), Tone::Text, {}});
    }
    for (const Speedup& speedup : all)
        tips << tr("%1 against %2: %3")
                    .arg(engineText(speedup.subject), engineText(speedup.baseline),
                         factorText(speedup.factor));

    if (!report->fallbackReason.empty()) info.warnings << engineText(report->fallbackReason);
    for (const std::string& notice : report->notices) info.warnings << engineText(notice);
    for (const StepTiming& row : rows)
        if (row.measured() && row.agreement.verdict == Verdict::Differs)
            info.warnings << tr("%1: %2, so no speedup is shown")
                                 .arg(backendShortName(row.backend),
                                      QString::fromStdString(describe(row.agreement)));
    info.toolTip = tips.join(QLatin1Char('\n'));
    return info;
}

}  // namespace warpscope::gui
