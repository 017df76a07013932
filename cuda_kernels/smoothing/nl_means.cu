// Picks the way of an NL-means.
#include "cuda_kernels/smoothing/nl_means.cuh"
#include "cuda_kernels/smoothing/nl_means_choice.h"

namespace warpscope::cuda {
namespace {

void run(KernelContext& context, const Plan& plan, const DeviceImage& in, const DeviceImage& out) {
    const auto& means = static_cast<const NlMeansPlan&>(plan);
    if (isFloat(in.format))
        runNlMeansFloat(context, means, in, out);
    else if (plan.variant == "direct")
        runNlMeansDirect(context, means, in, out);
    else if (plan.variant == "integral_per_offset")
        runNlMeansIntegralPerOffset(context, means, in, out);
    else if (plan.variant == "integral_rows")
        runNlMeansIntegralRows(context, means, in, out);
    else if (fitsNlMeansSmall(means))
        runNlMeansSmall(context, means, in, out);
    else if (canRunNlMeansProducts(context.traits(), means))
        runNlMeansProducts(context, means, in, out);
    else if (canRunNlMeansPairs(context.traits(), means))
        runNlMeansPairs(context, means, in, out);
    else if (canRunNlMeansFused(context.traits(), means))
        runNlMeansFused(context, means, in, out);
    else
        runNlMeansSliding(context, means, in, out);
}

// Each patch radius and each kind of search radius has a kernel of its own; with patch radius 1
// those of search radius 3 and 4 are others than those of 1 and 2. Products have further ones, by
// the tiles of larger images and by h; pairs by these and by the device.
std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets;
    for (const std::int64_t patch : {1, 2, 3, 4})
        for (const std::int64_t search : {1, 2, 3, 4, 11, 13}) {
            if (patch == 4 && search > 1) continue;
            if (patch > 1 && (search == 3 || search == 4)) continue;
            sets.emplace_back().set("patch_radius", patch);
            sets.back().set("search_radius", search);
        }
    return sets;
}

void load() {
    loadNlMeansProducts();
    loadNlMeansPairs();
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(nl_means, .run = run, .warmUps = warmUps, .loadKernels = load,
                      .variantsNeedOneWarmUp = true);

}  // namespace warpscope::cuda
