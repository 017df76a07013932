// Counts of 16-bit images, whose 65,536 bins do not fit in shared memory: with one atomic a
// distinct value and warp.
#include "cuda_kernels/analysis/counting.h"
#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kBins16 = kWideBins;

struct Slots {
    int luma = -1, red = -1, green = -1, blue = -1;
};

// Lanes with the same value send one of them with their number, or a flat image would put all its
// pixels in a queue for one address.
__device__ void addAggregated(unsigned long long* bins, std::uint32_t value, bool valid) {
    const unsigned active = __ballot_sync(0xffffffffu, valid);
    if (!valid) return;
    const unsigned same = __match_any_sync(active, value);
    if (threadIdx.x % 32 == unsigned(__ffs(int(same)) - 1))
        atomicAdd(bins + value, static_cast<unsigned long long>(__popc(same)));
}

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
        } else {
            addAggregated(bins, reinterpret_cast<const std::uint16_t*>(at)[column], valid);
        }
    }
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

}  // namespace

void countSixteenBit(KernelContext& context, const DeviceImage& in, ChannelSet channels,
                     unsigned long long* bins) {
    int count = 0;
    for (const HistogramChannel channel : kAllHistogramChannels) count += channels.has(channel);
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
               rowsOf(in, first, last), pixels, slotsOf(channels), bins);
    });
}

}  // namespace warpscope::cuda
