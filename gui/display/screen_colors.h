// The transforms from the colours of images to those of the screen, one for each profile.
#pragma once

#include <memory>

#include "engine/image/image.h"
#include "engine/io/screen_transform.h"

namespace warpscope::gui {

// Of the image's ICC profile, on a screen that is taken as sRGB; the last few are kept. Null where
// the image has none, where it would change nothing, or where the profile cannot be used (the log
// says why, once). From the GUI thread alone.
std::shared_ptr<const ScreenTransform> screenColorsOf(const Image& image);

}  // namespace warpscope::gui
