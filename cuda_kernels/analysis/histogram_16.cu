// Counts of 16-bit images, whose 65,536 bins do not fit in shared memory: with one atomic a
// distinct value and warp. Two small launches make equalization tables of them.
#include "cuda_kernels/analysis/histogram.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;

struct Slots {
    int luma = -1, red = -1, green = -1, blue = -1, alpha = -1;
};

template <bool Color>
__global__ void __launch_bounds__(kThreads)
    count16Kernel(DeviceImage in, Pieces pixels, Slots slots, unsigned long long* bins) {
    const std::uint32_t step = gridDim.x * kThreads;
    const std::uint32_t rounds = (pixels.count + step - 1) / step;
    for (std::uint32_t round = 0; round < rounds; ++round) {
        const std::uint32_t i = round * step + blockIdx.x * kThreads + threadIdx.x;
        const bool valid = i < pixels.count;
        const std::uint32_t row = valid ? pixels.perRow(i) : 0;
        const std::uint32_t column = valid ? i - row * pixels.perRow.divisor : 0;
        const std::byte* at = in.data + row * in.pitch;
        if constexpr (Color) {
            const uint2 words = reinterpret_cast<const uint2*>(at)[column];
            const std::uint32_t r = words.x & 0xffffu, g = words.x >> 16, b = words.y & 0xffffu;
            if (slots.luma >= 0) addAggregated(bins + slots.luma * kBins16, luma(r, g, b), valid);
            if (slots.red >= 0) addAggregated(bins + slots.red * kBins16, r, valid);
            if (slots.green >= 0) addAggregated(bins + slots.green * kBins16, g, valid);
            if (slots.blue >= 0) addAggregated(bins + slots.blue * kBins16, b, valid);
            if (slots.alpha >= 0) addAggregated(bins + slots.alpha * kBins16, words.y >> 16, valid);
        } else {
            addAggregated(bins, reinterpret_cast<const std::uint16_t*>(at)[column], valid);
        }
    }
}

int countOf(ChannelSet channels) {
    int count = 0;
    for (const HistogramChannel channel : kAllHistogramChannels) count += channels.has(channel);
    return count;
}

Slots slotsOf(ChannelSet channels) {
    Slots slots;
    int next = 0;
    if (channels.luma) slots.luma = next++;
    if (channels.red) slots.red = next++;
    if (channels.green) slots.green = next++;
    if (channels.blue) slots.blue = next++;
    return slots;
}

// ---- equalization tables ----

static_assert(kParts == 64, "a warp looks at two parts a lane");

constexpr unsigned kSumThreads = 256;

__global__ void __launch_bounds__(kSumThreads)
    sumPartsKernel(const unsigned long long* bins, PartSums* parts) {
    __shared__ unsigned long long all;
    __shared__ unsigned darkest;  // level of the part
    if (threadIdx.x == 0) {
        all = 0;
        darkest = kPartLevels;
    }
    __syncthreads();
    const unsigned long long* own = bins + std::size_t(blockIdx.x) * kPartLevels;
    unsigned long long sum = 0;
    unsigned first = kPartLevels;
    for (unsigned k = threadIdx.x; k < kPartLevels; k += kSumThreads) {
        sum += own[k];
        if (own[k] != 0) first = min(first, k);
    }
#pragma unroll
    for (unsigned distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0) atomicAdd(&all, sum);
    if (first < kPartLevels) atomicMin(&darkest, first);
    __syncthreads();
    if (threadIdx.x == 0) {
        parts->all[blockIdx.x] = all;
        parts->darkest[blockIdx.x] = darkest < kPartLevels ? own[darkest] : 0;
    }
}

