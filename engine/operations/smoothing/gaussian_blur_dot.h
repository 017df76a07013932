// The vector code of gaussian_blur for 8-bit samples where the processor multiplies pairs of 16-bit
// integers and adds them to a sum in one instruction (AVX-512 VNNI), which Highway does not use.
// The same bits as the functions of gaussian_blur_rows.h, which call these.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpscope {

struct GaussianWeights;
class RowsAhead;

// Whether the processor can, and no test forbids it. Only then are the others to be called.
bool gaussianDotProducts();

void gaussianDotRow(const std::int16_t* padded, const GaussianWeights& weights, std::int16_t* out,
                    int count);
// From the samples of a gray row themselves, the edge repeated around them; radii up to
// kGaussianDotRadius.
inline constexpr int kGaussianDotRadius = 64;
void gaussianDotRow(const std::uint8_t* row, int width, const GaussianWeights& weights,
                    std::int16_t* out, int count);
// The three colours of a row one after the other, `pitch` bytes apart, up to 64 bytes more each.
void gaussianDotSplit(const std::uint8_t* rgba, int width, std::uint8_t* planes,
                      std::ptrdiff_t pitch);
void gaussianDotColumns(const std::int16_t* const* rows, const GaussianWeights& weights, int count,
                        std::uint8_t* const* out, const RowsAhead& ahead);

}  // namespace warpscope
