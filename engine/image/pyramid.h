// Halved copies of an image, for drawing it zoomed out and for drafts.
#pragma once

#include <vector>

#include "engine/base/row_bands.h"
#include "engine/image/image.h"

namespace warpscope {

// levels[0] is the image; levels[k] has sides ceil(side / 2^k), each sample the rounded mean of the
// (up to) 2x2 above it. Alpha is averaged like any channel; colour is not premultiplied. Ends where
// the longer side is 64 or less. 8 and 16 bits and float; sums (Gray32, Gray64) are converted with
// toEightBit first, so their levels are Gray8.
struct Pyramid {
    std::vector<Image> levels;

    // The coarsest level that still has at least one sample for each screen pixel at `zoom` (screen
    // pixels per image pixel).
    int levelFor(double zoom) const;
    std::uint64_t byteCount() const;  // without level 0
};

// Errors: Cancelled, OutOfMemory.
Result<Pyramid> buildPyramid(const Image& image, const CpuContext& context);

}  // namespace warpscope
