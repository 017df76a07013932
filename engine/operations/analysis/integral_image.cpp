#include "engine/operations/analysis/integral_image.h"

#include <algorithm>

#include "engine/operations/analysis/integral_image_cpu.h"

namespace warpscope {
namespace {

OperationDescription describe() {
    OperationDescription d;
    d.id = "integral_image";
    d.label = "Integral image";
    d.category = "Analysis";
    d.summary = "Sums of all samples above and to the left";
    d.help =
        "Every pixel becomes the sum of all pixels above it and to its left, itself included "
        "(summed-area table). With it the sum over any upright rectangle takes four look-ups, "
        "whatever its size. The sums are kept in 32 bits where white everywhere would fit, else in "
        "64. Colour is summed as BT.601 luma; alpha is dropped.";
    d.formula =
        "S(x, y) = sum of v(i, j) over i <= x, j <= y.\n"
        "Colour: v = (19595 R + 38470 G + 7471 B + 32768) >> 16.\n"
        "32 bits unsigned if 255 w h < 2^32 (65,535 w h for 16 bits), else 64 bits unsigned.";
    d.source =
        "F. Crow, Summed-area tables for texture mapping, 1984; a study of integral images with "
        "CUDA; "
        "a study of non-local means with integral images on GPUs";
    d.variants = {
        {std::string(kAutomaticVariant), "Automatic",
         "Sums within a row by vectors and adds the row above in the same pass; several threads "
         "first "
         "sum the columns of each band (reduce, then scan). Each output is written once",
         ""},
        {std::string(kRowsThenColumnsVariant), "Rows, then columns",
         "First all rows, then all columns, one thread a line. Simple; every sum is written twice "
         "and read once more",
         "A study of integral images with CUDA"},
        {std::string(kBlocked4x4Variant), "Blocked, 4 x 4",
         "In six steps: rows of four within each block of 4 x 4, columns of four, then the right "
         "edges, "
         "lower edges and corners of the blocks are scanned, then everything is added. Needs room "
         "for "
         "more than half of the sums again",
         "A study of integral images with CUDA"}};
    d.accepts = {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16, PixelFormat::Rgba16};
    d.dropsAlpha = true;
    d.dependsOnWholeImage = true;
    return d;
}

class IntegralImage final : public Operation {
  public:
    const OperationDescription& description() const override {
        static const OperationDescription constant = describe();
        return constant;
    }

    Result<PlanPtr> plan(const PlanRequest& request) const override {
        auto plan = std::make_shared<IntegralImagePlan>();
        if (auto begun = beginPlan(*this, request, *plan); !begun) return fail(begun.error());
        plan->fromColor = isColor(request.format);
        plan->output = integralFormat(request.format, request.size);
        // A sum needs everything above and to the left: no window of the image can do.
        plan->halo = std::max(request.size.width, request.size.height);
        plan->minimalBytes =
            std::uint64_t(request.size.pixels()) *
            std::uint64_t(bytesPerPixel(plan->input) + bytesPerPixel(plan->output));
        return plan;
    }

    Result<void> runCpu(const Plan& plan, const Image& in, const MutableImage& out,
                        const CpuContext& context) const override {
        return runIntegralImageCpu(static_cast<const IntegralImagePlan&>(plan), in, out, context);
    }
};

}  // namespace

PixelFormat integralFormat(PixelFormat input, Size size) {
    // At most 65,535 x 2^40: no overflow.
    const std::uint64_t white = bytesPerSample(input) == 2 ? 65535 : 255;
    const std::uint64_t most = white * std::uint64_t(size.pixels());
    return most < (std::uint64_t{1} << 32) ? PixelFormat::Gray32 : PixelFormat::Gray64;
}

const Operation& integral_image_operation() {
    static const IntegralImage operation;
    return operation;
}

}  // namespace warpscope
