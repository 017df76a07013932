#include "engine/operations/analysis/statistics.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "engine/image/exact_figures.h"

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "statistics",
        .label = "Statistics",
        .category = "Analysis",
        .summary = "Extremes, mean, percentiles and entropy of each channel",
        .help =
            "A row for gray, or for luma, red, green and blue, and for alpha unless every pixel is "
            "opaque. Percentiles say how an image is exposed where single pixels do not count; "
            "entropy says how many bits a sample is worth without its neighbours.",
        .formula =
            "C(v): samples at or below v; a percentile p is the smallest sample v with C(v) >= p "
            "n. Deviation of the population. Entropy: -sum(c / n log2(c / n)) over the counts c. "
            "Black: at or below 0, white: at or above 255, 65,535, for float 1, also in a file "
            "that "
            "names a lower white level; luma is the BT.601 "
            "gray of `grayscale`.\n"
            "8 and 16 bits: everything from exact counts, bins are values.\n"
            "Float and sums: NaN and infinities are counted apart and in nothing else; mean and "
            "deviation in double (32-bit sums: exact), row by row in two passes; percentiles "
            "exact; "
            "entropy over 65,536 bins of the finite range: min(65535, floor((v - low) 65536 / "
            "(high - low))).",
        .source = "Population moments; Shannon, A mathematical theory of communication (1948)",
        .kind = OperationKind::Analysis,
        .variants = {automaticVariant(
            "Counts as `histogram` does; the figures follow from counts")},
        .accepts = kAllPixelFormats,
        .dependsOnWholeImage = true};
}

Result<void> completePlan(const PlanRequest& request, StatisticsPlan& plan) {
    const bool color = isColor(request.format);
    plan.channels = color ? ChannelSet::all() : ChannelSet{};
    plan.binCount = bytesPerSample(request.format) == 2 ? 65536 : 256;
    const std::size_t channels = emptyHistograms(plan).channels.size() + (color ? 1 : 0);
    plan.resultWords = channels * std::size_t(plan.binCount);
    plan.work = countingWork(plan, channels);
    return {};
}

ChannelFigures figuresOf(std::string channel, std::span<const std::uint64_t> bins) {
    ChannelFigures figures;
    figures.channel = std::move(channel);
    figures.pixels = std::accumulate(bins.begin(), bins.end(), std::uint64_t{0});
    ExactSums sums;
    for (std::size_t level = 0; level < bins.size(); ++level) sums.add(level, bins[level]);
    for (std::size_t i = 0; i < kStatisticsPercents.size(); ++i) {
        const auto rank = percentileRank(figures.pixels, kStatisticsPercents[i]);
        figures.percentiles[i] = std::int64_t(binOfRank(bins, rank));
    }
    figures.mean = sums.mean();
    figures.standardDeviation = sums.standardDeviation();
    figures.entropyBits = entropyOf(bins);
    figures.black = bins.front();
    figures.white = bins.back();
    return figures;
}

bool isOpaque(const ChannelFigures& alpha, PixelFormat format) {
    const auto isFull = [&](const TableCell& cell) {
        const auto* real = std::get_if<double>(&cell);
        return (real ? *real : double(std::get<std::int64_t>(cell))) == fullScale(format);
    };
    return alpha.notANumber + alpha.infinite == 0 && isFull(alpha.percentiles.front()) &&
           isFull(alpha.percentiles.back());
}

AnalysisTable tableOf(std::vector<ChannelFigures> rows, PixelFormat format) {
    if (isColor(format) && isOpaque(rows.back(), format)) rows.pop_back();
    AnalysisTable table;
    const auto column = [&](std::string id, std::string label, std::string unit, auto&& cellOf) {
        TableColumn& made = table.columns.emplace_back(
            TableColumn{std::move(id), std::move(label), std::move(unit)});
        for (const ChannelFigures& row : rows) made.cells.emplace_back(cellOf(row));
    };
    const auto count = [&](const char* id, const char* label, std::uint64_t ChannelFigures::*from) {
        column(id, label, "px", [&](const auto& row) { return std::int64_t(row.*from); });
    };
    const std::string levels = bytesPerSample(format) <= 2 ? "grey levels" : "";
    column("channel", "Channel", "", [](const auto& row) { return row.channel; });
    count("pixels", "Pixels", &ChannelFigures::pixels);
    count("nan", "NaN", &ChannelFigures::notANumber);
    count("infinite", "Infinite", &ChannelFigures::infinite);
    for (std::size_t i = 0; i < kStatisticsPercents.size(); ++i) {
        const unsigned percent = kStatisticsPercents[i];
        std::string id = fmt::format("percentile_{}", percent);
        std::string label = fmt::format("Percentile {}", percent);
        if (percent == 0) id = "minimum", label = "Minimum";
        if (percent == 50) id = "median", label = "Median";
        if (percent == 100) id = "maximum", label = "Maximum";
        column(id, label, levels, [&](const auto& row) { return row.percentiles[i]; });
    }
    column("mean", "Mean", levels, [](const auto& row) { return row.mean; });
    column("standard_deviation", "Standard deviation", levels,
           [](const auto& row) { return row.standardDeviation; });
    column("entropy", "Entropy", "bits", [](const auto& row) { return row.entropyBits; });
    count("black", "Black", &ChannelFigures::black);
    count("white", "White", &ChannelFigures::white);
    return table;
}

