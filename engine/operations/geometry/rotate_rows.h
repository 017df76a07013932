// Neighbouring pixels of a turned image, all of whose taps are there.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpscope {

struct RotateRun {
    // The part of the image that is there. Three bytes more may be read than its last row has.
    const std::byte* data = nullptr;
    std::ptrdiff_t pitch = 0;  // bytes
    int left = 0, top = 0;     // where it begins
    // Coordinates of the first pixel, with 32 fraction bits, and from each to the next.
    std::int64_t x = 0, y = 0, stepX = 0, stepY = 0;
};

// Bilinear. Makes the first so many of `pixels`, whole vectors of them, and says how many; that is
// none for what has no vectors. The part has fewer than 2^31 bytes.
int rotateInside(const RotateRun& run, std::uint8_t* to, int channels, int pixels);
int rotateInside(const RotateRun& run, std::uint16_t* to, int channels, int pixels);

}  // namespace warpscope
