// Two images into one: 16 bytes of each at a time.
#include "engine/operations/combine/blend.h"

#include "cuda_kernels/runtime/pointwise.cuh"

namespace warpscope::cuda {
namespace {

// Of 8 and 16-bit samples; the CPU's code says why product() is exact.
template <class T>
struct Samples {
    static constexpr int kBits = 8 * int(sizeof(T));
    static constexpr std::uint32_t kWhite = (1u << kBits) - 1;
    static constexpr std::uint32_t kHalf = 1u << (kBits - 1);

    static __device__ std::uint32_t product(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t t = a * b + kHalf;
        return (t + (t >> kBits)) >> kBits;
    }
    template <BlendMode kMode>
    static __device__ std::uint32_t made(std::uint32_t a, std::uint32_t b) {
        switch (kMode) {
            case BlendMode::Difference:
                return max(a, b) - min(a, b);
            case BlendMode::SignedDifference:
                return min(max(a + kHalf, b) - b, kWhite);
            case BlendMode::Add:
                return min(a + b, kWhite);
            case BlendMode::Subtract:
                return max(a, b) - b;
            case BlendMode::Multiply:
                return product(a, b);
            case BlendMode::Screen:
                return kWhite - product(kWhite - a, kWhite - b);
            case BlendMode::Minimum:
                return min(a, b);
            case BlendMode::Maximum:
                return max(a, b);
            case BlendMode::Average:
                return (a + b + 1) >> 1;
            case BlendMode::Normal:
                return b;
            case BlendMode::Mask:
                break;
        }
        return b > kWhite / 2 ? a : 0;
    }
    template <BlendMode kMode>
    static __device__ std::uint32_t blended(std::uint32_t a, std::uint32_t b,
                                            std::uint32_t weight) {
        return (made<kMode>(a, b) * weight + a * (256 - weight) + 128) >> 8;
    }
};

// Each operation is rounded by itself, as on the CPU.
template <>
struct Samples<float> {
    template <BlendMode kMode>
    static __device__ float made(float a, float b) {
        switch (kMode) {
            case BlendMode::Difference:
                return fabsf(__fsub_rn(a, b));
            case BlendMode::SignedDifference:
                return __fsub_rn(__fadd_rn(0.5f, a), b);
            case BlendMode::Add:
                return __fadd_rn(a, b);
            case BlendMode::Subtract:
                return __fsub_rn(a, b);
            case BlendMode::Multiply:
                return __fmul_rn(a, b);
            case BlendMode::Screen:
                return __fsub_rn(1.0f, __fmul_rn(__fsub_rn(1.0f, a), __fsub_rn(1.0f, b)));
            case BlendMode::Minimum:
                return b < a || b != b ? b : a;
            case BlendMode::Maximum:
                return b > a || b != b ? b : a;
            case BlendMode::Average:
                return __fmul_rn(__fadd_rn(a, b), 0.5f);
            case BlendMode::Normal:
                return b;
            case BlendMode::Mask:
                break;
        }
        return b > 0.5f ? a : 0.0f;
    }
    template <BlendMode kMode>
    static __device__ std::uint32_t blended(std::uint32_t first, std::uint32_t second,
                                            std::uint32_t weight) {
        const float a = __uint_as_float(first);
        const float m = made<kMode>(a, __uint_as_float(second));
        if (weight == 256) return __float_as_uint(m);
        const float sum = __fadd_rn(__fmul_rn(m, float(weight)), __fmul_rn(a, float(256 - weight)));
        return __float_as_uint(__fmul_rn(sum, 1.0f / 256.0f));
    }
};

template <class T, int Channels>
struct BlendBody : PointwiseBody {
    static constexpr int kInputs = 2, kInFlight = 2;
    static constexpr int kBytesIn = 16, kBytesOut = 16;
    static constexpr int kPixels = 16 / (Channels * int(sizeof(T)));
    static constexpr int kWork = 16;
    BlendMode mode;
    std::uint32_t weight;

    BlendBody(BlendMode chosen, std::uint32_t ofMade) : mode(chosen), weight(ofMade) {}

    // All threads go the same way.
    __device__ void operator()(const std::uint32_t (&a)[4], const std::uint32_t (&b)[4],
                               std::uint32_t (&out)[4], const PiecePlace&) const {
        switch (mode) {
            case BlendMode::Difference:
                return each<BlendMode::Difference>(a, b, out);
            case BlendMode::SignedDifference:
                return each<BlendMode::SignedDifference>(a, b, out);
            case BlendMode::Add:
                return each<BlendMode::Add>(a, b, out);
            case BlendMode::Subtract:
                return each<BlendMode::Subtract>(a, b, out);
            case BlendMode::Multiply:
                return each<BlendMode::Multiply>(a, b, out);
            case BlendMode::Screen:
                return each<BlendMode::Screen>(a, b, out);
            case BlendMode::Minimum:
                return each<BlendMode::Minimum>(a, b, out);
            case BlendMode::Maximum:
                return each<BlendMode::Maximum>(a, b, out);
            case BlendMode::Average:
                return each<BlendMode::Average>(a, b, out);
            case BlendMode::Normal:
                return each<BlendMode::Normal>(a, b, out);
            case BlendMode::Mask:
                return each<BlendMode::Mask>(a, b, out);
        }
    }
    template <BlendMode kMode>
    __device__ void each(const std::uint32_t (&a)[4], const std::uint32_t (&b)[4],
                         std::uint32_t (&out)[4]) const {
        constexpr int kBits = 8 * int(sizeof(T));
#pragma unroll
        for (int i = 0; i < 128 / kBits; ++i) {
            const std::uint32_t sample = sampleOf<T>(a, i);
            const std::uint32_t made = i % Channels == 3 ? sample
                                                         : Samples<T>::template blended<kMode>(
                                                               sample, sampleOf<T>(b, i), weight);
            out[i * kBits / 32] |= made << (i * kBits % 32);
        }
    }
};

template <class T>
void blend(KernelContext& context, const BlendPlan& plan, const PointwiseInputs<2>& in,
           const DeviceImage& out) {
    if (isColor(out.format))
        runPointwise(context, "blend", in, out, BlendBody<T, 4>(plan.mode, plan.weight));
    else
        runPointwise(context, "blend", in, out, BlendBody<T, 1>(plan.mode, plan.weight));
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in,
         const DeviceImage& second, const DeviceImage& out) {
    const auto& plan = static_cast<const BlendPlan&>(given);
    const PointwiseInputs<2> both{{in, second}};
    if (isFloat(in.format))
        blend<float>(context, plan, both, out);
    else if (bytesPerSample(in.format) == 1)
        blend<std::uint8_t>(context, plan, both, out);
    else
        blend<std::uint16_t>(context, plan, both, out);
}

// All modes are in one kernel for each kind of sample.
std::vector<ParamSet> warmUps() {
    return std::vector<ParamSet>(1);
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(blend, .runOnTwo = run, .warmUps = warmUps);

}  // namespace warpscope::cuda
