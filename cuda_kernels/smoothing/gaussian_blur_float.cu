// The Gaussian of float samples. A sum begins with 0 and takes the products of weights and samples
// one by one, from the first to the last, each rounded by itself: the bits of every variant are
// those of the CPU. Colour is one row of interleaved samples whose neighbours are four apart; alpha
// is put back.
#include <algorithm>
#include <cstring>
#include <string>

#include "cuda_kernels/smoothing/gaussian_blur.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kOutputs = 4;   // of a thread in the row pass, kThreads apart
constexpr int kRowsEach = 8;  // of a thread in the column pass
constexpr int kTile = int(kThreads) * kOutputs;

__device__ __forceinline__ void addProduct(float& sum, float weight, float sample) {
    sum = __fadd_rn(sum, __fmul_rn(weight, sample));
}

// Weights in device memory, for kernels that copy them to shared memory first.
struct StoredTaps {
    const float* weights;
    int radius;
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

// Rows from middle.first + begin on.
template <int C>
__global__ void __launch_bounds__(kThreads)
    rowPassKernel(DeviceImage in, MiddleRows middle, int begin, FastDivide tiles, StoredTaps taps) {
    extern __shared__ float shared[];
    float* weights = shared;
    float* samples = shared + 2 * taps.radius + 1;
    const int row = begin + int(tiles(blockIdx.x));
    const int tile = int(blockIdx.x - (unsigned(row - begin)) * tiles.divisor) * kTile;
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
                     FastDivide tiles, StoredTaps taps) {
    __shared__ float weights[kMaxGaussianSize];
    const int taken = 2 * taps.radius + 1;
    for (int i = int(threadIdx.x); i < taken; i += kThreads) weights[i] = taps[i];
    __syncthreads();
    const int group = int(tiles(blockIdx.x));
    const int sample = int((blockIdx.x - unsigned(group) * tiles.divisor) * kThreads + threadIdx.x);
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
    __device__ explicit Place(int samples) {
        const unsigned across = divideUp(unsigned(samples), kThreads);
        row = int(blockIdx.x / across);
        sample = int(blockIdx.x % across * kThreads + threadIdx.x);
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
    directKernel(DeviceImage in, DeviceImage out, int first,
                 const __grid_constant__ ConstantTaps taps) {
    const Place place(in.size.width * C);
    if (place.sample >= in.size.width * C) return;
    const int y = first + place.row;
    float sum = 0;
    for (int j = 0; j <= 2 * taps.radius; ++j)
        addProduct(sum, taps[j], rowSum<C>(in, place.sample, y + j - taps.radius, taps));
    store<C>(in, out, place.sample, y, sum);
}

template <int C>
__global__ void __launch_bounds__(kThreads) rowsKernel(DeviceImage in, MiddleRows middle, int begin,
                                                       const __grid_constant__ ConstantTaps taps) {
    const Place place(in.size.width * C);
    if (place.sample >= in.size.width * C) return;
    const int row = begin + place.row;
    middle.sums[std::int64_t(row) * middle.pitch + place.sample] =
        rowSum<C>(in, place.sample, middle.first + row, taps);
}

template <int C>
__global__ void __launch_bounds__(kThreads)
    columnsKernel(DeviceImage in, DeviceImage out, int first, MiddleRows middle,
                  const __grid_constant__ ConstantTaps taps) {
    const Place place(in.size.width * C);
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
    const std::int64_t size = 2 * plan.radius + 1;
    const std::int64_t work = std::int64_t(divideUp(unsigned(samples), 32)) * 32 * size * size * 2;
    const int bandRows = context.rowsPerLaunch(in.pitch + out.pitch, work);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        launch(context, "Gaussian, direct", blocksFor(samples, last - first), kThreads, 0,
               directKernel<C>, in, out, first, taps);
    });
}

// Two passes with the sums of rows between them in device memory. A band makes 2 radius rows beyond
// its own again.
template <int C>
void runSeparable(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                  const DeviceImage& out, bool published) {
    constexpr std::int64_t kMiddleBytes = std::int64_t(256) << 20;
    const int samples = in.size.width * C, height = in.size.height;
    MiddleRows middle;
    middle.pitch = (samples + 63) / 64 * 64;
    const std::int64_t rowBytes = middle.pitch * std::int64_t(sizeof(float));
    // A block makes a whole tile of a row, however short the row is.
    const std::int64_t columns = std::int64_t(divideUp(unsigned(samples), published ? 32 : kTile)) *
                                 (published ? 32 : kTile);
    const std::int64_t work = columns * (2 * plan.radius + 1) * 4;
    const auto byMemory = int(
        std::clamp<std::int64_t>(kMiddleBytes / rowBytes - 2 * plan.radius, kRowsEach, kMaxSide));
    const int perLaunch = context.rowsPerLaunch(3 * rowBytes, work);
    const int bandRows = std::max(kRowsEach, std::min(byMemory, perLaunch));
    const int most = int(std::min<std::int64_t>(height, std::int64_t(bandRows) + 2 * plan.radius));
    const DeviceMemory memory = context.allocate(std::size_t(rowBytes) * unsigned(most));
    middle.sums = memory.as<float>();
    const ConstantTaps constant(plan);
    StoredTaps stored{nullptr, plan.radius};
    if (!published) {
        std::string key = "gaussian blur of floats";
        key.append(reinterpret_cast<const char*>(plan.floatTaps.data()),
                   plan.floatTaps.size() * sizeof(float));
        stored.weights = reinterpret_cast<const float*>(context.device().constants(key, [&] {
            std::vector<std::uint32_t> words(plan.floatTaps.size());
            std::memcpy(words.data(), plan.floatTaps.data(), words.size() * sizeof(words[0]));
            return words;
        }));
    }
    context.forEachBand(height, bandRows, [&](int first, int last) {
        middle.first = std::max(0, first - plan.radius);
        middle.last = std::min(height, last + plan.radius) - 1;
        const int rows = middle.last - middle.first + 1;
        // The halo may be far higher than the band: no more rows a launch than time allows.
        for (int begin = 0; begin < rows;) {
            const int end = rows - begin > perLaunch ? begin + perLaunch : rows;
            context.checkStop();
            if (published) {
                launch(context, "Gaussian, rows", blocksFor(samples, end - begin), kThreads, 0,
                       rowsKernel<C>, in, middle, begin, constant);
            } else {
                const FastDivide tiles(divideUp(unsigned(samples), kTile));
                const std::size_t shared =
                    sizeof(float) *
                    (std::size_t(2 * plan.radius + 1) + kTile + 2 * std::size_t(plan.radius) * C);
                launch(context, "gaussian rows", tiles.divisor * unsigned(end - begin), kThreads,
                       shared, rowPassKernel<C>, in, middle, begin, tiles, stored);
            }
            begin = end;
        }
        if (published) {
            launch(context, "Gaussian, columns", blocksFor(samples, last - first), kThreads, 0,
                   columnsKernel<C>, in, out, first, middle, constant);
        } else {
            const FastDivide tiles(divideUp(unsigned(samples), kThreads));
            launch(context, "gaussian columns",
                   tiles.divisor * divideUp(unsigned(last - first), kRowsEach), kThreads, 0,
                   columnPassKernel<C>, in, out, first, last, middle, tiles, stored);
        }
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
