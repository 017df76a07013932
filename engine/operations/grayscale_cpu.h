// The CPU body of grayscale.
#pragma once

#include "engine/operations/grayscale.h"

namespace warpscope {

// `in` has plan.input, `out` plan.output, both plan.size. Errors: Cancelled.
Result<void> runGrayscaleCpu(const GrayscalePlan& plan, const Image& in, const MutableImage& out,
                             const CpuContext& context);

}  // namespace warpscope
