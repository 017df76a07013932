// Reading an image right after a launch that has read it from its beginning to its end, when it is
// too large for the L2 cache to keep it beside what is written: from its end, where the cache still
// has it, and so that what is read or written now is the first to make room for others.
#pragma once

#include "cuda_kernels/runtime/sample_loads.cuh"

namespace warpscope::cuda {

// Smaller ones are found in the cache anyway. 3: at 50 MB of cache, of which each half of the
// device has its own copies, images of 14 MB gained nothing, those of 33 MB a tenth.
inline bool isWorthReadingBackwards(const DeviceTraits& traits, const DeviceImage& in) {
    return std::uint64_t(in.pitch) * std::uint64_t(in.size.height) > traits.l2Bytes / 3;
}

// loadWords() and storeWords() of what nobody asks for soon.
class ReadOnce {
  public:
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    __device__ __forceinline__ ReadOnce() {
        asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(m_policy));
    }
    template <int Bytes>
    __device__ __forceinline__ void load(const std::byte* at,
                                         std::uint32_t (&words)[(Bytes + 3) / 4]) const {
        if constexpr (Bytes % 16 != 0) {
            loadWords<Bytes>(at, words);
        } else {
#pragma unroll
            for (int i = 0; i < Bytes / 16; ++i)
                asm("ld.global.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                    : "=r"(words[4 * i]), "=r"(words[4 * i + 1]), "=r"(words[4 * i + 2]),
                      "=r"(words[4 * i + 3])
                    : "l"(at + 16 * i), "l"(m_policy)
                    : "memory");
        }
    }
    template <int Bytes>
    __device__ __forceinline__ void store(std::byte* at,
                                          const std::uint32_t (&words)[(Bytes + 3) / 4]) const {
        if constexpr (Bytes % 16 != 0) {
            storeWords<Bytes>(at, words);
        } else {
#pragma unroll
            for (int i = 0; i < Bytes / 16; ++i)
                asm volatile("st.global.L2::cache_hint.v4.u32 [%0], {%1, %2, %3, %4}, %5;" ::"l"(
                                 at + 16 * i),
                             "r"(words[4 * i]), "r"(words[4 * i + 1]), "r"(words[4 * i + 2]),
                             "r"(words[4 * i + 3]), "l"(m_policy)
                             : "memory");
        }
    }

  private:
    std::uint64_t m_policy;
#else
    template <int Bytes>
    __device__ __forceinline__ void load(const std::byte* at,
                                         std::uint32_t (&words)[(Bytes + 3) / 4]) const {
        loadWords<Bytes>(at, words);
    }
    template <int Bytes>
    __device__ __forceinline__ void store(std::byte* at,
                                          const std::uint32_t (&words)[(Bytes + 3) / 4]) const {
        storeWords<Bytes>(at, words);
    }
#endif
};

}  // namespace warpscope::cuda
