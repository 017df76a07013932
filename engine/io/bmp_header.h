// Headers of Windows and OS/2 bitmaps.
#pragma once

#include <array>
#include <cstdint>

#include "engine/io/codec.h"

namespace warpscope::io {

// Where one channel lies in a 16- or 32-bit pixel.
struct BmpChannel {
    std::uint32_t mask = 0;
    int shift = 0, bits = 0;
};

struct BmpHeader {
    enum class Packing { Plain, Rle8, Rle4 };

    std::uint64_t width = 0, height = 0;
    bool topDown = false;
    int bits = 0;  // 1, 2, 4, 8, 16, 24, 32
    Packing packing = Packing::Plain;
    std::array<BmpChannel, 4> channels{};              // R, G, B, A, for 16 and 32 bits
    std::vector<std::array<std::uint8_t, 3>> palette;  // R, G, B, for up to 8 bits
    std::uint64_t dataAt = 0;                          // where the rows begin
    std::uint32_t pixelsPerMetre = 0;
    std::uint64_t profileAt = 0, profileBytes = 0;  // an embedded ICC profile, 0 if none

    bool hasPalette() const { return bits <= 8; }
    // A palette of grays alone is how the format stores gray images.
    bool isGray() const;
    bool hasAlpha() const { return channels[3].mask != 0; }
    PixelFormat format() const { return isGray() ? PixelFormat::Gray8 : PixelFormat::Rgba8; }
    // Of one stored row, padded to 4 bytes; without the padding with `padded` false.
    std::uint64_t rowBytes(bool padded = true) const;
};

// Errors: Damaged, Unsupported (embedded JPEG and PNG, channels of more than 8 bits, ...).
Result<BmpHeader> parseBmpHeader(Bytes bytes);

}  // namespace warpscope::io
