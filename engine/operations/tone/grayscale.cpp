#include "engine/operations/tone/grayscale.h"

#include "engine/operations/tone/grayscale_cpu.h"

namespace warpscope {
namespace {

OperationDescription describe() {
    OperationDescription d;
    d.id = "grayscale";
    d.label = "Grayscale";
    d.category = "Tone";
    d.summary = "Colour to gray";
    d.help =
        "Makes one gray channel of red, green and blue. The weighted methods follow how bright the "
        "eye sees each primary; the average treats them alike; the maximum keeps saturated colours "
        "bright. A gray image passes unchanged. Alpha is dropped: a gray image has none.";
    d.formula =
        "BT.601: (19595 R + 38470 G + 7471 B + 32768) >> 16\n"
        "BT.709: (13933 R + 46871 G + 4732 B + 32768) >> 16\n"
        "Average: (2 (R + G + B) + 3) / 6 in integers\n"
        "Maximum: max(R, G, B)\n"
        "16 bits alike.";
    d.source =
        "A study of CUDA gray conversion, Gaussian filter and histogram equalization; luma weights "
        "from ITU-R BT.601 and BT.709";
    ParamSpec method;
    method.id = "method";
    method.label = "Method";
    method.kind = ParamKind::Choice;
    method.defaultValue = std::string("weighted601");
    method.choices = {
        {"weighted601", "Weighted, BT.601", "0.299 R + 0.587 G + 0.114 B, the usual luma"},
        {"weighted709", "Weighted, BT.709", "0.213 R + 0.715 G + 0.072 B, luma of HD video"},
        {"average", "Average", "The mean of the three channels"},
        {"maximum", "Maximum", "The largest of the three channels: the V of HSV"}};
    method.help = "How the three channels become one";
    d.parameters = {method};
    d.variants = {{std::string(kAutomaticVariant), "Automatic",
                   "One pass; each pixel is read and written once", ""}};
    d.accepts = {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16, PixelFormat::Rgba16};
    d.dropsAlpha = true;
    return d;
}

GrayMethod methodFromId(std::string_view id) {
    if (id == "weighted709") return GrayMethod::Weighted709;
    if (id == "average") return GrayMethod::Average;
    if (id == "maximum") return GrayMethod::Maximum;
    return GrayMethod::Weighted601;
}

class Grayscale final : public Operation {
  public:
    const OperationDescription& description() const override {
        static const OperationDescription constant = describe();
        return constant;
    }

    Result<PlanPtr> plan(const PlanRequest& request) const override {
        auto plan = std::make_shared<GrayscalePlan>();
        if (auto begun = beginPlan(*this, request, *plan); !begun) return fail(begun.error());
        plan->method = methodFromId(request.parameters.choice("method"));
        plan->weights = plan->method == GrayMethod::Weighted709 ? kWeights709 : kWeights601;
        plan->output = *withChannels(request.format, false);
        plan->identity = !isColor(request.format);
        plan->minimalBytes =
            std::uint64_t(request.size.pixels()) *
            std::uint64_t(bytesPerPixel(plan->input) + bytesPerPixel(plan->output));
        return plan;
    }

    Result<void> runCpu(const Plan& plan, const Image& in, const MutableImage& out,
                        const CpuContext& context) const override {
        return runGrayscaleCpu(static_cast<const GrayscalePlan&>(plan), in, out, context);
    }
};

}  // namespace

const Operation& grayscale_operation() {
    static const Grayscale operation;
    return operation;
}

}  // namespace warpscope
