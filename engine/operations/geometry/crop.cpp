#include "engine/operations/geometry/crop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpscope {
namespace {

OperationDescription describe() {
    // Whole pixels of the image that the person sees: a draft finds them in its reduced copy.
    const NumberSpec pixels{.unit = "px", .hardMax = kMaxSide, .sliderMax = 4096, .spatial = false};
    NumberSpec extent = pixels;
    extent.zeroIsAutomatic = true;
    return {.id = "crop",
            .label = "Crop",
            .category = "Geometry",
            .summary = "A rectangle of the image",
            .help =
                "Keeps a rectangle and drops the rest. What follows sees the rectangle alone: a "
                "blur after it repeats its edge, a histogram counts nothing outside. A width or "
                "height of 0 reaches to the edge. A rectangle beyond the image is refused.",
            .formula = "out(i, j) = in(x + i, y + j)",
            .source = "Part of every image editor",
            .parameters = {numberParameter("x", "Left", 0, pixels, "First column that is kept"),
                           numberParameter("y", "Top", 0, pixels, "First row that is kept"),
                           numberParameter("width", "Width", 0, extent,
                                           "Columns that are kept; 0: all that follow"),
                           numberParameter("height", "Height", 0, extent,
                                           "Rows that are kept; 0: all that follow")},
            .variants = {automaticVariant("Rows are copied; nothing else is read")},
            .example = "x=8,y=8",
            .accepts = kAllPixelFormats};
}

// The pixels of the reduced copy for [from, from + length) of the whole.
void reduce(double scale, int most, int& from, int& length) {
    from = std::clamp(int(std::lround(from * scale)), 0, most - 1);
    length = std::clamp(int(std::lround(length * scale)), 1, most - from);
}

Result<void> completePlan(const PlanRequest& request, CropPlan& plan) {
    const auto given = [&](std::string_view id) { return int(request.parameters.integer(id)); };
    const Size whole = plan.place.whole;
    Rect window{given("x"), given("y"), given("width"), given("height")};
    // What 0 stands for there would be less than nothing.
    if (window.x >= whole.width || window.y >= whole.height) {
        const bool right = window.x >= whole.width;
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("the crop begins at {} = {}, beyond the {} edge of the image, which "
                        "is {} x {}",
                        right ? "x" : "y", right ? window.x : window.y, right ? "right" : "lower",
                        whole.width, whole.height));
    }
    if (window.width == 0) window.width = whole.width - window.x;
    if (window.height == 0) window.height = whole.height - window.y;
    if (window.x > whole.width - window.width || window.y > whole.height - window.height)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("the rectangle of {} x {} at ({}, {}) does not lie in the image, "
                                "which is {} x {}",
                                window.width, window.height, window.x, window.y, whole.width,
                                whole.height));
    plan.outputPlace.whole = window.size();
    const Placement& place = plan.place;
    reduce(place.scale, place.reduced.width, window.x, window.width);
    reduce(place.scale, place.reduced.height, window.y, window.height);
    plan.window = window;
    const Rect inside = intersect(window, place.part);
    if (inside.empty())
        return fail(ErrorCode::Unsupported, "nothing of the rectangle lies in this part");
    plan.taken = {inside.x - place.part.x, inside.y - place.part.y, inside.width, inside.height};
    plan.outputPlace.reduced = window.size();
    plan.outputPlace.part = {inside.x - window.x, inside.y - window.y, inside.width, inside.height};
    plan.outputSize = inside.size();
    plan.identity = plan.outputPlace == place && plan.taken.size() == plan.size;
    plan.guessedMsPerMegapixel = 0.3;
    // Pixels are only moved.
    plan.work = 0;
    return {};
}

}  // namespace

const Operation& crop_operation() {
    static const OperationOf<CropPlan> operation(describe(), completePlan, runCropCpu);
    return operation;
}

}  // namespace warpscope
