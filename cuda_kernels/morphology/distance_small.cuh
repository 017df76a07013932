// Distances to the nearest zero pixel where the sides are short enough: 16 bits a pixel within
// columns, a row in shared memory, squares in 32 bits.
#pragma once

#include <type_traits>

#include "cuda_kernels/edges/luma_tile.cuh"
#include "cuda_kernels/runtime/kernel_support.cuh"
#include "cuda_kernels/runtime/sample_loads.cuh"
#include "engine/operations/morphology/distance_transform.h"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kWarps = kThreads / 32;
// The rows of a column that are put together by the zero pixels at their ends.
constexpr int kPieceRows = 64;
constexpr std::uint32_t kNone = 0xffffffffu;

constexpr int kSmallSide = 16384;
// A column without a zero pixel: its square is more than any distance within such an image, and
// leaves room for one more square in 31 bits.
constexpr std::uint32_t kFarInSmall = 23171;
static_assert(2ull * kSmallSide * kSmallSide < std::uint64_t(kFarInSmall) * kFarInSmall);
// Rows whose columns fit into shared memory by 32 bits each.
constexpr int kSquaresSide = 11776;

// A block's pieces and columns: `Columns` columns by four parts of a piece. Blocks are numbered
// along the pieces.
constexpr int kParts = 4;
constexpr int kPartRows = kPieceRows / kParts;
template <int PerThread>
struct PartPlace {
    static constexpr int kColumns = int(kThreads) / kParts * PerThread;
    int left, piece, part, x, top;

    __device__ PartPlace(int firstPiece, FastDivide blocksAcross) {
        const std::uint32_t down = blocksAcross(blockIdx.x);
        left = int(blockIdx.x - down * blocksAcross.divisor) * kColumns;
        piece = firstPiece + int(down);
        part = int(threadIdx.x) / (int(kThreads) / kParts);
        x = left + int(threadIdx.x) % (int(kThreads) / kParts) * PerThread;
        top = piece * kPieceRows + part * kPartRows;
    }
};

// Of each piece of each column: which pixels are zero; the last zero row above the piece and the
// first one below it.
struct PieceZeros {
    unsigned long long* masks;
    std::uint32_t* above;
    std::uint32_t* below;
};

// Which of a group's pixels are zero: the lowest bit of a byte each.
template <class T, int C, int N>
__device__ __forceinline__ std::uint32_t zerosOf(const std::uint32_t (&words)[N]) {
    if constexpr (C == 1 && sizeof(T) == 1) {
        // The highest bit of a byte is set unless all of it are zero.
        const std::uint32_t some = ((words[0] & 0x7f7f7f7fu) + 0x7f7f7f7fu) | words[0];
        return ~some >> 7 & 0x01010101u;
    } else {
        alignas(16) T samples[kGroup];
        if constexpr (C == 1) {
#pragma unroll
            for (int k = 0; k < kGroup; ++k) {
                if constexpr (std::is_floating_point_v<T>)
                    samples[k] = __uint_as_float(words[k]);
                else
                    samples[k] = T(sampleOf<T>(words, k));
            }
        } else {
            storeLuma<T, C>(words, samples);
        }
        std::uint32_t zeros = 0;
#pragma unroll
        for (int k = 0; k < kGroup; ++k)
            if (samples[k] == T(0)) zeros |= 1u << (8 * k);
        return zeros;
    }
}

