// Noise from a counter-based generator: every pixel makes its own words from its place in the whole
// image, four pixels a thread.
#include "engine/operations/noise/add_noise.h"

#include "cuda_kernels/runtime/pointwise.cuh"

namespace warpscope::cuda {
namespace {

constexpr int kQuantiles = 4096;

// The bits of a white sample.
template <class T>
constexpr std::uint32_t kWhite = sizeof(T) == 1 ? 255u : 65535u;
template <>
constexpr std::uint32_t kWhite<float> = 0x3f800000u;

struct SaltPepper {
    static constexpr bool kTakesQuantiles = false;
    std::uint64_t threshold;

    template <class T>
    __device__ std::uint32_t noisy(std::uint32_t value, int, const PhiloxWords& words,
                                   const std::int16_t*) const {
        if (words.word[0] >= threshold) return value;
        return words.word[1] & 1u ? kWhite<T> : 0u;
    }
};

struct GaussianNoise {
    static constexpr bool kTakesQuantiles = true;
    std::int32_t sigma256;
    float floatStep;

    template <class T>
    __device__ std::uint32_t noisy(std::uint32_t value, int channel, const PhiloxWords& words,
                                   const std::int16_t* quantiles) const {
        const std::int32_t quantile = quantiles[words.word[channel] >> 20];
        if constexpr (std::is_floating_point_v<T>) {
            const float noise = __fmul_rn(float(quantile), floatStep);
            return __float_as_uint(__fadd_rn(__uint_as_float(value), noise));
        } else {
            std::int32_t noise;
            if constexpr (sizeof(T) == 1)
                noise = (quantile * sigma256 + (1 << 19)) >> 20;
            else
                noise = std::int32_t((std::int64_t(quantile) * sigma256 * 257 + (1 << 19)) >> 20);
            return std::uint32_t(min(max(std::int32_t(value) + noise, 0), std::int32_t(kWhite<T>)));
        }
    }
};

// Where the image lies in the whole one.
struct Place {
    std::int64_t firstIndex;  // of the pixel at (0, 0)
    std::int64_t wholeWidth;
    std::uint32_t seed;
};

template <class T, int C, class Kind>
struct NoiseBody : PointwiseBody {
    static constexpr int kPixels = 4;
    static constexpr int kBytesIn = kPixels * C * int(sizeof(T)), kBytesOut = kBytesIn;
    static constexpr int kInFlight = 1;
    static constexpr unsigned kBlocks = 16;
    static constexpr bool kByRow = true;
    // Ten rounds of two products, each a wide one, and as many other instructions.
    static constexpr int kWork = 80;
    Place place;
    Kind kind;
    const std::int16_t* quantiles;

    NoiseBody(const Place& at, const Kind& what, const std::int16_t* table)
        : place(at), kind(what), quantiles(table) {}
    __device__ NoiseBody begin() const requires Kind::kTakesQuantiles {
        __shared__ alignas(16) std::int16_t table[kQuantiles];
        for (unsigned i = threadIdx.x; i < kQuantiles / 8; i += kThreads)
            reinterpret_cast<uint4*>(table)[i] = reinterpret_cast<const uint4*>(quantiles)[i];
        NoiseBody begun = *this;
        begun.quantiles = table;
        return begun;
    }
    __device__ void operator()(const std::uint32_t (&in)[kBytesIn / 4],
                               std::uint32_t (&out)[kBytesIn / 4], const PiecePlace& at) const {
        constexpr int kBits = 8 * int(sizeof(T));
        const std::int64_t index =
            place.firstIndex + at.row * place.wholeWidth + std::int64_t(at.piece) * kPixels;
#pragma unroll
        for (int p = 0; p < kPixels; ++p) {
            const PhiloxWords random = philox(std::uint64_t(index + p), place.seed);
#pragma unroll
            for (int c = 0; c < C; ++c) {
                const int sample = p * C + c;
                std::uint32_t value = sampleOf<T>(in, sample);
                if (c < 3) value = kind.template noisy<T>(value, c, random, quantiles);
                out[sample * kBits / 32] |= value << (sample * kBits % 32);
            }
        }
    }
};

const std::int16_t* quantileTable(KernelContext& context) {
    return reinterpret_cast<const std::int16_t*>(context.device().constants("normal quantiles", [] {
        std::vector<std::uint32_t> words(kQuantiles / 2);
        for (std::size_t i = 0; i < words.size(); ++i)
            words[i] = std::uint16_t(kNormalQuantiles[2 * i]) |
                       std::uint32_t(std::uint16_t(kNormalQuantiles[2 * i + 1])) << 16;
        return words;
    }));
}

template <class T, int C, class Kind>
void runKind(KernelContext& context, const AddNoisePlan& plan, const DeviceImage& in,
             const DeviceImage& out, const Kind& kind) {
    const Place place{std::int64_t(plan.originY) * plan.wholeWidth + plan.originX, plan.wholeWidth,
                      plan.seed};
    const std::int16_t* quantiles = Kind::kTakesQuantiles ? quantileTable(context) : nullptr;
    runPointwise(context, "add noise", in, out, NoiseBody<T, C, Kind>(place, kind, quantiles));
}

void run(KernelContext& context, const Plan& plan, const DeviceImage& in, const DeviceImage& out) {
    const auto& noise = static_cast<const AddNoisePlan&>(plan);
    const auto run = [&]<class T, int C>() {
        if (noise.kind == NoiseKind::SaltPepper)
            runKind<T, C>(context, noise, in, out, SaltPepper{noise.threshold});
        else
            runKind<T, C>(context, noise, in, out, GaussianNoise{noise.sigma256, noise.floatStep});
    };
    if (isFloat(in.format))
        isColor(in.format) ? run.operator()<float, 4>() : run.operator()<float, 1>();
    else
        forSamples(in.format, run);
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(add_noise, .run = run);

}  // namespace warpscope::cuda
