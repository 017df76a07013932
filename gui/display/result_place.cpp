#include "gui/display/result_place.h"

#include <cmath>

namespace warpscope::gui {
namespace {

QPoint insideOrNone(const QPoint& pixel, Size size) {
    const bool inside =
        pixel.x() >= 0 && pixel.y() >= 0 && pixel.x() < size.width && pixel.y() < size.height;
    return inside ? pixel : kNoPixel;
}

QPoint pixelOver(const PixelMap& map, const QPoint& pixel, Size size) {
    if (pixel == kNoPixel) return kNoPixel;
    const QPointF at = mapPoint(map, QPointF(pixel) + QPointF(0.5, 0.5));
    // Far beyond every image, and still far from where int ends.
    if (std::abs(at.x()) > 1e9 || std::abs(at.y()) > 1e9) return kNoPixel;
    return insideOrNone({int(std::floor(at.x())), int(std::floor(at.y()))}, size);
}

}  // namespace

QPointF mapPoint(const PixelMap& map, const QPointF& point) {
    return {map.mapX(point.x(), point.y()), map.mapY(point.x(), point.y())};
}

QPointF mapVector(const PixelMap& map, const QPointF& vector) {
    return mapPoint(map, vector) - QPointF(map.dx, map.dy);
}

double lengthFactor(const PixelMap& map) {
    return std::sqrt(std::abs(map.xx * map.yy - map.xy * map.yx));
}

PixelPair pairOfSource(const QPoint& pixel, const ResultPlace& result, Size source) {
    return {insideOrNone(pixel, source),
            pixelOver(inverse(result.sourceFromResult), pixel, result.size)};
}

PixelPair pairOfResult(const QPoint& pixel, const ResultPlace& result, Size source) {
    return {pixelOver(result.sourceFromResult, pixel, source), insideOrNone(pixel, result.size)};
}

}  // namespace warpscope::gui
