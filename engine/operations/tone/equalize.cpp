#include "engine/operations/tone/equalize.h"

#include <numeric>

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "equalize",
        .label = "Equalize histogram",
        .category = "Tone",
        .summary = "Spreads grey levels evenly over the whole range",
        .help =
            "Maps each grey level by the cumulative histogram of the whole image, so that "
            "levels that are crowded move apart. Brings out detail in flat, dark or hazy "
            "images; noise in even areas grows too. Alpha passes unchanged.",
        .formula =
            "n(k) counts, C(k) cumulative, n pixels, L = 256 (65,536 for 16 bits).\n"
            "Classic: t(k) = (2 (L-1) C(k) + n) / (2 n) in integers.\n"
            "Full: t(k) = (2 (L-1) (C(k) - m) + (n - m)) / (2 (n - m)) with m the count of the "
            "darkest level present; the identity if n = m; 0 below that level.\n"
            "Float: 65,536 bins over the range [lo, hi] of the finite values of the channel (or of "
            "luma), k = min(65535, floor((v - lo) 65536 / (hi - lo))), t(k) as for 16 bits from "
            "the finite values, result t(k) / 65535; -inf has k = 0, inf 65535, NaN stays NaN; "
            "unchanged if lo = hi.\n"
            "Luma on colour: R' = min(L-1, (2 R t(Y) + Y) / (2 Y)), G and B alike; where Y = 0 "
            "the pixel is unchanged. Y is BT.601 luma. Float: R' = R t(Y) / 65535 / Y, not "
            "limited; where Y is infinite, 0 for a finite R and t(Y) / 65535 for an infinite "
            "one.",
        .source = "A study of CUDA gray conversion, Gaussian filter and histogram equalization",
        .parameters =
            {choiceParameter(
                 "channels", "Channels",
                 {{"luma", "Luma",
                   "One table from the luma histogram; red, green and blue are scaled "
                   "together, so that hues stay until a channel reaches white"},
                  {"each", "Each channel",
                   "A table for each of red, green and blue: also removes colour casts, shifts "
                   "hues"}},
                 "What is equalized in a colour image; a gray image has only one channel"),
             choiceParameter("mapping", "Mapping",
                             {{"classic", "Classic",
                               "The cumulative histogram as it is: the darkest level present "
                               "moves up by its own share"},
                              {"full", "Full range",
                               "The darkest level present becomes 0: the whole range is used"}},
                             "How the cumulative histogram becomes the table")},
        .variants = {automaticVariant(
            "Counts the image, makes the table, applies it: reads each pixel twice")},
        .accepts = kFilterFormats,
        .dependsOnWholeImage = true,
        .mapsLevels = true,
        .hasTablesOfImage = true};
}

// Counting: luma (see grayscale) and an addition for each table. Mapping: a look-up a sample; or
// luma, a look-up and for each colour a product, a sum, a division and a limit. Float: finding a
// level takes four operations more, the range two comparisons.
double workOf(const EqualizePlan& plan, bool counts) {
    const bool byLuma = isColor(plan.input) && plan.channels == EqualizeChannels::Luma;
    const double tables = byLuma ? plan.pixels() : plan.colorSamples();
    const double level = isFloat(plan.input) ? 4 : 0;
    const double luma = byLuma ? 6 * plan.pixels() : 0;
    const double counting = luma + tables * (1 + level + (isFloat(plan.input) ? 2 : 0));
    const double mapping = luma + tables * (1 + level) + (byLuma ? 4 * plan.colorSamples() : 0);
    return mapping + (counts ? counting : 0);
}

Result<void> completePlan(const PlanRequest& request, EqualizePlan& plan) {
    plan.fillsRange = true;
    plan.channels = request.parameters.choice("channels") == "each" ? EqualizeChannels::Each
                                                                    : EqualizeChannels::Luma;
    plan.mapping = request.parameters.choice("mapping") == "full" ? EqualizeMapping::Full
                                                                  : EqualizeMapping::Classic;
    plan.work = workOf(plan, true);
    return {};
}

template <class T>
std::vector<ToneCurve> curvesOf(const EqualizeTablesOf<T>& tables) {
    if (tables.green.empty()) return {toneCurveOf(HistogramChannel::Luma, tables.red)};
    return {toneCurveOf(HistogramChannel::Red, tables.red),
            toneCurveOf(HistogramChannel::Green, tables.green),
            toneCurveOf(HistogramChannel::Blue, tables.blue)};
}

