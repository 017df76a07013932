// Conversions of sample types. Used for display, for saving to formats with 8 bits, and for the
// second input of a step; each use is said to the person.
#pragma once

#include <cstdint>

#include "engine/base/row_bands.h"
#include "engine/image/image.h"

namespace warpscope {

// 16 to 8 bits, rounded: (v 255 + 32,895) >> 16.
constexpr std::uint8_t narrowSample(std::uint16_t v) {
    return std::uint8_t((std::uint32_t(v) * 255u + 32895u) >> 16);
}

// Value range that is mapped to 0..255 for display.
struct DisplayRange {
    double low = 0.0;
    double high = 1.0;
};

// Gray8/Rgba8: 16 bits from {0, white level} (as narrowSample where that is 65,535), float clamped
// to [0, 1] with NaN as 0. 8-bit images come back unchanged (shared). Gray32/Gray64 are scaled over
// their own range from 0 to the largest value present.
Result<Image> toEightBit(const Image& image, const CpuContext& context);

// Any of the six formats for pictures as any other. Depths: 8 to 16 bits times 257, 16 to 8 as
// narrowSample, float over full scale, clamped and rounded. Gray becomes three equal colours and
// opaque alpha; of colours luma (weighted601) stays. What has the format already comes back as it
// is. Errors: Unsupported for sums (Gray32, Gray64), Cancelled.
Result<Image> toFormat(const Image& image, PixelFormat format, const CpuContext& context);

// Which share (0 to 1) of the colour samples of a float image an integer format clips because they
// are below 0, above 1 or no number; 0 for all other formats. Errors: Cancelled.
Result<double> clippedShare(const Image& image, const CpuContext& context);

// As toEightBit, with `range` (in sample values) mapped linearly to 0..255 and clamped; alpha
// always from {0, white level}. White level
// of images such as a PGM with maxval 100 is shown right by passing {0, whiteLevel}.
Result<Image> toEightBit(const Image& image, DisplayRange range, const CpuContext& context);

// Alpha of a file ends at its white level like any sample. Where that is below full scale (a PAM
// with maxval 100) and the white level is about to be given up, alpha must end at full scale:
// rounded, opaque stays opaque; colour and info are unchanged. All other images come back as they
// are.
Result<Image> fullScaleAlpha(const Image& image, const CpuContext& context);

// The range that display uses when nobody chose one: {0, whiteLevel} for 8 and 16 bits, {0, 1} for
// float, {0, max} for sums.
DisplayRange naturalRange(const Image& image);

}  // namespace warpscope