// A thread loads a group of 16 rows.
template <class T, int C>
__global__ void __launch_bounds__(kThreads)
    maskZerosKernel(DeviceImage in, int firstPiece, FastDivide blocksAcross, PieceZeros zeros) {
    constexpr int kBytes = kGroup * C * int(sizeof(T));
    // On their way at once, as far as registers allow.
    constexpr int kAtOnce = kBytes <= 4 ? 16 : kBytes <= 16 ? 4 : kBytes <= 32 ? 2 : 1;
    using Place = PartPlace<kGroup>;
    __shared__ unsigned long long parts[kParts][Place::kColumns / kGroup];
    const Place at(firstPiece, blocksAcross);
    std::uint32_t bits[2] = {};  // of the first and the last eight rows, a byte a column
    const int rows = in.size.height - at.top;
    if (at.x < in.size.width && rows > 0) {
        const std::byte* from =
            in.data + std::int64_t(at.top) * in.pitch + std::int64_t(at.x) * (C * int(sizeof(T)));
#pragma unroll
        for (int begin = 0; begin < kPartRows; begin += kAtOnce) {
            std::uint32_t words[kAtOnce][kBytes / 4];
#pragma unroll
            for (int i = 0; i < kAtOnce; ++i)
                loadWords<kBytes>(from + min(begin + i, rows - 1) * in.pitch, words[i]);
#pragma unroll
            for (int i = 0; i < kAtOnce; ++i) {
                const int row = begin + i;
                bits[row / 8] |= row < rows ? zerosOf<T, C>(words[i]) << (row % 8) : 0;
            }
        }
    }
    const std::uint32_t low = __byte_perm(bits[0], bits[1], 0x5140);
    const std::uint32_t high = __byte_perm(bits[0], bits[1], 0x7362);
    parts[at.part][threadIdx.x % (kThreads / kParts)] = std::uint64_t(high) << 32 | low;
    __syncthreads();
    const int x = at.left + int(threadIdx.x);
    if (x >= in.size.width) return;
    const auto* of = reinterpret_cast<const std::uint16_t*>(parts);
    unsigned long long mask = 0;
#pragma unroll
    for (int part = 0; part < kParts; ++part)
        mask |= static_cast<unsigned long long>(of[part * Place::kColumns + int(threadIdx.x)])
                << (part * kPartRows);
    zeros.masks[std::int64_t(at.piece) * in.size.width + x] = mask;
}

// A thread a column, from above or, in the second half of the blocks, from below.
__global__ void __launch_bounds__(kThreads)
    nearestZerosKernel(int width, int pieces, unsigned blocksAcross,
                       const unsigned long long* __restrict__ masks, PieceZeros zeros) {
    const bool fromBelow = blockIdx.x >= blocksAcross;
    const int x = int((blockIdx.x - (fromBelow ? blocksAcross : 0)) * blockDim.x + threadIdx.x);
    if (x >= width) return;
    std::uint32_t carried = kNone;
#pragma unroll 8
    for (int i = 0; i < pieces; ++i) {
        const int piece = fromBelow ? pieces - 1 - i : i;
        const std::int64_t end = std::int64_t(piece) * width + x;
        const unsigned long long mask = masks[end];
        (fromBelow ? zeros.below : zeros.above)[end] = carried;
        if (mask == 0) continue;
        const int bit = fromBelow ? __ffsll(static_cast<long long>(mask)) - 1
                                  : 63 - __clzll(static_cast<long long>(mask));
        carried = std::uint32_t(piece * kPieceRows + bit);
    }
}

// Distances to the nearest zero pixel of its column above and below a part of one.
struct PartEnds {
    std::uint32_t bits;   // of the part's rows
    std::uint32_t above;  // from the row above the part
    std::uint32_t below;  // from the row below it

    __device__ PartEnds(const PieceZeros& zeros, std::int64_t end, int piece, int part) {
        const unsigned long long mask = zeros.masks[end];
        const std::uint32_t up = zeros.above[end], down = zeros.below[end];
        const int start = part * kPartRows;
        const int top = piece * kPieceRows + start;
        const unsigned long long before = mask & ((1ull << start) - 1);
        const unsigned long long after = (mask >> start) >> kPartRows;
        bits = std::uint32_t(mask >> start) & ((1u << kPartRows) - 1);
        above = before        ? std::uint32_t(start - 64 + __clzll(static_cast<long long>(before)))
                : up == kNone ? kFarInSmall
                              : std::uint32_t(top - 1) - up;
        below = after           ? std::uint32_t(__ffsll(static_cast<long long>(after)) - 1)
                : down == kNone ? kFarInSmall
                                : down - std::uint32_t(top + kPartRows);
    }
    __device__ static PartEnds outside() { return {}; }

