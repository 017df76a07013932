// Which kernels make the medians of 8 and 16-bit samples: known without a GPU. Where each is the
// fastest was measured on 132 multiprocessors; how large an image is goes by what each has to do.
#pragma once

#include "engine/image/pixel_format.h"
#include "engine/operations/smoothing/median.h"

namespace warpscope::cuda {

enum class MedianBy { Networks, Tiles, Planes, Columns };

inline constexpr int kMostTileRadius8 = 4;
inline constexpr int kLeastColumnsRadius = 5;
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
    // Earlier devices have no minima of pairs.
    const bool hasPairs = major >= 9;
    switch (radius) {
        case 2:
            return hasPairs && pixelsEach >= (colour ? 9'000 : 15'000) ? MedianBy::Tiles
                                                                       : MedianBy::Networks;
        case 3:
            return hasPairs && pixelsEach >= (colour ? 21'000 : 34'000) ? MedianBy::Tiles
                                                                        : MedianBy::Planes;
        case 4:
            return hasPairs && pixelsEach >= (colour ? 11'000 : 34'000) ? MedianBy::Tiles
                                                                        : MedianBy::Planes;
        default:
            // Little is gained, and only there was it measured.
            return hasPairs && pixelsEach >= (colour ? 12'000 : 34'000) ? MedianBy::Columns
                                                                        : MedianBy::Planes;
    }
}

}  // namespace warpscope::cuda