class StatisticsOperation final : public OperationOf<StatisticsPlan> {
  public:
    StatisticsOperation() : OperationOf(describe(), completePlan) {}

    Result<AnalysisResult> analyzeCpu(const Plan& plan, const StepImages& in,
                                      const CpuContext& context) const override {
        return analyze(plan, in.first, nullptr, context);
    }

    Result<AnalysisResult> analyze(const Plan& plan, const Image& image, const RegionRows* rows,
                                   const CpuContext& context) const {
        if (bytesPerSample(plan.input) > 2) {
            auto figures = realFiguresCpu(image, context, rows);
            if (!figures) return fail(figures.error());
            return tableOf(std::move(*figures), plan.input);
        }
        const auto set = countCpu(static_cast<const StatisticsPlan&>(plan), image, context, rows);
        if (!set) return fail(set.error());
        std::vector<std::uint64_t> words;
        words.reserve(plan.resultWords);
        for (const Histogram& histogram : set->channels)
            words.insert(words.end(), histogram.bins.begin(), histogram.bins.end());
        const std::size_t counted = words.size();
        words.resize(plan.resultWords);
        if (isColor(plan.input)) {
            const CpuContext quiet{context.threading, context.stop, {}};
            auto done = countAlphaCpu(image, quiet, std::span(words).subspan(counted), rows);
            if (!done) return fail(done.error());
        }
        return resultFrom(plan, words);
    }

    Result<AnalysisResult> resultFrom(const Plan& plan,
                                      std::span<const std::uint64_t> words) const override {
        const auto& own = static_cast<const StatisticsPlan&>(plan);
        if (words.size() != plan.resultWords || bytesPerSample(plan.input) > 2)
            return fail(ErrorCode::Internal, "counts of another shape");
        const auto bins = std::size_t(own.binCount);
        std::vector<ChannelFigures> rows;
        for (const HistogramChannel channel : kAllHistogramChannels)
            if (own.channels.has(channel))
                rows.push_back(
                    figuresOf(isColor(plan.input) ? std::string(channelName(channel)) : "gray",
                              words.subspan(rows.size() * bins, bins)));
        if (isColor(plan.input))
            rows.push_back(figuresOf("alpha", words.subspan(rows.size() * bins, bins)));
        return tableOf(std::move(rows), plan.input);
    }
};

const StatisticsOperation& statistics() {
    static const StatisticsOperation operation;
    return operation;
}

}  // namespace

double entropyOf(std::span<const std::uint64_t> bins) {
    const auto all = double(std::accumulate(bins.begin(), bins.end(), std::uint64_t{0}));
    double bits = 0;
    for (const std::uint64_t count : bins)
        if (count) bits -= double(count) / all * std::log2(double(count) / all);
    return bits;
}

const Operation& statistics_operation() {
    return statistics();
}

Result<AnalysisResult> analyzeRows(const Plan& plan, const Image& image, const RegionRows& rows,
                                   const CpuContext& context) {
    const std::string& label = plan.operation->description().label;
    if (plan.variant != kAutomaticVariant)
        return fail(ErrorCode::Unsupported,
                    label + " with this variant counts rectangles only, no ellipse and no polygon");
    if (plan.operation == &histogram_operation())
        return countCpu(static_cast<const HistogramPlan&>(plan), image, context, &rows);
    if (plan.operation == &statistics()) return statistics().analyze(plan, image, &rows, context);
    return fail(ErrorCode::Unsupported,
                label + " counts rectangles only, no ellipse and no polygon");
}

}  // namespace warpscope
