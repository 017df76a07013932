// The CPU body of equalize.
#pragma once

#include "engine/operations/equalize.h"

namespace warpscope {

// Counts `image` (which has plan.input, any size) and makes the tables that plan asks for. Errors:
// Cancelled.
Result<EqualizeTables> equalizeTablesCpu(const EqualizePlan& plan, const Image& image,
                                         const CpuContext& context);

// `in` and `out` have plan.input and plan.size. Errors: Cancelled.
Result<void> runEqualizeCpu(const EqualizePlan& plan, const Image& in, const MutableImage& out,
                            const CpuContext& context);

}  // namespace warpscope
