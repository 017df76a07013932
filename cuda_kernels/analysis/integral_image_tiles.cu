// Reduce, then scan. Tiles are 128 columns wide and 8 warps of kRows rows high.
//   1. Each tile: the sums of its rows, its own integral image's last row, its total.
//   2. Exclusive scans of these: row sums to the right, last rows downwards. An image of few tiles
//      leaves this to the third step, where each tile adds up what lies before it.
//   3. Each tile again, from pixels to the integral image.
// Of the smallest images the third step alone is left: each tile adds up all pixels before it.
// The pixels are read twice and everything else is small. No block waits for another.
#include <algorithm>

#include "cuda_kernels/analysis/integral_image_tiles.cuh"
#include "cuda_kernels/runtime/early_launch.cuh"

namespace warpscope::cuda {
namespace {

using namespace integral;

constexpr unsigned kThreads = 256;
constexpr int kWarps = int(kThreads) / 32;
constexpr int kFewTiles = 32;  // along each side: the third step adds them up

// On compute capability 10.0 the assembler itself stays at as many registers, but then keeps a
// value in memory.
template <class T, SumOf What, int kRows>
constexpr int kResidentSums = kRows == 16 && sizeof(T) == 2 && What == SumOf::Planes
                                  ? blocksByDevice({0, 0, 5, 0}, kThreads)
                                  : 0;

template <class T, SumOf What, class Sum, int kRows>
__global__ void __launch_bounds__(kThreads, (kResidentSums<T, What, kRows>))
    tileSumsKernel(DeviceImage in, TileSums<Sum> sums, FastDivide tilesX, FastDivide tilesY) {
    using Pixels = PackedPixels<T, What, 4>;
    __shared__ std::uint32_t columns[kWarps][kTileWidth];
    const Tile tile(tilesX, tilesY);
    const int lane = int(threadIdx.x % 32), warp = int(threadIdx.x / 32);
    const int column = tile.x * kTileWidth + 4 * lane;
    const int y = (tile.y * kWarps + warp) * kRows;

    // In this order: whoever begins from here on finds the pixels complete without waiting.
    waitForLaunchBefore();
    letNextLaunchBegin();
    std::uint32_t packed[kRows][Pixels::kWords];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        const int valid = y + r < in.size.height ? in.size.width - column : 0;
        Pixels::load(in.data + (y + r) * in.pitch, column, valid, tile.plane, packed[r]);
    }
    std::uint32_t column4[4] = {};
    std::uint32_t row[kRows];
    if constexpr (sizeof(T) == 1) {
        std::uint32_t even = 0, odd = 0;  // 16 bits each: at most 16 rows of 255
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            even += packed[r][0] & 0x00ff00ffu;
            odd += (packed[r][0] >> 8) & 0x00ff00ffu;
            row[r] = std::uint32_t(__dp4a(packed[r][0], 0x01010101u, 0u));
        }
        column4[0] = even & 0xffffu;
        column4[1] = odd & 0xffffu;
        column4[2] = even >> 16;
        column4[3] = odd >> 16;
    } else {
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            row[r] = 0;
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const std::uint32_t value = sampleOf<T>(packed[r], k);
                column4[k] += value;
                row[r] += value;
            }
        }
    }
    reinterpret_cast<uint4*>(columns[warp])[lane] = {column4[0], column4[1], column4[2],
                                                     column4[3]};
    const std::uint32_t total = rowTotals(row, lane);
    constexpr int kLanesPerRow = 32 / kRows;
    if (lane % kLanesPerRow == 0) sums.rowsOf(tile.plane, tile.x)[y + lane / kLanesPerRow] = total;
    __syncthreads();
    if (warp != 0) return;
    uint4 sum = {};
    // Half of them at once where all would be what takes the most registers.
    constexpr int kAtOnce =
        What == SumOf::Planes && (sizeof(T) == 1 || kRows == 4) ? kWarps / 2 : kWarps;
