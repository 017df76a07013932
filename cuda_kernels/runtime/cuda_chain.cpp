#include "cuda_kernels/runtime/cuda_chain.h"

#include <fmt/format.h>

#include <cstring>

#include "cuda_kernels/runtime/repeated_runs.h"

namespace warpscope::cuda {

CudaChain::CudaChain(std::shared_ptr<DeviceContext> device)
    : m_device(std::move(device)),
      m_done(Event::create(Event::Timing::Off)),
      m_memory(m_device->pool()) {}

CudaChain::~CudaChain() {
    // A run that is still queued, because waiting for it failed, uses the page-locked memory.
    WARPSCOPE_CUDA_QUIET(cudaSetDevice(m_device->traits().index));
    WARPSCOPE_CUDA_QUIET(cudaStreamSynchronize(m_device->stream()));
}

Result<std::unique_ptr<CudaChain>> CudaChain::make(const std::shared_ptr<DeviceContext>& device,
                                                   const std::vector<PlanPtr>& filters,
                                                   const PlanPtr& analysis,
                                                   const RunContext& context) {
    std::unique_ptr<CudaChain> chain(new CudaChain(device));
    if (auto taken = chain->take(filters, analysis); !taken) return fail(taken.error());
    // Nobody is told of progress within a launch.
    const RunContext quiet{context.stop, {}};
    if (chain->takesTooLong(quiet))
        return fail(ErrorCode::Unsupported,
                    fmt::format("takes longer than {} ms, too long for one launch", kMostChainMs));
    try {
        chain->capture(quiet);
    } catch (const CudaFailure& failure) {
        if (errorCodeFor(failure.code()) != ErrorCode::Internal) throw;
        // The steps by themselves have just run.
        return fail(ErrorCode::Unsupported,
                    fmt::format("cannot be made one launch: {}", failure.what()));
    }
    return chain;
}

Result<void> CudaChain::take(const std::vector<PlanPtr>& filters, const PlanPtr& analysis) {
    const PlanPtr& first = filters.empty() ? analysis : filters.front();
    if (!first) return fail(ErrorCode::InvalidArgument, "a chain without steps");
    const auto addBuffer = [&](PixelFormat format, Size size) {
        m_buffers.push_back(std::make_unique<DeviceBuffer>(m_device, format, size,
                                                           std::make_shared<const ImageInfo>()));
    };
    const auto stepOf = [&](const PlanPtr& plan) -> Result<Step> {
        if (!plan || plan->takesSecond)
            return fail(ErrorCode::InvalidArgument, "a step that is none of a chain");
        if (plan->input != output().format || plan->size != output().size)
            return fail(ErrorCode::InvalidArgument, "steps that do not fit each other");
        auto runner = runnerFor(*plan);
        if (!runner) return fail(runner.error());
        return Step{plan, *runner};
    };
    addBuffer(first->input, first->size);
    for (const PlanPtr& plan : filters) {
        auto step = stepOf(plan);
        if (!step) return fail(step.error());
        if (!step->runner->run)
            return fail(ErrorCode::Unsupported, nameOf(*plan) + " gives no image");
        m_filters.push_back(*step);
        // What changes nothing hands on what it gets.
        if (!plan->identity || plan->output != plan->input)
            addBuffer(plan->output, plan->outputSize);
    }
    if (analysis) {
        auto step = stepOf(analysis);
        if (!step) return fail(step.error());
        if (!step->runner->analyze)
            return fail(ErrorCode::Unsupported, nameOf(*analysis) + " is no analysis");
        m_analysis = *step;
        const std::size_t bytes = analysis->resultWords * sizeof(std::uint64_t);
        m_found = PinnedMemory(bytes);
        const auto writesOnce = step->runner->writesWordsOnce;
        if (!writesOnce || !writesOnce(*analysis)) m_words = DeviceMemory(m_device->pool(), bytes);
    }
    const DeviceImage& source = input();
    WARPSCOPE_CUDA(cudaMemsetAsync(source.data, 0,
                                   std::size_t(source.pitch) * unsigned(source.size.height),
                                   m_device->stream()));
    return {};
}

void CudaChain::enqueue(const RunContext& context) {
    KernelContext kernels(*m_device, context);
    auto from = m_buffers.begin();
    for (const Step& step : m_filters) {
        kernels.checkStop();
        if (step.plan->identity && step.plan->output == step.plan->input) continue;
        step.runner->run(kernels, *step.plan, (*from)->image(), from[1]->image());
        ++from;
    }
    kernels.checkStop();
    if (!m_analysis) return;
    const bool copied = m_words.bytes() != 0;
    m_analysis->runner->analyze(kernels, *m_analysis->plan, (*from)->image(),
                                copied ? m_words.as<unsigned long long>()
                                       : reinterpret_cast<unsigned long long*>(m_found.data()));
    if (!copied) return;
    WARPSCOPE_CUDA(cudaMemcpyAsync(m_found.data(), m_words.as<void>(), m_found.bytes(),
                                   cudaMemcpyDeviceToHost, kernels.stream()));
}

// The first run makes what is kept for the next ones, which also takes its time.
bool CudaChain::takesTooLong(const RunContext& context) {
    const auto run = [&] { return msBetweenEvents(m_device->stream(), [&] { enqueue(context); }); };
    return run() > kMostChainMs && run() > kMostChainMs;
}

void CudaChain::capture(const RunContext& context) {
    // Not by the graph, which would clear them each time, nor by nobody, because then the counters
    // are taken for clean.
    m_device->cleanCounting(m_device->stream());
    const Stream stream = Stream::create();
    const DeviceContext::Capturing capturing(*m_device, stream.get(), m_memory);
    m_graph = LaunchGraph::capture(stream.get(), [&] { enqueue(context); });
}

void CudaChain::launch() {
    m_outputInfo.reset();
    m_device->cleanCounting(m_device->stream());
    // Until it is known that all of it ran.
    m_device->countingDirty = true;
    m_graph.launch(m_device->stream());
    m_done.record(m_device->stream());
}

void CudaChain::wait() {
    m_done.wait();
    m_device->countingDirty = false;
    ImageInfo info = *m_sourceInfo;
    for (const Step& step : m_filters) info = warpscope::outputInfo(*step.plan, info);
    m_outputInfo = std::move(info);
}

Result<std::optional<AnalysisResult>> CudaChain::found() const {
    if (!m_analysis) return std::nullopt;
    std::vector<std::uint64_t> words(m_analysis->plan->resultWords);
    std::memcpy(words.data(), m_found.data(), m_found.bytes());
    auto result = m_analysis->plan->operation->resultFrom(*m_analysis->plan, words);
    if (!result) return fail(result.error());
    return std::move(*result);
}

}  // namespace warpscope::cuda
