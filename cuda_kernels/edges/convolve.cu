// Weighted sums from tiles of samples in shared memory; colour is one row of interleaved samples
// whose neighbours are four apart. Small kernels on 8-bit images go to small_kernel.cu.
#include "engine/operations/edges/convolve.h"

#include <algorithm>
#include <type_traits>

#include "cuda_kernels/edges/convolve_cost.h"
#include "cuda_kernels/edges/small_kernel.cuh"
#include "cuda_kernels/runtime/launch_pieces.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kColumns = kConvolveColumns, kRows = kConvolveRows;
constexpr int kRowsEach = kRows / (int(kThreads) / kColumns);  // of a thread, below each other
constexpr int kMostRadius = kMaxConvolveSide / 2;

// In constant memory, where kernel parameters are.
struct Weights {
    int radiusX, radiusY;
    std::int32_t divisor, offset;
    double offsetFloat;
    // Row by row, 2 radiusX + 1 in a row.
    std::int32_t of[kMaxConvolveSide * kMaxConvolveSide];

    explicit Weights(const ConvolvePlan& plan)
        : radiusX(plan.radiusX),
          radiusY(plan.radiusY),
          divisor(plan.divisor),
          offset(plan.offset),
          offsetFloat(plan.offsetFloat),
          of{} {
        for (const ConvolveTap& tap : plan.taps)
            of[(tap.y + radiusY) * (2 * radiusX + 1) + tap.x + radiusX] = tap.weight;
    }
};

// Products of floats and weights are exact in double, so that fusing them with the sum changes
// nothing.
__device__ __forceinline__ void addProduct(int& sum, int weight, std::uint32_t sample) {
    sum += weight * int(sample);
}
__device__ __forceinline__ void addProduct(long long& sum, int weight, std::uint32_t sample) {
    sum += static_cast<long long>(weight) * static_cast<long long>(sample);
}
__device__ __forceinline__ void addProduct(double& sum, int weight, float sample) {
    sum = __fma_rn(double(weight), double(sample), sum);
}

// floor((2 s + d) / (2 d)) + offset, limited. (s + 1/4) / d + 1/2 is nearer to no whole number than
// 1 / 4d, and s is below 2^40: double is far more exact.
template <class T, class Sum>
__device__ __forceinline__ T sampleFrom(Sum sum, const Weights& weights) {
    if constexpr (std::is_floating_point_v<T>) {
        return __double2float_rn(
            __dadd_rn(__ddiv_rn(sum, double(weights.divisor)), weights.offsetFloat));
    } else {
        constexpr double kWhite = double((1 << (8 * int(sizeof(T)))) - 1);
        double made = double(sum);
        if (weights.divisor != 1) {
            const double divisor = double(weights.divisor);
            made = floor((made + 0.25) / divisor + 0.5);
        }
        made += double(weights.offset);
        return T(int(fmin(fmax(made, 0.0), kWhite)));
    }
}

template <class T, int C>
constexpr int pitchOf() {
    return kColumns + 2 * kMostRadius * C;
}

