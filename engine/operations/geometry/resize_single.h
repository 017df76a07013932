// What resize makes in one pass, by vectors: pixels that are picked, and images of half the width
// and height.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/operations/geometry/resize.h"

namespace warpscope {

// (a + b + c + d + 2) >> 2 of squares of pixels, of float the mean of both rows' means; makes the
// first so many of `pixels` and says how many. Past the cache where `stream` says so: `to` is then
// a multiple of 64 bytes, here and below.
int resizeHalf(const std::uint8_t* above, const std::uint8_t* below, int channels, int pixels,
               std::uint8_t* to, bool stream);
int resizeHalf(const std::uint16_t* above, const std::uint16_t* below, int channels, int pixels,
               std::uint16_t* to, bool stream);

int resizeHalf(const float* above, const float* below, int channels, int pixels, float* to,
               bool stream);

// Where the bytes of a row are picked, 16 at a time; none where they lie too far apart.
struct ResizePicks {
    // Of each 16: from which byte of the input on they lie, and where after it, 0x80 for a byte
    // that comes from the other half: [16][low 16 bytes, high 16 bytes].
    std::vector<std::int32_t> at;
    std::vector<std::uint8_t> picks;
    // High bytes are among them.
    bool isWide = false;
};
ResizePicks resizePicksOf(const ResizeAxis& axis, int pixelBytes);
// Makes the first so many bytes of a row and says how many. Behind `from` 64 bytes can be read.
std::size_t resizePick(const ResizePicks& picks, const std::byte* from, std::byte* to, bool stream);

}  // namespace warpscope
