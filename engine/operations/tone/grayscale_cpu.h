// The CPU body of grayscale, and its row for others that need luma.
#pragma once

#include "engine/operations/tone/grayscale.h"

namespace warpscope {

// `in` has plan.input, `out` plan.output, both plan.size. Errors: Cancelled.
Result<void> runGrayscaleCpu(const GrayscalePlan& plan, const Image& in, const MutableImage& out,
                             const CpuContext& context);

// One row of weighted601 luma; `rgba` has 4 `width` samples.
void lumaRow(const std::uint8_t* rgba, std::uint8_t* luma, int width);
void lumaRow(const std::uint16_t* rgba, std::uint16_t* luma, int width);

}  // namespace warpscope
