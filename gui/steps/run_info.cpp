#include "gui/steps/run_info.h"

#include <QCoreApplication>
#include <algorithm>

#include "engine/operations/registry.h"
#include "gui/app/theme.h"
#include "gui/steps/engine_text.h"

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

// The one factor that has room on a card: what the user waits for, against the strongest peer. All
// others stand in the tool tip.
const Speedup* headline(const std::string& backend, const std::vector<Speedup>& all) {
    const Speedup* chosen = nullptr;
    for (const Speedup& speedup : all) {
        const bool gpu = speedup.subject.starts_with("GPU");
        if (gpu != (backend == "cuda")) continue;
        if (gpu && speedup.subject.find("end to end") == std::string::npos) continue;
        if (!chosen || speedup.factor < chosen->factor) chosen = &speedup;
    }
    return backend == "cpu-single" ? nullptr : chosen;
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

    if (const StepTiming* row = rowOf(report->backend, rows)) {
        add(durationText(row->time.medianMs), Tone::Text);
        tips << (report->backend == "cuda" ? tr("%1 for the kernels, median of %2")
                                           : tr("%1, median of %2"))
                    .arg(durationText(row->time.medianMs))
                    .arg(row->time.n);
        if (report->backend == "cuda")
            tips << tr("%1 end to end, transfers included").arg(durationText(row->endToEndMs));
    } else if (report->fromCache) {
        add(tr("kept"), Tone::Weak);
        tips << tr("Not computed again: nothing before it or in it has changed");
    } else if (report->ms > 0) {
        add(durationText(report->ms), Tone::Text);
        tips << tr("%1 in the last run").arg(durationText(report->ms));
    }

    const std::vector<Speedup> all = speedups(rows);
    if (const Speedup* shown = headline(report->backend, all)) {
        add(factorText(shown->factor), Tone::Text);
        // The time beside it is that of the kernels alone.
        if (report->backend == "cuda")
            info.status.append({QLatin1Char(' ') + tr("end to end"), Tone::Weak, {}});
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
