// What the launches of medians, bilateral and guided filters cost, and the sizes of blocks that
// this depends on. On the host; nothing here needs a GPU. Samples: of a row; pitches: bytes.
#pragma once

#include <algorithm>
#include <bit>

#include "cuda_kernels/runtime/launch_model.h"

namespace warpscope::cuda {

// Slow devices do 2 operations on doubles while they do 64 multiplications of integers.
inline constexpr std::int64_t kWorkOfDouble = 32;

// median_float.cu: a thread a sample.
inline constexpr unsigned kMedianThreads = 128;
// median_tiles.cuh: blocks of tiles, made twice on devices without minima of pairs.
inline constexpr int kMedianTileWidth = 128, kMedianTileHeight = 32;
inline RowsCost medianTilesCost(std::int64_t width, int colours, std::int64_t pitches, int radius) {
    const std::int64_t window = std::int64_t(2 * radius + 1) * (2 * radius + 1);
    const std::int64_t blocks = wholeUnits(width, kMedianTileWidth);
    return {pitches, blocks * kMedianTileWidth * colours * window * 4, kMedianTileHeight, blocks};
}
// median_columns.cu: blocks that go down strips, with counts of two columns a thread.
inline constexpr int kMedianColumnThreads = 128;  // at most
inline constexpr int kMedianColumnBlocks = 6;     // resident ones of so many threads, at most
inline constexpr int kMedianColumnBytes = 148;    // of shared memory, a column
constexpr int medianColumnsBeside(int radius) {   // of those that a block makes, on each side
    return radius + (radius & 1);
}
struct MedianColumns {
    int threads = 0;   // of a block: whole warps
    int resident = 0;  // blocks of a multiprocessor
    int across = 0;    // blocks beside each other, of each colour
    int rows = 0;      // of a strip, if a launch may have them
};
// `sharedPerBlock`: at least 48 KiB; a multiprocessor has a reserved KiB more. Small blocks wait
// less at their barriers; of those that leave room for as many threads the largest count the fewest
// columns beside their own.
inline MedianColumns medianColumns(Size size, int colours, int radius, int multiprocessors,
                                   std::size_t sharedPerBlock) {
    constexpr int kReserved = 1024, kLeastRows = 4;
    const auto fitting = [&](int threads) {
        const int bytes = threads * 2 * kMedianColumnBytes + kReserved;
        return std::min((int(sharedPerBlock) + kReserved) / bytes,
                        kMedianColumnBlocks * kMedianColumnThreads / threads);
    };
    int most = 0;
    for (const int threads : {kMedianColumnThreads, kMedianColumnThreads - 32}) {
        if (most == 0 || fitting(threads) * threads > fitting(most) * most) most = threads;
    }
    const int beside = 2 * medianColumnsBeside(radius);
    const std::int64_t blocks = wholeUnits(size.width, 2 * most - beside);
    MedianColumns made;
    made.threads = int(wholeUnits(wholeUnits(size.width, blocks) + beside, 64)) * 32;
    made.resident = fitting(made.threads);  // of narrow images more
    made.across = int(wholeUnits(size.width, 2 * made.threads - beside));
    const int strips = std::max(1, made.resident * multiprocessors / (made.across * colours));
    made.rows = std::max(kLeastRows, int(wholeUnits(size.height, strips)));
    return made;
}
// A pixel is some 110 instructions and 9 for each column of its window. The rows that a strip
// begins with are only counted.
inline StripsCost medianColumnsCost(const MedianColumns& shape, int colours, std::int64_t pitches,
                                    int radius) {
    const std::int64_t columns = std::int64_t(shape.across) * shape.threads * 2 * colours;
    const int side = 2 * radius + 1;
    return {{pitches, columns * (110 + 9 * side)}, columns * 2 * radius * 35, side};
}
inline RowsCost medianFloatCost(std::int64_t samples, std::int64_t pitches, int radius) {
    const std::int64_t window = std::int64_t(2 * radius + 1) * (2 * radius + 1);
    const std::int64_t work = radius == 1 ? 40 : radius == 2 ? 250 : window * 32 * 4;
    return {pitches, samples * work, 1, wholeUnits(samples, kMedianThreads)};
}

// bilateral.cu.
inline constexpr int kBilateralWidth = 32, kBilateralHeight = 8;  // of a block
inline RowsCost bilateralCost(std::int64_t width, int channels, int sampleBytes,
                              std::int64_t pitches, int radius) {
    const std::int64_t side = 2 * radius + 1;
    return {pitches, width * side * side * (sampleBytes == 4 ? 40 : 4 + 4 * channels),
            kBilateralHeight, wholeUnits(width, kBilateralWidth)};
}

// Strips along a row of threads that have some pixels each: those at both ends of a strip are there
// for the sums of their columns alone.
constexpr int stripThreadsBefore(int radius, int pixels) {
    return (radius + pixels - 1) / pixels;
}
constexpr int stripThreadsAfter(int radius, int pixels) {
    return radius / pixels + 1;
}
constexpr std::int64_t stripsAcross(std::int64_t width, int radius, int members, int pixels) {
    const int ends = stripThreadsBefore(radius, pixels) + stripThreadsAfter(radius, pixels);
    return wholeUnits(width, (members - ends) * pixels);
}

// sliding_sums.cuh. `columns`: of all threads; the rows that a strip begins with are only added up.
inline StripsCost slidingCost(std::int64_t columns, int channels, std::int64_t pitches,
                              int radius) {
    const std::int64_t work = columns * channels * 24;
    const int side = 2 * radius + 1;
    return {{pitches, work}, side * work / 3, side};
}

// guided_filter.cu: both sums of a window, along a row in tiles and down the columns of a block.
inline constexpr int kGuidedTile = 512;
inline constexpr int kGuidedColumns = 8, kGuidedRows = kGuidedTile / kGuidedColumns;
inline std::int64_t guidedAdditions(int radius) {
    return 2 * (std::bit_width(unsigned(radius)) + 2) * kWorkOfDouble;
}
inline RowsCost guidedRowsCost(std::int64_t width, std::int64_t pitches, int radius) {
    const std::int64_t tiles = wholeUnits(width, kGuidedTile);
    return {pitches, tiles * (kGuidedTile + 2 * radius) * guidedAdditions(radius), 1, tiles};
}
// A block takes in more rows than it makes.
inline RowsCost guidedColumnsCost(std::int64_t width, std::int64_t pitches, int radius) {
    const std::int64_t tiles = wholeUnits(width, kGuidedColumns);
    const std::int64_t taken = kGuidedRows + 2 * radius;
    return {pitches * (kGuidedRows + taken) / kGuidedRows,
            tiles * kGuidedColumns * taken * guidedAdditions(radius) / kGuidedRows, kGuidedRows,
            tiles};
}

// guided_filter_bytes.cu.
inline constexpr int kStripPixels = 4;
struct GuidedBytesCost {
    StripsCost lines, means;
};
// `lineBytes`: a row of a and b. A warp by itself (32 members) or four.
inline GuidedBytesCost guidedBytesCost(std::int64_t width, int colours, int radius, int members,
                                       std::int64_t lineBytes, std::int64_t inPitch,
                                       std::int64_t outPitch) {
    const std::int64_t columns =
        stripsAcross(width, radius, members, kStripPixels) * members * kStripPixels;
    const int side = 2 * radius + 1;
    GuidedBytesCost cost;
    cost.lines = {{2 * inPitch + lineBytes, columns * (colours == 1 ? 16 : 50) * kWorkOfDouble},
                  side * columns * colours * 13,
                  side};
    cost.means = {{2 * lineBytes + inPitch + outPitch, columns * colours * 32 * kWorkOfDouble},
                  side * columns * colours * 4 * kWorkOfDouble,
                  side};
    return cost;
}

// guided_ties.cuh: both sums of a window, for a sample.
inline std::int64_t guidedTieWork(int radius) {
    return std::int64_t(2 * radius + 1) * (2 * radius + 1) * 2 * kWorkOfDouble;
}
inline std::int64_t guidedTiesOfLaunch(const LaunchLimits& limits, int radius) {
    return std::max<std::int64_t>(1, limits.multiplications / guidedTieWork(radius));
}

}  // namespace warpscope::cuda
