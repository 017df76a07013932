// How long one launch lasts on the slowest supported device, by arithmetic: a stop takes effect
// between two launches, and none is to last longer than 50 ms. What the figures mean and where they
// are not kept stands in cuda_kernels/README.md; tests/devices/launch_model_test.cpp computes it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/image/pixel_format.h"

namespace warpscope::cuda {

inline constexpr double kMostLaunchMs = 50;

// Multiplications of one multiprocessor a second: 64 of 32 bits a cycle at 1 GHz, of which kernels
// reach a quarter. Other instructions count as what they cost in these.
inline constexpr double kMultiplicationsPerSecond = 16e9;

struct ModelDevice {
    int multiprocessors = 0;
    double bytesPerSecond = 0;
};
// The smallest cards of compute capability 7.5, and of 8.0 and more (tensor units for integers).
inline constexpr ModelDevice kSlowestDevice{6, 80e9};
inline constexpr ModelDevice kSlowestTensorDevice{10, 80e9};

inline double launchMs(const ModelDevice& device, double bytes, double multiplications) {
    return 1000 * std::max(bytes / device.bytesPerSecond,
                           multiplications / (device.multiprocessors * kMultiplicationsPerSecond));
}

// What KernelContext allows a launch: 13 ms of bytes and 20 of multiplications on the slowest
// device, which leaves room for what the model has wrong.
inline constexpr std::int64_t kBytesPerLaunch = std::int64_t(1) << 30;
inline constexpr std::int64_t multiplicationsForLaunch(int multiprocessors) {
    return std::int64_t(multiprocessors) * 320'000'000;
}

// At least 1: a row is the least that a caller can launch.
inline int rowsWithin(std::int64_t mostBytes, std::int64_t mostMultiplications,
                      std::int64_t bytesPerRow, std::int64_t multiplicationsPerRow) {
    const std::int64_t byBytes = mostBytes / std::max<std::int64_t>(1, bytesPerRow);
    const std::int64_t byWork =
        mostMultiplications / std::max<std::int64_t>(1, multiplicationsPerRow);
    return int(std::clamp<std::int64_t>(std::min(byBytes, byWork), 1, kMaxSide));
}

constexpr std::int64_t wholeUnits(std::int64_t n, std::int64_t unit) {
    return (n + unit - 1) / unit;
}

// What a launch may move and do.
struct LaunchLimits {
    std::int64_t bytes = 0;
    std::int64_t multiplications = 0;

    static constexpr LaunchLimits of(const ModelDevice& device) {
        return {kBytesPerLaunch, multiplicationsForLaunch(device.multiprocessors)};
    }
};

// What a row costs, and the blocks that make `group` rows together, which are numbered along these.
struct RowsCost {
    std::int64_t bytes = 0;
    std::int64_t multiplications = 0;
    int group = 1;
    std::int64_t blocks = 1;
};

// How a kernel's blocks are cut into launches: whole groups of rows, or blocks of one group where
// that is too much for a launch.
struct LaunchCut {
    int rows = 1;             // that are given to a launch or, if they are one group, to several
    std::int64_t blocks = 1;  // of a launch, at most

    // Launches that so many blocks take.
    int pieces(std::int64_t ofBlocks) const {
        return int(std::max<std::int64_t>(1, (ofBlocks + blocks - 1) / blocks));
    }
};

inline LaunchCut cutRows(const LaunchLimits& limits, const RowsCost& cost) {
    const std::int64_t bytes = std::max<std::int64_t>(1, cost.bytes),
                       work = std::max<std::int64_t>(1, cost.multiplications);
    const std::int64_t rows = std::min(limits.bytes / bytes, limits.multiplications / work);
    if (rows >= cost.group) {
        const auto whole = int(std::min<std::int64_t>(rows, kMaxSide) / cost.group * cost.group);
        return {whole, whole / cost.group * cost.blocks};
    }
    // A share of the group, at least a block of it.
    const double share = std::min(double(limits.bytes) / double(bytes),
                                  double(limits.multiplications) / double(work)) /
                         cost.group;
    return {cost.group, std::max<std::int64_t>(1, std::int64_t(share * double(cost.blocks)))};
}

// Blocks of a launch; none where a pass has fewer pieces than others of its kind.
struct BlockRange {
    unsigned first = 0;
    unsigned count = 0;

    BlockRange(const LaunchCut& cut, int piece, unsigned blocks)
        : first(unsigned(std::min<std::int64_t>(piece * cut.blocks, blocks))),
          count(unsigned(std::min<std::int64_t>(cut.blocks, blocks - first))) {}
};

// Of strips that begin with the rows of a window: what `row` says for each row, and `workOfStart`
// once a strip.
struct StripsCost {
    RowsCost row;
    std::int64_t workOfStart = 0;
    int windowRows = 1;

    // Rows of a strip at most. Those that are lower than a window mostly begin.
    int mostRows(const LaunchLimits& limits) const {
        return std::max(cutRows(limits, row).rows, windowRows);
    }
    // `across`: strips beside each other, which stand for blocks.
    RowsCost ofStrips(int rows, std::int64_t across) const {
        return {row.bytes, row.multiplications + workOfStart / rows, rows, across};
    }
};

// How long the longest launch of so many rows lasts.
inline double launchMs(const ModelDevice& device, const RowsCost& cost, const LaunchCut& cut,
                       std::int64_t rows) {
    const double most = double(cut.blocks) / double(cost.blocks) * cost.group;
    const double taken = std::min(double(rows), most);
    return launchMs(device, taken * double(cost.bytes), taken * double(cost.multiplications));
}

}  // namespace warpscope::cuda
