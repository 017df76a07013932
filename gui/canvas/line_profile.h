// Samples of an image along a line.
#pragma once

#include <QLineF>
#include <QString>
#include <array>
#include <vector>

#include "engine/image/image.h"

namespace warpscope::gui {

struct LineProfile {
    // Luminance, red, green, blue.
    static constexpr int kCurves = 4;

    double length = 0;           // image pixels
    std::vector<double> values;  // in samples, evenly spaced from end to end; NaN stays NaN
    // Red, green and blue at the same points; empty for gray images.
    std::array<std::vector<double>, 3> colors;

    const std::vector<double>& curve(int which) const {
        return which == 0 ? values : colors[std::size_t(which - 1)];
    }
    bool hasColors() const { return !colors[0].empty(); }
};

// One value a pixel of length, at most `most`: that of the pixel under each point, colour weighted
// 0.299, 0.587, 0.114. Coordinates as in the canvas: pixel (0, 0) reaches from 0 to 1. Points
// beyond the image take the edge pixel, or with `onlyInside` have no value. Empty for a null image.
LineProfile profileAlong(const Image& image, const QLineF& line, int most = 4096,
                         bool onlyInside = false);

// A row a point: position in pixels, x and y on the line, then the samples as they are stored,
// luminance and colours of the first, then of the second. Empty where there is none.
QString profileCsv(const LineProfile& first, const LineProfile& second, const QLineF& line);

}  // namespace warpscope::gui
