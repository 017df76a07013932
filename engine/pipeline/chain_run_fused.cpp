// Neighbouring steps that map levels by tables, a fixed threshold of gray among them, run as one
// table, or as the colours of a false colour that ends them: what none of them shows apart is
// neither computed nor kept. Only where nobody asks for the time or the output of each: in walks
// without cache.
#include <cmath>
#include <limits>

#include "engine/operations/tone/curves.h"
#include "engine/operations/tone/false_colour.h"
#include "engine/operations/tone/levels.h"
#include "engine/pipeline/chain_run.h"

namespace warpscope {
namespace {

// What steps made of levels: of all colours alike, or of each.
template <class T>
class FusedTables {
  public:
    // False where a plan is no table, or one of a single colour and `colors` does not allow that;
    // then nothing is changed.
    bool append(const Plan& plan, bool colors) {
        constexpr double kWhite = double(std::numeric_limits<T>::max());
        const std::vector<ToneCurve> curves = plan.operation->toneCurves(plan);
        if (curves.size() != 1 || double(curves.front().outputs.size()) != kWhite + 1) return false;
        const HistogramChannel channel = curves.front().channel;
        if (channel != HistogramChannel::Luma && !colors) return false;
        std::vector<T> levels;
        for (const double output : curves.front().outputs)
            levels.push_back(T(std::lround(output * kWhite)));
        if (channel != HistogramChannel::Luma && areAlike()) m_tables.resize(3, m_tables.front());
        for (std::size_t i = 0; i < m_tables.size(); ++i)
            if (channel == HistogramChannel::Luma || channel == kColors[i])
                for (T& level : m_tables[i]) level = levels[level];
        return true;
    }
    bool areAlike() const { return m_tables.size() == 1; }
    // Of all colours, or of red, green and blue.
    std::vector<T>& operator[](std::size_t color) { return m_tables[color]; }

  private:
    static constexpr HistogramChannel kColors[] = {HistogramChannel::Red, HistogramChannel::Green,
                                                   HistogramChannel::Blue};
    std::vector<std::vector<T>> m_tables{unchangedLevels<T>()};
};

// Colours of levels as they were before `table`.
template <class Entry, class T>
void lookUpFirst(std::vector<Entry>& entries, const std::vector<T>& table) {
    std::vector<Entry> made;
    for (const T level : table) made.push_back(entries[level]);
    entries = std::move(made);
}

bool isFixedThreshold(std::string_view id, const ParamSet& parameters) {
    return id == "threshold" && parameters.choice("method") == "fixed";
}

// A plan without its operation's own tables. Null where there is none.
template <class P>
std::shared_ptr<P> begun(const Operation& operation, const PlanRequest& request) {
    auto plan = std::make_shared<P>();
    if (!beginPlan(operation, request, *plan)) return nullptr;
    return plan;
}

}  // namespace

bool ChainRun::mayFuse(std::size_t position) const {
    const EnabledStep& step = m_steps[position];
    const OperationDescription& description = step.operation->description();
    if (step.variant != kAutomaticVariant || !step.second || *step.second) return false;
    // Of colours these look at luma, which is no table.
    if (!isColor(m_value.format()) &&
        (isFixedThreshold(description.id, step.parameters) || isLastOfFused(position)))
        return true;
    return description.mapsLevels && !description.dependsOnWholeImage;
}

bool ChainRun::isLastOfFused(std::size_t position) const {
    return m_steps[position].operation == &false_colour_operation();
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
        // Somebody takes what is there; or it has another format.
        if (m_lastUse.contains(end) || isLastOfFused(end - 1)) break;
    }
    if (end - first < 2) return 0;
    return bytesPerSample(format) == 1 ? runFused<std::uint8_t>(first, end)
                                       : runFused<std::uint16_t>(first, end);
}

template <class T>
Result<std::size_t> ChainRun::runFused(std::size_t first, std::size_t end) {
    const PixelFormat format = m_value.format();
    const PlanRequest request{
        {}, std::string(kAutomaticVariant), format, m_value.size(), m_value.place};
    // Three tables at once are the CPU's alone.
    const bool onGpu = m_backend.info().kind == BackendKind::Cuda;
    FusedTables<T> tables;
    std::shared_ptr<FalseColourPlan> colored;
    std::size_t made = first, fusedSteps = 0;
    bool fillsRange = false;
    for (; made < end; ++made) {
        PlanRequest own = request;
        own.parameters = m_steps[made].parameters;
        const auto plan = m_steps[made].operation->plan(own);
        // An error is told where the step runs by itself.
        if (!plan) break;
        if (isLastOfFused(made)) {
            colored =
                std::make_shared<FalseColourPlan>(static_cast<const FalseColourPlan&>(**plan));
            ++fusedSteps;
            ++made;
            break;
        }
        if ((*plan)->output != format) break;
        if ((*plan)->identity) continue;
        if (!tables.append(**plan, !onGpu)) break;
        fillsRange = fillsRange || (*plan)->fillsRange;
        ++fusedSteps;
    }
    if (fusedSteps < 2) return 0;

    std::shared_ptr<Plan> fused;
    if (colored) {
        if constexpr (sizeof(T) == 1)
            lookUpFirst(colored->colorOfLevel, tables[0]);
        else
            lookUpFirst(colored->indexOfLevel, tables[0]);
        fused = std::move(colored);
    } else if (tables.areAlike()) {
        auto plan = begun<CurvesPlan>(curves_operation(), request);
        if (!plan) return 0;
        if constexpr (sizeof(T) == 1)
            plan->table = std::move(tables[0]);
        else
            plan->table16 = std::move(tables[0]);
        fused = std::move(plan);
    } else {
        auto plan = begun<LevelsPlan>(levels_operation(), request);
        if (!plan) return 0;
        for (std::size_t c = 0; c < 3; ++c) {
            if constexpr (sizeof(T) == 1)
                plan->colors[c] = std::move(tables[c]);
            else
                plan->colors16[c] = std::move(tables[c]);
        }
        fused = std::move(plan);
    }
    if (fused->output == format) {
        fused->fillsRange = fillsRange;
        fused->work = fused->colorSamples();
        finishPlan(*fused);
    }

    if (m_context.stop.stop_requested()) return cancelled();
    const std::size_t last = made - 1;
    const std::size_t before = m_reports.size();
    for (std::size_t i = first; i < last; ++i) {
        m_reports.push_back(beginReport(i));
        m_reports.back().output = format;
        m_reports.back().fusedInto = m_steps[last].index;
    }
    Prepared step{fused, {}, beginReport(last)};
    step.report.output = fused->output;
    if (const auto done = execute(last, step); !done) return fail(named(last, done.error()));
    for (std::size_t i = before; i < m_reports.size(); ++i) {
        m_reports[i].backend = step.report.backend;
        m_reports[i].fallbackReason = step.report.fallbackReason;
    }
    m_reports.push_back(std::move(step.report));
    return made - first;
}

}  // namespace warpscope
