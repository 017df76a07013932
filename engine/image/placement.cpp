#include "engine/image/placement.h"

#include <algorithm>
#include <cmath>

namespace warpscope {

bool PixelMap::keepsPixels() const {
    const auto unit = [](double a, double b) {
        return (std::abs(a) == 1 && b == 0) || (a == 0 && std::abs(b) == 1);
    };
    return unit(xx, xy) && unit(yx, yy) && (xx == 0) == (yy == 0) && dx == std::floor(dx) &&
           dy == std::floor(dy);
}

PixelMap after(const PixelMap& inner, const PixelMap& outer) {
    return {outer.xx * inner.xx + outer.xy * inner.yx,
            outer.xx * inner.xy + outer.xy * inner.yy,
            outer.mapX(inner.dx, inner.dy),
            outer.yx * inner.xx + outer.yy * inner.yx,
            outer.yx * inner.xy + outer.yy * inner.yy,
            outer.mapY(inner.dx, inner.dy)};
}

PixelMap inverse(const PixelMap& map) {
    const double d = map.xx * map.yy - map.xy * map.yx;
    // Adding zero turns -0 into 0, so that equal maps compare equal in text too.
    PixelMap back{map.yy / d + 0.0, -map.xy / d + 0.0, 0, -map.yx / d + 0.0, map.xx / d + 0.0, 0};
    back.dx = -(back.xx * map.dx + back.xy * map.dy) + 0.0;
    back.dy = -(back.yx * map.dx + back.yy * map.dy) + 0.0;
    return back;
}

Rect mapped(const PixelMap& map, const Rect& rect) {
    if (rect.empty()) return {};
    constexpr double kRounding = 1e-6;
    const double xs[] = {double(rect.x), double(rect.x) + rect.width};
    const double ys[] = {double(rect.y), double(rect.y) + rect.height};
    double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
    for (const double x : xs) {
        for (const double y : ys) {
            left = std::min(left, map.mapX(x, y));
            right = std::max(right, map.mapX(x, y));
            top = std::min(top, map.mapY(x, y));
            bottom = std::max(bottom, map.mapY(x, y));
        }
    }
    // Beyond every image, and still far from where int ends.
    static constexpr double kFar = 1e9;
    const auto bounded = [](double value) { return int(std::clamp(value, -kFar, kFar)); };
    const int x = bounded(std::floor(left + kRounding));
    const int y = bounded(std::floor(top + kRounding));
    return {x, y, bounded(std::ceil(right - kRounding)) - x,
            bounded(std::ceil(bottom - kRounding)) - y};
}

Rect Placement::window() const {
    const PixelMap up{1 / scale, 0, 0, 0, 1 / scale, 0};
    return intersect(mapped(up, part), {0, 0, whole.width, whole.height});
}

}  // namespace warpscope
