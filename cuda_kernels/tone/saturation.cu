// Strength of colours: four pixels at once.
#include "engine/operations/tone/saturation.h"

#include "cuda_kernels/runtime/pointwise.cuh"

namespace warpscope::cuda {
namespace {

template <class T>
struct SaturationBody : PointwiseBody {
    static constexpr int kPixels = 4;
    static constexpr int kBytesIn = 16 * int(sizeof(T)), kBytesOut = kBytesIn;
    static constexpr int kInFlight = sizeof(T) == 1 ? 4 : 2;
    static constexpr int kWork = 16;
    int amount;

    explicit SaturationBody(int amount256) : amount(amount256) {}

    __device__ std::uint32_t moved(std::uint32_t color, std::uint32_t luma) const {
        if constexpr (std::is_floating_point_v<T>) {
            const float y = __uint_as_float(luma);
            const float away = __fmul_rn(float(amount), __fsub_rn(__uint_as_float(color), y));
            return __float_as_uint(__fadd_rn(y, __fmul_rn(away, 1.0f / 256.0f)));
        } else {
            constexpr int kWhite = (1 << (8 * int(sizeof(T)))) - 1;
            const int away = int(color) - int(luma);
            return std::uint32_t(min(max(int(luma) + ((amount * away + 128) >> 8), 0), kWhite));
        }
    }
    __device__ void operator()(const std::uint32_t (&in)[kBytesIn / 4],
                               std::uint32_t (&out)[kBytesOut / 4], const PiecePlace&) const {
        constexpr int kBits = 8 * int(sizeof(T));
#pragma unroll
        for (int i = 0; i < kPixels; ++i) {
            const std::uint32_t rgb[3] = {sampleOf<T>(in, 4 * i), sampleOf<T>(in, 4 * i + 1),
                                          sampleOf<T>(in, 4 * i + 2)};
            std::uint32_t y;
            if constexpr (std::is_floating_point_v<T>)
                y = __float_as_uint(luma(__uint_as_float(rgb[0]), __uint_as_float(rgb[1]),
                                         __uint_as_float(rgb[2])));
            else
                y = luma(rgb[0], rgb[1], rgb[2]);
#pragma unroll
            for (int c = 0; c < 4; ++c) {
                const int sample = 4 * i + c;
                const std::uint32_t made = c == 3 ? sampleOf<T>(in, sample) : moved(rgb[c], y);
                out[sample * kBits / 32] |= made << (sample * kBits % 32);
            }
        }
    }
};

// A gray image passes unchanged, and no kernel runs.
void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const int amount = static_cast<const SaturationPlan&>(given).amount256;
    if (isFloat(in.format))
        runPointwise(context, "saturation", in, out, SaturationBody<float>(amount));
    else if (bytesPerSample(in.format) == 1)
        runPointwise(context, "saturation", in, out, SaturationBody<std::uint8_t>(amount));
    else
        runPointwise(context, "saturation", in, out, SaturationBody<std::uint16_t>(amount));
}

// The amount by default changes nothing, and no kernel runs.
std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets(1);
    sets.front().set("amount", 50.0);
    return sets;
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(saturation, .run = run, .warmUps = warmUps);

}  // namespace warpscope::cuda
