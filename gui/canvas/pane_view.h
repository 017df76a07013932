// What a pane shows: an image upright in its own pixels, and where the source's pixels are in it.
// Nothing drawn.
#pragma once

#include <optional>

#include "gui/canvas/view_transform.h"
#include "gui/display/result_place.h"

namespace warpscope::gui {

// What a person looks at, for another window and another day: of any size of pane.
struct ViewSpot {
    // Device pixels per pixel of the source; nothing: all of the image is shown.
    std::optional<double> zoom;
    // Of the source, in the middle of the pane.
    QPointF middle;

    friend bool operator==(const ViewSpot&, const ViewSpot&) = default;
};

class PaneView {
  public:
    PaneView() = default;
    // Of the source itself, or of an image that lies over it so.
    PaneView(const ViewTransform& transform, const PixelMap& sourceFromImage = {})
        : m_transform(transform), m_sourceFromImage(sourceFromImage) {}

    const ViewTransform& transform() const { return m_transform; }
    ViewTransform& transform() { return m_transform; }
    ResultPlace place() const { return {m_transform.imageSize(), m_sourceFromImage}; }
    PixelMap imageFromSource() const { return inverse(m_sourceFromImage); }

    QPointF toPane(const QPointF& inSource) const;
    QPointF toSource(const QPointF& inPane) const;
    // Device pixels per pixel of the source.
    double sourceZoom() const { return m_transform.zoom() / lengthFactor(m_sourceFromImage); }
    // Pixels of the source that what is seen of the image lies over; not clipped to it.
    Rect visibleSource() const;
    ViewSpot spot() const;
    // Of the source in a pane of that size. Zoom and middle are kept within what a person can have.
    static PaneView at(const ViewSpot& spot, Size source, QSize pane);

    // Another image in a pane of the same size: the same point of the source is in the middle, and
    // the source equally large. The same image gives the same view.
    PaneView linkedTo(const ResultPlace& other) const;
    // As it is when another image takes this one's place: linked to it, or fitted if this one is
    // or nothing of it would be in sight.
    PaneView goneOverTo(const ResultPlace& other) const;

  private:
    ViewTransform m_transform;
    PixelMap m_sourceFromImage;
};

// What must be in sight, in pixels of the first image, so that two panes that are linked show all
// of both.
QRectF boxOfBoth(Size source, const ResultPlace& result);

// An image turned back over the source, pixel on pixel: it is drawn upright into a pane that is
// turned as the image is, and that pane's picture is turned back.
struct LaidOver {
    ViewTransform upright;
    // Of the image once it is turned back.
    ViewTransform shown;
    // From device pixels of the pane to those of the upright one, and from pixels of the image as
    // it is shown to its own.
    PixelMap uprightFromPane;
    PixelMap imageFromShown;

    static LaidOver asItIs(const ViewTransform& view) { return {view, view, {}, {}}; }
    bool isTurned() const { return !uprightFromPane.isShift(); }
    // Puts all pixels where the other one does.
    bool isSame(const LaidOver& other) const {
        return upright.isSamePlace(other.upright) && shown.isSamePlace(other.shown) &&
               uprightFromPane == other.uprightFromPane && imageFromShown == other.imageFromShown;
    }
};
// Nothing where pixels do not fall on pixels.
std::optional<LaidOver> laidOver(const ViewTransform& source, const ResultPlace& place);

}  // namespace warpscope::gui
