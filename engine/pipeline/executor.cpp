#include "engine/pipeline/executor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "engine/base/clock.h"
#include "engine/operations/analysis/histogram.h"
#include "engine/pipeline/chain_run.h"

namespace warpscope {
namespace {

constexpr std::string_view kRestart = "restart to use the GPU again";

std::string faultReason(const Error& error) {
    if (error.message.find(kRestart) != std::string::npos) return error.message;
    return fmt::format("{}; restart to use the GPU again", error.message);
}

}  // namespace

Executor::Executor(BackendSet backends, std::uint64_t memoryBudgetBytes)
    : m_backends(std::move(backends)), m_cache(memoryBudgetBytes) {}

void Executor::clearCache() {
    m_cache.clear();
    m_frozen.clear();
    m_resident = {};
}

BackendSet::Pick Executor::pick(BackendChoice choice) const {
    auto picked = m_backends.pick(choice);
    if (!m_gpuFault.empty() && picked.backend == m_backends.cuda)
        return {m_backends.cpu, m_gpuFault};
    return picked;
}

template <class Job>
auto Executor::withFallback(BackendChoice choice, const RunContext& context, bool scarce, Job job)
    -> Outcome<typename std::invoke_result_t<Job, Backend&, Memory>::value_type> {
    const auto failedWith = [](const auto& result, ErrorCode code) {
        return !result && result.error().code == code;
    };
    auto [backend, reason] = pick(choice);
    m_cache.setAvailable(backend->info().kind, backend->memoryAvailable());
    auto result = job(*backend, Memory::Enough);
    if (failedWith(result, ErrorCode::OutOfMemory) && !context.stop.stop_requested()) {
        // What the cache holds is worth less than this result.
        clearCache();
        backend->trim();
        result = job(*backend, Memory::Enough);
    }
    if (failedWith(result, ErrorCode::OutOfMemory) && scarce && backend == m_backends.cuda &&
        !context.stop.stop_requested()) {
        m_cache.clearDevice();
        m_resident = {};
        backend->trim();
        result = job(*backend, Memory::Scarce);
    }
    if (result || failedWith(result, ErrorCode::Cancelled) || backend != m_backends.cuda)
        return {std::move(result), backend->info().kind, std::move(reason)};

    // Whatever else went wrong on the GPU, the CPU can tell: it gives the result, or the same error
    // if the request is to blame.
    const Error error = result.error();
    if (error.code == ErrorCode::DeviceFault) {
        reason = m_gpuFault = faultReason(error);
        m_cache.clearDevice();
        m_resident = {};
    } else if (error.code == ErrorCode::OutOfMemory) {
        reason = noGpuMemory(error);
    } else {
        reason = error.message;
    }
    result = job(*m_backends.cpu, Memory::Enough);
    return {std::move(result), m_backends.cpu->info().kind, std::move(reason)};
}

Result<ExecuteResult> Executor::run(ExecuteRequest request, const RunContext& context) {
    if (request.source.isNull()) return fail(ErrorCode::InvalidArgument, "there is no image");
    const Stopwatch watch;
    std::optional<Error> failed;
    const auto walk = [&](Backend& backend, Memory memory) -> Result<ExecuteResult> {
        if (request.source.isNull()) return fail(*failed);  // given up before it failed
        const double begun = watch.elapsedMs();  // later when another backend failed first
        ChainRun chain(backend, *m_backends.cpu, m_cache, m_frozen, request, context,
                       request.recording);
        if (memory == Memory::Scarce) chain.saveMemory();
        if (!request.useCache && &backend != m_backends.cuda.get()) chain.giveUp(request.source);
        auto done = chain.run();
        if (!done) failed = done.error();
        if (done)
            for (RunEvent& event : done->events) {
                event.startMs += begun;
                for (KernelLaunches& kernel : event.kernels) kernel.startMs += begun;
            }
        m_failedStep = chain.failedStep();
        const ChainValue& end = chain.finalValue();
        if (done && end.buffer && end.owner == m_backends.cuda.get())
            m_resident = {done->image.id(), end.buffer};
        return done;
    };
    auto [result, ranOn, reason] = withFallback(request.backend, context, true, walk);
    if (!result) return result;
    for (StepReport& report : result->steps)
        if (report.fallbackReason.empty()) report.fallbackReason = reason;
    result->totalMs = watch.elapsedMs();
    if (context.progress) context.progress(1.0);
    return result;
}

Result<std::vector<StepInput>> Executor::stepInputs(const ExecuteRequest& request,
                                                    const RunContext& context) {
    if (request.source.isNull()) return fail(ErrorCode::InvalidArgument, "there is no image");
    const auto walk = [&](Backend& backend, Memory memory) {
        ChainRun chain(backend, *m_backends.cpu, m_cache, m_frozen, request, context,
                       Recording::Off);
        if (memory == Memory::Scarce) chain.saveMemory();
        auto inputs = chain.inputs();
        m_failedStep = chain.failedStep();
        return inputs;
    };
    return withFallback(request.backend, context, true, walk).result;
}

Result<BufferPtr> Executor::bufferOf(const Image& image, Backend& backend,
                                     const RunContext& context) {
    if (backend.info().kind == BackendKind::Cuda) {
        if (m_resident.imageId == image.id())
            if (BufferPtr buffer = m_resident.buffer.lock()) return buffer;
        if (const CachedStep* cached = m_cache.find(uploadKey(image.id(), BackendKind::Cuda)))
            return cached->buffer;
    }
    return backend.upload(image, RunContext{context.stop, {}});
}

Result<AnalyzeResult> Executor::analyze(const Image& image, const PlanPtr& plan,
                                        BackendChoice choice, const RunContext& context) {
    m_failedStep.reset();
    if (image.isNull()) return fail(ErrorCode::InvalidArgument, "there is no image");
    auto [found, ranOn, reason] = withFallback(
        choice, context, false, [&](Backend& backend, Memory) -> Result<AnalysisResult> {
            if (const auto able = backend.supports(*plan); !able) return fail(able.error());
            auto buffer = bufferOf(image, backend, context);
            if (!buffer) return fail(buffer.error());
            return backend.analyze(*plan, *buffer, context);
        });
    if (!found) return fail(found.error());
    return AnalyzeResult{std::move(*found), ranOn, std::move(reason)};
}

Result<HistogramSet> Executor::histogram(const Image& image, BackendChoice backend,
                                         const RunContext& context) {
    if (image.isNull()) return fail(ErrorCode::InvalidArgument, "there is no image");
    const auto plan = planHistogram(ChannelSet::all(), image.format(), image.size());
    if (!plan) return fail(plan.error());
    auto result = analyze(image, *plan, backend, context);
    if (!result) return fail(result.error());
    return std::get<HistogramSet>(std::move(result->found));
}

std::uint64_t defaultMemoryBudget() {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long pageBytes = sysconf(_SC_PAGESIZE);
    constexpr std::uint64_t kMost = 8ull << 30;
    if (pages <= 0 || pageBytes <= 0) return kMost / 8;
    return std::min(kMost, std::uint64_t(pages) * std::uint64_t(pageBytes) / 4);
}

}  // namespace warpscope
