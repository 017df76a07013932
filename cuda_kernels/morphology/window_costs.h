// What launches of morphology.cu, square.cu, distance_transform.cu and local_statistics.cu cost,
// and the sizes of blocks that this depends on. On the host; nothing here needs a GPU. Samples: of
// a row; pitches: bytes.
#pragma once

#include <algorithm>
#include <bit>

#include "cuda_kernels/runtime/launch_model.h"

namespace warpscope::cuda {

inline constexpr unsigned kMorphologyThreads = 256;

inline constexpr int kMorphologyTile = 4 * int(kMorphologyThreads);
inline RowsCost morphologyRowsCost(std::int64_t samples, int channels, std::int64_t pitches,
                                   int radius) {
    const std::int64_t tiles = wholeUnits(samples, kMorphologyTile);
    // A block makes a whole tile, however short the row is.
    const std::int64_t wide = kMorphologyTile + 2 * radius * channels;
    return {pitches, tiles * wide * 2 * (2 + std::bit_width(unsigned(radius))), 1, tiles};
}
// A thread takes a word of a window's rows.
inline RowsCost morphologyColumnsCost(std::int64_t words, std::int64_t pitches, int radius) {
    return {pitches, words * 16, 2 * radius + 1, wholeUnits(words, kMorphologyThreads)};
}

inline constexpr int kDiskTile = 2 * int(kMorphologyThreads);
// Rows that a block of a disk makes from the same tables.
inline constexpr int kDiskRows = 8;
inline RowsCost diskCost(std::int64_t samples, int channels, std::int64_t pitches, int radius) {
    const std::int64_t side = 2 * radius + 1, levels = std::bit_width(unsigned(side));
    const std::int64_t tiles = wholeUnits(samples, kDiskTile);
    const std::int64_t wide = kDiskTile + 2 * radius * channels;
    const std::int64_t tables = wide * levels * (kDiskRows + 2 * radius) / kDiskRows;
    return {pitches, tiles * 2 * (kDiskTile * side + tables), kDiskRows, tiles};
}

// square.cu: lanes of some pixels at each end of a warp are there for their columns alone.
constexpr int squareSpareLanes(int radius, int pixels) {
    return (radius + pixels - 1) / pixels;
}
constexpr std::int64_t squareStripsAcross(std::int64_t width, int radius, int pixels) {
    return wholeUnits(width, (32 - 2 * squareSpareLanes(radius, pixels)) * pixels);
}
// `columns`: of all lanes; the rows of a window are first only compared down.
inline StripsCost squareStripsCost(std::int64_t columns, int channels, std::int64_t pitches,
                                   int radius, bool both) {
    const std::int64_t work = columns * channels * (both ? 32 : 16);
    const int side = 2 * radius + 1;
    return {{pitches, work}, side * work / 3, side};
}

// distance_transform.cu, of long sides: at worst every column is looked at for each group of 32.
inline RowsCost nearestColumnsCost(std::int64_t width, std::int64_t bytes, int groupsOfBlock) {
    const std::int64_t groups = wholeUnits(width, 32);
    return {bytes, groups * width * 4 + width * 32 * 4, 1, wholeUnits(groups, groupsOfBlock)};
}

// Sums of columns of integers: a thread takes a strip, which begins with a window's rows.
inline constexpr unsigned kStatisticsThreads = 256;
inline int columnStripRows(int radius) {
    return std::max(32, 2 * radius + 1);
}
inline RowsCost columnSumsCost(std::int64_t samples, std::int64_t pitch, std::int64_t sumBytes,
                               int radius) {
    const int rows = columnStripRows(radius);
    return {sumBytes + pitch * 2 + pitch * 2 * radius / rows,
            samples * 6 * (rows + 2 * radius) / rows, rows,
            wholeUnits(samples, kStatisticsThreads)};
}

// Slow devices do 2 operations on doubles while they do 64 multiplications of integers.
inline RowsCost floatStatisticsCost(std::int64_t samples, std::int64_t pitches, int radius) {
    constexpr std::int64_t kDouble = 32;
    return {pitches, samples * (2 * radius + 1) * 5 * kDouble, 1,
            wholeUnits(samples, kStatisticsThreads)};
}

}  // namespace warpscope::cuda
