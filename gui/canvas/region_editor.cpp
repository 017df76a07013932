#include "gui/canvas/region_editor.h"

#include <QLineF>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace warpscope::gui {
namespace {

constexpr double kHandleReach = 10.0;   // logical pixels from a handle's middle, as those below
constexpr double kEdgeHandleFrom = 40;  // shorter edges have no handle of their own
constexpr double kMoveHandleFrom = 56;

// Clamped to the image by moving, so that a moved region keeps its size.
Rect movedInto(Rect rect, Size image) {
    rect.x = std::clamp(rect.x, 0, std::max(0, image.width - rect.width));
    rect.y = std::clamp(rect.y, 0, std::max(0, image.height - rect.height));
    return rect;
}

Rect between(const QPoint& a, const QPoint& b) {
    return {std::min(a.x(), b.x()), std::min(a.y(), b.y()), std::abs(a.x() - b.x()) + 1,
            std::abs(a.y() - b.y()) + 1};
}

// What a drag or a key begins in a box.
RegionShape begun(RegionShape::Kind kind) {
    return kind == RegionShape::Kind::Ellipse ? RegionShape::ellipse({}) : RegionShape(Rect{});
}

// A point between two others of a straight stroke says nothing.
bool goesStraightOn(const PixelCorner& a, const PixelCorner& b, const PixelCorner& c) {
    const std::int64_t abx = b.x - a.x, aby = b.y - a.y, bcx = c.x - b.x, bcy = c.y - b.y;
    return abx * bcy == aby * bcx && abx * bcx + aby * bcy >= 0;
}

}  // namespace

bool RegionEditor::setDrawn(RegionShape::Kind kind) {
    using K = RegionShape::Kind;
    m_drawn = kind;
    if (!m_region || kind == K::Polygon || m_region->kind() == K::Polygon ||
        m_region->kind() == kind)
        return false;
    m_region = fitted(begun(kind), m_region->box());
    return true;
}

bool RegionEditor::edit(std::optional<Rect> wanted, Size image, const RegionShape& like) {
    if (wanted) wanted = intersect(*wanted, {0, 0, image.width, image.height});
    if (wanted && !wanted->empty()) return take(fitted(like, *wanted), image);
    const bool changed = m_region.has_value();
    m_region.reset();
    return changed;
}

bool RegionEditor::take(RegionShape wanted, Size image) {
    if (wanted == m_region) return false;
    // Where a polygon cannot grow any more it stays. All others lie in the image and have pixels.
    const Rect inside = intersect(wanted.box(), {0, 0, image.width, image.height});
    if (wanted.kind() == RegionShape::Kind::Polygon &&
        (inside.empty() || !isBounded(wanted) || !holdsPixels(wanted, inside)))
        return false;
    m_region = std::move(wanted);
    return true;
}

bool RegionEditor::drawTo(const QPointF& place, Size image) {
    const PixelCorner corner{int(std::lround(std::clamp(place.x(), 0.0, double(image.width)))),
                             int(std::lround(std::clamp(place.y(), 0.0, double(image.height))))};
    if (!m_path.empty() && m_path.back() == corner) return false;
    const std::size_t count = m_path.size();
    std::vector<PixelCorner> before = m_path;
    if (count >= 2 && goesStraightOn(m_path[count - 2], m_path[count - 1], corner))
        m_path.back() = corner;
    else
        m_path.push_back(corner);
    RegionShape drawn = RegionShape::polygon(m_path);
    if (isBounded(drawn)) return take(std::move(drawn), image);
    m_path = std::move(before);
    return false;
}

bool RegionEditor::takeMiddleOf(const Rect& seen, Size image) {
    const int width = std::max(1, seen.width / 2);
    const int height = std::max(1, seen.height / 2);
    return edit(
        Rect{seen.x + (seen.width - width) / 2, seen.y + (seen.height - height) / 2, width, height},
        image, begun(m_drawn));
}

