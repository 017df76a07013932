// Both differences of a 3x3 square of luma from a tile in shared memory; 8-bit images go to
// small_gradient.cu.
#include "engine/operations/edges/gradient.h"

#include "cuda_kernels/edges/luma_tile.cuh"
#include "cuda_kernels/edges/small_gradient.cuh"

namespace warpscope::cuda {
namespace {

// Floats are added from the first to the last, each product and sum rounded by itself.
__device__ __forceinline__ int weighed(GradientWeights w, int before, int middle, int after) {
    return w.side * (before + after) + w.centre * middle;
}
__device__ __forceinline__ float weighed(GradientWeights w, float before, float middle,
                                         float after) {
    const float side = float(w.side);
    return __fadd_rn(__fadd_rn(__fmul_rn(side, before), __fmul_rn(float(w.centre), middle)),
                     __fmul_rn(side, after));
}
__device__ __forceinline__ int difference(int a, int b) {
    return a - b;
}
__device__ __forceinline__ float difference(float a, float b) {
    return __fsub_rn(a, b);
}

// Roots below 2^16 in double: exact squares, a root rounded right.
__device__ __forceinline__ std::uint32_t wholeRoot(std::int64_t squares) {
    return std::uint32_t(__dsqrt_rn(double(squares)));
}

template <class T>
struct GradientBody {
    GradientWeights weights;
    GradientOutput shown;

    using Lane = LumaLane<T>;

    __device__ std::uint32_t operator()(const Lane (&v)[3][3]) const {
        if (shown == GradientOutput::Horizontal) return around(rightMinusLeft(v));
        if (shown == GradientOutput::Vertical) return around(belowMinusAbove(v));
        return magnitude(rightMinusLeft(v), belowMinusAbove(v));
    }

  private:
    __device__ Lane rightMinusLeft(const Lane (&v)[3][3]) const {
        return weighed(weights, difference(v[0][2], v[0][0]), difference(v[1][2], v[1][0]),
                       difference(v[2][2], v[2][0]));
    }
    __device__ Lane belowMinusAbove(const Lane (&v)[3][3]) const {
        return weighed(weights, difference(v[2][0], v[0][0]), difference(v[2][1], v[0][1]),
                       difference(v[2][2], v[0][2]));
    }
    __device__ static std::uint32_t around(int g) {
        return std::uint32_t(min(max(32768 + (g >> 1), 0), 65535));
    }
    __device__ static std::uint32_t around(float g) {
        return __float_as_uint(__fadd_rn(0.5f, __fmul_rn(g, 0.5f)));
    }
    __device__ static std::uint32_t magnitude(int gx, int gy) {
        const std::int64_t x = gx, y = gy;
        return min(wholeRoot(x * x + y * y), 65535u);
    }
    __device__ static std::uint32_t magnitude(float gx, float gy) {
        const double x = gx, y = gy;
        return __float_as_uint(
            __double2float_rn(__dsqrt_rn(__dadd_rn(__dmul_rn(x, x), __dmul_rn(y, y)))));
    }
};

template <class T, int C>
void gradientOf(KernelContext& context, const GradientPlan& plan, const DeviceImage& in,
                const DeviceImage& out) {
    runLumaStencil<T, C>(context, "gradient", in, out,
                         GradientBody<T>{weightsOf(plan.kernel), plan.shown});
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const GradientPlan&>(given);
    if (bytesPerSample(in.format) == 1)
        runSmallGradient(context, plan, in, out);
    else if (isFloat(in.format))
        isColor(in.format) ? gradientOf<float, 4>(context, plan, in, out)
                           : gradientOf<float, 1>(context, plan, in, out);
    else
        isColor(in.format) ? gradientOf<std::uint16_t, 4>(context, plan, in, out)
                           : gradientOf<std::uint16_t, 1>(context, plan, in, out);
}

std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets;
    for (const char* output : {"magnitude", "horizontal", "vertical"})
        sets.emplace_back().set("output", output);
    return sets;
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(gradient, .run = run, .warmUps = warmUps);

}  // namespace warpscope::cuda
