// Canny's edges of small images, which leave most multiprocessors without work where a block has
// four tiles: a block a tile. Its warps follow weak sets from the border on side by side.
#pragma once

#include "cuda_kernels/edges/canny_pixels.cuh"
#include "cuda_kernels/edges/edge_sets.cuh"
#include "cuda_kernels/runtime/sample_loads.cuh"

namespace warpscope::cuda {

namespace small_canny {

constexpr int kGroup = 4;  // pixels that a thread loads and makes
constexpr int kPitch = kEdgeTile + 2 * kGroup;
constexpr int kLoadedRows = kEdgeTile + 4, kMagnitudeRows = kEdgeTile + 2;
constexpr int kRowGroups = kEdgeTile / kGroup;
// Threads with a group of the tile's own; those of the others make what is around it.
constexpr int kOwnThreads = kRowGroups * kEdgeTile;
constexpr int kThreads = kOwnThreads + 128;

// Of a group.
template <class T>
using Samples = std::conditional_t<sizeof(T) == 1, std::uint32_t, unsigned long long>;
// At most 8 times white.
template <class T>
using Magnitude = std::conditional_t<sizeof(T) == 1, std::uint16_t, std::uint32_t>;

// ---- gradients ----

// Luma of the group from column x on, of which the words from column `from` on are loaded.
template <class T, int C, int N>
__device__ __forceinline__ Samples<T> groupOf(const std::uint32_t (&words)[N], int x, int from,
                                              int lastX) {
    constexpr int kBits = 8 * int(sizeof(T));
    Samples<T> samples = 0;
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        std::uint32_t sample;
        if constexpr (C == 1)
            sample = sampleOf<T>(words, k);
        else
            sample = luma(sampleOf<T>(words, 4 * k), sampleOf<T>(words, 4 * k + 1),
                          sampleOf<T>(words, 4 * k + 2));
        samples |= Samples<T>(sample) << (kBits * k);
    }
    if (x >= 0 && x + kGroup - 1 <= lastX) return samples;
    Samples<T> mended = 0;
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        const int at = min(max(x + k, 0), lastX) - from;
        mended |= Samples<T>(T(samples >> (kBits * at))) << (kBits * k);
    }
    return mended;
}

// From a group before the tile and two rows above it on, edges repeated.
template <class T, int C>
__device__ __forceinline__ void loadTile(const DeviceImage& in, int left, int top, T* tile) {
    constexpr int kAcross = kPitch / kGroup;
    static_assert(kAcross * kLoadedRows <= kThreads);
    const int i = int(threadIdx.x), row = i / kAcross;
    if (row >= kLoadedRows) return;
    constexpr int kPixelBytes = C * int(sizeof(T));
    const int lastX = in.size.width - 1;
    const int x = left + (i - row * kAcross - 1) * kGroup, from = min(max(x, 0), lastX & ~3);
    const int y = min(max(top - 2 + row, 0), in.size.height - 1);
    std::uint32_t words[kGroup * kPixelBytes / 4];
    loadWords<kGroup * kPixelBytes>(
        in.data + std::int64_t(y) * in.pitch + std::int64_t(from) * kPixelBytes, words);
    *reinterpret_cast<Samples<T>*>(tile + i * kGroup) = groupOf<T, C>(words, x, from, lastX);
}

// Of a pixel, whose neighbours begin in the row above.
template <class T>
__device__ __forceinline__ std::uint32_t magnitudeOf(const T* above) {
    const T *centre = above + kPitch, *below = centre + kPitch;
    const int a0 = above[-1], a1 = above[0], a2 = above[1], b0 = below[-1], b1 = below[0],
              b2 = below[1];
    return std::uint32_t(abs(a2 - a0 + 2 * (int(centre[1]) - int(centre[-1])) + b2 - b0) +
                         abs(b0 - a0 + 2 * (b1 - a1) + b2 - a2));
}

struct GroupGradients {
    int x[kGroup], y[kGroup];
};

template <class T>
__device__ __forceinline__ GroupGradients gradientsOf(const T* above) {
    int samples[3][kGroup + 2], sums[kGroup + 2], steps[kGroup + 2];
#pragma unroll
    for (int r = 0; r < 3; ++r) {
        const T* row = above + r * kPitch;
        const auto middle = *reinterpret_cast<const Samples<T>*>(row);
        samples[r][0] = row[-1];
#pragma unroll
        for (int k = 0; k < kGroup; ++k) samples[r][k + 1] = T(middle >> (8 * int(sizeof(T)) * k));
        samples[r][kGroup + 1] = row[kGroup];
    }
#pragma unroll
    for (int k = 0; k < kGroup + 2; ++k) {
        sums[k] = samples[0][k] + 2 * samples[1][k] + samples[2][k];
        steps[k] = samples[2][k] - samples[0][k];
    }
    GroupGradients made;
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        made.x[k] = sums[k + 2] - sums[k];
        made.y[k] = steps[k] + 2 * steps[k + 1] + steps[k + 2];
    }
    return made;
}

