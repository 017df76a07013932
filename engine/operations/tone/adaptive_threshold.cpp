#include "engine/operations/tone/adaptive_threshold.h"

#include "engine/operations/smoothing/box_mean.h"

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "adaptive_threshold",
        .label = "Adaptive threshold",
        .category = "Tone",
        .summary = "Black and white: what is brighter than its surroundings is white",
        .help =
            "Compares the luma of each pixel with its mean over the square around it, so that "
            "uneven light does not matter: for text, drawings and cells. The radius must be larger "
            "than what is to be told apart. A higher offset lets more of even areas become white; "
            "a negative one makes them black. Alpha is dropped.",
        .formula =
            "White M where (v + offset) (2 r + 1)^2 > s, else 0; v is luma (BT.601), s the sum of "
            "v "
            "over (2 r + 1)^2 pixels, in integers. The offset counts times 257 for 16 bits.\n"
            "Float: 1 where v + offset / 255 > m, m the box mean of luma, else 0; NaN in the "
            "square gives 0.\n"
            "Beyond the border the edge pixel is repeated.",
        .source = "D. Bradley and G. Roth, Adaptive thresholding using the integral image, 2007",
        .parameters = {numberParameter(
                           "radius", "Radius", 10,
                           {.unit = "px", .hardMin = 1, .hardMax = kMaxBoxRadius, .sliderMax = 50},
                           "The square has a side of 2 radius + 1 pixels"),
                       numberParameter(
                           "offset", "Offset", 5,
                           {.unit = "grey levels",
                            .hardMin = -255,
                            .hardMax = 255,
                            .sliderMin = -50,
                            .sliderMax = 50},
                           "How far below the mean a pixel may be and still be white; 8-bit "
                           "levels whatever the depth")},
        .variants = {automaticVariant("Sums over squares as for the box mean; no means are made, "
                                      "so that nothing is rounded")},
        .accepts = kFilterFormats,
        .dropsAlpha = true};
}

Result<void> completePlan(const PlanRequest& request, AdaptiveThresholdPlan& plan) {
    plan.output = *withChannels(request.format, false);
    plan.fillsRange = true;
    plan.radius = int(request.parameters.integer("radius"));
    plan.count = (2 * plan.radius + 1) * (2 * plan.radius + 1);
    plan.halo = plan.radius;
    const auto offset = std::int32_t(request.parameters.integer("offset"));
    plan.offset = bytesPerSample(plan.input) == 2 ? 257 * offset : offset;
    plan.offsetFloat = float(double(offset) / 255.0);
    plan.guessedMsPerMegapixel = isFloat(plan.input) ? 12 : 1.5;
    // Luma (see grayscale); four additions for the sum, of the row and of the column what enters
    // and what leaves; an addition, a product and a comparison.
    plan.work = plan.pixels() * ((isColor(plan.input) ? 6 : 0) + 4 + 3);
    return {};
}

}  // namespace

const Operation& adaptive_threshold_operation() {
    static const OperationOf<AdaptiveThresholdPlan> operation(describe(), completePlan,
                                                              runAdaptiveThresholdCpu);
    return operation;
}

}  // namespace warpscope
