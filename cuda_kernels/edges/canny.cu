// Canny's edges without the host: candidates become bits; those that touch are joined to sets
// (run_sets.cuh), which are marked where anything is strong; the others become black.
#include "engine/operations/edges/canny.h"

#include <algorithm>
#include <type_traits>

#include "cuda_kernels/edges/luma_tile.cuh"
#include "cuda_kernels/morphology/run_sets.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;
static_assert(kTileColumns == kSetTileWords * 32 && kTileThreads == kThreads);

template <class T>
constexpr std::uint32_t kWhiteOf = (1u << (8 * int(sizeof(T)))) - 1;

// ---- candidates ----

// 16 bits: products of 33 bits.
template <class T>
using Product = std::conditional_t<sizeof(T) == 1, int, long long>;

// A magnitude, at most 8 times white, above the two bits of its direction.
template <class T>
using Magnitude = std::conditional_t<sizeof(T) == 1, std::uint16_t, std::uint32_t>;

enum Direction : std::uint32_t { kAlongRow, kAlongColumn, kFalling, kRising };

// Across the edge.
template <class T>
__device__ __forceinline__ std::uint32_t directionOf(int gx, int gy) {
    const auto x = Product<T>(abs(gx));
    const Product<T> y = Product<T>(abs(gy)) << 15;
    const Product<T> tangent = x * kTangent22;
    if (y < tangent) return kAlongRow;
    if (y > tangent + (x << 16)) return kAlongColumn;
    return (gx ^ gy) < 0 ? kRising : kFalling;
}

constexpr int kMagnitudeRows = kTileRows + 2;
// As many columns at the left as a group has, so that groups are stored at once.
constexpr int kMagnitudePitch = kTileColumns + 2 * kGroup;
// Rows that a warp makes; the last warps make the columns at the ends.
constexpr int kMagnitudeWarpRows = 3;
constexpr int kMagnitudeWarps = kMagnitudeRows / kMagnitudeWarpRows;
static_assert(kMagnitudeRows % kMagnitudeWarpRows == 0 &&
              2 * kMagnitudeRows <= int(kThreads) - 32 * kMagnitudeWarps);

// Four samples of a row and one more at each end.
template <class T>
__device__ __forceinline__ void loadSix(const T* row, int (&samples)[kGroup + 2]) {
    constexpr int kBytes = kGroup * int(sizeof(T));
    std::uint32_t words[kBytes / 4];
    loadWords<kBytes>(reinterpret_cast<const std::byte*>(row), words);
    samples[0] = row[-1];
#pragma unroll
    for (int k = 0; k < kGroup; ++k) samples[k + 1] = int(sampleOf<T>(words, k));
    samples[kGroup + 1] = row[kGroup];
}

// Of pixels from a row and a column before the tile on; 0 outside the image.
template <class T>
__device__ __forceinline__ void makeMagnitudes(const T* tile, const TilePlace& place, Size size,
                                               Magnitude<T>* magnitudes) {
    const int warp = int(threadIdx.x / 32);
    if (warp >= kMagnitudeWarps) {
        const int i = int(threadIdx.x) - 32 * kMagnitudeWarps;
        if (i >= 2 * kMagnitudeRows) return;
        const int row = i / 2, column = i % 2 ? kTileColumns : -1;
        const int x = place.left + column, y = place.top - 1 + row;
        int magnitude = 0;
        if (x >= 0 && x < size.width && y >= 0 && y < size.height) {
            const T* above = tile + row * kTilePitch + kGroup + column;
            const T *centre = above + kTilePitch, *below = centre + kTilePitch;
            const int a0 = above[-1], a1 = above[0], a2 = above[1], b0 = below[-1], b1 = below[0],
                      b2 = below[1];
            magnitude = abs(a2 - a0 + 2 * (int(centre[1]) - int(centre[-1])) + b2 - b0) +
                        abs(b0 - a0 + 2 * (b1 - a1) + b2 - a2);
        }
        magnitudes[row * kMagnitudePitch + kGroup + column] = Magnitude<T>(magnitude << 2);
        return;
    }
    const int column = int(threadIdx.x % 32) * kGroup;
    const int firstRow = warp * kMagnitudeWarpRows;
    int samples[kMagnitudeWarpRows + 2][kGroup + 2];
#pragma unroll
    for (int r = 0; r < kMagnitudeWarpRows + 2; ++r)
        loadSix(tile + (firstRow + r) * kTilePitch + kGroup + column, samples[r]);
#pragma unroll
    for (int r = 0; r < kMagnitudeWarpRows; ++r) {
        const int y = place.top - 1 + firstRow + r;
        int sums[kGroup + 2], steps[kGroup + 2];
#pragma unroll
        for (int k = 0; k < kGroup + 2; ++k) {
            sums[k] = samples[r][k] + 2 * samples[r + 1][k] + samples[r + 2][k];
            steps[k] = samples[r + 2][k] - samples[r][k];
        }
        std::uint32_t words[kGroup * int(sizeof(Magnitude<T>)) / 4] = {};
#pragma unroll
        for (int k = 0; k < kGroup; ++k) {
            const int gx = sums[k + 2] - sums[k];
            const int gy = steps[k] + 2 * steps[k + 1] + steps[k + 2];
            const bool inside = y >= 0 && y < size.height && place.left + column + k < size.width;
            const std::uint32_t made =
                inside ? std::uint32_t(abs(gx) + abs(gy)) << 2 | directionOf<T>(gx, gy) : 0u;
            if constexpr (sizeof(T) == 1)
                words[k / 2] |= made << (16 * (k % 2));
            else
                words[k] = made;
        }
        storeWords<kGroup* int(sizeof(Magnitude<T>))>(
            reinterpret_cast<std::byte*>(magnitudes + (firstRow + r) * kMagnitudePitch + kGroup +
                                         column),
            words);
    }
}

