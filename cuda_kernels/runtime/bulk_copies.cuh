// Copies from device memory to shared memory that the copying unit of compute capability 9.0 makes
// by itself: no thread waits for them, no register holds what is under way, and fences between
// threads and tensor units do not wait for them as they do for cp.async. In code for sm_90a alone,
// as warpgroup_products.cuh is; elsewhere all of this compiles to nothing.
#pragma once

#include "cuda_kernels/runtime/warpgroup_products.cuh"

namespace warpscope::cuda {

// In shared memory. What bulk copies say that they have written, by rounds: a round ends when one
// thread has said how many bytes there will be and these have arrived.
using BulkArrival = std::uint64_t;

// By one thread, before a barrier behind which others use it.
__device__ __forceinline__ void beginArrivals(BulkArrival* arrivals, int count) {
#ifdef WARPSCOPE_WARPGROUP_PRODUCTS
    for (int i = 0; i < count; ++i)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(
                         std::uint32_t(__cvta_generic_to_shared(arrivals + i)))
                     : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}

// Once a round, before or after its copies are begun.
__device__ __forceinline__ void expectBytes(BulkArrival* arrival, std::uint32_t bytes) {
#ifdef WARPSCOPE_WARPGROUP_PRODUCTS
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     std::uint32_t(__cvta_generic_to_shared(arrival))),
                 "r"(bytes)
                 : "memory");
#endif
}

// Addresses and number of bytes are multiples of 16. What was in `shared` has been read, by all
// threads, before a barrier.
__device__ __forceinline__ void beginBulkCopy(std::uint32_t shared, const std::byte* from,
                                              std::uint32_t bytes, BulkArrival* arrival) {
#ifdef WARPSCOPE_WARPGROUP_PRODUCTS
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
        "[%3];" ::"r"(shared),
        "l"(from), "r"(bytes), "r"(std::uint32_t(__cvta_generic_to_shared(arrival)))
        : "memory");
#endif
}

// Waits for the end of a round, for each thread that reads what was copied; `odd`: of the rounds
// 0, 1, 2, ... of that arrival.
__device__ __forceinline__ void waitForBytes(BulkArrival* arrival, bool odd) {
#ifdef WARPSCOPE_WARPGROUP_PRODUCTS
    asm volatile(
        "{ .reg .pred there;\n"
        "again: mbarrier.try_wait.parity.shared::cta.b64 there, [%0], %1;\n"
        "@!there bra again; }" ::"r"(std::uint32_t(__cvta_generic_to_shared(arrival))),
        "r"(std::uint32_t(odd))
        : "memory");
#endif
}

}  // namespace warpscope::cuda
