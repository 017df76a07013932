// The CPU bodies of integral_image.
#pragma once

#include <string_view>

#include "engine/operations/analysis/integral_image.h"

namespace warpscope {

inline constexpr std::string_view kRowsThenColumnsVariant = "rows_then_columns";
inline constexpr std::string_view kBlocked4x4Variant = "blocked_4x4";

// `in` has plan.input, `out` plan.output, both plan.size. Errors: Cancelled, OutOfMemory.
Result<void> runIntegralImageCpu(const IntegralImagePlan& plan, const Image& in,
                                 const MutableImage& out, const CpuContext& context);

// The published variants, all in scalar code as their texts describe them. Same contract.
Result<void> runRowsThenColumns(const IntegralImagePlan& plan, const Image& in,
                                const MutableImage& out, const CpuContext& context);
Result<void> runBlocked4x4(const IntegralImagePlan& plan, const Image& in, const MutableImage& out,
                           const CpuContext& context);

}  // namespace warpscope
