// How long a median takes on this machine's CPU.
#pragma once

#include "engine/image/pixel_format.h"

namespace warpscope {

// Roughly, of one sample on one thread; `radius`: 1 to kMaxMedianRadius.
double medianNanoseconds(PixelFormat format, int radius);

}  // namespace warpscope
