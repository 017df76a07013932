#include "engine/pipeline/chain_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/clock.h"
#include "engine/image/convert.h"

namespace warpscope {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
    return (hash ^ word) * 0x9E3779B97F4A7C15ull + 1;
}

}  // namespace

CacheKey uploadKey(std::uint64_t imageId, BackendKind backend) {
    CacheKey key;
    key.image = imageId;
    key.backend = backend;
    return key;
}

ChainRun::ChainRun(Backend& backend, Backend& cpu, StepCache& cache, FrozenPlans& frozen,
                   const ExecuteRequest& request, const RunContext& context, Recording recording)
    : m_backend(backend),
      m_cpu(cpu),
      m_cache(cache),
      m_frozen(frozen),
      m_request(request),
      m_context(context),
      m_recording(recording != Recording::Off && backend.info().kind == BackendKind::Cuda) {
    std::uint64_t hash = 0;
    bool usesWhole = false;
    for (std::size_t i = 0; i < request.pipeline.steps.size(); ++i) {
        const Step& step = request.pipeline.steps[i];
        if (!step.enabled) continue;
        const Operation* operation = findOperation(step.operation);
        hash = mixed(hash, hashStep(step));
        const OperationDescription& description = operation->description();
        usesWhole = usesWhole || (description.dependsOnWholeImage && !request.whole.isNull());
        auto second = resolveSecondInput(request.pipeline, i);
        if (second && *second && (*second)->from == SecondInput::From::SecondImage) {
            hash = mixed(hash, request.second.id());
        } else if (second && *second) {
            const std::size_t depth = (*second)->depth;
            hash = mixed(hash, depth ? m_steps[depth - 1].hash : 1);
            m_lastUse[depth] = m_steps.size();
        }
        const double scale = request.place ? request.place->scale : 1.0;
        m_steps.push_back({i, operation, scaledParameters(description, step.parameters, scale),
                           step.variant, hash, usesWhole, std::move(second)});
    }
    m_value.host = request.source;
    m_value.place = request.place.value_or(Placement::all(request.source.size()));
    if (m_recording) m_backend.setRecording(recording);
}

ChainRun::~ChainRun() {
    if (!m_recording) return;
    // A walk that failed leaves spans behind that must not count for the next one.
    (void)m_backend.takeSpans();
    m_backend.setRecording(Recording::Off);
}

Result<ExecuteResult> ChainRun::run() {
    if (const auto walked = walk(m_steps.size()); !walked) return fail(walked.error());
    if (const auto there = bringToHost(m_value); !there) return fail(there.error());
    ExecuteResult result;
    if (const auto taken = takeTimes(); !taken) return fail(taken.error());
    result.events = std::move(m_events);
    result.image = m_value.host;
    result.place = m_value.place;
    result.steps = m_reports;
    return result;
}

Result<std::vector<StepInput>> ChainRun::inputs() {
    std::vector<StepInput> inputs;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        if (m_context.stop.stop_requested()) return cancelled();
        auto step = prepared(i);
        if (!step) return fail(named(i, step.error()));
        if (step->plan) {
            auto there = bringToHost(m_value);
            if (there) there = bringToHost(step->second);
            if (!there) return fail(named(i, there.error()));
            inputs.push_back({m_value.host, step->second.host, step->plan, m_steps[i].parameters,
                              m_steps[i].index});
        }
        if (i + 1 == m_steps.size()) continue;
        if (!takeCached(i + 1))
            if (const auto done = finish(i, std::move(*step)); !done) return fail(done.error());
        keepNamed(i + 1);
    }
    return inputs;
}

Result<void> ChainRun::walk(std::size_t count) {
    std::size_t depth = count;
    while (depth > 0 && !takeCached(depth)) --depth;
    keepNamed(depth);
    while (depth < count) {
        const auto fused = advanceFused(depth, count);
        if (!fused) return fail(fused.error());
        if (*fused == 0)
            if (const auto done = advance(depth); !done) return done;
        depth += std::max<std::size_t>(1, *fused);
        keepNamed(depth);
    }
    return {};
}

Result<void> ChainRun::advance(std::size_t position) {
    if (m_context.stop.stop_requested()) return cancelled();
    auto step = prepared(position);
    if (!step) return fail(named(position, step.error()));
    return finish(position, std::move(*step));
}

