#include "engine/operations/edges/convolve.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace warpscope {
namespace {

constexpr int kMostWeight = 32767;
constexpr int kMostDivisor = kMaxConvolveSide * kMaxConvolveSide * (kMostWeight + 1);

PresetSpec preset(const char* id, const char* label, int columns,
                  std::vector<std::int32_t> values) {
    return {id, label, IntMatrix{columns, std::move(values)}};
}

std::vector<PresetSpec> presets() {
    std::vector<std::int32_t> diagonal(81, 0);
    for (std::size_t i = 0; i < 9; ++i) diagonal[10 * i] = 1;
    return {preset("emboss", "Emboss", 3, {-2, -1, 0, -1, 1, 1, 0, 1, 2}),
            preset("sharpen", "Sharpen", 3, {0, -1, 0, -1, 5, -1, 0, -1, 0}),
            preset("outline", "Outline", 3, {-1, -1, -1, -1, 8, -1, -1, -1, -1}),
            preset("motion", "Motion", 9, diagonal)};
}

OperationDescription describe() {
    return {
        .id = "convolve",
        .label = "Convolve",
        .category = "Edges",
        .summary = "Any kernel of whole numbers",
        .help =
            "Each pixel becomes a weighted sum of the pixels around it, with the weights of a "
            "kernel of your own or of a known one: emboss, sharpen, outline, motion. The kernel is "
            "laid over the image as it is written, not turned round. The sum is divided, so that "
            "brightness stays where the divisor is the sum of the weights; kernels that sum to 0 "
            "show differences, for which an offset of 128 shows both signs. Alpha passes "
            "unchanged.",
        .formula =
            "s = sum of weight times sample, channel by channel; d the divisor, or the sum of the "
            "weights where that is 0, or 1 where both are.\n"
            "Result: floor((2 s + d) / (2 d)) + offset, limited to 0 to white; 16 bits: offset "
            "times 257. Exact whatever the weights are.\n"
            "Float: s / d + offset / 255, not limited; sums in double, row by row from above, from "
            "the left, weights of 0 left out, rounded to float once.\n"
            "Beyond the border the edge pixel is repeated.",
        .source = "Discrete correlation; the kernels are those of image editors since the 1990s",
        .parameters = {matrixParameter(
                           "kernel", "Kernel", {3, {0, -1, 0, -1, 5, -1, 0, -1, 0}},
                           kMaxConvolveSide, {.hardMin = -kMostWeight - 1, .hardMax = kMostWeight},
                           presets(),
                           "Whole numbers in rows of equal length, both sides odd; the one in "
                           "the middle is the weight of the pixel itself"),
                       numberParameter(
                           "divisor", "Divisor", 0,
                           {.hardMin = -kMostDivisor,
                            .hardMax = kMostDivisor,
                            .sliderMin = 0,
                            .sliderMax = 256},
                           "What the sum is divided by; 0 takes the sum of the kernel, and 1 "
                           "where that is 0"),
                       numberParameter("offset", "Offset", 0,
                                       {.unit = "grey levels", .hardMin = -255, .hardMax = 255},
                                       "Added at the end, in 8-bit levels whatever the depth")},
        .variants = {automaticVariant(
            "One pass; sums in 16, 32 or 64 bits, as few as hold those of the kernel")},
        .accepts = kFilterFormats};
}

Result<void> completePlan(const PlanRequest& request, ConvolvePlan& plan) {
    const IntMatrix& kernel = request.parameters.matrix("kernel");
    plan.radiusX = kernel.columns / 2;
    plan.radiusY = kernel.rows() / 2;
    auto divisor = std::int32_t(request.parameters.integer("divisor"));
    if (divisor == 0) divisor = std::accumulate(kernel.values.begin(), kernel.values.end(), 0);
    if (divisor == 0) divisor = 1;
    const int sign = divisor < 0 ? -1 : 1;
    plan.divisor = sign * divisor;
    for (int i = 0; i < int(kernel.values.size()); ++i) {
        const std::int32_t weight = sign * kernel.values[std::size_t(i)];
        if (weight == 0) continue;
        plan.taps.push_back(
            {i % kernel.columns - plan.radiusX, i / kernel.columns - plan.radiusY, weight});
        plan.weightSum += std::abs(weight);
    }
    const auto offset = std::int32_t(request.parameters.integer("offset"));
    plan.offset = bytesPerSample(request.format) == 2 ? 257 * offset : offset;
    plan.offsetFloat = offset / 255.0;
    // Means stay below what was white; others may go beyond.
    const bool isMean = std::all_of(plan.taps.begin(), plan.taps.end(),
                                    [](const ConvolveTap& tap) { return tap.weight > 0; }) &&
                        plan.weightSum <= plan.divisor && offset <= 0;
    plan.fillsRange = !isMean;
    plan.halo = std::max(plan.radiusX, plan.radiusY);
    plan.identity = offset == 0 && plan.taps.size() == 1 && plan.taps[0].x == 0 &&
                    plan.taps[0].y == 0 && plan.taps[0].weight == plan.divisor;
    plan.guessedMsPerMegapixel =
        (0.3 + 0.1 * double(plan.taps.size())) * (isColor(request.format) ? 3 : 1);
    // A product and a sum each; a division, its rounding, the offset and two limits.
    plan.work = plan.colorSamples() * (2.0 * double(plan.taps.size()) + 5);
    return {};
}

}  // namespace

const Operation& convolve_operation() {
    static const OperationOf<ConvolvePlan> operation(describe(), completePlan, runConvolveCpu);
    return operation;
}

}  // namespace warpscope
