#include "engine/operations/morphology/connected_components.h"

#include <algorithm>
#include <cmath>

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "connected_components",
        .label = "Connected components",
        .category = "Measurement",
        .summary = "Numbers the areas of non-zero pixels that touch",
        .help =
            "Every area of non-zero pixels that touch each other gets a number of its own, from 1 "
            "on; what is zero stays 0. Mostly used after a threshold. Small areas, which often are "
            "noise, can be left out. False colour with the map 'labels' shows the numbers as "
            "colours; the analysis 'Components' lists their areas and places. While only a part "
            "of the image is computed, or a reduced copy of it, numbers are those of what is "
            "there.",
        .formula =
            "Of BT.601 luma; every value that is not 0 counts alike, NaN among them. Pixels touch "
            "at sides, with connectivity 8 at corners too. Components of fewer than min_area "
            "pixels become 0; the others are numbered 1 to N in raster order (row by row, from "
            "the left) of their first pixels. Gives 32-bit labels.",
        .source =
            "A. Rosenfeld, J. Pfaltz, Sequential operations in digital picture processing, 1966 "
            "(labels and their equivalences); R. Tarjan, Efficiency of a good but not linear set "
            "union algorithm, 1975",
        .parameters = componentParameters(),
        .variants = {automaticVariant(
            "CPU: runs of pixels are found and joined band by band, then bands are joined at their "
            "seams. GPU: pixels are joined to sets by atomic operations, then the first pixels of "
            "the sets are numbered by a prefix sum")},
        .accepts = kFilterFormats,
        .dropsAlpha = true,
        .dependsOnWholeImage = true};
}

Result<void> completePlan(const PlanRequest& request, ConnectedComponentsPlan& plan) {
    plan.rule = componentRule(request);
    plan.output = PixelFormat::Gray32;
    // A component may wind through the whole image.
    plan.halo = std::max(request.size.width, request.size.height);
    plan.guessedMsPerMegapixel = 2;
    // Luma; a comparison with 0, with the neighbours that come before, the area, the label.
    plan.work =
        plan.pixels() * ((isColor(request.format) ? 6 : 0) + 1 + plan.rule.connectivity / 2 + 2);
    return {};
}

}  // namespace

std::vector<ParamSpec> componentParameters() {
    return {choiceParameter("connectivity", "Connectivity",
                            {{"8", "8", "Pixels touch at sides and corners"},
                             {"4", "4", "Pixels touch at sides only"}},
                            "Which neighbours belong together"),
            numberParameter("min_area", "Smallest area", 1,
                            {.unit = "px",
                             .hardMin = 1,
                             .hardMax = 1e9,
                             .sliderMax = 10'000,
                             .logarithmic = true,
                             .spatial = false},
                            "Components of fewer pixels are left out")};
}

ComponentRule componentRule(const PlanRequest& request) {
    ComponentRule rule;
    rule.connectivity = request.parameters.choice("connectivity") == "4" ? 4 : 8;
    const double scale = request.place ? request.place->scale : 1.0;
    const auto area = double(request.parameters.integer("min_area"));
    rule.minArea = std::max<std::uint64_t>(1, std::uint64_t(std::llround(area * scale * scale)));
    return rule;
}

const Operation& connected_components_operation() {
    static const OperationOf<ConnectedComponentsPlan> operation(describe(), completePlan,
                                                                runConnectedComponentsCpu);
    return operation;
}

}  // namespace warpscope
