// Luma of a row of an 8-bit image in registers, four pixels a word, in the middle those that a
// thread makes; as halves of words it is added four pixels in two instructions.
#pragma once

#include "cuda_kernels/runtime/dot_products.cuh"
#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

// Pixels 0 and 2, or 1 and 3, of a word.
__device__ __forceinline__ std::uint32_t evenPixels(std::uint32_t word) {
    return word & 0x00ff00ffu;
}
__device__ __forceinline__ std::uint32_t oddPixels(std::uint32_t word) {
    return __byte_perm(word, 0, 0x4341);
}

// words[0] holds the pixel before the middle in its last byte, the last word the one after it in
// its first; edges are repeated. C: samples of a pixel as it is stored.
template <int C>
struct LumaWords {
    static constexpr int kOwn = C == 1 ? 4 : 2, kPixels = 4 * kOwn, kWide = kOwn + 2;
    std::uint32_t words[kWide];

    // x, a multiple of kPixels, is the first pixel in the middle.
    __device__ __forceinline__ void load(const std::byte* row, int x, int lastX) {
        if constexpr (C == 1) {
            const uint4 own = __ldg(reinterpret_cast<const uint4*>(row + x));
            words[0] = __ldg(reinterpret_cast<const std::uint32_t*>(row + max(x - 4, 0)));
            words[kWide - 1] =
                __ldg(reinterpret_cast<const std::uint32_t*>(row + min(x + kPixels, lastX & ~3)));
            words[1] = own.x;
            words[2] = own.y;
            words[3] = own.z;
            words[4] = own.w;
        } else {
            const auto* from = reinterpret_cast<const std::uint32_t*>(row);
            words[0] = lumaOf(__ldg(from + max(x - 1, 0))) << 8;
            words[kWide - 1] = lumaOf(__ldg(from + min(x + kPixels, lastX))) >> 16;
#pragma unroll
            for (int i = 0; i < kOwn; ++i) {
                const uint4 four = __ldg(reinterpret_cast<const uint4*>(from + x + 4 * i));
                words[1 + i] =
                    __byte_perm(__byte_perm(lumaOf(four.x), lumaOf(four.y), 0x0062),
                                __byte_perm(lumaOf(four.z), lumaOf(four.w), 0x0062), 0x5410);
            }
        }
    }

    // Of rows that an edge cuts; the others need no call.
    __device__ __forceinline__ void mend(int x, int lastX) {
        if (x == 0) words[0] = words[1] << 24;
        // The first pixel beyond the row, of which only this one counts, takes what is before it.
        const int beyond = lastX + 1 - x;
#pragma unroll
        for (int i = 0; i <= kOwn; ++i) {
            const std::uint32_t here = beyond / 4 == i ? 255u << (beyond % 4 * 8) : 0u;
            const std::uint32_t before = __funnelshift_l(words[i], words[1 + i], 8);
            words[1 + i] = (words[1 + i] & ~here) | (before & here);
        }
    }

  private:
    // In byte 2; below it is what rounding cut off.
    __device__ static __forceinline__ std::uint32_t lumaOf(std::uint32_t pixel) {
        constexpr std::uint32_t kRedGreen = 19595u | 38470u << 16, kBlue = 7471u;
        return dotHighUnsigned(kBlue, pixel, dotLowUnsigned(kRedGreen, pixel, 32768u));
    }
};

}  // namespace warpscope::cuda
