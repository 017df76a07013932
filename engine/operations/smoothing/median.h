// Median over a square, channel by channel.
#pragma once

#include "engine/operations/operation.h"

namespace warpscope {

inline constexpr int kMaxMedianRadius = 7;

struct MedianPlan final : Plan {
    int radius = 1;
};

const Operation& median_operation();
CpuBody<MedianPlan> runMedianCpu;

}  // namespace warpscope
