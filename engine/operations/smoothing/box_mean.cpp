#include "engine/operations/smoothing/box_mean.h"

namespace warpscope {
namespace {

OperationDescription describe() {
    return {.id = "box_mean",
            .label = "Box mean",
            .category = "Smoothing",
            .summary = "Mean over a square",
            .help =
                "Replaces each pixel by the plain mean of the square around it. Made from sums "
                "over rectangles, so that its cost does not depend on the radius. Leaves square "
                "traces around bright points; a Gaussian blur does not. Alpha passes unchanged.",
            .formula =
                "s = sum over (2 r + 1)^2 pixels, n = (2 r + 1)^2.\n"
                "Result: (2 s + n) / (2 n) in integers, which is s / n rounded half up.\n"
                "Float: s in double, of the samples of the window alone, so that neither NaN nor "
                "large values reach farther; s / n rounded to float.\n"
                "Beyond the border the edge pixel is repeated.",
            .source =
                "F. Crow, Summed-area tables for texture mapping, 1984; a study of integral images "
                "with CUDA",
            .parameters = {numberParameter(
                "radius", "Radius", 3, {.unit = "px", .hardMax = kMaxBoxRadius, .sliderMax = 50},
                "The square has a side of 2 radius + 1 pixels; 0 changes nothing")},
            .variants = {automaticVariant(
                "Keeps the sum of each column of the square and moves it down a row at a time; "
                "prefix sums along these give every square by one subtraction. The bits are those "
                "of an integral image modulo 2^32, of which no more than a row is stored. Float: "
                "sums from each place of a "
                "block of 2 r + 1 to its end and from its start, of which two make a window")},
            .accepts = kFilterFormats};
}

Result<void> completePlan(const PlanRequest& request, BoxMeanPlan& plan) {
    plan.radius = int(request.parameters.integer("radius"));
    plan.count = std::uint32_t((2 * plan.radius + 1) * (2 * plan.radius + 1));
    plan.halo = plan.radius;
    plan.identity = plan.radius == 0;
    // Sums that slide: one sample comes and one goes, along rows and along columns; then half the
    // count is added and the sum is divided.
    plan.work = plan.colorSamples() * (4 + 2);
    return {};
}

}  // namespace

const Operation& box_mean_operation() {
    static const OperationOf<BoxMeanPlan> operation(describe(), completePlan, runBoxMeanCpu);
    return operation;
}

}  // namespace warpscope
