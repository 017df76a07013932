// Half the size by the mean of what a pixel covers: a sum of four samples.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

// The plan isExactHalf().
void runResizeHalf(KernelContext& context, const DeviceImage& in, const DeviceImage& out);

}  // namespace warpscope::cuda
