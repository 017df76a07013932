// The vector code of gaussian_blur for 8-bit samples and kernels of 3, 5 and 7 taps, whose weights
// stay in registers. The same bits as the functions of gaussian_blur_rows.h, which call these.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpscope {

struct GaussianWeights;
class RowsAhead;

// Only for such kernels are the others to be called.
bool isSmallGaussian(const GaussianWeights& weights);

// As gaussianRow(), but from bytes. `padded` holds sample -radius first and is readable up to 80
// bytes beyond the last that is needed.
void gaussianSmallRow(const std::uint8_t* padded, const GaussianWeights& weights, std::int16_t* out,
                      int count);
// The three colours of a row, each `pitch` bytes behind the one before.
void gaussianSmallSplit(const std::uint8_t* rgba, int width, std::uint8_t* planes,
                        std::ptrdiff_t pitch);
// As gaussianColumns().
void gaussianSmallColumns(const std::int16_t* const* rows, const GaussianWeights& weights,
                          int count, std::uint8_t* const* out, const RowsAhead& ahead);

}  // namespace warpscope
