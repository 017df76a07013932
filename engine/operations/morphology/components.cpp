#include "engine/operations/morphology/components.h"

namespace warpscope {
namespace {

constexpr PixelFormat kComponentFormats[] = {
    PixelFormat::Gray8,   PixelFormat::Rgba8,   PixelFormat::Gray16, PixelFormat::Rgba16,
    PixelFormat::GrayF32, PixelFormat::RgbaF32, PixelFormat::Gray32};

OperationDescription describe() {
    return {
        .id = "components",
        .label = "Components",
        .category = "Measurement",
        .summary = "Area, place and values of each area of non-zero pixels",
        .help =
            "Finds the areas that 'Connected components' numbers, in the same order, and lists "
            "for each its area, the box around it, its centre, and minimum, maximum and mean of "
            "the values in it. Behind a chain of steps (Objects in the window, analyze with --step "
            "or "
            "--pipeline) these are the values of the source, and called so: source minimum, "
            "maximum and mean. Where steps crop, turn or resize, the source goes through those "
            "steps first, and through no other. An image by itself has its own values. Columns "
            "and rows are counted from 0, from the corner of a region where there is one.",
        .formula =
            "Components of non-zero BT.601 luma (of labels: of those that are not 0) as "
            "`connected_components` numbers them. Area: pixels. x, y, width, height: the smallest "
            "box. Centroid: exact sums of columns and rows over the area. Minimum, maximum, mean: "
            "of the luma of the image, or of the chain's source at the same pixels in its own "
            "format and levels, from exact sums; float: of finite values, summed in double along "
            "runs of a row, then run by run.\n"
            "More than 200,000 components are refused.",
        .source = "Moments of the first order of plane regions",
        .kind = OperationKind::Analysis,
        .parameters = componentParameters(),
        .variants = {automaticVariant(
            "Runs of pixels, found, joined and measured band by band; on the CPU")},
        .accepts = kComponentFormats,
        .dependsOnWholeImage = true};
}

Result<void> completePlan(const PlanRequest& request, ComponentsPlan& plan) {
    plan.rule = componentRule(request);
    // As connected_components; then area, sums of columns and rows, minimum, maximum, sum.
    plan.work = plan.pixels() *
                ((isColor(request.format) ? 6 : 0) + 1 + plan.rule.connectivity / 2 + 2 + 5);
    return {};
}

class ComponentsOperation final : public OperationOf<ComponentsPlan> {
  public:
    ComponentsOperation() : OperationOf(describe(), completePlan) {}

    Result<std::shared_ptr<const ComponentsPlan>> planFor(const PlanRequest& request,
                                                          const Image& source) const {
        auto plan = makePlan(request, completePlan);
        if (!plan) return fail(plan.error());
        if (source.size() == request.size && description().acceptsFormat(source.format())) {
            (*plan)->source = source;
            (*plan)->minimalBytes += source.byteCount();
        }
        return std::shared_ptr<const ComponentsPlan>(std::move(*plan));
    }

    Result<AnalysisResult> analyzeCpu(const Plan& plan, const StepImages& in,
                                      const CpuContext& context) const override {
        try {
            auto table = componentsCpu(static_cast<const ComponentsPlan&>(plan), in.first, context);
            if (!table) return fail(table.error());
            return std::move(table->table);
        } catch (const std::bad_alloc&) {
            return fail(ErrorCode::OutOfMemory, "not enough memory for this table");
        }
    }
};

const ComponentsOperation& components() {
    static const ComponentsOperation operation;
    return operation;
}

}  // namespace

const Operation& components_operation() {
    return components();
}

Result<std::shared_ptr<const ComponentsPlan>> planComponents(const PlanRequest& request,
                                                             const Image& source) {
    return components().planFor(request, source);
}

}  // namespace warpscope
