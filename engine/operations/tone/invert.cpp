#include "engine/operations/tone/invert.h"

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "invert",
        .label = "Invert",
        .category = "Tone",
        .summary = "The negative",
        .help =
            "Turns dark into bright and every colour into its complement. Done twice, the image "
            "is what it was. Alpha passes unchanged.",
        .formula =
            "M - v, with the white level M of the format: 255, 65,535 for 16 bits, 1 for float.",
        .source = "The photographic negative",
        .variants = {automaticVariant("One pass; each pixel is read and written once")},
        .accepts = kFilterFormats,
        .mapsLevels = true};
}

Result<void> completePlan(const PlanRequest&, InvertPlan& plan) {
    // Black becomes the white of the format, whatever white the file had.
    plan.fillsRange = true;
    // A subtraction a sample.
    plan.work = plan.colorSamples();
    return {};
}

std::vector<ToneCurve> toneCurves(const InvertPlan& plan) {
    const int white = int(fullScale(plan.input));
    ToneCurve curve;
    for (int level = 0; level <= white; ++level)
        curve.outputs.push_back(double(white - level) / white);
    return {curve};
}

}  // namespace

const Operation& invert_operation() {
    static const OperationOf<InvertPlan> operation(describe(), completePlan, runInvertCpu,
                                                   toneCurves);
    return operation;
}

}  // namespace warpscope
