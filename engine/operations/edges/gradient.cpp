#include "engine/operations/edges/gradient.h"

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "gradient",
        .label = "Gradient",
        .category = "Edges",
        .summary = "How steep edges are, and which way they go",
        .help =
            "Shows how much brightness changes around each pixel: edges are bright, even areas "
            "black. Horizontal and vertical show the change to the right and downwards, with its "
            "sign, around middle gray. Noise is change too: blur first where it covers the edges. "
            "Colour is seen by its luma; the result is gray.",
        .formula =
            "Of BT.601 luma (19595 R + 38470 G + 7471 B + 32768) >> 16. gx = right minus left, gy "
            "= below minus above, each the sum of three differences weighted 1 2 1 (Sobel), 3 10 3 "
            "(Scharr) or 1 1 1 (Prewitt).\n"
            "Magnitude: min(M, floor(sqrt(gx^2 + gy^2))) with M white. Horizontal, vertical: "
            "L/2 + (g >> 1), limited to 0 to M, with L/2 128 (32,768 for 16 bits).\n"
            "Float: sqrt(gx^2 + gy^2), 0.5 + g / 2, not limited; gx and gy in float, from the left "
            "or from above, squares and root in double.\n"
            "Beyond the border the edge pixel is repeated.",
        .source =
            "I. Sobel, G. Feldman, A 3x3 isotropic gradient operator, 1968; J. Prewitt, Object "
            "enhancement and extraction, 1970; H. Scharr, Optimale Operatoren in der digitalen "
            "Bildverarbeitung, 2000",
        .parameters = {choiceParameter(
                           "kernel", "Kernel",
                           {{"sobel", "Sobel", "1 2 1: the usual one"},
                            {"scharr", "Scharr",
                             "3 10 3: treats all directions most alike; four times as steep"},
                            {"prewitt", "Prewitt", "1 1 1: smooths most along the edge"}},
                           "How the three differences across an edge are weighted"),
                       choiceParameter(
                           "output", "Output",
                           {{"magnitude", "Magnitude", "How steep, whatever the direction"},
                            {"horizontal", "Horizontal",
                             "Change to the right, halved: brighter than middle gray where it "
                             "rises"},
                            {"vertical", "Vertical",
                             "Change downwards, halved: brighter than middle gray where it "
                             "rises"}},
                           "What of the change is shown")},
        .variants = {automaticVariant(
            "One pass: both differences, and luma of colour, on the way from input to output")},
        .accepts = kFilterFormats,
        .dropsAlpha = true};
}

Result<void> completePlan(const PlanRequest& request, GradientPlan& plan) {
    const std::string& kernel = request.parameters.choice("kernel");
    plan.kernel = kernel == "scharr"    ? GradientKernel::Scharr
                  : kernel == "prewitt" ? GradientKernel::Prewitt
                                        : GradientKernel::Sobel;
    const std::string& shown = request.parameters.choice("output");
    plan.shown = shown == "horizontal" ? GradientOutput::Horizontal
                 : shown == "vertical" ? GradientOutput::Vertical
                                       : GradientOutput::Magnitude;
    plan.output = *withChannels(request.format, false);
    plan.halo = 1;
    // Middle gray is that of the format, and steep edges go beyond what was white.
    plan.fillsRange = true;
    plan.guessedMsPerMegapixel = 0.5;
    // Luma; three differences, their two sums and up to two products each way; two squares, their
    // sum, the root and the limit, or half, sum and two limits.
    const double oneWay = plan.kernel == GradientKernel::Scharr    ? 7
                          : plan.kernel == GradientKernel::Prewitt ? 5
                                                                   : 6;
    const double each = plan.shown == GradientOutput::Magnitude ? 2 * oneWay + 5 : oneWay + 4;
    plan.work = plan.pixels() * (each + (isColor(request.format) ? 6 : 0));
    return {};
}

}  // namespace

const Operation& gradient_operation() {
    static const OperationOf<GradientPlan> operation(describe(), completePlan, runGradientCpu);
    return operation;
}

}  // namespace warpscope
