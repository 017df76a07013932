// Device time of work too short for an event pair of its own, and of copies.
#pragma once

#include <functional>
#include <vector>

#include "cuda_kernels/runtime/device_context.h"

namespace warpscope::cuda {

// Milliseconds of what `work` queues; waits for it. Throws CudaFailure, and what `work` throws.
double msBetweenEvents(cudaStream_t stream, const std::function<void()>& work);

// `enqueue(i)` queues run i of `runs`, all of the same kind, and must have been run before, so that
// nothing is loaded or allocated for good any more. The runs are captured as one graph, which is
// launched once uncounted and once between two events: the host then takes no part. Where the work
// cannot be captured (it waits on the host), the runs are queued one by one between two events. No
// other thread may release memory of this device meanwhile. Throws CudaFailure, Stopped.
RepeatedRuns timeRepeatedRuns(DeviceContext& device, int runs,
                              const std::function<void(int)>& enqueue);

// Milliseconds of each of `repetitions` copies of `bytes` inside device memory. Throws CudaFailure,
// Stopped.
std::vector<double> timeDeviceCopies(DeviceContext& device, std::uint64_t bytes, int repetitions,
                                     const RunContext& context);

}  // namespace warpscope::cuda
