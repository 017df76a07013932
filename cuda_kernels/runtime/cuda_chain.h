// A prepared chain as one CUDA graph.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cuda_kernels/runtime/launch_graph.h"
#include "cuda_kernels/runtime/runner.h"
#include "engine/backend/prepared_chain.h"

namespace warpscope::cuda {

class CudaChain final : public PreparedChain {
  public:
    // Errors and exceptions: those of ChainRunner::prepareChain; CudaFailure, Stopped.
    static Result<std::unique_ptr<CudaChain>> make(const std::shared_ptr<DeviceContext>& device,
                                                   const std::vector<PlanPtr>& filters,
                                                   const PlanPtr& analysis,
                                                   const RunContext& context);
    ~CudaChain() override;

    const DeviceContext* context() const { return m_device.get(); }
    const DeviceImage& input() const { return m_buffers.front()->image(); }
    const DeviceImage& output() const { return m_buffers.back()->image(); }

    // Around the filling of input(): until it is done there are no pixels to run on.
    void beginFilling() { m_sourceInfo.reset(), m_outputInfo.reset(); }
    void endFilling(const ImageInfo& info) { m_sourceInfo = info; }
    bool isFilled() const { return m_sourceInfo.has_value(); }

    // Queues the whole. Throws CudaFailure.
    void launch();
    // Waits for it; what was queued before is done as well. Throws CudaFailure.
    void wait();
    Result<std::optional<AnalysisResult>> found() const;
    // Of the result; null unless the last launch was waited for without an error.
    const ImageInfo* outputInfo() const { return m_outputInfo ? &*m_outputInfo : nullptr; }

  private:
    struct Step {
        PlanPtr plan;
        const CudaRunner* runner;
    };

    explicit CudaChain(std::shared_ptr<DeviceContext> device);
    Result<void> take(const std::vector<PlanPtr>& filters, const PlanPtr& analysis);
    void enqueue(const RunContext& context);
    bool takesTooLong(const RunContext& context);
    void capture(const RunContext& context);

    std::shared_ptr<DeviceContext> m_device;
    std::vector<Step> m_filters;
    std::optional<Step> m_analysis;
    std::vector<std::unique_ptr<DeviceBuffer>> m_buffers;  // the source, what each filter makes
    DeviceMemory m_words;  // none where the analysis writes into m_found
    PinnedMemory m_found;
    Event m_done;
    GraphMemory m_memory;
    LaunchGraph m_graph;  // goes before the memory that it uses
    std::optional<ImageInfo> m_sourceInfo, m_outputInfo;
};

}  // namespace warpscope::cuda
