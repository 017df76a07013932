// Standard deviation and variance of 8-bit images over small squares.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

inline constexpr int kMostSmallStatistics = 7;

// Gray8 and Rgba8, radius 1 to kMostSmallStatistics. `root`: the standard deviation. Alpha stays.
void runSmallStatistics(KernelContext& context, int radius, bool root, const DeviceImage& in,
                        const DeviceImage& out);

}  // namespace warpscope::cuda
