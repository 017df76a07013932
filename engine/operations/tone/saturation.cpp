#include "engine/operations/tone/saturation.h"

#include <cmath>

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "saturation",
        .label = "Saturation",
        .category = "Tone",
        .summary = "Colours stronger or weaker",
        .help =
            "Moves each colour away from the gray of the same brightness, or towards it: 0 % "
            "leaves gray, 100 % changes nothing, 200 % doubles the distance. The brightness "
            "(BT.601 luma) stays, but for what is clipped. A gray image passes unchanged, and so "
            "does alpha.",
        .formula =
            "Y = (19595 R + 38470 G + 7471 B + 32768) >> 16; q = round(256 amount / 100); "
            "c' = clamp(Y + ((q (c - Y) + 128) >> 8)) for each colour. 16 bits alike. Float: "
            "Y + q (c - Y) / 256, neither rounded to levels nor clamped; 100 % passes it "
            "unchanged.",
        .source =
            "P. Haeberli, D. Voorhies, Image processing by interpolation and extrapolation, "
            "1994",
        .parameters = {numberParameter("amount", "Amount", 100.0,
                                       {.unit = "%", .hardMax = 400, .sliderMax = 200},
                                       "0: gray, 100: as it is, 200: twice as strong")},
        .variants = {automaticVariant("One pass; each pixel is read and written once")},
        .example = "amount=150",
        .accepts = kFilterFormats};
}

Result<void> completePlan(const PlanRequest& request, SaturationPlan& plan) {
    plan.amount256 = std::int32_t(std::lround(256 * request.parameters.real("amount") / 100));
    plan.identity = !isColor(plan.input) || plan.amount256 == 256;
    plan.guessedMsPerMegapixel = 1;
    // Luma (see grayscale); a difference, a product, two sums and two limits a colour.
    plan.work = plan.pixels() * (6 + 3 * 6);
    return {};
}

}  // namespace

const Operation& saturation_operation() {
    static const OperationOf<SaturationPlan> operation(describe(), completePlan, runSaturationCpu);
    return operation;
}

}  // namespace warpscope