bool RegionEditor::moveBy(const QPoint& by, Size image) {
    if (!m_region) return false;
    const RegionShape shape = *m_region;
    const Rect& r = shape.box();
    return edit(movedInto({r.x + by.x(), r.y + by.y(), r.width, r.height}, image), image, shape);
}

bool RegionEditor::resizeBy(const QPoint& by, Size image, const PixelMap& shownFromImage) {
    if (!m_region) return false;
    const RegionShape shape = *m_region;
    Rect r = mapped(shownFromImage, shape.box());
    const Rect all = mapped(shownFromImage, {0, 0, image.width, image.height});
    r.width = std::clamp(r.width + by.x(), 1, all.x + all.width - r.x);
    r.height = std::clamp(r.height + by.y(), 1, all.y + all.height - r.y);
    return edit(mapped(inverse(shownFromImage), r), image, shape);
}

QPoint RegionEditor::cornerTowards(const QPoint& direction, const PixelMap& shownFromImage) const {
    const Rect r = mapped(shownFromImage, region().value_or(Rect{}));
    return {direction.x() > 0 ? r.x + r.width - 1 : r.x,
            direction.y() > 0 ? r.y + r.height - 1 : r.y};
}

void RegionEditor::grab(RegionHandle handle, const QPoint& pixel, const QPointF& place) {
    m_grabbed = handle;
    m_grabPixel = pixel;
    m_grabPlace = place;
    m_path.clear();
    m_before = m_region;
}

bool RegionEditor::dragTo(const QPoint& pixel, Size image, const QPointF& place) {
    using H = RegionHandle;
    const H h = m_grabbed;
    if (h == H::None && m_drawn == RegionShape::Kind::Polygon) {
        if (m_path.empty()) drawTo(m_grabPlace, image);
        return drawTo(place, image);
    }
    if (h == H::None) return edit(between(m_grabPixel, pixel), image, begun(m_drawn));
    if (!m_before) return false;
    const Rect& r = m_before->box();
    if (h == H::Move) {
        const QPoint by = pixel - m_grabPixel;
        return edit(movedInto({r.x + by.x(), r.y + by.y(), r.width, r.height}, image), image,
                    *m_before);
    }
    QPoint near(r.x, r.y);
    QPoint far(r.x + r.width - 1, r.y + r.height - 1);
    if (h == H::TopLeft || h == H::Left || h == H::BottomLeft) near.setX(pixel.x());
    if (h == H::TopRight || h == H::Right || h == H::BottomRight) far.setX(pixel.x());
    if (h == H::TopLeft || h == H::Top || h == H::TopRight) near.setY(pixel.y());
    if (h == H::BottomLeft || h == H::Bottom || h == H::BottomRight) far.setY(pixel.y());
    return edit(between(near, far), image, *m_before);
}

QPolygonF RegionEditor::corners(const PaneView& view) const {
    if (!m_region) return {};
    const Rect& box = m_region->box();
    const QRectF r(box.x, box.y, box.width, box.height);
    QPolygonF shown;
    for (const QPointF& corner : {r.topLeft(), r.topRight(), r.bottomRight(), r.bottomLeft()})
        shown << view.toPane(corner);
    return shown;
}

