// The CPU body of median.
#pragma once

#include "engine/operations/smoothing/median.h"

namespace warpscope {

// `in` and `out` have plan.input and plan.size. Errors: Cancelled, OutOfMemory.
Result<void> runMedianCpu(const MedianPlan& plan, const Image& in, const MutableImage& out,
                          const CpuContext& context);

}  // namespace warpscope
