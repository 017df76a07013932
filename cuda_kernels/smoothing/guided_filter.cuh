// One of the ways to a guided filter, which all give the same bits.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "engine/operations/smoothing/guided_filter.h"

namespace warpscope::cuda {

// 8 bits, every radius: sums that slide, and again in the CPU's order what lies so close to half a
// level that the order decides.
void guidedFilterOfBytes(KernelContext& context, const GuidedFilterPlan& plan,
                         const DeviceImage& in, const DeviceImage& out);
void loadGuidedByteKernels();

}  // namespace warpscope::cuda
