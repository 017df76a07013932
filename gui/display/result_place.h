// A result over its source: which pixel lies over which. Pixel (x, y) reaches from x to x + 1.
#pragma once

#include <QPoint>
#include <QPointF>

#include "engine/worker/render_request.h"

namespace warpscope::gui {

// Beside the image.
inline constexpr QPoint kNoPixel{-1, -1};

QPointF mapPoint(const PixelMap& map, const QPointF& point);
// A direction: what is left of the map without its shift.
QPointF mapVector(const PixelMap& map, const QPointF& vector);
// How much longer the map makes lengths, on average over all directions.
double lengthFactor(const PixelMap& map);

// The source's own place.
inline ResultPlace placeOfSource(Size size) {
    return {size, {}};
}

// A pixel in source and result, each in its own coordinates; kNoPixel where it lies outside.
struct PixelPair {
    QPoint source = kNoPixel;
    QPoint result = kNoPixel;

    bool isNone() const { return source == kNoPixel && result == kNoPixel; }
    friend bool operator==(const PixelPair&, const PixelPair&) = default;
};

// The result's pixel over the middle of that of the source, and the other way round.
PixelPair pairOfSource(const QPoint& pixel, const ResultPlace& result, Size source);
PixelPair pairOfResult(const QPoint& pixel, const ResultPlace& result, Size source);

}  // namespace warpscope::gui
