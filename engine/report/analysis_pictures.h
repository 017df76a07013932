// What analyses find, drawn without letters: for their pages. In integers, so that every machine
// draws the same.
#pragma once

#include "engine/base/result.h"
#include "engine/image/histogram.h"
#include "engine/image/image.h"
#include "engine/operations/analysis_table.h"

namespace warpscope {

// All give Rgba8, opaque. Errors: OutOfMemory.

// A column a bin of 256: luma as bars, red, green and blue as lines, where they are there.
Result<Image> drawHistogram(const HistogramSet& set);

// The bars of luma; below them from the row "luma" of `statistics` a box from percentile 25 to 75
// with the median in it, whiskers to minimum and maximum, and a cross at the mean.
Result<Image> drawStatistics(const HistogramSet& set, const AnalysisTable& statistics);

// The boxes and centres of `components` over the coloured 8-bit image that they were found in.
Result<Image> drawComponents(const Image& image, const AnalysisTable& components);

}  // namespace warpscope
