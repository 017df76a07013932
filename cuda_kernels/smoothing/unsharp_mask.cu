// Of most 8-bit images the Gaussian blur's last step makes the result; else the blur into the
// output, then one pass over the input and it.
#include "engine/operations/smoothing/unsharp_mask.h"

#include "cuda_kernels/runtime/two_samples.cuh"
#include "cuda_kernels/smoothing/gaussian_blur.cuh"

namespace warpscope::cuda {
namespace {

template <class T>
struct Sharpened {
    int amount, threshold;
    __device__ int operator()(int v, int blurred) const {
        const int difference = v - blurred;
        if (abs(difference) <= threshold) return v;
        return cut<T>(v + ((amount * difference + 128) >> 8));
    }
};
// Each operation is rounded by itself, as on the CPU.
template <>
struct Sharpened<float> {
    float amount, threshold;
    __device__ float operator()(float v, float blurred) const {
        const float difference = __fsub_rn(v, blurred);
        if (fabsf(difference) <= threshold) return v;
        return __fadd_rn(v, __fmul_rn(__fmul_rn(amount, difference), 1.0f / 256.0f));
    }
};

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const UnsharpMaskPlan&>(given);
    const auto& blur = static_cast<const GaussianBlurPlan&>(*plan.blur);
    const BlurMix mix = BlurMix::sharpening(plan.amount, plan.threshold);
    if (mix.fits() && fitsGaussianWarp(blur, context.traits().hasIntegerMma()))
        return runGaussianWarp(context, blur, in, out, &mix);
    if (canMixGaussian(context.traits(), blur, mix))
        return runGaussianMixed(context, blur, in, in, out, mix);
    runOther(context, blur, in, out);
    const char* const name = "unsharp mask";
    if (isFloat(in.format))
        combineSamples<float>(context, name, in, out, out,
                              Sharpened<float>{float(plan.amount), plan.floatThreshold});
    else if (bytesPerSample(in.format) == 1)
        combineSamples<std::uint8_t>(context, name, in, out, out,
                                     Sharpened<std::uint8_t>{plan.amount, plan.threshold});
    else
        combineSamples<std::uint16_t>(context, name, in, out, out,
                                      Sharpened<std::uint16_t>{plan.amount, plan.threshold});
}

// Small radii, larger ones and still larger ones.
std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets(3);
    sets[1].set("sigma", 4.0);
    sets[2].set("sigma", 8.0);
    return sets;
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(unsharp_mask, .run = run, .warmUps = warmUps);

}  // namespace warpscope::cuda
