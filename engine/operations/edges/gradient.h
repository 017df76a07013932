// How fast luma changes from pixel to pixel.
#pragma once

#include "engine/operations/operation.h"

namespace warpscope {

enum class GradientKernel { Sobel, Scharr, Prewitt };
enum class GradientOutput { Magnitude, Horizontal, Vertical };

struct GradientPlan final : Plan {
    GradientKernel kernel = GradientKernel::Sobel;
    GradientOutput shown = GradientOutput::Magnitude;
};

const Operation& gradient_operation();
CpuBody<GradientPlan> runGradientCpu;

// Weights of the three differences, the outer ones and the one in the middle.
struct GradientWeights {
    int side = 1;
    int centre = 2;
};
constexpr GradientWeights weightsOf(GradientKernel kernel) {
    return kernel == GradientKernel::Scharr    ? GradientWeights{3, 10}
           : kernel == GradientKernel::Prewitt ? GradientWeights{1, 1}
                                               : GradientWeights{1, 2};
}

}  // namespace warpscope
