// Sums over all samples above and to the left, shared by the integral image and by the box mean.
#pragma once

#include "cuda_kernels/runtime/runner.h"

namespace warpscope::cuda {

// What of a pixel is summed.
enum class SumOf {
    Sample,  // of a gray image
    Luma,    // weighted601 of a colour image, rounded per pixel
    Planes   // red, green and blue of a colour image, each in a plane of its own
};

// Where sums go: `pitch` and `planePitch` in bytes, multiples of 16.
struct SumPlanes {
    std::byte* data = nullptr;
    std::int64_t pitch = 0;
    std::int64_t planePitch = 0;  // Planes only
    int sampleBytes = 4;          // 4: modulo 2^32; 8: modulo 2^64
};

// Inclusive sums of the rows of `in` (8 or 16 bits), at most as many as one launch may move.
// `above`: sums of the row before, planes as far apart as those of `out`, which continue into
// these; null for none. Three launches (two for images of few tiles): sums of tiles, scan of these,
// sums of pixels.
void sumRows(KernelContext& context, SumOf what, const DeviceImage& in, const SumPlanes& out,
             const std::byte* above);

// Rows that one call of sumRows may take. `sumBytesPerPixel`: over all planes.
int rowsPerSumLaunch(const KernelContext& context, const DeviceImage& in, int sumBytesPerPixel);

// Loads kernels that no tiny image reaches. Throws CudaFailure.
void loadSumKernels();

}  // namespace warpscope::cuda
