// How far an image of sums, or of numbers of regions, reaches: all of its samples are looked at.
#pragma once

#include "engine/base/row_bands.h"
#include "engine/image/image.h"

namespace warpscope {

// The largest sample of a Gray32 or Gray64 image; remembered for a few large ones, at which
// naturalRange() then looks no more. Any thread. Errors: Cancelled.
Result<double> largestSum(const Image& image, const CpuContext& context);

}  // namespace warpscope