// Whether the magnitude in the middle is a maximum across the edge.
template <class M>
__device__ __forceinline__ bool isLargest(const M* middle) {
    const std::uint32_t m = *middle >> 2, direction = *middle & 3u;
    const int step = direction == kAlongRow      ? 1
                     : direction == kAlongColumn ? kMagnitudePitch
                     : direction == kFalling     ? kMagnitudePitch + 1
                                                 : kMagnitudePitch - 1;
    const std::uint32_t before = middle[-step] >> 2, after = middle[step] >> 2;
    return m > before && (direction < kFalling ? m >= after : m > after);
}

// Bits of four pixels in each lane become a word in every eighth.
__device__ __forceinline__ std::uint32_t wordOfLanes(std::uint32_t bits) {
    std::uint32_t word = bits << (kGroup * (threadIdx.x % 8));
#pragma unroll
    for (int step = 1; step < 8; step *= 2) word |= __shfl_xor_sync(0xffffffffu, word, step);
    return word;
}

// Rows of tiles from row `first` on: words of candidates, joined within the tile.
template <class T, int C>
__global__ void __launch_bounds__(kThreads)
    candidatesKernel(DeviceImage in, int first, FastDivide tilesAcross, std::uint32_t low,
                     std::uint32_t high, RunSets sets) {
    alignas(16) __shared__ T tile[(kTileRows + 4) * kTilePitch];
    alignas(16) __shared__ Magnitude<T> magnitudes[kMagnitudeRows * kMagnitudePitch];
    __shared__ std::uint32_t words[kTileRows * kSetTileWords], strong[kTileRows * kSetTileWords];
    __shared__ std::uint32_t parents[kTileRows * kSetTileWords * kNodesPerWord];
    const TilePlace place(tilesAcross, first);
    loadLumaTile<T, C>(in, place.left, place.top - 2, kTileRows + 4, tile);
    __syncthreads();
    makeMagnitudes<T>(tile, place, in.size, magnitudes);
    __syncthreads();
    const int lane = int(threadIdx.x % 32);
    for (int r = int(threadIdx.x / 32); r < kTileRows; r += int(kThreads) / 32) {
        const Magnitude<T>* group = magnitudes + (r + 1) * kMagnitudePitch + kGroup + lane * kGroup;
        std::uint32_t candidates = 0, strongOnes = 0;
#pragma unroll
        for (int k = 0; k < kGroup; ++k) {
            const std::uint32_t m = group[k] >> 2;
            if (m <= low || !isLargest(group + k)) continue;
            candidates |= 1u << k;
            if (m > high) strongOnes |= 1u << k;
        }
        const std::uint32_t word = wordOfLanes(candidates), marks = wordOfLanes(strongOnes);
        if (lane % 8 == 0) {
            words[r * kSetTileWords + lane / 8] = word;
            strong[r * kSetTileWords + lane / 8] = marks;
        }
    }
    __syncthreads();
    joinTile<kTileRows, true>(words, strong, parents, true);
    if (threadIdx.x >= kTileRows * kSetTileWords) return;
    const TileWord at(sets, place.left / 32, place.top);
    if (!at.inside) return;
    const std::uint32_t word = words[threadIdx.x], index = at.index(sets);
    sets.words[index] = word;
    for (std::uint32_t firsts = firstsOfRuns(word); firsts; firsts &= firsts - 1) {
        const std::uint32_t node = std::uint32_t(__ffs(int(firsts)) - 1) / 2;
        sets.parents[index * kNodesPerWord + node] =
            at.inImage<true>(sets, rootAtRest<true>(parents, threadIdx.x * kNodesPerWord + node));
    }
}

