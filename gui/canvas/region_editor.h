// The region of interest as a person edits it: its handles, and what drags and arrow keys make of
// it. Regions are pixels of the source and never leave it; handles are device pixels in a pane, and
// keep their names where the pane shows the source turned.
#pragma once

#include <QPolygonF>
#include <array>
#include <optional>

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
    const std::optional<Rect>& region() const { return m_region; }
    void setRegion(const std::optional<Rect>& region) { m_region = region; }

    // What follows clips to the image and is true if the region is another than before.
    bool edit(std::optional<Rect> wanted, Size image);
    bool takeMiddleOf(const Rect& seen, Size image);  // half of it in each direction
    // Arrow keys. A region that is moved keeps its size; one that is resized its upper left corner.
    bool moveBy(const QPoint& by, Size image);
    // The corner that a view shows as the lower right one.
    bool resizeBy(const QPoint& by, Size image, const PixelMap& shownFromImage = {});
    // A pixel of the region as it is shown, if there is one.
    QPoint cornerTowards(const QPoint& direction, const PixelMap& shownFromImage = {}) const;
    // With a handle the opposite corner or edge stays; without, a drag begins a region of its own.
    void grab(RegionHandle handle, const QPoint& pixel);
    bool dragTo(const QPoint& pixel, Size image);
    RegionHandle grabbed() const { return m_grabbed; }

    // The box around where it is drawn, and its corners, clockwise in the source; empty without a
    // region.
    QRectF outline(const PaneView& view) const;
    QPolygonF corners(const PaneView& view) const;
    // As RegionHandle counts them; those without room are left out as far points.
    std::array<QPointF, 9> handles(const PaneView& view, double dpr) const;
    RegionHandle handleAt(const QPointF& inPane, const PaneView& view, double dpr) const;

  private:
    std::optional<Rect> m_region;
    RegionHandle m_grabbed = RegionHandle::None;
    QPoint m_grabPixel;
    std::optional<Rect> m_before;  // when it was grabbed
};

}  // namespace warpscope::gui
