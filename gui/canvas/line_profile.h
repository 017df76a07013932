// Luminance along a line, as values.
#pragma once

#include <QLineF>
#include <vector>

#include "engine/image/image.h"

namespace warpscope::gui {

struct LineProfile {
    double length = 0;           // image pixels
    std::vector<double> values;  // in samples, evenly spaced from end to end; NaN stays NaN
};

// One value a pixel of length, at most `most`: that of the pixel under each point, colour weighted
// 0.299, 0.587, 0.114. Coordinates as in the canvas: pixel (0, 0) reaches from 0 to 1. Points
// beyond the image take the edge pixel. Empty for a null image.
LineProfile profileAlong(const Image& image, const QLineF& line, int most = 4096);

}  // namespace warpscope::gui
