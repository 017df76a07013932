// The CPU body of equalize.
#pragma once

#include "engine/operations/tone/equalize.h"

namespace warpscope {

// Counts `image` (which has plan.input, any size) and makes the tables that plan asks for. Errors:
// Cancelled. T is the sample type of the image.
template <class T>
Result<EqualizeTablesOf<T>> equalizeTablesCpu(const EqualizePlan& plan, const Image& image,
                                              const CpuContext& context);

// `in` and `out` have plan.input and plan.size. Errors: Cancelled.
Result<void> runEqualizeCpu(const EqualizePlan& plan, const Image& in, const MutableImage& out,
                            const CpuContext& context);

// min(L - 1, (2 v mapped + luma) / (2 luma)) for the colours v of each pixel, v itself where luma
// is 0; alpha stays. Any combination of values is exact, also those that no pixel of such a luma
// has.
void scaleByLuma(const std::uint8_t* rgba, const std::uint8_t* luma, const std::uint8_t* mapped,
                 std::uint8_t* out, int width);
void scaleByLuma(const std::uint16_t* rgba, const std::uint16_t* luma, const std::uint16_t* mapped,
                 std::uint16_t* out, int width);

}  // namespace warpscope
