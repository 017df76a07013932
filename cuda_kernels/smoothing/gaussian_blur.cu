// Picks the path of a Gaussian.
#include "cuda_kernels/smoothing/gaussian_blur.cuh"

namespace warpscope::cuda {

GaussianTaps::GaussianTaps(const GaussianBlurPlan& plan) : radius(plan.radius) {
    for (std::size_t i = 0; i < plan.taps.size() && i < std::size_t(kMaxGaussianTaps); ++i)
        weights[i] = std::uint16_t(plan.taps[i]);
}

namespace {

void run(KernelContext& context, const Plan& plan, const DeviceImage& in, const DeviceImage& out) {
    const auto& gaussian = static_cast<const GaussianBlurPlan&>(plan);
    if (plan.variant != kAutomaticVariant)
        runGaussianPublished(context, gaussian, in, out);
    else if (bytesPerSample(in.format) == 2)
        runGaussian16(context, gaussian, in, out);
    else if (canRunGaussianBanded(context.traits(), gaussian))
        runGaussianBanded(context, gaussian, in, out);
    else
        runGaussianDirect(context, gaussian, in, out);
}

// One sigma for each kernel of 8 bits: radius up to 16, up to 32, larger, and as large as it gets.
std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets;
    for (const double sigma : {1.0, 8.0, 15.0, 100.0}) sets.emplace_back().set("sigma", sigma);
    sets.back().set("size", std::int64_t(kMaxGaussianSize));
    return sets;
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(gaussian_blur, .run = run, .warmUps = warmUps);

}  // namespace warpscope::cuda
