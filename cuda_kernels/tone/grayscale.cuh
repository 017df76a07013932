// Gray that is wrong on purpose.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "engine/operations/tone/grayscale.h"

namespace warpscope::cuda {

// The plan's variant, not automatic; Rgba8 and Rgba16.
void runGrayscaleWrong(KernelContext& context, const GrayscalePlan& plan, const DeviceImage& in,
                       const DeviceImage& out);

}  // namespace warpscope::cuda
