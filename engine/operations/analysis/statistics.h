// What the samples of each channel are like: extremes, mean, percentiles, entropy. An analysis: it
// gives a table with a row a channel.
#pragma once

#include <array>
#include <string>

#include "engine/operations/analysis/histogram.h"

namespace warpscope {

// Of 8 and 16 bits everything follows from counts: those of the channels, each after the other,
// then of colour images those of alpha.
struct StatisticsPlan final : HistogramPlan {};

const Operation& statistics_operation();

// Per cent; minimum and maximum stand at the ends.
inline constexpr std::array<unsigned, 9> kStatisticsPercents = {0, 1, 5, 25, 50, 75, 95, 99, 100};

// A row of the table. NaN and infinities are in `pixels` and, apart, in nothing else.
struct ChannelFigures {
    // "gray", "luma", "red", ...
    std::string channel;
    std::uint64_t pixels = 0;
    std::uint64_t notANumber = 0;
    std::uint64_t infinite = 0;
    // The samples at kStatisticsPercents; NaN where there is no finite one.
    std::array<TableCell, kStatisticsPercents.size()> percentiles;
    double mean = 0;
    double standardDeviation = 0;
    double entropyBits = 0;
    // At or below 0; at or above full scale.
    std::uint64_t black = 0;
    std::uint64_t white = 0;
};

// Bits a sample.
double entropyOf(std::span<const std::uint64_t> bins);

// Float, Gray32 and Gray64, alpha last; with `rows` only their pixels. Errors: Cancelled,
// OutOfMemory.
Result<std::vector<ChannelFigures>> realFiguresCpu(const Image& image, const CpuContext& context,
                                                   const RegionRows* rows = nullptr);

// `histogram` or `statistics` of the pixels of `rows`, which are as high as the image, by the CPU.
// Errors: Unsupported for other analyses and for variants that are not automatic; Cancelled,
// OutOfMemory.
Result<AnalysisResult> analyzeRows(const Plan& plan, const Image& image, const RegionRows& rows,
                                   const CpuContext& context);

}  // namespace warpscope
