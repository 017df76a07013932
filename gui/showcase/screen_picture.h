// A result made small for half a screen.
#pragma once

#include "gui/display/display_convert.h"

namespace warpscope::gui {

// Black and white and all else of the view, of images with the samples of `of`. Natural: nothing is
// changed.
struct ScreenLook {
    DisplayLook display;
    PixelFormat of = PixelFormat::Rgba8;

    // A result of another sample type has values of another kind.
    bool holdsFor(PixelFormat format) const;
};

// The middle of `image` in the proportions of `area`, reduced to at most its size: each pixel is
// the mean of two by two samples, evenly spread. Never enlarged. Gray8 or Rgba8. Over
// naturalRange() where `look` is of other samples. Runs on the calling thread. Errors: OutOfMemory,
// InvalidArgument for an empty area.
Result<Image> screenPicture(const Image& image, Size area, const ScreenLook& look = {});

}  // namespace warpscope::gui
