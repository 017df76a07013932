// Rows that are fetched into the L2 cache before anybody loads them, without registers and without
// waiting. A kernel may do so before it waits for the launch before it (early_launch.cuh): what is
// written later goes through that cache as well.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

// Of the rows [first, last) of `pitch` bytes, of which `from` is in row 0, `bytes` from there on;
// `pitch` and `bytes`: multiples of 16. All threads of a block call it, each for some of the rows;
// rows of those that have returned are loaded without.
__device__ __forceinline__ void prefetchRows(const std::byte* from, int pitch, int bytes, int first,
                                             int last) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    const auto start = reinterpret_cast<std::uintptr_t>(from) & ~std::uintptr_t(15);
    for (int row = first + int(threadIdx.x); row < last; row += int(blockDim.x)) {
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(
                         start + std::uint64_t(unsigned(row)) * unsigned(pitch)),
                     "r"(bytes));
    }
#endif
}

}  // namespace warpscope::cuda
