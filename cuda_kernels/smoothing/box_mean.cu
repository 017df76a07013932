// The mean over a square: 8 bits by sums that slide (sum_tiles.cuh; small images and larger windows
// sliding_sums.cuh); 16 bits and the largest windows from integral images of a band of rows.
// Differences of sums are right modulo 2^32 (2^64) although the sums themselves may not be.
#include "cuda_kernels/smoothing/box_mean.cuh"

#include "cuda_kernels/runtime/sample_loads.cuh"
#include "cuda_kernels/smoothing/box_sums.cuh"
#include "cuda_kernels/smoothing/sliding_sums.cuh"
#include "cuda_kernels/smoothing/sum_tiles.cuh"

namespace warpscope::cuda {
namespace {

// Division by the number of pixels, exact for dividends d below 2^64 / n: the factor is too large
// by less than n / 2^64 of itself.
struct CountDivide {
    std::uint64_t factor = 0;  // 0: divisor 1
    explicit CountDivide(std::uint32_t n) : factor(n == 1 ? 0 : ~std::uint64_t(0) / n + 1) {}
    __device__ std::uint32_t operator()(std::uint64_t d) const {
        return std::uint32_t(factor ? __umul64hi(d, factor) : d);
    }
};

template <class T>
struct Pixel4;
template <>
struct Pixel4<std::uint8_t> {
    using Packed = std::uint32_t;
    __device__ static Packed withAlphaOf(Packed of, const std::uint32_t (&rgb)[3]) {
        return rgb[0] | rgb[1] << 8 | rgb[2] << 16 | (of & 0xff000000u);
    }
};
template <>
struct Pixel4<std::uint16_t> {
    using Packed = uint2;
    __device__ static Packed withAlphaOf(Packed of, const std::uint32_t (&rgb)[3]) {
        return {rgb[0] | rgb[1] << 16, rgb[2] | (of.y & 0xffff0000u)};
    }
};

template <class T, bool Color>
struct MeanOfSums {
    std::uint32_t half;
    CountDivide divide;

    template <class Sum>
    __device__ void operator()(const std::byte* in, std::byte* out, int x, const Sums<Sum>& sums,
                               const SumsWindow& columns, const SumsWindow& rows) const {
        if constexpr (Color) {
            using Packed = typename Pixel4<T>::Packed;
            std::uint32_t mean[3];
#pragma unroll
            for (int plane = 0; plane < 3; ++plane)
                mean[plane] = divide(std::uint64_t(sums.over(plane, columns, rows)) + half);
            const Packed pixel = reinterpret_cast<const Packed*>(in)[x];
            reinterpret_cast<Packed*>(out)[x] = Pixel4<T>::withAlphaOf(pixel, mean);
        } else {
            reinterpret_cast<T*>(out)[x] =
                T(divide(std::uint64_t(sums.over(0, columns, rows)) + half));
        }
    }
};

// Of some pixels at once.
template <int C>
struct MeansOfSums {
    static constexpr bool kNeedsCentre = C == 4;
    static constexpr int kPixels = LanePixels<C>::kPixels, kColours = LanePixels<C>::kColours;
    static constexpr int kWords = LanePixels<C>::kWords;
    std::uint32_t half;
    FastDivide divide;  // sums stay below 2^25

    __device__ __forceinline__ void operator()(const std::uint32_t (&sums)[kColours][kPixels],
                                               const std::uint32_t (&centre)[kWords],
                                               std::byte* out) const {
        std::uint32_t words[kWords] = {};
        if constexpr (C == 4) {
#pragma unroll
            for (int i = 0; i < kWords; ++i) words[i] = centre[i] & 0xff000000u;
        }
#pragma unroll
        for (int c = 0; c < kColours; ++c)
#pragma unroll
            for (int k = 0; k < kPixels; ++k)
                words[k * C / 4] |= divide(sums[c][k] + half) << (C == 1 ? k % 4 * 8 : c * 8);
        storeWords<4 * kWords>(out, words);
    }
};

// The same of a word: of four pixels or of a colour. Exact for 2 to 2^16 pixels.
template <int C>
struct MeansOfTileSums {
    static constexpr bool kNeedsLevels = false;
    std::int32_t start;    // half of the number of pixels
    std::uint32_t factor;  // a mean is in the upper half of the product, from this byte on
    int byte;

