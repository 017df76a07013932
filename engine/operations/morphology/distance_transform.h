// How far each non-zero pixel is from the nearest zero pixel.
#pragma once

#include <cstdint>

#include "engine/operations/operation.h"

namespace warpscope {

struct DistanceTransformPlan final : Plan {
    // Gray32; else GrayF32 of the roots.
    bool squared = true;
    // Pixels of the whole for each pixel of a reduced copy, in both directions: distances are those
    // of the whole.
    std::uint32_t reduction = 1;
};

// What stands where no zero pixel is.
inline constexpr std::uint32_t kNoSquaredDistance = 0xffffffffu;

// Distances within a column that are this large mean that the column has no zero pixel.
inline constexpr std::uint32_t kFarColumn = 1u << 24;

const Operation& distance_transform_operation();
CpuBody<DistanceTransformPlan> runDistanceTransformCpu;

}  // namespace warpscope
