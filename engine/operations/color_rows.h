// Rows of four interleaved samples a pixel as rows of one colour each, and back.
#pragma once

#include <cstdint>

namespace warpscope {

// `count` pixels to three rows of as many samples; alpha is left out.
void splitColors(const std::uint8_t* pixels, std::uint8_t* const* colors, int count);
void splitColors(const std::uint16_t* pixels, std::uint16_t* const* colors, int count);
void splitColors(const float* pixels, float* const* colors, int count);

// Three rows of `count` samples and the alpha of the pixels `alpha` to `pixels`, which may be the
// same as `alpha`.
void joinColors(const std::uint8_t* const* colors, const std::uint8_t* alpha, std::uint8_t* pixels,
                int count);
void joinColors(const std::uint16_t* const* colors, const std::uint16_t* alpha,
                std::uint16_t* pixels, int count);
void joinColors(const float* const* colors, const float* alpha, float* pixels, int count);

}  // namespace warpscope
