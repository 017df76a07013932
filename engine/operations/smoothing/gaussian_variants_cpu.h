// The published ways to run gaussian_blur, on the CPU.
#pragma once

#include "engine/operations/smoothing/gaussian_blur.h"

namespace warpscope {

// The plan's variant, not automatic; 8 and 16 bits. Errors: Cancelled, OutOfMemory.
Result<void> runGaussianPublishedCpu(const GaussianBlurPlan& plan, const Image& in,
                                     const MutableImage& out, const CpuContext& context);

}  // namespace warpscope
