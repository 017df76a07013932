// The pixels of a row of an 8-bit image that a lane of a warp holds where the lanes together hold a
// piece of it: those beyond an edge are the edge.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

// Pixels of a lane, one after the other in a row; edges repeated. No branch waits for what is
// loaded: loads of further rows may be under way meanwhile.
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
        fetch(row, words);
        mend(words);
    }

    // The same in two steps, of which the second waits for the words. Pixels within the image are
    // right after the first.
    __device__ __forceinline__ void fetch(const std::byte* row,
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
    }
    __device__ __forceinline__ void mend(std::uint32_t (&words)[kWords]) const {
        if constexpr (C == 1) {
            // Four bits a pixel: which one is taken in its place.
            const std::uint32_t outside = m_kept == kPixels ? 0 : 0xffffffffu << (4 * m_kept);
            const std::uint32_t from =
                (0x76543210u & ~outside) | (std::uint32_t(m_repeated) * 0x11111111u & outside);
            const std::uint32_t first = __byte_perm(words[0], words[1], from);
            words[1] = __byte_perm(words[0], words[1], from >> 16);
            words[0] = first;
        } else {
#pragma unroll
            for (int i = 1; i < kWords; ++i) words[i] = i > m_repeated ? words[i - 1] : words[i];
#pragma unroll
            for (int i = 0; i + 1 < kWords; ++i)
                words[i] = m_kept == 0 ? words[kWords - 1] : words[i];
        }
    }

    static __device__ __forceinline__ std::uint32_t sample(const std::uint32_t (&words)[kWords],
                                                           int pixel, int colour) {
        return C == 1 ? byteOf(words[pixel / 4], pixel % 4) : byteOf(words[pixel * C / 4], colour);
    }

  private:
    int m_from, m_repeated, m_kept;
};

}  // namespace warpscope::cuda
