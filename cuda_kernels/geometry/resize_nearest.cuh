// Resizing where every pixel is one of the input.
#pragma once

#include "cuda_kernels/geometry/resize_taps.h"
#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

// The plan isSelection().
void runResizeNearest(KernelContext& context, const ResizePlan& plan, const DeviceImage& in,
                      const DeviceImage& out);

// All kernels, of which tiny images reach some.
void loadResizeNearest();

}  // namespace warpscope::cuda
