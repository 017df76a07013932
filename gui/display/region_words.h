// What captions say of a region that is no rectangle.
#pragma once

#include <QString>
#include <optional>

#include "engine/image/histogram.h"
#include "engine/image/region_shape.h"

namespace warpscope::gui {

// "in the ellipse at 10, 20 of 100 × 50, 3,927 pixels", without the pixels where they are unknown.
QString regionInWords(const RegionShape& shape, std::optional<std::uint64_t> pixels);

// That were counted, what is not finite included.
std::uint64_t pixelsIn(const HistogramSet& set);

// With its thousands apart, in every language.
QString groupedCount(std::uint64_t number);

}  // namespace warpscope::gui
