// A result made small for half a screen.
#pragma once

#include "engine/image/image.h"

namespace warpscope::gui {

// The middle of `image` in the proportions of `area`, reduced to at most its size: each pixel is
// the mean of two by two samples, evenly spread. Never enlarged. Gray8 or Rgba8. Runs on the
// calling thread. Errors: OutOfMemory, InvalidArgument for an empty area.
Result<Image> screenPicture(const Image& image, Size area);

}  // namespace warpscope::gui
