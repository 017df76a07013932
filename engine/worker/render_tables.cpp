// Tables that steps take from their whole input, equalization's among them: made once, for chains
// that are computed part by part.
#include <algorithm>
#include <utility>

#include "engine/base/clock.h"
#include "engine/image/storage_pool.h"
#include "engine/operations/registry.h"
#include "engine/worker/render_session.h"

namespace warpscope {
namespace {

struct Wanted {
    std::size_t index = 0;  // in Pipeline::steps
    PlanRequest request;
};

// Steps of which nothing is known before their input is.
std::vector<Wanted> wantedTables(const Pipeline& pipeline, const ChainShape& shape) {
    std::vector<Wanted> wanted;
    for (const ShapedStep& step : shape.steps) {
        if (!step.plan) continue;
        const Operation& operation = *step.plan->operation;
        const OperationDescription& description = operation.description();
        if (!description.hasTablesOfImage) continue;
        const Plan& plan = *step.plan;
        PlanRequest request{
            scaledParameters(description, pipeline.steps[step.index].parameters, plan.place.scale),
            plan.variant, plan.input, plan.size, plan.place};
        if (operation.withTables(request, plan)) continue;
        wanted.push_back({step.index, std::move(request)});
    }
    return wanted;
}

RunContext partOfContext(const RunContext& context, std::size_t part, std::size_t parts) {
    if (!context.progress || parts == 1) return context;
    return {context.stop, [&sink = context.progress, part, parts](double fraction) {
                sink((double(part) + fraction) / double(parts));
            }};
}

}  // namespace

Result<RenderSession::Tables> RenderSession::tablesFor(const RenderRequest& request,
                                                       const ChainShape& shape,
                                                       const RunContext& context) {
    const auto wanted = wantedTables(request.pipeline, shape);
    Tables tables;
    std::vector<Wanted> missing;
    const auto chainOf = [&](std::size_t index) {
        Pipeline chain = request.pipeline;
        chain.steps.resize(index + 1);
        return chain;
    };
    const std::uint64_t source = request.source->levels.front().id();
    const std::uint64_t second = idOf(request.second);
    for (const Wanted& step : wanted) {
        const auto known = std::ranges::find_if(m_knownTables, [&](const KnownTables& one) {
            return one.source == source && one.second == second && one.chain == chainOf(step.index);
        });
        if (known != m_knownTables.end())
            tables.plans[step.index] = known->plan;
        else
            missing.push_back(step);
    }
    tables.parts = missing.size() + 1;
    const Stopwatch watch;
    for (std::size_t i = 0; i < missing.size(); ++i) {
        const Wanted& step = missing[i];
        RenderRequest before = request;
        before.pipeline.steps.resize(step.index);
        PlanPtr plan;
        {
            Image input = request.source->levels.front();
            if (std::ranges::any_of(before.pipeline.steps, &Step::enabled)) {
                auto done =
                    chainRun(before, Recording::Off, partOfContext(context, i, tables.parts));
                if (!done) return fail(done.error());
                input = std::move(done->image);
            }
            const double begun = watch.elapsedMs();
            const bool single = request.backend == BackendChoice::CpuSingle;
            const Operation& operation =
                *findOperation(request.pipeline.steps[step.index].operation);
            auto made = operation.takeTables(
                step.request, input,
                {single ? Threading::Single : Threading::AllCores, context.stop, {}});
            if (!made) return fail(made.error());
            plan = std::move(*made);
            tables.ms[step.index] = watch.elapsedMs() - begun;
        }
        // Other tables of this step will not be asked for again.
        std::erase_if(m_knownTables, [&](const KnownTables& known) {
            return known.chain.steps.size() == step.index + 1;
        });
        m_knownTables.push_back({source, second, chainOf(step.index), plan});
        tables.plans[step.index] = std::move(plan);
    }
    tables.totalMs = watch.elapsedMs();
    if (!missing.empty()) trimStorage();
    return tables;
}

Result<ExecuteResult> RenderSession::inBands(const RenderRequest& request,
                                             const ExecuteRequest& whole, const ChainShape& shape,
                                             int bands, const RunContext& context) {
    auto tables = tablesFor(request, shape, context);
    if (!tables) return fail(tables.error());
    ExecuteRequest own = whole;
    own.tables = tables->plans;
    auto made =
        inBands(own, shape, bands, partOfContext(context, tables->parts - 1, tables->parts));
    if (!made) return made;
    for (StepReport& report : made->steps)
        if (const auto ms = tables->ms.find(report.stepIndex); ms != tables->ms.end())
            report.ms += ms->second;
    for (RunEvent& event : made->events) event.startMs += tables->totalMs;
    made->totalMs += tables->totalMs;
    return made;
}

}  // namespace warpscope