QPainterPath RegionEditor::path(const PaneView& view) const {
    QPainterPath shown;
    if (!m_region || m_region->isRectangle()) return shown;
    if (m_region->kind() == RegionShape::Kind::Polygon) {
        QPolygonF polygon;
        for (const PixelCorner& corner : m_region->corners())
            polygon << view.toPane(QPointF(corner.x, corner.y));
        shown.addPolygon(polygon);
        shown.closeSubpath();
        return shown;
    }
    // Of the pane, with the middle and both half axes where the map has taken them.
    const Rect& box = m_region->box();
    const QPointF middle = view.toPane({box.x + box.width / 2.0, box.y + box.height / 2.0});
    const QPointF across = view.toPane({double(box.x + box.width), box.y + box.height / 2.0});
    const QPointF down = view.toPane({box.x + box.width / 2.0, double(box.y + box.height)});
    const QPointF u = across - middle, v = down - middle;
    // Four arcs, as usual, would be half a pixel off in an ellipse of 4,000.
    constexpr int kArcs = 16;
    constexpr double kStep = 2 * std::numbers::pi / kArcs;
    const double reach = 4.0 / 3 * std::tan(kStep / 4);
    const auto at = [&](double turn) { return middle + std::cos(turn) * u + std::sin(turn) * v; };
    const auto along = [&](double turn) {
        return reach * (std::cos(turn) * v - std::sin(turn) * u);
    };
    shown.moveTo(at(0));
    for (int i = 0; i < kArcs; ++i) {
        const double from = i * kStep, to = from + kStep;
        shown.cubicTo(at(from) + along(from), at(to) - along(to), at(to));
    }
    shown.closeSubpath();
    return shown;
}

QRectF RegionEditor::outline(const PaneView& view) const {
    return corners(view).boundingRect();
}

std::array<QPointF, 9> RegionEditor::handles(const PaneView& view, double dpr) const {
    const QPointF far(-1e9, -1e9);
    std::array<QPointF, 9> points;
    points.fill(far);
    const QPolygonF shown = corners(view);
    if (shown.isEmpty() || shown.boundingRect().isEmpty()) return points;
    double edges[2];
    for (int i = 0; i < 4; ++i) {
        const QLineF edge(shown[i], shown[(i + 1) % 4]);
        edges[i % 2] = edge.length();
        points[std::size_t(2 * i)] = shown[i];
        if (edge.length() >= kEdgeHandleFrom * dpr) points[std::size_t(2 * i + 1)] = edge.center();
    }
    if (std::min(edges[0], edges[1]) >= kMoveHandleFrom * dpr)
        points[8] = (shown[0] + shown[2]) / 2;
    return points;
}

RegionHandle RegionEditor::handleAt(const QPointF& inPane, const PaneView& view, double dpr) const {
    // The nearest: around a small region they overlap.
    const auto points = handles(view, dpr);
    const auto farTo = [&](const QPointF& point) {
        const QPointF away = point - inPane;
        return std::max(std::abs(away.x()), std::abs(away.y()));
    };
    const auto nearest = std::ranges::min_element(points, {}, farTo);
    return farTo(*nearest) <= kHandleReach * dpr ? RegionHandle(int(nearest - points.begin()))
                                                 : RegionHandle::None;
}

Qt::CursorShape cursorOf(RegionHandle handle, const PixelMap& shownFromSource) {
    if (handle == RegionHandle::None || handle == RegionHandle::Move) return Qt::SizeAllCursor;
    constexpr QPoint kDirections[] = {{-1, -1}, {0, -1}, {1, -1}, {1, 0},
                                      {1, 1},   {0, 1},  {-1, 1}, {-1, 0}};
    const QPointF to = mapVector(shownFromSource, kDirections[int(handle)]);
    if (std::abs(to.x()) > 2 * std::abs(to.y())) return Qt::SizeHorCursor;
    if (std::abs(to.y()) > 2 * std::abs(to.x())) return Qt::SizeVerCursor;
    return to.x() * to.y() > 0 ? Qt::SizeFDiagCursor : Qt::SizeBDiagCursor;
}

QPoint stepIn(const PixelMap& map, const QPoint& arrow) {
    const int length = std::max(std::abs(arrow.x()), std::abs(arrow.y()));
    const QPointF to = mapVector(map, arrow);
    if (std::abs(to.x()) >= std::abs(to.y())) return {to.x() < 0 ? -length : length, 0};
    return {0, to.y() < 0 ? -length : length};
}

}  // namespace warpscope::gui
