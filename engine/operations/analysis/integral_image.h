// Integral image (summed-area table): inclusive sums of all samples above and to the left.
#pragma once

#include "engine/operations/operation.h"

namespace warpscope {

struct IntegralImagePlan final : Plan {
    // Colour input is summed as weighted601, rounded per pixel. Output Gray32 if 255 w h (65,535 w
    // h for 16 bits) stays under 2^32, else Gray64.
    bool fromColor = false;
};

const Operation& integral_image_operation();
CpuBody<IntegralImagePlan> runIntegralImageCpu;
// The plan's variant, not automatic, in scalar code as its text describes it.
CpuBody<IntegralImagePlan> runIntegralImagePublished;

// The format of the sums for an input of this format and size.
PixelFormat integralFormat(PixelFormat input, Size size);

}  // namespace warpscope
