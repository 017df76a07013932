// CLAHE of 8-bit images by one table a tile: parts of tiles are counted, a block each adds the
// parts of a tile up and makes its table, and a pass finds the levels of the four tables around a
// pixel in one word of shared memory.
#include <algorithm>

#include "cuda_kernels/runtime/sample_loads.cuh"
#include "cuda_kernels/tone/clahe.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kLevels = 256;

struct ClaheMemory {
    std::uint8_t* tables;   // kLevels a tile
    std::uint32_t* counts;  // kLevels a part of a tile
    ClahePlace* columns;    // as many as fill a group at the end
    ClahePlace* rows;
};

// ---- counting ----

struct TileCut {
    ClaheTiles tiles;
    int rowsEach;
    int parts;
};

// Where the pixels lie that take levels from the tables.
struct PlacesOf {
    ClaheTiles tiles;
    int left, top;
    int columns, rows;

    __device__ void make(const ClaheMemory& memory, int i) const {
        if (i < columns)
            memory.columns[i] = ClahePlace::of(left + i, tiles.width, tiles.columns);
        else if (i - columns < rows)
            memory.rows[i - columns] = ClahePlace::of(top + i - columns, tiles.height, tiles.rows);
    }
};

// Neighbouring lanes count in different copies, in different banks.
constexpr unsigned kCopies = 8;

template <int C>
__device__ __forceinline__ std::uint32_t levelOfWord(std::uint32_t word, int k) {
    if constexpr (C == 1)
        return byteOf(word, k);
    else
        return luma(byteOf(word, 0), byteOf(word, 1), byteOf(word, 2));
}

// Pixels [from, to) of a piece of 16 bytes.
template <int C>
__device__ __forceinline__ void countPiece(const std::uint32_t (&words)[4], int from, int to,
                                           std::uint32_t* copy) {
    constexpr int kInWord = C == 1 ? 4 : 1;
#pragma unroll
    for (int w = 0; w < 4; ++w)
#pragma unroll
        for (int k = 0; k < kInWord; ++k) {
            const int i = w * kInWord + k;
            if (i >= from && i < to) atomicAdd(copy + levelOfWord<C>(words[w], k) * kCopies, 1u);
        }
}

// A part of a tile a block; the first launch makes places too.
template <int C>
__global__ void __launch_bounds__(kThreads)
    countPartsKernel(DeviceImage in, TileCut cut, int firstBlock, PlacesOf places,
                     ClaheMemory memory) {
    constexpr int kPixels = 16 / C, kAtOnce = 4;
    __shared__ std::uint32_t cells[kLevels * kCopies];
    const ClaheTiles& tiles = cut.tiles;
    const int block = firstBlock + int(blockIdx.x);
    const int tile = block / cut.parts, part = block - tile * cut.parts;
    const int left = tile % tiles.columns * tiles.width, right = left + tiles.width;
    const int top = tile / tiles.columns * tiles.height + part * cut.rowsEach;
    const int rows = min(cut.rowsEach, tiles.height - part * cut.rowsEach);
    // Beyond the image it is mirrored.
    const int end = max(left, min(right, in.size.width));
    const int firstPiece = left / kPixels;
    const std::uint32_t across = unsigned((end + kPixels - 1) / kPixels - firstPiece);
    const std::uint32_t pieces = end > left ? across * unsigned(rows) : 0u;

    for (unsigned i = threadIdx.x; i < kLevels * kCopies; i += kThreads) cells[i] = 0;
    if (firstBlock == 0)
        for (int i = int(blockIdx.x * kThreads + threadIdx.x); i < places.columns + places.rows;
             i += int(gridDim.x * kThreads))
            places.make(memory, i);
    __syncthreads();
    std::uint32_t* copy = cells + threadIdx.x % kCopies;
    for (std::uint32_t first = threadIdx.x; first < pieces; first += kThreads * kAtOnce) {
        std::uint32_t words[kAtOnce][4];
        int begin[kAtOnce];
#pragma unroll
        for (int n = 0; n < kAtOnce; ++n) {
            const std::uint32_t i = first + unsigned(n) * kThreads;
            begin[n] = -1;
            if (i >= pieces) continue;
            const std::uint32_t row = i / across;
            begin[n] = (firstPiece + int(i - row * across)) * kPixels;
            const int y = mirroredBeyond(top + int(row), in.size.height);
            loadWords<16>(in.data + std::int64_t(y) * in.pitch + std::int64_t(begin[n]) * C,
                          words[n]);
        }
#pragma unroll
        for (int n = 0; n < kAtOnce; ++n) {
            if (begin[n] < 0) continue;
            if (begin[n] >= left && begin[n] + kPixels <= end)
                countPiece<C>(words[n], 0, kPixels, copy);
            else
                countPiece<C>(words[n], left - begin[n], end - begin[n], copy);
        }
    }
    const std::uint32_t beyond = unsigned(right - end);
    for (std::uint32_t i = threadIdx.x; i < beyond * unsigned(rows); i += kThreads) {
        const std::uint32_t row = i / beyond;
        const int x = mirroredBeyond(end + int(i - row * beyond), in.size.width);
        const int y = mirroredBeyond(top + int(row), in.size.height);
        std::uint32_t words[1];
        loadWords<C>(in.data + std::int64_t(y) * in.pitch + std::int64_t(x) * C, words);
        atomicAdd(copy + levelOfWord<C>(words[0], 0) * kCopies, 1u);
    }
    __syncthreads();
    std::uint32_t sum = 0;
#pragma unroll
    for (unsigned k = 0; k < kCopies; ++k)
        sum += cells[threadIdx.x * kCopies + (threadIdx.x + k) % kCopies];
    memory.counts[std::int64_t(block) * kLevels + threadIdx.x] = sum;
}

