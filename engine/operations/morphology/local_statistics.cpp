#include "engine/operations/morphology/local_statistics.h"

#include "engine/operations/morphology/morphology.h"
#include "engine/operations/work_steps.h"

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "local_statistics",
        .label = "Local statistics",
        .category = "Measurement",
        .summary = "How much values vary around each pixel",
        .help =
            "Replaces each pixel by the standard deviation, the variance or the range of the "
            "square around it, channel by channel: bright where there is texture, noise or an "
            "edge, black where all is alike. Shows how strong noise is and where. Alpha passes "
            "unchanged.",
        .formula =
            "n = (2 r + 1)^2 pixels, S their sum, S2 the sum of their squares, edge repeated; M "
            "the white level.\n"
            "variance: min(M, floor((n S2 - S^2) / n^2)), in squared levels; standard deviation: "
            "the floor of the square root of floor((n S2 - S^2) / n^2); range: maximum - "
            "minimum. Exact.\n"
            "Float: the mean of the squared deviations from the mean, in double: of each column "
            "of the square first, then of its columns; its root; rounded to float, not cut.",
        .source =
            "M. van Herk, A fast algorithm for local minimum and maximum filters, 1992 (range); "
            "T. F. Chan, G. H. Golub, R. J. LeVeque, Algorithms for computing the sample "
            "variance, 1983 (float)",
        .parameters =
            {choiceParameter("what", "What",
                             {{"standard_deviation", "Standard deviation",
                               "The root of the mean squared deviation, in levels"},
                              {"variance", "Variance",
                               "Its square; white from one level up to "
                               "the white level on"},
                              {"range", "Range", "Largest minus smallest value"}},
                             "What is measured"),
             numberParameter(
                 "radius", "Radius", 3,
                 {.unit = "px", .hardMin = 1, .hardMax = kMaxStatisticsRadius, .sliderMax = 30},
                 "The square has a side of 2 radius + 1 pixels")},
        .variants = {automaticVariant(
            "Sums of values and squares that move along rows and columns, so that the cost does "
            "not grow with the radius; the range by minima and maxima of blocks. Float: sums of "
            "each window anew, which no value outside can touch; their cost grows with the "
            "radius")},
        .accepts = kFilterFormats};
}

Result<void> completePlan(const PlanRequest& request, LocalStatisticsPlan& plan) {
    const std::string& what = request.parameters.choice("what");
    plan.what = what == "range"      ? LocalStatistic::Range
                : what == "variance" ? LocalStatistic::Variance
                                     : LocalStatistic::StandardDeviation;
    plan.radius = int(request.parameters.integer("radius"));
    const int side = 2 * plan.radius + 1;
    plan.count = std::uint32_t(side * side);
    plan.halo = plan.radius;
    if (plan.what == LocalStatistic::Range) {
        ParamSet given;
        given.set("operation", std::string("gradient"));
        given.set("shape", std::string("square"));
        given.set("radius", std::int64_t(plan.radius));
        auto range = planOfOther(morphology_operation(), request, given);
        if (!range) return fail(range.error());
        plan.range = *range;
        plan.work = plan.range->work;
        plan.guessedMsPerMegapixel = plan.range->guessedMsPerMegapixel;
        return {};
    }
    // A variance reaches beyond the levels that it is made of.
    plan.fillsRange = plan.what == LocalStatistic::Variance;
    // Of values and squares a sample comes and one goes, along rows and along columns; then the
    // square, two products, a difference, a division and the root. Float: four sums of a window's
    // rows or columns, two of them of squared differences.
    plan.work = plan.colorSamples() * (isFloat(request.format) ? 2 * side * (1 + 3 + 1) : 16);
    plan.guessedMsPerMegapixel =
        isFloat(request.format)
            ? 4 + 0.5 * plan.radius
            : (isColor(request.format) ? 1.3 : 0.5) * (bytesPerSample(request.format) == 2 ? 3 : 1);
    return {};
}

}  // namespace

const Operation& local_statistics_operation() {
    static const OperationOf<LocalStatisticsPlan> operation(describe(), completePlan,
                                                            runLocalStatisticsCpu);
    return operation;
}

}  // namespace warpscope
