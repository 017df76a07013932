// The vector code of bilateral for 8-bit samples where the processor looks bytes up in tables of
// 128 and multiplies bytes in fours (AVX-512 VBMI and VNNI), which Highway does not use. The same
// bits as bilateralRow(), which calls this.
#pragma once

#include <cstdint>

namespace warpscope {

struct BilateralTap;

// Whether the processor can, and no test forbids it. Only then is the other to be called.
bool bilateralDotProducts();

// As bilateralRow().
void bilateralDotRow(const std::uint8_t* const* planes, std::uint8_t* const* out, int channels,
                     int width, const BilateralTap* taps, int count);

}  // namespace warpscope
