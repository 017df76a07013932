// Mean of the neighbours that are near and alike.
#pragma once

#include <vector>

#include "engine/operations/operation.h"

namespace warpscope {

inline constexpr int kMaxBilateralRadius = 15;

struct BilateralPlan final : Plan {
    int radius = 1;
    // Of the rows -radius to radius: the largest column offset inside the disk.
    std::vector<int> reach;
    // Integers: weights of offsets, |dy| (radius + 1) + |dx|, up to 256.
    std::vector<std::uint32_t> space;
    // Of distances of levels, shifted right by `rangeShift` after half of it was added; up to 256,
    // never rising. The last entry holds for all larger distances.
    std::vector<std::uint32_t> range;
    int rangeShift = 0;
    // Float: the same of offsets; exp2(-falloff d^2) of distances.
    std::vector<float> floatSpace;
    float falloff = 0;

    std::size_t spaceIndex(int dx, int dy) const {
        return std::size_t((dy < 0 ? -dy : dy) * (radius + 1) + (dx < 0 ? -dx : dx));
    }
};

// Of the series for 2^f with -0.5 <= f <= 0.5, from f^7 down: both backends take the same steps.
inline constexpr float kBilateralExp[] = {1.525273e-5f,  1.540353e-4f, 1.3333558e-3f, 9.618129e-3f,
                                          5.5504109e-2f, 0.24022651f,  0.69314718f,   1.0f};
// What is below 2^-this counts as nothing.
inline constexpr float kBilateralFaint = 126.0f;

const Operation& bilateral_operation();
CpuBody<BilateralPlan> runBilateralCpu;

}  // namespace warpscope
