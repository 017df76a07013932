// Histograms as two texts do them, at any size and without overflow: atomics on one global array
// and in two stages with shared memory (CUDA), private tables of 8-bit counters (OpenCL).
#include <algorithm>

#include "cuda_kernels/analysis/histogram.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kBins = 256;
constexpr unsigned kThreads = 128;

// One channel of an image by the number of the pixel.
struct Levels {
    DeviceImage in;
    Pieces pixels;
    HistogramChannel channel;
    bool color;

    __device__ std::uint32_t operator()(std::uint32_t i) const {
        const std::uint32_t row = pixels.perRow(i);
        const std::uint32_t column = i - row * pixels.perRow.divisor;
        const std::byte* at = in.data + row * in.pitch;
        if (!color) return std::uint32_t(at[column]);
        return of(reinterpret_cast<const std::uint32_t*>(at)[column]);
    }
    // Of a colour pixel.
    __device__ std::uint32_t of(std::uint32_t pixel) const {
        switch (channel) {
            case HistogramChannel::Red:
                return byteOf(pixel, 0);
            case HistogramChannel::Green:
                return byteOf(pixel, 1);
            case HistogramChannel::Blue:
                return byteOf(pixel, 2);
            default:
                return luma(byteOf(pixel, 0), byteOf(pixel, 1), byteOf(pixel, 2));
        }
    }
};

__global__ void __launch_bounds__(kThreads)
    globalAtomicsKernel(Levels levels, unsigned long long* bins) {
    const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
    if (i < levels.pixels.count) atomicAdd(bins + levels(i), 1ull);
}

// First stage: a table in shared memory for 8,192 pixels, 64 a thread, which come 16 bytes at a
// time.
constexpr unsigned kPixelsPerThread = 64;
template <bool Color>
constexpr unsigned kPixelsPerPiece = Color ? 4 : 16;

template <bool Color>
__global__ void __launch_bounds__(kThreads)
    blockTablesKernel(Levels levels, Pieces pieces, std::uint32_t* tables) {
    constexpr unsigned kPieces = kPixelsPerThread / kPixelsPerPiece<Color>;
    __shared__ std::uint32_t counts[kBins];
    // All loads are under way before the first is counted.
    uint4 loaded[kPieces];
    std::uint32_t valid[kPieces];
    const std::uint32_t first = blockIdx.x * (kThreads * kPieces) + threadIdx.x;
#pragma unroll
    for (unsigned k = 0; k < kPieces; ++k) {
        const std::uint32_t i = first + k * kThreads;
        valid[k] = 0;
        if (i >= pieces.count) continue;
        const std::uint32_t row = pieces.perRow(i);
        const std::uint32_t column = i - row * pieces.perRow.divisor;
        valid[k] = column + 1 == pieces.perRow.divisor ? pieces.lastPixels : kPixelsPerPiece<Color>;
        loaded[k] = *reinterpret_cast<const uint4*>(levels.in.data + row * levels.in.pitch +
                                                    std::int64_t(column) * 16);
    }
    for (unsigned bin = threadIdx.x; bin < kBins; bin += kThreads) counts[bin] = 0;
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < kPieces; ++k) {
        const std::uint32_t words[4] = {loaded[k].x, loaded[k].y, loaded[k].z, loaded[k].w};
#pragma unroll
        for (unsigned i = 0; i < kPixelsPerPiece<Color>; ++i)
            if (i < valid[k])
                atomicAdd(counts + (Color ? levels.of(words[i]) : byteOf(words[i / 4], i % 4)), 1u);
    }
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < kBins; bin += kThreads)
        tables[blockIdx.x * kBins + bin] = counts[bin];
}

// Second stage: a block adds up some bins of all tables, each thread a bin of some tables, and
// nobody else writes these bins. `more`: what they hold is added to.
constexpr unsigned kWarp = 32;
constexpr unsigned kBinsPerBlock = 8;
constexpr unsigned kAddThreads = 1024;
__global__ void __launch_bounds__(kAddThreads)
    addTablesKernel(const std::uint32_t* tables, unsigned tableCount, bool more,
                    unsigned long long* bins) {
    constexpr unsigned kWarps = kAddThreads / kWarp;
    __shared__ std::uint32_t ofWarps[kWarps][kBinsPerBlock];
    const unsigned inBlock = threadIdx.x % kBinsPerBlock;
    const unsigned bin = blockIdx.x * kBinsPerBlock + inBlock;
    // No more than the pixels of a launch, of which there are below 2^31.
    std::uint32_t sum = 0;
#pragma unroll 8
    for (unsigned table = threadIdx.x / kBinsPerBlock; table < tableCount;
         table += kAddThreads / kBinsPerBlock)
        sum += tables[table * kBins + bin];
#pragma unroll
    for (unsigned distance = kBinsPerBlock; distance < kWarp; distance *= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % kWarp < kBinsPerBlock) ofWarps[threadIdx.x / kWarp][inBlock] = sum;
    __syncthreads();
    if (threadIdx.x >= kBinsPerBlock) return;
    unsigned long long all = more ? bins[bin] : 0;
#pragma unroll
    for (unsigned warp = 0; warp < kWarps; ++warp) all += ofWarps[warp][inBlock];
    bins[bin] = all;
}

