// Exact statistics of all samples of a channel.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/row_bands.h"
#include "engine/image/image.h"
#include "engine/image/region_shape.h"

namespace warpscope {

struct ChannelStatistics {
    double minimum = 0;  // of the finite samples
    double maximum = 0;
    double mean = 0;
    double standardDeviation = 0;  // of the population
    std::uint64_t count = 0;       // finite samples
    std::uint64_t notFinite = 0;
    std::uint64_t notANumber = 0;  // of notFinite; the others are infinite
};

// One entry a channel in storage order (R, G, B, A or gray). With `rows`, which are as high as the
// image, only of their pixels. Errors: Cancelled.
Result<std::vector<ChannelStatistics>> computeStatistics(const Image& image,
                                                         const CpuContext& context,
                                                         const RegionRows* rows = nullptr);

}  // namespace warpscope