Result<ChainRun::Prepared> ChainRun::prepared(std::size_t position) {
    Prepared step;
    step.report = beginReport(position);
    if (const auto& second = m_steps[position].second; !second || *second) {
        auto value = secondValue(position);
        if (!value && m_request.skipBrokenSteps &&
            (value.error().code == ErrorCode::NotFound ||
             value.error().code == ErrorCode::InvalidArgument)) {
            step.report.problem = value.error().message;
            return step;
        }
        if (!value) return fail(value.error());
        step.second = std::move(*value);
    }
    auto plan = makePlan(position);
    if (!plan) return fail(plan.error());
    step.plan = std::move(*plan);
    if (step.plan->takesSecond) {
        const auto done = convertSecond(step.second, step.plan->input, step.report);
        if (!done) return fail(done.error());
    }
    return step;
}

StepReport ChainRun::beginReport(std::size_t position) const {
    StepReport report;
    report.stepIndex = m_steps[position].index;
    report.backend = m_backend.info().kind;
    report.input = m_value.format();
    return report;
}

// Runs a prepared step on m_value and keeps its output.
Result<void> ChainRun::finish(std::size_t position, Prepared step) {
    step.report.output = step.plan ? step.plan->output : m_value.format();
    if (!step.plan || step.plan->identity) {
        m_reports.push_back(std::move(step.report));
        return {};
    }
    if (m_steps[position].operation->description().dropsAlpha && m_value.info().hasAlpha &&
        isColor(step.plan->input) && !isColor(step.plan->output)) {
        step.report.notices.push_back("alpha dropped");
    }
    if (const auto done = execute(position, step); !done)
        return fail(named(position, done.error()));
    m_reports.push_back(std::move(step.report));
    if (m_request.useCache && !m_ranOut)
        m_cache.insert(keyFor(position + 1),
                       {m_value.buffer, m_value.owner, m_reports, m_value.place});
    return {};
}

bool ChainRun::takeCached(std::size_t depth) {
    if (!m_request.useCache) return false;
    const CachedStep* cached = m_cache.find(keyFor(depth));
    if (!cached) return false;
    // What was made past a broken step is for those who want the rest of the chain.
    const auto broken = [](const StepReport& report) { return !report.problem.empty(); };
    if (!m_request.skipBrokenSteps && std::ranges::any_of(cached->reports, broken)) return false;
    m_value = {Image{}, cached->buffer, cached->owner, cached->place};
    m_reports = cached->reports;
    for (std::size_t i = 0; i < m_reports.size(); ++i) {
        m_reports[i].stepIndex = m_steps[i].index;  // disabled steps may have moved
        m_reports[i].fromCache = true;
        m_reports[i].ms = 0;
    }
    return true;
}

CacheKey ChainRun::keyFor(std::size_t depth) const {
    CacheKey key = uploadKey(m_request.source.id(), m_backend.info().kind);
    if (depth == 0) return key;
    const EnabledStep& last = m_steps[depth - 1];
    key.depth = std::uint32_t(depth);
    key.steps = last.hash;
    key.spatialScale = m_request.place ? m_request.place->scale : 1.0;
    if (last.frozen) {
        key.whole = m_request.whole.id();
        key.wholeScale = m_request.wholeScale;
    }
    return key;
}

Result<PlanPtr> ChainRun::makePlan(std::size_t position) {
    const EnabledStep& step = m_steps[position];
    const OperationDescription& description = step.operation->description();
    const PlanRequest request{step.parameters, step.variant, m_value.format(), m_value.size(),
                              m_value.place};
    const auto taken = m_request.tables.find(step.index);
    auto plan = taken != m_request.tables.end()
                    ? step.operation->withTables(request, *taken->second)
                : description.dependsOnWholeImage && !m_request.whole.isNull()
                    ? frozenPlan(position, request)
                    : step.operation->plan(request);
    // The step gives up the white level, at which alpha ends too; nothing may turn translucent.
    if (plan && (*plan)->fillsRange && !(*plan)->identity && m_value.info().hasAlpha &&
        m_value.info().whiteLevel < fullScale(m_value.format())) {
        if (const auto there = bringToHost(m_value); !there) return fail(there.error());
        auto rescaled = fullScaleAlpha(m_value.host, cpuContext());
        if (!rescaled) return fail(rescaled.error());
        m_value.setHost(std::move(*rescaled));
    }
    return plan;
}

