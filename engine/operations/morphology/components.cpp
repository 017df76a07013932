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
            "the values in it. Works on a black and white image, on numbered regions, and on an "
            "image that is zero outside of its objects: then the values are those of the objects "
            "(a threshold and then a blend with the source, mode 'minimum', makes one). Columns "
            "and rows are counted from 0, from the corner of a region where there is one.",
        .formula =
            "Components of non-zero BT.601 luma (of labels: of those that are not 0) as "
            "`connected_components` numbers them. Area: pixels. x, y, width, height: the smallest "
            "box. Centroid: exact sums of columns and rows over the area. Minimum, maximum, mean: "
            "of luma, from exact sums; float: of finite values, summed in double along runs of a "
            "row, then run by run.\n"
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

}  // namespace

const Operation& components_operation() {
    static const ComponentsOperation operation;
    return operation;
}

}  // namespace warpscope
