#include "engine/operations/smoothing/despeckle.h"

#include "engine/operations/smoothing/median.h"
#include "engine/operations/work_steps.h"

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "despeckle",
        .label = "Despeckle",
        .category = "Smoothing",
        .summary = "The median, but only where a pixel is far from it",
        .help =
            "Takes away hot and dead pixels, salt and pepper and other outliers and leaves the "
            "rest exactly as it was: a pixel becomes the median of the square around it only where "
            "it differs from that by more than the threshold. Alpha passes unchanged.",
        .formula =
            "m is the median of the (2 r + 1)^2 values of the square, edge repeated, channel by "
            "channel; t the threshold, times 257 for 16 bits, over 255 for float.\n"
            "both: m where |v - m| > t; bright: m where v - m > t; dark: m where m - v > t; else "
            "v.\n"
            "Float: NaN stays.",
        .source = "T. Sun, Y. Neuvo, Detail-preserving median based filters, 1994",
        .parameters = {numberParameter("radius", "Radius", 1,
                                       {.unit = "px", .hardMin = 1, .hardMax = kMaxMedianRadius},
                                       "The square has a side of 2 radius + 1 pixels"),
                       numberParameter(
                           "threshold", "Threshold", 50, {.unit = "grey levels", .hardMax = 255},
                           "A pixel that is no farther than this from the median stays"),
                       choiceParameter(
                           "which", "Which",
                           {{"both", "Both", "Too bright and too dark ones"},
                            {"bright", "Bright", "Only those that are brighter than the median"},
                            {"dark", "Dark", "Only those that are darker than the median"}},
                           "Which pixels are replaced")},
        .variants = {automaticVariant("The median at its best, then one pass over both images")},
        .accepts = kFilterFormats};
}

Result<void> completePlan(const PlanRequest& request, DespecklePlan& plan) {
    ParamSet given;
    given.set("radius", request.parameters.integer("radius"));
    auto median = planOfOther(median_operation(), request, given);
    if (!median) return fail(median.error());
    plan.median = *median;
    const auto threshold = std::int32_t(request.parameters.integer("threshold"));
    plan.threshold = threshold * (bytesPerSample(request.format) == 2 ? 257 : 1);
    plan.floatThreshold = float(threshold / 255.0);
    const std::string& which = request.parameters.choice("which");
    plan.which = which == "both"     ? Speckles::Both
                 : which == "bright" ? Speckles::Bright
                                     : Speckles::Dark;
    plan.halo = plan.median->halo;
    plan.work = plan.median->work + plan.colorSamples() * 2;
    plan.guessedMsPerMegapixel = plan.median->guessedMsPerMegapixel + 0.5;
    return {};
}

}  // namespace

const Operation& despeckle_operation() {
    static const OperationOf<DespecklePlan> operation(describe(), completePlan, runDespeckleCpu);
    return operation;
}

}  // namespace warpscope
