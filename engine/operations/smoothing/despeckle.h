// The median, where a pixel is far from it.
#pragma once

#include <cstdint>

#include "engine/operations/operation.h"

namespace warpscope {

// In the order of the choices.
enum class Speckles { Both, Bright, Dark };

struct DespecklePlan final : Plan {
    // Of median.
    PlanPtr median;
    // In sample units.
    std::int32_t threshold = 50;
    float floatThreshold = 0;
    Speckles which = Speckles::Both;
};

const Operation& despeckle_operation();
CpuBody<DespecklePlan> runDespeckleCpu;

}  // namespace warpscope
