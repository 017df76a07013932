// What a Canvas holds. Its own files only: canvas.cpp (interface and layout), canvas_input.cpp
// (mouse, wheel, keys), canvas_paint.cpp.
#pragma once

#include <QPoint>
#include <QPointF>
#include <QRect>
#include <QTimer>
#include <vector>

#include "gui/canvas/canvas.h"
#include "gui/canvas/side_renderer.h"
#include "gui/canvas/view_transform.h"

class QPainter;

namespace warpscope::gui {

class EmptyState;

enum class DragKind { None, Pan, WipeLine, WipeHandle };

inline constexpr QPoint kNoPixel{-1, -1};

struct Canvas::State {
    explicit State(Canvas& canvas);

    Canvas& q;
    EmptyState* empty = nullptr;
    SideRenderer source;
    SideRenderer result;
    ViewTransform transform;  // of every pane alike
    ViewMode mode = ViewMode::Result;
    double dpr = 1.0;

    bool stale = false;
    QTimer staleTimer;  // a result that is stale for a moment only is not worth a mark
    bool newFrame = false;

    double wipeAt = 0.5;      // of the pane's width, or height when turned
    bool wipeTurned = false;  // a horizontal line: source above, result below

    DragKind drag = DragKind::None;
    bool dragMoved = false;
    QPointF pressPosition;  // widget coordinates
    QPointF lastPosition;
    bool spaceHeld = false;
    QTimer clickTimer;
    QPoint clickedPixel = kNoPixel;

    bool mouseInside = false;
    QPointF mousePosition;
    QPoint cursorPixel = kNoPixel;
    bool pixelCursor = false;  // moved by keys; cursorPixel is where it is

    QTimer holdTimer;
    bool heldSource = false;

    Viewport lastViewport;
    double lastZoom = 0;

    void retranslate();

    // --- geometry; rectangles of panes are device pixels ---
    bool isEmpty() const { return source.isNull() && result.isNull(); }
    std::vector<QRect> panes() const;
    QRect paneAt(const QPointF& widgetPosition) const;
    QPointF toPane(const QPointF& widgetPosition) const;
    QPointF paneCenter() const;
    void layout();       // after a change of size, scale or mode
    void viewChanged();  // after a change of the transform
    void showSource(bool held);
    void cancelHold();

    // --- pixel under the cursor ---
    void setCursorPixel(const QPoint& pixel);
    void followMouse();
    QPoint pixelAt(const QPointF& widgetPosition) const;
    void togglePixelCursor();
    void movePixelCursor(const QPoint& by);

    // --- wipe ---
    QRectF wipeLine() const;    // widget coordinates, of no thickness
    QRectF wipeHandle() const;  // widget coordinates
    bool onWipeLine(const QPointF& widgetPosition) const;
    bool onWipeHandle(const QPointF& widgetPosition) const;
    void dragWipe(const QPointF& widgetPosition);
    void updateCursorShape();

    // --- keys ---
    bool wants(const QKeyEvent& event) const;
    bool press(const QKeyEvent& event);
    bool pressArrow(const QKeyEvent& event);

    // --- painting ---
    FrameStyle frameStyle() const;
    void paintPanes(QPainter& painter);
    void paintLabels(QPainter& painter) const;
    void paintLabel(QPainter& painter, const QRectF& pane, Qt::Alignment corner,
                    const QString& text, bool strong) const;
    void paintMarks(QPainter& painter, const QRectF& pane) const;
    void paintWipe(QPainter& painter) const;
    void paintPixelCursor(QPainter& painter) const;
    void paintFocus(QPainter& painter) const;
};

}  // namespace warpscope::gui
