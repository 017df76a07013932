// Tables that steps take from their whole input, equalization's among them: made once, for chains
// that are computed part by part.
#include <algorithm>
#include <utility>

#include "engine/base/clock.h"
#include "engine/image/storage_pool.h"
#include "engine/operations/registry.h"
#include "engine/worker/large_image.h"
#include "engine/worker/render_session.h"

namespace warpscope {
namespace {

struct Wanted {
    std::size_t index = 0;  // in Pipeline::steps
    PlanRequest request;
    PlanPtr known;  // where no input is needed: a fixed threshold
};

std::vector<Wanted> wantedTables(const Pipeline& pipeline, const ChainShape& shape) {
    std::vector<Wanted> wanted;
    for (const ShapedStep& step : shape.steps) {
        if (!step.plan) continue;
        const Operation& operation = *step.plan->operation;
        const OperationDescription& description = operation.description();
        const Plan& plan = *step.plan;
        if (!operation.hasTables(plan)) continue;
        PlanRequest request{
            scaledParameters(description, pipeline.steps[step.index].parameters, plan.place.scale),
            plan.variant, plan.input, plan.size, plan.place};
        const bool known = bool(operation.withTables(request, plan));
        wanted.push_back({step.index, std::move(request), known ? step.plan : nullptr});
    }
    return wanted;
}

// What the steps before that one are guessed to take.
double guessedMsBefore(const ChainShape& shape, std::size_t index) {
    double ms = 0;
    for (const ShapedStep& step : shape.steps)
        if (step.plan && step.index < index)
            ms += step.plan->guessedMsPerMegapixel * double(step.plan->size.pixels()) * 1e-6;
    return ms;
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
    const bool onCpu = runsOnCpu(request);
    for (const Wanted& step : wanted) {
        if (step.known) {
            tables.plans[step.index] = step.known;
            continue;
        }
        const auto known = std::ranges::find_if(m_knownTables, [&](const KnownTables& one) {
            return one.source == source && one.second == second && one.onCpu == onCpu &&
                   one.chain == chainOf(step.index);
        });
        if (known != m_knownTables.end())
            tables.plans[step.index] = known->plan;
        else
            missing.push_back(step);
    }
    // What comes before each is computed once more for it.
    double againMs = 0;
    for (const Wanted& step : missing) againMs += guessedMsBefore(shape, step.index);
    if (againMs >= worthKeepingMs())
        return fail(ErrorCode::Unsupported, "steps that take too long to be computed twice");
    const bool large = isLargeWork(request, shape);
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
        m_knownTables.push_back({source, second, onCpu, chainOf(step.index), plan});
        tables.plans[step.index] = std::move(plan);
        if (large) trimStorage();
    }
    tables.totalMs = watch.elapsedMs();
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

void RenderSession::forgetOtherTables(const RenderRequest& request) {
    const std::vector<Step>& steps = request.pipeline.steps;
    std::erase_if(m_knownTables, [&](const KnownTables& known) {
        const std::vector<Step>& own = known.chain.steps;
        return own.size() > steps.size() || !std::equal(own.begin(), own.end(), steps.begin());
    });
}

}  // namespace warpscope