#pragma unroll kAtOnce
    for (int w = 0; w < kWarps; ++w) {
        const uint4 part = reinterpret_cast<const uint4*>(columns[w])[lane];
        sum.x += part.x;
        sum.y += part.y;
        sum.z += part.z;
        sum.w += part.w;
    }
    sum.y += sum.x;
    sum.z += sum.y;
    sum.w += sum.z;
    const std::uint32_t upTo = inclusiveScan(sum.w, lane);
    const std::uint32_t before = upTo - sum.w;
    Sum* bottom = sums.bottomsOf(tile.plane, tile.y) + column;
    bottom[0] = before + sum.x;
    bottom[1] = before + sum.y;
    bottom[2] = before + sum.z;
    bottom[3] = upTo;
    if (lane == 31) sums.totalsOf(tile.plane, tile.y)[tile.x] = upTo;
}

// Exclusive scans along tiles. A block takes 32 lines, cut into kWarps segments: rows of the image
// (scanned over the tiles to their right) first, then columns (scanned over the tiles below, with
// everything to the left of those tiles added).
template <class Sum>
__global__ void __launch_bounds__(kThreads)
    scanKernel(TileSums<Sum> sums, int planes, FastDivide rowBlocks, FastDivide columnBlocks) {
    __shared__ Sum segments[kWarps][32];
    const int lane = int(threadIdx.x % 32), warp = int(threadIdx.x / 32);
    const bool columns = blockIdx.x >= unsigned(planes) * rowBlocks.divisor;
    const std::uint32_t index =
        columns ? blockIdx.x - unsigned(planes) * rowBlocks.divisor : blockIdx.x;
    const int plane = int(columns ? columnBlocks(index) : rowBlocks(index));
    const int block =
        int(index - unsigned(plane) * (columns ? columnBlocks.divisor : rowBlocks.divisor));
    const int line = block * 32 + lane;
    const int count = columns ? sums.tilesY : sums.tilesX;
    const std::int64_t step =
        columns ? std::int64_t(sums.tilesX) * kTileWidth : std::int64_t(sums.paddedRows);
    Sum* values = (columns ? sums.bottomsOf(plane, 0) : sums.rowsOf(plane, 0)) + line;
    const bool inside = columns || line < sums.paddedRows;
    const int perSegment = (count + kWarps - 1) / kWarps;
    const int first = warp * perSegment, last = min(count, first + perSegment);
    // All tiles to the left in the row `i` of tiles.
    const int tileX = block / (kTileWidth / 32);
    const auto leftOf = [&](int i) {
        const Sum* totals = sums.totalsOf(plane, i);
        Sum sum = 0;
        for (int k = lane; k < tileX; k += 32) sum += totals[k];
        return warpSum(sum);
    };
    Sum sum = 0;
#pragma unroll 8
    for (int i = first; i < last; ++i) {
        if (inside) sum += values[i * step];
        if (columns) sum += leftOf(i);
    }
    segments[warp][lane] = sum;
    __syncthreads();
    Sum before = 0;
    for (int w = 0; w < warp; ++w) before += segments[w][lane];
#pragma unroll 8
    for (int i = first; i < last; ++i) {
        const Sum own = inside ? values[i * step] : Sum(0);
        if (inside) values[i * step] = before;
        before += own;
        if (columns) before += leftOf(i);
    }
}

// Sums of the bytes before a tile of kRows rows a warp, which a warp adds up for every kWarps-th
// row above the tile and for its own rows.
template <int kRows>
struct BytesBefore {
    // Loads under way at once: what a warp has above the last tile of 256 rows.
    static constexpr int kTogether = 28;
    std::uint32_t columns[4];        // up to the lane's columns, above the tile
    std::uint32_t corner = 0;        // above the tile and to the left of it
    std::uint32_t rows[kRows] = {};  // to the left of the tile

