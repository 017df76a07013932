// What is drawn over a picture, from plain values; pen and brush of the painter are left changed.
// The first ones take a painter of device pixels whose origin is the pane's, the others one of
// logical pixels.
#pragma once

#include <QPainter>
#include <vector>

#include "gui/canvas/region_editor.h"
#include "gui/canvas/wipe_line.h"

namespace warpscope::gui {

void drawRegion(QPainter& painter, const RegionEditor& region, const PaneView& view, double dpr);
// Of what is chosen, in coordinates of the source.
void drawOutlines(QPainter& painter, const std::vector<QPolygonF>& outlines, const PaneView& view,
                  double dpr);
// Coordinates of the source.
void drawProfileLine(QPainter& painter, const QLineF& line, const PaneView& view, double dpr);
// A pixel of the image that the transform shows.
void drawPixelFrame(QPainter& painter, const QPoint& pixel, const ViewTransform& transform,
                    double dpr);
struct PinMark {
    QPoint pixel;  // of the source
    int number = 1;
    bool chosen = false;
};
// A cross on the middle of each pixel, and its number in a badge beside it; that of the chosen one
// has the colour of what is selected.
void drawPins(QPainter& painter, const std::vector<PinMark>& pins, const PaneView& view,
              double dpr);
// Where the badges of crosses with arms of that length stand: inside the pane, and as far as there
// is room on no cross and no other badge. Each near its own cross, above to the right at best.
std::vector<QRectF> pinBadges(const std::vector<QPointF>& crosses, double side, double arm,
                              const QSizeF& pane);
// One pixel of a hundred million is lost on the screen: a frame around each shows where to look, up
// to a zoom that shows them anyway.
void drawDiffering(QPainter& painter, const std::vector<QPoint>& pixels,
                   const ViewTransform& transform, double dpr);

void drawWipe(QPainter& painter, const WipeLine& wipe, const QSizeF& widget);
// Of a pane in which drawSign need not break or shorten a text, logical pixels.
double signWidth(const QPainter& painter, const QString& text);
// A small sign in a corner; a long text takes more lines.
void drawSign(QPainter& painter, const QRectF& pane, Qt::Alignment corner, const QString& text,
              bool strong = false);
void drawNotice(QPainter& painter, const QRectF& widget, const QString& text);  // in the middle
void drawFocus(QPainter& painter, const QRectF& widget);

}  // namespace warpscope::gui
