// A histogram drawn as SVG, for people without a window.
#pragma once

#include <string>

#include "engine/image/histogram.h"

namespace warpscope::cli {

// Luma filled, R, G and B as lines, axes with units, counts on a linear scale. 640 x 360 units.
std::string histogramSvg(const HistogramSet& set, const std::string& title);

}  // namespace warpscope::cli
