// What a Canvas holds. Its own files only: canvas.cpp (interface and layout), canvas_mouse.cpp and
// canvas_keys.cpp, canvas_paint.cpp and canvas_marks.cpp, canvas_compare.cpp (difference, blink,
// two given images), canvas_region.cpp (region and line).
#pragma once

#include <QPoint>
#include <QPointF>
#include <QRect>
#include <QTimer>
#include <optional>
#include <stop_token>
#include <vector>

#include "gui/app/task_runner.h"
#include "gui/canvas/canvas.h"
#include "gui/canvas/side_renderer.h"
#include "gui/canvas/view_transform.h"

class QPainter;

namespace warpscope::gui {

class DifferenceBar;
class EmptyState;
class ProfileChart;

enum class DragKind { None, Pan, WipeLine, WipeHandle, Region, RegionHandle, Line };

inline constexpr QPoint kNoPixel{-1, -1};

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
inline constexpr int kRegionHandles = 9;

struct Canvas::State {
    explicit State(Canvas& canvas);

    Canvas& q;
    EmptyState* empty = nullptr;
    SideRenderer source;
    SideRenderer result;
    SideRenderer difference;  // second minus first, or of a comparison first minus second
    DifferenceStyle differenceStyle;
    DifferenceObstacle obstacle = DifferenceObstacle::NoResult;
    DifferenceBar* differenceBar = nullptr;
    DisplaySettings* display = nullptr;
    std::optional<ValueHighlight> highlight;

    // Two given images, and what to go back to.
    std::optional<Comparison> comparison;
    SideRenderer comparedFirst;
    SideRenderer comparedSecond;
    ViewTransform documentTransform;
    ViewMode documentMode = ViewMode::Result;
    int comparisonNumber = 0;  // of the newest that was asked for
    QString comparing;         // labels of one that is being prepared
    std::stop_source comparisonStop;
    std::size_t nextDiffering = 0;  // that "next difference" goes to

    QTimer blinkTimer;
    bool blinkFirst = false;

    std::optional<Rect> region;
    RegionHandle grabbed = RegionHandle::None;
    QPointF grabPoint;  // image coordinates where a drag of region or line began
    std::optional<Rect> regionBefore;
    bool lineWanted = false;  // the next drag draws one
    std::optional<QLineF> line;
    ProfileChart* profile = nullptr;

    QString opening;
    QTimer openingTimer;      // what opens in a moment needs no words
    int coveredTop = 0;       // logical pixels
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
    bool isEmpty() const { return !comparison && source.isNull() && result.isNull(); }
    SideRenderer& first() { return comparison ? comparedFirst : source; }
    SideRenderer& second() { return comparison ? comparedSecond : result; }
    const SideRenderer& first() const { return comparison ? comparedFirst : source; }
    const SideRenderer& second() const { return comparison ? comparedSecond : result; }
    std::vector<QRect> panes() const;
    QRect paneAt(const QPointF& widgetPosition) const;
    QPointF toPane(const QPointF& widgetPosition) const;
    QPointF paneCenter() const;
    void layout();       // after a change of size, scale or mode
    void viewChanged();  // after a change of the transform
    void takeFrame();    // a draft or result has come
    bool showsResult() const;
    void showSource(bool held);
    void cancelHold();
    void placeOverlays();

    // --- difference, blink, comparison ---
    void updateLooks();
    void updateDifference();
    void updateBlink();
    bool isSeen() const;
    void changeGain(bool up);
    void toggleSign();
    void showNextDifference();
    void beginComparison(Comparison&& ready);
    QString obstacleText() const;
    QString firstLabel() const;
    QString secondLabel() const;
    QString differenceLabel() const;

    // --- region and line ---
    QRectF regionOnPane() const;  // device pixels within a pane
    std::vector<QPointF> handlePoints() const;
    RegionHandle handleAt(const QPointF& widgetPosition) const;
    QPointF imageAt(const QPointF& widgetPosition) const;  // clamped to the image
    void dragRegion(const QPointF& widgetPosition);
    void editRegion(const std::optional<Rect>& wanted);  // clamps, repaints, reports
    void makeRegion();
    bool moveRegion(const QKeyEvent& event);
    void toggleLine();
    void dragLine(const QPointF& widgetPosition);
    void setLine(const std::optional<QLineF>& wanted);
    void updateProfile();

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
    DragKind leftDragAt(const QPointF& widgetPosition, Qt::KeyboardModifiers modifiers) const;
    void updateCursorShape();

    // --- keys ---
    bool wants(const QKeyEvent& event) const;
    bool press(const QKeyEvent& event);
    bool pressArrow(const QKeyEvent& event);
    bool pressEscape();

    // --- painting ---
    FrameStyle frameStyle() const;
    void paintPanes(QPainter& painter);
    void paintLabels(QPainter& painter) const;
    QString sideLabel(const SideRenderer& side, const QString& name) const;
    void paintLabel(QPainter& painter, const QRectF& pane, Qt::Alignment corner,
                    const QString& text, bool strong) const;
    void paintNotice(QPainter& painter) const;  // in the middle: opening, no difference, preparing
    void paintDiffering(QPainter& painter) const;
    void paintRegion(QPainter& painter) const;
    void paintLine(QPainter& painter) const;
    void paintMarks(QPainter& painter, const QRectF& pane) const;
    void paintWipe(QPainter& painter) const;
    void paintPixelCursor(QPainter& painter) const;
    void paintFocus(QPainter& painter) const;

    TaskRunner tasks;  // last: what it still runs refers to the rest
};

}  // namespace warpscope::gui
