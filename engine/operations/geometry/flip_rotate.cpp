#include "engine/operations/geometry/flip_rotate.h"

#include <utility>

namespace warpscope {
namespace {

OperationDescription describe() {
    return {.id = "flip_rotate",
            .label = "Flip or rotate",
            .category = "Geometry",
            .summary = "Quarter turns and mirror images",
            .help =
                "Turns the image by quarters of a circle or mirrors it. Every pixel keeps its "
                "samples; nothing is interpolated, so that two steps that undo each other give "
                "the image that it was. Quarter turns, transpose and transverse swap width and "
                "height.",
            .formula =
                "Of an input W wide and H high:\n"
                "Rotate by 90: out(i, j) = in(j, H - 1 - i)\n"
                "Rotate by 180: out(i, j) = in(W - 1 - i, H - 1 - j)\n"
                "Rotate by 270: out(i, j) = in(W - 1 - j, i)\n"
                "Flip left and right: out(i, j) = in(W - 1 - i, j)\n"
                "Flip top and bottom: out(i, j) = in(i, H - 1 - j)\n"
                "Transpose: out(i, j) = in(j, i)\n"
                "Transverse: out(i, j) = in(W - 1 - j, H - 1 - i)",
            .source = "The eight orientations of Exif",
            .parameters = {choiceParameter(
                "operation", "Operation",
                {{"rotate_90", "Rotate by 90°", "A quarter of a circle, clockwise"},
                 {"rotate_180", "Rotate by 180°", "Upside down"},
                 {"rotate_270", "Rotate by 270°", "A quarter of a circle, counter-clockwise"},
                 {"flip_horizontal", "Flip left and right", "As in a mirror"},
                 {"flip_vertical", "Flip top and bottom", "As in still water"},
                 {"transpose", "Transpose", "Mirrored at the diagonal from the top left"},
                 {"transverse", "Transverse", "Mirrored at the diagonal from the top right"}},
                "Where the pixels go")},
            .variants = {automaticVariant("Tiles that fit a cache are turned one by one")},
            .accepts = kAllPixelFormats};
}

Result<void> completePlan(const PlanRequest& request, FlipRotatePlan& plan) {
    const std::string& operation = request.parameters.choice("operation");
    const auto isOneOf = [&](std::initializer_list<std::string_view> ids) {
        return std::find(ids.begin(), ids.end(), operation) != ids.end();
    };
    plan.swapsSides = isOneOf({"rotate_90", "rotate_270", "transpose", "transverse"});
    plan.fromRight = isOneOf({"rotate_180", "rotate_270", "flip_horizontal", "transverse"});
    plan.fromBottom = isOneOf({"rotate_90", "rotate_180", "flip_vertical", "transverse"});
    if (plan.swapsSides) {
        std::swap(plan.outputPlace.reduced.width, plan.outputPlace.reduced.height);
        std::swap(plan.outputPlace.whole.width, plan.outputPlace.whole.height);
    }
    plan.outputPlace.part = mapped(inverse(plan.inputFromOutput()), plan.place.part);
    plan.outputSize = plan.outputPlace.part.size();
    plan.guessedMsPerMegapixel = 0.5;
    // Pixels are only moved.
    plan.work = 0;
    return {};
}

}  // namespace

const Operation& flip_rotate_operation() {
    static const OperationOf<FlipRotatePlan> operation(describe(), completePlan, runFlipRotateCpu);
    return operation;
}

}  // namespace warpscope
