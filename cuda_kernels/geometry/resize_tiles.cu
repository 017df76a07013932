// A block makes a tile of the output. First the rows of the input that it needs, resized across,
// two rows at a time; these middle rows stay in shared memory. Then columns of four samples, from
// pairs of middle rows. Taps are multiplied two at a time, by dp2a.
#include "cuda_kernels/geometry/resize_tiles.cuh"

#include "cuda_kernels/runtime/dot_products.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kSamples = kResizeTileSamples;
// Threads across a tile when columns are made: four samples each.
constexpr int kColumnLanes = kSamples / 4;

// TapGroups in device memory.
struct DeviceTaps {
    const std::int32_t* first;
    const std::uint32_t* weights;
    int length;
};

struct DownTaps : DeviceTaps {
    int groups, phase;
    bool isWide;
};

__device__ __forceinline__ std::uint32_t bytes(std::uint32_t a, std::uint32_t b, unsigned select) {
    return __byte_perm(a, b, select);
}

// Of one row: sums of the groups' samples with the weights of one plane.
template <int C, int kGroups>
struct RowSums;

template <int kGroups>
struct RowSums<1, kGroups> {
    static constexpr int kWords = 2 * kGroups;  // of weights
    static constexpr int kGroupBytes = 4;
    std::uint32_t samples[kGroups];

    __device__ __forceinline__ void load(int group, const std::byte* at) {
        samples[group] = __ldg(reinterpret_cast<const std::uint32_t*>(at));
    }
    __device__ __forceinline__ void add(const std::uint32_t (&weights)[kWords],
                                        int (&sums)[1]) const {
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
            sums[0] = dotLow(weights[2 * g], samples[g], sums[0]);
            sums[0] = dotHigh(weights[2 * g + 1], samples[g], sums[0]);
        }
    }
};

template <int kGroups>
struct RowSums<4, kGroups> {
    static constexpr int kWords = kGroups;
    static constexpr int kGroupBytes = 8;
    // Of two pixels: red and green, blue and alpha.
    std::uint32_t redGreen[kGroups], blueAlpha[kGroups];

    __device__ __forceinline__ void load(int group, const std::byte* at) {
        const uint2 pixels = __ldg(reinterpret_cast<const uint2*>(at));
        redGreen[group] = bytes(pixels.x, pixels.y, 0x5140);
        blueAlpha[group] = bytes(pixels.x, pixels.y, 0x7362);
    }
    __device__ __forceinline__ void add(const std::uint32_t (&weights)[kWords],
                                        int (&sums)[4]) const {
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
            sums[0] = dotLow(weights[g], redGreen[g], sums[0]);
            sums[1] = dotHigh(weights[g], redGreen[g], sums[1]);
            sums[2] = dotLow(weights[g], blueAlpha[g], sums[2]);
            sums[3] = dotHigh(weights[g], blueAlpha[g], sums[3]);
        }
    }
};

// The middle has 8 bits more than a sample: two rows make a word, low bytes first.
__device__ __forceinline__ std::uint32_t middleWord(int above, int below) {
    constexpr int kMost = 255 << 8;
    return bytes(std::uint32_t(min(max(above >> 8, 0), kMost)),
                 std::uint32_t(min(max(below >> 8, 0), kMost)), 0x5140);
}

// Sums of low bytes and of high ones, 256 times as much.
struct ColumnSums {
    int low[4], high[4];

    // `kSkips`: most weights are 0. All threads of a warp have the same.
    template <bool kSkips>
    __device__ __forceinline__ void addGroup(std::uint32_t weight, const uint4* middle) {
        if (kSkips && weight == 0) return;
        const uint4 pairs = *middle;
        const std::uint32_t words[4] = {pairs.x, pairs.y, pairs.z, pairs.w};
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            low[i] = dotLow(weight, words[i], low[i]);
            high[i] = dotHigh(weight, words[i], high[i]);
        }
    }
    template <int kGroups>
    __device__ __forceinline__ void addGroups(const std::uint32_t* weights, const uint4* middle) {
#pragma unroll
        for (int k = 0; k < kGroups; ++k) addGroup<false>(weights[k], middle + k * kColumnLanes);
    }
    __device__ __forceinline__ void add(const std::uint32_t* weights, int groups,
                                        const uint4* middle) {
        switch (groups) {
            case 1:
                return addGroups<1>(weights, middle);
            case 2:
                return addGroups<2>(weights, middle);
            case 3:
                return addGroups<3>(weights, middle);
            case 4:
                return addGroups<4>(weights, middle);
            default:
#pragma unroll 4
                for (int k = 0; k < groups; ++k)
                    addGroup<false>(weights[k], middle + k * kColumnLanes);
        }
    }
    __device__ __forceinline__ void addSecond(const std::uint32_t* weights, int groups,
                                              const uint4* middle) {
        for (int k = 0; k < groups; ++k) addGroup<true>(weights[k], middle + k * kColumnLanes);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            low[i] *= 32768;
            high[i] *= 32768;
        }
    }
};