// ---- tables ----

// Sum of the values of this thread and those before it; `all` becomes that of the whole block. All
// threads of the block come here.
__device__ __forceinline__ unsigned long long sumUpTo(unsigned long long value,
                                                      unsigned long long* warpSums,
                                                      unsigned long long& all) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (unsigned step = 1; step < 32; step *= 2) {
        const unsigned long long below = __shfl_up_sync(0xffffffffu, value, step);
        if (lane >= step) value += below;
    }
    if (lane == 31) warpSums[warp] = value;
    __syncthreads();
    all = 0;
#pragma unroll
    for (unsigned i = 0; i < kThreads / 32; ++i) {
        if (i < warp) value += warpSums[i];
        all += warpSums[i];
    }
    return value;
}

// A tile a block, a level a thread.
__global__ void __launch_bounds__(kThreads)
    tableOfPartsKernel(ClaheMemory memory, int parts, std::uint64_t clip, std::uint64_t area) {
    __shared__ unsigned long long cutSums[kThreads / 32], warpSums[kThreads / 32];
    const std::uint32_t level = threadIdx.x;
    const std::uint32_t* counts = memory.counts + std::int64_t(blockIdx.x) * parts * kLevels;
    unsigned long long count = 0, all = 0;
#pragma unroll 8
    for (int part = 0; part < parts; ++part) count += counts[std::int64_t(part) * kLevels + level];
    if (clip > 0) {
        const unsigned long long kept = count > clip ? clip : count;
        sumUpTo(count - kept, cutSums, all);
        count = kept + ClaheSpread::of(all, kLevels).at(level);
    }
    memory.tables[std::int64_t(blockIdx.x) * kLevels + level] =
        std::uint8_t(claheLevel(sumUpTo(count, warpSums, all), kLevels - 1, area));
}

// ---- mapping ----

constexpr int kGroup = 4;
constexpr int kBlockColumns = 2 * 32 * kGroup;
constexpr int kRowsAtOnce = int(kThreads) / 64;
constexpr int kNarrowest = 16;
// Between the centres of tiles, and beyond those of the outer ones.
constexpr int kMostCells = kBlockColumns / kNarrowest + 2;
template <int C>
constexpr int kMostRows = C == 1 ? 32 : 16;

// Of columns or rows. Cell c lies between tiles c - 1 and c.
__device__ __forceinline__ int cellOf(const ClahePlace& place) {
    return int(place.second) + (place.first == place.second && place.second > 0);
}

// The levels of the four tables around a cell in a word: upper first and second, lower ones.
__device__ __forceinline__ void loadQuads(const std::uint8_t* tables, int columns, int firstCell,
                                          int cells, std::uint32_t upper, std::uint32_t lower,
                                          std::uint32_t* quads) {
    constexpr int kWords = kLevels / 4;
    const auto* words = reinterpret_cast<const std::uint32_t*>(tables);
    for (int i = int(threadIdx.x); i < cells * kWords; i += int(kThreads)) {
        const int cell = firstCell + i / kWords;
        const int first = max(cell - 1, 0), second = min(cell, columns - 1);
        const auto word = [&](std::uint32_t row, int column) {
            return words[(std::int64_t(row) * columns + column) * kWords + i % kWords];
        };
        const std::uint32_t a = word(upper, first), b = word(upper, second), c = word(lower, first),
                            d = word(lower, second);
        const std::uint32_t ab = __byte_perm(a, b, 0x5140), cd = __byte_perm(c, d, 0x5140);
        const std::uint32_t abHigh = __byte_perm(a, b, 0x7362), cdHigh = __byte_perm(c, d, 0x7362);
        reinterpret_cast<uint4*>(quads)[i] =
            uint4{__byte_perm(ab, cd, 0x5410), __byte_perm(ab, cd, 0x7632),
                  __byte_perm(abHigh, cdHigh, 0x5410), __byte_perm(abHigh, cdHigh, 0x7632)};
    }
}