// The chain over the whole images that drafts take statistics from.
ExecuteRequest ChainRun::requestOnWhole() const {
    ExecuteRequest onWhole;
    onWhole.source = m_request.whole;
    onWhole.second = m_request.wholeSecond;
    onWhole.pipeline = m_request.pipeline;
    onWhole.skipBrokenSteps = m_request.skipBrokenSteps;
    onWhole.useCache = m_request.useCache;
    const double scale = m_request.wholeScale;
    const Size full = m_request.place ? m_request.place->whole : m_request.whole.size();
    onWhole.place = Placement::reducedCopy(m_request.whole.size(), full, scale);
    if (m_request.secondPlace && !m_request.wholeSecond.isNull())
        onWhole.secondPlace = Placement::reducedCopy(m_request.wholeSecond.size(),
                                                     m_request.secondPlace->whole, scale);
    return onWhole;
}

Result<Image> ChainRun::wholeInputOf(std::size_t position) {
    const ExecuteRequest onWhole = requestOnWhole();
    RunContext quiet{m_context.stop, {}};
    ChainRun helper(m_backend, m_cpu, m_cache, m_frozen, onWhole, quiet, Recording::Off);
    helper.m_savesMemory = m_savesMemory;
    auto walked = helper.walk(position);
    if (walked) walked = helper.bringToHost(helper.m_value);
    takeRunsOf(helper);
    if (!walked) return fail(walked.error());
    return std::move(helper.m_value.host);
}

Result<PlanPtr> ChainRun::frozenPlan(std::size_t position, const PlanRequest& request) {
    FrozenPlans::Key key;
    {
        const ExecuteRequest onWhole = requestOnWhole();
        RunContext quiet{m_context.stop, {}};
        const ChainRun helper(m_backend, m_cpu, m_cache, m_frozen, onWhole, quiet, Recording::Off);
        key = {helper.keyFor(position + 1), request.format, request.size, *request.place};
    }
    if (PlanPtr known = m_request.useCache ? m_frozen.find(key) : nullptr) return known;
    const auto whole = wholeInputOf(position);
    if (!whole) return fail(whole.error());
    auto plan = m_steps[position].operation->freeze(request, *whole, cpuContext());
    if (plan && m_request.useCache) m_frozen.insert(key, *plan);
    return plan;
}

// What a helper ran on the device was recorded with our own work.
void ChainRun::takeRunsOf(ChainRun& helper) {
    for (RunRecord& record : helper.m_runs) {
        record.report = -1;
        m_runs.push_back(std::move(record));
    }
}

Result<void> ChainRun::execute(std::size_t position, Prepared& step) {
    const PlanPtr& plan = step.plan;
    StepReport& report = step.report;
    Backend* chosen = &m_backend;
    if (const auto able = m_backend.supports(*plan); !able) {
        if (able.error().code != ErrorCode::Unsupported || &m_backend == &m_cpu)
            return fail(able.error());
        if (const auto cpuAble = m_cpu.supports(*plan); !cpuAble) return fail(cpuAble.error());
        report.fallbackReason = able.error().message;
        chosen = &m_cpu;
    }
    if (m_savesMemory && chosen == &m_backend && chosen != &m_cpu) {
        const auto apart = executeApart(position, step);
        if (apart || apart.error().code != ErrorCode::OutOfMemory) return apart;
        if (const auto cpuAble = m_cpu.supports(*plan); !cpuAble) return fail(cpuAble.error());
        report.fallbackReason = noGpuMemory(apart.error());
        m_ranOut = true;
        chosen = &m_cpu;
    }
    if (const auto moved = moveTo(m_value, *chosen); !moved) return moved;
    StepBuffers input(m_value.buffer);
    if (plan->takesSecond) {
        if (const auto moved = moveTo(step.second, *chosen); !moved) return moved;
        input.second = step.second.buffer;
    }
    noteDevice(*chosen);
    const double start = m_watch.elapsedMs();
    auto output = chosen->run(*plan, input, stepContext(position));
    if (!output) return fail(output.error());
    report.backend = chosen->info().kind;
    const std::string& id = plan->operation->description().id;
    if (chosen->info().kind == BackendKind::Cuda) {
        m_runs.push_back({id, int(m_reports.size())});
    } else {
        report.ms = m_watch.elapsedMs() - start;
        m_events.push_back({RunEvent::Kind::Compute, id, m_steps[position].index,
                            chosen->info().kind, start, report.ms});
    }
    m_value = {Image{}, std::move(*output), chosen, plan->outputPlace};
    if (m_givenUp) *m_givenUp = {};
    return {};
}

