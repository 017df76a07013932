// The published ways to count 8-bit images; histogram.cu picks one.
#pragma once

#include "cuda_kernels/runtime/runner.h"
#include "engine/operations/analysis/histogram.h"

namespace warpscope::cuda {

// Queues counting of the plan's channels with its variant, one channel after the other: 256 counts
// a channel to `bins` (device memory), order luma, red, green, blue.
void countPublished(KernelContext& context, const HistogramPlan& plan, const DeviceImage& in,
                    unsigned long long* bins);

}  // namespace warpscope::cuda
