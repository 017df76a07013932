// Images made by arithmetic: the sample scene that ships with the program, and the input of
// benchmarks.
#pragma once

#include <cstdint>

#include "engine/base/row_bands.h"
#include "engine/image/image.h"

namespace warpscope {

// A photograph-like scene of our own making, the same bits on every machine for the same arguments
// (integer or correctly rounded arithmetic only): smooth gradients, fine texture, deep shadows,
// saturated colours, edges at all angles, noise. `color` gives Rgba8 (opaque, hasAlpha false), else
// Gray8. Errors: LimitExceeded, OutOfMemory, Cancelled.
Result<Image> makeScene(Size size, bool color, std::uint32_t seed, const CpuContext& context);

}  // namespace warpscope
