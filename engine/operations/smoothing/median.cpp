#include "engine/operations/smoothing/median.h"

#include <cmath>

#include "engine/operations/smoothing/median_cost.h"

namespace warpscope {
namespace {

OperationDescription describe() {
    return {.id = "median",
            .label = "Median",
            .category = "Smoothing",
            .summary = "Median over a square",
            .help =
                "Replaces each pixel by the middle one of the sorted values of the square around "
                "it, channel by channel. Takes away salt and pepper and other single wrong pixels "
                "and keeps edges sharp; fine lines and corners get lost. Alpha passes unchanged.",
            .formula =
                "The value in the middle, the (n + 1) / 2-th smallest, of the n = (2 r + 1)^2 "
                "values of the square; exact. NaN is larger than all.\n"
                "Beyond the border the edge pixel is repeated.",
            .source =
                "J. W. Tukey, Exploratory Data Analysis, 1977; S. Perreault, P. Hebert, Median "
                "filtering in constant time, 2007; A. Adams, Fast median filters using separable "
                "sorting networks, 2021",
            .parameters = {numberParameter(
                "radius", "Radius", 1, {.unit = "px", .hardMin = 1, .hardMax = kMaxMedianRadius},
                "The square has a side of 2 radius + 1 pixels")},
            .variants = {automaticVariant(
                "Networks of minima and maxima on whole vectors; squares share what they have in "
                "common, sorted once. From radius 3 on, where vectors have 16 bytes: histograms of "
                "columns that slide along the row (8 bits), selection bit by bit (16 bits and "
                "float)")},
            .accepts = kFilterFormats};
}

// Of one median: the exchanges (a minimum and a maximum) of the best networks known for 9 and 25
// samples; n log2 n comparisons, as for sorting, for more.
double medianWork(int radius) {
    if (radius <= 2) return radius == 1 ? 2 * 19 : 2 * 99;
    const double n = (2.0 * radius + 1) * (2.0 * radius + 1);
    return n * std::log2(n);
}

Result<void> completePlan(const PlanRequest& request, MedianPlan& plan) {
    plan.radius = int(request.parameters.integer("radius"));
    plan.halo = plan.radius;
    plan.work = plan.colorSamples() * medianWork(plan.radius);
    plan.guessedMsPerMegapixel =
        0.2 + medianNanoseconds(plan.input, plan.radius) * (isColor(plan.input) ? 4 : 1) / 2;
    return {};
}

}  // namespace

const Operation& median_operation() {
    static const OperationOf<MedianPlan> operation(describe(), completePlan, runMedianCpu);
    return operation;
}

}  // namespace warpscope
