#include "engine/operations/smoothing/difference_of_gaussians.h"

#include <algorithm>

#include "engine/operations/smoothing/gaussian_blur.h"
#include "engine/operations/work_steps.h"

namespace warpscope {
namespace {

NumberSpec sigmaRange() {
    return {.unit = "px",
            .hardMin = 0.3,
            .hardMax = 100,
            .sliderMax = 20,
            .step = 0.1,
            .logarithmic = true};
}

OperationDescription describe() {
    return {
        .id = "difference_of_gaussians",
        .label = "Difference of Gaussians",
        .category = "Sharpening",
        .summary = "Detail between two sizes: a weak blur minus a strong one",
        .help =
            "Leaves the detail that is coarser than the small sigma and finer than the large "
            "one: spots and edges of about one size, without noise and without slow shading. "
            "What is alike in both becomes middle gray. Alpha passes unchanged.",
        .formula =
            "g1 and g2 are the Gaussian blurs of the small and the large sigma, each rounded "
            "as it is there; L = 256 or 65,536.\n"
            "Result: L/2 + gain (g1 - g2), cut to 0 to L - 1.\n"
            "Float: 0.5 + gain (g1 - g2), not cut.",
        .source = "D. Marr, E. Hildreth, Theory of edge detection, 1980",
        .parameters = {numberParameter("sigma_small", "Small sigma", 1.0, sigmaRange(),
                                       "Finer detail than this is left out"),
                       numberParameter("sigma_large", "Large sigma", 1.6, sigmaRange(),
                                       "Coarser detail than this is left out; 1.6 times the "
                                       "small one is near the Laplacian of a Gaussian"),
                       numberParameter("gain", "Gain", 1, {.hardMin = 1, .hardMax = 16},
                                       "How much the difference is amplified")},
        .variants = {automaticVariant(
            "Two Gaussian blurs at their best; CPU, 8 and 16 bits: subtracted while in the cache")},
        .accepts = kFilterFormats};
}

Result<void> completePlan(const PlanRequest& request, DifferenceOfGaussiansPlan& plan) {
    for (const auto& [id, made] : {std::pair<const char*, PlanPtr*>{"sigma_small", &plan.small},
                                   std::pair<const char*, PlanPtr*>{"sigma_large", &plan.large}}) {
        ParamSet given;
        given.set("sigma", request.parameters.real(id));
        auto blur = planOfOther(gaussian_blur_operation(), request, given);
        if (!blur) return fail(blur.error());
        *made = *blur;
    }
    plan.gain = std::int32_t(request.parameters.integer("gain"));
    plan.halo = std::max(plan.small->halo, plan.large->halo);
    // The middle of the format's range is the middle of the result.
    plan.fillsRange = true;
    plan.work = plan.small->work + plan.large->work + plan.colorSamples() * 4;
    return {};
}

}  // namespace

const Operation& difference_of_gaussians_operation() {
    static const OperationOf<DifferenceOfGaussiansPlan> operation(describe(), completePlan,
                                                                  runDifferenceOfGaussiansCpu);
    return operation;
}

}  // namespace warpscope
