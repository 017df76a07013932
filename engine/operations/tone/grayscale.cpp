#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "grayscale",
        .label = "Grayscale",
        .category = "Tone",
        .summary = "Colour to gray",
        .help =
            "Makes one gray channel of red, green and blue. The weighted methods follow how bright "
            "the eye sees each primary; the average treats them alike; the maximum keeps saturated "
            "colours bright. A gray image passes unchanged. Alpha is dropped: "
            "a gray image has none.",
        .formula =
            "BT.601: (19595 R + 38470 G + 7471 B + 32768) >> 16\n"
            "BT.709: (13933 R + 46871 G + 4732 B + 32768) >> 16\n"
            "Average: (2 (R + G + B) + 3) / 6 in integers\n"
            "Maximum: max(R, G, B)\n"
            "16 bits alike. Float: R 19595/65536 + G 38470/65536 + B 7471/65536 and alike, "
            "(R + G + B) / 3, max(R, G, B), in this order, not rounded to levels; NaN in a colour "
            "gives NaN.",
        .source =
            "A study of CUDA gray conversion, Gaussian filter and histogram equalization; luma "
            "weights from ITU-R BT.601 and BT.709",
        .parameters = {choiceParameter(
            "method", "Method",
            {{"weighted601", "Weighted, BT.601", "0.299 R + 0.587 G + 0.114 B, the usual luma"},
             {"weighted709", "Weighted, BT.709", "0.213 R + 0.715 G + 0.072 B, luma of HD video"},
             {"average", "Average", "The mean of the three channels"},
             {"maximum", "Maximum", "The largest of the three channels: the V of HSV"}},
            "How the three channels become one")},
        .variants = {automaticVariant("One pass; each pixel is read and written once")},
        .accepts = kFilterFormats,
        .dropsAlpha = true};
}

GrayMethod methodFromId(std::string_view id) {
    if (id == "weighted709") return GrayMethod::Weighted709;
    if (id == "average") return GrayMethod::Average;
    if (id == "maximum") return GrayMethod::Maximum;
    return GrayMethod::Weighted601;
}

Result<void> completePlan(const PlanRequest& request, GrayscalePlan& plan) {
    plan.method = methodFromId(request.parameters.choice("method"));
    plan.weights = plan.method == GrayMethod::Weighted709 ? kWeights709 : kWeights601;
    plan.output = *withChannels(request.format, false);
    plan.identity = !isColor(request.format);
    return {};
}

}  // namespace

const Operation& grayscale_operation() {
    static const OperationOf<GrayscalePlan> operation(describe(), completePlan, runGrayscaleCpu);
    return operation;
}

}  // namespace warpscope
