// The CPU body of gaussian_blur.
#pragma once

#include "engine/operations/smoothing/gaussian_blur.h"

namespace warpscope {

// `in` and `out` have plan.input and plan.size. Errors: Cancelled, OutOfMemory.
Result<void> runGaussianBlurCpu(const GaussianBlurPlan& plan, const Image& in,
                                const MutableImage& out, const CpuContext& context);

}  // namespace warpscope
