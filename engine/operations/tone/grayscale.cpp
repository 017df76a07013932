#include "engine/operations/tone/grayscale.h"

#include <algorithm>

namespace warpscope {
namespace {

constexpr const char* kText =
    "A study of CUDA gray conversion, Gaussian filter and histogram equalization";

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
        .source = std::string(kText) + "; luma weights from ITU-R BT.601 and BT.709",
        .parameters = {choiceParameter(
            "method", "Method",
            {{"weighted601", "Weighted, BT.601", "0.299 R + 0.587 G + 0.114 B, the usual luma"},
             {"weighted709", "Weighted, BT.709", "0.213 R + 0.715 G + 0.072 B, luma of HD video"},
             {"average", "Average", "The mean of the three channels"},
             {"maximum", "Maximum", "The largest of the three channels: the V of HSV"}},
            "How the three channels become one")},
        .variants = {automaticVariant("One pass; each pixel is read and written once")},
        .wrongVariants =
            {{"wrong_floor", "Wrong: floor",
              "The sum is cut off, not rounded: half of all weighted pixels and a third of all "
              "averages come out one level too dark, which no eye sees. The maximum has nothing to "
              "round. 8 and 16 bits. CPU: plain code, for comparison",
              kText},
             {"wrong_whole_blocks_only", "Wrong: whole blocks",
              "The grid has width / 32 by height / 32 blocks of 32 x 32 threads, without rounding "
              "up: pixels beyond the last whole block have no thread and stay black. Right where "
              "both sides are multiples of 32, as test images like to be. 8 and 16 bits. "
              "CPU: plain code, for comparison",
              kText}},
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
    if (request.variant != kAutomaticVariant && isFloat(request.format))
        return fail(ErrorCode::Unsupported, "grayscale takes " +
                                                std::string(formatName(request.format)) +
                                                " with the automatic variant only");
    plan.method = methodFromId(request.parameters.choice("method"));
    plan.weights = plan.method == GrayMethod::Weighted709 ? kWeights709 : kWeights601;
    plan.output = *withChannels(request.format, false);
    plan.identity = !isColor(request.format);
    // Three products, their sum and the half that rounds it; the mean has one factor; two maxima.
    plan.work = plan.pixels() * (plan.method == GrayMethod::Maximum   ? 2
                                 : plan.method == GrayMethod::Average ? 5
                                                                      : 6);
    return {};
}

}  // namespace

Size coveredByWholeBlocks(const GrayscalePlan& plan) {
    const auto covered = [](int whole, int from, int size) {
        return std::clamp(whole / kGrayBlock * kGrayBlock - from, 0, size);
    };
    const Placement& place = plan.place;
    return {covered(place.reduced.width, place.part.x, plan.size.width),
            covered(place.reduced.height, place.part.y, plan.size.height)};
}

const Operation& grayscale_operation() {
    static const OperationOf<GrayscalePlan> operation(describe(), completePlan, runGrayscaleCpu);
    return operation;
}

}  // namespace warpscope
