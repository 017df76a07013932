// Thin edges, followed from where they are strong to where they are weak.
#pragma once

#include "engine/operations/operation.h"

namespace warpscope {

struct CannyPlan final : Plan {
    // In levels of the format; low is not above high.
    int low = 0;
    int high = 0;
};

// Of 16 bits: an edge is flatter than 22.5 degrees where |gy| 2^15 < |gx| kTangent22, and steeper
// than 67.5 where |gy| 2^15 > |gx| (kTangent22 + 2^16).
inline constexpr int kTangent22 = 13573;

// What stands in the output until edges have been followed, beside 0 and white.
inline constexpr int kWeakEdge = 1;

const Operation& canny_operation();
CpuBody<CannyPlan> runCannyCpu;

}  // namespace warpscope
