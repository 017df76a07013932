// The region of interest as a person edits it: its handles, and what drags and arrow keys make of
// it. Regions are pixels of the source and never leave it; handles are device pixels in a pane, and
// keep their names where the pane shows the source turned.
#pragma once

#include <QPainterPath>
#include <QPolygonF>
#include <array>
#include <optional>

#include "engine/image/region_shape.h"
#include "gui/canvas/pane_view.h"

namespace warpscope::gui {

// Corners and edges of a region, clockwise from the upper left, then its middle.
enum class RegionHandle {
    None = -1,
    TopLeft,
    Top,
    TopRight,
    Right,
    BottomRight,
    Bottom,
    BottomLeft,
    Left,
    Move
};

class RegionEditor {
  public:
    // The box around it, which the handles belong to.
    std::optional<Rect> region() const {
        return m_region ? std::optional(m_region->box()) : std::nullopt;
    }
    const std::optional<RegionShape>& shape() const { return m_region; }
    void setRegion(const std::optional<RegionShape>& region) { m_region = region; }

    // What a drag begins. True if the region has become another: see Canvas::setDrawnShape.
    bool setDrawn(RegionShape::Kind kind);
    RegionShape::Kind drawn() const { return m_drawn; }

    // What follows clips to the image and is true if the region is another than before. A shape is
    // stretched with its box, as long as pixels are left in it.
    bool edit(std::optional<Rect> wanted, Size image, const RegionShape& like = Rect{});
    // Half of it in each direction: an ellipse where that is drawn, else a rectangle.
    bool takeMiddleOf(const Rect& seen, Size image);
    // Arrow keys. A region that is moved keeps its size; one that is resized its upper left corner.
    bool moveBy(const QPoint& by, Size image);
    // The corner that a view shows as the lower right one.
    bool resizeBy(const QPoint& by, Size image, const PixelMap& shownFromImage = {});
    // A pixel of the region as it is shown, if there is one.
    QPoint cornerTowards(const QPoint& direction, const PixelMap& shownFromImage = {}) const;
    // With a handle the opposite corner or edge stays; without, a drag begins a region of its own.
    // `place`: not rounded to a pixel, for what is drawn freehand, from corner to corner of pixels.
    void grab(RegionHandle handle, const QPoint& pixel, const QPointF& place = {});
    bool dragTo(const QPoint& pixel, Size image, const QPointF& place = {});
    RegionHandle grabbed() const { return m_grabbed; }

    // The box around where it is drawn, and its corners, clockwise in the source; empty without a
    // region.
    QRectF outline(const PaneView& view) const;
    QPolygonF corners(const PaneView& view) const;
    // The outline of an ellipse or polygon.
    QPainterPath path(const PaneView& view) const;
    // As RegionHandle counts them; those without room are left out as far points.
    std::array<QPointF, 9> handles(const PaneView& view, double dpr) const;
    RegionHandle handleAt(const QPointF& inPane, const PaneView& view, double dpr) const;

  private:
    bool take(RegionShape wanted, Size image);
    bool drawTo(const QPointF& place, Size image);

    std::optional<RegionShape> m_region;
    RegionShape::Kind m_drawn = RegionShape::Kind::Rectangle;
    RegionHandle m_grabbed = RegionHandle::None;
    QPoint m_grabPixel;
    QPointF m_grabPlace;
    std::vector<PixelCorner> m_path;      // drawn so far
    std::optional<RegionShape> m_before;  // when it was grabbed
};

// In the direction in which the handle lies from the middle, as it is shown.
Qt::CursorShape cursorOf(RegionHandle handle, const PixelMap& shownFromImage);
// Of an arrow key as long, along the axis of the other image that comes closest.
QPoint stepIn(const PixelMap& map, const QPoint& arrow);

}  // namespace warpscope::gui
