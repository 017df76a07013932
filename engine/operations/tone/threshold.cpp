#include "engine/operations/tone/threshold.h"

#include <cmath>
#include <limits>

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "threshold",
        .label = "Threshold",
        .category = "Tone",
        .summary = "Black and white: what is brighter than a level is white",
        .help =
            "Makes every pixel black or white, by its luma. The level is given, or found in the "
            "histogram of the whole image: Otsu for two populations of similar size, triangle for "
            "few bright things before much dark (or the reverse), Li for faint things in even "
            "surroundings, isodata and mean as simple ones. Where the light is uneven no single "
            "level fits: take adaptive threshold. Alpha is dropped.",
        .formula =
            "White M where v > t, else 0; v is luma (BT.601). n pixels of sum mt; w0 and m0 count "
            "and sum of the levels <= t, w1 = n - w0, m1 = mt - m0. One level only: t is that "
            "level.\n"
            "Fixed: value, times 257 for 16 bits, over 255 for float.\n"
            "Mean: t = mt / n.\n"
            "Otsu: the lowest t of the largest (mt w0 - m0 n)^2 / (w0 w1), in double.\n"
            "Triangle: p the lowest fullest level, lo and hi the first and the last that are not "
            "empty, e = hi if p - lo < hi - p, else lo; the first, from e towards p, of the "
            "largest h(p) i - |p - e| h(i), i steps from e.\n"
            "Li: levels less the darkest one; t = mean, then t' = (m0/w0 - m1/w1) / (ln(m0/w0) - "
            "ln(m1/w1)), 0 where m0 = 0, until |t' - t| <= 0.5.\n"
            "Isodata: the lowest t with floor((m0/w0 + m1/w1) / 2) = t, exactly.\n"
            "Float: fixed and mean compare values; others 65,536 bins over the range [lo, hi] of "
            "the finite values, floor((v - lo) 65536 / (hi - lo)) > t; white is 1. NaN is black.",
        .source =
            "N. Otsu, A threshold selection method from gray-level histograms, 1979; G. Zack et "
            "al., Automatic measurement of sister chromatid exchange frequency, 1977; C. Li and P. "
            "Tam, An iterative algorithm for minimum cross entropy thresholding, 1998; T. Ridler "
            "and S. Calvard, Picture thresholding using an iterative selection method, 1978",
        .parameters =
            {choiceParameter(
                 "method", "Method",
                 {{"fixed", "Fixed", "The level that is given"},
                  {"mean", "Mean", "The mean of the image"},
                  {"otsu", "Otsu", "What parts the levels into two groups that lie farthest apart"},
                  {"triangle", "Triangle",
                   "The foot of the slope from the fullest level to the far end"},
                  {"li", "Li", "Least cross entropy: finds small or faint things"},
                  {"isodata", "Isodata", "Halfway between the means of both sides"}},
                 "How the level is found"),
             numberParameter("value", "Level", 128.0, {.unit = "grey levels", .hardMax = 255},
                             "Of the fixed method: what is above is white; 8-bit levels whatever "
                             "the depth")},
        .variants = {automaticVariant(
            "Counts the image unless the level is fixed, then compares: reads each pixel twice")},
        .accepts = kFilterFormats,
        .dropsAlpha = true,
        .dependsOnWholeImage = true,
        .mapsLevels = true,
        .hasTablesOfImage = true};
}

ThresholdMethod methodFromId(std::string_view id) {
    if (id == "mean") return ThresholdMethod::Mean;
    if (id == "otsu") return ThresholdMethod::Otsu;
    if (id == "triangle") return ThresholdMethod::Triangle;
    if (id == "li") return ThresholdMethod::Li;
    if (id == "isodata") return ThresholdMethod::Isodata;
    return ThresholdMethod::Fixed;
}

// Luma (see grayscale) and a comparison; the same and an addition to count. Float: four operations
// to a bin and two comparisons for the range.
double workOf(const ThresholdPlan& plan) {
    const double luma = isColor(plan.input) ? 6 : 0;
    const double counting = plan.cut ? 0 : luma + 1 + (isFloat(plan.input) ? 6 : 0);
    return plan.pixels() * (luma + 1 + counting);
}

Result<void> completePlan(const PlanRequest& request, ThresholdPlan& plan) {
    plan.output = *withChannels(request.format, false);
    plan.fillsRange = true;
    plan.method = methodFromId(request.parameters.choice("method"));
    plan.guessedMsPerMegapixel = isFloat(plan.input) ? 6 : 1;
    if (plan.method == ThresholdMethod::Fixed) {
        const double value = request.parameters.real("value");
        if (isFloat(plan.input)) {
            plan.cut = cutAtValue(value / 255.0);
        } else {
            const double t = bytesPerSample(plan.input) == 2 ? 257.0 * value : value;
            plan.cut = ThresholdCut{t, std::uint32_t(t), 0};
        }
    }
    plan.work = workOf(plan);
    return {};
}