Result<void> ChainRun::moveTo(ChainValue& value, Backend& backend) {
    if (value.buffer && value.owner == &backend) return {};
    if (const auto there = bringToHost(value); !there) return there;
    // Only a device is worth it: the CPU shares the samples of the image.
    const std::uint64_t id = value.host.id();
    const bool resident = m_request.useCache && backend.info().kind == BackendKind::Cuda &&
                          (id == m_request.source.id() || id == m_request.second.id());
    const CacheKey key = uploadKey(id, backend.info().kind);
    if (resident) {
        if (const CachedStep* cached = m_cache.find(key)) {
            value.buffer = cached->buffer;
            value.owner = cached->owner;
            return {};
        }
    }
    noteDevice(backend);
    auto uploaded = backend.upload(value.host, RunContext{m_context.stop, {}});
    if (!uploaded) return fail(uploaded.error());
    value.buffer = std::move(*uploaded);
    value.owner = &backend;
    if (resident) m_cache.insert(key, {value.buffer, value.owner, {}, {}});
    return {};
}

Result<void> ChainRun::bringToHost(ChainValue& value) {
    if (!value.host.isNull() || !value.buffer) return {};
    auto image = value.owner->download(value.buffer, RunContext{m_context.stop, {}});
    if (!image) return fail(image.error());
    value.host = std::move(*image);
    return {};
}

void ChainRun::noteDevice(const Backend& backend) {
    if (m_recording && &backend == &m_backend && m_deviceStartMs < 0)
        m_deviceStartMs = m_watch.elapsedMs();
}

Result<void> ChainRun::takeTimes() {
    if (!m_recording) return {};
    const auto spans = m_backend.takeSpans();
    if (!spans) return fail(spans.error());
    const std::vector<double> ms = kernelMsOfRuns(*spans, m_runs);
    for (std::size_t i = 0; i < m_runs.size(); ++i)
        if (m_runs[i].report >= 0) m_reports[std::size_t(m_runs[i].report)].ms += ms[i];

    const std::vector<int> records = recordsOfSpans(*spans, m_runs);
    for (std::size_t i = 0; i < spans->size(); ++i) {
        const Span& span = (*spans)[i];
        RunEvent event;
        event.kind = span.kind == SpanKind::Upload     ? RunEvent::Kind::Upload
                     : span.kind == SpanKind::Download ? RunEvent::Kind::Download
                                                       : RunEvent::Kind::Compute;
        if (event.kind == RunEvent::Kind::Compute) event.label = span.label;
        if (const int report = records[i] < 0 ? -1 : m_runs[std::size_t(records[i])].report;
            report >= 0)
            event.step = m_reports[std::size_t(report)].stepIndex;
        event.backend = m_backend.info().kind;
        const double deviceStart = std::max(0.0, m_deviceStartMs);
        event.startMs = deviceStart + span.startMs;
        event.ms = span.ms;
        event.kernels = span.kernels;
        for (KernelLaunches& kernel : event.kernels) kernel.startMs += deviceStart;
        m_events.push_back(std::move(event));
    }
    std::stable_sort(m_events.begin(), m_events.end(),
                     [](const RunEvent& a, const RunEvent& b) { return a.startMs < b.startMs; });
    return {};
}

RunContext ChainRun::stepContext(std::size_t position) const {
    if (!m_context.progress) return {m_context.stop, {}};
    const double first = double(position);
    const double count = double(m_steps.size());
    return {m_context.stop, [&sink = m_context.progress, first, count](double fraction) {
                sink((first + fraction) / count);
            }};
}

CpuContext ChainRun::cpuContext() const {
    const bool single = m_backend.info().kind == BackendKind::CpuSingle;
    return {single ? Threading::Single : Threading::AllCores, m_context.stop, {}};
}

Error ChainRun::named(std::size_t position, Error error) {
    if (error.code == ErrorCode::Cancelled) return error;
    const EnabledStep& step = m_steps[position];
    m_failedStep = step.index;
    const std::string prefix =
        fmt::format("step {}, {}: ", step.index + 1, step.operation->description().id);
    if (!error.message.starts_with("step ")) error.message = prefix + error.message;
    return error;
}

}  // namespace warpscope
