// The picture: source and result at any zoom, side by side, under a wipe line, subtracted or
// alternately. Draws from pyramids; what it must compute of whole images runs on a thread.
//
// Mouse: the wheel zooms at the cursor, with Shift it pans sideways; left or middle drag pans; in
// wipe mode a drag of the line moves it and a click on its handle turns it; a double click toggles
// between the whole image and 100% at the cursor; a click is reported once it cannot become a
// double click. Shift + drag makes a region, whose handles resize it and whose middle moves it.
// Keys, with the canvas focused: F fit; + and - zoom; 1 source, 2 result, 3 side by side, 4 wipe,
// 5 difference, 6 blink; T turns the wipe line, [ and ] move it; in a difference [ and ] halve and
// double the amplification and S turns the sign on and off; arrows pan by a tenth of the view; X
// puts a pixel cursor in the middle, which arrows then move by one pixel (Ctrl: ten), Return
// reports as a click, and Escape or X takes away; R makes a region of the middle of what is seen,
// arrows move it by one pixel (Shift: ten), Ctrl + arrows move its far corner, Escape drops it; L
// puts a line for a profile across what is seen, a drag draws another, L or Escape takes it away;
// Space + drag pans whatever is under the cursor; Shift held 150 ms without drag or wheel shows the
// source. Other keys with Ctrl belong to the window (Ctrl+0, Ctrl+1).
#pragma once

#include <QLineF>
#include <QTimer>
#include <QWidget>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/worker/render_worker.h"
#include "gui/base/task_runner.h"
#include "gui/canvas/compared_pair.h"
#include "gui/canvas/region_editor.h"
#include "gui/canvas/view_transform.h"
#include "gui/canvas/wipe_line.h"

namespace warpscope::gui {

class DifferenceBar;
class EmptyState;
class ProfileChart;

enum class ViewMode { Source, Result, SideBySide, Wipe, Difference, Blink };

class Canvas : public QWidget {
    Q_OBJECT
  public:
    explicit Canvas(QWidget* parent = nullptr);
    ~Canvas() override;

    // Zoom and position survive if the size stays the same; else the image is fitted. Drops result
    // and draft of another source. Null: the empty state is shown.
    void setSource(PyramidPtr source);
    void setResult(PyramidPtr result);       // exact; drops the draft
    void setDraft(const DraftReady& draft);  // drawn over the result in its rectangle
    void setStale(bool stale);               // the result shown is not of the current pipeline

    ViewMode viewMode() const { return m_mode; }
    void setViewMode(ViewMode mode);

    DifferenceStyle differenceStyle() const { return m_pair.differenceStyle(); }
    void setDifferenceStyle(const DifferenceStyle& style);  // the gain is kept within 1 to 64
    // The difference a - b in place of the document's images; all view modes and the read-out then
    // are of these two. Pyramids and counts are made on a thread first. Escape, another source or
    // endComparison() goes back to the view as it was.
    void showDifference(const Image& a, const Image& b, const QString& labelA,
                        const QString& labelB);
    void endComparison();
    // Null: source and result are shown.
    const Comparison* comparison() const { return m_pair.given(); }

    // Black and white; must outlive the canvas.
    void setDisplay(DisplaySettings& display);
    // Pixels of this range of sample values of the result stand out; nothing: none do.
    void setHighlight(const std::optional<ValueHighlight>& highlight);

    // Image pixels, as drawn; changes by the person are reported by regionEdited alone.
    void setRegion(const std::optional<Rect>& region);
    std::optional<Rect> region() const { return m_region.region(); }
    // Pixels marked by crosses with numbers, 1 for the first.
    void setPins(const std::vector<QPoint>& pixels);
    // From pixel centre to pixel centre, image coordinates.
    std::optional<QLineF> profileLine() const { return m_line; }

    // An image is on its way: its name is shown, over the old picture or in place of the empty
    // state, if it takes longer than a moment. Empty: no longer.
    void setOpening(const QString& name);
    // Of the canvas's upper edge, this much is under a message: marks keep clear of it.
    void setCoveredTop(int height);

