// Two images of one size into one.
#pragma once

#include "engine/operations/operation.h"

namespace warpscope {

// In the order of the choices.
enum class BlendMode {
    Difference,
    SignedDifference,
    Add,
    Subtract,
    Multiply,
    Screen,
    Minimum,
    Maximum,
    Average,
    Normal,
    Mask
};

struct BlendPlan final : Plan {
    BlendMode mode = BlendMode::Difference;
    // Of what the mode makes, in 1/256; the rest is the input's.
    std::uint32_t weight = 256;
};

const Operation& blend_operation();
CpuBodyOfTwo<BlendPlan> runBlendCpu;

}  // namespace warpscope
