// Exact sums over squares of 8-bit samples without an integral image: threads beside each other
// slide down a strip with the sums of its columns in registers, and a window along a row is the
// difference of two sums of columns from the strip's left end. Threads at both ends of a strip are
// there for their columns alone.
#pragma once

#include <algorithm>

#include "cuda_kernels/runtime/lane_pixels.cuh"
#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/smoothing/window_costs.h"

namespace warpscope::cuda {

// 257 samples still add up to 16 bits.
inline constexpr int kMostSlidingRadius = 128;
inline constexpr unsigned kSlidingThreads = 128;

// Sums of the columns of a lane's pixels, two in a word.
template <int C>
class LaneColumns {
  public:
    using Pixels = LanePixels<C>;
    static constexpr int kPixels = Pixels::kPixels, kWords = Pixels::kWords;

    __device__ __forceinline__ void add(const std::uint32_t (&come)[kWords]) {
#pragma unroll
        for (int i = 0; i < kWords; ++i) {
            m_even[i] += evenOf(come[i]);
            m_odd[i] += oddOf(come[i]);
        }
    }
    __device__ __forceinline__ void slide(const std::uint32_t (&come)[kWords],
                                          const std::uint32_t (&gone)[kWords]) {
#pragma unroll
        for (int i = 0; i < kWords; ++i) {
            m_even[i] += evenOf(come[i]) - evenOf(gone[i]);
            m_odd[i] += oddOf(come[i]) - oddOf(gone[i]);
        }
    }
    __device__ __forceinline__ std::uint32_t at(int pixel, int colour) const {
        const int byte = C == 1 ? pixel % 4 : colour;
        const std::uint32_t(&from)[kWords] = byte % 2 ? m_odd : m_even;
        const std::uint32_t two = from[pixel * C / 4];
        return byte < 2 ? two & 0xffffu : two >> 16;
    }

  private:
    static __device__ __forceinline__ std::uint32_t evenOf(std::uint32_t word) {
        return word & 0x00ff00ffu;
    }
    static __device__ __forceinline__ std::uint32_t oddOf(std::uint32_t word) {
        return __byte_perm(word, 0, 0x4341);
    }

