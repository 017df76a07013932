// Between the engine's images and Qt's, for clipboard and screen.
#pragma once

#include <QImage>

#include "engine/image/image.h"
#include "gui/display/display_convert.h"

namespace warpscope::gui {

// Gray stays gray, 16 bits stay 16, everything else becomes 8-bit colour. Errors: InvalidArgument
// for an empty picture, LimitExceeded, OutOfMemory.
Result<Image> fromQImage(const QImage& picture, const QString& sourceFormat);

// What a picture for the clipboard is made of. `exact`: the samples themselves.
struct Copied {
    QImage picture;  // null if there is no memory or a side is beyond what Qt can hold
    int bits = 8;    // of a sample
    bool exact = true;
};

// As the screen shows it: 8 and 16 bits whose white is their largest value keep their samples;
// everything else, and everything with a range of its own, becomes 8 bits over the range of `look`.
Copied copyOf(const Image& image, const DisplayLook& look);
// The same over the natural range.
QImage toQImage(const Image& image);

}  // namespace warpscope::gui
