// Pixels of a row as 32-bit values: loads as wide as the pixels together are, luma on the fly.
#pragma once

#include "cuda_kernels/analysis/integral_tiles.h"
#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

// `Bytes` at an address that is a multiple of them (of 16 for more).
template <int Bytes>
__device__ __forceinline__ void loadWords(const std::byte* at,
                                          std::uint32_t (&words)[(Bytes + 3) / 4]) {
    if constexpr (Bytes == 1) {
        words[0] = *reinterpret_cast<const std::uint8_t*>(at);
    } else if constexpr (Bytes == 2) {
        words[0] = *reinterpret_cast<const std::uint16_t*>(at);
    } else if constexpr (Bytes == 4) {
        words[0] = *reinterpret_cast<const std::uint32_t*>(at);
    } else if constexpr (Bytes == 8) {
        const uint2 loaded = *reinterpret_cast<const uint2*>(at);
        words[0] = loaded.x;
        words[1] = loaded.y;
    } else {
#pragma unroll
        for (int i = 0; i < Bytes / 16; ++i) {
            const uint4 loaded = reinterpret_cast<const uint4*>(at)[i];
            words[4 * i] = loaded.x;
            words[4 * i + 1] = loaded.y;
            words[4 * i + 2] = loaded.z;
            words[4 * i + 3] = loaded.w;
        }
    }
}

// Sample number `index` of packed samples of type T.
template <class T, int N>
__device__ __forceinline__ std::uint32_t sampleOf(const std::uint32_t (&words)[N], int index) {
    constexpr int kPerWord = 4 / int(sizeof(T));
    const std::uint32_t word = words[index / kPerWord];
    if constexpr (sizeof(T) == 1)
        return byteOf(word, index % 4);
    else
        return index % 2 ? word >> 16 : word & 0xffffu;
}

// What is summed of `Pixels` neighbouring pixels, packed as samples of T again.
template <class T, SumOf What, int Pixels>
struct PackedPixels {
    static constexpr int kChannels = What == SumOf::Sample ? 1 : 4;
    static constexpr int kPixelBytes = kChannels * int(sizeof(T));
    static constexpr int kBits = 8 * int(sizeof(T));
    static constexpr int kWords = (Pixels * int(sizeof(T)) + 3) / 4;

    // `column` is a multiple of Pixels; those from `valid` on count as 0.
    __device__ static void load(const std::byte* row, int column, int valid, int plane,
                                std::uint32_t (&packed)[kWords]) {
#pragma unroll
        for (int i = 0; i < kWords; ++i) packed[i] = 0;
        if (valid <= 0) return;
        std::uint32_t raw[(Pixels * kPixelBytes + 3) / 4];
        loadWords<Pixels * kPixelBytes>(row + std::int64_t(column) * kPixelBytes, raw);
        if constexpr (What == SumOf::Sample) {
#pragma unroll
            for (int i = 0; i < kWords; ++i) packed[i] = raw[i];
        } else {
#pragma unroll
            for (int i = 0; i < Pixels; ++i) {
                const std::uint32_t r = sampleOf<T>(raw, 4 * i), g = sampleOf<T>(raw, 4 * i + 1),
                                    b = sampleOf<T>(raw, 4 * i + 2);
                const std::uint32_t value = What == SumOf::Luma ? luma(r, g, b)
                                            : plane == 0        ? r
                                            : plane == 1        ? g
                                                                : b;
                packed[i * kBits / 32] |= value << (i * kBits % 32);
            }
        }
        if (valid < Pixels) {
#pragma unroll
            for (int i = 0; i < kWords; ++i) {
                const int bits = min(max(valid * kBits - 32 * i, 0), 32);
                if (bits < 32) packed[i] &= (1u << bits) - 1u;
            }
        }
    }
};

}  // namespace warpscope::cuda
