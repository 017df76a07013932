// Between the engine's images and Qt's, for clipboard and screen.
#pragma once

#include <QImage>

#include "engine/image/image.h"

namespace warpscope::gui {

// Gray stays gray, 16 bits stay 16, everything else becomes 8-bit colour. Errors: InvalidArgument
// for an empty picture, LimitExceeded, OutOfMemory.
Result<Image> fromQImage(const QImage& picture, const QString& sourceFormat);

// 8 and 16 bits keep their samples, everything else is narrowed as the display does. Copies. A null
// QImage if there is no memory or a side is beyond what Qt can hold.
QImage toQImage(const Image& image);

}  // namespace warpscope::gui
