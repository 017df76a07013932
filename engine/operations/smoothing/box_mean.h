// Mean over a square, made from integral images.
#pragma once

#include "engine/operations/operation.h"

namespace warpscope {

inline constexpr int kMaxBoxRadius = 500;

struct BoxMeanPlan final : Plan {
    int radius = 0;
    std::uint32_t count = 1;  // (2 radius + 1)^2, at most 1,002,001
};

const Operation& box_mean_operation();
CpuBody<BoxMeanPlan> runBoxMeanCpu;
// Float samples.
CpuBody<BoxMeanPlan> runBoxMeanFloat;

}  // namespace warpscope