// ---- what is kept ----

// A group of pixels a thread, rows [first, last): white where its set is marked, black elsewhere.
template <class T>
__global__ void __launch_bounds__(kThreads)
    keepKernel(DeviceImage out, int first, int last, FastDivide groupsAcross, RunSets sets) {
    const std::uint32_t group = blockIdx.x * kThreads + threadIdx.x;
    const std::uint32_t down = groupsAcross(group);
    const int y = first + int(down);
    if (y >= last) return;
    const auto across = int(group - down * groupsAcross.divisor);
    const std::uint32_t index =
        std::uint32_t(y) * std::uint32_t(sets.perRow) + std::uint32_t(across) / 8;
    const std::uint32_t word = sets.words[index];
    const std::uint32_t own = 15u << (kGroup * (across % 8));
    std::uint32_t kept = 0;
    for (std::uint32_t rest = word & own; rest;) {
        const int bit = __ffs(int(rest)) - 1;
        const std::uint32_t run = restOfRun(word, bit);
        if (!(rootOf<true>(GlobalParents{sets.parents}, nodeAt(index, word, bit)) & kUnmarked))
            kept |= run & own;
        rest &= ~run;
    }
    std::uint32_t made[kGroup];
#pragma unroll
    for (int k = 0; k < kGroup; ++k)
        made[k] = kept >> (kGroup * (across % 8) + k) & 1u ? kWhiteOf<T> : 0u;
    storeGroup<T>(out, across * kGroup, y, made);
}

template <class T, int C>
void canny(KernelContext& context, const CannyPlan& plan, const DeviceImage& in,
           const DeviceImage& out) {
    const RunSetsMemory<kTileRows> memory(context, in.size);
    const RunSets sets = memory.sets;
    forEachTileBand(context, in, in.pitch + std::int64_t(in.size.width) * 3, 64,
                    [&](int first, int, FastDivide across, unsigned blocks) {
                        launch(context, "Canny candidates", blocks, kThreads, 0,
                               candidatesKernel<T, C>, in, first, across, std::uint32_t(plan.low),
                               std::uint32_t(plan.high), sets);
                    });
    memory.joinTiles<true>(context, "Canny joins", true);
    const std::uint32_t groups = divideUp(unsigned(in.size.width), kGroup);
    // Chains of parents may be long.
    const int bandRows = context.rowsPerLaunch(out.pitch + std::int64_t(in.size.width) * 8,
                                               std::int64_t(in.size.width) * 64);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        launch(context, "Canny keeps",
               divideUp(std::uint64_t(groups) * unsigned(last - first), kThreads), kThreads, 0,
               keepKernel<T>, out, first, last, FastDivide(groups), sets);
    });
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const CannyPlan&>(given);
    forSamples(in.format, [&]<class T, int C>() { canny<T, C>(context, plan, in, out); });
}

// Keys have 32 bits, one of them for the mark; there are half as many nodes as pixels.
Result<void> supports(const Plan& plan) {
    const std::uint64_t filled = (std::uint64_t(plan.size.width) + 31) / 32 * 32;
    if (filled * std::uint64_t(plan.size.height) <= std::uint64_t(1) << 32) return {};
    return fail(ErrorCode::Unsupported,
                "the GPU code of canny takes images of up to 4,294,967,296 pixels, rows filled up "
                "to a multiple of 32");
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(canny, .run = run, .supports = supports);

}  // namespace warpscope::cuda
