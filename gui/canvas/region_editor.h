// The region of interest as a person edits it: its handles, and what drags and arrow keys make of
// it. Regions are image pixels and never leave the image; handles are device pixels in a pane.
#pragma once

#include <array>
#include <optional>

#include "gui/canvas/view_transform.h"

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
    bool resizeBy(const QPoint& by, Size image);
    QPoint cornerTowards(const QPoint& direction) const;  // a pixel of the region, if there is one
    // With a handle the opposite corner or edge stays; without, a drag begins a region of its own.
    void grab(RegionHandle handle, const QPoint& pixel);
    bool dragTo(const QPoint& pixel, Size image);
    RegionHandle grabbed() const { return m_grabbed; }

    // Where it is drawn; empty without a region.
    QRectF outline(const ViewTransform& transform) const;
    // As RegionHandle counts them; those without room are left out as far points.
    std::array<QPointF, 9> handles(const ViewTransform& transform, double dpr) const;
    RegionHandle handleAt(const QPointF& inPane, const ViewTransform& transform, double dpr) const;

  private:
    std::optional<Rect> m_region;
    RegionHandle m_grabbed = RegionHandle::None;
    QPoint m_grabPixel;
    std::optional<Rect> m_before;  // when it was grabbed
};

}  // namespace warpscope::gui
