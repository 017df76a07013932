// Squares of small radius on 8-bit images.
#pragma once

#include "cuda_kernels/morphology/square.cuh"

namespace warpscope::cuda {

// Whether runSquareTiles() takes that radius on this device, tiles are enough for it and enough
// blocks fit a multiprocessor.
bool fitsSquareTiles(const KernelContext& context, PixelFormat format, int radius, SquareOf what,
                     Size size);

// What runSquare() does.
void runSquareTiles(KernelContext& context, int radius, SquareOf what, const DeviceImage& in,
                    const DeviceImage& out);

void loadSquareTiles();

}  // namespace warpscope::cuda
