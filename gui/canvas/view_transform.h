// Where an image lies in a pane, and the panes in a widget: nothing drawn. All lengths are device
// pixels unless they are called image pixels, or widget positions (logical pixels).
#pragma once

#include <QPoint>
#include <QPointF>
#include <QRect>
#include <QSize>
#include <algorithm>
#include <vector>

#include "engine/image/image.h"
#include "gui/display/result_place.h"

namespace warpscope::gui {

inline constexpr double kMaxZoom = 64.0;        // 6,400%
inline constexpr double kSmallestPicture = 16;  // zoomed out, the longer side is still this long

class ViewTransform {
  public:
    // An image that goes with another one: wherever that puts it, be it out of the pane. Exact: the
    // offset is not rounded, so that it lies where the other one has it.
    static ViewTransform placed(Size image, QSize pane, double zoom, const QPointF& offset,
                                bool exact);

    // Another view of the same image in the same pane: enlarged by `factor` with the middle moved
    // by image pixels, and back from there.
    ViewTransform movedBy(double factor, const QPointF& by) const;
    ViewTransform movedBack(double factor, const QPointF& by) const;

    Size imageSize() const { return m_image; }
    QSize paneSize() const { return m_pane; }
    QPointF paneCenter() const { return {m_pane.width() / 2.0, m_pane.height() / 2.0}; }
    double zoom() const { return m_zoom; }
    bool isFitted() const { return m_fitted; }
    double minimumZoom() const;
    double fitZoom() const;

    // Another size of image fits it; the same size changes nothing.
    void setImageSize(Size size);
    // Keeps the image point in the middle, or stays fitted.
    void setPaneSize(QSize size);

    // What fitting brings into sight, in image pixels: more than the image where another one is
    // shown beside it. Another size of image takes that back.
    void setFitBox(const QRectF& box);
    // The pane's upper edge moves down by that much (up: negative): what is fitted stays where it
    // is on the screen, as far as it is whole there. Until fit(). Before setPaneSize.
    void moveTopEdge(int down) { m_topMoved += down; }
    // Into the middle of the pane as it is.
    void fit();
    // The image point under `anchor` (in the pane) stays there, unless that would lose the image.
    void setZoom(double zoom, const QPointF& anchor);
    void panBy(const QPointF& by);
    // The least movement that shows the whole of this pixel.
    void reveal(const QPoint& pixel);
    // Puts the pixel in the pane's middle, enlarged to at least this zoom.
    void centerOn(const QPoint& pixel, double leastZoom);

    // Of the image's top left corner in the pane. Whole device pixels, so that pixels of the image
    // are sharp at 100% and a picture drawn earlier can be moved instead of drawn again.
    QPoint offset() const;
    // The same, or where it is exact the offset as it was given.
    QPointF origin() const { return m_exact ? m_offset : QPointF(offset()); }
    // All pixels are where the other one has them, in a pane of the same size.
    bool isSamePlace(const ViewTransform& other) const {
        return m_image == other.m_image && m_pane == other.m_pane && m_zoom == other.m_zoom &&
               origin() == other.origin();
    }
    // The image point in the middle of the pane, not rounded to device pixels.
    QPointF middle() const { return (paneCenter() - m_offset) / m_zoom; }
    QPointF toImage(const QPointF& inPane) const;
    QPointF toPane(const QPointF& inImage) const;
    // Device pixels that an image pixel covers: those whose centre lies in it.
    QRect pixelRect(const QPoint& pixel) const;
    // Where the image is drawn; at least one device pixel in each direction.
    QRect imageRect() const;
    bool inSight() const;  // any of the image is in the pane
    Rect visible() const;  // image pixels that are at least partly in the pane
    // The pixel drawn at this place of the pane; kNoPixel beside the image or the pane.
    QPoint pixelAt(const QPointF& inPane) const;
    // Of an image that is not empty, the pixel at or nearest to this image position.
    QPoint nearestPixel(const QPointF& inImage) const { return nearestPixel(inImage, m_image); }
    static QPoint nearestPixel(const QPointF& inImage, Size image);

    // Next of 100%, 150%, 200%, 300%, 400%, ... (and so downwards), for keys and buttons.
    static double nextZoomStep(double zoom, bool in);
    // For wheel and pinch. Touchpads pass 100% between two events; it should still be met exactly,
    // as it is what people look for.
    static double zoomTimes(double zoom, double factor);

  private:
    double clampedZoom(double zoom) const;
    void keepInSight();
    QRectF fitBox() const;
    void refit();

    Size m_image;
    QSize m_pane;
    double m_zoom = 1.0;
    QPointF m_offset;  // not rounded, so that many small movements add up
    QRectF m_fitBox;   // empty: the image
    int m_topMoved = 0;
    bool m_exact = false;
    bool m_fitted = true;
};

// The panes of a widget: the whole of it, or two equally wide ones side by side.
class Panes {
  public:
    Panes() = default;
    Panes(QSize widget, double dpr, bool sideBySide);  // widget: logical pixels

    double dpr() const { return m_dpr; }
    const std::vector<QRect>& all() const { return m_all; }
    const QRect& first() const { return m_all.front(); }
    const QRect& at(const QPointF& widgetPosition) const;
    // In the pane that is there.
    QPointF toPane(const QPointF& widgetPosition) const;

  private:
    double m_dpr = 1.0;
    std::vector<QRect> m_all{QRect()};
};

// The first device pixel whose centre lies at or beyond `edge`.
int firstPixelFrom(double edge);

}  // namespace warpscope::gui