    __device__ BytesBefore(const DeviceImage& in, const Tile& tile, int warp, int lane) {
        const int above = tile.y * kWarps * kRows, column = tile.x * kTileWidth + 4 * lane;
        const int valid = in.size.width - column;
        const std::uint32_t kept = valid >= 4 ? kAll : (1u << (8 * max(valid, 0))) - 1u;
        // Two sums of at most 65,535 each in a word.
        std::uint32_t even = 0, odd = 0;
        forRows(in, warp, valid > 0 ? above : 0, column, [&](std::uint32_t four) {
            even += four & kept & 0x00ff00ffu;
            odd += (four & kept) >> 8 & 0x00ff00ffu;
        });
        columns[0] = even & 0xffffu;
        columns[1] = columns[0] + (odd & 0xffffu);
        columns[2] = columns[1] + (even >> 16);
        columns[3] = columns[2] + (odd >> 16);
        const std::uint32_t toTheLeft = inclusiveScan(columns[3], lane) - columns[3];
#pragma unroll
        for (std::uint32_t& sum : columns) sum += toTheLeft;
        const int y = above + warp * kRows;
        for (int left = 4 * lane; left < tile.x * kTileWidth; left += kTileWidth) {
            // Rows below the image are nobody's; the last one again rather than a branch.
            std::uint32_t beside[kRows];
#pragma unroll
            for (int r = 0; r < kRows; ++r)
                beside[r] = at(in, min(y + r, in.size.height - 1), left);
            forRows(in, warp, above, left, [&](std::uint32_t four) {
                corner = std::uint32_t(__dp4a(four, 0x01010101u, corner));
            });
#pragma unroll
            for (int r = 0; r < kRows; ++r)
                rows[r] = std::uint32_t(__dp4a(beside[r], 0x01010101u, rows[r]));
        }
    }

  private:
    static __device__ std::uint32_t at(const DeviceImage& in, int y, int column) {
        return *reinterpret_cast<const std::uint32_t*>(in.data + y * in.pitch + column);
    }
    // Rows from `first` on up to `end`, kWarps apart.
    template <class Take>
    static __device__ void forRows(const DeviceImage& in, int first, int end, int column,
                                   const Take& take) {
        for (int y = first; y < end; y += kTogether * kWarps) {
            std::uint32_t four[kTogether];
#pragma unroll
            for (int k = 0; k < kTogether; ++k)
                four[k] = y + k * kWarps < end ? at(in, y + k * kWarps, column) : 0;
#pragma unroll
            for (int k = 0; k < kTogether; ++k) take(four[k]);
        }
    }
};

// Whether a lane scans its pixels before it waits for the sums of tiles. Wider sums leave no
// registers for that, nor do those of luma on newer devices.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
template <SumOf What, class Sum, Before kBefore>
constexpr bool kScansFirst = kBefore == Before::Tiles && sizeof(Sum) == 4 &&
                             (__CUDA_ARCH__ == 900 || What != SumOf::Luma);
#else
template <SumOf What, class Sum, Before kBefore>
constexpr bool kScansFirst = false;
#endif

