// What the tags of a TIFF say about its samples, and which image they become.
#pragma once

#include <array>
#include <vector>

#include "engine/io/tiff_handle.h"

namespace warpscope::io {

struct TiffLayout {
    enum class Samples { Unsigned, Signed, Float };
    enum class Color { Gray, Rgb, Palette, Inks };
    enum class Alpha { None, Straight, Premultiplied, Unstated };

    std::uint32_t width = 0, height = 0;
    int bits = 8;
    Samples samples = Samples::Unsigned;
    Color color = Color::Gray;
    Alpha alpha = Alpha::None;
    int channels = 1;  // stored for each pixel: 1 to 4
    bool minIsWhite = false;
    bool separatePlanes = false;
    bool tiled = false;
    std::uint32_t blockWidth = 0, blockHeight = 0;  // of a tile, or width and rows of a strip
    std::uint64_t blockBytes = 0;                   // of a tile or strip of one plane, unpacked
    std::uint64_t rowBytes = 0;                     // of a row of one plane in a block, unpacked
    int compression = 1;
    int orientation = 1;
    PixelFormat format = PixelFormat::Gray8;
    double whiteLevel = 255.0;
    std::vector<std::array<std::uint16_t, 3>> palette;  // entries as the format's samples

    int planes() const { return separatePlanes ? channels : 1; }
    int channelsInRow() const { return separatePlanes ? 1 : channels; }
    bool hasAlpha() const { return alpha != Alpha::None; }
    std::string describe() const;
};

// Sets the JPEG decoder to give RGB. Errors: Unsupported (what, named), Damaged.
Result<TiffLayout> readTiffLayout(const TiffHandle& tiff);

}  // namespace warpscope::io
