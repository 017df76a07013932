// A CUDA graph: work that is queued once and launched as one piece as often as wanted.
#pragma once

#include <functional>

#include "cuda_kernels/runtime/resources.h"

namespace warpscope::cuda {

class LaunchGraph {
  public:
    LaunchGraph() = default;
    ~LaunchGraph() { reset(); }
    LaunchGraph(LaunchGraph&& other) noexcept
        : m_graph(std::exchange(other.m_graph, nullptr)),
          m_executable(std::exchange(other.m_executable, nullptr)) {}
    LaunchGraph& operator=(LaunchGraph&& other) noexcept {
        if (this != &other) {
            reset();
            m_graph = std::exchange(other.m_graph, nullptr);
            m_executable = std::exchange(other.m_executable, nullptr);
        }
        return *this;
    }

    // What `enqueue` queues in `stream`, which nobody else may use meanwhile, instead of doing it.
    // Launches that begin early keep doing so within the graph. Whatever goes wrong, the capture
    // has ended when this returns or throws: CudaFailure, and what `enqueue` throws.
    static LaunchGraph capture(cudaStream_t stream, const std::function<void()>& enqueue);

    // Queues the whole. Throws CudaFailure.
    void launch(cudaStream_t stream) const;

  private:
    void reset() noexcept;

    cudaGraph_t m_graph = nullptr;
    cudaGraphExec_t m_executable = nullptr;
};

}  // namespace warpscope::cuda
