// Equalization of 8 bits in one launch: what a multiprocessor reads stays there until the table is
// known.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

// Queues equalization of a Gray8 image, or of an Rgba8 image by its luma, and returns true; false,
// with nothing queued, where the image or the device is nothing for it. `full`:
// EqualizeMapping::Full. Throws CudaFailure, Stopped.
bool equalizeResident(KernelContext& context, bool full, const DeviceImage& in,
                      const DeviceImage& out);

// Loads its kernels, which no tiny image reaches. Throws CudaFailure.
void loadResidentEqualizing();

}  // namespace warpscope::cuda