  private:
    __device__ PartEnds() : bits(0), above(kFarInSmall), below(kFarInSmall) {}
};

// Rows of the distances begin at multiples of `pitch`, a multiple of 8. A thread makes 16 rows of
// two columns.
__global__ void __launch_bounds__(kThreads)
    smallColumnsKernel(Size size, int firstPiece, FastDivide blocksAcross, PieceZeros zeros,
                       std::uint16_t* distances, int pitch) {
    const PartPlace<2> at(firstPiece, blocksAcross);
    if (at.x >= size.width || at.top >= size.height) return;
    const std::int64_t end = std::int64_t(at.piece) * size.width + at.x;
    const PartEnds ends[2] = {
        PartEnds(zeros, end, at.piece, at.part),
        at.x + 1 < size.width ? PartEnds(zeros, end + 1, at.piece, at.part) : PartEnds::outside()};
    const auto next = [&](std::uint32_t distance, int column, int row) {
        return ends[column].bits >> row & 1u ? 0 : min(distance + 1, kFarInSmall);
    };
    std::uint32_t fromAbove[kPartRows];
    std::uint32_t first = ends[0].above, second = ends[1].above;
#pragma unroll
    for (int row = 0; row < kPartRows; ++row) {
        first = next(first, 0, row);
        second = next(second, 1, row);
        fromAbove[row] = second << 16 | first;
    }
    first = ends[0].below;
    second = ends[1].below;
    auto* to = reinterpret_cast<std::uint32_t*>(distances + std::int64_t(at.top) * pitch + at.x);
#pragma unroll
    for (int row = kPartRows - 1; row >= 0; --row) {
        first = next(first, 0, row);
        second = next(second, 1, row);
        if (at.top + row < size.height)
            to[row * (pitch / 2)] =
                min(fromAbove[row] >> 16, second) << 16 | min(fromAbove[row] & 0xffffu, first);
    }
}

__device__ __forceinline__ std::uint32_t leastOfWarp(std::uint32_t value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(0xffffffffu, value);
#else
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        value = min(value, __shfl_xor_sync(0xffffffffu, value, step));
    return value;
#endif
}

// What of a row's columns is in shared memory, of column u whose own distance is d: d, or u^2 +
// d^2, which needs one product less for each pixel that looks at it: (x - u)^2 + d^2 is x^2 - 2 x u
// more. All sums are below 2^31, with kFarInSmall, too.
struct RowOfDistances {
    using Word = std::uint16_t;
    __device__ static Word word(int, std::uint32_t distance) { return Word(distance); }
    __device__ static int own(const Word* row, int x) { return row[x]; }
    __device__ static int squaredLessX(Word word, int u, int x) {
        return u * u - 2 * x * u + int(word) * int(word);
    }
};
struct RowOfSquares {
    using Word = std::int32_t;
    __device__ static Word word(int u, std::uint32_t distance) {
        return u * u + int(distance * distance);
    }
    // The nearest integer of a root that is less than 0.01 from it.
    __device__ static int own(const Word* row, int x) {
        return __float2int_rn(__fsqrt_rn(float(row[x] - x * x)));
    }
    __device__ static int squaredLessX(Word word, int u, int x) { return word - 2 * x * u; }
};

// The leftmost nearest column of x, which is in [low, high]. The whole warp.
template <class Row>
__device__ __forceinline__ int nearestOf(const typename Row::Word* row, int x, int low, int high) {
    // Nothing further away than what is in its own column is nearer.
    const int own = Row::own(row, x);
    low = max(low, x - own);
    high = min(high, x + own);
    int least = 0x7fffffff, column = low;
    for (int u = low + int(threadIdx.x % 32); u <= high; u += 32) {
        const int squared = Row::squaredLessX(row[u], u, x);
        if (squared < least) {
            least = squared;
            column = u;
        }
    }
    // Lanes without a column have the largest; the order of what may be negative is kept.
    const std::uint32_t ordered = std::uint32_t(least) ^ 0x80000000u;
    const std::uint32_t all = leastOfWarp(ordered);
    return int(leastOfWarp(ordered == all ? std::uint32_t(column) : ~0u));
}

