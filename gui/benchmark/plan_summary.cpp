#include "gui/benchmark/plan_summary.h"

#include <QLocale>
#include <cmath>

#include "gui/display/region_words.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

QString secondsText(double seconds) {
    return QLocale().toString(seconds, 'g', 3);
}

// Its own: those of a run that goes on are set to the parameters of its rows.
const PeerSet& peersToAsk() {
    static const PeerSet peers = loadPeers();
    return peers;
}

}  // namespace

PlanSummary summarize(const BenchmarkPlan& plan) {
    PlanSummary summary;
    const bool sizes = !plan.sizes.empty() || !plan.image.isNull();
    if (plan.operations.empty() && !plan.published)
        summary.problem = tr("Choose an operation.");
    else if (!sizes && !plan.published)
        summary.problem = tr("Choose a size, or open an image.");
    else if (plan.backends.empty())
        summary.problem = tr("Choose where to run.");
    else if (!plan.warm && !plan.cold)
        summary.problem = tr("Choose a warm or a cold cache.");
    if (!summary.problem.isEmpty()) return summary;
    const auto cases = casesOf(plan);
    if (!cases) {
        summary.problem = engineText(cases.error().message);
        return summary;
    }
    summary.rows = rowCount(plan, *cases, plan.peers ? peersToAsk() : PeerSet());
    // Nobody knows how fast this machine is before it has run; what is known are the ends.
    const double least = plan.sampling.budgetMs / 1000;
    const double most = std::max(least, plan.longestRowSeconds);
    summary.text =
        tr("%1 results, each sampled for %2 s and %3 times at least, in %6: from %4, if every run "
           "is short and steady, to %7, if all are as slow as may be. What would take above %5 s "
           "is skipped. The remaining time is counted down once some are there.")
            .arg(groupedCount(summary.rows), secondsText(least),
                 QString::number(plan.sampling.minSamples), spanText(least * double(summary.rows)),
                 secondsText(plan.longestRowSeconds),
                 plan.sampling.minRounds == 1 ? tr("one round")
                                              : tr("%1 rounds").arg(plan.sampling.minRounds),
                 spanText(most * double(summary.rows)));
    return summary;
}

QString spanText(double seconds) {
    const auto whole = qint64(std::ceil(seconds));
    if (whole < 60) return tr("%1 s").arg(whole);
    if (whole < 3600)
        return whole % 60 == 0 ? tr("%1 min").arg(whole / 60)
                               : tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
    return tr("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

}  // namespace warpscope::gui
