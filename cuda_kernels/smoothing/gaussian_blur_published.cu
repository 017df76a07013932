// The Gaussian as a text on CUDA filters does it, to the same bits: directly over the square of
// neighbours, and in two passes whose weights are in constant memory (where kernel parameters are).
#include <algorithm>
#include <type_traits>

#include "cuda_kernels/smoothing/gaussian_blur.cuh"

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
// What a row costs: that of whole warps, however short it is.
std::int64_t wholeWarps(int width) {
    return std::int64_t(divideUp(unsigned(width), 32)) * 32;
}
unsigned blocksFor(int width, int rows) {
    return divideUp(unsigned(width), kThreads) * unsigned(rows);
}

// With half of what is cut off after either pass; wrong_floor leaves it out.
struct PublishedTaps : GaussianTaps {
    using GaussianTaps::GaussianTaps;
    std::uint32_t rowHalf = 1u << 7, columnHalf = 1u << 23;
};

// Row sums in memory, and sums of them times weights: 16 and 32 bits for 8-bit samples, which come
// to at most 65,280 * 65,536 + 2^23; 24 and 40 bits for 16-bit ones.
template <class T>
using Middle = std::conditional_t<sizeof(T) == 1, std::uint16_t, std::uint32_t>;
template <class T>
using Sum = std::conditional_t<sizeof(T) == 1, std::uint32_t, unsigned long long>;

// A row sum, rounded as the definition says; at most 65,536 * 65,535 + 128 before that. T: a
// sample; C: samples a pixel; alpha has no sum.
template <class T, int C>
struct RowSum {
    static constexpr int kColors = C == 4 ? 3 : 1;
    std::uint32_t sums[kColors] = {};

    __device__ RowSum(const DeviceImage& in, int x, int y, const PublishedTaps& taps) {
        const auto* row =
            reinterpret_cast<const T*>(in.data + in.pitch * min(max(y, 0), in.size.height - 1));
        for (int i = -taps.radius; i <= taps.radius; ++i) {
            const T* pixel = row + C * min(max(x + i, 0), in.size.width - 1);
#pragma unroll
            for (int c = 0; c < kColors; ++c)
                sums[c] += std::uint32_t(taps.weights[i + taps.radius]) * pixel[c];
        }
#pragma unroll
        for (int c = 0; c < kColors; ++c) sums[c] = (sums[c] + taps.rowHalf) >> 8;
    }
};

template <class T, int C>
__device__ void store(const DeviceImage& in, const DeviceImage& out, int x, int y,
                      const Sum<T> (&sums)[RowSum<T, C>::kColors], std::uint32_t columnHalf) {
    T* to = reinterpret_cast<T*>(out.data + y * out.pitch) + C * x;
#pragma unroll
    for (int c = 0; c < RowSum<T, C>::kColors; ++c) to[c] = T((sums[c] + columnHalf) >> 24);
    if constexpr (C == 4) to[3] = reinterpret_cast<const T*>(in.data + y * in.pitch)[C * x + 3];
}

template <class T, int C>
__global__ void __launch_bounds__(kThreads)
    directKernel(DeviceImage in, DeviceImage out, int first,
                 const __grid_constant__ PublishedTaps taps) {
    const Place place(in.size.width);
    if (place.x >= in.size.width) return;
    const int y = first + place.row;
    Sum<T> sums[RowSum<T, C>::kColors] = {};
    for (int j = -taps.radius; j <= taps.radius; ++j) {
        const RowSum<T, C> row(in, place.x, y + j, taps);
#pragma unroll
        for (int c = 0; c < RowSum<T, C>::kColors; ++c)
            sums[c] += Sum<T>(taps.weights[j + taps.radius]) * row.sums[c];
    }
    store<T, C>(in, out, place.x, y, sums, taps.columnHalf);
}

// Row sums of the image's rows from `first` on, a plane a colour.
template <class T>
struct MiddleRows {
    Middle<T>* sums = nullptr;
    int first = 0;
    int rows = 0;
    std::int64_t plane = 0;
};

template <class T, int C>
__global__ void __launch_bounds__(kThreads)
    rowsKernel(DeviceImage in, MiddleRows<T> middle, int first,
               const __grid_constant__ PublishedTaps taps) {
    const Place place(in.size.width);
    if (place.x >= in.size.width) return;
    const int at = first + place.row;
    const RowSum<T, C> row(in, place.x, middle.first + at, taps);
    Middle<T>* to = middle.sums + std::int64_t(at) * in.size.width + place.x;
#pragma unroll
    for (int c = 0; c < RowSum<T, C>::kColors; ++c) to[c * middle.plane] = Middle<T>(row.sums[c]);
}

