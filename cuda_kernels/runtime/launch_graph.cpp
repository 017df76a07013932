#include "cuda_kernels/runtime/launch_graph.h"

namespace warpscope::cuda {
namespace {

// Ends a capture that nobody ended. Not through the quiet macro: one that broke reports so here,
// which is expected.
class OpenCapture {
  public:
    explicit OpenCapture(cudaStream_t stream) : m_stream(stream) {
        // Relaxed: blocks of our own pool may come from cudaMalloc.
        WARPSCOPE_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    }
    ~OpenCapture() {
        if (!m_open) return;
        cudaGraph_t broken = nullptr;
        (void)cudaStreamEndCapture(m_stream, &broken);
        if (broken) (void)cudaGraphDestroy(broken);
        (void)cudaGetLastError();
    }
    OpenCapture(const OpenCapture&) = delete;
    OpenCapture& operator=(const OpenCapture&) = delete;

    void end(cudaGraph_t& graph) {
        WARPSCOPE_CUDA(cudaStreamEndCapture(m_stream, &graph));
        m_open = false;
    }

  private:
    cudaStream_t m_stream;
    bool m_open = true;
};

}  // namespace

LaunchGraph LaunchGraph::capture(cudaStream_t stream, const std::function<void()>& enqueue) {
    LaunchGraph made;
    OpenCapture open(stream);
    enqueue();
    open.end(made.m_graph);
    countGraphs(1);
    WARPSCOPE_CUDA(cudaGraphInstantiateWithFlags(&made.m_executable, made.m_graph, 0));
    return made;
}

void LaunchGraph::launch(cudaStream_t stream) const {
    WARPSCOPE_CUDA(cudaGraphLaunch(m_executable, stream));
}

void LaunchGraph::reset() noexcept {
    if (!m_graph) return;
    countGraphs(-1);
    if (m_executable) WARPSCOPE_CUDA_QUIET(cudaGraphExecDestroy(m_executable));
    WARPSCOPE_CUDA_QUIET(cudaGraphDestroy(m_graph));
    m_executable = nullptr;
    m_graph = nullptr;
}

}  // namespace warpscope::cuda
