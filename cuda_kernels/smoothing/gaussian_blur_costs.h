// What the launches of the Gaussian's kernels cost, and the sizes of blocks that this depends on.
// On the host; nothing here needs a GPU. Samples: of a row; pitches: bytes.
#pragma once

#include <algorithm>

#include "cuda_kernels/runtime/launch_model.h"
#include "cuda_kernels/smoothing/gaussian_blur_choice.h"

namespace warpscope::cuda {

// Of two passes with what the first one made in device memory.
struct TwoPassCost {
    RowsCost rows, columns;
    int bandRows = 1;  // of output, from one filling of the memory
};

inline constexpr unsigned kGaussianThreads = 256;
inline constexpr int kGaussianOutputs = 4;   // of a thread in the row pass, kGaussianThreads apart
inline constexpr int kGaussianRowsEach = 8;  // of a thread in the column pass
inline constexpr int kGaussianTile = int(kGaussianThreads) * kGaussianOutputs;
inline constexpr std::int64_t kGaussianMiddleBytes = std::int64_t(256) << 20;

// As many as memory has room for, 2 radius more with them, and a launch for both passes.
inline int gaussianBandRows(const LaunchLimits& limits, const RowsCost& both, std::int64_t rowBytes,
                            int radius) {
    const std::int64_t byMemory = std::clamp<std::int64_t>(
        kGaussianMiddleBytes / rowBytes - 2 * radius, kGaussianRowsEach, kMaxSide);
    return std::max(kGaussianRowsEach,
                    int(std::min<std::int64_t>(byMemory, cutRows(limits, both).rows)));
}

// gaussian_blur.cu.
inline TwoPassCost gaussianCost(const LaunchLimits& limits, std::int64_t samples, int radius) {
    const std::int64_t tiles = wholeUnits(samples, kGaussianTile);
    const std::int64_t pitch = wholeUnits(samples, 64) * 64;
    // A block makes a whole tile of a row, however short the row is.
    const std::int64_t work = tiles * kGaussianTile * (2 * radius + 1);
    TwoPassCost cost;
    cost.rows = {3 * pitch, work, 1, tiles};
    cost.columns = {3 * pitch, work, kGaussianRowsEach, wholeUnits(samples, kGaussianThreads)};
    cost.bandRows = gaussianBandRows(limits, {6 * pitch, 2 * work}, 2 * pitch, radius);
    return cost;
}

// gaussian_blur_float.cu. `published`: a thread a sample.
inline TwoPassCost gaussianFloatCost(const LaunchLimits& limits, std::int64_t samples, int radius,
                                     bool published) {
    const int tile = published ? 32 : kGaussianTile;
    const std::int64_t bytes = wholeUnits(samples, 64) * 64 * std::int64_t(sizeof(float));
    const std::int64_t work = wholeUnits(samples, tile) * tile * (2 * radius + 1) * 2;
    const std::int64_t across = wholeUnits(samples, kGaussianThreads);
    TwoPassCost cost;
    cost.rows = {2 * bytes, work, 1, published ? across : wholeUnits(samples, tile)};
    cost.columns = {2 * bytes, work, published ? 1 : kGaussianRowsEach, across};
    cost.bandRows = gaussianBandRows(limits, {3 * bytes, 2 * work}, bytes, radius);
    return cost;
}

// Directly over the square; a multiplication and an addition by themselves.
inline RowsCost gaussianFloatDirectCost(std::int64_t samples, std::int64_t pitches, int radius) {
    const std::int64_t side = 2 * radius + 1;
    return {pitches, wholeUnits(samples, 32) * 32 * side * side * 2, 1,
            wholeUnits(samples, kGaussianThreads)};
}

// gaussian_blur_published.cu: a thread a pixel; whole warps, however short the row is.
inline constexpr unsigned kPublishedGaussianThreads = 128;
inline RowsCost gaussianDirectCost(std::int64_t width, int channels, std::int64_t pitches,
                                   int radius) {
    const std::int64_t side = 2 * radius + 1;
    return {pitches, wholeUnits(width, 32) * 32 * side * side * channels * 2, 1,
            wholeUnits(width, kPublishedGaussianThreads)};
}
// Of both passes. Products of 64 bits count twice.
inline RowsCost gaussianSeparableCost(std::int64_t width, int channels, int sampleBytes,
                                      std::int64_t pitches, int radius) {
    const std::int64_t middle = width * (channels == 4 ? 3 : 1) * 2 * sampleBytes;
    return {pitches + middle,
            wholeUnits(width, 32) * 32 * (2 * radius + 1) * channels * 2 * sampleBytes, 1,
            wholeUnits(width, kPublishedGaussianThreads)};
}

// gaussian_blur_banded.cu, a round of its warps. A tensor unit does some 30 products in the time of
// one ordinary multiplication.
inline constexpr int kBandedStrip = 32;
inline constexpr int kBandedRound = 4 * 32;
constexpr int bandedBlocks(int radius) {
    return 1 + (radius + 15) / 16;
}
inline RowsCost gaussianBandedCost(std::int64_t width, int channels, std::int64_t pitches,
                                   int radius) {
    const std::int64_t across = wholeUnits(width, kBandedStrip);
    return {pitches, across * kBandedStrip * channels * bandedBlocks(radius) * 24, kBandedRound,
            across};
}

// gaussian_blur_warpgroup.cuh, a step of a warpgroup. As of the banded one.
constexpr int warpgroupSteps(int radius) {
    return 2 + (radius + 15) / 16;
}
inline RowsCost gaussianWarpgroupCost(std::int64_t width, int channels, std::int64_t pitches,
                                      int radius) {
    const std::int64_t across = wholeUnits(width, kWarpgroupSide);
    return {pitches, across * kWarpgroupSide * channels * warpgroupSteps(radius) * 24,
            kWarpgroupSide, across};
}

}  // namespace warpscope::cuda
