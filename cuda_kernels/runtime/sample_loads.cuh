// Loads and stores as wide as the pixels together are, and the samples in them.
#pragma once

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

// Writes `Bytes` at such an address.
template <int Bytes>
__device__ __forceinline__ void storeWords(std::byte* at,
                                           const std::uint32_t (&words)[(Bytes + 3) / 4]) {
    if constexpr (Bytes == 4) {
        *reinterpret_cast<std::uint32_t*>(at) = words[0];
    } else if constexpr (Bytes == 8) {
        *reinterpret_cast<uint2*>(at) = {words[0], words[1]};
    } else {
        static_assert(Bytes % 16 == 0);
#pragma unroll
        for (int i = 0; i < Bytes / 16; ++i)
            reinterpret_cast<uint4*>(at)[i] = {words[4 * i], words[4 * i + 1], words[4 * i + 2],
                                               words[4 * i + 3]};
    }
}

// Sample number `index` of packed samples of type T; of float its bits.
template <class T, int N>
__device__ __forceinline__ std::uint32_t sampleOf(const std::uint32_t (&words)[N], int index) {
    constexpr int kPerWord = 4 / int(sizeof(T));
    const std::uint32_t word = words[index / kPerWord];
    if constexpr (sizeof(T) == 4)
        return word;
    else if constexpr (sizeof(T) == 1)
        return byteOf(word, index % 4);
    else
        return index % 2 ? word >> 16 : word & 0xffffu;
}

}  // namespace warpscope::cuda
