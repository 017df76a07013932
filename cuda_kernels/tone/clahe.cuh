// What the kernels of clahe share.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "engine/operations/tone/clahe.h"

namespace warpscope::cuda {

// Gray8, and Rgba8 by its luma, in tiles that are not too narrow for it.
bool isClaheOfBytes(const ClahePlan& plan);

// `counted`: what tables are made of; its format is that of `in`.
void runClaheOfBytes(KernelContext& context, const ClahePlan& plan, const DeviceImage& counted,
                     const DeviceImage& in, const DeviceImage& out);

// Loads its kernels, which no tiny image reaches. Throws CudaFailure.
void loadClaheOfBytes();

}  // namespace warpscope::cuda
