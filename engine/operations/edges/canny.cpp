#include "engine/operations/edges/canny.h"

#include <algorithm>

namespace warpscope {
namespace {

// Differences of both directions together, in 8-bit levels.
constexpr int kMostSteepness = 8 * 255;

OperationDescription describe() {
    const NumberSpec threshold{.unit = "grey levels", .hardMax = kMostSteepness, .sliderMax = 510};
    return {
        .id = "canny",
        .label = "Canny edges",
        .category = "Edges",
        .summary = "Edges as thin white lines",
        .help =
            "Finds where brightness changes most, thins it to lines one pixel wide, keeps those "
            "that are steeper than the high threshold and follows them as long as they stay above "
            "the low one. Where noise gives too many lines, blur first or raise both thresholds. "
            "Colour is seen by its luma; the result is black and white. While only a part of the "
            "image is computed, a line that is strong only outside it may be missing.",
        .formula =
            "Of BT.601 luma (19595 R + 38470 G + 7471 B + 32768) >> 16. gx and gy with the Sobel "
            "kernel (1 2 1), edges repeated; m = |gx| + |gy|, 0 outside the image.\n"
            "A pixel is a candidate where m > low and m is a maximum across the edge: with "
            "t = 13573 |gx| and y = 32768 |gy|, for y < t above the left and not below the right "
            "neighbour; for y > t + 65536 |gx| above the upper and not below the lower one; else "
            "above both on the diagonal, upper left and lower right where gx and gy have the same "
            "sign (0 counts as positive).\n"
            "White: candidates with m > high, and those that are joined to one of these by "
            "candidates, corner to corner too. All others are 0.\n"
            "16 bits: thresholds times 257. If low is above high, they are exchanged.",
        .source = "J. Canny, A computational approach to edge detection, 1986",
        .parameters = {numberParameter("low", "Low threshold", 50, threshold,
                                       "Edges are followed while they are steeper than this; |gx| "
                                       "+ |gy| of a Sobel kernel, which is four times the step of "
                                       "a straight edge"),
                       numberParameter("high", "High threshold", 100, threshold,
                                       "An edge must be steeper than this somewhere")},
        .variants = {automaticVariant(
            "CPU: bands in parallel, edges that leave a band are handed to the next one until none "
            "is left. GPU: candidates that touch are joined to sets, and a set is kept if one of "
            "it "
            "is strong")},
        .dropsAlpha = true,
        .dependsOnWholeImage = true};
}

Result<void> completePlan(const PlanRequest& request, CannyPlan& plan) {
    const int scale = bytesPerSample(request.format) == 2 ? 257 : 1;
    const int low = int(request.parameters.integer("low")) * scale;
    const int high = int(request.parameters.integer("high")) * scale;
    plan.low = std::min(low, high);
    plan.high = std::max(low, high);
    plan.output = *withChannels(request.format, false);
    plan.halo = 2;
    plan.fillsRange = true;
    plan.guessedMsPerMegapixel = 4;
    // Luma; both differences, their magnitudes and sum; direction (two products, a sum, two
    // comparisons), two neighbours, two thresholds, a look at what joins.
    plan.work = plan.pixels() * ((isColor(request.format) ? 6 : 0) + 2 * 6 + 3 + 5 + 2 + 2 + 1);
    return {};
}

}  // namespace

const Operation& canny_operation() {
    static const OperationOf<CannyPlan> operation(describe(), completePlan, runCannyCpu);
    return operation;
}

}  // namespace warpscope
