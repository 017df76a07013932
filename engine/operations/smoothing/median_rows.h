// The vector code of median beyond its networks (median_networks.h): single rows, without any
// knowledge of images or threads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpscope {

// Samples that rows given to selectMedian have room for on both sides.
inline constexpr int kMedianPadding = 64;
std::ptrdiff_t medianPitch(int samples);

// One output row by selection bit by bit, any radius up to 7. rows[i][k], k from -radius channels
// to samples + radius channels - 1, are the samples with the edge repeated, readable for 64 more.
void selectMedian(const std::uint16_t* const* rows, int radius, int samples, int channels,
                  std::uint16_t* out);
void selectMedian(const std::int32_t* const* rows, int radius, int samples, int channels,
                  std::int32_t* out);

// A histogram of the 2 radius + 1 samples of each column: 256 bins in `fine`, the same in sixteen
// bins of sixteen levels in `coarse`. Medians of `count` neighbouring squares, the first one over
// columns 0 to 2 radius; written `stride` samples apart.
void slideHistograms(const std::uint8_t* fine, const std::uint8_t* coarse, int radius, int count,
                     std::uint8_t* out, int stride);

}  // namespace warpscope
