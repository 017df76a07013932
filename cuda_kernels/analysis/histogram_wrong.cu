// Histograms that are wrong on purpose: 8-bit counters that nobody adds up in time, and a barrier
// that is missing. What they do wrong stays within their tables.
#include "cuda_kernels/analysis/histogram.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kBins = 256;
constexpr unsigned kThreads = 128;

// A channel of rows that are taken in pieces.
struct Rows {
    DeviceImage in;
    FastDivide perRow;
    std::uint32_t count = 0;
    HistogramChannel channel = HistogramChannel::Luma;
    bool color = false;

    static Rows of(const DeviceImage& in, HistogramChannel channel, Size piece) {
        const unsigned perRow = divideUp(unsigned(in.size.width), unsigned(piece.width));
        const unsigned down = divideUp(unsigned(in.size.height), unsigned(piece.height));
        return {in, FastDivide(perRow), perRow * down, channel, isColor(in.format)};
    }
    __device__ std::uint32_t level(std::uint32_t row, int column) const {
        const std::byte* at = in.data + row * in.pitch;
        if (!color) return std::uint32_t(at[column]);
        const std::uint32_t pixel = reinterpret_cast<const std::uint32_t*>(at)[column];
        if (channel == HistogramChannel::Luma)
            return luma(byteOf(pixel, 0), byteOf(pixel, 1), byteOf(pixel, 2));
        return byteOf(pixel, int(channel) - int(HistogramChannel::Red));
    }
};

// A piece a thread, and 256 counters of 8 bits for each of them.
__global__ void __launch_bounds__(kThreads) overflowingKernel(Rows rows, unsigned long long* bins) {
    __shared__ uint4 memory[kBins * kThreads / sizeof(uint4)];
    auto* const counters = reinterpret_cast<std::uint8_t*>(memory);
    for (unsigned i = threadIdx.x; i < kBins * kThreads / sizeof(uint4); i += kThreads)
        memory[i] = uint4{0, 0, 0, 0};
    __syncthreads();
    const std::uint32_t piece = blockIdx.x * kThreads + threadIdx.x;
    if (piece < rows.count) {
        const std::uint32_t down = rows.perRow(piece);
        const int left = int(piece - down * rows.perRow.divisor) * kOverflowingColumns;
        const int top = int(down) * kOverflowingRows;
        const int right = min(left + kOverflowingColumns, rows.in.size.width);
        const int bottom = min(top + kOverflowingRows, rows.in.size.height);
        // The trap: 65,536 pixels may have one level, and the counter goes to 255.
        for (int y = top; y < bottom; ++y)
            for (int x = left; x < right; ++x)
                ++counters[rows.level(unsigned(y), x) * kThreads + threadIdx.x];
    }
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < kBins; bin += kThreads) {
        unsigned long long sum = 0;
        for (unsigned k = 0; k < kThreads; ++k)
            sum += counters[bin * kThreads + (k + threadIdx.x) % kThreads];
        if (sum) atomicAdd(bins + bin, sum);
    }
}

// A piece a block. The second half of the threads starts late, as warps may at any time: here so
// late that it is seen at every run.
constexpr unsigned kLateNs = 20'000;
__global__ void __launch_bounds__(2 * kThreads)
    unawaitedKernel(Rows rows, unsigned long long* bins) {
    __shared__ std::uint32_t counts[kBins];
    counts[threadIdx.x] = 0;
    static_assert(kBins == 2 * kThreads);
    __syncthreads();
    const std::uint32_t row = rows.perRow(blockIdx.x);
    const int first = int(blockIdx.x - row * rows.perRow.divisor) * kUnawaitedPixels;
    const int last = min(first + kUnawaitedPixels, rows.in.size.width);
    const int middle = first + (last - first + 1) / 2;
    const bool late = threadIdx.x >= kThreads;
    if (late) __nanosleep(kLateNs);
    const int own = int(threadIdx.x % kThreads);
    for (int x = (late ? middle : first) + own; x < (late ? last : middle); x += int(kThreads))
        atomicAdd(counts + rows.level(row, x), 1u);
    // The trap: __syncthreads() belongs here.
    if (late) return;
    for (unsigned bin = threadIdx.x; bin < kBins; bin += kThreads)
        if (const std::uint32_t count = atomicAdd(counts + bin, 0u))
            atomicAdd(bins + bin, static_cast<unsigned long long>(count));
}

}  // namespace

void countWrong(KernelContext& context, const HistogramPlan& plan, const DeviceImage& in,
                unsigned long long* bins) {
    const bool overflows = plan.variant == "wrong_8bit_counters";
    // As atomics on one level that come one after the other, and as long as late threads sleep.
    const std::int64_t blocks = divideUp(unsigned(in.size.width), kUnawaitedPixels);
    int bandRows = context.rowsPerLaunch(
        in.pitch, std::int64_t(in.size.width) * 256 + (overflows ? 0 : blocks * kLateNs));
    // Pieces are those of the image, whatever the bands.
    if (overflows)
        bandRows = int(divideUp(unsigned(bandRows), kOverflowingRows)) * kOverflowingRows;
    for (const HistogramChannel channel : kAllHistogramChannels) {
        if (!plan.channels.has(channel)) continue;
        WARPSCOPE_CUDA(cudaMemsetAsync(bins, 0, sizeof(*bins) * kBins, context.stream()));
        context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
            const DeviceImage band = rowsOf(in, first, last);
            if (overflows) {
                const Rows rows = Rows::of(band, channel, {kOverflowingColumns, kOverflowingRows});
                launch(context, "count, 8 bits overflow", divideUp(rows.count, kThreads), kThreads,
                       0, overflowingKernel, rows, bins);
            } else {
                const Rows rows = Rows::of(band, channel, {kUnawaitedPixels, 1});
                launch(context, "count, no barrier", rows.count, 2 * kThreads, 0, unawaitedKernel,
                       rows, bins);
            }
        });
        bins += kBins;
    }
}

}  // namespace warpscope::cuda
