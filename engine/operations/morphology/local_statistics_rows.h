// The vector code of local_statistics for integers: single rows, without any knowledge of images or
// threads. Values are taken from the middle of their range: the variance is the same, and sums of
// squares of 8 bits stay below 2^30, those of 16 bits below 2^46. Whole vectors: sums have room for
// 64 more, rows of results for whole lines of 64 bytes.
#pragma once

#include <cstdint>

namespace warpscope {

// A row enters sums of columns, and squares of them, and one leaves.
void statisticsMove(const std::uint8_t* entering, const std::uint8_t* leaving, std::int32_t* sums,
                    std::int32_t* squares, int samples);
void statisticsMove(const std::uint16_t* entering, const std::uint16_t* leaving, std::int32_t* sums,
                    std::int64_t* squares, int samples);

// sums[i] = values[i] + values[i - channels] + ..., modulo the size of a sum: differences that fit
// in one are right.
void statisticsAddUp(const std::int32_t* values, int channels, std::int32_t* sums, int samples);
void statisticsAddUp(const std::int64_t* values, int channels, std::int64_t* sums, int samples);

// Such sums up to where the windows end and to before where they start, of values and of squares:
// those of a window are the differences.
template <class Square>
struct StatisticsSums {
    const std::int32_t* end;
    const std::int32_t* start;
    const Square* squaresEnd;
    const Square* squaresStart;
};

// The variances of windows of n values, or their roots.
void statisticsResults(const StatisticsSums<std::int32_t>& sums, std::uint32_t n, bool root,
                       std::uint8_t* out, int samples);
void statisticsResults(const StatisticsSums<std::int64_t>& sums, std::uint32_t n, bool root,
                       std::uint16_t* out, int samples);

}  // namespace warpscope
