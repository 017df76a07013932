#include "engine/operations/combine/blend.h"

#include <algorithm>
#include <cmath>

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "blend",
        .label = "Blend",
        .category = "Combine",
        .summary = "Two images of one size into one",
        .help =
            "Puts a second image over the input: the source, what an earlier step gave, or the "
            "other image that is open. It is converted to the input's format, and must have its "
            "size. Shows what a chain changed (difference with the source), brings detail back "
            "(add, subtract), keeps what another image marks (mask). Alpha is the input's.",
        .formula =
            "a is the input, b the second image, M the white level, L = M + 1, channel by "
            "channel.\n"
            "m: difference |a - b|; signed_difference clamp(L/2 + a - b); add clamp(a + b); "
            "subtract clamp(a - b); multiply (2ab + M) / (2M); screen M - (2 (M-a)(M-b) + M) / "
            "(2M); minimum; maximum; average (a + b + 1) >> 1; normal b; mask a where b > M/2, "
            "else 0.\n"
            "Result: (m q + a (256 - q) + 128) >> 8 with q = round(256 opacity).\n"
            "Float: M = 1, L/2 = 0.5, nothing but q is rounded or clamped: ab, 1 - (1-a)(1-b), "
            "(a + b) / 2, (m q + a (256 - q)) / 256, and m itself where q = 256; the minimum or "
            "maximum with NaN is NaN, NaN masks.",
        .source = "Porter and Duff 1984; the modes are those of image editors",
        .parameters =
            {imageParameter("with", "With", "The second image, b in the formula"),
             choiceParameter(
                 "mode", "Mode",
                 {{"difference", "Difference", "How far both are apart; equal is black"},
                  {"signed_difference", "Signed difference",
                   "Input minus the second image; equal is middle gray"},
                  {"add", "Add", "Both added up, white at most"},
                  {"subtract", "Subtract", "Input minus the second image, black at least"},
                  {"multiply", "Multiply", "Darkens: white changes nothing, black gives black"},
                  {"screen", "Screen", "Brightens: black changes nothing, white gives white"},
                  {"minimum", "Minimum", "The darker one"},
                  {"maximum", "Maximum", "The brighter one"},
                  {"average", "Average", "Half of each"},
                  {"normal", "Normal", "The second image; opacity fades from one to the other"},
                  {"mask", "Mask", "The input where the second image is bright, else black"}},
                 "What is made of two samples"),
             numberParameter("opacity", "Opacity", 100.0, {.unit = "%", .hardMax = 100},
                             "How much of that covers the input; 0 leaves the input")},
        .variants = {automaticVariant("One pass; each pixel of both is read once")},
        .accepts = kFilterFormats};
}

Result<void> completePlan(const PlanRequest& request, BlendPlan& plan) {
    const auto& choices = plan.operation->description().findParameter("mode")->choices;
    const auto chosen = std::find_if(choices.begin(), choices.end(), [&](const ChoiceSpec& choice) {
        return choice.id == request.parameters.choice("mode");
    });
    plan.mode = BlendMode(chosen - choices.begin());
    plan.weight = std::uint32_t(std::lround(256 * request.parameters.real("opacity") / 100));
    plan.identity = plan.weight == 0;
    // These reach beyond what was white, or count from the white of the format.
    plan.fillsRange =
        !plan.identity &&
        (plan.mode == BlendMode::Add || plan.mode == BlendMode::Screen ||
         plan.mode == BlendMode::SignedDifference || plan.mode == BlendMode::Multiply);
    plan.guessedMsPerMegapixel = 0.5;
    // Two operations a sample are what most modes take (a sum and its limit); one for the smaller
    // and the larger, none for the second image as it is. Opacity: two products and a sum.
    const bool one = plan.mode == BlendMode::Minimum || plan.mode == BlendMode::Maximum;
    plan.work = plan.colorSamples() * ((plan.mode == BlendMode::Normal ? 0
                                        : one                          ? 1
                                                                       : 2) +
                                       (plan.weight == 256 ? 0 : 3));
    return {};
}

}  // namespace

const Operation& blend_operation() {
    static const OperationOf<BlendPlan> operation(describe(), completePlan, runBlendCpu);
    return operation;
}

}  // namespace warpscope
