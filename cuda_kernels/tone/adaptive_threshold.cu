// Black and white by the mean around each pixel: exact sums of luma, compared and never divided; of
// 8 bits by sums that slide, of 16 and of the largest windows from integral images; float by the
// box mean.
#include "engine/operations/tone/adaptive_threshold.h"

#include "cuda_kernels/runtime/pointwise.cuh"
#include "cuda_kernels/smoothing/box_mean.cuh"
#include "cuda_kernels/smoothing/box_sums.cuh"
#include "cuda_kernels/smoothing/sliding_sums.cuh"
#include "cuda_kernels/smoothing/sum_tiles.cuh"

namespace warpscope::cuda {
namespace {

template <class T, bool Color>
struct CompareWithSum {
    std::int32_t offset;
    std::int32_t count;

    template <class Sum>
    __device__ void operator()(const std::byte* in, std::byte* out, int x, const Sums<Sum>& sums,
                               const SumsWindow& columns, const SumsWindow& rows) const {
        const T* samples = reinterpret_cast<const T*>(in);
        std::uint32_t v;
        if constexpr (Color)
            v = luma(std::uint32_t(samples[4 * x]), std::uint32_t(samples[4 * x + 1]),
                     std::uint32_t(samples[4 * x + 2]));
        else
            v = samples[x];
        const auto sum = std::int64_t(sums.over(0, columns, rows));
        const bool white = std::int64_t(std::int32_t(v) + offset) * count > sum;
        reinterpret_cast<T*>(out)[x] = white ? T(~T(0)) : T(0);
    }
};

// ---- 8 bits ----

struct LumaOfBytes : PointwiseBody {
    static constexpr int kPixels = 4, kBytesIn = 16, kBytesOut = 4, kWork = 3;
    __device__ void operator()(const std::uint32_t (&in)[4], std::uint32_t (&out)[1],
                               const PiecePlace&) const {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            out[0] |= luma(byteOf(in[i], 0), byteOf(in[i], 1), byteOf(in[i], 2)) << (8 * i);
    }
};

struct CompareWithSums {
    static constexpr bool kNeedsCentre = true;
    static constexpr int kPixels = LanePixels<1>::kPixels, kWords = LanePixels<1>::kWords;
    std::int32_t offset;
    std::int32_t count;  // at most 257^2: products and sums fit

    __device__ __forceinline__ void operator()(const std::uint32_t (&sums)[1][kPixels],
                                               const std::uint32_t (&levels)[kWords],
                                               std::byte* out) const {
        std::uint32_t words[kWords] = {};
#pragma unroll
        for (int k = 0; k < kPixels; ++k) {
            const int level = int(byteOf(levels[k / 4], k % 4)) + offset;
            if (level * count > int(sums[0][k])) words[k / 4] |= 255u << (k % 4 * 8);
        }
        storeWords<4 * kWords>(out, words);
    }
};

// The same of a tile's sums, which start at -offset count; what a pixel's level adds is below 2^24.
struct CompareWithTileSums {
    static constexpr bool kNeedsLevels = true;
    std::int32_t start;
    std::uint32_t less;  // -count, 16 bits

    CompareWithTileSums(std::int32_t offset, std::int32_t count)
        : start(-offset * count), less(std::uint32_t(-count) & 0xffffu) {}

