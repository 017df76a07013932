// The vector code of bilateral for 8-bit samples where the processor looks bytes up in tables of
// 128 and multiplies bytes in fours (AVX-512 VBMI and VNNI), which Highway does not use. The same
// bits as bilateralRow().
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpscope {

// The dot row takes so many taps at a time.
inline constexpr int kBilateralTapsTogether = 4;

// A neighbour: its place from the pixel, and the weights of differences (kBilateralLevels), of
// which those from 16 `blocks` on are 0.
struct BilateralTap {
    std::ptrdiff_t offset = 0;
    const std::uint8_t* weights = nullptr;
    int blocks = 0;
};

// Whether the processor can, and no test forbids it. Only then is the other to be called.
bool bilateralDotProducts();

// As bilateralRow(), with taps, whose number is a multiple of kBilateralTapsTogether.
void bilateralDotRow(const std::uint8_t* const* planes, std::uint8_t* const* out, int channels,
                     int width, const BilateralTap* taps, int count);

}  // namespace warpscope