// Of the columns [low, high] at least and of few more: what they add to x^2.
__device__ __forceinline__ int leastBetween(const std::int32_t* row, int low, int high, int x) {
    const auto* fours = reinterpret_cast<const int4*>(row);
    int least = 0x7fffffff;
    const int step = -2 * x;
#pragma unroll 2
    for (int four = low / 4; four <= high / 4; ++four) {
        const int4 words = fours[four];
        const int from = 4 * four * step;
        least = min(least, from + words.x);
        least = min(least, from + words.y + step);
        least = min(least, from + words.z + 2 * step);
        least = min(least, from + words.w + 3 * step);
    }
    return least;
}
__device__ __forceinline__ int leastBetween(const std::uint16_t* row, int low, int high, int x) {
    int least = 0x7fffffff;
#pragma unroll 4
    for (int u = low; u <= high; ++u)
        least = min(least, RowOfDistances::squaredLessX(row[u], u, x));
    return least;
}

// A block a row. The nearest columns of every 32nd pixel: first those of kWarps of them and of the
// row's last pixel, then of those in the middle between two that are known, which bound them.
template <class Row>
__global__ void __launch_bounds__(kThreads)
    smallRowsKernel(const std::uint16_t* distances, int pitch, DeviceImage out, int first,
                    bool squaredWanted, std::uint32_t reduction) {
    extern __shared__ uint4 sharedWords[];
    auto* row = reinterpret_cast<typename Row::Word*>(sharedWords);
    // Of the first pixel of each group, and of the last pixel.
    auto* nearest = reinterpret_cast<std::uint16_t*>(row + pitch);
    const int width = out.size.width, y = first + int(blockIdx.x);
    const int groups = (width + 31) / 32;
    const int warp = int(threadIdx.x / 32), lane = int(threadIdx.x % 32);
    const auto* from = reinterpret_cast<const uint2*>(distances + std::int64_t(y) * pitch);
    for (int i = int(threadIdx.x); i < pitch / 4; i += int(kThreads)) {
        const uint2 four = from[i];
        alignas(16) typename Row::Word words[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const std::uint32_t pair = k < 2 ? four.x : four.y;
            // Beyond the row's end nothing is near, whatever was never written there.
            const std::uint32_t distance =
                4 * i + k < width ? (k % 2 ? pair >> 16 : pair & 0xffffu) : kFarInSmall;
            words[k] = Row::word(4 * i + k, distance);
        }
        if constexpr (sizeof(typename Row::Word) == 4)
            reinterpret_cast<uint4*>(row)[i] = *reinterpret_cast<const uint4*>(words);
        else
            reinterpret_cast<uint2*>(row)[i] = *reinterpret_cast<const uint2*>(words);
    }
    __syncthreads();
    int step = 1;
    while (step * int(kWarps) < groups) step *= 2;
    for (int i = warp; i <= int(kWarps); i += int(kWarps)) {
        const int group = i < int(kWarps) ? i * step : groups;
        if (group > groups || (group == groups && i < int(kWarps))) continue;
        const int found = nearestOf<Row>(row, min(group * 32, width - 1), 0, width - 1);
        if (lane == 0) nearest[group] = std::uint16_t(found);
    }
    __syncthreads();
    for (step /= 2; step > 0; step /= 2) {
        for (int group = step * (2 * warp + 1); group < groups; group += 2 * step * int(kWarps)) {
            const int found = nearestOf<Row>(row, group * 32, nearest[group - step],
                                             nearest[min(group + step, groups)]);
            if (lane == 0) nearest[group] = std::uint16_t(found);
        }
        __syncthreads();
    }
    auto* to = reinterpret_cast<std::uint32_t*>(out.data + std::int64_t(y) * out.pitch);
    for (int group = warp; group < groups; group += int(kWarps)) {
        const int x = group * 32 + lane;
        const auto least =
            std::uint32_t(x * x + leastBetween(row, nearest[group], nearest[group + 1], x));
        if (x >= width) continue;
        if (least >= kFarInSmall * kFarInSmall) {
            // The largest finite float has these bits.
            to[x] = squaredWanted ? kNoSquaredDistance : 0x7f7fffffu;
            continue;
        }
        const std::uint64_t whole = std::uint64_t(least) * (std::uint64_t(reduction) * reduction);
        if (squaredWanted)
            to[x] = std::uint32_t(min(whole, std::uint64_t(kNoSquaredDistance)));
        else if (whole < 1u << 24)  // exact in float, and so is the rounding of its root
            to[x] = __float_as_uint(__fsqrt_rn(__uint2float_rn(std::uint32_t(whole))));
        else
            to[x] = __float_as_uint(__double2float_rn(__dsqrt_rn(__ull2double_rn(whole))));
    }
}

