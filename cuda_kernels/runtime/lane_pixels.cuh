// The pixels of a row of an 8-bit image that a lane of a warp holds where the lanes together hold a
// piece of it: those beyond an edge are the edge.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

// Pixels of a lane, one after the other in a row; edges repeated.
template <int C>
class LanePixels {
  public:
    static constexpr int kPixels = C == 1 ? 8 : 4;
    static constexpr int kColours = C == 1 ? 1 : 3;
    static constexpr int kWords = kPixels * C / 4;

    // x is a multiple of kPixels and may lie outside.
    __device__ __forceinline__ LanePixels(int x, int lastX)
        : m_from(min(max(x, 0), lastX / kPixels * kPixels)),
          m_repeated(x < 0 ? 0 : min(lastX - m_from, kPixels - 1)),
          m_kept(x < 0 ? 0 : min(max(lastX + 1 - x, 0), kPixels)) {}

    __device__ __forceinline__ void load(const std::byte* row,
                                         std::uint32_t (&words)[kWords]) const {
        if constexpr (C == 1) {
            const uint2 loaded = __ldg(reinterpret_cast<const uint2*>(row + m_from));
            words[0] = loaded.x;
            words[1] = loaded.y;
        } else {
            const uint4 loaded =
                __ldg(reinterpret_cast<const uint4*>(row + std::int64_t(m_from) * C));
            words[0] = loaded.x;
            words[1] = loaded.y;
            words[2] = loaded.z;
            words[3] = loaded.w;
        }
        if (m_kept < kPixels) repeat(words);
    }

    static __device__ __forceinline__ std::uint32_t sample(const std::uint32_t (&words)[kWords],
                                                           int pixel, int colour) {
        return C == 1 ? byteOf(words[pixel / 4], pixel % 4) : byteOf(words[pixel * C / 4], colour);
    }

  private:
    __device__ __forceinline__ void repeat(std::uint32_t (&words)[kWords]) const {
        if constexpr (C == 1) {
            const std::uint32_t word = m_repeated < 4 ? words[0] : words[1];
            const std::uint32_t edge = (word >> (8 * (m_repeated % 4)) & 255u) * 0x01010101u;
#pragma unroll
            for (int i = 0; i < kWords; ++i) {
                const int here = min(max(m_kept - 4 * i, 0), 4);
                const std::uint32_t kept = here == 4 ? 0xffffffffu : (1u << (8 * here)) - 1;
                words[i] = (words[i] & kept) | (edge & ~kept);
            }
        } else {
            std::uint32_t edge = words[0];
#pragma unroll
            for (int i = 1; i < kWords; ++i)
                if (i == m_repeated) edge = words[i];
#pragma unroll
            for (int i = 0; i < kWords; ++i)
                if (i >= m_kept) words[i] = edge;
        }
    }

    int m_from, m_repeated, m_kept;
};

}  // namespace warpscope::cuda
