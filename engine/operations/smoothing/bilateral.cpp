#include "engine/operations/smoothing/bilateral.h"

#include <cmath>

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "bilateral",
        .label = "Bilateral filter",
        .category = "Smoothing",
        .summary = "Smooths areas and keeps edges",
        .help =
            "Replaces each pixel by the mean of its neighbours, weighted by a bell curve of their "
            "distance and another one of the difference in level: what is beyond an edge hardly "
            "counts. Takes away noise and fine texture of areas and leaves edges sharp. Colours "
            "are weighted together, so that no edge changes its hue. Alpha passes unchanged.",
        .formula =
            "Over dx^2 + dy^2 <= r^2: S = round(256 exp(-(dx^2 + dy^2) / (2 ss^2))), "
            "R(d) = round(256 exp(-d^2 / (2 sr^2))), d the absolute difference (colour: the sum "
            "over R, G, B), w = (S R + 128) >> 8.\n"
            "out = (2 sum(w v) + sum(w)) / (2 sum(w)), rounded down.\n"
            "16 bits: R at (d + 8) >> 4, in steps of 16 levels. Float: S, R and w unrounded.\n"
            "Beyond the border the edge pixel is repeated.",
        .source = "C. Tomasi, R. Manduchi, Bilateral filtering for gray and color images, 1998",
        .parameters = {numberParameter("radius", "Radius", 4,
                                       {.unit = "px", .hardMin = 1, .hardMax = kMaxBilateralRadius},
                                       "Of the disk of neighbours that count"),
                       numberParameter("sigma_space", "Sigma of distance", 3.0,
                                       {.unit = "px",
                                        .hardMin = 0.1,
                                        .hardMax = 100,
                                        .sliderMax = 15,
                                        .step = 0.1,
                                        .logarithmic = true},
                                       "Standard deviation of the bell curve of distances"),
                       numberParameter(
                           "sigma_range", "Sigma of levels", 25.0,
                           {.unit = "levels",
                            .hardMin = 0.1,
                            .hardMax = 1000,
                            .sliderMin = 1,
                            .sliderMax = 150,
                            .logarithmic = true},
                           "Standard deviation of the bell curve of differences, in 8-bit "
                           "levels: smaller keeps fainter edges")},
        .variants = {automaticVariant(
            "Weights from tables in integers. CPU, 8 bits: tables looked up in registers, a vector "
            "of pixels at a time")},
        .accepts = kFilterFormats};
}

Result<void> completePlan(const PlanRequest& request, BilateralPlan& plan) {
    plan.radius = int(request.parameters.integer("radius"));
    plan.halo = plan.radius;
    const double space = request.parameters.real("sigma_space");
    double range = request.parameters.real("sigma_range");
    const int r = plan.radius;
    double neighbours = 0;
    for (int dy = -r; dy <= r; ++dy) {
        int reach = 0;
        while ((reach + 1) * (reach + 1) + dy * dy <= r * r) ++reach;
        plan.reach.push_back(reach);
        neighbours += 2 * reach + 1;
    }
    const bool floats = isFloat(plan.input);
    for (int dy = 0; dy <= r; ++dy)
        for (int dx = 0; dx <= r; ++dx) {
            const double bell = std::exp(-double(dx * dx + dy * dy) / (2 * space * space));
            if (floats)
                plan.floatSpace.push_back(float(bell));
            else
                plan.space.push_back(std::uint32_t(std::floor(256 * bell + 0.5)));
        }
    const int colours = isColor(plan.input) ? 3 : 1;
    if (floats) {
        range /= 255;
        plan.falloff = float(1 / (2 * range * range * std::log(2.0)));
    } else {
        const bool deep = bytesPerSample(plan.input) == 2;
        plan.rangeShift = deep ? 4 : 0;
        const double step = deep ? 16 : 1;
        if (deep) range *= 257;
        const int last = deep ? (colours * 65535 + 8) >> 4 : colours * 255;
        for (int k = 0; k <= last; ++k) {
            const double d = step * k;
            const double bell = std::exp(-d * d / (2 * range * range));
            plan.range.push_back(std::uint32_t(std::floor(256 * bell + 0.5)));
            if (plan.range.back() == 0) break;
        }
    }
    // Of a neighbour: a difference, its amount and the product summed for each colour; the look-up,
    // the product of weights, their sum; for colour the sum of differences.
    plan.work = plan.pixels() * neighbours * (4.0 * colours + 3 + (colours - 1));
    plan.guessedMsPerMegapixel = 0.15 * neighbours * colours * bytesPerSample(plan.input);
    return {};
}

}  // namespace

const Operation& bilateral_operation() {
    static const OperationOf<BilateralPlan> operation(describe(), completePlan, runBilateralCpu);
    return operation;
}

}  // namespace warpscope
