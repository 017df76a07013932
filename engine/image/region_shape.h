// A part of an image that a person has marked: a rectangle, an ellipse or a polygon; and exactly
// which pixels belong to it.
#pragma once

#include <algorithm>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/image/image.h"
#include "engine/image/placement.h"

namespace warpscope {

// Between pixels: (x, y) is the upper left corner of pixel (x, y).
struct PixelCorner {
    int x = 0;
    int y = 0;
    friend bool operator==(const PixelCorner&, const PixelCorner&) = default;
};

// A pixel belongs to it where its middle lies inside or on the outline: of an ellipse where
// ((x + 0.5 - cx) / rx)^2 + ((y + 0.5 - cy) / ry)^2 <= 1, of a polygon, which may cross itself, by
// the even-odd rule.
class RegionShape {
  public:
    enum class Kind { Rectangle, Ellipse, Polygon };

    RegionShape(const Rect& box) : m_box(box) {}
    // As large as the box in both directions.
    static RegionShape ellipse(const Rect& box);
    // Closed by itself. Less than three corners hold nothing.
    static RegionShape polygon(std::vector<PixelCorner> corners);

    Kind kind() const { return m_kind; }
    bool isRectangle() const { return m_kind == Kind::Rectangle; }
    // Around it; of a polygon around its corners.
    const Rect& box() const { return m_box; }
    // Of a polygon; else none.
    std::span<const PixelCorner> corners() const { return m_corners; }

    friend bool operator==(const RegionShape&, const RegionShape&) = default;

  private:
    Kind m_kind = Kind::Rectangle;
    Rect m_box;
    std::vector<PixelCorner> m_corners;
};

// Of the same kind; exact where the map keeps pixels, else in whole pixels (of an ellipse: the one
// in the mapped box).
RegionShape mapped(const PixelMap& map, const RegionShape& shape);
// Moved and stretched into another box, a polygon in whole pixels: where the size stays the same it
// is the same shape.
RegionShape fitted(const RegionShape& shape, const Rect& box);

// Whether a polygon has at most 100,000 corners and its edges at most 2^22 rows together: drawn by
// hand it is some thousand rows, and every row of each edge takes memory and time.
bool isBounded(const RegionShape& shape);

// "rectangle X Y WIDTH HEIGHT", "ellipse X Y WIDTH HEIGHT", "polygon X Y X Y ...", in whole pixels.
std::string regionText(const RegionShape& shape);
// Errors: InvalidArgument for any other text, for an empty box, fewer than three corners, for what
// is not bounded, and for numbers that lie beyond every image.
Result<RegionShape> regionFromText(std::string_view text);

// Pixels [first, last) of a row.
struct PixelRun {
    int first = 0;
    int last = 0;
    friend bool operator==(const PixelRun&, const PixelRun&) = default;
};

// The pixels of a shape in the part `within` of an image: rows and columns count from its upper
// left corner.
class RegionRows {
  public:
    // Throws std::bad_alloc. Rows that are not reached before a request to stop hold nothing.
    RegionRows(const RegionShape& shape, const Rect& within, const std::stop_token& stop = {});

    // From left to right, apart from each other.
    std::span<const PixelRun> row(int y) const {
        const std::size_t from = m_begin[std::size_t(y)];
        return {m_runs.data() + from, m_begin[std::size_t(y) + 1] - from};
    }
    int height() const { return int(m_begin.size()) - 1; }
    std::uint64_t pixels() const { return m_pixels; }

  private:
    void addStrip(const RegionShape& shape, const Rect& within, const Rect& strip);
    void add(int first, int last, const Rect& within);

    std::vector<PixelRun> m_runs;
    // Of each row, and the end of the last one.
    std::vector<std::size_t> m_begin;
    std::uint64_t m_pixels = 0;
};

// Whether the shape has a pixel there; looks no further than to the first one.
bool holdsPixels(const RegionShape& shape, const Rect& within);

// Calls f(samples, column, pixels) for the runs of a row of pixels, or for all of it where there
// are no `rows`.
template <class T, class F>
void forEachRun(const View<T>& view, int y, const RegionRows* rows, F&& f) {
    T* row = view.row(y);
    if (!rows) return f(row, 0, view.width);
    for (const PixelRun& run : rows->row(y))
        f(row + std::ptrdiff_t(run.first) * view.channels, run.first, run.last - run.first);
}

}  // namespace warpscope
