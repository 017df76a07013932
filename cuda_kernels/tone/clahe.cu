// Contrast limited adaptive equalization without the host: tiles are counted, a block each makes
// their tables, a pass goes between four tables a pixel. Colours by themselves take turns. 8-bit
// images that take one table a tile are in clahe_bytes.cu.
#include "cuda_kernels/tone/clahe.cuh"

#include <algorithm>
#include <cstring>

#include "cuda_kernels/analysis/histogram.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;

// What of a pixel has tables.
enum class LevelOf { Gray, Luma, Channel };

template <class T, LevelOf What>
__device__ std::uint32_t levelAt(const std::byte* row, int x, int channel) {
    const T* samples = reinterpret_cast<const T*>(row);
    if constexpr (What == LevelOf::Gray)
        return samples[x];
    else if constexpr (What == LevelOf::Channel)
        return samples[4 * std::int64_t(x) + channel];
    else
        return luma(std::uint32_t(samples[4 * std::int64_t(x)]),
                    std::uint32_t(samples[4 * std::int64_t(x) + 1]),
                    std::uint32_t(samples[4 * std::int64_t(x) + 2]));
}

// ---- counting ----

// A tile is counted in parts of some rows, a block each.
struct TileParts {
    ClaheTiles tiles;
    int firstTile;  // of the group; row of tiles times columns
    int rowsEach;
    int parts;
};

template <class T, LevelOf What>
__global__ void __launch_bounds__(kThreads)
    countTilesKernel(DeviceImage in, TileParts cut, int firstBlock, int channel,
                     unsigned long long* bins) {
    constexpr bool kShares = sizeof(T) == 1;
    __shared__ std::uint32_t counts[kShares ? 256 : 1];
    if constexpr (kShares) {
        counts[threadIdx.x] = 0;
        __syncthreads();
    }
    const ClaheTiles& tiles = cut.tiles;
    const int block = firstBlock + int(blockIdx.x);
    const int inGroup = block / cut.parts;
    const int part = block - inGroup * cut.parts;
    const int tile = cut.firstTile + inGroup;
    const int left = tile % tiles.columns * tiles.width;
    const int top = tile / tiles.columns * tiles.height;
    const int from = part * cut.rowsEach;
    const int to = min(from + cut.rowsEach, tiles.height);
    unsigned long long* own = bins + std::int64_t(inGroup) * (1 << (8 * sizeof(T)));
    // All lanes of a warp together.
    const std::uint32_t pixels = std::uint32_t(to - from) * std::uint32_t(tiles.width);
    const std::uint32_t rounds = (pixels + kThreads - 1) / kThreads;
    for (std::uint32_t round = 0; round < rounds; ++round) {
        const std::uint32_t i = round * kThreads + threadIdx.x;
        const bool valid = i < pixels;
        std::uint32_t level = 0;
        if (valid) {
            const std::uint32_t row = i / std::uint32_t(tiles.width);
            const int x =
                mirroredBeyond(left + int(i - row * std::uint32_t(tiles.width)), in.size.width);
            const int y = mirroredBeyond(top + from + int(row), in.size.height);
            level = levelAt<T, What>(in.data + std::int64_t(y) * in.pitch, x, channel);
        }
        if constexpr (kShares) {
            if (valid) atomicAdd(&counts[level], 1u);
        } else {
            addAggregated(own, level, valid);
        }
    }
    if constexpr (kShares) {
        __syncthreads();
        const std::uint32_t count = counts[threadIdx.x];
        if (count != 0) atomicAdd(own + threadIdx.x, static_cast<unsigned long long>(count));
    }
}

// ---- tables ----

// The sum over all threads of the block, to each of them.
__device__ unsigned long long sumOfBlock(unsigned long long value) {
    __shared__ unsigned long long sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    if (value != 0) atomicAdd(&sum, value);
    __syncthreads();
    const unsigned long long all = sum;
    __syncthreads();
    return all;
}

// A block makes the table of a tile; a thread takes neighbouring levels.
template <class T>
__global__ void __launch_bounds__(kThreads)
    makeTilesKernel(const unsigned long long* bins, std::uint64_t clip, std::uint64_t area,
                    T* tables) {
    constexpr std::uint32_t kLevels = 1u << (8 * sizeof(T));
    constexpr std::uint32_t kEach = kLevels / kThreads;
    const unsigned long long* counts = bins + std::int64_t(blockIdx.x) * kLevels;
    T* table = tables + std::int64_t(blockIdx.x) * kLevels;
    const std::uint32_t first = threadIdx.x * kEach;
    const auto kept = [&](std::uint32_t k) {
        const std::uint64_t count = counts[k];
        return clip > 0 && count > clip ? clip : count;
    };
    ClaheSpread spread;
    if (clip > 0) {
        unsigned long long cut = 0;
        for (std::uint32_t k = first; k < first + kEach; ++k) cut += counts[k] - kept(k);
        spread = ClaheSpread::of(sumOfBlock(cut), kLevels);
    }
    unsigned long long own = 0;
    for (std::uint32_t k = first; k < first + kEach; ++k) own += kept(k) + spread.at(k);

    __shared__ unsigned long long sums[kThreads];
    sums[threadIdx.x] = own;
    __syncthreads();
    for (unsigned distance = 1; distance < kThreads; distance *= 2) {
        const unsigned long long below =
            threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0ull;
        __syncthreads();
        sums[threadIdx.x] += below;
        __syncthreads();
    }
    unsigned long long cumulative = sums[threadIdx.x] - own;
    for (std::uint32_t k = first; k < first + kEach; ++k) {
        cumulative += kept(k) + spread.at(k);
        table[k] = T(claheLevel(cumulative, kLevels - 1, area));
    }
}