// Of the levels from 0 to 1, whatever the range of the image.
std::vector<ToneCurve> curvesOf(const EqualizeTablesFloat& tables) {
    constexpr int kSteps = 1024;
    const auto curve = [&](HistogramChannel channel, int index) {
        ToneCurve made{channel, {}};
        for (int i = 0; i <= kSteps; ++i)
            made.outputs.push_back(double(tables.of(index)(float(i) / float(kSteps))));
        return made;
    };
    if (!tables.each) return {curve(HistogramChannel::Luma, 0)};
    return {curve(HistogramChannel::Red, 0), curve(HistogramChannel::Green, 1),
            curve(HistogramChannel::Blue, 2)};
}

std::vector<ToneCurve> frozenCurves(const EqualizePlan& plan) {
    if (plan.frozen) return curvesOf(*plan.frozen);
    if (plan.frozen16) return curvesOf(*plan.frozen16);
    if (plan.frozenFloat) return curvesOf(*plan.frozenFloat);
    return {};
}

class Equalize final : public OperationOf<EqualizePlan> {
  public:
    Equalize() : OperationOf(describe(), completePlan, runEqualizeCpu, frozenCurves) {}

    Result<PlanPtr> freeze(const PlanRequest& request, const Image& whole,
                           const CpuContext& context) const override {
        if (whole.isNull() || whole.format() != request.format)
            return fail(ErrorCode::InvalidArgument,
                        "equalize takes its tables from an image of the format that it is run on");
        auto plan = makePlan(request, completePlan);
        if (!plan) return fail(plan.error());
        (*plan)->work = workOf(**plan, false);
        const auto take = [&](auto tables, auto& frozen) -> Result<PlanPtr> {
            if (!tables) return fail(tables.error());
            frozen = std::move(*tables);
            return std::move(*plan);
        };
        if (isFloat(whole.format()))
            return take(equalizeTablesFloat(**plan, whole, context), (*plan)->frozenFloat);
        if (bytesPerSample(whole.format()) == 1)
            return take(equalizeTablesCpu<std::uint8_t>(**plan, whole, context), (*plan)->frozen);
        return take(equalizeTablesCpu<std::uint16_t>(**plan, whole, context), (*plan)->frozen16);
    }

    Result<PlanPtr> withTables(const PlanRequest& request, const Plan& taken) const override {
        const auto& own = static_cast<const EqualizePlan&>(taken);
        if (!own.frozen && !own.frozen16 && !own.frozenFloat)
            return fail(ErrorCode::Unsupported, "a plan of equalize without tables");
        auto plan = makePlan(request, completePlan);
        if (!plan) return fail(plan.error());
        (*plan)->frozen = own.frozen;
        (*plan)->frozen16 = own.frozen16;
        (*plan)->frozenFloat = own.frozenFloat;
        (*plan)->work = workOf(**plan, false);
        return std::move(*plan);
    }
};

template <class T>
std::vector<T> identityTable(std::size_t levels) {
    std::vector<T> table(levels);
    std::iota(table.begin(), table.end(), T{0});
    return table;
}

}  // namespace

template <class T>
std::vector<T> equalizeTable(const std::vector<std::uint64_t>& counts, EqualizeMapping mapping) {
    const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    const std::uint64_t white = counts.size() - 1;
    std::uint64_t darkest = 0;
    if (mapping == EqualizeMapping::Full) {
        for (const std::uint64_t count : counts) {
            if (count == 0) continue;
            darkest = count;
            break;
        }
    }
    if (all == darkest) return identityTable<T>(counts.size());  // no pixel, or full with one level

    // 2 x 65,535 x n stays below 2^64 for every n below 2^47; the largest image has 2^40 pixels.
    std::vector<T> table(counts.size());
    const std::uint64_t spread = all - darkest;
    std::uint64_t cumulative = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        cumulative += counts[k];
        const std::uint64_t above = cumulative > darkest ? cumulative - darkest : 0;
        table[k] = T((2 * white * above + spread) / (2 * spread));
    }
    return table;
}

template std::vector<std::uint8_t> equalizeTable(const std::vector<std::uint64_t>&,
                                                 EqualizeMapping);
template std::vector<std::uint16_t> equalizeTable(const std::vector<std::uint64_t>&,
                                                  EqualizeMapping);

const Operation& equalize_operation() {
    static const Equalize operation;
    return operation;
}

}  // namespace warpscope
