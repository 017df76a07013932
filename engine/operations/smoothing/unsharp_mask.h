// Sharpens by what a Gaussian blur takes away.
#pragma once

#include <cstdint>

#include "engine/operations/operation.h"

namespace warpscope {

struct UnsharpMaskPlan final : Plan {
    // Of gaussian_blur.
    PlanPtr blur;
    // Of the difference, in 1/256.
    std::int32_t amount = 256;
    // In sample units: differences up to it stay as they are.
    std::int32_t threshold = 0;
    float floatThreshold = 0;
};

const Operation& unsharp_mask_operation();
CpuBody<UnsharpMaskPlan> runUnsharpMaskCpu;

}  // namespace warpscope
