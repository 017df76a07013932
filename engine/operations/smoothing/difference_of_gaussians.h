// The difference of two Gaussian blurs.
#pragma once

#include <cstdint>

#include "engine/operations/operation.h"

namespace warpscope {

struct DifferenceOfGaussiansPlan final : Plan {
    // Of gaussian_blur.
    PlanPtr small, large;
    std::int32_t gain = 1;
};

const Operation& difference_of_gaussians_operation();
CpuBody<DifferenceOfGaussiansPlan> runDifferenceOfGaussiansCpu;

}  // namespace warpscope
