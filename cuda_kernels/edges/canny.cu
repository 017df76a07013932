// Canny's edges without the host, in three launches: candidates become bits, in tiles in which
// white spreads (edge_sets.cuh); what hangs together across tiles is joined; bits become pixels.
#include <algorithm>
#include <type_traits>

#include "cuda_kernels/edges/luma_tile.cuh"
#include "cuda_kernels/edges/small_canny.cuh"

namespace warpscope::cuda {
namespace {

// A block's edge tiles, side by side, which are a word wide.
constexpr int kWords = kTileColumns / kEdgeTile;

// ---- candidates ----

// A magnitude, at most 8 times white, above the two bits of its direction.
template <class T>
using Magnitude = std::conditional_t<sizeof(T) == 1, std::uint16_t, std::uint32_t>;

enum Direction : std::uint32_t { kAlongRow, kAlongColumn, kFalling, kRising };

// Across the edge.
template <class T>
__device__ __forceinline__ std::uint32_t directionOf(int gx, int gy) {
    const auto x = GradientProduct<T>(abs(gx));
    const GradientProduct<T> y = GradientProduct<T>(abs(gy)) << 15;
    const GradientProduct<T> tangent = x * kTangent22;
    if (y < tangent) return kAlongRow;
    if (y > tangent + (x << 16)) return kAlongColumn;
    return (gx ^ gy) < 0 ? kRising : kFalling;
}

constexpr int kMagnitudeRows = kEdgeTile + 2;
// As many columns at the left as a group has, so that groups are stored at once.
constexpr int kMagnitudePitch = kTileColumns + 2 * kGroup;
// Rows that a warp makes; the last warp makes the columns at the ends.
constexpr int kWarpRows = 2;
constexpr int kMagnitudeWarps = kMagnitudeRows / kWarpRows;
constexpr int kThreads = 32 * (kMagnitudeWarps + 1);
static_assert(kMagnitudeRows % kWarpRows == 0);

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

// Of a pixel by itself.
template <class T>
__device__ __forceinline__ std::uint32_t magnitudeAt(const T* above) {
    const T *centre = above + kTilePitch, *below = centre + kTilePitch;
    const int a0 = above[-1], a1 = above[0], a2 = above[1], b0 = below[-1], b1 = below[0],
              b2 = below[1];
    return std::uint32_t(abs(a2 - a0 + 2 * (int(centre[1]) - int(centre[-1])) + b2 - b0) +
                         abs(b0 - a0 + 2 * (b1 - a1) + b2 - a2));
}

// Of pixels from a row and a column before the tile on; 0 outside the image. Directions only where
// the magnitude is above `low`.
template <class T>
__device__ __forceinline__ void makeMagnitudes(const T* tile, const TilePlace& place, Size size,
                                               std::uint32_t low, Magnitude<T>* magnitudes) {
    const int warp = int(threadIdx.x / 32);
    if (warp == kMagnitudeWarps) {
        for (int i = int(threadIdx.x % 32); i < 2 * kMagnitudeRows; i += 32) {
            const int row = i / 2, column = i % 2 ? kTileColumns : -1;
            const int x = place.left + column, y = place.top - 1 + row;
            const bool inside = x >= 0 && x < size.width && y >= 0 && y < size.height;
            magnitudes[row * kMagnitudePitch + kGroup + column] = Magnitude<T>(
                inside ? magnitudeAt(tile + row * kTilePitch + kGroup + column) << 2 : 0u);
        }
        return;
    }
    const int column = int(threadIdx.x % 32) * kGroup;
    const int firstRow = warp * kWarpRows;
    int samples[kWarpRows + 2][kGroup + 2];
#pragma unroll
    for (int r = 0; r < kWarpRows + 2; ++r)
        loadSix(tile + (firstRow + r) * kTilePitch + kGroup + column, samples[r]);
#pragma unroll
    for (int r = 0; r < kWarpRows; ++r) {
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
            const auto magnitude = std::uint32_t(abs(gx) + abs(gy));
            std::uint32_t made = inside ? magnitude << 2 : 0u;
            if (magnitude > low) made |= inside ? directionOf<T>(gx, gy) : 0u;
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

// Whether a magnitude with its direction, `own`, is a maximum across the edge.
template <class M>
__device__ __forceinline__ bool isLargest(std::uint32_t own, const M* middle) {
    const std::uint32_t m = own >> 2, direction = own & 3u;
    const int step = direction == kAlongRow      ? 1
                     : direction == kAlongColumn ? kMagnitudePitch
                     : direction == kFalling     ? kMagnitudePitch + 1
                                                 : kMagnitudePitch - 1;
    const std::uint32_t before = middle[-step] >> 2, after = middle[step] >> 2;
    return m > before && (direction < kFalling ? m >= after : m > after);
}

// A row of each edge tile a word; a word more keeps the tiles in different banks.
using EdgeWords = std::uint32_t[kWords][kEdgeTile + 1];

// A group of each lane of a warp.
template <class M>
__device__ __forceinline__ void markGroup(const M* group, std::uint32_t low, std::uint32_t high,
                                          int row, EdgeWords& words, EdgeWords& strong) {
    std::uint32_t magnitudes[kGroup * int(sizeof(M)) / 4];
    loadWords<kGroup* int(sizeof(M))>(reinterpret_cast<const std::byte*>(group), magnitudes);
    const int lane = int(threadIdx.x % 32);
    // Candidates, and above them those that are strong.
    std::uint32_t bits = 0;
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        const std::uint32_t own = sampleOf<M>(magnitudes, k);
        if (own >> 2 <= low || !isLargest(own, group + k)) continue;
        bits |= (own >> 2 > high ? 0x10001u : 1u) << k;
    }
    bits <<= kGroup * (lane % 2);
    bits |= __shfl_xor_sync(kEveryLane, bits, 1);
    if (lane % 2) return;
    reinterpret_cast<std::uint8_t*>(&words[lane / 8][row])[lane % 8 / 2] = std::uint8_t(bits);
    reinterpret_cast<std::uint8_t*>(&strong[lane / 8][row])[lane % 8 / 2] =
        std::uint8_t(bits >> 16);
}

// Blocks of 8 bits and one channel that a multiprocessor is to hold, where it holds 2048 threads;
// on compute capability 10.0 three of them leave too few registers.
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900)
constexpr int kBlocksOfBytes = 3;
#else
constexpr int kBlocksOfBytes = 1;
#endif

// Rows of tiles from row `first` on.
template <class T, int C>
__global__ void __launch_bounds__(kThreads, C * sizeof(T) == 1 ? kBlocksOfBytes : 1)
    candidatesKernel(DeviceImage in, int first, FastDivide blocksAcross, std::uint32_t low,
                     std::uint32_t high, EdgeTiles tiles) {
    alignas(16) __shared__ T tile[(kEdgeTile + 4) * kTilePitch];
    alignas(16) __shared__ Magnitude<T> magnitudes[kMagnitudeRows * kMagnitudePitch];
    __shared__ EdgeWords words, strong;
    const TilePlace place(blocksAcross, first, kEdgeTile);
    letNextLaunchBegin();
    waitForLaunchBefore();
    loadLumaTile<T, C, kThreads>(in, place.left, place.top - 2, kEdgeTile + 4, tile);
    __syncthreads();
    makeMagnitudes<T>(tile, place, in.size, low, magnitudes);
    __syncthreads();
    const int lane = int(threadIdx.x % 32), warp = int(threadIdx.x / 32);
#pragma unroll
    for (int i = 0; i < kWarpRows; ++i) {
        const int r = warp * kWarpRows + i;
        if (r >= kEdgeTile) break;
        markGroup(magnitudes + (r + 1) * kMagnitudePitch + kGroup + lane * kGroup, low, high, r,
                  words, strong);
    }
    __syncthreads();
    const int column = place.left / kEdgeTile + warp;
    if (warp >= kWords || column >= tiles.across) return;
    beginEdgeTile(tiles, tiles.tileAt(column, place.top / kEdgeTile), words[warp][lane],
                  strong[warp][lane]);
}

// ---- what is kept ----

constexpr int kKeepThreads = 32 * kWords;

// Rows of tiles from row `first` on. What is beyond a row goes into its padding.
template <class T>
__global__ void __launch_bounds__(kKeepThreads)
    keepKernel(DeviceImage out, int first, FastDivide blocksAcross, EdgeTiles tiles) {
    constexpr int kPixels = 16 / int(sizeof(T));
    constexpr int kThreadsOfRow = kTileColumns / kPixels;
    __shared__ std::uint32_t white[kEdgeTile][kWords];
    const TilePlace place(blocksAcross, first, kEdgeTile);
    letNextLaunchBegin();
    waitForLaunchBefore();
    const int warp = int(threadIdx.x / 32);
    const int column = place.left / kEdgeTile + warp;
    if (column < tiles.across)
        white[threadIdx.x % 32][warp] =
            whiteInTheEnd(tiles, tiles.tileAt(column, place.top / kEdgeTile));
    __syncthreads();
    const int inRow = int(threadIdx.x) % kThreadsOfRow * kPixels;
    const int x = place.left + inRow;
    if (x >= out.size.width) return;
#pragma unroll
    for (int r = int(threadIdx.x) / kThreadsOfRow; r < kEdgeTile;
         r += kKeepThreads / kThreadsOfRow) {
        const int y = place.top + r;
        if (y >= out.size.height) return;
        std::uint32_t words[4];
        pixelsOfBits<T>(white[r][inRow / kEdgeTile] >> (inRow % kEdgeTile), words);
        storeWords<16>(out.data + std::int64_t(y) * out.pitch + std::int64_t(x) * int(sizeof(T)),
                       words);
    }
}

template <class T, int C>
void canny(KernelContext& context, const CannyPlan& plan, const DeviceImage& in,
           const DeviceImage& out) {
    const auto across = divideUp(unsigned(in.size.width), kEdgeTile);
    const auto down = divideUp(unsigned(in.size.height), kEdgeTile);
    const std::uint64_t bytes = EdgeTiles::bytes(std::uint64_t(across) * down);
    DeviceMemory own;
    if (bytes > DeviceContext::kMaxScratch) own = context.allocate(bytes);
    const EdgeTiles tiles = EdgeTiles::in(
        own.bytes() ? own.as() : context.device().scratch(DeviceContext::Scratch::Planes, bytes),
        int(across), int(down));
    if (across * down <= kFewEdgeTiles) return runSmallCanny<T, C>(context, plan, in, out, tiles);
    // A set may be spread a pixel at a time.
    forEachTileBand<kEdgeTile>(context, in, in.pitch + std::int64_t(in.size.width) * 3, 128,
                               [&](int first, int, FastDivide blocksAcross, unsigned blocks) {
                                   launchEarly(context, "Canny candidates", blocks,
                                               unsigned(kThreads), 0, candidatesKernel<T, C>, in,
                                               first, blocksAcross, std::uint32_t(plan.low),
                                               std::uint32_t(plan.high), tiles);
                               });
    joinEdgeTiles(context, tiles);
    const std::int64_t filled = std::int64_t(across) * kEdgeTile;
    forEachTileBand<kEdgeTile>(context, out, out.pitch + filled, 64,
                               [&](int first, int, FastDivide blocksAcross, unsigned blocks) {
                                   launchEarly(context, "Canny keeps", blocks,
                                               unsigned(kKeepThreads), 0, keepKernel<T>, out, first,
                                               blocksAcross, tiles);
                               });
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const CannyPlan&>(given);
    forSamples(in.format, [&]<class T, int C>() { canny<T, C>(context, plan, in, out); });
}

// Rows of tiles, and nodes, are numbered in 32 bits with room to spare.
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
