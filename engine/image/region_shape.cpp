#include "engine/image/region_shape.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "engine/image/exact_figures.h"

namespace warpscope {
namespace {

constexpr std::size_t kMostCorners = 100'000;
constexpr std::int64_t kMostEdgeRows = 1 << 22;
constexpr int kStripRows = 64;  // of crossings in memory at a time
constexpr const char* kKindNames[] = {"rectangle", "ellipse", "polygon"};

Rect boxOf(std::span<const PixelCorner> corners) {
    if (corners.empty()) return {};
    const auto [left, right] = std::ranges::minmax(corners, {}, &PixelCorner::x);
    const auto [top, bottom] = std::ranges::minmax(corners, {}, &PixelCorner::y);
    return {left.x, top.y, right.x - left.x, bottom.y - top.y};
}

// The pixels of an ellipse in a row: with d twice the way from the middle to a pixel's in x and e
// in y, those with d^2 height^2 <= width^2 (height^2 - e^2). In whole numbers: a pixel on the
// outline belongs to it on every side.
PixelRun ellipseRun(const Rect& box, int y) {
    using Wide = ExactSums::Wide;
    const auto width = std::uint64_t(box.width), height = std::uint64_t(box.height);
    const auto e = std::uint64_t(std::abs(2 * std::int64_t(y - box.y) + 1 - box.height));
    const Wide limit = Wide(width) * width * ((height - e) * (height + e));
    const auto fits = [&](std::uint64_t d) { return Wide(d) * d * height * height <= limit; };
    auto d = std::uint64_t(double(width) * std::sqrt(double((height - e) * (height + e))) /
                           double(height));
    while (!fits(d)) --d;
    while (fits(d + 1)) ++d;
    // Middles of pixels are an odd or an even number of halves away.
    auto reach = std::int64_t(d);
    if ((reach + box.width) % 2 == 0) --reach;
    if (reach < 0) return {};
    return {box.x + int((box.width - 1 - reach) / 2), box.x + int((box.width + 1 + reach) / 2)};
}

std::int64_t floorOf(std::int64_t over, std::int64_t under) {
    return over / under - (over % under < 0);
}

// Where the outline crosses the line through the middles of a row, as pixels: the first one whose
// middle is not left of it, and the last one whose middle is not right of it.
struct Crossing {
    int from = 0;
    int to = 0;
};

// By row of `within`, from left to right.
std::vector<std::vector<Crossing>> crossingsOf(std::span<const PixelCorner> corners,
                                               const Rect& within) {
    std::vector<std::vector<Crossing>> rows(std::size_t(within.height));
    for (std::size_t i = 0; i < corners.size(); ++i) {
        PixelCorner a = corners[i], b = corners[(i + 1) % corners.size()];
        if (a.y > b.y) std::swap(a, b);
        // Corners lie between rows: an edge crosses a row wholly or not at all.
        const int last = std::min(b.y, within.y + within.height);
        const std::int64_t dx = b.x - a.x, dy = b.y - a.y;
        for (int y = std::max(a.y, within.y); y < last; ++y) {
            // x - 1/2 of the crossing, over 2 dy.
            const std::int64_t over = (2 * std::int64_t(y - a.y) + 1) * dx + (2 * a.x - 1) * dy;
            const std::int64_t to = floorOf(over, 2 * dy);
            rows[std::size_t(y - within.y)].push_back({int(to + (over % (2 * dy) != 0)), int(to)});
        }
    }
    // Both rise with x, and what is equal in both may stand in any order.
    for (auto& row : rows)
        std::ranges::sort(row, {}, [](const Crossing& c) { return std::int64_t(c.from) + c.to; });
    return rows;
}

std::optional<std::vector<int>> wholeNumbers(std::string_view text) {
    std::vector<int> numbers;
    while (!text.empty()) {
        if (text.front() == ' ') {
            text.remove_prefix(1);
            continue;
        }
        int number = 0;
        const char* end = text.data() + text.size();
        const auto read = std::from_chars(text.data(), end, number);
        const bool apart = read.ptr == end || *read.ptr == ' ';
        if (read.ec != std::errc() || !apart || std::abs(std::int64_t(number)) > kMaxSide)
            return std::nullopt;
        numbers.push_back(number);
        if (numbers.size() > 2 * kMostCorners) return std::nullopt;
        text.remove_prefix(std::size_t(read.ptr - text.data()));
    }
    return numbers;
}

}  // namespace

RegionShape RegionShape::ellipse(const Rect& box) {
    RegionShape shape(box);
    shape.m_kind = Kind::Ellipse;
    return shape;
}

RegionShape RegionShape::polygon(std::vector<PixelCorner> corners) {
    RegionShape shape(boxOf(corners));
    shape.m_kind = Kind::Polygon;
    shape.m_corners = std::move(corners);
    return shape;
}

RegionShape mapped(const PixelMap& map, const RegionShape& shape) {
    if (shape.isRectangle()) return mapped(map, shape.box());
    if (shape.kind() == RegionShape::Kind::Ellipse)
        return RegionShape::ellipse(mapped(map, shape.box()));
    // Far beyond every image, and sums of it still whole numbers.
    static constexpr double kFar = 1e8;
    const auto whole = [](double value) {
        return int(std::lround(std::clamp(value, -kFar, kFar)));
    };
    std::vector<PixelCorner> corners;
    corners.reserve(shape.corners().size());
    for (const PixelCorner& corner : shape.corners())
        corners.push_back(
            {whole(map.mapX(corner.x, corner.y)), whole(map.mapY(corner.x, corner.y))});
    return RegionShape::polygon(std::move(corners));
}

RegionShape fitted(const RegionShape& shape, const Rect& box) {
    if (shape.isRectangle()) return box;
    if (shape.kind() == RegionShape::Kind::Ellipse) return RegionShape::ellipse(box);
    const auto moved = [](int value, int from, int length, int to, int wanted) {
        if (length <= 0) return to;
        const std::int64_t over = 2 * std::int64_t(value - from) * wanted + length;
        return to + int(floorOf(over, 2 * std::int64_t(length)));
    };
    const Rect& before = shape.box();
    std::vector<PixelCorner> corners;
    corners.reserve(shape.corners().size());
    for (const PixelCorner& corner : shape.corners())
        corners.push_back({moved(corner.x, before.x, before.width, box.x, box.width),
                           moved(corner.y, before.y, before.height, box.y, box.height)});
    return RegionShape::polygon(std::move(corners));
}

bool isBounded(const RegionShape& shape) {
    const auto corners = shape.corners();
    std::int64_t rows = 0;
    for (std::size_t i = 0; i < corners.size(); ++i)
        rows += std::abs(std::int64_t(corners[i].y) - corners[(i + 1) % corners.size()].y);
    return corners.size() <= kMostCorners && rows <= kMostEdgeRows;
}

std::string regionText(const RegionShape& shape) {
    std::string text = kKindNames[int(shape.kind())];
    if (shape.kind() != RegionShape::Kind::Polygon) {
        const Rect& box = shape.box();
        return text + fmt::format(" {} {} {} {}", box.x, box.y, box.width, box.height);
    }
    for (const PixelCorner& corner : shape.corners())
        text += fmt::format(" {} {}", corner.x, corner.y);
    return text;
}

Result<RegionShape> regionFromText(std::string_view text) {
    const std::string_view name = text.substr(0, text.find(' '));
    const auto kind = std::ranges::find(kKindNames, name);
    const auto numbers = wholeNumbers(text.substr(name.size()));
    const auto wrong = fail(ErrorCode::InvalidArgument, "this is no region");
    if (kind == std::end(kKindNames) || !numbers) return wrong;
    if (name == "polygon") {
        if (numbers->size() % 2 != 0 || numbers->size() < 6) return wrong;
        std::vector<PixelCorner> corners;
        for (std::size_t i = 0; i < numbers->size(); i += 2)
            corners.push_back({(*numbers)[i], (*numbers)[i + 1]});
        RegionShape polygon = RegionShape::polygon(std::move(corners));
        if (!isBounded(polygon)) return wrong;
        return polygon;
    }
    if (numbers->size() != 4) return wrong;
    const Rect box{(*numbers)[0], (*numbers)[1], (*numbers)[2], (*numbers)[3]};
    if (box.empty()) return wrong;
    return name == "ellipse" ? RegionShape::ellipse(box) : RegionShape(box);
}

RegionRows::RegionRows(const RegionShape& shape, const Rect& within, const std::stop_token& stop) {
    const int height = std::max(0, within.height);
    m_begin.reserve(std::size_t(height) + 1);
    for (int y = 0; y < height && !stop.stop_requested(); y += kStripRows)
        addStrip(shape, within,
                 {within.x, within.y + y, within.width, std::min(kStripRows, height - y)});
    m_begin.resize(std::size_t(height) + 1, m_runs.size());
}

void RegionRows::addStrip(const RegionShape& shape, const Rect& within, const Rect& strip) {
    std::vector<std::vector<Crossing>> crossings;
    if (shape.kind() == RegionShape::Kind::Polygon) crossings = crossingsOf(shape.corners(), strip);
    const Rect& box = shape.box();
    for (int y = 0; y < strip.height; ++y) {
        m_begin.push_back(m_runs.size());
        const int row = strip.y + y;
        if (row < box.y || row >= box.y + box.height || within.width <= 0) continue;
        if (shape.isRectangle()) {
            add(box.x, box.x + box.width, within);
        } else if (shape.kind() == RegionShape::Kind::Ellipse) {
            const PixelRun run = ellipseRun(box, row);
            add(run.first, run.last, within);
        } else {
            // Inside between one crossing and the next one.
            const auto& found = crossings[std::size_t(y)];
            for (std::size_t i = 0; i + 1 < found.size(); i += 2)
                add(found[i].from, found[i + 1].to + 1, within);
        }
    }
}

// What touches the run before it, or has a pixel in common with it, lengthens it.
void RegionRows::add(int first, int last, const Rect& within) {
    first = std::max(first - within.x, 0);
    last = std::min(last - within.x, within.width);
    const bool more = m_runs.size() > m_begin.back();
    if (more) first = std::max(first, m_runs.back().last);
    if (first >= last) return;
    m_pixels += std::uint64_t(last - first);
    if (more && m_runs.back().last == first)
        m_runs.back().last = last;
    else
        m_runs.push_back({first, last});
}

bool holdsPixels(const RegionShape& shape, const Rect& within) {
    for (int y = 0; y < within.height; y += kStripRows) {
        const Rect strip{within.x, within.y + y, within.width,
                         std::min(kStripRows, within.height - y)};
        if (RegionRows(shape, strip).pixels() > 0) return true;
    }
    return false;
}

}  // namespace warpscope
