#include "engine/operations/tone/levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpscope {
namespace {

OperationDescription describe() {
    const NumberSpec level{.unit = "grey levels", .hardMax = 255};
    return {
        .id = "levels",
        .label = "Levels",
        .category = "Tone",
        .summary = "Black, white and gamma",
        .help =
            "What is as dark as the black point becomes the new black, what is as bright as the "
            "white point the new white, and gamma says how bright the middle between them is: "
            "above 1 it is raised, below 1 lowered. Black and white closer together add contrast; "
            "what lies beyond them is clipped. A new black above the new white turns the image "
            "into its negative. Alpha passes unchanged.",
        .formula =
            "t(v) = floor(ob + (ow - ob) clamp((v - b) / (w - b), 0, 1)^(1 / gamma) + 0.5), a "
            "table in double. Levels of 8 bits, times 257 for 16 bits, over 255 for float, which "
            "is not rounded to levels; NaN stays. b >= w is refused. A gray image is changed "
            "whatever the channel.",
        .source = "The levels of every photo editor",
        .parameters = {numberParameter("black", "Black", 0.0, level,
                                       "This level and those below become the new black"),
                       numberParameter("white", "White", 255.0, level,
                                       "This level and those above become the new white"),
                       numberParameter(
                           "gamma", "Gamma", 1.0,
                           {.hardMin = 0.1, .hardMax = 10, .step = 0.05, .logarithmic = true},
                           "Above 1 the middle becomes brighter, below 1 darker"),
                       numberParameter("out_black", "New black", 0.0, level, "What black becomes"),
                       numberParameter("out_white", "New white", 255.0, level,
                                       "What white becomes"),
                       choiceParameter("channels", "Channels",
                                       {{"all", "All", "Red, green and blue alike"},
                                        {"red", "Red", "Red alone"},
                                        {"green", "Green", "Green alone"},
                                        {"blue", "Blue", "Blue alone"}},
                                       "Which colours are changed")},
        .variants = {automaticVariant("A table that is made once; float: the formula a sample")},
        .example = "black=20,white=230,gamma=1.2",
        .accepts = kFilterFormats,
        .mapsLevels = true};
}

template <class T>
std::vector<T> tableOf(const SampleLevels& levels) {
    std::vector<T> table(std::size_t{1} << (8 * sizeof(T)));
    for (std::size_t v = 0; v < table.size(); ++v) {
        const double x =
            std::clamp((double(v) - levels.black) / (levels.white - levels.black), 0.0, 1.0);
        const double made =
            levels.outBlack + (levels.outWhite - levels.outBlack) * std::pow(x, levels.exponent);
        table[v] =
            T(std::clamp(std::floor(made + 0.5), 0.0, double(std::numeric_limits<T>::max())));
    }
    return table;
}

Result<void> completePlan(const PlanRequest& request, LevelsPlan& plan) {
    const ParamSet& given = request.parameters;
    const double black = given.real("black"), white = given.real("white");
    // Also where both are the same in what samples are compared with.
    if (!(white / 255 - black / 255 > 0))
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("black is {} and white is {}, but black must be below white", black,
                                white));
    const std::string& channels = given.choice("channels");
    if (isColor(plan.input) && channels != "all")
        for (int c = 0; c < 3; ++c)
            plan.changes[c] = channels == (c == 0 ? "red" : c == 1 ? "green" : "blue");
    const double outBlack = given.real("out_black"), outWhite = given.real("out_white");
    const auto levelsIn = [&](double unit) {
        return SampleLevels{black * unit, white * unit, 1 / given.real("gamma"), outBlack * unit,
                            outWhite * unit};
    };
    if (isFloat(plan.input)) {
        plan.samples = {black / 255, white / 255, 1 / given.real("gamma"), outBlack / 255,
                        outWhite / 255};
    } else if (bytesPerSample(plan.input) == 1) {
        plan.table = tableOf<std::uint8_t>(levelsIn(1));
        plan.identity = plan.table == unchangedLevels<std::uint8_t>();
    } else {
        plan.table16 = tableOf<std::uint16_t>(levelsIn(257));
        plan.identity = plan.table16 == unchangedLevels<std::uint16_t>();
    }
    // Levels are those of the format, whatever white the file had.
    plan.fillsRange = !plan.identity;
    const bool power = isFloat(plan.input) && plan.samples.exponent != 1;
    const double samples = isColor(plan.input) ? 4 : 1;
    plan.guessedMsPerMegapixel = isFloat(plan.input) ? (power ? 6 : 0.5) * samples : 0.5;
    // A look-up a sample. Float: two differences and a quotient, two limits, a product and a sum;
    // a power as two polynomials of a dozen terms.
    const double share = plan.changesAll() ? 1 : 1.0 / 3;
    plan.work = plan.colorSamples() * share * (power ? 60 : isFloat(plan.input) ? 7 : 1);
    return {};
}

std::vector<ToneCurve> toneCurves(const LevelsPlan& plan) {
    const HistogramChannel channel = plan.changesAll() ? HistogramChannel::Luma
                                     : plan.changes[0] ? HistogramChannel::Red
                                     : plan.changes[1] ? HistogramChannel::Green
                                                       : HistogramChannel::Blue;
    if (!plan.table.empty()) return {toneCurveOf(channel, plan.table)};
    if (!plan.table16.empty()) return {toneCurveOf(channel, plan.table16)};
    ToneCurve made{channel, {}};
    for (int level = 0; level <= 255; ++level)
        made.outputs.push_back(double(plan.samples(float(level) / 255.0f)));
    return {made};
}

}  // namespace

const Operation& levels_operation() {
    static const OperationOf<LevelsPlan> operation(describe(), completePlan, runLevelsCpu,
                                                   toneCurves);
    return operation;
}

}  // namespace warpscope
