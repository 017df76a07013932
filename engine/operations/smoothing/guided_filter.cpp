#include "engine/operations/smoothing/guided_filter.h"

#include "engine/operations/smoothing/guided_filter_strips.h"

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "guided_filter",
        .label = "Guided filter",
        .category = "Smoothing",
        .summary = "Smooths areas and keeps edges",
        .help =
            "Takes each pixel as a line a Y + b of the luma Y, fitted over every square that holds "
            "it: where the image varies much more than epsilon, a is near 1 and all stays; where "
            "it varies less, a is near 0 and the mean is left. Smooths areas without softening "
            "strong edges, and without the stairs and the reversed edges of a bilateral filter. "
            "Its cost grows far more slowly than the area of the square. All colours follow the "
            "luma, so that edges "
            "between colours of the same brightness become soft. Alpha passes unchanged.",
        .formula =
            "Over squares of (2 r + 1)^2 pixels, edge repeated; Y the luma (BT.601, rounded), c a "
            "channel: a = cov(Y, c) / (var(Y) + epsilon), b = mean(c) - a mean(Y), both rounded to "
            "float; result: mean(a) Y + mean(b), the edges of a and b repeated, rounded half up "
            "(float: to float).\n"
            "Sums are exact for integers, else double. epsilon counts times 257^2 for 16 bits, "
            "over 255^2 for float.",
        .source = "K. He, J. Sun, X. Tang, Guided image filtering, 2010",
        .parameters =
            {numberParameter(
                 "radius", "Radius", 8,
                 {.unit = "px", .hardMin = 1, .hardMax = kMaxGuidedRadius, .sliderMax = 50},
                 "The square has a side of 2 radius + 1 pixels"),
             numberParameter("epsilon", "Epsilon", 100.0,
                             {.unit = "levels²",
                              .hardMin = 0.1,
                              .hardMax = 10000,
                              .sliderMin = 1,
                              .sliderMax = 5000,
                              .logarithmic = true},
                             "Variance, in squared 8-bit levels, below which an area is smoothed: "
                             "the square of the contrast that is to go")},
        .variants = {automaticVariant(
            "Sums over 1, 2, 4, ... neighbours, first along rows, then along columns, make up "
            "every window in an order of its own, so that no value outside reaches it. Additions "
            "grow with the logarithm of the radius alone; on the CPU time also grows with the "
            "radius itself, by margins and by sums that wait in memory")},
        .accepts = kFilterFormats};
}

Result<void> completePlan(const PlanRequest& request, GuidedFilterPlan& plan) {
    plan.radius = int(request.parameters.integer("radius"));
    const int side = 2 * plan.radius + 1;
    plan.count = double(side) * side;
    plan.share = 1 / plan.count;
    const double level = isFloat(plan.input)               ? 1.0 / (255.0 * 255.0)
                         : bytesPerSample(plan.input) == 2 ? 257.0 * 257.0
                                                           : 1.0;
    plan.softening = request.parameters.real("epsilon") * level * plan.count * plan.count;
    plan.white = isFloat(plan.input) ? 1.0 : fullScale(plan.input);
    plan.halo = 2 * plan.radius;
    // Four additions for each sum that moves along rows and columns: of Y and its squares; for each
    // channel of a and b, and of a colour and its products with Y. Each of these two products. Two
    // differences of products, a sum, a quotient, two means, a product and a difference for a
    // and b; two means, a product with addition and a rounding for the result.
    const bool color = isColor(plan.input);
    plan.work = plan.pixels() * (9 + (color ? 6 : 0)) +
                plan.colorSamples() * (8 + (color ? 9 : 0) + 11 + 5);
    plan.guessedMsPerMegapixel = 0.2 + guidedNanoseconds(plan.input, plan.radius) / 2;
    return {};
}

}  // namespace

const Operation& guided_filter_operation() {
    static const OperationOf<GuidedFilterPlan> operation(describe(), completePlan,
                                                         runGuidedFilterCpu);
    return operation;
}

}  // namespace warpscope
