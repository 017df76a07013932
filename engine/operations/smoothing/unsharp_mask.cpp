#include "engine/operations/smoothing/unsharp_mask.h"

#include <cmath>

#include "engine/operations/smoothing/gaussian_blur.h"
#include "engine/operations/work_steps.h"

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "unsharp_mask",
        .label = "Unsharp mask",
        .category = "Sharpening",
        .summary = "Sharpens by what a blur would take away",
        .help =
            "Adds to each pixel what sets it apart from its blurred surroundings: edges get "
            "steeper, fine detail stronger, and so does noise unless the threshold keeps small "
            "differences out. Sigma says how coarse the detail is. Alpha passes unchanged.",
        .formula =
            "b is the Gaussian blur of this sigma, rounded as it is there; d = v - b, q = "
            "round(256 amount), M the white level.\n"
            "Result: v where |d| <= threshold, else v + ((q d + 128) >> 8), cut to 0 to M. 16 "
            "bits: threshold times 257.\n"
            "Float: v + q d / 256, not cut; threshold over 255.",
        .source = "J. A. C. Yule, Unsharp masking, 1944; as image editors have it",
        .parameters = {numberParameter("sigma", "Sigma", 2.0,
                                       {.unit = "px",
                                        .hardMin = 0.3,
                                        .hardMax = 100,
                                        .sliderMax = 20,
                                        .step = 0.1,
                                        .logarithmic = true},
                                       "Standard deviation of the blur: how coarse the detail is"),
                       numberParameter("amount", "Amount", 1.0, {.hardMax = 5, .step = 0.1},
                                       "How much of the difference is added; 0 changes nothing"),
                       numberParameter("threshold", "Threshold", 0,
                                       {.unit = "grey levels", .hardMax = 255, .sliderMax = 50},
                                       "Differences up to this are left alone")},
        .variants = {automaticVariant(
            "The Gaussian blur at its best; CPU, 8 and 16 bits: sharpened while in the cache")},
        .accepts = kFilterFormats};
}

Result<void> completePlan(const PlanRequest& request, UnsharpMaskPlan& plan) {
    ParamSet given;
    given.set("sigma", request.parameters.real("sigma"));
    auto blur = planOfOther(gaussian_blur_operation(), request, given);
    if (!blur) return fail(blur.error());
    plan.blur = *blur;
    plan.amount = std::int32_t(std::lround(256 * request.parameters.real("amount")));
    const auto threshold = std::int32_t(request.parameters.integer("threshold"));
    plan.threshold = threshold * (bytesPerSample(request.format) == 2 ? 257 : 1);
    plan.floatThreshold = float(threshold / 255.0);
    plan.halo = plan.blur->halo;
    plan.identity = plan.amount == 0 || plan.blur->identity;
    // Bright edges get brighter than what was white.
    plan.fillsRange = !plan.identity;
    // A difference and its comparison; a product, a sum and its limit.
    plan.work = plan.blur->work + plan.colorSamples() * 6;
    return {};
}

}  // namespace

const Operation& unsharp_mask_operation() {
    static const OperationOf<UnsharpMaskPlan> operation(describe(), completePlan,
                                                        runUnsharpMaskCpu);
    return operation;
}

}  // namespace warpscope
