// Resampling of 8-bit images by tiles, both passes at once.
#pragma once

#include "cuda_kernels/geometry/resize_taps.h"
#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

// The tiles are those of resizeTilesFor(plan).
void runResizeTiles(KernelContext& context, const ResizePlan& plan, const ResizeTiles& tiles,
                    const DeviceImage& in, const DeviceImage& out);

// All kernels, of which the parameters that are warmed up reach some.
void loadResizeTiles();

}  // namespace warpscope::cuda
