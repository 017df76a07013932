#include "engine/image/turn_pixels.h"

#include <algorithm>
#include <array>

namespace warpscope {
namespace {

constexpr int kTile = 32;  // pixels; two tiles of 16-byte pixels fit the first-level cache

template <std::size_t kPixelBytes>
void turnTyped(const Image& from, const MutableImage& to, int orientation, const Rect& part) {
    using Pixel = std::array<std::byte, kPixelBytes>;
    const int w = from.width(), h = from.height();
    const bool swapsSides = orientation >= 5;
    const bool flipsX = orientation == 2 || orientation == 3 || orientation >= 7;
    const bool flipsY =
        orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    for (int x0 = part.x; x0 < part.x + part.width; x0 += kTile) {
        const int x1 = std::min(x0 + kTile, part.x + part.width);
        for (int y = part.y; y < part.y + part.height; ++y) {
            auto* target = reinterpret_cast<Pixel*>(to.rowBytes(y));
            for (int x = x0; x < x1; ++x) {
                int sx = swapsSides ? y : x, sy = swapsSides ? x : y;
                if (flipsX) sx = w - 1 - sx;
                if (flipsY) sy = h - 1 - sy;
                target[x] = reinterpret_cast<const Pixel*>(from.rowBytes(sy))[sx];
            }
        }
    }
}

}  // namespace

void turnPixels(const Image& from, const MutableImage& to, int orientation, const Rect& part) {
    switch (bytesPerPixel(from.format())) {
        case 1:
            return turnTyped<1>(from, to, orientation, part);
        case 2:
            return turnTyped<2>(from, to, orientation, part);
        case 4:
            return turnTyped<4>(from, to, orientation, part);
        case 8:
            return turnTyped<8>(from, to, orientation, part);
        default:
            return turnTyped<16>(from, to, orientation, part);
    }
}

}  // namespace warpscope
