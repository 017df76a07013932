// Strength of colours.
#pragma once

#include "engine/operations/operation.h"

namespace warpscope {

struct SaturationPlan final : Plan {
    // round(256 percent / 100), 0 to 1,024.
    std::int32_t amount256 = 256;
};

const Operation& saturation_operation();
CpuBody<SaturationPlan> runSaturationCpu;

}  // namespace warpscope
