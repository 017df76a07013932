// Draws samples of an 8-bit image at any scale into a QImage, exactly placed: device pixel x shows
// the sample under its centre. Qt's own scaling walks in 16-bit fixed point and is a device pixel
// off on wide panes, which shows beside a pixel grid; and it converts our formats row by row.
#pragma once

#include <QImage>
#include <QPointF>
#include <QRect>

#include "engine/image/image.h"

namespace warpscope::gui {

enum class Filter { Nearest, Smooth };

// Device position of a sample's left edge = offset + sample * scale.
struct Placement {
    QPointF offset;
    double scaleX = 1.0;  // device pixels per sample, above 0
    double scaleY = 1.0;
};

// Squares of two colours under transparent pixels, anchored where the image begins so that they
// move with it.
struct Checkerboard {
    QRgb light = 0;
    QRgb dark = 0;
    int square = 8;  // device pixels
    QPoint anchor;
};

// Writes the pixels of `area` (clipped to the target, which must be Format_RGB32). Samples beyond
// the image's edge repeat the edge. `image` must be Gray8 or Rgba8. Alpha is used only if
// `checkerboard` is given.
void drawSamples(QImage& target, const QRect& area, const Image& image, const Placement& placement,
                 Filter filter, const Checkerboard* checkerboard);

}  // namespace warpscope::gui
