// Which kernels make the medians of 8 and 16-bit samples: known without a GPU. Where each is the
// fastest was measured on 132 multiprocessors; how large an image is goes by what each has to do.
#pragma once

#include "engine/image/pixel_format.h"
#include "engine/operations/smoothing/median.h"

namespace warpscope::cuda {

enum class MedianBy { Networks, Tiles, Planes, Columns };

inline constexpr int kMostTileRadius8 = 4;
inline constexpr int kLeastColumnsRadius = 3;
// What planes have to be asked of: all supported devices give a block 48 KiB.
inline constexpr int kMostPlanesRadius = 5;

// `radius`: 1 to kMaxMedianRadius; `major`: of the device's compute capability.
inline MedianBy medianKernels(int radius, PixelFormat format, Size size, int multiprocessors,
                              int major) {
    const bool colour = isColor(format);
    const auto pixelsEach = std::int64_t(size.width) * size.height / multiprocessors;
    if (radius == 1) return MedianBy::Networks;
    if (bytesPerSample(format) == 2) {
        const bool large = radius > 2 || pixelsEach >= (colour ? 7'500 : 11'500);
        return large ? MedianBy::Tiles : MedianBy::Networks;
    }
    if (radius > kMostPlanesRadius) return MedianBy::Columns;
    // Earlier devices have no minima of pairs, and less shared memory.
    const bool hasPairs = major >= 9;
    const auto tilesFrom = [&](int gray, int inColour, MedianBy otherwise) {
        return hasPairs && pixelsEach >= (colour ? inColour : gray) ? MedianBy::Tiles : otherwise;
    };
    // A strip of columns is soon begun, which is what small images wait for.
    const bool few = hasPairs && pixelsEach < (colour ? 600 : 4'000);
    if (few && radius > 2) return MedianBy::Columns;
    switch (radius) {
        case 2:
            return tilesFrom(15'000, 9'000, MedianBy::Networks);
        case 3:
            return tilesFrom(11'000, 13'500, MedianBy::Planes);
        case 4:
            return tilesFrom(10'000, 7'500, MedianBy::Planes);
        default:
            return hasPairs ? MedianBy::Columns : MedianBy::Planes;
    }
}

}  // namespace warpscope::cuda
