#include "engine/operations/smoothing/median.h"

#include "engine/operations/smoothing/median_cpu.h"

namespace warpscope {
namespace {

OperationDescription describe() {
    OperationDescription d;
    d.id = "median";
    d.label = "Median";
    d.category = "Smoothing";
    d.summary = "Median over a square";
    d.help =
        "Replaces each pixel by the middle one of the sorted values of the square around it, "
        "channel by channel. Takes away salt and pepper and other single wrong pixels and keeps "
        "edges sharp; fine lines and corners get lost. Alpha passes unchanged.";
    d.formula =
        "The value in the middle, the (n + 1) / 2-th smallest, of the n = (2 r + 1)^2 values of "
        "the square; exact.\n"
        "Beyond the border the edge pixel is repeated.";
    d.source =
        "J. W. Tukey, Exploratory Data Analysis, 1977; S. Perreault, P. Hebert, Median filtering "
        "in constant time, 2007";
    ParamSpec radius;
    radius.id = "radius";
    radius.label = "Radius";
    radius.unit = "px";
    radius.kind = ParamKind::Integer;
    radius.defaultValue = std::int64_t{1};
    radius.hardMin = 1;
    radius.hardMax = kMaxMedianRadius;
    radius.sliderMin = 1;
    radius.sliderMax = kMaxMedianRadius;
    radius.step = 1;
    radius.spatial = true;
    radius.help = "The square has a side of 2 radius + 1 pixels";
    d.parameters = {radius};
    d.variants = {{std::string(kAutomaticVariant), "Automatic",
                   "Radius 1 and 2: sorting networks on whole vectors, columns sorted once for all "
                   "squares that share them. Larger: histograms of columns that slide along the "
                   "row (8 bits), selection bit by bit (16 bits)",
                   ""}};
    d.accepts = {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16, PixelFormat::Rgba16};
    return d;
}

class Median final : public Operation {
  public:
    const OperationDescription& description() const override {
        static const OperationDescription constant = describe();
        return constant;
    }

    Result<PlanPtr> plan(const PlanRequest& request) const override {
        auto plan = std::make_shared<MedianPlan>();
        if (auto begun = beginPlan(*this, request, *plan); !begun) return fail(begun.error());
        plan->radius = int(request.parameters.integer("radius"));
        plan->halo = plan->radius;
        return plan;
    }

    Result<void> runCpu(const Plan& plan, const Image& in, const MutableImage& out,
                        const CpuContext& context) const override {
        return runMedianCpu(static_cast<const MedianPlan&>(plan), in, out, context);
    }
};

}  // namespace

const Operation& median_operation() {
    static const Median operation;
    return operation;
}

}  // namespace warpscope
