// Distances within columns first, in pieces of rows that are put together by the zero pixels at
// their ends. Then the nearest column of each pixel of a row: from left to right it never moves to
// the left, so that the nearest columns of every 32nd pixel, found by a warp each, bound those of
// the pixels between, which take a warp together. Where the sides are short enough, all that a row
// needs is in shared memory: distance_small.cuh.
#include "engine/operations/morphology/distance_transform.h"

#include <algorithm>

#include "cuda_kernels/edges/luma_tile.cuh"
#include "cuda_kernels/morphology/distance_small.cuh"
#include "cuda_kernels/morphology/window_costs.h"
#include "cuda_kernels/runtime/launch_pieces.cuh"

namespace warpscope::cuda {
namespace {

// Of each piece of each column: its first and last row with a zero pixel. Later the last one above
// the piece and the first one below it.
struct PieceEnds {
    std::uint32_t* firsts;
    std::uint32_t* lasts;
};

// Blocks are numbered along the pieces. Gives false for columns beyond the image.
struct PiecePlace {
    int x, piece, top, bottom;
    bool inside;
    std::int64_t end;

    __device__ PiecePlace(Size size, int firstPiece, FastDivide blocksAcross) {
        const std::uint32_t down = blocksAcross(blockIdx.x);
        x = int((blockIdx.x - down * blocksAcross.divisor) * kThreads + threadIdx.x);
        piece = firstPiece + int(down);
        top = piece * kPieceRows;
        bottom = min(top + kPieceRows, size.height);
        inside = x < size.width;
        end = std::int64_t(piece) * size.width + x;
    }
};

template <class T, int C>
__device__ __forceinline__ bool isZero(const DeviceImage& in, int x, int y) {
    return lumaAt<T, C>(in.data + std::int64_t(y) * in.pitch, x) == T(0);
}

template <class T, int C>
__global__ void __launch_bounds__(kThreads)
    findZerosKernel(DeviceImage in, int firstPiece, FastDivide blocksAcross, PieceEnds ends) {
    const PiecePlace at(in.size, firstPiece, blocksAcross);
    if (!at.inside) return;
    std::uint32_t first = kNone, last = kNone;
    for (int y = at.top; y < at.bottom; ++y) {
        if (!isZero<T, C>(in, at.x, y)) continue;
        if (first == kNone) first = std::uint32_t(y);
        last = std::uint32_t(y);
    }
    ends.firsts[at.end] = first;
    ends.lasts[at.end] = last;
}

// A thread a column.
__global__ void __launch_bounds__(kThreads)
    spreadZerosKernel(int width, int pieces, PieceEnds ends) {
    const int x = int(blockIdx.x * kThreads + threadIdx.x);
    if (x >= width) return;
    std::uint32_t carried = kNone;
    for (int piece = 0; piece < pieces; ++piece) {
        std::uint32_t& last = ends.lasts[std::int64_t(piece) * width + x];
        const std::uint32_t own = last;
        last = carried;
        if (own != kNone) carried = own;
    }
    carried = kNone;
    for (int piece = pieces - 1; piece >= 0; --piece) {
        std::uint32_t& first = ends.firsts[std::int64_t(piece) * width + x];
        const std::uint32_t own = first;
        first = carried;
        if (own != kNone) carried = own;
    }
}

// Rows of the distances follow each other without padding.
template <class T, int C>
__global__ void __launch_bounds__(kThreads)
    columnDistancesKernel(DeviceImage in, int firstPiece, FastDivide blocksAcross, PieceEnds ends,
                          std::uint32_t* distances) {
    const PiecePlace at(in.size, firstPiece, blocksAcross);
    if (!at.inside) return;
    const std::int64_t width = in.size.width;
    std::uint32_t zero = ends.lasts[at.end];
    for (int y = at.top; y < at.bottom; ++y) {
        if (isZero<T, C>(in, at.x, y)) zero = std::uint32_t(y);
        distances[y * width + at.x] = zero == kNone ? kFarColumn : std::uint32_t(y) - zero;
    }
    zero = ends.firsts[at.end];
    for (int y = at.bottom - 1; y >= at.top; --y) {
        std::uint32_t& distance = distances[y * width + at.x];
        const std::uint32_t above = distance;
        if (above == 0) zero = std::uint32_t(y);
        if (zero != kNone) distance = min(above, zero - std::uint32_t(y));
    }
}

// Of column u, seen from x in its row.
__device__ __forceinline__ std::uint64_t squaredDistance(std::uint32_t within, int u, int x) {
    const auto across = std::uint32_t(abs(x - u));
    return std::uint64_t(across) * across + std::uint64_t(within) * within;
}

// Where a warp's 32 pixels are. Groups are numbered along the rows.
struct GroupPlace {
    int x, y;
    bool inside;
    // Of its first pixel's nearest column.
    std::int64_t group;

