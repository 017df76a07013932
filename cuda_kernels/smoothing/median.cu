// Medians: of 3x3 by networks (median_networks.cu), of 5x5 and all larger windows of 16 bits by
// tiles (median_tiles.cu), of larger windows of 8 bits by planes of bits (median_planes.cu). Here:
// the last where that needs more shared memory than there is, by a histogram a thread that slides
// down a column (counts fit a byte).
#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/smoothing/median.cuh"
#include "cuda_kernels/smoothing/window_costs.h"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = kMedianThreads;
constexpr int kRowsEach = kMedianHistogramRows;  // that a thread of the histogram path slides down
constexpr unsigned kBinWords = 256 / 4;

// Where a thread works: a sample of a row (colour: channels side by side) and a strip of rows.
template <int C>
struct Strip {
    int x, channel, y;
    __device__ Strip(FastDivide samplesPerRow, int first, int rows, std::uint32_t index) {
        const std::uint32_t strip = samplesPerRow(index);
        const int sample = int(index - strip * samplesPerRow.divisor);
        x = sample / C;
        channel = sample % C;
        y = first + int(strip) * rows;
    }
};

// 256 counters of a byte, four to a word, that of bin k at word k / 4 of the thread's bank: threads
// of a warp never meet in one.
struct ThreadHistogram {
    std::uint8_t* bytes;
    __device__ explicit ThreadHistogram(std::uint32_t* words)
        : bytes(reinterpret_cast<std::uint8_t*>(words + threadIdx.x)) {
        for (unsigned i = 0; i < kBinWords; ++i) words[i * kThreads + threadIdx.x] = 0;
    }
    __device__ std::uint8_t& operator[](std::uint32_t bin) const {
        return bytes[(bin >> 2) * (kThreads * 4) + (bin & 3)];
    }
};

template <int C>
__global__ void __launch_bounds__(kThreads)
    histogramKernel(DeviceImage in, DeviceImage out, int first, int last, int radius,
                    FastDivide samplesPerRow, unsigned firstBlock, std::uint32_t count) {
    __shared__ std::uint32_t words[kBinWords * kThreads];
    const std::uint32_t index = (firstBlock + blockIdx.x) * kThreads + threadIdx.x;
    if (index >= count) return;
    const Strip<C> strip(samplesPerRow, first, kRowsEach, index);
    const int end = min(last, strip.y + kRowsEach);
    const int lastX = in.size.width - 1, lastY = in.size.height - 1;
    const auto at = [&](int row, int column) {
        return std::uint32_t(reinterpret_cast<const std::uint8_t*>(
            in.data + std::int64_t(row) *
                          in.pitch)[std::int64_t(min(max(column, 0), lastX)) * C + strip.channel]);
    };
    const auto put = [&](int row, std::uint8_t value) {
        reinterpret_cast<std::uint8_t*>(
            out.data + std::int64_t(row) * out.pitch)[std::int64_t(strip.x) * C + strip.channel] =
            value;
    };
    if (C == 4 && strip.channel == 3) {
        for (int y = strip.y; y < end; ++y) put(y, std::uint8_t(at(y, strip.x)));
        return;
    }
    const ThreadHistogram histogram(words);
    for (int j = -radius; j <= radius; ++j) {
        const int row = min(max(strip.y + j, 0), lastY);
        for (int i = -radius; i <= radius; ++i) ++histogram[at(row, strip.x + i)];
    }
    // The median is the smallest value with more than `half` samples up to and with it.
    const int half = (2 * radius + 1) * (2 * radius + 1) / 2;
    std::uint32_t median = 0;
    int below = 0;  // samples smaller than `median`
    for (int y = strip.y;; ++y) {
        while (below > half) below -= histogram[--median];
        for (int here; below + (here = histogram[median]) <= half; ++median) below += here;
        put(y, std::uint8_t(median));
        if (y + 1 >= end) return;
        const int leaving = max(y - radius, 0), entering = min(y + 1 + radius, lastY);
        if (leaving == entering) continue;
#pragma unroll 3
        for (int i = -radius; i <= radius; ++i) {
            const std::uint32_t gone = at(leaving, strip.x + i), come = at(entering, strip.x + i);
            --histogram[gone];
            ++histogram[come];
            below += int(come < median) - int(gone < median);
        }
    }
}

template <int C>
void runHistogram(KernelContext& context, int radius, const DeviceImage& in,
                  const DeviceImage& out) {
    const std::int64_t samples = std::int64_t(in.size.width) * C;
    const RowsCost cost = medianHistogramCost(samples, in.pitch * 8 + out.pitch, radius);
    const LaunchCut cut = cutRows(limitsOf(context), cost);
    forEachPiece(context, in.size.height, cut, cost.blocks, [&](int first, int last, int piece) {
        const FastDivide perRow{unsigned(samples)};
        const std::uint32_t count = perRow.divisor * divideUp(unsigned(last - first), kRowsEach);
        const BlockRange blocks(cut, piece, divideUp(count, kThreads));
        launchRange(context, "median histogram", blocks, kThreads, 0, histogramKernel<C>, in, out,
                    first, last, radius, perRow, blocks.first, count);
    });
}

void run(KernelContext& context, const Plan& plan, const DeviceImage& in, const DeviceImage& out) {
    const int radius = static_cast<const MedianPlan&>(plan).radius;
    const bool color = isColor(in.format);
    if (isFloat(in.format))
        medianOfFloats(context, radius, in, out);
    else if (radius == 1)
        medianByNetwork(context, radius, in, out);
    else if (radius == 2 || bytesPerSample(in.format) == 2)
        medianByTiles(context, radius, in, out);
    else if (!medianByPlanes(context, radius, in, out))
        color ? runHistogram<4>(context, radius, in, out)
              : runHistogram<1>(context, radius, in, out);
}

std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets;
    for (int radius = 1; radius <= kMaxMedianRadius; ++radius)
        sets.emplace_back().set("radius", std::int64_t(radius));
    return sets;
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(median, .run = run, .warmUps = warmUps, .loadKernels = loadMedianNetworks);

}  // namespace warpscope::cuda