// claheBlend of a quad.
__device__ __forceinline__ std::uint32_t blendOfQuad(std::uint32_t quad, std::uint32_t across,
                                                     std::uint32_t down) {
    const std::uint32_t a = byteOf(quad, 0), b = byteOf(quad, 1), c = byteOf(quad, 2),
                        d = quad >> 24;
    const std::uint32_t top = (a << 16) + (b - a) * across, bottom = (c << 16) + (d - c) * across;
    return std::uint32_t((std::uint64_t(top) * (65536u - down) + std::uint64_t(bottom) * down +
                          (std::uint64_t(1) << 31)) >>
                         32);
}

// min(255, (2 v t + Y) / (2 Y)) as in tone/equalize.cu, of three colours.
__device__ __forceinline__ std::uint32_t scaledPixel(std::uint32_t pixel, std::uint32_t t,
                                                     std::uint32_t y, std::uint32_t factor) {
    const auto scaled = [&](int k) {
        return min(255u, __umulhi(byteOf(pixel, k) * (2 * t) + y, factor));
    };
    return y ? scaled(0) | scaled(1) << 8 | scaled(2) << 16 | (pixel & 0xff000000u) : pixel;
}

// Rows from `firstRow` of the image on, which are row 0 of in and out. A block has kBlockColumns
// columns of rowsEach rows, a lane of each warp the place of one of these.
template <int C>
__global__ void __launch_bounds__(kThreads)
    mapBytesKernel(DeviceImage in, DeviceImage out, int firstRow, int rowsEach,
                   FastDivide blocksAcross, int tileColumns, ClaheMemory memory) {
    alignas(16) __shared__ std::uint32_t quads[kMostCells * kLevels];
    __shared__ std::uint32_t factors[C == 4 ? kLevels : 1];
    const std::uint32_t down = blocksAcross(blockIdx.x);
    const int left = int(blockIdx.x - down * blocksAcross.divisor) * kBlockColumns;
    const int top = int(down) * rowsEach, rows = min(rowsEach, in.size.height - top);
    const int lane = int(threadIdx.x % 32), warp = int(threadIdx.x / 32);
    const int x = left + (warp % 2 * 32 + lane) * kGroup, own = warp / 2;
    const bool inside = x < in.size.width;
    // The next row's are on their way while those of one are made.
    std::uint32_t pixels[C] = {}, next[C] = {};
    const auto load = [&](int r, std::uint32_t(&words)[C]) {
        if (inside && r < rows)
            loadWords<4 * C>(in.data + std::int64_t(top + r) * in.pitch + std::int64_t(x) * C,
                             words);
    };
    int r = own;
    load(r, pixels);
    const ClahePlace row = memory.rows[firstRow + top + min(lane, rows - 1)];
    const int firstCell = cellOf(memory.columns[left]);
    const int cells =
        cellOf(memory.columns[min(left + kBlockColumns, in.size.width) - 1]) - firstCell + 1;
    std::uint32_t across[kGroup], base[kGroup];
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        const ClahePlace place = memory.columns[inside ? x + k : left];
        across[k] = place.weight;
        // What is beyond the row is nobody's, but looked up.
        base[k] = unsigned(min(cellOf(place) - firstCell, cells - 1)) * kLevels;
    }
    if constexpr (C == 4) {
        const std::uint32_t y = threadIdx.x;
        factors[y] = y ? 0xffffffffu / (2 * y) + 1 : 0;
    }
    // Rows between the same two rows of tiles at a time.
    for (int begin = 0; begin < rows;) {
        const int cell = __shfl_sync(0xffffffffu, cellOf(row), begin);
        const unsigned same = __ballot_sync(0xffffffffu, lane < rows && cellOf(row) == cell);
        const int end = begin + __popc(same);
        loadQuads(memory.tables, tileColumns, firstCell, cells,
                  __shfl_sync(0xffffffffu, row.first, begin),
                  __shfl_sync(0xffffffffu, row.second, begin), quads);
        __syncthreads();
#pragma unroll 1
        for (; r < end; r += kRowsAtOnce) {
            load(r + kRowsAtOnce, next);
            const std::uint32_t weight = __shfl_sync(0xffffffffu, row.weight, r);
            std::uint32_t made[C] = {};
#pragma unroll
            for (int k = 0; k < kGroup; ++k) {
                const std::uint32_t word = pixels[C == 1 ? 0 : k];
                const std::uint32_t level = levelOfWord<C>(word, k);
                const std::uint32_t mapped = blendOfQuad(quads[base[k] + level], across[k], weight);
                if constexpr (C == 1)
                    made[0] |= mapped << (8 * k);
                else
                    made[k] = scaledPixel(word, mapped, level, factors[level]);
            }
            if (inside)
                storeWords<4 * C>(
                    out.data + std::int64_t(top + r) * out.pitch + std::int64_t(x) * C, made);
#pragma unroll
            for (int k = 0; k < C; ++k) pixels[k] = next[k];
        }
        begin = end;
        __syncthreads();
    }
}

