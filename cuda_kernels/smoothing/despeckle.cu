// Of 8 bits and small windows the median's kernel makes the result; else the median into the
// output, then one pass over the input and it.
#include "engine/operations/smoothing/despeckle.h"

#include "cuda_kernels/runtime/two_samples.cuh"
#include "cuda_kernels/smoothing/median.cuh"

namespace warpscope::cuda {
namespace {

// Number: int or float.
template <class Number>
struct FarFromMedian {
    Number threshold;
    bool bright, dark;
    __device__ Number operator()(Number v, Number median) const {
        const bool replaced =
            (bright && v - median > threshold) || (dark && median - v > threshold);
        return replaced ? median : v;
    }
};

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const DespecklePlan&>(given);
    const bool bright = plan.which != Speckles::Dark, dark = plan.which != Speckles::Bright;
    const int radius = static_cast<const MedianPlan&>(*plan.median).radius;
    if (bytesPerSample(in.format) == 1 && radius <= 2)
        return despeckleByNetwork(context, radius, {plan.threshold, bright, dark}, in, out);
    runOther(context, *plan.median, in, out);
    const char* const name = "despeckle";
    const FarFromMedian<int> whole{plan.threshold, bright, dark};
    if (isFloat(in.format))
        combineSamples<float>(context, name, in, out, out,
                              FarFromMedian<float>{plan.floatThreshold, bright, dark});
    else if (bytesPerSample(in.format) == 1)
        combineSamples<std::uint8_t>(context, name, in, out, out, whole);
    else
        combineSamples<std::uint16_t>(context, name, in, out, out, whole);
}

std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets;
    for (const int radius : {1, 2, 3}) sets.emplace_back().set("radius", std::int64_t(radius));
    return sets;
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(despeckle, .run = run, .warmUps = warmUps,
                      .loadKernels = loadDespeckleNetworks);

}  // namespace warpscope::cuda
