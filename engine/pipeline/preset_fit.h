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
// above white of none. From a grid of at most about a million pixels. Nothing where an image has
// one level, is no picture (sums) or has nothing but NaN.
std::optional<LevelRange> usedLevels(const Image& image);

// The same from counts, as near as their bins are fine; of luma where there is no colour.
std::optional<LevelRange> usedLevels(const HistogramSet& counts);

// The steps of a preset as an image needs them: black and white of `levels` by usedLevels(), the
// radius of `adaptive_threshold` by the image's size (a line of print is a like share of a page,
// however many pixels it has). Other steps stay.
Pipeline fittedTo(Pipeline preset, const Image& image);

}  // namespace warpscope
