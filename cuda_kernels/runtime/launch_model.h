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

}  // namespace warpscope::cuda
