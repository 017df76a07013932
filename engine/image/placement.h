// Where images lie in one another: maps of pixels, and the part of a larger image that another one
// is.
#pragma once

#include "engine/image/pixel_format.h"

namespace warpscope {

// An affine map of pixel coordinates, in which pixel (x, y) covers [x, x + 1) by [y, y + 1).
struct PixelMap {
    // x' = xx x + xy y + dx, y' = yx x + yy y + dy
    double xx = 1;
    double xy = 0;
    double dx = 0;
    double yx = 0;
    double yy = 1;
    double dy = 0;

    double mapX(double x, double y) const { return xx * x + xy * y + dx; }
    double mapY(double x, double y) const { return yx * x + yy * y + dy; }
    // Whole pixels onto whole pixels: shifts by whole numbers, quarter turns, mirrors.
    bool keepsPixels() const;
    // A shift by whole pixels or nothing at all: images can be laid over each other as they are.
    bool isShift() const { return keepsPixels() && xx == 1 && yy == 1; }

    friend bool operator==(const PixelMap&, const PixelMap&) = default;
};

// First `inner`, then `outer`.
PixelMap after(const PixelMap& inner, const PixelMap& outer);
// Must not squeeze the plane into a line.
PixelMap inverse(const PixelMap& map);
// The pixels that the mapped rectangle touches. Sides that are off by rounding alone do not count.
Rect mapped(const PixelMap& map, const Rect& rect);

// An image is the rectangle `part` of a reduced copy, `reduced` pixels large, of the image that the
// person sees, which is `whole` pixels large and has 1 / `scale` pixels for each of the copy in
// both directions. Drafts are both reduced and a part; results are neither.
struct Placement {
    Rect part;
    Size reduced;
    double scale = 1.0;
    Size whole;

    static Placement all(Size size) { return {{0, 0, size.width, size.height}, size, 1.0, size}; }
    // `part` of an image of that size.
    static Placement partOf(Size whole, const Rect& part) { return {part, whole, 1.0, whole}; }
    // All of a reduced copy.
    static Placement reducedCopy(Size reduced, Size whole, double scale) {
        return {{0, 0, reduced.width, reduced.height}, reduced, scale, whole};
    }

    bool isAll() const { return part.size() == reduced; }
    // `part` in pixels of the whole, clipped to it.
    Rect window() const;

    friend bool operator==(const Placement&, const Placement&) = default;
};

}  // namespace warpscope
