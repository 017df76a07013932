// The Gaussian as a text on CUDA filters does it, to the same bits: directly over the square of
// neighbours, and in two passes whose weights are in constant memory (where kernel parameters are).
#include <algorithm>

#include "cuda_kernels/gaussian_paths.h"
#include "cuda_kernels/kernel_support.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 128;

// Numbers blocks along rows: a thread a pixel.
struct Place {
    int x, row;
    __device__ explicit Place(int width) {
        const unsigned across = divideUp(unsigned(width), kThreads);
        row = int(blockIdx.x / across);
        x = int(blockIdx.x % across * kThreads + threadIdx.x);
    }
};
unsigned blocksFor(int width, int rows) {
    return divideUp(unsigned(width), kThreads) * unsigned(rows);
}

// A row sum, rounded to 16 bits as the definition says. C: samples a pixel; alpha has no sum.
template <int C>
struct RowSum {
    static constexpr int kColors = C == 4 ? 3 : 1;
    std::uint32_t sums[kColors] = {};

    __device__ RowSum(const DeviceImage& in, int x, int y, const GaussianTaps& taps) {
        const auto* row = reinterpret_cast<const std::uint8_t*>(
            in.data + in.pitch * min(max(y, 0), in.size.height - 1));
        for (int i = -taps.radius; i <= taps.radius; ++i) {
            const std::uint8_t* pixel = row + C * min(max(x + i, 0), in.size.width - 1);
#pragma unroll
            for (int c = 0; c < kColors; ++c) sums[c] += taps.weights[i + taps.radius] * pixel[c];
        }
#pragma unroll
        for (int c = 0; c < kColors; ++c) sums[c] = (sums[c] + 128u) >> 8;
    }
};

// At most 65,280 * 65,536 + 2^23: fits in 32 bits.
template <int C>
__device__ void store(const DeviceImage& in, const DeviceImage& out, int x, int y,
                      const std::uint32_t (&sums)[RowSum<C>::kColors]) {
    auto* to = reinterpret_cast<std::uint8_t*>(out.data + y * out.pitch) + C * x;
#pragma unroll
    for (int c = 0; c < RowSum<C>::kColors; ++c) to[c] = std::uint8_t((sums[c] + (1u << 23)) >> 24);
    if constexpr (C == 4)
        to[3] = reinterpret_cast<const std::uint8_t*>(in.data + y * in.pitch)[C * x + 3];
}

template <int C>
__global__ void __launch_bounds__(kThreads)
    directKernel(DeviceImage in, DeviceImage out, int first,
                 const __grid_constant__ GaussianTaps taps) {
    const Place place(in.size.width);
    if (place.x >= in.size.width) return;
    const int y = first + place.row;
    std::uint32_t sums[RowSum<C>::kColors] = {};
    for (int j = -taps.radius; j <= taps.radius; ++j) {
        const RowSum<C> row(in, place.x, y + j, taps);
#pragma unroll
        for (int c = 0; c < RowSum<C>::kColors; ++c)
            sums[c] += taps.weights[j + taps.radius] * row.sums[c];
    }
    store<C>(in, out, place.x, y, sums);
}

// Row sums of the image's rows from `first` on, a plane a colour.
struct Middle {
    std::uint16_t* sums = nullptr;
    int first = 0;
    int rows = 0;
    std::int64_t plane = 0;
};

template <int C>
__global__ void __launch_bounds__(kThreads)
    rowsKernel(DeviceImage in, Middle middle, const __grid_constant__ GaussianTaps taps) {
    const Place place(in.size.width);
    if (place.x >= in.size.width) return;
    const RowSum<C> row(in, place.x, middle.first + place.row, taps);
    std::uint16_t* to = middle.sums + std::int64_t(place.row) * in.size.width + place.x;
#pragma unroll
    for (int c = 0; c < RowSum<C>::kColors; ++c) to[c * middle.plane] = std::uint16_t(row.sums[c]);
}

template <int C>
__global__ void __launch_bounds__(kThreads)
    columnsKernel(DeviceImage in, DeviceImage out, int first, Middle middle,
                  const __grid_constant__ GaussianTaps taps) {
    const Place place(in.size.width);
    if (place.x >= in.size.width) return;
    const int y = first + place.row;
    std::uint32_t sums[RowSum<C>::kColors] = {};
    for (int j = -taps.radius; j <= taps.radius; ++j) {
        const int row = min(max(y + j, 0), in.size.height - 1) - middle.first;
        const std::uint16_t* from = middle.sums + std::int64_t(row) * in.size.width + place.x;
#pragma unroll
        for (int c = 0; c < RowSum<C>::kColors; ++c)
            sums[c] += taps.weights[j + taps.radius] * from[c * middle.plane];
    }
    store<C>(in, out, place.x, y, sums);
}

template <int C>
void runDirect(KernelContext& context, const GaussianTaps& taps, const DeviceImage& in,
               const DeviceImage& out) {
    const std::int64_t size = 2 * taps.radius + 1;
    const int bandRows = context.rowsPerLaunch(in.pitch + out.pitch,
                                               std::int64_t(in.size.width) * size * size * C * 2);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        launch(context, "Gaussian, direct", blocksFor(in.size.width, last - first), kThreads, 0,
               directKernel<C>, in, out, first, taps);
    });
}

template <int C>
void runSeparable(KernelContext& context, const GaussianTaps& taps, const DeviceImage& in,
                  const DeviceImage& out) {
    constexpr int kColors = RowSum<C>::kColors;
    const int height = in.size.height, width = in.size.width;
    const std::int64_t work = std::int64_t(width) * (2 * taps.radius + 1) * C * 2;
    const std::int64_t middleRow = std::int64_t(width) * kColors * 2;
    // Where bands are lower than their halo, row sums are made several times over.
    const int bandRows = context.rowsPerLaunch(in.pitch + out.pitch + middleRow, work);
    Middle middle;
    const int most = std::min(height, bandRows + 2 * taps.radius);
    middle.plane = std::int64_t(most) * width;
    const DeviceMemory memory =
        context.allocate(std::size_t(middle.plane) * kColors * sizeof(std::uint16_t));
    middle.sums = memory.as<std::uint16_t>();
    context.forEachBand(height, bandRows, [&](int first, int last) {
        middle.first = std::max(0, first - taps.radius);
        middle.rows = std::min(height, last + taps.radius) - middle.first;
        launch(context, "Gaussian, rows", blocksFor(width, middle.rows), kThreads, 0, rowsKernel<C>,
               in, middle, taps);
        launch(context, "Gaussian, columns", blocksFor(width, last - first), kThreads, 0,
               columnsKernel<C>, in, out, first, middle, taps);
    });
}

}  // namespace

void runGaussianPublished(KernelContext& context, const GaussianBlurPlan& plan,
                          const DeviceImage& in, const DeviceImage& out) {
    const GaussianTaps taps(plan);
    const bool direct = plan.variant == "direct_2d";
    if (isColor(in.format))
        direct ? runDirect<4>(context, taps, in, out) : runSeparable<4>(context, taps, in, out);
    else
        direct ? runDirect<1>(context, taps, in, out) : runSeparable<1>(context, taps, in, out);
}

}  // namespace warpscope::cuda
