// Pixels of a row of an 8-bit image in registers: those that a thread makes, and some at both sides
// of them, edges repeated.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

// 16 gray pixels: four, the eight in the middle, four.
struct GrayWords {
    static constexpr int kPixels = 8;
    std::uint32_t words[4];

    // x, a multiple of 8, is the first one in the middle.
    __device__ __forceinline__ void load(const std::byte* row, int x, int lastX) {
        loadCut(row, x, lastX);
        mend(x, lastX);
    }

    // The same without repeated edges, which mend() makes once something waits for the words.
    __device__ __forceinline__ void loadCut(const std::byte* row, int x, int lastX) {
        const int lastWord = lastX & ~3;
        words[0] = __ldg(reinterpret_cast<const std::uint32_t*>(row + max(x - 4, 0)));
        const uint2 middle = __ldg(reinterpret_cast<const uint2*>(row + x));
        words[1] = middle.x;
        words[2] = middle.y;
        words[3] = __ldg(reinterpret_cast<const std::uint32_t*>(row + min(x + 8, lastWord)));
    }
    __device__ __forceinline__ void mend(int x, int lastX) {
        if (x == 0) words[0] = __byte_perm(words[1], 0, 0);
        if (x + 11 > lastX) repeatLast(lastX + 1 - x);
    }

  private:
    // Of the row `valid` pixels are left from the middle on.
    __device__ __forceinline__ void repeatLast(int valid) {
        std::uint32_t edge = 0;
#pragma unroll
        for (int k = 1; k < 4; ++k) {
            const int here = valid - 4 * (k - 1);
            if (here >= 4) {
                edge = words[k] >> 24;
            } else if (here > 0) {
                edge = (words[k] >> (8 * here - 8)) & 255u;
                const std::uint32_t kept = (1u << (8 * here)) - 1;
                words[k] = (words[k] & kept) | (edge * 0x01010101u & ~kept);
            } else {
                words[k] = edge * 0x01010101u;
            }
        }
    }
};

// Four colour pixels and kHalo at each side.
template <int kHalo>
struct ColourPixels {
    static constexpr int kPixels = 4, kWide = kPixels + 2 * kHalo;
    std::uint32_t pixels[kWide];

    // x, a multiple of 4, is the first one in the middle.
    __device__ __forceinline__ void load(const std::byte* row, int x, int lastX) {
        const auto* from = reinterpret_cast<const std::uint32_t*>(row);
#pragma unroll
        for (int i = 0; i < kWide; ++i)
            if (i < kHalo || i >= kHalo + kPixels)
                pixels[i] = __ldg(from + min(max(x - kHalo + i, 0), lastX));
        if (x + kPixels - 1 <= lastX) {
            const uint4 middle = __ldg(reinterpret_cast<const uint4*>(from + x));
            pixels[kHalo] = middle.x;
            pixels[kHalo + 1] = middle.y;
            pixels[kHalo + 2] = middle.z;
            pixels[kHalo + 3] = middle.w;
        } else {
#pragma unroll
            for (int i = 0; i < kPixels; ++i) pixels[kHalo + i] = __ldg(from + min(x + i, lastX));
        }
    }
};

// The words of eight gray pixels or four of colour; what lies beyond a row goes into its padding.
__device__ __forceinline__ void storeRow(std::byte* to, const std::uint32_t (&words)[2]) {
    *reinterpret_cast<uint2*>(to) = {words[0], words[1]};
}
__device__ __forceinline__ void storeRow(std::byte* to, const std::uint32_t (&words)[4]) {
    *reinterpret_cast<uint4*>(to) = {words[0], words[1], words[2], words[3]};
}

}  // namespace warpscope::cuda
