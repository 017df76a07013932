// A warp makes a strip of the image. Down its columns, for as many rows as a window has: first the
// extremes from each row down to the last one that all windows share, from below, kept in shared
// memory by the lane that made them; then those of the rows that follow. Along a row lanes exchange
// extremes over 2, 4, 8, ... pixels, of which two make up a window; the first and the last lanes
// are there for that alone. Repeated edges change nothing: they lie in the window themselves.
//
// Two samples are compared at a time, in the upper bytes of the halves of a word. What the lower
// ones hold decides only between equal ones. Of large images small squares are made by
// square_tiles.cu.
#include "cuda_kernels/morphology/square.cuh"

#include <algorithm>

#include "cuda_kernels/morphology/square_tiles.cuh"
#include "cuda_kernels/morphology/window_costs.h"
#include "cuda_kernels/runtime/lane_pixels.cuh"
#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/runtime/sample_loads.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 64;
constexpr unsigned kAll = 0xffffffffu;

template <bool kMost>
__device__ __forceinline__ std::uint32_t best(std::uint32_t a, std::uint32_t b) {
    return kMost ? __vmaxu2(a, b) : __vminu2(a, b);
}

// Of the pixels of a lane.
template <int C, bool kMost>
class LaneExtremes {
  public:
    static constexpr int kPixels = LanePixels<C>::kPixels, kWords = LanePixels<C>::kWords;
    using Words = std::uint32_t[kWords];

    __device__ __forceinline__ LaneExtremes() {
#pragma unroll
        for (int i = 0; i < kWords; ++i) m_even[i] = m_odd[i] = kMost ? 0 : kAll;
    }
    __device__ __forceinline__ void take(const Words& words) {
#pragma unroll
        for (int i = 0; i < kWords; ++i) {
            m_even[i] = best<kMost>(m_even[i], words[i] << 8);
            m_odd[i] = best<kMost>(m_odd[i], words[i]);
        }
    }
    __device__ __forceinline__ void get(Words& words) const {
#pragma unroll
        for (int i = 0; i < kWords; ++i) words[i] = word(i);
    }

    // From those of a column to those of the square.
    __device__ __forceinline__ void widen(int radius) {
        const int side = 2 * radius + 1;
        int length = 1;
        for (; 2 * length <= side; length *= 2) {
            if constexpr (C == 1)
                doubleGray(length);
            else
                doubleColour(length);
        }
        Words words, left, right;
        get(words);
        fetchLeft(words, radius, left);
        fetchLeft(words, length - 1 - radius, right);
#pragma unroll
        for (int i = 0; i < kWords; ++i) {
            m_even[i] = best<kMost>(left[i] << 8, right[i] << 8);
            m_odd[i] = best<kMost>(left[i], right[i]);
        }
    }

  private:
    __device__ __forceinline__ std::uint32_t word(int i) const {
        return __byte_perm(m_even[i], m_odd[i], 0x7351);
    }

