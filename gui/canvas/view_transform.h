// Where an image lies in a pane: zoom and position, nothing drawn. All lengths are device pixels
// unless they are called image pixels.
#pragma once

#include <QPoint>
#include <QPointF>
#include <QRect>
#include <QSize>

#include "engine/image/image.h"

namespace warpscope::gui {

inline constexpr double kMaxZoom = 64.0;        // 6,400%
inline constexpr double kSmallestPicture = 16;  // zoomed out, the longer side is still this long

class ViewTransform {
  public:
    Size imageSize() const { return m_image; }
    QSize paneSize() const { return m_pane; }
    double zoom() const { return m_zoom; }
    bool isFitted() const { return m_fitted; }
    double minimumZoom() const;
    double fitZoom() const;

    // Another size of image fits it; the same size changes nothing.
    void setImageSize(Size size);
    // Keeps the image point in the middle, or stays fitted.
    void setPaneSize(QSize size);

    void fit();
    // The image point under `anchor` (in the pane) stays there, unless that would lose the image.
    void setZoom(double zoom, const QPointF& anchor);
    void panBy(const QPointF& by);
    // The least movement that shows the whole of this pixel.
    void reveal(const QPoint& pixel);

    // Of the image's top left corner in the pane. Whole device pixels, so that pixels of the image
    // are sharp at 100% and a picture drawn earlier can be moved instead of drawn again.
    QPoint offset() const;
    QPointF toImage(const QPointF& inPane) const;
    QPointF toPane(const QPointF& inImage) const;
    // Device pixels that an image pixel covers: those whose centre lies in it.
    QRect pixelRect(const QPoint& pixel) const;
    // Where the image is drawn; at least one device pixel in each direction.
    QRect imageRect() const;
    Rect visible() const;  // image pixels that are at least partly in the pane

    // Next of 100%, 150%, 200%, 300%, 400%, ... (and so downwards), for keys and buttons.
    static double nextZoomStep(double zoom, bool in);

  private:
    double clampedZoom(double zoom) const;
    void keepInSight();

    Size m_image;
    QSize m_pane;
    double m_zoom = 1.0;
    QPointF m_offset;  // not rounded, so that many small movements add up
    bool m_fitted = true;
};

// The first device pixel whose centre lies at or beyond `edge`.
int firstPixelFrom(double edge);

}  // namespace warpscope::gui
