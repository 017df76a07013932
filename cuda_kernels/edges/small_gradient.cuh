// Gradients of 8-bit images.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "engine/operations/edges/gradient.h"

namespace warpscope::cuda {

// Every plan of Gray8 and Rgba8.
void runSmallGradient(KernelContext& context, const GradientPlan& plan, const DeviceImage& in,
                      const DeviceImage& out);

}  // namespace warpscope::cuda
