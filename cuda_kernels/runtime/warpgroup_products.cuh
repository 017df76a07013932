// Products of bytes by a warpgroup, four warps whose first is a multiple of four: the tensor units
// of devices of compute capability 9.0 read the right factor from shared memory themselves. In code
// for sm_90a alone; elsewhere all of this compiles to nothing.
//
// The left factor is 64 x 32, in registers as PTX has it: lane 4 g + q of warp w has of rows
// 16 w + g and 16 w + g + 8 the bytes 4 q to 4 q + 3 and 16 more of each. The right factor is 32 x
// n in core matrices of 128 bytes, 8 columns with 16 bytes of each, one after the other across
// columns. Of the 64 x n sums that lane has of those rows the columns 8 j + 2 q and 8 j + 2 q + 1,
// as sums[4 j], sums[4 j + 1] and sums[4 j + 2], sums[4 j + 3].
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define WARPSCOPE_WARPGROUP_PRODUCTS 1
#endif

// Where the tensor units find the first core matrix, in bytes of shared memory. `step`: from 16
// bytes of a column to the 16 after them.
__device__ __forceinline__ std::uint64_t rightFactor(std::uint32_t shared, std::uint32_t step) {
    constexpr std::uint64_t kAcross = 128;
    return std::uint64_t((shared & 0x3ffffu) >> 4) | std::uint64_t(step >> 4) << 16 |
           (kAcross >> 4) << 32;
}

// What generic stores of this thread put into shared memory is seen by the tensor units after this
// and a barrier.
__device__ __forceinline__ void showToTensorUnits() {
#ifdef WARPSCOPE_WARPGROUP_PRODUCTS
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

// Before the first product of a group.
__device__ __forceinline__ void beginProducts() {
#ifdef WARPSCOPE_WARPGROUP_PRODUCTS
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#endif
}
// Until then neither factors nor sums may be touched.
__device__ __forceinline__ void finishProducts() {
#ifdef WARPSCOPE_WARPGROUP_PRODUCTS
    asm volatile(
        "wgmma.commit_group.sync.aligned;\n"
        "wgmma.wait_group.sync.aligned 0;" ::
            : "memory");
#endif
}
// Sums are not read before finishProducts(), whatever the compiler knows of them.
template <int N>
__device__ __forceinline__ void sumsAreThere(std::int32_t (&sums)[N]) {
#pragma unroll
    for (int i = 0; i < N; ++i) asm volatile("" : "+r"(sums[i])::"memory");
}

#define WARPSCOPE_FOUR(sums, i) \
    "+r"(sums[i]), "+r"(sums[i + 1]), "+r"(sums[i + 2]), "+r"(sums[i + 3])
#define WARPSCOPE_SIXTEEN(sums, i)                                                     \
    WARPSCOPE_FOUR(sums, i), WARPSCOPE_FOUR(sums, i + 4), WARPSCOPE_FOUR(sums, i + 8), \
        WARPSCOPE_FOUR(sums, i + 12)

// Before a first product that adds to nothing. Without it the sums were never set as far as the
// compiler knows, and it may leave out products whose sums it takes to be anything.
template <int N>
__device__ __forceinline__ void sumsBegin(std::int32_t (&sums)[N]) {
#pragma unroll
    for (int i = 0; i < N; ++i) asm volatile("" : "=r"(sums[i])::"memory");
}

// sums = left right, or sums + left right where `add`; n = 64.
__device__ __forceinline__ void multiplyGroup(std::int32_t (&sums)[32], const uint4& left,
                                              std::uint64_t right, bool add) {
#ifdef WARPSCOPE_WARPGROUP_PRODUCTS
    asm volatile(
        "{ .reg .pred add; setp.ne.b32 add, %37, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k32.s32.u8.u8 "
        "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
        "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31},"
        "{%32,%33,%34,%35}, %36, add; }"
        : WARPSCOPE_SIXTEEN(sums, 0), WARPSCOPE_SIXTEEN(sums, 16)
        : "r"(left.x), "r"(left.y), "r"(left.z), "r"(left.w), "l"(right), "r"(int(add)));
#endif
}
// The same with n = 32.
__device__ __forceinline__ void multiplyGroup(std::int32_t (&sums)[16], const uint4& left,
                                              std::uint64_t right, bool add) {
#ifdef WARPSCOPE_WARPGROUP_PRODUCTS
    asm volatile(
        "{ .reg .pred add; setp.ne.b32 add, %21, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n32k32.s32.u8.u8 "
        "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15},"
        "{%16,%17,%18,%19}, %20, add; }"
        : WARPSCOPE_SIXTEEN(sums, 0)
        : "r"(left.x), "r"(left.y), "r"(left.z), "r"(left.w), "l"(right), "r"(int(add)));
#endif
}

#undef WARPSCOPE_FOUR
#undef WARPSCOPE_SIXTEEN

}  // namespace warpscope::cuda
