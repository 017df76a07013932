// One channel as a gray image: four pixels at once.
#include "engine/operations/tone/extract_channel.h"

#include "cuda_kernels/runtime/blocks_by_device.cuh"
#include "cuda_kernels/runtime/pointwise.cuh"

namespace warpscope::cuda {
namespace {

// A sample of T from the bits that words hold, and back.
template <class T>
__device__ T sampleFrom(std::uint32_t bits) {
    if constexpr (std::is_floating_point_v<T>)
        return __uint_as_float(bits);
    else
        return T(bits);
}
template <class T>
__device__ std::uint32_t bitsOf(T sample) {
    if constexpr (std::is_floating_point_v<T>)
        return __float_as_uint(sample);
    else
        return sample;
}

// Lightness of float is the one that takes long.
template <class T, int Channels, bool kLightness>
struct ExtractBody : PointwiseBody {
    static constexpr int kPixels = 4;
    static constexpr int kBytesIn = 4 * Channels * int(sizeof(T));
    static constexpr int kBytesOut = 4 * int(sizeof(T));
    static constexpr int kInFlight = kBytesIn > 16 ? 2 : 4;
    // On newer devices the assembler itself gives too few registers to lightness of gray float.
    static constexpr int kResident =
        kLightness && std::is_floating_point_v<T> && Channels == 1 ? blocksByDevice({0, 0, 4}) : 0;
    static constexpr int kWork = kLightness ? (std::is_floating_point_v<T> ? 1024 : 64) : 32;
    ExtractedChannel channel;
    // Of integer samples.
    const float* light;

    ExtractBody(ExtractedChannel chosen, const float* levels) : channel(chosen), light(levels) {}

    static __device__ T lumaOf(T r, T g, T b) {
        if constexpr (std::is_floating_point_v<T>)
            return luma(r, g, b);
        else
            return T(luma(std::uint32_t(r), std::uint32_t(g), std::uint32_t(b)));
    }
    template <ExtractedChannel kChannel>
    __device__ T made(T r, T g, T b, T a) const {
        if constexpr (kChannel == ExtractedChannel::Red) {
            return r;
        } else if constexpr (kChannel == ExtractedChannel::Green) {
            return g;
        } else if constexpr (kChannel == ExtractedChannel::Blue) {
            return b;
        } else if constexpr (kChannel == ExtractedChannel::Alpha) {
            return a;
        } else if constexpr (kChannel == ExtractedChannel::Hue) {
            return hueOf(r, g, b);
        } else if constexpr (kChannel == ExtractedChannel::Saturation) {
            return saturationOf(r, g, b);
        } else if constexpr (kChannel == ExtractedChannel::Value) {
            return valueOf(r, g, b);
        } else if constexpr (kChannel == ExtractedChannel::Luma) {
            return lumaOf(r, g, b);
        } else if constexpr (std::is_floating_point_v<T>) {
            return lightnessOf(r, g, b);
        } else {
            return T(lightnessLevel(luminanceOf(light[r], light[g], light[b]),
                                    sizeof(T) == 1 ? 255u : 65535u));
        }
    }
    // All threads go the same way.
    __device__ void operator()(const std::uint32_t (&in)[kBytesIn / 4],
                               std::uint32_t (&out)[kBytesOut / 4], const PiecePlace&) const {
        if constexpr (kLightness) {
            each<ExtractedChannel::Lightness>(in, out);
        } else {
            switch (channel) {
                case ExtractedChannel::Red:
                    return each<ExtractedChannel::Red>(in, out);
                case ExtractedChannel::Green:
                    return each<ExtractedChannel::Green>(in, out);
                case ExtractedChannel::Blue:
                    return each<ExtractedChannel::Blue>(in, out);
                case ExtractedChannel::Alpha:
                    return each<ExtractedChannel::Alpha>(in, out);
                case ExtractedChannel::Hue:
                    return each<ExtractedChannel::Hue>(in, out);
                case ExtractedChannel::Saturation:
                    return each<ExtractedChannel::Saturation>(in, out);
                case ExtractedChannel::Value:
                    return each<ExtractedChannel::Value>(in, out);
                default:
                    return each<ExtractedChannel::Luma>(in, out);
            }
        }
    }
    template <ExtractedChannel kChannel>
    __device__ void each(const std::uint32_t (&in)[kBytesIn / 4],
                         std::uint32_t (&out)[kBytesOut / 4]) const {
        constexpr int kBits = 8 * int(sizeof(T));
        constexpr T kWhite = std::is_floating_point_v<T> ? T(1) : T(~0u);
#pragma unroll
        for (int i = 0; i < kPixels; ++i) {
            T p[4];
#pragma unroll
            for (int c = 0; c < 4; ++c)
                p[c] = Channels == 1 && c == 3
                           ? kWhite
                           : sampleFrom<T>(sampleOf<T>(in, Channels == 1 ? i : 4 * i + c));
            out[i * kBits / 32] |= bitsOf(made<kChannel>(p[0], p[1], p[2], p[3]))
                                   << (i * kBits % 32);
        }
    }
};

template <class T, int Channels>
void runSamples(KernelContext& context, const ExtractChannelPlan& plan, const DeviceImage& in,
                const DeviceImage& out) {
    if (plan.channel != ExtractedChannel::Lightness)
        return runPointwise(context, "extract_channel", in, out,
                            ExtractBody<T, Channels, false>(plan.channel, nullptr));
    const float* light = nullptr;
    if constexpr (!std::is_floating_point_v<T>)
        light = tablesOnDevice<float>(context, "light of levels", {&linearLevels(sizeof(T))});
    runPointwise(context, "extract_channel lightness", in, out,
                 ExtractBody<T, Channels, true>(plan.channel, light));
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const ExtractChannelPlan&>(given);
    if (in.format == PixelFormat::GrayF32)
        runSamples<float, 1>(context, plan, in, out);
    else if (in.format == PixelFormat::RgbaF32)
        runSamples<float, 4>(context, plan, in, out);
    else
        forSamples(in.format, [&]<class T, int Channels>() {
            runSamples<T, Channels>(context, plan, in, out);
        });
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(extract_channel, .run = run);

}  // namespace warpscope::cuda
