#include "engine/operations/morphology/morphology.h"

#include <algorithm>
#include <bit>

namespace warpscope {
namespace {

// Opening is what a new step does; the order is that of MorphologyOperation.
ParamSpec operationParameter() {
    ParamSpec spec =
        choiceParameter("operation", "Operation",
                        {{"erode", "Erode", "The smallest value: bright things shrink"},
                         {"dilate", "Dilate", "The largest value: bright things grow"},
                         {"open", "Open", "Erode, then dilate: small bright things go"},
                         {"close", "Close", "Dilate, then erode: small dark things go"},
                         {"gradient", "Gradient", "Dilated minus eroded: edges"},
                         {"top_hat", "Top hat", "The image minus what opening leaves"},
                         {"black_hat", "Black hat", "What closing leaves minus the image"}},
                        "What is made of minima and maxima");
    spec.defaultValue = std::string("open");
    return spec;
}

OperationDescription describe() {
    return {
        .id = "morphology",
        .label = "Morphology",
        .category = "Morphology",
        .summary = "Minima and maxima over a shape: erode, dilate, open, close and what is left",
        .help =
            "Erode and dilate replace each pixel by the smallest or largest value under a shape "
            "that is laid over it. One after the other they open (take bright detail that is "
            "smaller than the shape away) or close (dark detail); the hats show what that took, "
            "the gradient shows edges. Also for images of black and white only. Alpha passes "
            "unchanged.",
        .formula =
            "E: the minimum, D: the maximum over all pixels of the image under the shape, channel "
            "by channel; what lies outside the image does not count.\n"
            "erode E, dilate D, open D(E), close E(D), gradient D - E, top hat v - D(E), black hat "
            "E(D) - v.\n"
            "square: |dx| <= r and |dy| <= r; disk: dx^2 + dy^2 <= r^2; cross: |dx| <= r and dy = "
            "0, or |dy| <= r and dx = 0.\n"
            "Float: -0 is below 0, NaN above everything.",
        .source =
            "J. Serra, Image analysis and mathematical morphology, 1982; M. van Herk, A fast "
            "algorithm for local minimum and maximum filters, 1992; J. Gil, M. Werman, Computing "
            "2-D min, median and max filters, 1993",
        .parameters =
            {operationParameter(),
             choiceParameter("shape", "Shape",
                             {{"disk", "Disk",
                               "All pixels within the radius: alike in all "
                               "directions"},
                              {"square", "Square", "A side of 2 radius + 1 pixels"},
                              {"cross", "Cross", "A row and a column through the pixel"}},
                             "Over which pixels"),
             numberParameter(
                 "radius", "Radius", 2,
                 {.unit = "px", .hardMin = 1, .hardMax = kMaxMorphologyRadius, .sliderMax = 30},
                 "How far the shape reaches from its middle")},
        .variants = {automaticVariant(
            "Square and cross: rows by minima over 2, 4, 8, ... samples, columns by minima to the "
            "end and from the start of blocks of 2 radius + 1 rows, so that the cost does not "
            "grow with the radius. Disk: two minima of a power of two a row of the disk")},
        .accepts = kFilterFormats};
}

template <class Enum>
Enum chosen(const PlanRequest& request, const Plan& plan, const char* id) {
    const auto& choices = plan.operation->description().findParameter(id)->choices;
    const auto found = std::find_if(choices.begin(), choices.end(), [&](const ChoiceSpec& choice) {
        return choice.id == request.parameters.choice(id);
    });
    return Enum(found - choices.begin());
}

Result<void> completePlan(const PlanRequest& request, MorphologyPlan& plan) {
    plan.operationOf = chosen<MorphologyOperation>(request, plan, "operation");
    plan.shape = chosen<MorphologyShape>(request, plan, "shape");
    plan.radius = int(request.parameters.integer("radius"));
    plan.halves = diskHalves(plan.radius);
    const bool twoInARow = plan.operationOf != MorphologyOperation::Erode &&
                           plan.operationOf != MorphologyOperation::Dilate &&
                           plan.operationOf != MorphologyOperation::Gradient;
    plan.halo = twoInARow ? 2 * plan.radius : plan.radius;
    const bool one = plan.operationOf == MorphologyOperation::Erode ||
                     plan.operationOf == MorphologyOperation::Dilate;
    const bool difference = plan.operationOf >= MorphologyOperation::Gradient;
    // Three comparisons a sample along rows and along columns, and for a cross one of both; for a
    // disk one for each of its rows, of minima that are at hand.
    const double pass = plan.shape == MorphologyShape::Square  ? 6
                        : plan.shape == MorphologyShape::Cross ? 7
                                                               : 2 * plan.radius + 1;
    plan.work = plan.colorSamples() * (pass * (one ? 1 : 2) + (difference ? 1 : 0));
    plan.guessedMsPerMegapixel =
        (plan.shape == MorphologyShape::Disk ? 0.5 + 0.1 * plan.radius : 0.5) * (one ? 1 : 2);
    return {};
}

}  // namespace

DiskHalves diskHalves(int radius) {
    DiskHalves halves;
    for (int dy = 0, dx = radius; dy <= radius; ++dy) {
        while (dx * dx + dy * dy > radius * radius) --dx;
        halves.at[dy] = std::uint8_t(dx);
    }
    return halves;
}

const Operation& morphology_operation() {
    static const OperationOf<MorphologyPlan> operation(describe(), completePlan, runMorphologyCpu);
    return operation;
}

}  // namespace warpscope