// An 8-bit counter for each bin and thread: no atomics while counting. A thread takes no more than
// 255 pixels before the block adds the counters up.
constexpr unsigned kMostCounted = 255;
__global__ void __launch_bounds__(kThreads)
    privateTablesKernel(Levels levels, unsigned long long* bins) {
    __shared__ uint4 memory[kBins * kThreads / sizeof(uint4)];
    auto* const counters = reinterpret_cast<std::uint8_t*>(memory);
    auto* const words = reinterpret_cast<std::uint32_t*>(memory);
    constexpr unsigned kWordsPerBin = kThreads / 4;
    for (unsigned i = threadIdx.x; i < kBins * kWordsPerBin; i += kThreads) words[i] = 0;
    __syncthreads();
    const std::uint32_t first = blockIdx.x * (kThreads * kMostCounted) + threadIdx.x;
    for (unsigned k = 0; k < kMostCounted; ++k) {
        const std::uint32_t i = first + k * kThreads;
        if (i >= levels.pixels.count) break;
        ++counters[levels(i) * kThreads + threadIdx.x];
    }
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < kBins; bin += kThreads) {
        std::uint32_t sum = 0;
        for (unsigned k = 0; k < kWordsPerBin; ++k)  // each lane begins in a bank of its own
            sum = __dp4a(words[bin * kWordsPerBin + (k + threadIdx.x) % kWordsPerBin], 0x01010101u,
                         sum);
        if (sum) atomicAdd(bins + bin, static_cast<unsigned long long>(sum));
    }
}

template <bool Color>
void countInTables(KernelContext& context, const Levels& levels, bool more,
                   unsigned long long* bins) {
    const Size size = levels.in.size;
    const Pieces pieces =
        Pieces::of(size.width, size.height, int(kPixelsPerPiece<Color>), isPacked(levels.in));
    const unsigned tables =
        divideUp(pieces.count, kThreads * (kPixelsPerThread / kPixelsPerPiece<Color>));
    auto* const memory = reinterpret_cast<std::uint32_t*>(context.device().scratch(
        DeviceContext::Scratch::Small, std::size_t(tables) * kBins * sizeof(std::uint32_t)));
    launch(context, "count, tables of blocks", tables, kThreads, 0, blockTablesKernel<Color>,
           levels, pieces, memory);
    launch(context, "count, sums of tables", kBins / kBinsPerBlock, kAddThreads, 0, addTablesKernel,
           memory, tables, more, bins);
}

void countChannel(KernelContext& context, const std::string& variant, const DeviceImage& in,
                  HistogramChannel channel, unsigned long long* bins) {
    // The second of two stages writes the first counts.
    if (variant != "shared_two_stage")
        WARPSCOPE_CUDA(cudaMemsetAsync(bins, 0, sizeof(*bins) * kBins, context.stream()));
    // Where all pixels have one level, atomics come one after the other, about one a nanosecond.
    // A table takes an eighth as many bytes as pixels.
    const int bandRows =
        std::min(context.rowsPerLaunch(in.pitch, std::int64_t(in.size.width) * 256),
                 int(std::int64_t(DeviceContext::kMaxScratch) * 4 / in.size.width));
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const Levels levels{rowsOf(in, first, last),
                            Pieces::of(in.size.width, last - first, 1, isPacked(in)), channel,
                            isColor(in.format)};
        const std::uint32_t pixels = levels.pixels.count;
        if (variant == "global_atomics") {
            launch(context, "count, global atomics", divideUp(pixels, kThreads), kThreads, 0,
                   globalAtomicsKernel, levels, bins);
        } else if (variant == "shared_two_stage") {
            levels.color ? countInTables<true>(context, levels, first > 0, bins)
                         : countInTables<false>(context, levels, first > 0, bins);
        } else {
            launch(context, "count, private tables", divideUp(pixels, kThreads * kMostCounted),
                   kThreads, 0, privateTablesKernel, levels, bins);
        }
    });
}

}  // namespace

void countPublished(KernelContext& context, const HistogramPlan& plan, const DeviceImage& in,
                    unsigned long long* bins) {
    for (const HistogramChannel channel : kAllHistogramChannels) {
        if (!plan.channels.has(channel)) continue;
        countChannel(context, plan.variant, in, channel, bins);
        bins += kBins;
    }
}

}  // namespace warpscope::cuda
