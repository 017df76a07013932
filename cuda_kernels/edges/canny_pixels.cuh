// What Canny's kernels have in common.
#pragma once

#include <type_traits>

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "engine/operations/edges/canny.h"

namespace warpscope::cuda {

// Of gradients, with which directions are told apart; of 16 bits: 33 bits.
template <class T>
using GradientProduct = std::conditional_t<sizeof(T) == 1, int, long long>;

// Pixels of 16 bytes from bits.
template <class T>
__device__ __forceinline__ void pixelsOfBits(std::uint32_t bits, std::uint32_t (&words)[4]) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        if constexpr (sizeof(T) == 1)
            words[i] = ((bits >> (4 * i) & 15u) * 0x00204081u & 0x01010101u) * 255u;
        else
            words[i] = ((bits >> (2 * i) & 1u) | (bits >> (2 * i + 1) & 1u) << 16) * 65535u;
    }
}

}  // namespace warpscope::cuda
