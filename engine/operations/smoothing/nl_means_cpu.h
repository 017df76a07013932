// The CPU body of nl_means.
#pragma once

#include "engine/operations/smoothing/nl_means.h"

namespace warpscope {

// `in` and `out` have plan.input and plan.size. The bits do not depend on the number of threads.
// Errors: Cancelled, OutOfMemory.
Result<void> runNlMeansCpu(const NlMeansPlan& plan, const Image& in, const MutableImage& out,
                           const CpuContext& context);

}  // namespace warpscope
