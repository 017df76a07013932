// Enlarging of 8-bit images, both passes at once.
#pragma once

#include "cuda_kernels/geometry/resize_enlarged_taps.h"
#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

// The enlargement is that of enlargementFor(plan).
void runResizeEnlarged(KernelContext& context, const ResizePlan& plan,
                       const Enlargement& enlargement, const DeviceImage& in,
                       const DeviceImage& out);

// All kernels, of which the parameters that are warmed up reach few.
void loadResizeEnlarged();

}  // namespace warpscope::cuda