template <class T>
__device__ __forceinline__ void storeMagnitudes(const std::uint32_t (&made)[kGroup],
                                                Magnitude<T>* to) {
    if constexpr (sizeof(T) == 1)
        *reinterpret_cast<uint2*>(to) = {made[0] | made[1] << 16, made[2] | made[3] << 16};
    else
        *reinterpret_cast<uint4*>(to) = {made[0], made[1], made[2], made[3]};
}

// Of the rows above and below the tile, a group a thread of the first warp, and of the columns
// beside it, a pixel a thread. 0 outside the image.
template <class T>
__device__ __forceinline__ void makeAround(const T* tile, int left, int top, Size size, int thread,
                                           Magnitude<T>* magnitudes) {
    if (thread < 2 * kRowGroups) {
        const int row = thread / kRowGroups * (kMagnitudeRows - 1), y = top - 1 + row;
        const int column = thread % kRowGroups * kGroup;
        const GroupGradients gradients = gradientsOf(tile + row * kPitch + kGroup + column);
        std::uint32_t made[kGroup];
#pragma unroll
        for (int k = 0; k < kGroup; ++k) {
            const bool inside = y >= 0 && y < size.height && left + column + k < size.width;
            made[k] = inside ? std::uint32_t(abs(gradients.x[k]) + abs(gradients.y[k])) : 0u;
        }
        storeMagnitudes<T>(made, magnitudes + row * kPitch + kGroup + column);
    }
    const int i = thread - 32, row = i / 2, column = i % 2 ? kEdgeTile : -1;
    if (i < 0 || row >= kMagnitudeRows) return;
    const int x = left + column, y = top - 1 + row;
    const bool inside = x >= 0 && x < size.width && y >= 0 && y < size.height;
    const int at = row * kPitch + kGroup + column;
    magnitudes[at] = Magnitude<T>(inside ? magnitudeOf(tile + at) : 0u);
}

// A thread's group of the tile: magnitudes, and how far away those are to which they are compared.
struct OwnGroup {
    std::uint32_t magnitudes[kGroup];
    int steps[kGroup];
};

template <class T>
__device__ __forceinline__ OwnGroup makeOwn(const T* above, int x, int y, Size size) {
    const GroupGradients gradients = gradientsOf(above);
    OwnGroup own;
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        const int gx = gradients.x[k], gy = gradients.y[k];
        own.magnitudes[k] =
            y < size.height && x + k < size.width ? std::uint32_t(abs(gx) + abs(gy)) : 0u;
        const auto across = GradientProduct<T>(abs(gx));
        const GradientProduct<T> down = GradientProduct<T>(abs(gy)) << 15;
        const GradientProduct<T> tangent = across * kTangent22;
        const int slanted = (gx ^ gy) < 0 ? kPitch - 1 : kPitch + 1;
        own.steps[k] = down < tangent ? 1 : down > tangent + (across << 16) ? kPitch : slanted;
    }
    return own;
}

// Bits of the candidates, and 16 bits above them of those that are strong.
template <class M>
__device__ __forceinline__ std::uint32_t largest(const OwnGroup& own, const M* group,
                                                 std::uint32_t low, std::uint32_t high) {
    std::uint32_t before[kGroup], after[kGroup], bits = 0;
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        before[k] = group[k - own.steps[k]];
        after[k] = group[k + own.steps[k]];
    }
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        const std::uint32_t m = own.magnitudes[k];
        const bool straight = own.steps[k] == 1 || own.steps[k] == kPitch;
        if (m > low && m > before[k] && m + straight > after[k])
            bits |= (m > high ? 0x10001u : 1u) << k;
    }
    return bits;
}

// ---- kernels ----

