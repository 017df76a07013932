// The Gaussian as a text on CUDA filters does it, to the same bits: directly over the square of
// neighbours, and in two passes whose weights are in constant memory (where kernel parameters are).
#include <algorithm>
#include <type_traits>

#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/smoothing/gaussian_blur.cuh"
#include "cuda_kernels/smoothing/gaussian_blur_costs.h"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = kPublishedGaussianThreads;

// Numbers blocks along rows: a thread a pixel. A launch takes those from `firstBlock` on.
struct Place {
    int x, row;
    __device__ Place(int width, unsigned firstBlock) {
        const unsigned across = divideUp(unsigned(width), kThreads);
        const unsigned block = firstBlock + blockIdx.x;
        row = int(block / across);
        x = int(block % across * kThreads + threadIdx.x);
    }
};
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
    directKernel(DeviceImage in, DeviceImage out, int first, unsigned firstBlock,
                 const __grid_constant__ PublishedTaps taps) {
    const Place place(in.size.width, firstBlock);
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
    rowsKernel(DeviceImage in, MiddleRows<T> middle, unsigned firstBlock,
               const __grid_constant__ PublishedTaps taps) {
    const Place place(in.size.width, firstBlock);
    if (place.x >= in.size.width) return;
    const RowSum<T, C> row(in, place.x, middle.first + place.row, taps);
    Middle<T>* to = middle.sums + std::int64_t(place.row) * in.size.width + place.x;
#pragma unroll
    for (int c = 0; c < RowSum<T, C>::kColors; ++c) to[c * middle.plane] = Middle<T>(row.sums[c]);
}

template <class T, int C>
__global__ void __launch_bounds__(kThreads)
    columnsKernel(DeviceImage in, DeviceImage out, int first, unsigned firstBlock,
                  MiddleRows<T> middle, const __grid_constant__ PublishedTaps taps) {
    const Place place(in.size.width, firstBlock);
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
    const int width = in.size.width;
    const RowsCost cost = gaussianDirectCost(width, C, in.pitch + out.pitch, taps.radius);
    const LaunchCut cut = cutRows(limitsOf(context), cost);
    forEachPiece(context, in.size.height, cut, cost.blocks, [&](int first, int last, int piece) {
        const BlockRange blocks(cut, piece, blocksFor(width, last - first));
        launchRange(context, "Gaussian, direct", blocks, kThreads, 0, directKernel<T, C>, in, out,
                    first, blocks.first, taps);
    });
}

template <class T, int C>
void runSeparable(KernelContext& context, const PublishedTaps& taps, const DeviceImage& in,
                  const DeviceImage& out) {
    constexpr int kColors = RowSum<T, C>::kColors;
    const int height = in.size.height, width = in.size.width;
    constexpr int kSumBytes = kColors * int(sizeof(Middle<T>));
    const LaunchCut cut =
        cutRows(limitsOf(context),
                gaussianSeparableCost(width, C, int(sizeof(T)), in.pitch + out.pitch, taps.radius));
    // Where bands are lower than their halo, row sums are made several times over.
    const int bandRows = std::min(cut.rows, height);
    MiddleRows<T> middle;
    const int most = std::min(height, bandRows + 2 * taps.radius);
    middle.plane = std::int64_t(most) * width;
    const DeviceMemory memory = context.allocate(std::size_t(middle.plane) * kSumBytes);
    middle.sums = memory.as<Middle<T>>();
    // The halo may be far higher than the band. A stop takes effect between all these launches.
    const int pieces[] = {cut.pieces(blocksFor(width, most)),
                          cut.pieces(blocksFor(width, bandRows))};
    forEachPiece(context, height, bandRows, pieces, [&](int first, int last, int pass, int piece) {
        middle.first = std::max(0, first - taps.radius);
        middle.rows = std::min(height, last + taps.radius) - middle.first;
        const BlockRange blocks(cut, piece, blocksFor(width, pass ? last - first : middle.rows));
        if (pass == 0)
            launchRange(context, "Gaussian, rows", blocks, kThreads, 0, rowsKernel<T, C>, in,
                        middle, blocks.first, taps);
        else
            launchRange(context, "Gaussian, columns", blocks, kThreads, 0, columnsKernel<T, C>, in,
                        out, first, blocks.first, middle, taps);
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
