#include "gui/canvas/region_editor.h"

#include <QLineF>
#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace warpscope::gui {
namespace {

constexpr double kHandleReach = 8.0;    // logical pixels from a handle's middle, as those below
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

}  // namespace

bool RegionEditor::edit(std::optional<Rect> wanted, Size image) {
    if (wanted) wanted = intersect(*wanted, {0, 0, image.width, image.height});
    if (wanted && wanted->empty()) wanted.reset();
    if (wanted == m_region) return false;
    m_region = wanted;
    return true;
}

bool RegionEditor::takeMiddleOf(const Rect& seen, Size image) {
    const int width = std::max(1, seen.width / 2);
    const int height = std::max(1, seen.height / 2);
    return edit(
        Rect{seen.x + (seen.width - width) / 2, seen.y + (seen.height - height) / 2, width, height},
        image);
}

bool RegionEditor::moveBy(const QPoint& by, Size image) {
    if (!m_region) return false;
    const Rect& r = *m_region;
    return edit(movedInto({r.x + by.x(), r.y + by.y(), r.width, r.height}, image), image);
}

bool RegionEditor::resizeBy(const QPoint& by, Size image, const PixelMap& shownFromImage) {
    if (!m_region) return false;
    Rect r = mapped(shownFromImage, *m_region);
    const Rect all = mapped(shownFromImage, {0, 0, image.width, image.height});
    r.width = std::clamp(r.width + by.x(), 1, all.x + all.width - r.x);
    r.height = std::clamp(r.height + by.y(), 1, all.y + all.height - r.y);
    return edit(mapped(inverse(shownFromImage), r), image);
}

QPoint RegionEditor::cornerTowards(const QPoint& direction, const PixelMap& shownFromImage) const {
    const Rect r = mapped(shownFromImage, m_region.value_or(Rect{}));
    return {direction.x() > 0 ? r.x + r.width - 1 : r.x,
            direction.y() > 0 ? r.y + r.height - 1 : r.y};
}

void RegionEditor::grab(RegionHandle handle, const QPoint& pixel) {
    m_grabbed = handle;
    m_grabPixel = pixel;
    m_before = m_region;
}

bool RegionEditor::dragTo(const QPoint& pixel, Size image) {
    using H = RegionHandle;
    const H h = m_grabbed;
    if (h == H::None) return edit(between(m_grabPixel, pixel), image);
    if (!m_before) return false;
    const Rect& r = *m_before;
    if (h == H::Move) {
        const QPoint by = pixel - m_grabPixel;
        return edit(movedInto({r.x + by.x(), r.y + by.y(), r.width, r.height}, image), image);
    }
    QPoint near(r.x, r.y);
    QPoint far(r.x + r.width - 1, r.y + r.height - 1);
    if (h == H::TopLeft || h == H::Left || h == H::BottomLeft) near.setX(pixel.x());
    if (h == H::TopRight || h == H::Right || h == H::BottomRight) far.setX(pixel.x());
    if (h == H::TopLeft || h == H::Top || h == H::TopRight) near.setY(pixel.y());
    if (h == H::BottomLeft || h == H::Bottom || h == H::BottomRight) far.setY(pixel.y());
    return edit(between(near, far), image);
}

QPolygonF RegionEditor::corners(const PaneView& view) const {
    if (!m_region) return {};
    const QRectF r(m_region->x, m_region->y, m_region->width, m_region->height);
    QPolygonF shown;
    for (const QPointF& corner : {r.topLeft(), r.topRight(), r.bottomRight(), r.bottomLeft()})
        shown << view.toPane(corner);
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
    const auto points = handles(view, dpr);
    const auto hit = std::ranges::find_if(points, [&](const QPointF& point) {
        const QPointF away = point - inPane;
        return std::max(std::abs(away.x()), std::abs(away.y())) <= kHandleReach * dpr;
    });
    return hit == points.end() ? RegionHandle::None : RegionHandle(int(hit - points.begin()));
}

}  // namespace warpscope::gui