template <class T, SumOf What, class Sum, int kRows, Before kBefore>
__global__ void __launch_bounds__(kThreads, kResident<T, What, Sum, kBefore>)
    pixelSumsKernel(DeviceImage in, SumPlanes out, const Sum* above, TileSums<Sum> sums,
                    FastDivide tilesX, FastDivide tilesY) {
    using Columns = LaneColumns<Sum>;
    constexpr int kTileRows = kWarps * kRows;
    __shared__ std::uint32_t parts[kWarps][kTileWidth];
    __shared__ Sum tops[kTileWidth];
    __shared__ Sum lefts[kTileRows];
    __shared__ Sum corners[kWarps];
    // Sums up to the columns above the tile, of every kWarps-th row.
    __shared__ std::uint32_t aboveOf[kBefore == Before::Pixels ? kWarps : 1][kTileWidth];
    const Tile tile(tilesX, tilesY);
    const int lane = int(threadIdx.x % 32), warp = int(threadIdx.x / 32);
    const int tileColumn = tile.x * kTileWidth;
    const int y = (tile.y * kWarps + warp) * kRows;

    LaneTile<T, What, Sum, kRows> pixels;
    pixels.load(in, tileColumn, y, tile.plane, lane);
    if constexpr (kBefore == Before::Tiles) {
        // The pixels alone are read before: tileSumsKernel, which is the launch before, has waited
        // for whoever made them. Its sums, and rows of sums of the launch before that, come after.
        letNextLaunchBegin();
        if constexpr (kScansFirst<What, Sum, kBefore>) pixels.scan(lane);
        waitForLaunchBefore();
    }

    // What lies above the columns and to the left of the rows.
    const int thread = int(threadIdx.x);
    if (thread < kTileWidth) {
        const int x = tileColumn + thread;
        const std::int64_t plane = tile.plane * (out.planePitch / std::int64_t(sizeof(Sum)));
        Sum top = above && x < in.size.width ? above[plane + x] : Sum(0);
        if constexpr (kBefore == Before::Scanned) {
            top += sums.bottomsOf(tile.plane, tile.y)[x];
        } else if constexpr (kBefore == Before::Tiles) {
#pragma unroll 8
            for (int i = 0; i < tile.y; ++i) top += sums.bottomsOf(tile.plane, i)[x];
        }
        tops[thread] = top;
    } else if (kBefore != Before::Pixels && thread - kTileWidth < kTileRows) {
        const int row = thread - kTileWidth;
        const int at = tile.y * kTileRows + row;
        Sum left = 0;
        if constexpr (kBefore == Before::Scanned) {
            left = sums.rowsOf(tile.plane, tile.x)[at];
        } else {
#pragma unroll 8
            for (int i = 0; i < tile.x; ++i) left += sums.rowsOf(tile.plane, i)[at];
        }
        lefts[row] = left;
    }
    if constexpr (kBefore == Before::Pixels) {
        BytesBefore<kRows> before(in, tile, warp, lane);
        reinterpret_cast<uint4*>(aboveOf[warp])[lane] = {before.columns[0], before.columns[1],
                                                         before.columns[2], before.columns[3]};
        const std::uint32_t corner = warpSum(before.corner);
        if (lane == 0) corners[warp] = corner;
        const std::uint32_t left = rowTotals(before.rows, lane);
        constexpr int kLanesPerRow = 32 / kRows;
        if (lane % kLanesPerRow == 0) lefts[warp * kRows + lane / kLanesPerRow] = left;
    }
    if constexpr (kBefore == Before::Tiles) {
        Sum corner = 0;
        if (lane < tile.x) {
#pragma unroll 4
            for (int i = warp; i < tile.y; i += kWarps)
                corner += sums.totalsOf(tile.plane, i)[lane];
        }
        static_assert(kFewTiles <= 32);
        corner = warpSum(corner);
        if (lane == 0) corners[warp] = corner;
    }

    if constexpr (!kScansFirst<What, Sum, kBefore>) pixels.scan(lane);
    std::uint32_t part[4] = {};
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        std::uint32_t row[4];
        pixels.rowSums(r, row);
#pragma unroll
        for (int k = 0; k < 4; ++k) part[k] += row[k];
    }
#pragma unroll
    for (int k = 0; k < 4; ++k)
        parts[warp][Columns::first(lane, k / Columns::kEach) + k % Columns::kEach] = part[k];
    pixels.forget();
    __syncthreads();

    Sum start = 0;
    for (int i = lane; i < warp * kRows; i += 32) start += lefts[i];
    start = warpSum(start);
    if constexpr (kBefore != Before::Scanned) {
#pragma unroll
        for (int w = 0; w < kWarps; ++w) start += corners[w];
    }
    Sum total[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const int x = Columns::first(lane, k / Columns::kEach) + k % Columns::kEach;
        std::uint32_t inTile = 0;
        for (int w = 0; w < warp; ++w) inTile += parts[w][x];
        if constexpr (kBefore == Before::Pixels) {
#pragma unroll
            for (int w = 0; w < kWarps; ++w) inTile += aboveOf[w][x];
        }
        total[k] = start + tops[x] + inTile;
    }
    std::byte* target = out.data + tile.plane * out.planePitch + y * out.pitch;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        if (y + r >= in.size.height) return;
        std::uint32_t row[4];
        pixels.rowSums(r, row);
        const Sum left = lefts[warp * kRows + r];
#pragma unroll
        for (int k = 0; k < 4; ++k) total[k] += row[k] + left;
#pragma unroll
        for (int g = 0; g < Columns::kGroups; ++g) {
            const int x = tileColumn + Columns::first(lane, g);
            if (x < in.size.width) storeSums(target + std::int64_t(x) * int(sizeof(Sum)), total, g);
        }
        target += out.pitch;
    }
}

