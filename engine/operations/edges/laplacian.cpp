#include "engine/operations/edges/laplacian.h"

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "laplacian",
        .label = "Laplacian",
        .category = "Edges",
        .summary = "How much each pixel differs from its neighbours",
        .help =
            "The second derivative of brightness: bright at fine lines, dots and on both sides of "
            "edges, black where brightness is even or rises evenly. A sharp image has much of it, "
            "a blurred one little. It answers to noise more than the gradient does. Colour is seen "
            "by its luma; the result is gray.",
        .formula =
            "Of BT.601 luma (19595 R + 38470 G + 7471 B + 32768) >> 16: s = sum of the 4 or 8 "
            "neighbours - 4 v or 8 v.\n"
            "Absolute: min(M, |s|) with M white. Signed: L/2 + s, limited to 0 to M, with L/2 128 "
            "(32,768 for 16 bits).\n"
            "Float: |s| and 0.5 + s, not limited; neighbours are added in float row by row from "
            "above, from the left.\n"
            "Beyond the border the edge pixel is repeated.",
        .source = "The five-point and nine-point stencils of the Laplace operator",
        .parameters = {choiceParameter("neighbours", "Neighbours",
                                       {{"4", "4", "Left, right, above and below"},
                                        {"8", "8", "The corners too"}},
                                       "Which neighbours a pixel is compared with"),
                       choiceParameter(
                           "output", "Output",
                           {{"absolute", "Absolute", "How much, without its sign"},
                            {"signed", "Signed",
                             "Brighter than middle gray where the neighbours are brighter"}},
                           "Whether the sign is shown")},
        .variants = {automaticVariant(
            "One pass: sums, and luma of colour, on the way from input to output")},
        .accepts = kFilterFormats,
        .dropsAlpha = true};
}

Result<void> completePlan(const PlanRequest& request, LaplacianPlan& plan) {
    plan.neighbours = request.parameters.choice("neighbours") == "8" ? 8 : 4;
    plan.isSigned = request.parameters.choice("output") == "signed";
    plan.output = *withChannels(request.format, false);
    plan.halo = 1;
    // Middle gray is that of the format, and lines go beyond what was white.
    plan.fillsRange = true;
    plan.guessedMsPerMegapixel = 0.4;
    // Luma; the sum, a product and a difference; then a sum and two limits, or a maximum and one.
    plan.work = plan.pixels() * (plan.neighbours + 4 + (isColor(request.format) ? 6 : 0));
    return {};
}

}  // namespace

const Operation& laplacian_operation() {
    static const OperationOf<LaplacianPlan> operation(describe(), completePlan, runLaplacianCpu);
    return operation;
}

}  // namespace warpscope