    // From extremes over `length` pixels from each one on to those over twice as many.
    __device__ __forceinline__ void doubleGray(int length) {
        const auto next = [](std::uint32_t value, int lanes) {
            return __shfl_down_sync(kAll, value, unsigned(lanes));
        };
        // Of the halves of two words those in the middle.
        const auto across = [](std::uint32_t a, std::uint32_t b) {
            return __byte_perm(a, b, 0x5432);
        };
        std::uint32_t even[2], odd[2];  // `length` pixels on
        if (length == 1) {
            const std::uint32_t beyond = next(m_even[0], 1);
            even[0] = m_odd[0];
            even[1] = m_odd[1];
            odd[0] = across(m_even[0], m_even[1]);
            odd[1] = across(m_even[1], beyond);
        } else if (length == 2) {
            even[0] = across(m_even[0], m_even[1]);
            even[1] = across(m_even[1], next(m_even[0], 1));
            odd[0] = across(m_odd[0], m_odd[1]);
            odd[1] = across(m_odd[1], next(m_odd[0], 1));
        } else if (length == 4) {
            even[0] = m_even[1];
            even[1] = next(m_even[0], 1);
            odd[0] = m_odd[1];
            odd[1] = next(m_odd[0], 1);
        } else {
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                even[i] = next(m_even[i], length / 8);
                odd[i] = next(m_odd[i], length / 8);
            }
        }
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            m_even[i] = best<kMost>(m_even[i], even[i]);
            m_odd[i] = best<kMost>(m_odd[i], odd[i]);
        }
    }
    __device__ __forceinline__ void doubleColour(int length) {
        const auto takeWord = [&](int i, std::uint32_t given) {
            m_even[i] = best<kMost>(m_even[i], given << 8);
            m_odd[i] = best<kMost>(m_odd[i], given);
        };
        const auto takeOwn = [&](int i, int from) {
            m_even[i] = best<kMost>(m_even[i], m_even[from]);
            m_odd[i] = best<kMost>(m_odd[i], m_odd[from]);
        };
        if (length == 1) {
            const std::uint32_t beyond = __shfl_down_sync(kAll, word(0), 1);
#pragma unroll
            for (int i = 0; i < 3; ++i) takeOwn(i, i + 1);
            takeWord(3, beyond);
        } else if (length == 2) {
            const std::uint32_t beyond[2] = {__shfl_down_sync(kAll, word(0), 1),
                                             __shfl_down_sync(kAll, word(1), 1)};
            takeOwn(0, 2);
            takeOwn(1, 3);
            takeWord(2, beyond[0]);
            takeWord(3, beyond[1]);
        } else {
#pragma unroll
            for (int i = 0; i < kWords; ++i)
                takeWord(i, __shfl_down_sync(kAll, word(i), unsigned(length / 4)));
        }
    }

    // The pixels that lie `away` left of the lane's.
    static __device__ __forceinline__ void fetchLeft(const Words& words, int away, Words& found) {
        const int lanes = away / kPixels, rest = away % kPixels;
        if constexpr (C == 1) {
            std::uint32_t row[4];  // of both lanes
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                row[i] = __shfl_up_sync(kAll, words[i], unsigned(lanes + 1));
                row[2 + i] = __shfl_up_sync(kAll, words[i], unsigned(lanes));
            }
            const int start = kPixels - rest;  // byte of them, 1 to 8
            const std::uint32_t first = start == 8 ? row[2] : start >= 4 ? row[1] : row[0];
            const std::uint32_t second = start == 8 ? row[3] : start >= 4 ? row[2] : row[1];
            const std::uint32_t third = start >= 4 ? row[3] : row[2];
            const unsigned bits = unsigned(start % 4) * 8;
            found[0] = __funnelshift_r(first, second, bits);
            found[1] = __funnelshift_r(second, third, bits);
        } else {
            std::uint32_t moved[4];
#pragma unroll
            for (int i = 0; i < 4; ++i)
                moved[i] = __shfl_up_sync(kAll, words[i], unsigned(lanes + (i + rest >= 4)));
            // Pixel i is now word (i - rest) % 4.
            std::uint32_t turned[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) turned[i] = rest & 1 ? moved[(i + 3) % 4] : moved[i];
#pragma unroll
            for (int i = 0; i < 4; ++i) found[i] = rest & 2 ? turned[(i + 2) % 4] : turned[i];
        }
    }

    std::uint32_t m_even[kWords], m_odd[kWords];
};

struct SquareStrips {
    int radius;
    int rows;   // of a strip
    int spare;  // lanes at each end of a warp that make nothing
    FastDivide across;
    std::uint32_t begin, end;  // of a launch
};

// Extremes down a column, of one kind.
template <int C, bool kMost>
class ColumnExtremes {
  public:
    using Extremes = LaneExtremes<C, kMost>;
    using Words = typename Extremes::Words;
    static constexpr int kBytes = 4 * Extremes::kWords;  // a thread and row

    // `kept`: room for the rows of a window.
    __device__ __forceinline__ explicit ColumnExtremes(std::byte* kept)
        : m_kept(kept + threadIdx.x * unsigned(kBytes)) {}

    __device__ __forceinline__ void begin() { m_running = {}; }
    __device__ __forceinline__ void take(const Words& words) { m_running.take(words); }
    __device__ __forceinline__ void keep(int row) const {
        Words words;
        m_running.get(words);
        storeWords<kBytes>(at(row), words);
    }
    // Of the square around row `row`.
    __device__ __forceinline__ void square(int row, int radius, Words& words) const {
        loadWords<kBytes>(at(row), words);
        Extremes all = m_running;
        all.take(words);
        all.widen(radius);
        all.get(words);
    }

