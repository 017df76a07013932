#include "engine/operations/analysis/integral_image.h"

#include <algorithm>

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "integral_image",
        .label = "Integral image",
        .category = "Analysis",
        .summary = "Sums of all samples above and to the left",
        .help =
            "Every pixel becomes the sum of all pixels above it and to its left, itself included "
            "(summed-area table). With it the sum over any upright rectangle takes four look-ups, "
            "whatever its size. The sums are kept in 32 bits where white everywhere would fit, "
            "else in 64. Colour is summed as BT.601 luma; alpha is dropped.",
        .formula =
            "S(x, y) = sum of v(i, j) over i <= x, j <= y.\n"
            "Colour: v = (19595 R + 38470 G + 7471 B + 32768) >> 16.\n"
            "32 bits unsigned if 255 w h < 2^32 (65,535 w h for 16 bits), else 64 bits unsigned.",
        .source =
            "F. Crow, Summed-area tables for texture mapping, 1984; a study of integral images "
            "with CUDA; a study of non-local means with integral images on GPUs",
        .variants = {automaticVariant("Sums within a row by vectors and adds the row above in the "
                                      "same pass; several threads first sum the columns of each "
                                      "band (reduce, then scan). Each output is written once"),
                     {"rows_then_columns", "Rows, then columns",
                      "First all rows, then all columns, one thread per line. Simple; every sum is "
                      "written twice and read once more",
                      "A study of integral images with CUDA"},
                     {"blocked_4x4", "Blocked, 4 x 4",
                      "In six steps: rows of four within each block of 4 x 4, columns of four, "
                      "then the right edges, lower edges and corners of the blocks are scanned, "
                      "then everything is added. Needs room for more than half of the sums again",
                      "A study of integral images with CUDA"}},
        .dropsAlpha = true,
        .dependsOnWholeImage = true};
}

Result<void> completePlan(const PlanRequest& request, IntegralImagePlan& plan) {
    plan.fromColor = isColor(request.format);
    plan.output = integralFormat(request.format, request.size);
    // A sum along the row and the sum above; luma first, see grayscale.
    plan.work = plan.pixels() * (2 + (plan.fromColor ? 6 : 0));
    // A sum needs everything above and to the left: no window of the image can do.
    plan.halo = std::max(request.size.width, request.size.height);
    return {};
}

}  // namespace

PixelFormat integralFormat(PixelFormat input, Size size) {
    // At most 65,535 x 2^40: no overflow.
    const std::uint64_t white = bytesPerSample(input) == 2 ? 65535 : 255;
    const std::uint64_t most = white * std::uint64_t(size.pixels());
    return most < (std::uint64_t{1} << 32) ? PixelFormat::Gray32 : PixelFormat::Gray64;
}

const Operation& integral_image_operation() {
    static const OperationOf<IntegralImagePlan> operation(describe(), completePlan,
                                                          runIntegralImageCpu);
    return operation;
}

}  // namespace warpscope
