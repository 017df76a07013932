// Convolution of 8-bit images with small kernels.
#pragma once

#include "cuda_kernels/edges/small_kernel.h"
#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

// Channel by channel, edges repeated; alpha stays. Gray8 and Rgba8.
void runSmallKernel(KernelContext& context, const char* name, const SmallKernel& kernel,
                    const DeviceImage& in, const DeviceImage& out);

}  // namespace warpscope::cuda
