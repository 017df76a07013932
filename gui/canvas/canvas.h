// The picture: source and result at any zoom, side by side or under a wipe line. Draws from
// pyramids and computes nothing.
//
// Mouse: the wheel zooms at the cursor, with Shift it pans sideways; left or middle drag pans; in
// wipe mode a drag of the line moves it and a click on its handle turns it; a double click toggles
// between the whole image and 100% at the cursor; a click is reported once it cannot become a
// double click.
// Keys, with the canvas focused: F fit; + and - zoom; 1 source, 2 result, 3 side by side, 4 wipe;
// T turns the wipe line, [ and ] move it; arrows pan by a tenth of the view; X puts a pixel cursor
// in the middle, which arrows then move by one pixel (Ctrl: ten), Return reports as a click, and
// Escape or X takes away; Space + drag pans whatever is under the cursor; Shift held 150 ms without
// drag or wheel shows the source. Keys with Ctrl belong to the window (Ctrl+0, Ctrl+1), but for
// Ctrl+arrows.
#pragma once

#include <QPointF>
#include <QWidget>
#include <memory>
#include <optional>

#include "engine/worker/render_worker.h"

namespace warpscope::gui {

enum class ViewMode { Source, Result, SideBySide, Wipe };

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

    ViewMode viewMode() const;
    void setViewMode(ViewMode mode);

    double zoom() const;  // device pixels per image pixel
    bool isFitted() const;
    Viewport viewport() const;
    QPointF imagePosition(const QPointF& widgetPosition) const;  // image pixels, fractional
    // Of an image position in the first pane (the source's in side by side).
    QPointF widgetPosition(const QPointF& imagePosition) const;
    bool showingHeldSource() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  public slots:
    void fit();
    void zoomToActual();  // 100%
    void zoomIn();
    void zoomOut();
    void toggleFit();
    void setZoom(double zoom, const QPointF& widgetAnchor);

  signals:
    void viewportChanged(const warpscope::Viewport& viewport);
    void zoomChanged(double zoom);
    void viewModeChanged(warpscope::gui::ViewMode mode);
    // The pixel under the cursor, (-1, -1) when there is none.
    void cursorPixelChanged(const QPoint& pixel);
    // A click without drag, after the double-click interval; or Return on the pixel cursor.
    void pixelClicked(const QPoint& pixel);
    void showingSourceChanged(bool heldSource);  // Shift is held
    void framePainted();   // after each paint that showed a new draft or result
    void openRequested();  // a button of the empty state
    void sampleRequested();

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
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
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warpscope::gui