// t(k) as engine/operations/tone/equalize.h defines it, a thread a level. 2 * 65,535 * pixels fits
// in 64 bits for every image there can be. Pixels that were not counted (NaN) do not matter.
__global__ void __launch_bounds__(kPartLevels)
    makeTablesKernel(const unsigned long long* bins, const PartSums* parts, bool full,
                     std::uint16_t* tables) {
    __shared__ unsigned long long warpSums[kPartLevels / 32];
    __shared__ unsigned long long before;   // pixels of this channel in lower parts
    __shared__ unsigned long long darkest;  // pixels of the darkest level present
    __shared__ unsigned long long pixels;   // of this channel
    const unsigned channel = blockIdx.x / kParts, part = blockIdx.x % kParts;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const std::size_t level = std::size_t(blockIdx.x) * kPartLevels + threadIdx.x;

    unsigned long long cumulative = bins[level];
#pragma unroll
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const unsigned long long below = __shfl_up_sync(0xffffffffu, cumulative, distance);
        if (lane >= distance) cumulative += below;
    }
    if (lane == 31) warpSums[warp] = cumulative;
    if (warp == 0) {
        const unsigned long long* sums = parts->all + channel * kParts;
        const unsigned long long low = sums[lane], high = sums[lane + 32];
        unsigned long long lower = (lane < part ? low : 0) + (lane + 32 < part ? high : 0);
        unsigned long long all = low + high;
#pragma unroll
        for (unsigned distance = 16; distance > 0; distance /= 2) {
            lower += __shfl_xor_sync(0xffffffffu, lower, distance);
            all += __shfl_xor_sync(0xffffffffu, all, distance);
        }
        const unsigned inLow = __ballot_sync(0xffffffffu, low != 0);
        const unsigned inHigh = __ballot_sync(0xffffffffu, high != 0);
        if (lane == 0) {
            before = lower;
            pixels = all;
            const int first = inLow ? __ffs(int(inLow)) - 1 : 31 + __ffs(int(inHigh));
            darkest = parts->darkest[channel * kParts + unsigned(first)];
        }
    }
    __syncthreads();
    cumulative += before;
    for (unsigned w = 0; w < warp; ++w) cumulative += warpSums[w];

    const unsigned long long below = full ? darkest : 0;
    const unsigned long long spread = pixels - below;
    const unsigned long long above = cumulative > below ? cumulative - below : 0;
    const unsigned own = part * kPartLevels + threadIdx.x;
    tables[level] = spread == 0
                        ? std::uint16_t(own)
                        : std::uint16_t((2ull * (kBins16 - 1) * above + spread) / (2 * spread));
}

}  // namespace

static void countSlots(KernelContext& context, const DeviceImage& in, const Slots& slots, int count,
                       unsigned long long* bins) {
    WARPSCOPE_CUDA(
        cudaMemsetAsync(bins, 0, sizeof(*bins) * kBins16 * std::size_t(count), context.stream()));
    const unsigned most = unsigned(context.traits().multiprocessors) * 8;
    const int bandRows =
        context.rowsPerLaunch(in.pitch * 8, std::int64_t(in.size.width) * count * 64);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const Pieces pixels = Pieces::of(in.size.width, last - first, 1, isPacked(in));
        const unsigned blocks = min(most, divideUp(pixels.count, kThreads));
        launch(context, "count 16 bits", blocks, kThreads, 0,
               isColor(in.format) ? count16Kernel<true> : count16Kernel<false>,
               rowsOf(in, first, last), pixels, slots, bins);
    });
}

void countSixteenBit(KernelContext& context, const DeviceImage& in, ChannelSet channels,
                     unsigned long long* bins) {
    countSlots(context, in, slotsOf(channels), countOf(channels), bins);
}

void countSixteenBitAlpha(KernelContext& context, const DeviceImage& in, unsigned long long* bins) {
    Slots slots;
    slots.alpha = 0;
    countSlots(context, in, slots, 1, bins);
}

void makeTables(KernelContext& context, TableScratch* scratch, int channels,
                CountingResult result) {
    const unsigned long long* bins = scratch->bins;
    const PartSums* parts = &scratch->parts;
    std::uint16_t* tables = scratch->tables;
    const unsigned blocks = kParts * unsigned(channels);
    launch(context, "sum counts", blocks, kSumThreads, 0, sumPartsKernel, bins, &scratch->parts);
    launch(context, "make tables", blocks, kPartLevels, 0, makeTablesKernel, bins, parts,
           result == CountingResult::FullTable, tables);
}

const std::uint16_t* tablesOfSixteenBit(KernelContext& context, const DeviceImage& in,
                                        ChannelSet channels, CountingResult result) {
    auto* scratch = reinterpret_cast<TableScratch*>(
        context.device().scratch(DeviceContext::Scratch::Small, sizeof(TableScratch)));
    countSixteenBit(context, in, channels, scratch->bins);
    makeTables(context, scratch, countOf(channels), result);
    return scratch->tables;
}

}  // namespace warpscope::cuda