  private:
    __device__ __forceinline__ std::byte* at(int row) const {
        return m_kept + row * int(kThreads) * kBytes;
    }

    std::byte* m_kept;
    Extremes m_running;
};

// Output rows [first, last); warps are numbered along the rows. Eight blocks: else the assembler
// spills to fit more, which shared memory does not allow.
template <int C, SquareOf kWhat>
__global__ void __launch_bounds__(kThreads, 8)
    squareKernel(DeviceImage in, DeviceImage out, int first, int last, SquareStrips strips) {
    using Pixels = LanePixels<C>;
    constexpr int kPixels = Pixels::kPixels, kWords = Pixels::kWords;
    constexpr bool kBoth = kWhat == SquareOf::Difference;
    extern __shared__ __align__(16) unsigned char sharedBytes[];
    const std::uint32_t index = strips.begin + (blockIdx.x * kThreads + threadIdx.x) / 32;
    if (index >= strips.end) return;
    const int lane = int(threadIdx.x % 32), radius = strips.radius, side = 2 * radius + 1;
    const std::uint32_t down = strips.across(index);
    const int strip = int(index - down * strips.across.divisor);
    const int x = (strip * (32 - 2 * strips.spare) + lane - strips.spare) * kPixels;
    const int top = first + int(down) * strips.rows, bottom = min(top + strips.rows, last);
    const int lastX = in.size.width - 1, lastY = in.size.height - 1;
    const bool makes = lane >= strips.spare && lane < 32 - strips.spare && x <= lastX;
    const Pixels pixels(x, lastX);
    const auto fetch = [&](int y, std::uint32_t(&words)[kWords]) {
        pixels.fetch(in.data + std::int64_t(min(max(y, 0), lastY)) * in.pitch, words);
    };
    // Rows are fetched kTurns before they are used: memory takes longer than a row does.
    constexpr int kTurns = C == 1 ? 3 : 2, kFetched = C == 1 ? 8 : 4;
    // The first row may come again, and all are kept: a branch would have the compiler fetch behind
    // it.
    const auto rowOf = [](int end, int k) { return max(end - 1 - k, 0); };
    auto* const room = reinterpret_cast<std::byte*>(sharedBytes);
    ColumnExtremes<C, kWhat != SquareOf::Least> extremes(room);
    ColumnExtremes<C, false> least(room + std::int64_t(side) * kThreads * 4 * kWords);

    for (int start = top; start < bottom; start += side) {
        const int made = min(side, bottom - start);
        extremes.begin();
        if constexpr (kBoth) least.begin();
        for (int end = side; end > 0; end -= kFetched) {
            std::uint32_t words[kFetched][kWords];
#pragma unroll
            for (int k = 0; k < kFetched; ++k) fetch(start + rowOf(end, k) - radius, words[k]);
#pragma unroll
            for (int k = 0; k < kFetched; ++k) {
                pixels.mend(words[k]);
                extremes.take(words[k]);
                if constexpr (kBoth) least.take(words[k]);
                extremes.keep(rowOf(end, k));
                if constexpr (kBoth) least.keep(rowOf(end, k));
            }
        }
        extremes.begin();
        if constexpr (kBoth) least.begin();
        std::uint32_t come[kTurns][kWords], centre[kTurns][kWords];
        const auto fetchFor = [&](int j, int turn) {
            fetch(start + j + radius + 1, come[turn]);
            if constexpr (C == 4) fetch(start + j, centre[turn]);
        };
        const auto make = [&](int j, int turn) {
            std::uint32_t result[kWords];
            extremes.square(j, radius, result);
            pixels.mend(come[turn]);
            extremes.take(come[turn]);
            if constexpr (kBoth) {
                std::uint32_t smallest[kWords];
                least.square(j, radius, smallest);
                least.take(come[turn]);
                // No byte is below the one that is taken from it.
#pragma unroll
                for (int i = 0; i < kWords; ++i) result[i] -= smallest[i];
            }
            if constexpr (C == 4) {
#pragma unroll
                for (int i = 0; i < kWords; ++i)
                    result[i] = (result[i] & 0x00ffffffu) | (centre[turn][i] & 0xff000000u);
            }
            // What lies beyond the row goes into its padding.
            if (makes)
                storeWords<4 * kWords>(
                    out.data + std::int64_t(start + j) * out.pitch + std::int64_t(x) * C, result);
        };
#pragma unroll
        for (int turn = 0; turn < kTurns; ++turn) fetchFor(turn, turn);
        for (int j = 0; j < made; j += kTurns) {
#pragma unroll
            for (int turn = 0; turn < kTurns; ++turn) {
                if (j + turn >= made) break;
                make(j + turn, turn);
                fetchFor(j + turn + kTurns, turn);
            }
        }
    }
}

