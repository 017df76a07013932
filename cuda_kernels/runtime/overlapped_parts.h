// A step in parts of rows between page-locked images: while one part is computed, the next is on
// its way to the device and the one before on its way back.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cuda_kernels/runtime/device_context.h"
#include "cuda_kernels/runtime/span_recorder.h"
#include "engine/backend/part_runs.h"

namespace warpscope::cuda {

class OverlappedParts {
  public:
    // Throws CudaFailure.
    explicit OverlappedParts(DeviceContext& device);

    // Queues a part's kernels in the device's stream.
    using Launch =
        std::function<void(const Plan& part, const DeviceImage& in, const DeviceImage& out)>;

    // Waits for the end. Throws CudaFailure and Stopped; no copy is under way then either.
    void run(const std::vector<PartRun>& parts, const Image& from, const MutableImage& to,
             const RunContext& context, SpanRecorder& spans, const Launch& launch);

  private:
    struct Marks {
        Event sent;
        Event made;
    };

    void queue(const std::vector<PartRun>& parts, const Image& from, const MutableImage& to,
               const RunContext& context, SpanRecorder& spans, const Launch& launch);
    void queueUploads(const std::vector<PartRun>& parts, const Image& from,
                      const DeviceImage& input, SpanRecorder& spans);
    Marks& marksOf(std::size_t part);

    DeviceContext& m_device;
    Stream m_up;
    Stream m_down;
    Event m_begin;
    Event m_end;
    std::vector<Marks> m_marks;
    // Of the parts under way. Kept until nothing is.
    std::vector<DeviceMemory> m_memory;
};

}  // namespace warpscope::cuda
