// Medians of float samples, which are compared as integer keys of the same order. A thread makes
// one sample: of 3x3 and 5x5 by dropping the smallest and the largest of what is left, of larger
// windows by the bits of the median's key one after the other, highest first, by counting.
#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/smoothing/median.cuh"
#include "cuda_kernels/smoothing/window_costs.h"
#include "engine/operations/order_keys.h"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = kMedianThreads;

__device__ __forceinline__ std::int32_t keyOf(std::uint32_t bits) {
    const auto value = std::int32_t(bits);
    return (value & kNanKey) > 0x7f800000 ? kNanKey : value ^ ((value >> 31) & kNanKey);
}
__device__ __forceinline__ std::uint32_t bitsOf(std::int32_t key) {
    return std::uint32_t(key ^ ((key >> 31) & kNanKey));
}

__device__ __forceinline__ void order(std::int32_t& a, std::int32_t& b) {
    const std::int32_t low = min(a, b);
    b = max(a, b);
    a = low;
}

// The smallest of the first `Count` to place 0, the largest to the last one.
template <int Count, int N>
__device__ __forceinline__ void moveEnds(std::int32_t (&v)[N]) {
#pragma unroll
    for (int i = 0; i < Count / 2; ++i) order(v[i], v[Count - 1 - i]);
#pragma unroll
    for (int i = 1; i < (Count + 1) / 2; ++i) order(v[0], v[i]);
#pragma unroll
    for (int i = Count / 2; i < Count - 1; ++i) order(v[i], v[Count - 1]);
}

// Of the first `Count`, one more than half of the window, the ends cannot be the median: the last
// is forgotten, the first makes room for v[Next].
template <int Count, int Next, int N>
__device__ __forceinline__ std::int32_t medianOf(std::int32_t (&v)[N]) {
    moveEnds<Count>(v);
    if constexpr (Count == 3) {
        return v[1];
    } else {
        v[0] = v[Next];
        return medianOf<Count - 1, Next + 1>(v);
    }
}

// A sample and the window around it.
template <int C>
struct Place {
    const DeviceImage& in;
    int x, y, channel;

    __device__ Place(const DeviceImage& image, int first, FastDivide samplesPerRow,
                     std::uint32_t index)
        : in(image) {
        const std::uint32_t row = samplesPerRow(index);
        const int sample = int(index - row * samplesPerRow.divisor);
        x = sample / C;
        channel = sample % C;
        y = first + int(row);
    }
    __device__ const std::uint32_t* row(int j) const {
        const int clamped = min(max(y + j, 0), in.size.height - 1);
        return reinterpret_cast<const std::uint32_t*>(in.data + std::int64_t(clamped) * in.pitch) +
               channel;
    }
    __device__ std::uint32_t at(const std::uint32_t* row, int i) const {
        return row[std::int64_t(min(max(x + i, 0), in.size.width - 1)) * C];
    }
    __device__ void store(const DeviceImage& out, std::uint32_t bits) const {
        reinterpret_cast<std::uint32_t*>(
            out.data + std::int64_t(y) * out.pitch)[std::int64_t(x) * C + channel] = bits;
    }
    __device__ bool isAlpha() const { return C == 4 && channel == 3; }
};

template <int C, int Radius>
__global__ void __launch_bounds__(kThreads)
    floatNetworkKernel(DeviceImage in, DeviceImage out, int first, FastDivide samplesPerRow,
                       unsigned firstBlock, std::uint32_t count) {
    constexpr int kSide = 2 * Radius + 1;
    const std::uint32_t index = (firstBlock + blockIdx.x) * kThreads + threadIdx.x;
    if (index >= count) return;
    const Place<C> place(in, first, samplesPerRow, index);
    if (place.isAlpha()) return place.store(out, place.at(place.row(0), 0));
    std::int32_t window[kSide * kSide];
#pragma unroll
    for (int j = 0; j < kSide; ++j) {
        const std::uint32_t* row = place.row(j - Radius);
#pragma unroll
        for (int i = 0; i < kSide; ++i) window[j * kSide + i] = keyOf(place.at(row, i - Radius));
    }
    constexpr int kFirst = kSide * kSide / 2 + 2;
    place.store(out, bitsOf(medianOf<kFirst, kFirst>(window)));
}

template <int C>
__global__ void __launch_bounds__(kThreads)
    floatBitsKernel(DeviceImage in, DeviceImage out, int first, int radius,
                    FastDivide samplesPerRow, unsigned firstBlock, std::uint32_t count) {
    const std::uint32_t index = (firstBlock + blockIdx.x) * kThreads + threadIdx.x;
    if (index >= count) return;
    const Place<C> place(in, first, samplesPerRow, index);
    if (place.isAlpha()) return place.store(out, place.at(place.row(0), 0));
    // The largest key that no more than half of the samples are below; the highest bit is a sign.
    const int half = (2 * radius + 1) * (2 * radius + 1) / 2;
    auto median = std::int32_t(0x80000000u);
    for (int bit = 31; bit >= 0; --bit) {
        const auto tried = std::int32_t(std::uint32_t(median) ^ 1u << bit);
        int below = 0;
        for (int j = -radius; j <= radius; ++j) {
            const std::uint32_t* row = place.row(j);
#pragma unroll 5
            for (int i = -radius; i <= radius; ++i) below += keyOf(place.at(row, i)) < tried;
        }
        if (below <= half) median = tried;
    }
    place.store(out, bitsOf(median));
}

template <int C>
void run(KernelContext& context, int radius, const DeviceImage& in, const DeviceImage& out) {
    const std::int64_t samples = std::int64_t(in.size.width) * C;
    const RowsCost cost = medianFloatCost(samples, in.pitch + out.pitch, radius);
    const LaunchCut cut = cutRows(limitsOf(context), cost);
    forEachPiece(context, in.size.height, cut, cost.blocks, [&](int first, int last, int piece) {
        const FastDivide perRow{unsigned(samples)};
        const std::uint32_t count = perRow.divisor * unsigned(last - first);
        const BlockRange blocks(cut, piece, divideUp(count, kThreads));
        if (radius <= 2)
            launchRange(context, "median network", blocks, kThreads, 0,
                        radius == 1 ? floatNetworkKernel<C, 1> : floatNetworkKernel<C, 2>, in, out,
                        first, perRow, blocks.first, count);
        else
            launchRange(context, "median bits", blocks, kThreads, 0, floatBitsKernel<C>, in, out,
                        first, radius, perRow, blocks.first, count);
    });
}

}  // namespace

void medianOfFloats(KernelContext& context, int radius, const DeviceImage& in,
                    const DeviceImage& out) {
    isColor(in.format) ? run<4>(context, radius, in, out) : run<1>(context, radius, in, out);
}

}  // namespace warpscope::cuda
