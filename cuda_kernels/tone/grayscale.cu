// Colour to gray: 16-byte loads of four (8 bits), two (16 bits) or one pixel (float), four or more
// of them in flight.
#include "cuda_kernels/tone/grayscale.cuh"

#include "cuda_kernels/runtime/pointwise.cuh"

namespace warpscope::cuda {
namespace {

struct Weighted {
    GrayWeights weights;
    __device__ std::uint32_t operator()(uint3 p) const {
        // At most 65,535 * 65,536 + 32,768: fits in 32 bits.
        return (weights.red * p.x + weights.green * p.y + weights.blue * p.z + 32768u) >> 16;
    }
};
struct Average {
    __device__ std::uint32_t operator()(uint3 p) const {
        return (2u * (p.x + p.y + p.z) + 3u) / 6u;
    }
};
struct Maximum {
    __device__ std::uint32_t operator()(uint3 p) const { return max(p.x, max(p.y, p.z)); }
};

// Float samples, each step rounded by itself.
struct WeightedFloat {
    float red, green, blue;
    __device__ float operator()(float r, float g, float b) const {
        return weightedSum(r, g, b, red, green, blue);
    }
};
struct AverageFloat {
    __device__ float operator()(float r, float g, float b) const {
        return __fdiv_rn(__fadd_rn(__fadd_rn(r, g), b), 3.0f);
    }
};
struct MaximumFloat {
    __device__ float operator()(float r, float g, float b) const {
        if (r != r || g != g || b != b) return __uint_as_float(0x7fffffffu);
        return fmaxf(fmaxf(r, g), b);
    }
};

template <class T, class Method>
struct GrayBody : PointwiseBody {
    static constexpr int kPixels = 4;
    static constexpr int kBytesIn = 16 * int(sizeof(T)), kBytesOut = 4 * int(sizeof(T));
    static constexpr int kWork = 3;
    Method method;

    explicit GrayBody(const Method& made) : method(made) {}
    __device__ void operator()(const std::uint32_t (&in)[kBytesIn / 4],
                               std::uint32_t (&out)[kBytesOut / 4], const PiecePlace&) const {
        constexpr int kBits = 8 * int(sizeof(T));
#pragma unroll
        for (int i = 0; i < kPixels; ++i) {
            const uint3 pixel{sampleOf<T>(in, 4 * i), sampleOf<T>(in, 4 * i + 1),
                              sampleOf<T>(in, 4 * i + 2)};
            if constexpr (std::is_floating_point_v<T>)
                out[i] = __float_as_uint(method(__uint_as_float(pixel.x), __uint_as_float(pixel.y),
                                                __uint_as_float(pixel.z)));
            else
                out[i * kBits / 32] |= method(pixel) << (i * kBits % 32);
        }
    }
};

template <class T, class Method>
void runMethod(KernelContext& context, const DeviceImage& in, const DeviceImage& out,
               const Method& method) {
    runPointwise(context, "grayscale", in, out, GrayBody<T, Method>(method));
}

template <class T>
void runSamples(KernelContext& context, const GrayscalePlan& plan, const DeviceImage& in,
                const DeviceImage& out) {
    switch (plan.method) {
        case GrayMethod::Weighted601:
        case GrayMethod::Weighted709:
            return runMethod<T>(context, in, out, Weighted{plan.weights});
        case GrayMethod::Average:
            return runMethod<T>(context, in, out, Average{});
        case GrayMethod::Maximum:
            return runMethod<T>(context, in, out, Maximum{});
    }
}

void runFloats(KernelContext& context, const GrayscalePlan& plan, const DeviceImage& in,
               const DeviceImage& out) {
    const auto weight = [](std::uint32_t of) { return float(of) / 65536.0f; };
    switch (plan.method) {
        case GrayMethod::Weighted601:
        case GrayMethod::Weighted709:
            return runMethod<float>(
                context, in, out,
                WeightedFloat{weight(plan.weights.red), weight(plan.weights.green),
                              weight(plan.weights.blue)});
        case GrayMethod::Average:
            return runMethod<float>(context, in, out, AverageFloat{});
        case GrayMethod::Maximum:
            return runMethod<float>(context, in, out, MaximumFloat{});
    }
}

void run(KernelContext& context, const Plan& plan, const DeviceImage& in, const DeviceImage& out) {
    const auto& gray = static_cast<const GrayscalePlan&>(plan);
    if (plan.variant != kAutomaticVariant)
        runGrayscaleWrong(context, gray, in, out);
    else if (plan.input == PixelFormat::RgbaF32)
        runFloats(context, gray, in, out);
    else if (plan.input == PixelFormat::Rgba8)
        runSamples<std::uint8_t>(context, gray, in, out);
    else
        runSamples<std::uint16_t>(context, gray, in, out);
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(grayscale, .run = run);

}  // namespace warpscope::cuda
