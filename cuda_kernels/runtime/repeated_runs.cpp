#include "cuda_kernels/runtime/repeated_runs.h"

namespace warpscope::cuda {
namespace {

// A graph and its executable form. A capture that is under way ends with this object, whatever
// happened in it.
class CapturedGraph {
  public:
    explicit CapturedGraph(cudaStream_t stream) : m_stream(stream) {}
    CapturedGraph(const CapturedGraph&) = delete;
    CapturedGraph& operator=(const CapturedGraph&) = delete;
    ~CapturedGraph() {
        if (m_capturing) abandon();
        if (m_executable) WARPSCOPE_CUDA_QUIET(cudaGraphExecDestroy(m_executable));
        if (m_graph) WARPSCOPE_CUDA_QUIET(cudaGraphDestroy(m_graph));
    }

    void capture(int runs, const std::function<void(int)>& enqueue) {
        // Relaxed: blocks of our own pool may come from cudaMalloc.
        WARPSCOPE_CUDA(cudaStreamBeginCapture(m_stream, cudaStreamCaptureModeRelaxed));
        m_capturing = true;
        for (int i = 0; i < runs; ++i) enqueue(i);
        WARPSCOPE_CUDA(cudaStreamEndCapture(m_stream, &m_graph));
        m_capturing = false;
        WARPSCOPE_CUDA(cudaGraphInstantiateWithFlags(&m_executable, m_graph, 0));
    }
    void launch() { WARPSCOPE_CUDA(cudaGraphLaunch(m_executable, m_stream)); }

  private:
    // Not through the quiet macro: a capture that broke reports so here, which is expected.
    void abandon() noexcept {
        cudaGraph_t broken = nullptr;
        (void)cudaStreamEndCapture(m_stream, &broken);
        if (broken) (void)cudaGraphDestroy(broken);
        (void)cudaGetLastError();
    }

    cudaStream_t m_stream;
    bool m_capturing = false;
    cudaGraph_t m_graph = nullptr;
    cudaGraphExec_t m_executable = nullptr;
};

template <class Work>
double betweenEvents(cudaStream_t stream, Work&& work) {
    Event start = Event::create(Event::Timing::On);
    Event end = Event::create(Event::Timing::On);
    start.record(stream);
    work();
    end.record(stream);
    end.wait();
    float ms = 0;
    WARPSCOPE_CUDA(cudaEventElapsedTime(&ms, start.get(), end.get()));
    return double(ms);
}

}  // namespace

RepeatedRuns timeRepeatedRuns(DeviceContext& device, int runs,
                              const std::function<void(int)>& enqueue) {
    const cudaStream_t stream = device.stream();
    // What a run leaves on the device for the next ones (tables, scratch memory) is made before the
    // capture: other steps may have taken its place since the last run of this one.
    enqueue(0);
    try {
        CapturedGraph graph(stream);
        graph.capture(runs, enqueue);
        // The first launch brings the graph to the device.
        graph.launch();
        WARPSCOPE_CUDA(cudaStreamSynchronize(stream));
        return {betweenEvents(stream, [&] { graph.launch(); }) / runs, true};
    } catch (const CudaFailure& failure) {
        if (errorCodeFor(failure.code()) == ErrorCode::DeviceFault) throw;
        (void)cudaGetLastError();
    }
    const double ms = betweenEvents(stream, [&] {
        for (int i = 0; i < runs; ++i) enqueue(i);
    });
    return {ms / runs, false};
}

std::vector<double> timeDeviceCopies(DeviceContext& device, std::uint64_t bytes, int repetitions,
                                     const RunContext& context) {
    const cudaStream_t stream = device.stream();
    const DeviceMemory from(device.pool(), std::size_t(bytes));
    const DeviceMemory to(device.pool(), std::size_t(bytes));
    WARPSCOPE_CUDA(cudaMemsetAsync(from.as<void>(), 1, std::size_t(bytes), stream));
    const auto copy = [&] {
        WARPSCOPE_CUDA(cudaMemcpyAsync(to.as<void>(), from.as<void>(), std::size_t(bytes),
                                       cudaMemcpyDeviceToDevice, stream));
    };
    copy();  // maps the memory
    std::vector<double> times;
    for (int i = 0; i < repetitions; ++i) {
        if (context.stop.stop_requested()) throw Stopped{};
        times.push_back(betweenEvents(stream, copy));
    }
    return times;
}

}  // namespace warpscope::cuda
