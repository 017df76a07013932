// Picks the path of a Gaussian; the one for 8 bits that every device and every radius can take:
// separable with ordinary multiplications, a row pass into a 16-bit intermediate in device memory,
// then a column pass. Colour is taken as one row of interleaved samples whose neighbours are four
// apart.
#include <algorithm>

#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/runtime/warpgroups.h"
#include "cuda_kernels/smoothing/gaussian_blur.cuh"
#include "cuda_kernels/smoothing/gaussian_blur_costs.h"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = kGaussianThreads;
constexpr int kOutputs = kGaussianOutputs, kRowsEach = kGaussianRowsEach, kTile = kGaussianTile;

// Rows of the image from `first` on, filtered along x, to rows from 0 of `middle`: the tiles from
// `firstBlock` on.
template <int C>
__global__ void __launch_bounds__(kThreads)
    rowPassKernel(DeviceImage in, int first, std::uint16_t* middle, std::int64_t middlePitch,
                  FastDivide tiles, unsigned firstBlock,
                  const __grid_constant__ GaussianTaps taps) {
    extern __shared__ std::uint16_t shared[];
    std::uint16_t* weights = shared;
    std::uint16_t* samples = shared + 2 * taps.radius + 1;
    const unsigned block = firstBlock + blockIdx.x;
    const int row = int(tiles(block));
    const int tile = int(block - unsigned(row) * tiles.divisor) * kTile;
    const int halo = taps.radius * C;
    const int lastPixel = in.size.width - 1;
    const auto* source =
        reinterpret_cast<const std::uint8_t*>(in.data + std::int64_t(first + row) * in.pitch);
    for (int i = int(threadIdx.x); i <= 2 * taps.radius; i += kThreads)
        weights[i] = taps.weights[i];
    for (int i = int(threadIdx.x); i < kTile + 2 * halo; i += kThreads) {
        const int sample = tile - halo + i;
        const int channel = i % C;  // tile and halo are multiples of C
        const int pixel = min(max((sample - channel) / C, 0), lastPixel);
        samples[i] = source[pixel * C + channel];
    }
    __syncthreads();
    std::uint32_t sums[kOutputs] = {};
    for (int tap = 0; tap <= 2 * taps.radius; ++tap) {
        const std::uint32_t weight = weights[tap];
#pragma unroll
        for (int k = 0; k < kOutputs; ++k)
            sums[k] += weight * samples[int(threadIdx.x) + k * int(kThreads) + tap * C];
    }
#pragma unroll
    for (int k = 0; k < kOutputs; ++k) {
        const int sample = tile + int(threadIdx.x) + k * int(kThreads);
        if (sample < in.size.width * C)
            middle[row * middlePitch + sample] = std::uint16_t((sums[k] + 128u) >> 8);
    }
}

// Output rows [first, last); `middle` holds rows from middleFirst to middleLast (both included) of
// the image, beyond which the image's edge is repeated.
template <int C>
__global__ void __launch_bounds__(kThreads)
    columnPassKernel(DeviceImage in, DeviceImage out, int first, int last,
                     const std::uint16_t* middle, std::int64_t middlePitch, int middleFirst,
                     int middleLast, FastDivide tiles, unsigned firstBlock,
                     const __grid_constant__ GaussianTaps taps) {
    __shared__ std::uint16_t weights[kMaxGaussianSize];
    const int taken = 2 * taps.radius + 1;
    for (int i = int(threadIdx.x); i < taken; i += kThreads) weights[i] = taps.weights[i];
    __syncthreads();
    const unsigned block = firstBlock + blockIdx.x;
    const int group = int(tiles(block));
    const int sample = int((block - unsigned(group) * tiles.divisor) * kThreads + threadIdx.x);
    const int y = first + group * kRowsEach;
    if (sample >= in.size.width * C) return;

    std::uint32_t sums[kRowsEach] = {};
    std::uint32_t recent[kRowsEach] = {};  // weight of output k for the row at hand
    for (int j = 0; j < taken + kRowsEach - 1; ++j) {
#pragma unroll
        for (int k = kRowsEach - 1; k > 0; --k) recent[k] = recent[k - 1];
        recent[0] = j < taken ? weights[j] : 0;
        const int row = min(max(y - taps.radius + j, middleFirst), middleLast) - middleFirst;
        const std::uint32_t value = middle[row * middlePitch + sample];
#pragma unroll
        for (int k = 0; k < kRowsEach; ++k) sums[k] += recent[k] * value;
    }
#pragma unroll
    for (int k = 0; k < kRowsEach; ++k) {
        if (y + k >= last) return;
        const auto* source =
            reinterpret_cast<const std::uint8_t*>(in.data + std::int64_t(y + k) * in.pitch);
        auto* target = reinterpret_cast<std::uint8_t*>(out.data + std::int64_t(y + k) * out.pitch);
        const bool alpha = C == 4 && sample % 4 == 3;
        target[sample] = alpha ? source[sample] : std::uint8_t((sums[k] + (1u << 23)) >> 24);
    }
}

