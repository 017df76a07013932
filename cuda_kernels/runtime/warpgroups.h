// Whether kernels by products of warpgroups (warpgroup_products.cuh) can run: known without a GPU.
#pragma once

#include "cuda_kernels/runtime/device_context.h"

namespace warpscope::cuda {

// Compute capability 9.0, which has them and no later one, and a build with code for sm_90a.
bool hasWarpgroupProducts(const DeviceTraits& traits);

}  // namespace warpscope::cuda
