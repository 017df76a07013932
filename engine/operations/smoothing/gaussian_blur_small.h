// The vector code of gaussian_blur for 8-bit samples and kernels of 3, 5 and 7 taps, whose weights
// stay in registers; seven of them where the centre weighs up to 32,767. The same bits as the
// functions of gaussian_blur_rows.h, which call these.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpscope {

struct GaussianWeights;
class RowsAhead;

// Only for such kernels are the others to be called.
bool isSmallGaussian(const GaussianWeights& weights);

// As gaussianRow(), but from bytes: `padded` holds sample -radius first, and count + 2 radius are
// read.
void gaussianSmallRow(const std::uint8_t* padded, const GaussianWeights& weights, std::int16_t* out,
                      int count);
// As gaussianColumns().
void gaussianSmallColumns(const std::int16_t* const* rows, const GaussianWeights& weights,
                          int count, std::uint8_t* const* out, const RowsAhead& ahead);

}  // namespace warpscope