template <class T, int C>
void smallDistanceTransform(KernelContext& context, const DistanceTransformPlan& plan,
                            const DeviceImage& in, const DeviceImage& out) {
    const int width = in.size.width, height = in.size.height;
    const int pieces = int(divideUp(unsigned(height), kPieceRows));
    const int pitch = int(divideUp(unsigned(width), 8)) * 8;
    const std::size_t ends = std::size_t(pieces) * unsigned(width);
    const DeviceMemory distanceMemory =
        context.allocate(std::size_t(pitch) * unsigned(height) * sizeof(std::uint16_t));
    const DeviceMemory zeroMemory = context.allocate(ends * 16);
    auto* distances = distanceMemory.as<std::uint16_t>();
    auto* masks = zeroMemory.as<unsigned long long>();
    auto* above = reinterpret_cast<std::uint32_t*>(masks + ends);
    const PieceZeros zeros{masks, above, above + ends};

    const std::uint32_t groupBlocks = divideUp(unsigned(width), PartPlace<kGroup>::kColumns);
    const std::uint32_t pairBlocks = divideUp(unsigned(width), PartPlace<2>::kColumns);
    const FastDivide groupsAcross(groupBlocks), pairsAcross(pairBlocks);
    const int bandPieces =
        context.rowsPerLaunch(kPieceRows * (in.pitch + std::int64_t(width) * 2),
                              std::int64_t(pairBlocks) * PartPlace<2>::kColumns * kPieceRows * 8);
    context.forEachBand(pieces, bandPieces, [&](int first, int last) {
        launch(context, "zeros of columns", groupBlocks * unsigned(last - first), kThreads, 0,
               maskZerosKernel<T, C>, in, first, groupsAcross, zeros);
    });
    constexpr unsigned kColumnThreads = 64;
    const unsigned across = divideUp(unsigned(width), kColumnThreads);
    const unsigned long long* made = masks;
    launch(context, "nearest zeros of columns", 2 * across, kColumnThreads, 0, nearestZerosKernel,
           width, pieces, across, made, zeros);
    context.forEachBand(pieces, bandPieces, [&](int first, int last) {
        launch(context, "distances in columns", pairBlocks * unsigned(last - first), kThreads, 0,
               smallColumnsKernel, in.size, first, pairsAcross, zeros, distances, pitch);
    });
    const bool squares = width <= kSquaresSide;
    const std::size_t sharedBytes =
        std::size_t(pitch) * (squares ? sizeof(std::int32_t) : sizeof(std::uint16_t)) +
        (divideUp(unsigned(width), 32) + 1) * sizeof(std::uint16_t);
    // At worst a row is looked at for every group and for each place between.
    const int bandRows = context.rowsPerLaunch(out.pitch + std::int64_t(pitch) * 2,
                                               (std::int64_t(width) + 1024) * 160);
    const std::uint16_t* within = distances;
    context.forEachBand(height, bandRows, [&](int first, int last) {
        launch(context, "distances", unsigned(last - first), kThreads, sharedBytes,
               squares ? smallRowsKernel<RowOfSquares> : smallRowsKernel<RowOfDistances>, within,
               pitch, out, first, plan.squared, plan.reduction);
    });
}

}  // namespace
}  // namespace warpscope::cuda