// Images of so few tiles take less time to add up again than two launches do.
constexpr unsigned kTilesOfPixels = 24;
template <class T, SumOf What, class Sum, int kRows>
constexpr bool kSumsPixels = sizeof(T) == 1 && What == SumOf::Sample &&
                             sizeof(Sum) == 4 && kRows == 4;

template <class T, SumOf What, class Sum, int kRows>
void sumTiles(KernelContext& context, const DeviceImage& in, const SumPlanes& out,
              const std::byte* above) {
    constexpr int kTileRows = kWarps * kRows;
    const unsigned planes = What == SumOf::Planes ? 3 : 1;
    const FastDivide tilesX(divideUp(unsigned(in.size.width), kTileWidth));
    const FastDivide tilesY(divideUp(unsigned(in.size.height), kTileRows));
    const unsigned tiles = tilesX.divisor * tilesY.divisor * planes;
    const auto* before = reinterpret_cast<const Sum*>(above);
    TileSums<Sum> sums{};
    if constexpr (kSumsPixels<T, What, Sum, kRows>) {
        if (tiles <= kTilesOfPixels)
            return launch(context, "sums of pixels", tiles, kThreads, 0,
                          pixelSumsKernel<T, What, Sum, kRows, Before::Pixels>, in, out, before,
                          sums, tilesX, tilesY);
    }
    sums.tilesX = int(tilesX.divisor);
    sums.tilesY = int(tilesY.divisor);
    sums.paddedRows = sums.tilesY * kTileRows;
    const std::size_t forRows = std::size_t(tiles) * kTileRows;
    const std::size_t forBottoms = std::size_t(tiles) * kTileWidth;
    const std::size_t bytes = (forRows + forBottoms + tiles) * sizeof(Sum);
    DeviceMemory large;
    if (bytes > DeviceContext::kMaxScratch) large = context.allocate(bytes);
    sums.rows = reinterpret_cast<Sum*>(
        large.bytes() ? large.as()
                      : context.device().scratch(DeviceContext::Scratch::Small, bytes));
    sums.bottoms = sums.rows + forRows;
    sums.totals = sums.bottoms + forBottoms;

    if (sums.tilesX <= kFewTiles && sums.tilesY <= kFewTiles) {
        launchEarly(context, "sums of tiles", tiles, kThreads, 0,
                    tileSumsKernel<T, What, Sum, kRows>, in, sums, tilesX, tilesY);
        launchEarly(context, "sums of pixels", tiles, kThreads, 0,
                    pixelSumsKernel<T, What, Sum, kRows, Before::Tiles>, in, out, before, sums,
                    tilesX, tilesY);
        return;
    }
    // Three launches that begin early take longer: such images keep the device busy by themselves.
    launch(context, "sums of tiles", tiles, kThreads, 0, tileSumsKernel<T, What, Sum, kRows>, in,
           sums, tilesX, tilesY);
    const FastDivide rowBlocks(divideUp(unsigned(sums.paddedRows), 32));
    const FastDivide columnBlocks(tilesX.divisor * (kTileWidth / 32));
    launch(context, "scan of tiles", planes * (rowBlocks.divisor + columnBlocks.divisor), kThreads,
           0, scanKernel<Sum>, sums, int(planes), rowBlocks, columnBlocks);
    launch(context, "sums of pixels", tiles, kThreads, 0,
           pixelSumsKernel<T, What, Sum, kRows, Before::Scanned>, in, out, before, sums, tilesX,
           tilesY);
}

// Which tiles images of this kind need (see integralFormat): 64-bit sums of 8 bits are of at least
// 16 megapixels, 32-bit sums of 16-bit luma of at most 65,536 pixels. Each kind of tile takes long
// to compile.
template <class T, class Sum>
constexpr bool kNeedsLow = sizeof(T) == 2 || sizeof(Sum) == 4;
template <class T, SumOf What, class Sum>
constexpr bool kNeedsHigh = sizeof(T) == 1 || sizeof(Sum) == 8 || What != SumOf::Luma;