template <int C>
void runDirect(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
               const DeviceImage& out) {
    const GaussianTaps taps(plan);
    const int samples = in.size.width * C, height = in.size.height, radius = plan.radius;
    const std::int64_t middlePitch = (samples + 63) / 64 * 64;
    // Each band filters 2 radius rows beyond its own again.
    const TwoPassCost cost = gaussianCost(limitsOf(context), samples, radius);
    const LaunchCut rows = cutRows(limitsOf(context), cost.rows);
    const LaunchCut columns = cutRows(limitsOf(context), cost.columns);
    const int bandRows = std::min(cost.bandRows, height);
    const int middleRows = int(std::min<std::int64_t>(height, bandRows + 2 * radius));
    const DeviceMemory middle =
        context.allocate(std::size_t(middlePitch) * 2 * unsigned(middleRows));
    const FastDivide rowTiles(divideUp(unsigned(samples), kTile));
    const FastDivide columnTiles(divideUp(unsigned(samples), kThreads));
    const std::size_t shared =
        sizeof(std::uint16_t) * (2 * std::size_t(radius) + 1 + kTile + 2 * std::size_t(radius) * C);

    const int pieces[] = {rows.pieces(std::int64_t(rowTiles.divisor) * middleRows),
                          columns.pieces(std::int64_t(columnTiles.divisor) *
                                         divideUp(unsigned(bandRows), kRowsEach))};
    forEachPiece(context, height, bandRows, pieces, [&](int first, int last, int pass, int piece) {
        const int from = std::max(0, first - radius);
        const int to = std::min(height, last + radius);
        if (pass == 0) {
            const BlockRange blocks(rows, piece, rowTiles.divisor * unsigned(to - from));
            launchRange(context, "gaussian rows", blocks, kThreads, shared, rowPassKernel<C>, in,
                        from, middle.as<std::uint16_t>(), middlePitch, rowTiles, blocks.first,
                        taps);
        } else {
            const BlockRange blocks(
                columns, piece, columnTiles.divisor * divideUp(unsigned(last - first), kRowsEach));
            launchRange(context, "gaussian columns", blocks, kThreads, 0, columnPassKernel<C>, in,
                        out, first, last,
                        static_cast<const std::uint16_t*>(middle.as<std::uint16_t>()), middlePitch,
                        from, to - 1, columnTiles, blocks.first, taps);
        }
    });
}

// Where a step of its blocks is too much for a launch, others are cut into pieces.
bool prefersWarpgroup(const KernelContext& context, const GaussianBlurPlan& plan,
                      const DeviceImage& in, const DeviceImage& out) {
    const DeviceTraits& traits = context.traits();
    if (!prefersGaussianWarpgroup(plan, in.size, hasWarpgroupProducts(traits),
                                  traits.multiprocessors))
        return false;
    const RowsCost cost = gaussianWarpgroupCost(in.size.width, isColor(in.format) ? 3 : 1,
                                                in.pitch + out.pitch, plan.radius);
    return cutRows(limitsOf(context), cost).blocks >= cost.blocks;
}

void run(KernelContext& context, const Plan& plan, const DeviceImage& in, const DeviceImage& out) {
    const auto& gaussian = static_cast<const GaussianBlurPlan&>(plan);
    if (isFloat(in.format))
        runGaussianFloat(context, gaussian, in, out);
    else if (plan.variant != kAutomaticVariant)
        runGaussianPublished(context, gaussian, in, out);
    else if (bytesPerSample(in.format) == 2)
        runGaussian16(context, gaussian, in, out);
    else if (prefersGaussianFive(gaussian, in.size, context.traits().multiprocessors))
        runGaussianFive(context, gaussian, in, out);
    else if (prefersGaussianWarp(gaussian, in.size, context.traits().hasIntegerMma()))
        runGaussianWarp(context, gaussian, in, out, nullptr);
    else if (canRunGaussianSmall(gaussian))
        runGaussianSmall(context, gaussian, in, in, out, nullptr);
    else if (prefersWarpgroup(context, gaussian, in, out))
        runGaussianWarpgroup(context, gaussian, in, in, out, nullptr);
    else if (canRunGaussianBanded(context.traits(), gaussian))
        runGaussianBanded(context, gaussian, in, in, out, nullptr);
    else if (isColor(in.format))
        runDirect<4>(context, gaussian, in, out);
    else
        runDirect<1>(context, gaussian, in, out);
}

// One sigma for each kernel of 8 bits: radius 1, 2 and 3, up to 8, 15 and 32, larger, as large as
// it gets, and one for each number of a warpgroup's steps.
std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets;
    for (const double sigma : {0.3, 0.6, 1.0, 2.0, 4.0, 5.3, 8.0, 15.0, 20.0, 26.0, 31.0, 100.0})
        sets.emplace_back().set("sigma", sigma);
    sets.back().set("size", std::int64_t(kMaxGaussianSize));
    return sets;
}

void loadKernels() {
    loadGaussianFive();
    loadGaussianPairs();
    loadGaussianBanded();
}

}  // namespace

bool canMixGaussian(const DeviceTraits& traits, const GaussianBlurPlan& plan, const BlurMix& mix) {
    return bytesPerSample(plan.input) == 1 && plan.variant == kAutomaticVariant && !plan.identity &&
           mix.fits() && (canRunGaussianSmall(plan) || canRunGaussianBanded(traits, plan));
}

void runGaussianMixed(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                      const DeviceImage& beside, const DeviceImage& out, const BlurMix& mix) {
    if (canRunGaussianSmall(plan))
        runGaussianSmall(context, plan, in, beside, out, &mix);
    else if (prefersWarpgroup(context, plan, in, out))
        runGaussianWarpgroup(context, plan, in, beside, out, &mix);
    else
        runGaussianBanded(context, plan, in, beside, out, &mix);
}

WARPSCOPE_CUDA_RUNNER(gaussian_blur, .run = run, .warmUps = warmUps, .loadKernels = loadKernels);

}  // namespace warpscope::cuda
