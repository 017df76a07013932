// How much a pixel differs from its neighbours.
#pragma once

#include "engine/operations/operation.h"

namespace warpscope {

struct LaplacianPlan final : Plan {
    // 4 or 8.
    int neighbours = 4;
    // Around middle gray; else without sign.
    bool isSigned = false;
};

const Operation& laplacian_operation();
CpuBody<LaplacianPlan> runLaplacianCpu;

}  // namespace warpscope
