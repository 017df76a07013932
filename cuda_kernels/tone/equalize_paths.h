// The ways to equalize an image; equalize.cu picks one.
#pragma once

#include "cuda_kernels/runtime/runner.h"
#include "engine/operations/tone/equalize.h"

namespace warpscope::cuda {

// 16-bit images: counts, tables of 65,536 levels and their application follow each other on the
// stream, without the host. Throws CudaFailure, Stopped.
void runEqualizeWide(KernelContext& context, const EqualizePlan& plan, const DeviceImage& in,
                     const DeviceImage& out);

}  // namespace warpscope::cuda
