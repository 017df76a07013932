// Products of rows between the two passes, which are halves of words, and weights of bytes.
#pragma once

#include <cstdint>

#include "cuda_kernels/runtime/dot_products.cuh"

namespace warpscope::cuda {

#ifndef WARPSCOPE_EMULATED_DOT_PRODUCTS
// sum + two unsigned halves times the two low of four signed bytes.
__device__ __forceinline__ int dotHalvesLow(std::uint32_t halves, std::uint32_t weights, int sum) {
    int made;
    asm("dp2a.lo.u32.s32 %0, %1, %2, %3;" : "=r"(made) : "r"(halves), "r"(weights), "r"(sum));
    return made;
}
// The same with the two high bytes.
__device__ __forceinline__ int dotHalvesHigh(std::uint32_t halves, std::uint32_t weights, int sum) {
    int made;
    asm("dp2a.hi.u32.s32 %0, %1, %2, %3;" : "=r"(made) : "r"(halves), "r"(weights), "r"(sum));
    return made;
}
#endif

}  // namespace warpscope::cuda
