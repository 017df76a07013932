// The Gaussian of float samples. A sum begins with 0 and takes the products of weights and samples
// one by one, from the first to the last, each rounded by itself: the bits of every variant are
// those of the CPU. Colour is one row of interleaved samples whose neighbours are four apart; alpha
// is put back.
#include <algorithm>
#include <cstring>
#include <string>

#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/smoothing/gaussian_blur.cuh"
#include "cuda_kernels/smoothing/gaussian_blur_costs.h"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = kGaussianThreads;
constexpr int kOutputs = kGaussianOutputs, kRowsEach = kGaussianRowsEach, kTile = kGaussianTile;

__device__ __forceinline__ void addProduct(float& sum, float weight, float sample) {
    sum = __fadd_rn(sum, __fmul_rn(weight, sample));
}

// Weights in device memory, for kernels that copy them to shared memory first.
struct StoredTaps {
    const float* weights = nullptr;
    int radius = 0;
    __device__ float operator[](int i) const { return weights[i]; }
};

// In constant memory, where kernel parameters are; half of them, as they are symmetric.
struct ConstantTaps {
    int radius = 0;
    float half[kMaxGaussianSize / 2 + 1] = {};

    explicit ConstantTaps(const GaussianBlurPlan& plan) : radius(plan.radius) {
        std::copy_n(plan.floatTaps.begin(), radius + 1, half);
    }
    __device__ float operator[](int i) const { return half[i <= radius ? i : 2 * radius - i]; }
};

__device__ __forceinline__ const float* rowAt(const DeviceImage& in, int y) {
    return reinterpret_cast<const float*>(
        in.data + std::int64_t(min(max(y, 0), in.size.height - 1)) * in.pitch);
}

// Alpha passes.
template <int C>
__device__ __forceinline__ void store(const DeviceImage& in, const DeviceImage& out, int sample,
                                      int y, float sum) {
    auto* to = reinterpret_cast<float*>(out.data + std::int64_t(y) * out.pitch);
    to[sample] = C == 4 && sample % 4 == 3 ? rowAt(in, y)[sample] : sum;
}

// Rows between the passes: row `first` of the image is row 0.
struct MiddleRows {
    float* sums = nullptr;
    std::int64_t pitch = 0;  // elements
    int first = 0;
    int last = 0;  // included

    __device__ float at(int y, int sample) const {
        return sums[std::int64_t(min(max(y, first), last) - first) * pitch + sample];
    }
};

// ---- automatic: tiles of rows in shared memory, columns of eight ----

// Rows from middle.first on; the tiles from `firstBlock` on.
template <int C>
__global__ void __launch_bounds__(kThreads)
    rowPassKernel(DeviceImage in, MiddleRows middle, unsigned firstBlock, FastDivide tiles,
                  StoredTaps taps) {
    extern __shared__ float shared[];
    float* weights = shared;
    float* samples = shared + 2 * taps.radius + 1;
    const unsigned block = firstBlock + blockIdx.x;
    const int row = int(tiles(block));
    const int tile = int(block - unsigned(row) * tiles.divisor) * kTile;
    const int halo = taps.radius * C;
    const int lastPixel = in.size.width - 1;
    const float* source = rowAt(in, middle.first + row);
    for (int i = int(threadIdx.x); i <= 2 * taps.radius; i += kThreads) weights[i] = taps[i];
    for (int i = int(threadIdx.x); i < kTile + 2 * halo; i += kThreads) {
        const int sample = tile - halo + i;
        const int channel = i % C;  // tile and halo are multiples of C
        const int pixel = min(max((sample - channel) / C, 0), lastPixel);
        samples[i] = source[std::int64_t(pixel) * C + channel];
    }
    __syncthreads();
    float sums[kOutputs] = {};
    for (int tap = 0; tap <= 2 * taps.radius; ++tap) {
        const float weight = weights[tap];
#pragma unroll
        for (int k = 0; k < kOutputs; ++k)
            addProduct(sums[k], weight, samples[int(threadIdx.x) + k * int(kThreads) + tap * C]);
    }
#pragma unroll
    for (int k = 0; k < kOutputs; ++k) {
        const int sample = tile + int(threadIdx.x) + k * int(kThreads);
        if (sample < in.size.width * C)
            middle.sums[std::int64_t(row) * middle.pitch + sample] = sums[k];
    }
}