// Tiles of 128 rows; of 32 where the large ones would leave multiprocessors without work.
template <class T, SumOf What, class Sum>
void sumSized(KernelContext& context, const DeviceImage& in, const SumPlanes& out,
              const std::byte* above) {
    const std::uint64_t large = std::uint64_t(divideUp(unsigned(in.size.width), kTileWidth)) *
                                divideUp(unsigned(in.size.height), kWarps * 16);
    constexpr bool kLow = kNeedsLow<T, Sum>, kHigh = kNeedsHigh<T, What, Sum>;
    if (kLow && (!kHigh || large < std::uint64_t(context.traits().multiprocessors)))
        sumTiles<T, What, Sum, kLow ? 4 : 16>(context, in, out, above);
    else
        sumTiles<T, What, Sum, kHigh ? 16 : 4>(context, in, out, above);
}

template <class T, class Sum>
void sumSamples(KernelContext& context, SumOf what, const DeviceImage& in, const SumPlanes& out,
                const std::byte* above) {
    switch (what) {
        case SumOf::Sample:
            return sumSized<T, SumOf::Sample, Sum>(context, in, out, above);
        case SumOf::Luma:
            return sumSized<T, SumOf::Luma, Sum>(context, in, out, above);
        case SumOf::Planes:
            // Box sums of 8 bits never need more.
            if constexpr (sizeof(T) == 2 || sizeof(Sum) == 4)
                sumSized<T, SumOf::Planes, Sum>(context, in, out, above);
    }
}

template <class T, SumOf What, class Sum>
void loadOne() {
    if constexpr (kNeedsHigh<T, What, Sum>) {
        loadKernel(tileSumsKernel<T, What, Sum, 16>);
        loadKernel(pixelSumsKernel<T, What, Sum, 16, Before::Tiles>);
        loadKernel(pixelSumsKernel<T, What, Sum, 16, Before::Scanned>);
    }
    if constexpr (kNeedsLow<T, Sum>) loadKernel(pixelSumsKernel<T, What, Sum, 4, Before::Scanned>);
    if constexpr (kSumsPixels<T, What, Sum, 4>) {
        loadKernel(tileSumsKernel<T, What, Sum, 4>);
        loadKernel(pixelSumsKernel<T, What, Sum, 4, Before::Tiles>);
    }
    loadKernel(scanKernel<Sum>);
}

}  // namespace

int rowsPerSumLaunch(const KernelContext& context, const DeviceImage& in, int sumBytesPerPixel) {
    return context.rowsPerLaunch(2 * in.pitch + std::int64_t(in.size.width) * sumBytesPerPixel,
                                 std::int64_t(in.size.width) * 4);
}

void sumRows(KernelContext& context, SumOf what, const DeviceImage& in, const SumPlanes& out,
             const std::byte* above) {
    const bool wide = bytesPerSample(in.format) == 2;
    if (out.sampleBytes == 4) {
        if (wide)
            sumSamples<std::uint16_t, std::uint32_t>(context, what, in, out, above);
        else
            sumSamples<std::uint8_t, std::uint32_t>(context, what, in, out, above);
    } else {
        if (wide)
            sumSamples<std::uint16_t, std::uint64_t>(context, what, in, out, above);
        else
            sumSamples<std::uint8_t, std::uint64_t>(context, what, in, out, above);
    }
}

void loadSumKernels() {
    loadOne<std::uint8_t, SumOf::Sample, std::uint32_t>();
    loadOne<std::uint8_t, SumOf::Sample, std::uint64_t>();
    loadOne<std::uint8_t, SumOf::Luma, std::uint32_t>();
    loadOne<std::uint8_t, SumOf::Luma, std::uint64_t>();
    loadOne<std::uint8_t, SumOf::Planes, std::uint32_t>();
    loadOne<std::uint16_t, SumOf::Sample, std::uint32_t>();
    loadOne<std::uint16_t, SumOf::Sample, std::uint64_t>();
    loadOne<std::uint16_t, SumOf::Luma, std::uint32_t>();
    loadOne<std::uint16_t, SumOf::Luma, std::uint64_t>();
    loadOne<std::uint16_t, SumOf::Planes, std::uint32_t>();
    loadOne<std::uint16_t, SumOf::Planes, std::uint64_t>();
}

}  // namespace warpscope::cuda