template <class T, int C>
__global__ void __launch_bounds__(kThreads)
    candidatesKernel(DeviceImage in, FastDivide across, std::uint32_t low, std::uint32_t high,
                     EdgeTiles tiles) {
    alignas(16) __shared__ T tile[kLoadedRows * kPitch];
    alignas(16) __shared__ Magnitude<T> magnitudes[kMagnitudeRows * kPitch];
    // Of a row: candidates, and those that are strong.
    alignas(8) __shared__ std::uint8_t marks[kEdgeTile][8];
    __shared__ std::uint32_t whites[kEdgeTile], opens[kEdgeTile];
    const int thread = int(threadIdx.x), lane = thread % 32;
    const std::uint32_t number = blockIdx.x, down = across(number), warp = threadIdx.x / 32;
    const int left = int(number - down * across.divisor) * kEdgeTile, top = int(down) * kEdgeTile;
    letNextLaunchBegin();
    waitForLaunchBefore();
    loadTile<T, C>(in, left, top, tile);
    if (thread < kEdgeTile) opens[thread] = 0;
    __syncthreads();
    const int row = thread / kRowGroups, column = thread % kRowGroups * kGroup;
    const int at = (row + 1) * kPitch + kGroup + column;
    OwnGroup own;
    if (thread < kOwnThreads) {
        own = makeOwn(tile + at, left + column, top + row, in.size);
        storeMagnitudes<T>(own.magnitudes, magnitudes + at);
    } else {
        makeAround<T>(tile, left, top, in.size, thread - kOwnThreads, magnitudes);
    }
    __syncthreads();
    if (thread < kOwnThreads) {
        std::uint32_t bits = largest(own, magnitudes + at, low, high) << (kGroup * (lane % 2));
        bits |= __shfl_xor_sync(kEveryLane, bits, 1);
        marks[row][lane % 2 * 4 + thread % kRowGroups / 2] = std::uint8_t(bits >> (lane % 2 * 16));
    }
    __syncthreads();
    const uint2 marked = *reinterpret_cast<const uint2*>(marks[lane]);
    if (warp < kSetWarps)
        openSetsFrom(warp, marked.x, marked.y, tiles.parents, firstNode(number), opens);
    else if (warp == kSetWarps)
        whites[lane] = flooded(marked.x, marked.y);
    __syncthreads();
    if (warp == 0) storeEdgeTile(tiles, number, whites[lane], opens[lane]);
}
static_assert(kThreads / 32 > kSetWarps);

constexpr int kKeepWarps = 2;

// A warp a tile. What is beyond a row goes into its padding.
template <class T>
__global__ void __launch_bounds__(32 * kKeepWarps)
    keepKernel(DeviceImage out, FastDivide across, std::uint32_t count, EdgeTiles tiles) {
    constexpr int kPixels = 16 / int(sizeof(T));
    const std::uint32_t tile = blockIdx.x * kKeepWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (tile >= count) return;
    const std::uint32_t down = across(tile);
    const int left = int(tile - down * across.divisor) * kEdgeTile,
              y = int(down) * kEdgeTile + int(lane);
    std::byte* const row = out.data + std::int64_t(y) * out.pitch;
    letNextLaunchBegin();
    waitForLaunchBefore();
    const std::uint32_t white = whiteInTheEnd(tiles, tile);
    if (y >= out.size.height) return;
#pragma unroll
    for (int i = 0; i < kEdgeTile / kPixels; ++i) {
        const int x = left + i * kPixels;
        if (x >= out.size.width) return;
        std::uint32_t words[4];
        pixelsOfBits<T>(white >> (i * kPixels), words);
        storeWords<16>(row + std::int64_t(x) * int(sizeof(T)), words);
    }
}

}  // namespace small_canny

// Tiles of images that are small.
inline constexpr std::uint32_t kFewEdgeTiles = 1024;

template <class T, int C>
void runSmallCanny(KernelContext& context, const CannyPlan& plan, const DeviceImage& in,
                   const DeviceImage& out, const EdgeTiles& tiles) {
    const auto across = std::uint32_t(tiles.across), count = across * std::uint32_t(tiles.down);
    context.checkStop();
    launchEarly(context, "Canny candidates", count, unsigned(small_canny::kThreads), 0,
                small_canny::candidatesKernel<T, C>, in, FastDivide(across),
                std::uint32_t(plan.low), std::uint32_t(plan.high), tiles);
    joinEdgeTiles(context, tiles);
    context.forEachBand(out.size.height, out.size.height, [&](int, int) {
        launchEarly(context, "Canny keeps", divideUp(count, small_canny::kKeepWarps),
                    unsigned(32 * small_canny::kKeepWarps), 0, small_canny::keepKernel<T>, out,
                    FastDivide(across), count, tiles);
    });
}

}  // namespace warpscope::cuda