// ---- mapping ----

// Places of all columns, then of all rows.
__global__ void __launch_bounds__(kThreads)
    placesKernel(ClaheTiles tiles, int left, int top, Size size, ClahePlace* places) {
    const int i = int(blockIdx.x * kThreads + threadIdx.x);
    if (i < size.width)
        places[i] = ClahePlace::of(left + i, tiles.width, tiles.columns);
    else if (i < size.width + size.height)
        places[i] = ClahePlace::of(top + i - size.width, tiles.height, tiles.rows);
}

// min(M, (2 v t + Y) / (2 Y)); the half that is lost where Y is odd never reaches the next whole
// number, and v t + Y / 2 fits in 32 bits.
template <class T>
__device__ T scaledByLuma(std::uint32_t v, std::uint32_t t, std::uint32_t y) {
    constexpr std::uint32_t kWhite = (1u << (8 * sizeof(T))) - 1u;
    return T(y == 0 ? v : min(kWhite, (v * t + y / 2) / y));
}

// A thread a pixel of the rows from `firstRow` of the image on, which are row 0 of in and out.
template <class T, LevelOf What>
__global__ void __launch_bounds__(kThreads)
    mapTilesKernel(DeviceImage in, DeviceImage out, int firstRow, int channel,
                   const ClahePlace* columns, const ClahePlace* rows, int tileColumns,
                   const T* tables, FastDivide perRow, std::uint32_t count) {
    constexpr std::int64_t kLevels = std::int64_t(1) << (8 * sizeof(T));
    const std::uint32_t index = blockIdx.x * kThreads + threadIdx.x;
    if (index >= count) return;
    const int row = int(perRow(index));
    const int x = int(index - unsigned(row) * perRow.divisor);
    const std::byte* from = in.data + std::int64_t(row) * in.pitch;
    T* to = reinterpret_cast<T*>(out.data + std::int64_t(row) * out.pitch);
    const std::uint32_t level = levelAt<T, What>(from, x, channel);
    const ClahePlace across = columns[x];
    const ClahePlace down = rows[firstRow + row];
    const T* upper = tables + std::int64_t(down.first) * tileColumns * kLevels + level;
    const T* lower = tables + std::int64_t(down.second) * tileColumns * kLevels + level;
    const std::int64_t first = across.first * kLevels, second = across.second * kLevels;
    const std::uint32_t mapped = claheBlend(upper[first], upper[second], lower[first],
                                            lower[second], across.weight, down.weight);
    if constexpr (What == LevelOf::Gray) {
        to[x] = T(mapped);
    } else {
        const T* pixel = reinterpret_cast<const T*>(from) + 4 * std::int64_t(x);
        T* made = to + 4 * std::int64_t(x);
        if constexpr (What == LevelOf::Channel) {
            made[channel] = T(mapped);
            if (channel == 0) made[3] = pixel[3];
        } else {
#pragma unroll
            for (int c = 0; c < 3; ++c) made[c] = scaledByLuma<T>(pixel[c], mapped, level);
            made[3] = pixel[3];
        }
    }
}

// ---- launches ----

// The image that a frozen plan takes its tables from. It stays on the device for the plan's next
// runs.
DeviceImage wholeOnDevice(KernelContext& context, const Image& whole) {
    DeviceImage made;
    made.size = whole.size();
    made.format = whole.format();
    made.pitch = devicePitch(made.format, made.size);
    const std::string key = "clahe of image " + std::to_string(whole.id());
    const std::byte* data = context.device().constants(key, [&] {
        const auto pitch = std::size_t(made.pitch);
        std::vector<std::uint32_t> words(pitch * std::size_t(made.size.height) /
                                         sizeof(std::uint32_t));
        for (int y = 0; y < made.size.height; ++y)
            std::memcpy(reinterpret_cast<std::byte*>(words.data()) + std::size_t(y) * pitch,
                        whole.rowBytes(y), std::size_t(made.rowBytes()));
        return words;
    });
    // Nothing writes to it.
    made.data = const_cast<std::byte*>(data);
    return made;
}

