// Sums of products of bytes, which are unsigned, and weights, which are signed where
// nothing else is said.
#pragma once

#include <cstdint>

namespace warpscope::cuda {

#ifdef WARPSCOPE_EMULATED_DOT_PRODUCTS
#include WARPSCOPE_EMULATED_DOT_PRODUCTS
#else

// sum + weights (two of 16 bits) times the two low bytes.
__device__ __forceinline__ int dotLow(std::uint32_t weights, std::uint32_t bytes, int sum) {
    int made;
    asm("dp2a.lo.s32.u32 %0, %1, %2, %3;" : "=r"(made) : "r"(weights), "r"(bytes), "r"(sum));
    return made;
}
// The same with the two high bytes.
__device__ __forceinline__ int dotHigh(std::uint32_t weights, std::uint32_t bytes, int sum) {
    int made;
    asm("dp2a.hi.s32.u32 %0, %1, %2, %3;" : "=r"(made) : "r"(weights), "r"(bytes), "r"(sum));
    return made;
}
// Both with unsigned weights.
__device__ __forceinline__ std::uint32_t dotLowUnsigned(std::uint32_t weights, std::uint32_t bytes,
                                                        std::uint32_t sum) {
    std::uint32_t made;
    asm("dp2a.lo.u32.u32 %0, %1, %2, %3;" : "=r"(made) : "r"(weights), "r"(bytes), "r"(sum));
    return made;
}
__device__ __forceinline__ std::uint32_t dotHighUnsigned(std::uint32_t weights, std::uint32_t bytes,
                                                         std::uint32_t sum) {
    std::uint32_t made;
    asm("dp2a.hi.u32.u32 %0, %1, %2, %3;" : "=r"(made) : "r"(weights), "r"(bytes), "r"(sum));
    return made;
}
// sum + weights (four of 8 bits) times the four bytes.
__device__ __forceinline__ int dotBytes(std::uint32_t weights, std::uint32_t bytes, int sum) {
    int made;
    asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(made) : "r"(weights), "r"(bytes), "r"(sum));
    return made;
}
// The same with unsigned weights.
__device__ __forceinline__ int dotUnsigned(std::uint32_t weights, std::uint32_t bytes, int sum) {
    std::uint32_t made;
    asm("dp4a.u32.u32 %0, %1, %2, %3;"
        : "=r"(made)
        : "r"(weights), "r"(bytes), "r"(std::uint32_t(sum)));
    return int(made);
}

#endif

}  // namespace warpscope::cuda
