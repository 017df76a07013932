#include "engine/operations/morphology/distance_transform.h"

#include <algorithm>
#include <cmath>

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "distance_transform",
        .label = "Distance transform",
        .category = "Measurement",
        .summary = "Distance of each non-zero pixel to the nearest zero",
        .help =
            "Every non-zero pixel becomes its distance to the nearest pixel that is zero, zero "
            "pixels become 0: the middle of an object is where it is largest. Mostly used after a "
            "threshold. The squared distance is a whole number and exact; where the distance "
            "itself is wanted, the result is float. False colour shows either. While only a part "
            "of the image is computed, zero pixels outside it are not seen.",
        .formula =
            "Of BT.601 luma; every value that is not 0 counts alike, NaN among them. "
            "d(p) = min over zero pixels q of (px - qx)^2 + (py - qy)^2, exact.\n"
            "Squared: min(d, 4294967295), 32 bits. Distance: the root of d in double, rounded to "
            "float. Without any zero pixel: 4294967295, or the largest finite float.",
        .source =
            "A. Meijster, J. Roerdink, W. Hesselink, A general algorithm for computing distance "
            "transforms in linear time, 2000; C. Maurer, R. Qi, V. Raghavan, A linear time "
            "algorithm for computing exact Euclidean distance transforms of binary images, 2003",
        .parameters = {choiceParameter(
            "output", "Output",
            {{"squared", "Squared", "The exact square, a whole number"},
             {"distance", "Distance", "Its root, in pixels, as a float"}},
            "Which figure of the distance is given")},
        .variants = {automaticVariant(
            "Distances within columns first; then the nearest of all columns of a row. CPU: the "
            "lower envelope of parabolas, which no division is needed for. GPU: the nearest column "
            "of every 32nd pixel bounds those of the pixels between")},
        .accepts = kFilterFormats,
        .dropsAlpha = true,
        .dependsOnWholeImage = true};
}

Result<void> completePlan(const PlanRequest& request, DistanceTransformPlan& plan) {
    plan.squared = request.parameters.choice("output") != "distance";
    plan.output = plan.squared ? PixelFormat::Gray32 : PixelFormat::GrayF32;
    if (request.place)
        plan.reduction = std::uint32_t(std::max<long>(1, std::lround(1.0 / request.place->scale)));
    // The only zero pixel may be anywhere.
    plan.halo = std::max(request.size.width, request.size.height);
    plan.guessedMsPerMegapixel = 8;
    // Luma; a comparison, an addition and a minimum along the column, both ways; of a parabola the
    // square, two differences, two products and a comparison; of a pixel a comparison, three
    // operations of the value, and its root.
    plan.work = plan.pixels() * ((isColor(request.format) ? 6 : 0) + 4 + 6 + 4 + !plan.squared);
    return {};
}

}  // namespace

const Operation& distance_transform_operation() {
    static const OperationOf<DistanceTransformPlan> operation(describe(), completePlan,
                                                              runDistanceTransformCpu);
    return operation;
}

}  // namespace warpscope
