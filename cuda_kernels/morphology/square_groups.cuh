// Squares of medium radius on 8-bit images.
#pragma once

#include "cuda_kernels/morphology/square.cuh"

namespace warpscope::cuda {

// Whether runSquareGroups() takes that radius on this device.
bool fitsSquareGroups(const KernelContext& context, PixelFormat format, int radius);

// What runSquare() does.
void runSquareGroups(KernelContext& context, int radius, SquareOf what, const DeviceImage& in,
                     const DeviceImage& out);

void loadSquareGroups();

}  // namespace warpscope::cuda
