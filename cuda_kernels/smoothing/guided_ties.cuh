// Samples of a guided filter that lie so close to half a level that the order of additions decides:
// made once more, each by a warp, in the order of the definition.
#pragma once

#include <bit>

#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/smoothing/guided_columns.cuh"
#include "engine/operations/smoothing/guided_filter.h"

namespace warpscope::cuda {

inline constexpr unsigned kTieThreads = 128;

// a and b of a band, a plane each, colour by colour.
struct LinePlanes {
    float* data;
    std::int64_t pitch, plane;  // elements
    int first, last;            // rows of the image

    __device__ __forceinline__ float* slopes(int colour, int y) const {
        return data + 2 * colour * plane + (y - first) * pitch;
    }
    __device__ __forceinline__ float* offsets(int colour, int y) const {
        return slopes(colour, y) + plane;
    }
};

// Samples that are to be made once more, by their number in a band.
struct Ties {
    std::uint32_t* count;
    std::uint32_t* samples;
    int firstRow;
};

// Of values `first` to first + kCount - 1, a power of two of them: of both halves, and these alike.
template <int kCount, class Value>
__device__ __forceinline__ double2 sumOfHalves(int first, const Value& value) {
    if constexpr (kCount == 1) {
        return value(first);
    } else {
        const double2 a = sumOfHalves<kCount / 2>(first, value);
        const double2 b = sumOfHalves<kCount / 2>(first + kCount / 2, value);
        return {__dadd_rn(a.x, b.x), __dadd_rn(a.y, b.y)};
    }
}

// Of values 0 to side - 1, an odd number, in the order of the definition.
template <class Value>
__device__ double2 sumInOrder(int side, const Value& value) {
    // Eight values at once.
    constexpr int kEight = 3;
    constexpr int kWaiting = std::bit_width(2u * kMaxGuidedRadius + 1) - 1 - kEight;
    double2 total = value(0);
    int taken = 1;
    const auto add = [&](double2 sum, int count) {
        total = {__dadd_rn(total.x, sum.x), __dadd_rn(total.y, sum.y)};
        taken += count;
    };
    if (side & 2) add(sumOfHalves<2>(taken, value), 2);
    if (side & 4) add(sumOfHalves<4>(taken, value), 4);
    for (int level = kEight; side >> level; ++level) {
        if (!(side >> level & 1)) continue;
        // [at]: of 8 * 2^at values, which wait for as many more.
        double2 waiting[kWaiting] = {}, sum;
        for (int i = 0; i < 1 << (level - kEight); ++i) {
            sum = sumOfHalves<8>(taken + 8 * i, value);
            // Selected rather than addressed: they are to stay in registers.
#pragma unroll
            for (int at = 0; at < kWaiting; ++at) {
                const int upTo = i & ((2 << at) - 1);
                const double2 before = waiting[at];
                if (upTo == (1 << at) - 1) waiting[at] = sum;
                if (upTo == (2 << at) - 1)
                    sum = {__dadd_rn(before.x, sum.x), __dadd_rn(before.y, sum.y)};
            }
        }
        add(sum, 1 << level);
    }
    return total;
}

// A warp a sample, a lane a row of its window.
template <int C>
__global__ void __launch_bounds__(kTieThreads, 4)
    byteTiesKernel(DeviceImage in, LinePlanes lines, DeviceImage out, Ties ties,
                   std::uint32_t begin, std::uint32_t end, int radius, double share) {
    constexpr std::uint32_t kWarps = kTieThreads / 32, kColours = kColoursOf<C>;
    __shared__ double2 rowSums[kWarps][2 * kMaxGuidedRadius + 1];
    const std::uint32_t count = min(*ties.count, end), width = std::uint32_t(in.size.width);
    const int lane = int(threadIdx.x % 32), side = 2 * radius + 1;
    double2* const rows = rowSums[threadIdx.x / 32];
    for (std::uint32_t i = begin + blockIdx.x * kWarps + threadIdx.x / 32; i < count;
         i += gridDim.x * kWarps) {
        const std::uint32_t row = ties.samples[i] / width;
        const int x = int(ties.samples[i] - row * width), colour = int(row % kColours);
        const int y = ties.firstRow + int(row / kColours);
        for (int j = lane; j < side; j += 32) {
            const int at = min(max(y - radius + j, lines.first), lines.last - 1);
            const float* slopes = lines.slopes(colour, at);
            const float* offsets = lines.offsets(colour, at);
            rows[j] = sumInOrder(side, [&](int column) {
                const int u = min(max(x - radius + column, 0), in.size.width - 1);
                return double2{double(slopes[u]), double(offsets[u])};
            });
        }
        __syncwarp();
        if (lane == 0) {
            const double2 sum = sumInOrder(side, [&](int j) { return rows[j]; });
            const auto* pixel = reinterpret_cast<const std::uint8_t*>(
                in.data + std::int64_t(y) * in.pitch + std::int64_t(x) * C);
            std::uint32_t level = pixel[0];
            if constexpr (C == 4) level = luma(level, pixel[1], pixel[2]);
            const double v = __dadd_rn(__dmul_rn(__dmul_rn(sum.x, share), double(level)),
                                       __dmul_rn(sum.y, share));
            const double bounded = v < 0 ? 0 : v > 255 ? 255 : v;
            out.data[std::int64_t(y) * out.pitch + std::int64_t(x) * C + colour] =
                std::byte(int(__dadd_rn(bounded, 0.5)));
        }
        __syncwarp();
    }
}

// Calls launchTies(begin, end) for pieces of a band's ties, of which there are `most` at worst.
// Where that would be too much for one launch, it asks the device how many there are. While a graph
// is made nobody knows yet: one launch.
template <class LaunchTies>
void forTies(KernelContext& context, const Ties& ties, std::int64_t most, int radius,
             const LaunchTies& launchTies) {
    const std::int64_t each = guidedTiesOfLaunch(limitsOf(context), radius);
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    WARPSCOPE_CUDA(cudaStreamIsCapturing(context.stream(), &status));
    if (most <= each || status != cudaStreamCaptureStatusNone)
        return launchTies(0, std::uint32_t(most));
    std::uint32_t count = 0;
    WARPSCOPE_CUDA(cudaMemcpyAsync(&count, ties.count, sizeof(count), cudaMemcpyDeviceToHost,
                                   context.stream()));
    WARPSCOPE_CUDA(cudaStreamSynchronize(context.stream()));
    for (std::int64_t begin = 0; begin < count; begin += each) {
        context.checkStop();
        launchTies(std::uint32_t(begin),
                   std::uint32_t(std::min<std::int64_t>(count, begin + each)));
        if (count > each) WARPSCOPE_CUDA(cudaStreamSynchronize(context.stream()));
    }
}

}  // namespace warpscope::cuda