template <class T, LevelOf What>
void makeTables(KernelContext& context, const ClahePlan& plan, const DeviceImage& counted,
                int channel, T* tables) {
    constexpr std::int64_t kLevels = std::int64_t(1) << (8 * sizeof(T));
    constexpr std::int64_t kMostCounters = (std::int64_t(64) << 20) / sizeof(std::uint64_t);
    const ClaheTiles tiles = plan.counted();
    TileParts cut{tiles, 0, std::clamp(32768 / tiles.width, 1, tiles.height), 1};
    cut.parts = (tiles.height + cut.rowsEach - 1) / cut.rowsEach;
    const int group = int(std::clamp<std::int64_t>(kMostCounters / kLevels, 1, tiles.count()));
    const DeviceMemory memory =
        context.allocate(std::size_t(group) * kLevels * sizeof(unsigned long long));
    auto* bins = memory.as<unsigned long long>();
    const unsigned long long* made = bins;
    const std::uint64_t clip = claheClip(plan.clip, tiles.area(), int(kLevels));
    const std::int64_t blockPixels = std::int64_t(tiles.width) * cut.rowsEach;
    const int blocksPerLaunch = context.rowsPerLaunch(blockPixels * bytesPerPixel(counted.format),
                                                      blockPixels * (sizeof(T) == 1 ? 16 : 64));
    for (int first = 0; first < tiles.count(); first += group) {
        const int now = std::min(group, tiles.count() - first);
        cut.firstTile = first;
        WARPSCOPE_CUDA(cudaMemsetAsync(
            bins, 0, std::size_t(now) * kLevels * sizeof(unsigned long long), context.stream()));
        context.forEachBand(now * cut.parts, blocksPerLaunch, [&](int from, int to) {
            launch(context, "count tiles", unsigned(to - from), kThreads, 0,
                   countTilesKernel<T, What>, counted, cut, from, channel, bins);
        });
        launch(context, "make tables of tiles", unsigned(now), kThreads, 0, makeTilesKernel<T>,
               made, clip, tiles.area(), tables + std::int64_t(first) * kLevels);
    }
}

template <class T, LevelOf What>
void mapPixels(KernelContext& context, const ClahePlan& plan, const DeviceImage& in,
               const DeviceImage& out, int channel, const ClahePlace* places, const T* tables) {
    const int bandRows =
        context.rowsPerLaunch(in.pitch * 2 + out.pitch, std::int64_t(in.size.width) * 48);
    const auto width = unsigned(in.size.width);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const std::uint32_t count = width * unsigned(last - first);
        launch(context, "map tiles", divideUp(count, kThreads), kThreads, 0,
               mapTilesKernel<T, What>, rowsOf(in, first, last), rowsOf(out, first, last), first,
               channel, places, places + in.size.width, plan.columns, tables, FastDivide(width),
               count);
    });
}

template <class T, LevelOf What>
void runChannel(KernelContext& context, const ClahePlan& plan, const DeviceImage& counted,
                const DeviceImage& in, const DeviceImage& out, int channel,
                const ClahePlace* places, T* tables) {
    makeTables<T, What>(context, plan, counted, channel, tables);
    mapPixels<T, What>(context, plan, in, out, channel, places, tables);
}

template <class T>
void runTyped(KernelContext& context, const ClahePlan& plan, const DeviceImage& in,
              const DeviceImage& out) {
    const DeviceImage counted = plan.whole.isNull() ? in : wholeOnDevice(context, plan.whole);
    if (isClaheOfBytes(plan)) return runClaheOfBytes(context, plan, counted, in, out);
    const DeviceMemory tableMemory = context.allocate(
        (std::size_t(plan.columns) * unsigned(plan.rows) * sizeof(T)) << (8 * sizeof(T)));
    const std::size_t sides = std::size_t(in.size.width) + std::size_t(in.size.height);
    const DeviceMemory placeMemory = context.allocate(sides * sizeof(ClahePlace));
    auto* places = placeMemory.as<ClahePlace>();
    launch(context, "places in tiles", divideUp(sides, kThreads), kThreads, 0, placesKernel,
           plan.applied(), plan.left(), plan.top(), in.size, places);
    T* tables = tableMemory.as<T>();
    if (!isColor(in.format))
        return runChannel<T, LevelOf::Gray>(context, plan, counted, in, out, 0, places, tables);
    if (plan.byLuma())
        return runChannel<T, LevelOf::Luma>(context, plan, counted, in, out, 0, places, tables);
    for (int c = 0; c < 3; ++c)
        runChannel<T, LevelOf::Channel>(context, plan, counted, in, out, c, places, tables);
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const ClahePlan&>(given);
    if (bytesPerSample(in.format) == 1)
        runTyped<std::uint8_t>(context, plan, in, out);
    else
        runTyped<std::uint16_t>(context, plan, in, out);
}

Result<void> supports(const Plan& plan) {
    if (!static_cast<const ClahePlan&>(plan).hasTables()) return {};
    return fail(ErrorCode::Unsupported, "tables of clahe that were taken for the CPU");
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(clahe, .run = run, .supports = supports, .loadKernels = loadClaheOfBytes);

}  // namespace warpscope::cuda
