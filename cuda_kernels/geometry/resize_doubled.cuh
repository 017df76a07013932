// Doubling of 8-bit images by up to six taps a side.
#pragma once

#include "cuda_kernels/geometry/resize_doubled_taps.h"
#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

// The doubling is that of doublingFor(plan).
void runResizeDoubled(KernelContext& context, const ResizePlan& plan, const Doubling& doubling,
                      const DeviceImage& in, const DeviceImage& out);

// All kernels, of which the parameters that are warmed up reach few.
void loadResizeDoubled();

}  // namespace warpscope::cuda
