// Minima and maxima of 8-bit images over small disks.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

inline constexpr int kMostSmallDisk = 4;

// Gray8 and Rgba8, radius 1 to kMostSmallDisk. Alpha stays.
void runSmallDisk(KernelContext& context, int radius, bool most, const DeviceImage& in,
                  const DeviceImage& out);

}  // namespace warpscope::cuda
