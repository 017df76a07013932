#include "engine/operations/geometry/rotate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "rotate",
        .label = "Rotate",
        .category = "Geometry",
        .summary = "Turns the image by any angle",
        .help =
            "Turns the image about its middle, clockwise for positive angles: levels a horizon or "
            "a scan. The canvas keeps its size, which cuts corners off, or grows to hold all "
            "pixels. Quarter turns and mirrors are exact in flip_rotate.",
        .formula =
            "C, S = round(2^32 cos), round(2^32 sin); u = 2 x + 1 - W, v = 2 y + 1 - H; X = (C u + "
            "S v + ((w - 1) << 32)) >> 1, Y = (C v - S u + ((h - 1) << 32)) >> 1.\n"
            "Bilinear: X8 = (X + 2^23) >> 24, pixel X8 >> 8, weight X8 & 255, result (sum + 32768) "
            ">> 16 (float: sum / 65536). Nearest: (X + 2^31) >> 32.\n"
            "Expand: W = (w |C| + h |S| + 2^32 - 1) >> 32, H alike.\n"
            "Outside: the edge pixel is repeated; or colours are 0, with full alpha (black) or "
            "with none (transparent, which gives gray an alpha channel).",
        .source = "Part of every image editor",
        .parameters = {numberParameter("angle", "Angle", 0.0,
                                       {.unit = "°",
                                        .hardMin = -180,
                                        .hardMax = 180,
                                        .sliderMin = -45,
                                        .sliderMax = 45,
                                        .step = 0.1},
                                       "Clockwise"),
                       choiceParameter(
                           "method", "Method",
                           {{"bilinear", "Bilinear", "A mean of the four pixels around"},
                            {"nearest", "Nearest", "Single pixels: for labels"}},
                           "How samples are made"),
                       choiceParameter("canvas", "Canvas",
                                       {{"keep", "Keep", "As large as before; corners are cut off"},
                                        {"expand", "Expand", "As large as the turned image"}},
                                       "Size of the result"),
                       choiceParameter(
                           "outside", "Outside",
                           {{"edge", "Edge", "The nearest pixel of the image is repeated"},
                            {"black", "Black", "Black, opaque"},
                            {"transparent", "Transparent", "Without alpha"}},
                           "What is shown where there is no image")},
        .variants = {automaticVariant("Source coordinates in fixed point. Bilinear of gray and of "
                                      "8-bit colour: a vector of pixels at a "
                                      "time where all four taps are inside the image")},
        .example = "angle=10",
        .accepts = kFilterFormats};
}

// Of an output that holds a turned image.
Size expanded(Size size, std::int64_t cosine, std::int64_t sine) {
    constexpr std::int64_t kAlmost = (std::int64_t(1) << 32) - 1;
    const std::int64_t c = std::abs(cosine), s = std::abs(sine);
    return {int((size.width * c + size.height * s + kAlmost) >> 32),
            int((size.width * s + size.height * c + kAlmost) >> 32)};
}

Result<void> completePlan(const PlanRequest& request, RotatePlan& plan) {
    const double angle = request.parameters.real("angle") * std::numbers::pi / 180;
    constexpr double kOne = 4294967296.0;
    plan.cosine = std::int64_t(std::floor(kOne * std::cos(angle) + 0.5));
    plan.sine = std::int64_t(std::floor(kOne * std::sin(angle) + 0.5));
    plan.nearest = request.parameters.choice("method") == "nearest";
    const std::string& outside = request.parameters.choice("outside");
    plan.outside = outside == "edge"    ? RotateOutside::Edge
                   : outside == "black" ? RotateOutside::Black
                                        : RotateOutside::Transparent;
    if (plan.outside == RotateOutside::Transparent) {
        plan.output = withChannels(plan.input, true).value_or(plan.input);
        plan.addsAlpha = true;
    }
    Placement& place = plan.outputPlace;
    if (request.parameters.choice("canvas") == "expand") {
        place.whole = expanded(plan.place.whole, plan.cosine, plan.sine);
        place.reduced =
            place.scale == 1 ? place.whole : expanded(plan.place.reduced, plan.cosine, plan.sine);
        if (place.whole.width > kMaxSide || place.whole.height > kMaxSide)
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("{} x {} is too large for an image", place.whole.width,
                                    place.whole.height));
    }
    // Pixels of the output lie up to so far outside of the input; their nearest ones are needed.
    const Rect all{0, 0, place.reduced.width, place.reduced.height};
    const Rect seen = mapped(plan.inputFromOutput(), all);
    plan.halo = 2 + std::max({0, -seen.x, -seen.y, seen.x + seen.width - plan.place.reduced.width,
                              seen.y + seen.height - plan.place.reduced.height});
    place.part =
        intersect(mapped(inverse(plan.inputFromOutput()), grown(plan.place.part, plan.halo)), all);
    plan.outputSize = place.part.size();
    plan.identity =
        plan.sine == 0 && plan.cosine > 0 && place == plan.place && plan.output == plan.input;
    // Four products and sums a sample.
    plan.work = plan.nearest ? 0 : double(plan.outputSize.pixels()) * channelCount(plan.output) * 8;
    plan.guessedMsPerMegapixel = 8;
    return {};
}

}  // namespace

const Operation& rotate_operation() {
    static const OperationOf<RotatePlan> operation(describe(), completePlan, runRotateCpu);
    return operation;
}

}  // namespace warpscope
