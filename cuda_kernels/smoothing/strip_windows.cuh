// Sums over windows along a row: threads beside each other have the sums of the columns of a strip,
// four each, and a window is the difference of two sums of columns from the strip's left end.
// Threads at both ends of a strip are there for their columns alone.
#pragma once

#include <algorithm>

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "cuda_kernels/smoothing/window_costs.h"

namespace warpscope::cuda {

inline constexpr unsigned kStripThreads = 128;

struct WindowStrips {
    int radius = 0;
    int rows = 1;    // of a strip
    int before = 0;  // threads at its left end that make nothing
    int after = 0;
    FastDivide across;
    std::uint32_t begin = 0, end = 0;  // of a launch, numbered along the rows

    WindowStrips(int windowRadius, int width, int members)
        : radius(windowRadius),
          before(stripThreadsBefore(windowRadius, kStripPixels)),
          after(stripThreadsAfter(windowRadius, kStripPixels)),
          across(std::uint32_t(stripsAcross(width, windowRadius, members, kStripPixels))) {}

    // A strip adds up 2 radius + 1 rows before its first: as high as leaves every multiprocessor
    // enough warps, which are all there at once.
    void divide(int height, int warpsAcross, int multiprocessors, int most) {
        constexpr int kWarpsEach = 16, kLeastRows = 8, kMostRows = 128;
        const std::int64_t wanted =
            std::int64_t(height) * warpsAcross / (multiprocessors * kWarpsEach);
        rows = std::min(
            int(std::clamp<std::int64_t>(wanted, kLeastRows, std::max(kMostRows, 2 * radius))),
            most);
    }
};

// Four pixels of a row from x on, a multiple of 4 that may lie outside; edges repeated.
struct StripPlace {
    int from, edge, kept;

    __device__ __forceinline__ StripPlace(int x, int lastX)
        : from(min(max(x, 0), lastX / kStripPixels * kStripPixels)),
          edge(x < 0 ? 0 : min(lastX - from, kStripPixels - 1)),
          kept(x < 0 ? 0 : min(max(lastX + 1 - x, 0), kStripPixels)) {}

    template <class E>
    __device__ __forceinline__ void mend(E (&four)[kStripPixels]) const {
        if (kept == kStripPixels) return;
        E last = four[0];
#pragma unroll
        for (int i = 1; i < kStripPixels; ++i)
            if (i == edge) last = four[i];
#pragma unroll
        for (int i = 0; i < kStripPixels; ++i)
            if (i >= kept) four[i] = last;
    }
    // The same of bytes.
    __device__ __forceinline__ void mend(std::uint32_t& word) const {
        if (kept == kStripPixels) return;
        const std::uint32_t last = byteOf(word, edge) * 0x01010101u, mask = (1u << (8 * kept)) - 1;
        word = (word & mask) | (last & ~mask);
    }
};

template <class Sum, int kSums>
struct WindowRoom {
    // [..][k][thread]: sums of the columns left of the thread's pixel k, from the strip's end on.
    Sum leftOf[kSums][kStripPixels][kStripThreads];
    Sum ofWarps[kSums][kStripThreads / 32];
};

// kSums sums for each pixel of a strip of 32 kWarps threads.
template <class Sum, int kSums, int kWarps>
class StripWindows {
  public:
    __device__ __forceinline__ StripWindows(WindowRoom<Sum, kSums>& room, int radius)
        : m_room(room) {
        const int thread = int(threadIdx.x);
#pragma unroll
        for (int k = 0; k < kStripPixels; ++k) {
            const int end = k + radius + 1;
            const int behind = (radius + kStripPixels - 1 - k) / kStripPixels;
            m_until[k] = end % kStripPixels * int(kStripThreads) + thread + end / kStripPixels;
            m_before[k] =
                (k - radius + behind * kStripPixels) * int(kStripThreads) + thread - behind;
        }
    }

    // All threads of a strip take part. What was put before may be read until then.
    __device__ __forceinline__ void put(const Sum (&columns)[kSums][kStripPixels]) {
        constexpr unsigned kAll = 0xffffffffu;
        const int lane = int(threadIdx.x % 32), warp = int(threadIdx.x / 32) % kWarps;
        Sum base[kSums];
#pragma unroll
        for (int s = 0; s < kSums; ++s) {
            const Sum own = (columns[s][0] + columns[s][1]) + (columns[s][2] + columns[s][3]);
            Sum sum = own;
#pragma unroll
            for (int away = 1; away < 32; away *= 2) {
                const Sum other = __shfl_up_sync(kAll, sum, unsigned(away));
                if (lane >= away) sum += other;
            }
            base[s] = sum - own;
            if (kWarps > 1 && lane == 31) m_room.ofWarps[s][warp] = sum;
        }
        if constexpr (kWarps > 1) {
            __syncthreads();
#pragma unroll
            for (int s = 0; s < kSums; ++s)
#pragma unroll
                for (int left = 0; left + 1 < kWarps; ++left)
                    if (left < warp) base[s] += m_room.ofWarps[s][left];
        } else {
            __syncwarp();
        }
#pragma unroll
        for (int s = 0; s < kSums; ++s)
#pragma unroll
            for (int k = 0; k < kStripPixels; ++k) {
                m_room.leftOf[s][k][threadIdx.x] = base[s];
                base[s] += columns[s][k];
            }
        if constexpr (kWarps > 1)
            __syncthreads();
        else
            __syncwarp();
    }
    // Sum s of the window around pixel k.
    __device__ __forceinline__ Sum at(int s, int k) const {
        const Sum* sums = &m_room.leftOf[s][0][0];
        return sums[m_until[k]] - sums[m_before[k]];
    }

  private:
    WindowRoom<Sum, kSums>& m_room;
    int m_until[kStripPixels], m_before[kStripPixels];
};

}  // namespace warpscope::cuda