    __device__ __forceinline__ std::uint32_t operator()(const int (&sums)[4],
                                                        std::uint32_t levels) const {
        // White where below 0.
        const int beyond[4] = {dotLow(less, levels, sums[0]), dotLow(less << 16, levels, sums[1]),
                               dotHigh(less, levels, sums[2]),
                               dotHigh(less << 16, levels, sums[3])};
        const auto both = [](int a, int b) {
            return __byte_perm(std::uint32_t(a), std::uint32_t(b), 0x0073);
        };
        return __byte_perm(both(beyond[0], beyond[1]), both(beyond[2], beyond[3]), 0x5410);
    }
};

// Luma of colour is made once: a window's rows come and go, so that it would be needed three times.
void runSliding(KernelContext& context, const AdaptiveThresholdPlan& plan, const DeviceImage& in,
                const DeviceImage& out) {
    DeviceMemory memory;
    DeviceImage levels = in;
    if (isColor(in.format)) {
        levels.format = PixelFormat::Gray8;
        levels.pitch = devicePitch(levels.format, in.size);
        memory = context.allocate(std::size_t(levels.pitch) * unsigned(in.size.height));
        levels.data = memory.as();
        runPointwise(context, "luma of bytes", in, levels, LumaOfBytes{});
    }
    if (fitsSumTiles<1>(context, plan.radius, in.size))
        return forSumTiles<1>(context, "adaptive threshold", plan.radius, levels, out,
                              CompareWithTileSums(plan.offset, plan.count));
    forSlidingSums<1>(context, "adaptive threshold", plan.radius, levels, out,
                      CompareWithSums{plan.offset, plan.count});
}

template <class T, class Sum>
void runSums(KernelContext& context, const AdaptiveThresholdPlan& plan, const DeviceImage& in,
             const DeviceImage& out) {
    constexpr const char* kName = "adaptive threshold";
    if (isColor(in.format))
        forBoxSums<Sum, SumOf::Luma>(context, kName, plan.radius, in, out,
                                     CompareWithSum<T, true>{plan.offset, plan.count});
    else
        forBoxSums<Sum, SumOf::Sample>(context, kName, plan.radius, in, out,
                                       CompareWithSum<T, false>{plan.offset, plan.count});
}

// ---- float ----

struct LumaOfFloats : PointwiseBody {
    static constexpr int kPixels = 4, kBytesIn = 64, kBytesOut = 16;
    __device__ void operator()(const std::uint32_t (&in)[16], std::uint32_t (&out)[4],
                               const PiecePlace&) const {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            out[i] =
                __float_as_uint(luma(__uint_as_float(in[4 * i]), __uint_as_float(in[4 * i + 1]),
                                     __uint_as_float(in[4 * i + 2])));
    }
};

struct CompareWithMean : PointwiseBody {
    static constexpr int kInputs = 2;
    static constexpr int kPixels = 4, kBytesIn = 16, kBytesOut = 16;
    float offset;

    explicit CompareWithMean(float given) : offset(given) {}
    __device__ void operator()(const std::uint32_t (&level)[4], const std::uint32_t (&mean)[4],
                               std::uint32_t (&out)[4], const PiecePlace&) const {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const bool white =
                __fadd_rn(__uint_as_float(level[i]), offset) > __uint_as_float(mean[i]);
            out[i] = __float_as_uint(white ? 1.0f : 0.0f);
        }
    }
};

void runFloats(KernelContext& context, const AdaptiveThresholdPlan& plan, const DeviceImage& in,
               const DeviceImage& out) {
    DeviceMemory lumaMemory;
    DeviceImage levels = in;
    if (isColor(in.format)) {
        levels.format = PixelFormat::GrayF32;
        levels.pitch = devicePitch(levels.format, in.size);
        lumaMemory = context.allocate(std::size_t(levels.pitch) * unsigned(in.size.height));
        levels.data = lumaMemory.as();
        runPointwise(context, "luma of floats", in, levels, LumaOfFloats{});
    }
    DeviceImage means = levels;
    means.pitch = devicePitch(means.format, in.size);
    const DeviceMemory meanMemory =
        context.allocate(std::size_t(means.pitch) * unsigned(in.size.height));
    means.data = meanMemory.as();
    BoxMeanPlan mean;
    mean.input = mean.output = levels.format;
    mean.size = mean.outputSize = in.size;
    mean.radius = plan.radius;
    mean.count = std::uint32_t(plan.count);
    boxMeanOfFloats(context, mean, levels, means);
    runPointwise(context, "adaptive threshold", PointwiseInputs<2>{{levels, means}}, out,
                 CompareWithMean(plan.offsetFloat));
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const AdaptiveThresholdPlan&>(given);
    // 16 bits: up to radius 127 the sum over a window fits in 32 bits.
    if (isFloat(in.format))
        runFloats(context, plan, in, out);
    else if (bytesPerSample(in.format) == 1 && plan.radius <= kMostSlidingRadius)
        runSliding(context, plan, in, out);
    else if (bytesPerSample(in.format) == 1)
        runSums<std::uint8_t, std::uint32_t>(context, plan, in, out);
    else if (std::uint64_t(plan.count) * 65535u < (std::uint64_t(1) << 32))
        runSums<std::uint16_t, std::uint32_t>(context, plan, in, out);
    else
        runSums<std::uint16_t, std::uint64_t>(context, plan, in, out);
}

std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets;
    for (const int radius : {10, 64, 200}) sets.emplace_back().set("radius", std::int64_t(radius));
    return sets;
}

void loadKernels() {
    loadSumTiles<1, CompareWithTileSums>();
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(adaptive_threshold, .run = run, .warmUps = warmUps,
                      .loadKernels = loadKernels);

}  // namespace warpscope::cuda