// Of the levels from 0 to 1.
std::vector<ToneCurve> stepAtCut(const ThresholdPlan& plan) {
    if (!plan.cut) return {};
    const int last = isFloat(plan.input) ? 1024 : bytesPerSample(plan.input) == 2 ? 65535 : 255;
    ToneCurve made{HistogramChannel::Luma, {}};
    for (int i = 0; i <= last; ++i) {
        const bool white = isFloat(plan.input) ? float(i) / float(last) > plan.cut->value
                                               : std::uint32_t(i) > plan.cut->level;
        made.outputs.push_back(white ? 1.0 : 0.0);
    }
    return {made};
}

class Threshold final : public OperationOf<ThresholdPlan> {
  public:
    Threshold() : OperationOf(describe(), completePlan, runThresholdCpu, stepAtCut) {}

    Result<PlanPtr> freeze(const PlanRequest& request, const Image& whole,
                           const CpuContext& context) const override {
        if (whole.isNull() || whole.format() != request.format)
            return fail(ErrorCode::InvalidArgument,
                        "threshold takes its level from an image of the format that it is run on");
        auto plan = makePlan(request, completePlan);
        if (!plan) return fail(plan.error());
        if (!(*plan)->cut) {
            auto cut = chooseThresholdCpu(**plan, whole, context);
            if (!cut) return fail(cut.error());
            (*plan)->cut = *cut;
            (*plan)->work = workOf(**plan);
        }
        return std::move(*plan);
    }

    Result<PlanPtr> withTables(const PlanRequest& request, const Plan& taken) const override {
        const auto& own = static_cast<const ThresholdPlan&>(taken);
        if (!own.cut) return fail(ErrorCode::Unsupported, "a plan of threshold without a level");
        auto plan = makePlan(request, completePlan);
        if (!plan) return fail(plan.error());
        (*plan)->cut = own.cut;
        (*plan)->work = workOf(**plan);
        return std::move(*plan);
    }
};

// The level with the largest score, the first one looked at of several. `score(k)` for k from 0 on.
template <class Score>
std::uint32_t firstOfLargest(std::uint32_t count, const Score& score) {
    std::uint32_t best = 0;
    auto most = score(0u);
    for (std::uint32_t k = 1; k < count; ++k)
        if (const auto now = score(k); now > most) {
            most = now;
            best = k;
        }
    return best;
}

}  // namespace

double chosenThreshold(const ThresholdPlan& plan) {
    return plan.cut ? plan.cut->chosen : std::numeric_limits<double>::quiet_NaN();
}

ThresholdCut cutOfCounts(const std::vector<std::uint64_t>& counts, ThresholdMethod method) {
    const auto levels = std::uint32_t(counts.size());
    std::vector<LevelsBelow> below(levels);
    LevelsBelow all;
    std::uint32_t lo = levels, hi = 0;
    for (std::uint32_t k = 0; k < levels; ++k) {
        all.add(k, counts[k]);
        below[k] = all;
        if (counts[k] == 0) continue;
        lo = std::min(lo, k);
        hi = k;
    }
    if (all.count == 0) return {};
    const auto whole = [](std::uint32_t t) { return ThresholdCut{double(t), t, 0}; };
    if (lo == hi) return whole(lo);
    switch (method) {
        case ThresholdMethod::Fixed:
        case ThresholdMethod::Mean:
            return {double(all.sum) / double(all.count), std::uint32_t(all.sum / all.count), 0};
        case ThresholdMethod::Otsu:
            return whole(
                firstOfLargest(levels, [&](std::uint32_t k) { return otsuSpread(below[k], all); }));
        case ThresholdMethod::Triangle: {
            const std::uint32_t p = firstOfLargest(levels, [&](auto k) { return counts[k]; });
            const bool fromTop = p - lo < hi - p;
            const std::uint32_t distance = fromTop ? hi - p : p - lo;
            const auto level = [&](std::uint32_t i) { return fromTop ? hi - i : lo + i; };
            return whole(level(firstOfLargest(distance + 1, [&](std::uint32_t i) {
                return triangleHeight(counts[p], distance, i, counts[level(i)]);
            })));
        }
        case ThresholdMethod::Li: {
            const double t = liThreshold(
                lo, all, [&](std::uint32_t level) { return liStep(lo, below[level], all); });
            return {t, std::uint32_t(t), 0};
        }
        case ThresholdMethod::Isodata:
            return whole(firstOfLargest(
                levels, [&](std::uint32_t k) { return isIsodata(k, below[k], all) ? 1 : 0; }));
    }
    return {};
}

const Operation& threshold_operation() {
    static const Threshold operation;
    return operation;
}

}  // namespace warpscope
