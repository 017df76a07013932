// The vector code of gaussian_blur for 8-bit samples: single rows, without any knowledge of images
// or threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpscope {

// Output rows that one call of gaussianColumns makes together.
inline constexpr int kGaussianRowsAtOnce = 4;
// Rows of samples between passes are cut in whole blocks of this many samples.
inline constexpr int kGaussianBlock = 128;

// Weights as signed 16-bit factors, which pairwise multiply-add needs. A centre beyond 32,767 is
// taken in two parts.
struct GaussianWeights {
    explicit GaussianWeights(const std::vector<std::uint32_t>& taps);

    int count = 0;           // 2 radius + 1
    std::int16_t extra = 0;  // what the centre has beyond 32,767
    // The weights from index kBefore on, zeros around them.
    static constexpr int kBefore = 4;
    std::vector<std::int16_t> padded;
};

// Samples of one row as 16-bit integers, a plane a colour (R, G, B; alpha is left out), the edge
// pixel repeated `radius` times before and at least `radius` times after, then readable up to
// paddedLength().
void gaussianSpread(const std::uint8_t* row, int width, int channels, int radius,
                    std::int16_t* planes, std::ptrdiff_t planeLength);
std::ptrdiff_t gaussianPaddedLength(int width, int radius);

// `count` (a multiple of kGaussianBlock) row sums (sum + 128) >> 8, stored as value - 32,768 so
// that they too are signed factors. `padded` holds sample -radius first.
void gaussianRow(const std::int16_t* padded, const GaussianWeights& weights, std::int16_t* out,
                 int count);

// kGaussianRowsAtOnce output rows of `count` samples (a multiple of 64): (sum + 2^23) >> 24. Output
// row k is the sum over rows[k] to rows[k + weights.count - 1]; there are weights.count + 3 rows.
void gaussianColumns(const std::int16_t* const* rows, const GaussianWeights& weights, int count,
                     std::uint8_t* const* out);

// R, G, B planes and the alpha of `source` as pixels.
void gaussianMerge(const std::uint8_t* red, const std::uint8_t* green, const std::uint8_t* blue,
                   const std::uint8_t* source, std::uint8_t* out, int width);

}  // namespace warpscope
