// The bilateral filter on 8-bit images.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "cuda_kernels/smoothing/bilateral_tables.h"

namespace warpscope::cuda {

// The tables are those of the plan; `key` is the same for the same tables.
void runBilateralTables(KernelContext& context, const BilateralPlan& plan,
                        const BilateralTables& tables, const std::string& key,
                        const DeviceImage& in, const DeviceImage& out);

}  // namespace warpscope::cuda
