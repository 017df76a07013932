// Samples of a guided filter that lie so close to half a level that the order of additions decides:
// made once more, each by a warp, in the order of the definition.
#pragma once

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

// Of values 0 to side - 1, an odd number, in the order of the definition.
template <class Value>
__device__ double2 sumInOrder(int side, const Value& value) {
    const auto both = [](double2 a, double2 b) {
        return double2{__dadd_rn(a.x, b.x), __dadd_rn(a.y, b.y)};
    };
    double2 total = value(0);
    int taken = 1;
    for (int level = 1; side >> level; ++level) {
        if (!(side >> level & 1)) continue;
        // [i]: of 2^i values, which wait for as many more.
        double2 waiting[8];
        for (int i = 0; i < 1 << level; ++i) {
            double2 sum = value(taken + i);
            int at = 0;
            for (; i >> at & 1; ++at) sum = both(waiting[at], sum);
            waiting[at] = sum;
        }
        total = both(total, waiting[level]);
        taken += 1 << level;
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
