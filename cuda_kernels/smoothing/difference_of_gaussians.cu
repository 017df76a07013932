// Of 8-bit images both blurs at once where their radii are small; of most others the larger blur's
// last step makes the result from the smaller one in the output; else both blurs, then one pass
// over them.
#include "engine/operations/smoothing/difference_of_gaussians.h"

#include "cuda_kernels/runtime/two_samples.cuh"
#include "cuda_kernels/smoothing/gaussian_blur.cuh"

namespace warpscope::cuda {
namespace {

template <class T>
struct AroundGray {
    int gain;
    __device__ int operator()(int small, int large) const {
        return cut<T>((1 << (8 * int(sizeof(T)) - 1)) + gain * (small - large));
    }
};
// Each operation is rounded by itself, as on the CPU.
template <>
struct AroundGray<float> {
    float gain;
    __device__ float operator()(float small, float large) const {
        return __fadd_rn(0.5f, __fmul_rn(gain, __fsub_rn(small, large)));
    }
};

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const DifferenceOfGaussiansPlan&>(given);
    const auto& smaller = static_cast<const GaussianBlurPlan&>(*plan.small);
    const auto& larger = static_cast<const GaussianBlurPlan&>(*plan.large);
    const bool integerMma = context.traits().hasIntegerMma();
    if (fitsGaussianWarp(smaller, integerMma) && fitsGaussianWarp(larger, integerMma))
        return runGaussianDifference(context, smaller, larger, plan.gain, in, out);
    const BlurMix mix = BlurMix::difference(plan.gain);
    if (canMixGaussian(context.traits(), larger, mix)) {
        runOther(context, *plan.small, in, out);
        return runGaussianMixed(context, larger, in, out, out, mix);
    }
    const DeviceMemory memory =
        context.allocate(std::size_t(out.pitch) * unsigned(out.size.height));
    const DeviceImage large{memory.as(), out.pitch, out.size, out.format};
    runOther(context, *plan.small, in, out);
    runOther(context, *plan.large, in, large);
    const char* const name = "difference of Gaussians";
    if (isFloat(in.format))
        combineSamples<float>(context, name, out, large, out, AroundGray<float>{float(plan.gain)});
    else if (bytesPerSample(in.format) == 1)
        combineSamples<std::uint8_t>(context, name, out, large, out,
                                     AroundGray<std::uint8_t>{plan.gain});
    else
        combineSamples<std::uint16_t>(context, name, out, large, out,
                                      AroundGray<std::uint16_t>{plan.gain});
}

// Both at once, small ones and larger ones, and one after the other.
std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets(3);
    sets[1].set("sigma_large", 4.0);
    sets[2].set("sigma_large", 8.0);
    return sets;
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(difference_of_gaussians, .run = run, .warmUps = warmUps);

}  // namespace warpscope::cuda
