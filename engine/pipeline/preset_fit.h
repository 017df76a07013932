// Shipped presets and an image: numbers that no file can know, because they are of the image.
#pragma once

#include <optional>

#include "engine/image/histogram.h"
#include "engine/image/image.h"
#include "engine/pipeline/pipeline.h"

namespace warpscope {

// In levels of 8 bits, as the parameters of `levels` are: 0 to 255 and between them.
struct LevelRange {
    double black = 0;
    double white = 255;
};

// Where an image's colours begin and end: below black lie 0.35% of the samples of no colour, and
// above white of none. An even surround, black or white, is not counted: a narrow peak at an end of
// what is used with next to nothing beside it, which makes at least a quarter of the image's frame
// and leaves at least a fifth of the image. From a
// grid of at most about a million pixels. Nothing where an image has one level, is no picture
// (sums) or has nothing but NaN.
std::optional<LevelRange> usedLevels(const Image& image);

// The same from counts, as near as their bins are fine; of luma where there is no colour. A
// surround is 6% of the image or more: where it lies is not known.
std::optional<LevelRange> usedLevels(const HistogramSet& counts);

// The steps of a preset as an image needs them: black and white of `levels` by usedLevels(), the
// radius of `adaptive_threshold` by the image's size (a line of print is a like share of a page,
// however many pixels it has), the strength of `nl_means` by the noise, times what `levels` before
// it make of that; where objects are numbered, `invert` is on if they are darker than
// the ground, which is what most of the image's frame shows (brighter than Otsu's level or not).
// Other steps stay.
Pipeline fittedTo(Pipeline preset, const Image& image);

}  // namespace warpscope
