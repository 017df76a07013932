// What a guided filter of 8-bit samples adds up in the columns of a strip (strip_windows.cuh).
#pragma once

#include "cuda_kernels/smoothing/strip_windows.cuh"

namespace warpscope::cuda {

template <int C>
inline constexpr int kColoursOf = C == 1 ? 1 : 3;

// Exact, in one addition where a conversion takes as long as four.
__device__ __forceinline__ double wholeDouble(std::uint32_t value) {
    return __hiloint2double(0x43300000, int(value)) - 4503599627370496.0;
}

// Four pixels of a row, and what they add to the sums of their columns: luma and its squares, of
// each colour it and its products with luma.
template <int C>
struct ColumnSums;
template <>
struct ColumnSums<1> {
    static constexpr int kSums = 2;
    using Words = std::uint32_t;
    std::uint32_t of[kSums][kStripPixels] = {};

    static __device__ __forceinline__ void load(const std::byte* row, int x, Words& words) {
        words = __ldg(reinterpret_cast<const std::uint32_t*>(row + x));
    }
    template <bool kCome>
    __device__ __forceinline__ void take(const Words& words) {
#pragma unroll
        for (int k = 0; k < kStripPixels; ++k) {
            const std::uint32_t value = byteOf(words, k), counted = kCome ? value : 0u - value;
            of[0][k] += counted;
            of[1][k] += counted * value;
        }
    }
};
template <>
struct ColumnSums<4> {
    static constexpr int kSums = 8;
    using Words = std::uint32_t[kStripPixels];
    std::uint32_t of[kSums][kStripPixels] = {};

    static __device__ __forceinline__ void load(const std::byte* row, int x, Words& words) {
        const uint4 loaded = __ldg(reinterpret_cast<const uint4*>(row) + x / 4);
        words[0] = loaded.x;
        words[1] = loaded.y;
        words[2] = loaded.z;
        words[3] = loaded.w;
    }
    template <bool kCome>
    __device__ __forceinline__ void take(const Words& words) {
#pragma unroll
        for (int k = 0; k < kStripPixels; ++k) {
            const std::uint32_t level = lumaOf(words[k]), counted = kCome ? level : 0u - level;
            of[0][k] += counted;
            of[1][k] += counted * level;
#pragma unroll
            for (int c = 0; c < 3; ++c) {
                const std::uint32_t value = byteOf(words[k], c);
                of[2 + 2 * c][k] += kCome ? value : 0u - value;
                of[3 + 2 * c][k] += counted * value;
            }
        }
    }
    static __device__ __forceinline__ std::uint32_t lumaOf(std::uint32_t pixel) {
        return luma(byteOf(pixel, 0), byteOf(pixel, 1), byteOf(pixel, 2));
    }
};

}  // namespace warpscope::cuda