    std::uint32_t m_even[kWords] = {}, m_odd[kWords] = {};
};

struct SlidingStrips {
    int radius;
    int rows;    // of a strip
    int before;  // threads at its left end that make nothing
    int after;
    FastDivide across;
    std::uint32_t begin, end;  // of a launch
};

// Output rows [first, last); strips are numbered along the rows, one a group of 32 kWarps threads.
// Blocks of a multiprocessor: else the assembler spills to fit one more.
template <int C, int kWarps, class Finish>
__global__ void __launch_bounds__(kSlidingThreads, C == 1 ? 7 : 6)
    slidingSumsKernel(DeviceImage in, DeviceImage out, int first, int last, SlidingStrips strips,
                      Finish finish) {
    using Pixels = LanePixels<C>;
    constexpr int kPixels = Pixels::kPixels, kColours = Pixels::kColours, kWords = Pixels::kWords;
    constexpr int kMembers = 32 * kWarps;
    constexpr unsigned kAll = 0xffffffffu;
    constexpr int kTurns = C == 1 ? 3 : 2, kFetched = 8;
    // [..][k][thread]: sums of the columns left of the thread's pixel k, from the strip's end on.
    // Rows take turns, so that the next one may be written while this one is read.
    __shared__ std::uint32_t leftOf[kTurns][kColours][kPixels][kSlidingThreads];
    __shared__ std::uint32_t ofWarps[kColours][kWarps];
    const std::uint32_t index =
        strips.begin + (blockIdx.x * kSlidingThreads + threadIdx.x) / kMembers;
    if (index >= strips.end) return;
    const int thread = int(threadIdx.x), member = thread % kMembers, lane = thread % 32;
    const std::uint32_t down = strips.across(index);
    const int strip = int(index - down * strips.across.divisor);
    const int made = kMembers - strips.before - strips.after;
    const int x = (strip * made + member - strips.before) * kPixels;
    const int lastX = in.size.width - 1, lastY = in.size.height - 1, radius = strips.radius;
    const int top = first + int(down) * strips.rows, bottom = min(top + strips.rows, last);
    const bool makes = member >= strips.before && member < kMembers - strips.after && x <= lastX;
    const Pixels pixels(x, lastX);
    const auto fetch = [&](int y, std::uint32_t(&words)[kWords]) {
        pixels.fetch(in.data + std::int64_t(min(max(y, 0), lastY)) * in.pitch, words);
    };
    // Where the columns up to the window's last one and those before its first are added up.
    const std::uint32_t* until[kPixels];
    const std::uint32_t* before[kPixels];
#pragma unroll
    for (int k = 0; k < kPixels; ++k) {
        const int end = k + radius + 1, start = k - radius;  // start may be negative
        const int behind = (radius + kPixels - 1 - k) / kPixels;
        until[k] = &leftOf[0][0][end % kPixels][thread + end / kPixels];
        before[k] = &leftOf[0][0][start + behind * kPixels][thread - behind];
    }

    // Rows are fetched kTurns before they are used: memory takes longer than a row does.
    std::uint32_t come[kTurns][kWords], gone[kTurns][kWords], centre[kTurns][kWords];
    const auto fetchFor = [&](int y, int turn) {
        fetch(y + radius, come[turn]);
        fetch(y - 1 - radius, gone[turn]);
        if constexpr (Finish::kNeedsCentre) fetch(y, centre[turn]);
    };
#pragma unroll
    for (int turn = 0; turn < kTurns; ++turn) fetchFor(top + turn, turn);
    LaneColumns<C> columns;
    for (int y = top - 1 - radius; y < top + radius; y += kFetched) {
        std::uint32_t words[kFetched][kWords];
#pragma unroll
        for (int k = 0; k < kFetched; ++k) fetch(y + k, words[k]);
#pragma unroll
        for (int k = 0; k < kFetched; ++k) {
            // No branch: the compiler would fetch behind it.
            const std::uint32_t counts = y + k < top + radius ? kAll : 0;
            pixels.mend(words[k]);
#pragma unroll
            for (int i = 0; i < kWords; ++i) words[k][i] &= counts;
            columns.add(words[k]);
        }
    }
    const auto make = [&](int y, int turn) {
        pixels.mend(come[turn]);
        pixels.mend(gone[turn]);
        columns.slide(come[turn], gone[turn]);
        std::uint32_t base[kColours];
#pragma unroll
        for (int c = 0; c < kColours; ++c) {
            std::uint32_t own = 0;
#pragma unroll
            for (int k = 0; k < kPixels; ++k) own += columns.at(k, c);
            std::uint32_t sum = own;
#pragma unroll
            for (int away = 1; away < 32; away *= 2) {
                const std::uint32_t other = __shfl_up_sync(kAll, sum, unsigned(away));
                if (lane >= away) sum += other;
            }
            base[c] = sum - own;
            if (kWarps > 1 && lane == 31) ofWarps[c][member / 32] = sum;
        }
        if constexpr (kWarps > 1) {
            __syncthreads();
#pragma unroll
            for (int c = 0; c < kColours; ++c)
#pragma unroll
                for (int warp = 0; warp + 1 < kWarps; ++warp)
                    if (warp < member / 32) base[c] += ofWarps[c][warp];
        }
#pragma unroll
        for (int c = 0; c < kColours; ++c)
#pragma unroll
            for (int k = 0; k < kPixels; ++k) {
                leftOf[turn][c][k][thread] = base[c];
                base[c] += columns.at(k, c);
            }
        if constexpr (kWarps > 1)
            __syncthreads();
        else
            __syncwarp();
        if (makes) {
            constexpr int kPlane = kPixels * int(kSlidingThreads);
            const int offset = turn * kColours * kPlane;
            std::uint32_t sums[kColours][kPixels];
#pragma unroll
            for (int c = 0; c < kColours; ++c)
#pragma unroll
                for (int k = 0; k < kPixels; ++k)
                    sums[c][k] = until[k][offset + c * kPlane] - before[k][offset + c * kPlane];
            // What lies beyond the row goes into its padding.
            finish(sums, centre[turn],
                   out.data + std::int64_t(y) * out.pitch + std::int64_t(x) * C);
        }
    };
    for (int y = top; y < bottom; y += kTurns) {
#pragma unroll
        for (int turn = 0; turn < kTurns; ++turn) {
            if (y + turn >= bottom) return;
            make(y + turn, turn);
            fetchFor(y + turn + kTurns, turn);
        }
    }
}

template <int C, int kWarps, class Finish>
void forSlidingStrips(KernelContext& context, const char* name, int radius, const DeviceImage& in,
                      const DeviceImage& out, const Finish& finish) {
    constexpr int kPixels = LanePixels<C>::kPixels, kMembers = 32 * kWarps;
    const int width = in.size.width, height = in.size.height;
    SlidingStrips strips{};
    strips.radius = radius;
    strips.before = stripThreadsBefore(radius, kPixels);
    strips.after = stripThreadsAfter(radius, kPixels);
    strips.across = FastDivide(std::uint32_t(stripsAcross(width, radius, kMembers, kPixels)));
    // A strip adds up 2 radius + 1 rows before its first: as high as leaves every multiprocessor
    // enough warps, and not so high that the last strips run alone.
    constexpr int kWarpsEach = 16, kMostRows = 32;
    const int leastRows = std::clamp(radius / 3, 2, 8);
    const std::int64_t warps = std::int64_t(strips.across.divisor) * kWarps;
    const std::uint32_t across = strips.across.divisor;
    const StripsCost cost =
        slidingCost(std::int64_t(across) * kMembers * kPixels, C, in.pitch * 4 + out.pitch, radius);
    strips.rows = std::min(int(std::clamp<std::int64_t>(
                               height * warps / (context.traits().multiprocessors * kWarpsEach),
                               leastRows, std::max(kMostRows, radius))),
                           cost.mostRows(limitsOf(context)));
    const LaunchCut cut = cutRows(limitsOf(context), cost.ofStrips(strips.rows, across));
    forEachPiece(context, height, cut, across, [&](int first, int last, int piece) {
        const BlockRange range(cut, piece,
                               across * divideUp(unsigned(last - first), unsigned(strips.rows)));
        strips.begin = range.first;
        strips.end = range.first + range.count;
        launch(context, name, divideUp(std::uint64_t(range.count) * kMembers, kSlidingThreads),
               kSlidingThreads, 0, slidingSumsKernel<C, kWarps, Finish>, in, out, first, last,
               strips, finish);
    });
}

// Calls finish(sums[colour][pixel], words of the pixels, place of them in out) for kPixels pixels
// of a row at a time, on the device. Finish::kNeedsCentre: whether the words are wanted. Up to
// kMostSlidingRadius.
template <int C, class Finish>
void forSlidingSums(KernelContext& context, const char* name, int radius, const DeviceImage& in,
                    const DeviceImage& out, const Finish& finish) {
    // Up to this a warp by itself uses most of its columns.
    constexpr int kMostOfWarp = C == 1 ? 32 : 16;
    radius <= kMostOfWarp ? forSlidingStrips<C, 1>(context, name, radius, in, out, finish)
                          : forSlidingStrips<C, 4>(context, name, radius, in, out, finish);
}

}  // namespace warpscope::cuda
