// Histograms as two texts do them, at any size and without overflow: atomics on one global array
// and in two stages with shared memory (CUDA), private tables of 8-bit counters (OpenCL).
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
        const std::uint32_t pixel = reinterpret_cast<const std::uint32_t*>(at)[column];
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

// First stage: a table in shared memory for 8,192 pixels, 64 a thread.
constexpr unsigned kPixelsPerThread = 64;
__global__ void __launch_bounds__(kThreads)
    blockTablesKernel(Levels levels, std::uint32_t* tables) {
    __shared__ std::uint32_t counts[kBins];
    for (unsigned bin = threadIdx.x; bin < kBins; bin += kThreads) counts[bin] = 0;
    __syncthreads();
    const std::uint32_t first = blockIdx.x * (kThreads * kPixelsPerThread) + threadIdx.x;
    for (unsigned k = 0; k < kPixelsPerThread; ++k) {
        const std::uint32_t i = first + k * kThreads;
        if (i < levels.pixels.count) atomicAdd(counts + levels(i), 1u);
    }
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < kBins; bin += kThreads)
        tables[blockIdx.x * kBins + bin] = counts[bin];
}

// Second stage: each block adds some of the tables up, a thread a bin.
constexpr unsigned kTablesPerBlock = 64;
__global__ void __launch_bounds__(kBins)
    addTablesKernel(const std::uint32_t* tables, unsigned tableCount, unsigned long long* bins) {
    const unsigned first = blockIdx.x * kTablesPerBlock;
    const unsigned last = min(first + kTablesPerBlock, tableCount);
    unsigned long long sum = 0;
    for (unsigned table = first; table < last; ++table) sum += tables[table * kBins + threadIdx.x];
    if (sum) atomicAdd(bins + threadIdx.x, sum);
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

void countChannel(KernelContext& context, const std::string& variant, const DeviceImage& in,
                  HistogramChannel channel, unsigned long long* bins) {
    // Where all pixels have one level, atomics come one after the other, about one a nanosecond.
    const int bandRows = context.rowsPerLaunch(in.pitch, std::int64_t(in.size.width) * 256);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const Levels levels{rowsOf(in, first, last),
                            Pieces::of(in.size.width, last - first, 1, isPacked(in)), channel,
                            isColor(in.format)};
        const std::uint32_t pixels = levels.pixels.count;
        if (variant == "global_atomics") {
            launch(context, "count, global atomics", divideUp(pixels, kThreads), kThreads, 0,
                   globalAtomicsKernel, levels, bins);
        } else if (variant == "shared_two_stage") {
            const unsigned tables = divideUp(pixels, kThreads * kPixelsPerThread);
            const DeviceMemory memory =
                context.allocate(std::size_t(tables) * kBins * sizeof(std::uint32_t));
            launch(context, "count, tables of blocks", tables, kThreads, 0, blockTablesKernel,
                   levels, memory.as<std::uint32_t>());
            launch(context, "count, sums of tables", divideUp(tables, kTablesPerBlock), kBins, 0,
                   addTablesKernel, memory.as<std::uint32_t>(), tables, bins);
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
        WARPSCOPE_CUDA(cudaMemsetAsync(bins, 0, sizeof(*bins) * kBins, context.stream()));
        countChannel(context, plan.variant, in, channel, bins);
        bins += kBins;
    }
}

}  // namespace warpscope::cuda