// Output rows [first, last).
template <int C>
__global__ void __launch_bounds__(kThreads)
    columnPassKernel(DeviceImage in, DeviceImage out, int first, int last, MiddleRows middle,
                     FastDivide tiles, unsigned firstBlock, StoredTaps taps) {
    __shared__ float weights[kMaxGaussianSize];
    const int taken = 2 * taps.radius + 1;
    for (int i = int(threadIdx.x); i < taken; i += kThreads) weights[i] = taps[i];
    __syncthreads();
    const unsigned block = firstBlock + blockIdx.x;
    const int group = int(tiles(block));
    const int sample = int((block - unsigned(group) * tiles.divisor) * kThreads + threadIdx.x);
    const int y = first + group * kRowsEach;
    if (sample >= in.size.width * C) return;
    float sums[kRowsEach] = {};
    for (int j = 0; j < taken + kRowsEach - 1; ++j) {
        const float value = middle.at(y - taps.radius + j, sample);
        // A row that an output has no weight for must not be added with 0: it may be infinite.
#pragma unroll
        for (int k = 0; k < kRowsEach; ++k)
            if (j >= k && j - k < taken) addProduct(sums[k], weights[j - k], value);
    }
#pragma unroll
    for (int k = 0; k < kRowsEach; ++k)
        if (y + k < last) store<C>(in, out, sample, y + k, sums[k]);
}

// ---- published: a thread a sample ----

struct Place {
    int sample, row;
    __device__ Place(int samples, unsigned firstBlock) {
        const unsigned across = divideUp(unsigned(samples), kThreads);
        const unsigned block = firstBlock + blockIdx.x;
        row = int(block / across);
        sample = int(block % across * kThreads + threadIdx.x);
    }
};
unsigned blocksFor(int samples, int rows) {
    return divideUp(unsigned(samples), kThreads) * unsigned(rows);
}

template <int C>
__device__ float rowSum(const DeviceImage& in, int sample, int y, const ConstantTaps& taps) {
    const float* row = rowAt(in, y) + sample % C;
    const int x = sample / C;
    float sum = 0;
    for (int i = 0; i <= 2 * taps.radius; ++i) {
        const int column = min(max(x + i - taps.radius, 0), in.size.width - 1);
        addProduct(sum, taps[i], row[std::int64_t(column) * C]);
    }
    return sum;
}

template <int C>
__global__ void __launch_bounds__(kThreads)
    directKernel(DeviceImage in, DeviceImage out, int first, unsigned firstBlock,
                 const __grid_constant__ ConstantTaps taps) {
    const Place place(in.size.width * C, firstBlock);
    if (place.sample >= in.size.width * C) return;
    const int y = first + place.row;
    float sum = 0;
    for (int j = 0; j <= 2 * taps.radius; ++j)
        addProduct(sum, taps[j], rowSum<C>(in, place.sample, y + j - taps.radius, taps));
    store<C>(in, out, place.sample, y, sum);
}

template <int C>
__global__ void __launch_bounds__(kThreads)
    rowsKernel(DeviceImage in, MiddleRows middle, unsigned firstBlock,
               const __grid_constant__ ConstantTaps taps) {
    const Place place(in.size.width * C, firstBlock);
    if (place.sample >= in.size.width * C) return;
    middle.sums[std::int64_t(place.row) * middle.pitch + place.sample] =
        rowSum<C>(in, place.sample, middle.first + place.row, taps);
}

template <int C>
__global__ void __launch_bounds__(kThreads)
    columnsKernel(DeviceImage in, DeviceImage out, int first, MiddleRows middle,
                  unsigned firstBlock, const __grid_constant__ ConstantTaps taps) {
    const Place place(in.size.width * C, firstBlock);
    if (place.sample >= in.size.width * C) return;
    const int y = first + place.row;
    float sum = 0;
    for (int j = 0; j <= 2 * taps.radius; ++j)
        addProduct(sum, taps[j], middle.at(y + j - taps.radius, place.sample));
    store<C>(in, out, place.sample, y, sum);
}

