// Small pictures of images, as the canvas would show them: test strips, previews.
#pragma once

#include <QImage>
#include <QSize>

#include "gui/display/display_settings.h"

namespace warpscope::gui {

// In that room, both in device pixels: enlarged by whole numbers, or reduced; at least a pixel.
QSize sizeIn(QSize room, Size image);
// Over the background of the canvas. Transparent pixels over squares.
QImage smallPicture(const Image& image, QSize size, const DisplayLook& look);
// The look for what a step could give: where the display knows no range for samples of this type,
// over that of the image itself.
DisplayLook lookForPart(const DisplaySettings& display, const Image& part);
// That look with the colours that numbers of objects have in the canvas, where those are meant.
DisplayLook lookOfLabels(DisplayLook look, const Image& image);

}  // namespace warpscope::gui
