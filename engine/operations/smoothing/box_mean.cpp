#include "engine/operations/smoothing/box_mean.h"

#include "engine/operations/smoothing/box_mean_cpu.h"

namespace warpscope {
namespace {

OperationDescription describe() {
    OperationDescription d;
    d.id = "box_mean";
    d.label = "Box mean";
    d.category = "Smoothing";
    d.summary = "Mean over a square";
    d.help =
        "Replaces each pixel by the plain mean of the square around it. Made from sums over "
        "rectangles, so that its cost does not depend on the radius. Leaves square traces around "
        "bright points; a Gaussian blur does not. Alpha passes unchanged.";
    d.formula =
        "s = sum over (2 r + 1)^2 pixels, n = (2 r + 1)^2.\n"
        "Result: (2 s + n) / (2 n) in integers, which is s / n rounded half up.\n"
        "Beyond the border the edge pixel is repeated.";
    d.source =
        "F. Crow, Summed-area tables for texture mapping, 1984; a study of integral images with "
        "CUDA";
    ParamSpec radius;
    radius.id = "radius";
    radius.label = "Radius";
    radius.unit = "px";
    radius.kind = ParamKind::Integer;
    radius.defaultValue = std::int64_t{3};
    radius.hardMin = 0;
    radius.hardMax = kMaxBoxRadius;
    radius.sliderMin = 0;
    radius.sliderMax = 50;
    radius.step = 1;
    radius.spatial = true;
    radius.help = "The square has a side of 2 radius + 1 pixels; 0 changes nothing";
    d.parameters = {radius};
    d.variants = {{std::string(kAutomaticVariant), "Automatic",
                   "Keeps the sum of each column of the square and moves it down a row at a time; "
                   "prefix sums along these give every square by one subtraction. The bits are "
                   "those of an integral image modulo 2^32, of which no more than a row is stored",
                   ""}};
    d.accepts = {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16, PixelFormat::Rgba16};
    return d;
}

class BoxMean final : public Operation {
  public:
    const OperationDescription& description() const override {
        static const OperationDescription constant = describe();
        return constant;
    }

    Result<PlanPtr> plan(const PlanRequest& request) const override {
        auto plan = std::make_shared<BoxMeanPlan>();
        if (auto begun = beginPlan(*this, request, *plan); !begun) return fail(begun.error());
        plan->radius = int(request.parameters.integer("radius"));
        plan->count = std::uint32_t((2 * plan->radius + 1) * (2 * plan->radius + 1));
        plan->halo = plan->radius;
        plan->identity = plan->radius == 0;
        return plan;
    }

    Result<void> runCpu(const Plan& plan, const Image& in, const MutableImage& out,
                        const CpuContext& context) const override {
        return runBoxMeanCpu(static_cast<const BoxMeanPlan&>(plan), in, out, context);
    }
};

}  // namespace

const Operation& box_mean_operation() {
    static const BoxMean operation;
    return operation;
}

}  // namespace warpscope
