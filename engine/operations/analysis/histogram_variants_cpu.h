// The published ways to count 8-bit images, on the CPU.
#pragma once

#include "engine/operations/analysis/histogram.h"

namespace warpscope {

// Fills the bins of `set`, which are zero, with the plan's variant. Errors: Cancelled, OutOfMemory.
Result<void> countPublishedCpu(const HistogramPlan& plan, const Image& image,
                               const CpuContext& context, HistogramSet& set);

}  // namespace warpscope
