#pragma once

#include "engine/image/image.h"

namespace warpscope {

// Writes `part` of `to`: `from`, upright if `orientation` is that of EXIF (1 to 8; from 5 on the
// sides change places). `to` has the format of `from`.
void turnPixels(const Image& from, const MutableImage& to, int orientation, const Rect& part);

}  // namespace warpscope
