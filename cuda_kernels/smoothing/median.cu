// Picks the path of a median.
#include "cuda_kernels/smoothing/median_paths.h"

namespace warpscope::cuda {
namespace {

Result<void> supports(const Plan& plan) {
    if (bytesPerSample(plan.input) <= 2) return {};
    return fail(ErrorCode::Unsupported, "the GPU code of median takes 8 and 16-bit images, not " +
                                            std::string(formatName(plan.input)));
}

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

extern const CudaRunner cudaRunner_median;
const CudaRunner cudaRunner_median{"median", supports, run, nullptr, warmUps};

}  // namespace warpscope::cuda
