// The ways to a median. All give the same bits; median.cu picks one.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "engine/operations/smoothing/median.h"

namespace warpscope::cuda {

// Selection networks in registers on pairs of samples. Radius 1 and 2, 8 and 16 bits.
void medianByNetwork(KernelContext& context, int radius, const DeviceImage& in,
                     const DeviceImage& out);

// A histogram a thread that slides down a column. 8 bits, any radius up to 7 (counts fit a byte).
void medianByHistogram(KernelContext& context, int radius, const DeviceImage& in,
                       const DeviceImage& out);

// The bits of the median one after the other, highest first, by counting. 8 and 16 bits, any
// radius.
void medianByBits(KernelContext& context, int radius, const DeviceImage& in,
                  const DeviceImage& out);

}  // namespace warpscope::cuda
