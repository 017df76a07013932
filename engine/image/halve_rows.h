// Vector code of the pyramid: 2x2 rounded means of 8-bit rows. Private to engine/image.
#pragma once

#include <cstdint>

namespace warpscope {

// Means of 2x2 pixels of two rows into out[0 .. n), n at most `pixels`; returns n (what is left is
// smaller than a vector). Reads exactly 2 n input pixels a row.
int halveRowRgba8(const std::uint8_t* above, const std::uint8_t* below, std::uint8_t* out,
                  int pixels);
int halveRowGray8(const std::uint8_t* above, const std::uint8_t* below, std::uint8_t* out,
                  int pixels);

}  // namespace warpscope
