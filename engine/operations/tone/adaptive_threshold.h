// Black and white by the mean around each pixel.
#pragma once

#include "engine/operations/operation.h"

namespace warpscope {

struct AdaptiveThresholdPlan final : Plan {
    int radius = 1;
    // (2 radius + 1)^2, at most 1,002,001.
    std::int32_t count = 9;
    // In samples: of 8 and 16 bits, and of float.
    std::int32_t offset = 0;
    float offsetFloat = 0;
};

const Operation& adaptive_threshold_operation();
CpuBody<AdaptiveThresholdPlan> runAdaptiveThresholdCpu;

}  // namespace warpscope