    explicit MeansOfTileSums(std::uint32_t count)
        : start(std::int32_t(count / 2)),
          factor(std::uint32_t((std::uint64_t(1) << (count < 256 ? 32 : 40)) / count + 1)),
          byte(count < 256 ? 0 : 1) {}

    __device__ __forceinline__ std::uint32_t operator()(const int (&sums)[kTileSums<C>],
                                                        std::uint32_t) const {
        const auto mean = [&](int i) { return __umulhi(std::uint32_t(sums[i]), factor); };
        const auto both = [&](std::uint32_t a, std::uint32_t b) {
            return __byte_perm(a, b, byte ? 0x0051 : 0x0040);
        };
        const std::uint32_t two = both(mean(0), mean(1));
        if constexpr (C == 1)
            return __byte_perm(two, both(mean(2), mean(3)), 0x5410);
        else
            // Means have nothing in their last byte.
            return __byte_perm(two, mean(2), byte ? 0x7510 : 0x7410);
    }
};

template <int C>
void runSliding(KernelContext& context, const BoxMeanPlan& plan, const DeviceImage& in,
                const DeviceImage& out) {
    // A radius of 0 has no factor of 32 bits.
    if (plan.radius >= 1 && fitsSumTiles<C>(context, plan.radius, in.size))
        return forSumTiles<C>(context, "box mean", plan.radius, in, out,
                              MeansOfTileSums<C>(plan.count));
    forSlidingSums<C>(context, "box mean", plan.radius, in, out,
                      MeansOfSums<C>{plan.count / 2, FastDivide(plan.count)});
}

template <class T, class Sum>
void runSums(KernelContext& context, const BoxMeanPlan& plan, const DeviceImage& in,
             const DeviceImage& out) {
    const CountDivide divide(plan.count);
    if (isColor(in.format))
        forBoxSums<Sum, SumOf::Planes>(context, "box mean", plan.radius, in, out,
                                       MeanOfSums<T, true>{plan.count / 2, divide});
    else
        forBoxSums<Sum, SumOf::Sample>(context, "box mean", plan.radius, in, out,
                                       MeanOfSums<T, false>{plan.count / 2, divide});
}

void run(KernelContext& context, const Plan& plan, const DeviceImage& in, const DeviceImage& out) {
    const auto& box = static_cast<const BoxMeanPlan&>(plan);
    // 16 bits: up to radius 127 the sum over a window fits in 32 bits.
    if (isFloat(in.format))
        boxMeanOfFloats(context, box, in, out);
    else if (bytesPerSample(in.format) == 1 && box.radius <= kMostSlidingRadius)
        isColor(in.format) ? runSliding<4>(context, box, in, out)
                           : runSliding<1>(context, box, in, out);
    else if (bytesPerSample(in.format) == 1)
        runSums<std::uint8_t, std::uint32_t>(context, box, in, out);
    else if (std::uint64_t(box.count) * 65535u < (std::uint64_t(1) << 32))
        runSums<std::uint16_t, std::uint32_t>(context, box, in, out);
    else
        runSums<std::uint16_t, std::uint64_t>(context, box, in, out);
}

std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets;
    for (const int radius : {3, 64, 200}) sets.emplace_back().set("radius", std::int64_t(radius));
    return sets;
}

void loadKernels() {
    loadSumKernels();
    loadSumTiles<1, MeansOfTileSums<1>>();
    loadSumTiles<4, MeansOfTileSums<4>>();
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(box_mean, .run = run, .warmUps = warmUps, .loadKernels = loadKernels);

}  // namespace warpscope::cuda