    // Device pixels per image pixel.
    double zoom() const { return m_transform.zoom(); }
    bool isFitted() const { return m_transform.isFitted(); }
    Viewport viewport() const;
    QPointF imagePosition(const QPointF& widgetPosition) const;  // image pixels, fractional
    // Of an image position in the first pane (the source's in side by side).
    QPointF widgetPosition(const QPointF& imagePosition) const;
    bool showingHeldSource() const { return m_heldSource; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  public slots:
    void fit();
    void zoomToActual();  // 100%
    void zoomIn();
    void zoomOut();
    void toggleFit();
    void selectRegion();       // half of what is seen
    void dropRegion();         // reported by regionEdited
    void toggleProfileLine();  // across what is seen; a drag then draws another
    void toggleDifferenceSign();
    void setZoom(double zoom, const QPointF& widgetAnchor);

  signals:
    void viewportChanged(const warpscope::Viewport& viewport);
    void zoomChanged(double zoom);
    void viewModeChanged(warpscope::gui::ViewMode mode);
    void differenceStyleChanged();
    void comparisonChanged();  // began or ended
    void regionEdited(const std::optional<warpscope::Rect>& region);
    // The pixel under the cursor, (-1, -1) when there is none.
    void cursorPixelChanged(const QPoint& pixel);
    // A click without drag, after the double-click interval; or Return on the pixel cursor.
    void pixelClicked(const QPoint& pixel);
    void showingSourceChanged(bool heldSource);  // Shift is held
    void framePainted();   // after each paint that showed a new draft or result
    void frameMissed();    // a new draft or result came while the view does not show the result
    void openRequested();  // a button of the empty state
    void sampleRequested();

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    enum class Drag { None, Pan, WipeLine, WipeHandle, Region, RegionHandle, Line };

    void retranslate();
    void layOut();       // after a change of size, scale or mode
    void viewChanged();  // after a change of the transform
    void switchMode(ViewMode mode);
    void takeFrame();  // a draft or result has come
    void placeOverlays();
    bool isSeen() const;
    bool showsResult() const;
    void updateBlink();
    void updateProfile();
    void showSource(bool held);
    void cancelHold();

    void changeGain(bool up);
    void beginComparison(Comparison&& ready);
    void showNextDifference();

    bool showsRegion() const { return m_region.region() && !m_pair.given(); }
    void regionChanged(bool changed);  // by the person
    void setLine(const std::optional<QLineF>& line);

    QPoint pixelAt(const QPointF& widgetPosition) const;
    QPoint draggedPixel(const QPointF& widgetPosition) const;
    void setCursorPixel(const QPoint& pixel);
    void followMouse();
    void togglePixelCursor();
    void movePixelCursor(const QPoint& by);

    RegionHandle handleAt(const QPointF& widgetPosition) const;
    WipeLine::Part wipePartAt(const QPointF& widgetPosition) const;
    Drag leftDragAt(const QPointF& widgetPosition, Qt::KeyboardModifiers modifiers) const;
    void dragTo(const QPointF& widgetPosition);
    void updateCursorShape();
    bool wants(const QKeyEvent& event) const;
    void press(const QKeyEvent& event);
    void pressArrow(const QKeyEvent& event);
    void pressEscape();

    void paintPanes(QPainter& painter);
    void paintSigns(QPainter& painter) const;
    QString noticeText() const;

    EmptyState* m_empty = nullptr;
    DifferenceBar* m_differenceBar = nullptr;
    ProfileChart* m_profile = nullptr;

    ComparedPair m_pair;
    Panes m_panes;
    ViewTransform m_transform;  // of every pane alike
    ViewMode m_mode = ViewMode::Result;
    WipeLine m_wipe;
    RegionEditor m_region;
    // While there is one, a drag draws another.
    std::optional<QLineF> m_line;
    std::vector<QPoint> m_pins;

    // What to go back to from two given images, and those that are being prepared.
    ViewTransform m_documentTransform;
    ViewMode m_documentMode = ViewMode::Result;
    int m_comparisonNumber = 0;
    QString m_comparing;
    std::stop_source m_comparisonStop;

    QTimer m_blinkTimer;
    bool m_blinkFirst = false;
    QTimer m_holdTimer;
    bool m_heldSource = false;
    // What opens in a moment needs no words, and what is stale for a moment only no sign.
    QString m_opening;
    QTimer m_openingTimer;
    bool m_stale = false;
    QTimer m_staleTimer;
    bool m_newFrame = false;
    int m_coveredTop = 0;
    Viewport m_reported;
    double m_reportedZoom = 0;

    Drag m_drag = Drag::None;
    bool m_dragMoved = false;
    QPointF m_pressPosition;
    QPoint m_pressPixel;
    QPointF m_lastPosition;
    QPointF m_mousePosition;
    bool m_mouseInside = false;
    bool m_spaceHeld = false;
    QTimer m_clickTimer;
    QPoint m_clickedPixel = kNoPixel;
    // Under the mouse, or where keys have put the pixel cursor.
    QPoint m_cursorPixel = kNoPixel;
    bool m_pixelCursor = false;

    TaskRunner m_tasks;  // last: what it still runs refers to the rest
};

}  // namespace warpscope::gui