template <int C>
void runDirect(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
               const DeviceImage& out) {
    const ConstantTaps taps(plan);
    const int samples = in.size.width * C;
    const RowsCost cost = gaussianFloatDirectCost(samples, in.pitch + out.pitch, plan.radius);
    const LaunchCut cut = cutRows(limitsOf(context), cost);
    forEachPiece(context, in.size.height, cut, cost.blocks, [&](int first, int last, int piece) {
        const BlockRange blocks(cut, piece, blocksFor(samples, last - first));
        launchRange(context, "Gaussian, direct", blocks, kThreads, 0, directKernel<C>, in, out,
                    first, blocks.first, taps);
    });
}

// In device memory, where they are kept.
StoredTaps storedTaps(KernelContext& context, const GaussianBlurPlan& plan) {
    std::string key = "gaussian blur of floats";
    key.append(reinterpret_cast<const char*>(plan.floatTaps.data()),
               plan.floatTaps.size() * sizeof(float));
    const std::byte* weights = context.device().constants(key, [&] {
        std::vector<std::uint32_t> words(plan.floatTaps.size());
        std::memcpy(words.data(), plan.floatTaps.data(), words.size() * sizeof(words[0]));
        return words;
    });
    return {reinterpret_cast<const float*>(weights), plan.radius};
}

// Two passes with the sums of rows between them in device memory. A band makes 2 radius rows beyond
// its own again.
template <int C>
void runSeparable(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                  const DeviceImage& out, bool published) {
    const int samples = in.size.width * C, height = in.size.height;
    MiddleRows middle;
    middle.pitch = (samples + 63) / 64 * 64;
    const TwoPassCost cost = gaussianFloatCost(limitsOf(context), samples, plan.radius, published);
    const LaunchCut cuts[] = {cutRows(limitsOf(context), cost.rows),
                              cutRows(limitsOf(context), cost.columns)};
    const int bandRows = std::min(cost.bandRows, height);
    const int most = int(std::min<std::int64_t>(height, bandRows + 2 * plan.radius));
    const DeviceMemory memory =
        context.allocate(std::size_t(middle.pitch) * sizeof(float) * unsigned(most));
    middle.sums = memory.as<float>();
    const ConstantTaps constant(plan);
    const StoredTaps stored = published ? StoredTaps{} : storedTaps(context, plan);
    const FastDivide tiles[] = {FastDivide(divideUp(unsigned(samples), kTile)),
                                FastDivide(divideUp(unsigned(samples), kThreads))};
    // Of so many rows.
    const auto blocksOf = [&](int pass, int rows) {
        if (published) return blocksFor(samples, rows);
        return tiles[pass].divisor * (pass ? divideUp(unsigned(rows), kRowsEach) : unsigned(rows));
    };
    const std::size_t shared = sizeof(float) * (std::size_t(2 * plan.radius + 1) + kTile +
                                                2 * std::size_t(plan.radius) * C);
    const int pieces[] = {cuts[0].pieces(blocksOf(0, most)), cuts[1].pieces(blocksOf(1, bandRows))};
    forEachPiece(context, height, bandRows, pieces, [&](int first, int last, int pass, int piece) {
        middle.first = std::max(0, first - plan.radius);
        middle.last = std::min(height, last + plan.radius) - 1;
        const BlockRange blocks(
            cuts[pass], piece,
            blocksOf(pass, pass ? last - first : middle.last - middle.first + 1));
        if (pass == 0 && published)
            launchRange(context, "Gaussian, rows", blocks, kThreads, 0, rowsKernel<C>, in, middle,
                        blocks.first, constant);
        else if (pass == 0)
            launchRange(context, "gaussian rows", blocks, kThreads, shared, rowPassKernel<C>, in,
                        middle, blocks.first, tiles[0], stored);
        else if (published)
            launchRange(context, "Gaussian, columns", blocks, kThreads, 0, columnsKernel<C>, in,
                        out, first, middle, blocks.first, constant);
        else
            launchRange(context, "gaussian columns", blocks, kThreads, 0, columnPassKernel<C>, in,
                        out, first, last, middle, tiles[1], blocks.first, stored);
    });
}

template <int C>
void run(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
         const DeviceImage& out) {
    if (plan.variant == "direct_2d")
        runDirect<C>(context, plan, in, out);
    else
        runSeparable<C>(context, plan, in, out, plan.variant != kAutomaticVariant);
}

}  // namespace

void runGaussianFloat(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                      const DeviceImage& out) {
    isColor(in.format) ? run<4>(context, plan, in, out) : run<1>(context, plan, in, out);
}

}  // namespace warpscope::cuda
