// Picks the path of a median.
#include "cuda_kernels/smoothing/median.cuh"

namespace warpscope::cuda {
namespace {

void run(KernelContext& context, const Plan& plan, const DeviceImage& in, const DeviceImage& out) {
    const int radius = static_cast<const MedianPlan&>(plan).radius;
    if (radius <= 2)
        medianByNetwork(context, radius, in, out);
    else if (bytesPerSample(in.format) == 1)
        medianByHistogram(context, radius, in, out);
    else
        medianByBits(context, radius, in, out);
}

std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets;
    for (const int radius : {1, 2, 3}) sets.emplace_back().set("radius", std::int64_t(radius));
    return sets;
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(median, .run = run, .warmUps = warmUps);

}  // namespace warpscope::cuda