// Lanes at each end of a warp that are there for their columns.
template <int C>
constexpr int spareLanes(int radius) {
    return squareSpareLanes(radius, LanePixels<C>::kPixels);
}

std::size_t sharedBytesOf(bool colour, int radius, SquareOf what) {
    return std::size_t(2 * radius + 1) * kThreads * (colour ? 16 : 8) *
           (what == SquareOf::Difference ? 2 : 1);
}

template <int C, SquareOf kWhat>
void runFor(KernelContext& context, int radius, const DeviceImage& in, const DeviceImage& out) {
    constexpr int kPixels = LanePixels<C>::kPixels;
    const int height = in.size.height, side = 2 * radius + 1;
    SquareStrips strips{};
    strips.radius = radius;
    strips.spare = spareLanes<C>(radius);
    strips.across = FastDivide(std::uint32_t(squareStripsAcross(in.size.width, radius, kPixels)));
    // A window's rows at a time or some windows'; fewer leave small images more warps.
    constexpr int kWarpsEach = 8, kLeastRows = 4, kUsualRows = 16;
    const int wanted =
        int(std::clamp<std::int64_t>(std::int64_t(height) * strips.across.divisor /
                                         (context.traits().multiprocessors * kWarpsEach),
                                     kLeastRows, std::max(side, kUsualRows)));
    const std::uint32_t across = strips.across.divisor;
    const StripsCost cost =
        squareStripsCost(std::int64_t(across) * 32 * kPixels, C, in.pitch * 4 + out.pitch, radius,
                         kWhat == SquareOf::Difference);
    strips.rows =
        std::min(wanted >= side ? wanted / side * side : wanted, cost.mostRows(limitsOf(context)));
    const LaunchCut cut = cutRows(limitsOf(context), cost.ofStrips(strips.rows, across));
    forEachPiece(context, height, cut, across, [&](int first, int last, int piece) {
        const BlockRange range(cut, piece,
                               across * divideUp(unsigned(last - first), unsigned(strips.rows)));
        strips.begin = range.first;
        strips.end = range.first + range.count;
        launch(context, "morphology square", divideUp(std::uint64_t(range.count) * 32, kThreads),
               kThreads, sharedBytesOf(C == 4, radius, kWhat), squareKernel<C, kWhat>, in, out,
               first, last, strips);
    });
}

}  // namespace

bool fitsSquare(const KernelContext& context, PixelFormat format, int radius, SquareOf what) {
    if (isFloat(format) || bytesPerSample(format) != 1) return false;
    const int spare = isColor(format) ? spareLanes<4>(radius) : spareLanes<1>(radius);
    // Half of a multiprocessor's shared memory at most, and half of a warp.
    return spare <= 6 &&
           sharedBytesOf(isColor(format), radius, what) <= context.traits().sharedPerBlock / 2;
}

void runSquare(KernelContext& context, int radius, SquareOf what, const DeviceImage& in,
               const DeviceImage& out) {
    if (fitsSquareTiles(context, in.format, radius, what, in.size))
        return runSquareTiles(context, radius, what, in, out);
    forSquareOf(what, [&]<SquareOf kWhat>() {
        isColor(in.format) ? runFor<4, kWhat>(context, radius, in, out)
                           : runFor<1, kWhat>(context, radius, in, out);
    });
}

}  // namespace warpscope::cuda
