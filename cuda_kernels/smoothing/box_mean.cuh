// The mean of float samples, which has an algorithm of its own.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "engine/operations/smoothing/box_mean.h"

namespace warpscope::cuda {

void boxMeanOfFloats(KernelContext& context, const BoxMeanPlan& plan, const DeviceImage& in,
                     const DeviceImage& out);

}  // namespace warpscope::cuda
