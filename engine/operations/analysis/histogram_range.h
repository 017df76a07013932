// Counting over a chosen range of values: where one sample of 1e30 would put all others into one
// bin, and where a part of the axis is looked at closely.
#pragma once

#include <array>

#include "engine/base/row_bands.h"
#include "engine/image/histogram.h"
#include "engine/image/image.h"
#include "engine/image/region_shape.h"

namespace warpscope {

struct RangeCounts {
    // `low` and `high` are the range; all channels of the image.
    HistogramSet set;
    // Finite pixels beside the range, by HistogramChannel.
    std::array<std::uint64_t, 4> below{};
    std::array<std::uint64_t, 4> above{};
};

// Float, Gray32 or Gray64 in equally wide bins; a value on an edge between two counts in the upper
// one, `high` in the last. Errors: InvalidArgument for samples of 8 or 16 bits, whose bins are
// values already, for a range that is empty or not finite, and for no bins; Cancelled, OutOfMemory.
// With `rows`, which are as high as the image, only their pixels.
Result<RangeCounts> countInRange(const Image& image, double low, double high, int bins,
                                 const CpuContext& context, const RegionRows* rows = nullptr);

}  // namespace warpscope