// Output rows [first, last); tiles of `tileRows` of them are numbered along the rows.
template <int C, int kGroups, bool kWide>
__global__ void __launch_bounds__(kThreads, 2)
    resizeTileKernel(DeviceImage in, DeviceImage out, int first, int last, int tileRows,
                     FastDivide tilesAcross, DeviceTaps across, DownTaps down, int weightWords) {
    using Row = RowSums<C, kGroups>;
    constexpr int kPixels = kSamples / C;
    constexpr int kRowGroups = int(kThreads) / kPixels;
    constexpr int kWords = Row::kWords;
    extern __shared__ __align__(16) unsigned char resizeShared[];
    auto* const middle = reinterpret_cast<std::uint32_t*>(resizeShared);

    const std::uint32_t tileRow = tilesAcross(blockIdx.x);
    const int left = int(blockIdx.x - tileRow * tilesAcross.divisor) * kPixels;
    const int top = first + int(tileRow) * tileRows, bottom = min(top + tileRows, last);
    const int firstPair = down.first[top];
    const int pairs = down.first[bottom - 1] + down.groups - firstPair;
    const int wordsPerRow = down.groups * (down.isWide ? 2 : 1);
    // After the middle rows: weights of the tile's rows.
    std::uint32_t* const downWeights = middle + weightWords;
    for (int i = int(threadIdx.x); i < (bottom - top) * wordsPerRow; i += int(kThreads))
        downWeights[i] = __ldg(down.weights + std::int64_t(top) * wordsPerRow + i);

    {
        const int column = int(threadIdx.x) % kPixels;
        const int x = min(left + column, out.size.width - 1);
        std::uint32_t weights[kWide ? 2 : 1][kWords];
#pragma unroll
        for (int plane = 0; plane < (kWide ? 2 : 1); ++plane)
#pragma unroll
            for (int w = 0; w < kWords; ++w)
                weights[plane][w] =
                    __ldg(across.weights + std::int64_t(plane * kWords + w) * across.length + x);
        const int firstGroup = __ldg(across.first + x);
        // Groups beyond the row weigh nothing; those that end beyond it lie in its padding.
        const int lastGroup = (in.size.width * C - 1) / Row::kGroupBytes;
        const int lastRow = in.size.height - 1;
        for (int pair = int(threadIdx.x) / kPixels; pair < pairs; pair += kRowGroups) {
            Row rows[2];
#pragma unroll
            for (int r = 0; r < 2; ++r) {
                const int y = min(max(2 * (firstPair + pair) - down.phase + r, 0), lastRow);
                const std::byte* row = in.data + std::int64_t(y) * in.pitch;
#pragma unroll
                for (int g = 0; g < kGroups; ++g)
                    rows[r].load(g, row + min(firstGroup + g, lastGroup) * Row::kGroupBytes);
            }
            int sums[2][C];
#pragma unroll
            for (int r = 0; r < 2; ++r) {
#pragma unroll
                for (int c = 0; c < C; ++c) sums[r][c] = kWide ? 0 : 128;
                if constexpr (kWide) {
                    rows[r].add(weights[1], sums[r]);
#pragma unroll
                    for (int c = 0; c < C; ++c) sums[r][c] = 32768 * sums[r][c] + 128;
                }
                rows[r].add(weights[0], sums[r]);
            }
            if constexpr (C == 1) {
                middle[pair * kSamples + column] = middleWord(sums[0][0], sums[1][0]);
            } else {
                reinterpret_cast<uint4*>(middle)[pair * kPixels + column] = {
                    middleWord(sums[0][0], sums[1][0]), middleWord(sums[0][1], sums[1][1]),
                    middleWord(sums[0][2], sums[1][2]), middleWord(sums[0][3], sums[1][3])};
            }
        }
    }
    __syncthreads();

    const int lane = int(threadIdx.x) % kColumnLanes;
    const int sample = left * C + 4 * lane;
    if (sample >= out.size.width * C) return;
    for (int row = int(threadIdx.x) / kColumnLanes; row < bottom - top;
         row += int(kThreads) / kColumnLanes) {
        const int y = top + row;
        const uint4* from = reinterpret_cast<const uint4*>(middle) +
                            (down.first[y] - firstPair) * kColumnLanes + lane;
        const std::uint32_t* weights = downWeights + row * wordsPerRow;
        ColumnSums sums{};
        if (down.isWide) sums.addSecond(weights + down.groups, down.groups, from);
        sums.add(weights, down.groups, from);
        // Half a level is 2^23; floors of floors are the floor of the whole.
        std::uint32_t made[4];
#pragma unroll
        for (int i = 0; i < 4; ++i)
            made[i] = std::uint32_t(
                min(max((sums.high[i] + ((sums.low[i] + (1 << 23)) >> 8)) >> 16, 0), 255));
        *reinterpret_cast<std::uint32_t*>(out.data + std::int64_t(y) * out.pitch + sample) =
            bytes(bytes(made[0], made[1], 0x0040), bytes(made[2], made[3], 0x0040), 0x5410);
    }
}