template <class T, int C>
__global__ void __launch_bounds__(kThreads)
    columnsKernel(DeviceImage in, DeviceImage out, int first, MiddleRows<T> middle,
                  const __grid_constant__ PublishedTaps taps) {
    const Place place(in.size.width);
    if (place.x >= in.size.width) return;
    const int y = first + place.row;
    Sum<T> sums[RowSum<T, C>::kColors] = {};
    for (int j = -taps.radius; j <= taps.radius; ++j) {
        const int row = min(max(y + j, 0), in.size.height - 1) - middle.first;
        const Middle<T>* from = middle.sums + std::int64_t(row) * in.size.width + place.x;
#pragma unroll
        for (int c = 0; c < RowSum<T, C>::kColors; ++c)
            sums[c] += Sum<T>(taps.weights[j + taps.radius]) * from[c * middle.plane];
    }
    store<T, C>(in, out, place.x, y, sums, taps.columnHalf);
}

template <class T, int C>
void runDirect(KernelContext& context, const PublishedTaps& taps, const DeviceImage& in,
               const DeviceImage& out) {
    const std::int64_t size = 2 * taps.radius + 1;
    const int bandRows = context.rowsPerLaunch(in.pitch + out.pitch,
                                               wholeWarps(in.size.width) * size * size * C * 2);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        launch(context, "Gaussian, direct", blocksFor(in.size.width, last - first), kThreads, 0,
               directKernel<T, C>, in, out, first, taps);
    });
}

template <class T, int C>
void runSeparable(KernelContext& context, const PublishedTaps& taps, const DeviceImage& in,
                  const DeviceImage& out) {
    constexpr int kColors = RowSum<T, C>::kColors;
    const int height = in.size.height, width = in.size.width;
    // Products of 64 bits count twice.
    const std::int64_t work = wholeWarps(width) * (2 * taps.radius + 1) * C * 2 * int(sizeof(T));
    constexpr int kSumBytes = kColors * int(sizeof(Middle<T>));
    const std::int64_t middleRow = std::int64_t(width) * kSumBytes;
    // Where bands are lower than their halo, row sums are made several times over.
    const int bandRows = context.rowsPerLaunch(in.pitch + out.pitch + middleRow, work);
    MiddleRows<T> middle;
    const int most = std::min(height, bandRows + 2 * taps.radius);
    middle.plane = std::int64_t(most) * width;
    const DeviceMemory memory = context.allocate(std::size_t(middle.plane) * kSumBytes);
    middle.sums = memory.as<Middle<T>>();
    // The halo may be far higher than the band: no more rows a launch than the band has. A stop
    // takes effect between all these launches.
    const int pieces = int(divideUp(unsigned(most), unsigned(bandRows)));
    const int launches = pieces + 1;  // of a band; the last one is that of its columns
    const int bands = int(divideUp(unsigned(height), unsigned(bandRows)));
    const int together = bands == 1 ? launches : 1;
    context.forEachBand(bands * launches, together, [&](int begin, int end) {
        for (int index = begin; index < end; ++index) {
            const int first = index / launches * bandRows;
            const int last = first + std::min(bandRows, height - first);
            middle.first = std::max(0, first - taps.radius);
            middle.rows = std::min(height, last + taps.radius) - middle.first;
            const int row = index % launches * bandRows;
            if (index % launches == pieces)
                launch(context, "Gaussian, columns", blocksFor(width, last - first), kThreads, 0,
                       columnsKernel<T, C>, in, out, first, middle, taps);
            else if (row < middle.rows)
                launch(context, "Gaussian, rows",
                       blocksFor(width, std::min(bandRows, middle.rows - row)), kThreads, 0,
                       rowsKernel<T, C>, in, middle, row, taps);
        }
    });
}

}  // namespace

void runGaussianPublished(KernelContext& context, const GaussianBlurPlan& plan,
                          const DeviceImage& in, const DeviceImage& out) {
    PublishedTaps taps(plan);
    if (plan.variant == "wrong_floor") taps.rowHalf = taps.columnHalf = 0;
    const bool direct = plan.variant == "direct_2d";
    forSamples(in.format, [&]<class T, int C>() {
        direct ? runDirect<T, C>(context, taps, in, out)
               : runSeparable<T, C>(context, taps, in, out);
    });
}

}  // namespace warpscope::cuda
