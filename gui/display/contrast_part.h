// Where of an image to look when there is room for a small part only.
#pragma once

#include "engine/image/pyramid.h"

namespace warpscope::gui {

// A rectangle of that size (at most) inside of `within`, pixels of level 0, that has most contrast,
// in colours where there are some, as a small copy shows it; what is nearer to the middle is
// preferred, and where nothing stands out it is the middle. Looks at a quarter of a million pixels
// at most.
Rect partOfMostContrast(const Pyramid& pyramid, const Rect& within, Size size);

}  // namespace warpscope::gui
