// The slow scalar truth of nl_means, straight from its definition, in double precision.
#pragma once

#include <string>

#include "engine/image/image.h"

namespace warpscope::truth {

// 8 and 16 bits; h in grey levels of 8 bits.
Image nlMeans(const Image& image, double h, int patchRadius, int searchRadius);

// Whether `actual` agrees with what nlMeans() gave, as nl_means promises: within 1, and on images
// of 4,096 samples and more at least 99.9% identical; 16 bits within 4; alpha the same. "" or what
// is wrong.
std::string nlMeansDisagreement(const Image& expected, const Image& actual);

}  // namespace warpscope::truth