// ---- launches ----

// Parts of tiles so that all multiprocessors have some, but not less than what fills a block, and
// not more than a block adds up soon.
TileCut cutOf(const ClaheTiles& tiles, int multiprocessors) {
    constexpr std::int64_t kLeast = 4096, kMost = 1 << 20, kMostParts = 128;
    const auto area = std::int64_t(tiles.area());
    const std::int64_t wanted = area * tiles.count() / (4 * std::int64_t(multiprocessors));
    const std::int64_t pixels = std::clamp(std::max(wanted, area / kMostParts), kLeast, kMost);
    TileCut cut{tiles, int(std::clamp<std::int64_t>(pixels / tiles.width, 1, tiles.height)), 1};
    cut.parts = int(divideUp(unsigned(tiles.height), unsigned(cut.rowsEach)));
    return cut;
}

template <int C>
void runBytes(KernelContext& context, const ClahePlan& plan, const DeviceImage& counted,
              const DeviceImage& in, const DeviceImage& out) {
    const TileCut cut = cutOf(plan.counted(), context.traits().multiprocessors);
    const std::int64_t tiles = cut.tiles.count(), blocks = tiles * cut.parts;
    const int columns = int(divideUp(unsigned(in.size.width), kGroup)) * kGroup;
    const PlacesOf places{plan.applied(), plan.left(), plan.top(), columns, in.size.height};
    const std::size_t countBytes = std::size_t(blocks) * kLevels * sizeof(std::uint32_t);
    const std::size_t tableBytes = std::size_t(tiles) * kLevels;
    const DeviceMemory all =
        context.allocate(countBytes + tableBytes +
                         (std::size_t(columns) + unsigned(in.size.height)) * sizeof(ClahePlace));
    auto* tables = all.as<std::uint8_t>() + countBytes;
    auto* placesAt = reinterpret_cast<ClahePlace*>(tables + tableBytes);
    const ClaheMemory memory{tables, all.as<std::uint32_t>(), placesAt, placesAt + columns};

    const std::int64_t blockPixels = std::int64_t(cut.tiles.width) * cut.rowsEach;
    context.forEachBand(int(blocks), context.rowsPerLaunch(blockPixels * C, blockPixels * 16),
                        [&](int first, int last) {
                            launch(context, "count tiles", unsigned(last - first), kThreads, 0,
                                   countPartsKernel<C>, counted, cut, first, places, memory);
                        });
    launch(context, "make tables of tiles", unsigned(tiles), kThreads, 0, tableOfPartsKernel,
           memory, cut.parts, claheClip(plan.clip, cut.tiles.area(), kLevels), cut.tiles.area());
    const std::uint32_t blocksAcross = divideUp(unsigned(in.size.width), kBlockColumns);
    int rowsEach = kMostRows<C>;
    while (rowsEach > kRowsAtOnce &&
           blocksAcross * divideUp(unsigned(in.size.height), unsigned(rowsEach)) <
               unsigned(context.traits().multiprocessors))
        rowsEach /= 2;
    const int bandRows = context.rowsPerLaunch(in.pitch + out.pitch, std::int64_t(columns) * 32);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        launch(context, "map tiles",
               blocksAcross * divideUp(unsigned(last - first), unsigned(rowsEach)), kThreads, 0,
               mapBytesKernel<C>, rowsOf(in, first, last), rowsOf(out, first, last), first,
               rowsEach, FastDivide(blocksAcross), plan.columns, memory);
    });
}

}  // namespace

bool isClaheOfBytes(const ClahePlan& plan) {
    return bytesPerSample(plan.input) == 1 && (!isColor(plan.input) || plan.byLuma()) &&
           plan.applied().width >= kNarrowest;
}

void runClaheOfBytes(KernelContext& context, const ClahePlan& plan, const DeviceImage& counted,
                     const DeviceImage& in, const DeviceImage& out) {
    isColor(in.format) ? runBytes<4>(context, plan, counted, in, out)
                       : runBytes<1>(context, plan, counted, in, out);
}

void loadClaheOfBytes() {
    loadKernel(countPartsKernel<1>);
    loadKernel(countPartsKernel<4>);
    loadKernel(tableOfPartsKernel);
    loadKernel(mapBytesKernel<1>);
    loadKernel(mapBytesKernel<4>);
}

}  // namespace warpscope::cuda
