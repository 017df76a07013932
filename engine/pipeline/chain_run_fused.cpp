// Neighbouring steps that map levels by tables, run as one table: what none of them shows apart is
// neither computed nor kept. Only where nobody asks for the time or the output of each: in walks
// without cache.
#include <cmath>

#include "engine/operations/tone/curves.h"
#include "engine/pipeline/chain_run.h"

namespace warpscope {
namespace {

// The table of a plan that maps all colours alike; empty for others.
template <class T>
std::vector<T> tableOf(const Plan& plan) {
    constexpr double kWhite = double(std::numeric_limits<T>::max());
    std::vector<T> table;
    const std::vector<ToneCurve> curves = plan.operation->toneCurves(plan);
    if (curves.size() != 1 || curves.front().channel != HistogramChannel::Luma ||
        double(curves.front().outputs.size()) != kWhite + 1)
        return table;
    for (const double output : curves.front().outputs)
        table.push_back(T(std::lround(output * kWhite)));
    return table;
}

// Appends what `plan` does to `table`, which is empty for nothing; false where it is no table.
template <class T>
bool append(const Plan& plan, std::vector<T>& table) {
    const std::vector<T> next = tableOf<T>(plan);
    if (next.empty()) return false;
    if (table.empty())
        table = next;
    else
        for (T& level : table) level = next[level];
    return true;
}

}  // namespace

bool ChainRun::mayFuse(std::size_t position) const {
    const EnabledStep& step = m_steps[position];
    const OperationDescription& description = step.operation->description();
    return description.mapsLevels && !description.dependsOnWholeImage &&
           step.variant == kAutomaticVariant && step.second && !*step.second;
}

Result<std::size_t> ChainRun::advanceFused(std::size_t first, std::size_t count) {
    const PixelFormat format = m_value.format();
    // Alpha that ends at a white level of its own is rescaled by the first step.
    const bool ownAlpha = m_value.info().hasAlpha && m_value.info().whiteLevel < fullScale(format);
    // A step in bands is planned by its own operation.
    if (m_request.useCache || m_savesMemory || bytesPerSample(format) > 2 || ownAlpha) return 0;
    std::size_t end = first;
    while (end < count && mayFuse(end)) {
        ++end;
        // Somebody takes what is there.
        if (m_lastUse.contains(end)) break;
    }
    if (end - first < 2) return 0;

    auto fused = std::make_shared<CurvesPlan>();
    const PlanRequest request{
        {}, std::string(kAutomaticVariant), format, m_value.size(), m_value.place};
    if (!beginPlan(curves_operation(), request, *fused)) return 0;
    std::size_t made = first, tables = 0;
    for (; made < end; ++made) {
        PlanRequest own = request;
        own.parameters = m_steps[made].parameters;
        const auto plan = m_steps[made].operation->plan(own);
        // An error is told where the step runs by itself.
        if (!plan || (*plan)->output != format) break;
        if ((*plan)->identity) continue;
        if (bytesPerSample(format) == 1 ? !append(**plan, fused->table)
                                        : !append(**plan, fused->table16))
            break;
        fused->fillsRange = fused->fillsRange || (*plan)->fillsRange;
        ++tables;
    }
    if (tables < 2) return 0;
    fused->work = fused->colorSamples();
    finishPlan(*fused);

    if (m_context.stop.stop_requested()) return cancelled();
    const std::size_t last = made - 1;
    const std::size_t before = m_reports.size();
    for (std::size_t i = first; i < last; ++i) {
        m_reports.push_back(beginReport(i));
        m_reports.back().output = format;
        m_reports.back().fusedInto = m_steps[last].index;
    }
    Prepared step{fused, {}, beginReport(last)};
    step.report.output = format;
    if (const auto done = execute(last, step); !done) return fail(named(last, done.error()));
    for (std::size_t i = before; i < m_reports.size(); ++i) {
        m_reports[i].backend = step.report.backend;
        m_reports[i].fallbackReason = step.report.fallbackReason;
    }
    m_reports.push_back(std::move(step.report));
    return made - first;
}

}  // namespace warpscope
