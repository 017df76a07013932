// Random regions, and which pixels belong to them, one pixel after the other in whole numbers.
#pragma once

#include <random>
#include <vector>

#include "engine/image/region_shape.h"

namespace warpscope::test {

inline int anyBetween(std::mt19937& random, int low, int high) {
    return low + int(random() % unsigned(high - low + 1));
}

// In an image of that size or, where `beyond`, reaching over its edges; holds a pixel of it.
inline RegionShape anyShape(std::mt19937& random, Size size, bool beyond = false);

// Middles of pixels are whole in halves of a pixel.
inline bool belongs(const RegionShape& shape, int x, int y) {
    const std::int64_t px = 2 * std::int64_t(x) + 1, py = 2 * std::int64_t(y) + 1;
    const Rect& box = shape.box();
    if (shape.isRectangle())
        return x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;
    if (shape.kind() == RegionShape::Kind::Ellipse) {
        const std::int64_t w = box.width, h = box.height;
        const std::int64_t dx = px - 2 * box.x - w, dy = py - 2 * box.y - h;
        return dx * dx * h * h + dy * dy * w * w <= w * w * h * h;
    }
    bool inside = false;
    const auto corners = shape.corners();
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const PixelCorner &a = corners[i], &b = corners[(i + 1) % corners.size()];
        const std::int64_t ax = 2 * a.x, ay = 2 * a.y, bx = 2 * b.x, by = 2 * b.y;
        if ((ay > py) == (by > py)) continue;
        const std::int64_t side = (bx - ax) * (py - ay) - (by - ay) * (px - ax);
        if (side == 0) return true;
        // The crossing lies to the right of the middle.
        if ((side > 0) == (by > ay)) inside = !inside;
    }
    return inside;
}

// Those of an image that belong to the shape, row after row, as an image one pixel wide;
// null if there are none.
inline Image pixelsOf(const Image& image, const RegionShape& shape) {
    std::vector<std::pair<int, int>> found;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (belongs(shape, x, y)) found.emplace_back(x, y);
    if (found.empty()) return {};
    auto made = MutableImage::create(image.format(), {1, int(found.size())}).value();
    visitSampleType(image.format(), [&]<class T>() {
        const auto from = image.view<T>();
        const auto to = made.view<T>();
        for (int i = 0; i < int(found.size()); ++i)
            std::copy_n(from.row(found[std::size_t(i)].second) +
                            std::ptrdiff_t(found[std::size_t(i)].first) * from.channels,
                        from.channels, to.row(i));
    });
    return std::move(made).freeze({});
}

inline bool holdsPixels(const RegionShape& shape, Size size) {
    return RegionRows(shape, {0, 0, size.width, size.height}).pixels() > 0;
}

inline RegionShape anyShape(std::mt19937& random, Size size, bool beyond) {
    const int over = beyond ? 20 : 0;
    const auto x = [&] { return anyBetween(random, -over, size.width + over); };
    const auto y = [&] { return anyBetween(random, -over, size.height + over); };
    while (true) {
        std::vector<PixelCorner> corners;
        const int count = random() % 3 == 0 ? 2 : anyBetween(random, 3, 40);
        for (int i = 0; i < count; ++i) corners.push_back({x(), y()});
        RegionShape shape = RegionShape::polygon(corners);
        if (count == 2) shape = RegionShape::ellipse(shape.box());
        if (!shape.box().empty() && holdsPixels(shape, size)) return shape;
    }
}

}  // namespace warpscope::test
