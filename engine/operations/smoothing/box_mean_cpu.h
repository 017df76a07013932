// The CPU body of box_mean.
#pragma once

#include "engine/operations/smoothing/box_mean.h"

namespace warpscope {

// `in` and `out` have plan.input and plan.size. Errors: Cancelled, OutOfMemory.
Result<void> runBoxMeanCpu(const BoxMeanPlan& plan, const Image& in, const MutableImage& out,
                           const CpuContext& context);

}  // namespace warpscope
