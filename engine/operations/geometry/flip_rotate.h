// Quarter turns and mirror images.
#pragma once

#include "engine/operations/operation.h"

namespace warpscope {

struct FlipRotatePlan final : Plan {
    // Columns of the output are rows of the input.
    bool swapsSides = false;
    // Columns of the input are counted from its right edge, rows from its bottom.
    bool fromRight = false;
    bool fromBottom = false;

    PixelMap inputFromOutput() const override {
        const double xSign = fromRight ? -1 : 1;
        const double ySign = fromBottom ? -1 : 1;
        const double dx = fromRight ? place.reduced.width : 0;
        const double dy = fromBottom ? place.reduced.height : 0;
        if (swapsSides) return {0, xSign, dx, ySign, 0, dy};
        return {xSign, 0, dx, 0, ySign, dy};
    }
};

const Operation& flip_rotate_operation();
CpuBody<FlipRotatePlan> runFlipRotateCpu;

}  // namespace warpscope