// Output rows [first, last). Tiles are numbered along the rows; those from `firstBlock` on.
template <class T, int C, class Sum>
__global__ void __launch_bounds__(kThreads)
    convolveKernel(DeviceImage in, DeviceImage out, int first, int last, FastDivide tilesAcross,
                   unsigned firstBlock, const __grid_constant__ Weights weights) {
    constexpr int kPitch = pitchOf<T, C>();
    __shared__ T tile[(kRows + 2 * kMostRadius) * kPitch];
    const std::uint32_t block = firstBlock + blockIdx.x, down = tilesAcross(block);
    const int left = int(block - down * tilesAcross.divisor) * kColumns;
    const int top = first + int(down) * kRows;
    const int halo = weights.radiusX * C;
    const int lastX = in.size.width - 1, lastY = in.size.height - 1;
    const int columns = kColumns + 2 * halo, rows = kRows + 2 * weights.radiusY;
    for (int r = int(threadIdx.x) / kColumns; r < rows; r += int(kThreads) / kColumns) {
        const T* source = reinterpret_cast<const T*>(
            in.data + std::int64_t(min(max(top - weights.radiusY + r, 0), lastY)) * in.pitch);
        for (int i = int(threadIdx.x) % kColumns; i < columns; i += kColumns) {
            const int channel = i % C;  // tiles and halo are multiples of C
            const int pixel = min(max((left - halo + i - channel) / C, 0), lastX);
            tile[r * kPitch + i] = source[std::int64_t(pixel) * C + channel];
        }
    }
    __syncthreads();
    const int column = int(threadIdx.x) % kColumns;
    const int row = int(threadIdx.x) / kColumns * kRowsEach;
    const int sample = left + column;
    if (sample >= in.size.width * C) return;
    Sum sums[kRowsEach] = {};
    int at = 0;
    for (int j = 0; j <= 2 * weights.radiusY; ++j)
        for (int i = 0; i <= 2 * weights.radiusX; ++i, ++at) {
            const std::int32_t weight = weights.of[at];
            if (weight == 0) continue;
            const T* from = tile + (row + j) * kPitch + column + i * C;
#pragma unroll
            for (int k = 0; k < kRowsEach; ++k) addProduct(sums[k], weight, from[k * kPitch]);
        }
#pragma unroll
    for (int k = 0; k < kRowsEach; ++k) {
        const int y = top + row + k;
        if (y >= last) return;
        const T own = tile[(row + k + weights.radiusY) * kPitch + column + halo];
        const T made = C == 4 && sample % 4 == 3 ? own : sampleFrom<T>(sums[k], weights);
        reinterpret_cast<T*>(out.data + std::int64_t(y) * out.pitch)[sample] = made;
    }
}

template <class T, int C, class Sum>
void convolveWith(KernelContext& context, const ConvolvePlan& plan, const DeviceImage& in,
                  const DeviceImage& out) {
    const Weights weights(plan);
    const std::uint32_t across = divideUp(std::uint64_t(in.size.width) * C, kColumns);
    const RowsCost cost = convolveCost(std::int64_t(in.size.width) * C, in.pitch + out.pitch,
                                       plan.radiusX, plan.radiusY, sizeof(Sum) > 4);
    const LaunchCut cut = cutRows(limitsOf(context), cost);
    forEachPiece(context, in.size.height, cut, cost.blocks, [&](int first, int last, int piece) {
        const BlockRange blocks(cut, piece, across * divideUp(unsigned(last - first), kRows));
        launchRange(context, "convolve", blocks, kThreads, 0, convolveKernel<T, C, Sum>, in, out,
                    first, last, FastDivide(across), blocks.first, weights);
    });
}

template <class T, int C>
void convolve(KernelContext& context, const ConvolvePlan& plan, const DeviceImage& in,
              const DeviceImage& out) {
    if constexpr (std::is_floating_point_v<T>)
        convolveWith<T, C, double>(context, plan, in, out);
    else if (sizeof(T) == 1 || plan.fits(32, 65535))
        convolveWith<T, C, int>(context, plan, in, out);
    else
        convolveWith<T, C, long long>(context, plan, in, out);
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const ConvolvePlan&>(given);
    if (const auto kernel = smallKernelOf(plan))
        return runSmallKernel(context, "convolve", *kernel, in, out);
    if (isFloat(in.format))
        isColor(in.format) ? convolve<float, 4>(context, plan, in, out)
                           : convolve<float, 1>(context, plan, in, out);
    else
        forSamples(in.format, [&]<class T, int C>() { convolve<T, C>(context, plan, in, out); });
}

// Small kernels of each size with weights of 8 bits and of more, divided and not; for 16-bit images
// those are sums of 32 bits and of 64. A large kernel.
std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets;
    for (const int side : {3, 5, 7, 9})
        for (const std::int32_t weight : {1, 32767})
            for (const std::int64_t divisor : {1, 2}) {
                const std::vector<std::int32_t> weights(std::size_t(side * side), weight);
                sets.emplace_back().set("kernel", IntMatrix{side, weights});
                sets.back().set("divisor", divisor);
            }
    return sets;
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(convolve, .run = run, .warmUps = warmUps);

}  // namespace warpscope::cuda
