// Weighted sums over a rectangle, with weights that anybody may choose.
#pragma once

#include <vector>

#include "engine/operations/operation.h"

namespace warpscope {

inline constexpr int kMaxConvolveSide = 15;

// A weight that is not 0, and where its sample lies from the pixel, in pixels.
struct ConvolveTap {
    int x = 0;
    int y = 0;
    std::int32_t weight = 0;
};

struct ConvolvePlan final : Plan {
    int radiusX = 0;
    int radiusY = 0;
    // Row by row from above, from the left.
    std::vector<ConvolveTap> taps;
    // Above 0: where a negative one is asked for, weights are negated instead.
    std::int32_t divisor = 1;
    // In levels of the format; for float over 255.
    std::int32_t offset = 0;
    double offsetFloat = 0;
    // Of the magnitudes of all weights.
    std::int64_t weightSum = 0;

    // All sums of samples up to `white`, and what is added to them, fit integers of so many bits.
    bool fits(int bits, std::int64_t white) const {
        return weightSum * white + divisor / 2 + white < (std::int64_t(1) << (bits - 1));
    }
};

const Operation& convolve_operation();
CpuBody<ConvolvePlan> runConvolveCpu;

}  // namespace warpscope
