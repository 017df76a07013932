// Equalization of float samples.
#pragma once

#include "cuda_kernels/analysis/histogram.cuh"
#include "engine/operations/tone/equalize.h"

namespace warpscope::cuda {

void equalizeFloats(KernelContext& context, const EqualizePlan& plan, const DeviceImage& in,
                    const DeviceImage& out, CountingResult result);

}  // namespace warpscope::cuda