using ResizeTileKernel = void (*)(DeviceImage, DeviceImage, int, int, int, FastDivide, DeviceTaps,
                                  DownTaps, int);

template <int C, bool kWide, const auto& kCompiled, std::size_t kFrom = 0>
ResizeTileKernel kernelOf(int groups) {
    if constexpr (kFrom < kCompiled.size()) {
        if (kCompiled[kFrom] == groups) return resizeTileKernel<C, kCompiled[kFrom], kWide>;
        return kernelOf<C, kWide, kCompiled, kFrom + 1>(groups);
    } else {
        return nullptr;
    }
}

ResizeTileKernel kernelFor(bool colour, const ResizeTiles& tiles) {
    const int groups = tiles.acrossGroups;
    if (colour)
        return tiles.acrossWide ? kernelOf<4, true, kWideColourGroups>(groups)
                                : kernelOf<4, false, kColourGroups>(groups);
    return tiles.acrossWide ? kernelOf<1, true, kWideGrayGroups>(groups)
                            : kernelOf<1, false, kGrayGroups>(groups);
}

std::vector<std::uint32_t> wordsOf(const ResizePlan& plan, const ResizeTiles& tiles) {
    const TapGroups across =
        tapGroupsOf(plan.across, isColor(plan.input) ? 2 : 4, 0, tiles.acrossGroups, false);
    const TapGroups down = tapGroupsOf(plan.down, 2, tiles.downPhase, tiles.downGroups, true);
    std::vector<std::uint32_t> words;
    for (const TapGroups* groups : {&across, &down}) {
        words.insert(words.end(), groups->first.begin(), groups->first.end());
        words.insert(words.end(), groups->weights.begin(), groups->weights.end());
    }
    return words;
}

}  // namespace

void runResizeTiles(KernelContext& context, const ResizePlan& plan, const ResizeTiles& tiles,
                    const DeviceImage& in, const DeviceImage& out) {
    const bool colour = isColor(in.format);
    const int width = out.size.width, height = out.size.height;
    const auto* words = reinterpret_cast<const std::uint32_t*>(
        context.device().constants("tiles: " + plan.key, [&] { return wordsOf(plan, tiles); }));
    const int acrossWords = tiles.acrossGroups * (colour ? 1 : 2) * (tiles.acrossWide ? 2 : 1);
    const DeviceTaps across{reinterpret_cast<const std::int32_t*>(words), words + width, width};
    words += std::int64_t(width) * (1 + acrossWords);
    const DownTaps down{{reinterpret_cast<const std::int32_t*>(words), words + height, height},
                        tiles.downGroups,
                        tiles.downPhase,
                        tiles.downWide};
    const unsigned pixels = unsigned(kSamples) / (colour ? 4 : 1);
    const FastDivide tilesAcross(divideUp(unsigned(width), pixels));
    // Of a tile: products of the middle rows and of the columns.
    const std::int64_t work =
        std::int64_t(kSamples) *
        (std::int64_t(tiles.rowPairs) * 2 * acrossWords + tiles.rows * 4 * tiles.downGroups);
    const std::int64_t perRow = tilesAcross.divisor * work / tiles.rows + 1;
    const std::int64_t bytesPerRow = out.pitch + in.pitch * 2 * tiles.rowPairs / tiles.rows;
    const int bandRows =
        std::max(1, context.rowsPerLaunch(bytesPerRow, perRow) / tiles.rows) * tiles.rows;
    const ResizeTileKernel kernel = kernelFor(colour, tiles);
    context.forEachBand(height, bandRows, [&](int first, int last) {
        launch(context, "resize tiles",
               tilesAcross.divisor * divideUp(unsigned(last - first), unsigned(tiles.rows)),
               kThreads, tiles.sharedBytes, kernel, in, out, first, last, tiles.rows, tilesAcross,
               across, down, tiles.rowPairs * kSamples);
    });
}

void loadResizeTiles() {
    for (const int groups : kGrayGroups) loadKernel(kernelOf<1, false, kGrayGroups>(groups));
    for (const int groups : kWideGrayGroups) loadKernel(kernelOf<1, true, kWideGrayGroups>(groups));
    for (const int groups : kColourGroups) loadKernel(kernelOf<4, false, kColourGroups>(groups));
    for (const int groups : kWideColourGroups)
        loadKernel(kernelOf<4, true, kWideColourGroups>(groups));
}

}  // namespace warpscope::cuda
