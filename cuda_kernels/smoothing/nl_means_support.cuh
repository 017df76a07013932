// What the kernels of NL-means share.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "cuda_kernels/smoothing/nl_means_paths.h"

namespace warpscope::cuda {

// The pixel that stands at `i` when a line of n pixels is mirrored again and again, edge pixels
// repeated: cba|abc|cba|abc.
__device__ __forceinline__ int mirrored(int i, int n) {
    if (unsigned(i) < unsigned(n)) return i;
    const int period = 2 * n;  // at most 2^21
    const int place = i % period;
    const int from = place < 0 ? place + period : place;
    return from < n ? from : period - 1 - from;
}

__device__ __forceinline__ float exp2Approx(float x) {
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
}

// Rounded to the nearest level, halves up. `mean` is between 0 and kMost but for rounding errors.
template <int kMost>
__device__ __forceinline__ std::uint32_t levelOf(float mean) {
    return std::uint32_t(min(max(__float2int_rd(mean + 0.5f), 0), kMost));
}
template <int kMost>
__device__ __forceinline__ std::uint32_t levelOf(double mean) {
    return std::uint32_t(min(max(__double2int_rd(mean + 0.5), 0), kMost));
}

// Launches are cut into tiles; so many together do about this many multiplications.
inline int tilesPerLaunch(const KernelContext& context, std::int64_t multiplicationsPerTile) {
    return context.rowsPerLaunch(0, multiplicationsPerTile);
}

}  // namespace warpscope::cuda
