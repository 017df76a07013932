// Sums that become bytes or halves of a word.
#pragma once

#include <cstdint>

#include "cuda_kernels/runtime/dot_products.cuh"

namespace warpscope::cuda {

#ifndef WARPSCOPE_EMULATED_DOT_PRODUCTS
// Cut to 8 bits: b, a and the two low bytes of `above`, from the lowest byte on.
__device__ __forceinline__ std::uint32_t cutBytes(int a, int b, std::uint32_t above) {
    std::uint32_t made;
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(made) : "r"(a), "r"(b), "r"(above));
    return made;
}
// Cut to 16 bits: b, a.
__device__ __forceinline__ std::uint32_t cutHalves(int a, int b) {
    std::uint32_t made;
    asm("cvt.pack.sat.u16.s32 %0, %1, %2;" : "=r"(made) : "r"(a), "r"(b));
    return made;
}
#endif

}  // namespace warpscope::cuda