    __device__ GroupPlace(int first, int last, FastDivide groupsAcross, unsigned firstBlock = 0) {
        const std::uint32_t index = (firstBlock + blockIdx.x) * kWarps + threadIdx.x / 32;
        const std::uint32_t down = groupsAcross(index);
        const std::uint32_t across = index - down * groupsAcross.divisor;
        x = int(across) * 32;
        y = first + int(down);
        inside = y < last;
        group = std::int64_t(down) * groupsAcross.divisor + across;
    }
};

// The leftmost nearest column of the first pixel of each group; kNone where the image has no zero
// pixel.
__global__ void __launch_bounds__(kThreads)
    nearestColumnsKernel(const std::uint32_t* distances, int width, int first, int last,
                         FastDivide groupsAcross, unsigned firstBlock, std::uint32_t* nearest) {
    const GroupPlace at(first, last, groupsAcross, firstBlock);
    // The whole warp.
    if (!at.inside) return;
    const std::uint32_t* row = distances + std::int64_t(at.y) * width;
    const int lane = int(threadIdx.x % 32);
    // Nothing is nearer than what is in its own column unless it is in one of these.
    const std::uint32_t own = row[at.x];
    const int reach = own < std::uint32_t(width) ? int(own) : width;
    const int low = max(at.x - reach, 0), high = min(at.x + reach, width - 1);
    std::uint64_t least = ~std::uint64_t(0);
    std::uint32_t column = kNone;
    for (int u = low + lane; u <= high; u += 32) {
        const std::uint32_t within = row[u];
        if (within >= kFarColumn) continue;
        const std::uint64_t squared = squaredDistance(within, u, at.x);
        if (squared < least) {
            least = squared;
            column = std::uint32_t(u);
        }
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
        const std::uint64_t otherLeast = __shfl_xor_sync(0xffffffffu, least, step);
        const std::uint32_t otherColumn = __shfl_xor_sync(0xffffffffu, column, step);
        if (otherLeast < least || (otherLeast == least && otherColumn < column)) {
            least = otherLeast;
            column = otherColumn;
        }
    }
    if (lane == 0) nearest[at.group] = column;
}

__global__ void __launch_bounds__(kThreads)
    distancesKernel(const std::uint32_t* distances, DeviceImage out, int first, int last,
                    FastDivide groupsAcross, const std::uint32_t* nearest, bool squaredWanted,
                    std::uint32_t reduction) {
    const GroupPlace at(first, last, groupsAcross);
    if (!at.inside) return;
    const int width = out.size.width;
    const int x = at.x + int(threadIdx.x % 32);
    if (x >= width) return;
    std::uint32_t* to =
        reinterpret_cast<std::uint32_t*>(out.data + std::int64_t(at.y) * out.pitch) + x;
    const std::uint32_t low = nearest[at.group];
    if (low == kNone) {
        // The largest finite float has these bits.
        *to = squaredWanted ? kNoSquaredDistance : 0x7f7fffffu;
        return;
    }
    // Nothing is right of the nearest column of the next group; of the last group anything may be.
    const int high = at.x + 32 < width ? int(nearest[at.group + 1]) : width - 1;
    const std::uint32_t* row = distances + std::int64_t(at.y) * width;
    std::uint64_t least = ~std::uint64_t(0);
    for (int u = int(low); u <= high; ++u) {
        const std::uint32_t within = row[u];
        if (within < kFarColumn) least = min(least, squaredDistance(within, u, x));
    }
    least *= std::uint64_t(reduction) * reduction;
    if (squaredWanted)
        *to = std::uint32_t(min(least, std::uint64_t(kNoSquaredDistance)));
    else
        *to = __float_as_uint(__double2float_rn(__dsqrt_rn(__ull2double_rn(least))));
}

template <class T, int C>
void distanceTransform(KernelContext& context, const DistanceTransformPlan& plan,
                       const DeviceImage& in, const DeviceImage& out) {
    if (std::max(in.size.width, in.size.height) <= kSmallSide)
        return smallDistanceTransform<T, C>(context, plan, in, out);
    const int width = in.size.width, height = in.size.height;
    const int pieces = int(divideUp(unsigned(height), kPieceRows));
    const std::size_t endCount = std::size_t(pieces) * unsigned(width);
    const DeviceMemory distanceMemory =
        context.allocate(std::size_t(in.size.pixels()) * sizeof(std::uint32_t));
    const DeviceMemory endMemory = context.allocate(2 * endCount * sizeof(std::uint32_t));
    auto* distances = distanceMemory.as<std::uint32_t>();
    const PieceEnds ends{endMemory.as<std::uint32_t>(), endMemory.as<std::uint32_t>() + endCount};

    const std::uint32_t blocks = divideUp(unsigned(width), kThreads);
    const FastDivide blocksAcross(blocks);
    const int bandPieces = context.rowsPerLaunch(kPieceRows * (in.pitch + std::int64_t(width) * 8),
                                                 std::int64_t(blocks) * kThreads * kPieceRows * 8);
    context.forEachBand(pieces, bandPieces, [&](int first, int last) {
        launch(context, "zeros of columns", blocks * unsigned(last - first), kThreads, 0,
               findZerosKernel<T, C>, in, first, blocksAcross, ends);
    });
    launch(context, "nearest zeros of columns", blocks, kThreads, 0, spreadZerosKernel, width,
           pieces, ends);
    context.forEachBand(pieces, bandPieces, [&](int first, int last) {
        launch(context, "distances in columns", blocks * unsigned(last - first), kThreads, 0,
               columnDistancesKernel<T, C>, in, first, blocksAcross, ends, distances);
    });
    const std::uint32_t groups = divideUp(unsigned(width), 32);
    const FastDivide groupsAcross(groups);
    const RowsCost cost = nearestColumnsCost(width, out.pitch + std::int64_t(width) * 8, kWarps);
    const LaunchCut cut = cutRows(limitsOf(context), cost);
    // Groups are counted in 31 bits.
    const int bandRows = std::min({cut.rows, int((1u << 30) / groups), height});
    const DeviceMemory nearestMemory =
        context.allocate(std::size_t(groups) * unsigned(bandRows) * sizeof(std::uint32_t));
    auto* nearest = nearestMemory.as<std::uint32_t>();
    const int launches[] = {cut.pieces(cost.blocks), 1};
    forEachPiece(context, height, bandRows, launches, [&](int first, int last, int pass, int i) {
        const unsigned count = divideUp(std::uint64_t(groups) * unsigned(last - first), kWarps);
        const BlockRange range(cut, i, count);
        if (pass == 0)
            launchRange(context, "nearest columns", range, kThreads, 0, nearestColumnsKernel,
                        distances, width, first, last, groupsAcross, range.first, nearest);
        else
            launch(context, "distances", count, kThreads, 0, distancesKernel, distances, out, first,
                   last, groupsAcross, nearest, plan.squared, plan.reduction);
    });
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const DistanceTransformPlan&>(given);
    if (isFloat(in.format)) {
        isColor(in.format) ? distanceTransform<float, 4>(context, plan, in, out)
                           : distanceTransform<float, 1>(context, plan, in, out);
        return;
    }
    forSamples(in.format,
               [&]<class T, int C>() { distanceTransform<T, C>(context, plan, in, out); });
}

// Both outputs are made by the same kernels.
std::vector<ParamSet> warmUps() {
    return std::vector<ParamSet>(1);
}

template <class T, int C>
void loadKernelsOf() {
    loadKernel(findZerosKernel<T, C>);
    loadKernel(columnDistancesKernel<T, C>);
}

// What only long sides reach.
void loadKernels() {
    loadKernelsOf<std::uint8_t, 1>();
    loadKernelsOf<std::uint8_t, 4>();
    loadKernelsOf<std::uint16_t, 1>();
    loadKernelsOf<std::uint16_t, 4>();
    loadKernelsOf<float, 1>();
    loadKernelsOf<float, 4>();
    loadKernel(spreadZerosKernel);
    loadKernel(nearestColumnsKernel);
    loadKernel(distancesKernel);
    loadKernel(smallRowsKernel<RowOfDistances>);
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(distance_transform, .run = run, .warmUps = warmUps,
                      .loadKernels = loadKernels);

}  // namespace warpscope::cuda
