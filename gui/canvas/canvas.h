// The picture: source and result at any zoom, side by side, under a wipe line, subtracted or
// alternately. Draws from pyramids, on a thread: paint events only copy what that has made.
//
// Mouse: the wheel zooms at the cursor, with Shift it pans sideways; left or middle drag pans; in
// wipe mode a drag of the line moves it and a click on its handle turns it; a double click toggles
// between the whole image and 100% at the cursor; a click is reported once it cannot become a
// double click. Shift + drag makes a region, a rectangle, an ellipse or drawn freehand; its handles
// resize it and its middle moves it.
// Where the result lies over another part of the source, or turned, each is upright in its own
// pixels: the result's own in the view of the result and in its pane of side by side, whose panes
// show the same point of the source in the middle, equally large; the source's in all others, over
// which the result is laid where it came from. Region, pins and line are pixels of the source.
//
// Keys, with the canvas focused: F fit; + and - zoom; 1 source, 2 result, 3 side by side, 4 wipe,
// 5 difference, 6 blink; T turns the wipe line, [ and ] move it; in a difference [ and ] halve and
// double the amplification and S turns the sign on and off; arrows pan by a tenth of the view; X
// puts a pixel cursor in the middle, which arrows then move by one pixel (Ctrl: ten), Return
// reports as a click, and Escape or X takes away; R makes a region of the middle of what is seen,
// arrows move it by one pixel (Shift: ten), Ctrl + arrows move its far corner, Escape drops it; L
// puts a line for a profile across what is seen, a drag draws another, L or Escape takes it away;
// Ctrl + Shift + drag or wheel moves one pane of side by side alone, F links both again;
// Space + drag pans whatever is under the cursor; a click that brings the focus back is not
// reported; Shift held 150 ms without drag or wheel shows the source. Where a step has handles
// (setStepHandles) drags of them and arrows edit it, Escape restores it while one is held, Escape
// and Return leave it. Other keys with Ctrl belong to the window (Ctrl+0, Ctrl+1).
#pragma once

#include <QLineF>
#include <QPolygonF>
#include <QTimer>
#include <QWidget>
#include <deque>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/worker/render_worker.h"
#include "gui/base/task_runner.h"
#include "gui/canvas/color_bar.h"
#include "gui/canvas/compared_pair.h"
#include "gui/canvas/pane_view.h"
#include "gui/canvas/picture_maker.h"
#include "gui/canvas/region_editor.h"
#include "gui/canvas/step_handles.h"
#include "gui/canvas/wipe_line.h"

namespace warpscope::gui {

class DifferenceBar;
class EmptyState;
class Navigator;
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
    // Exact; drops the draft. `sourceFromResult`: from its pixels to those of the source.
    void setResult(PyramidPtr result, const PixelMap& sourceFromResult = {}, quint64 revision = 0);
    // The same without the samples of its largest image: it is drawn from the smaller ones where no
    // draft lies over it.
    void letGoOfResult(PyramidPtr copies);
    // Drawn over the result in its rectangle, or in place of one that lies elsewhere.
    void setDraft(const DraftReady& draft);
    void setStale(bool stale);  // the result shown is not of the current pipeline

    ViewMode viewMode() const { return m_mode; }
    void setViewMode(ViewMode mode);

    DifferenceStyle differenceStyle() const { return m_pair.differenceStyle(); }
    void setDifferenceStyle(const DifferenceStyle& style);  // the gain is kept within the depth
    // The difference a - b in place of the document's images; all view modes and the read-out then
    // are of these two. Pyramids and counts are made on a thread first. Escape, another source or
    // endComparison() goes back to the view as it was.
    void showDifference(const Image& a, const Image& b, const QString& labelA,
                        const QString& labelB);
    // The same of two images that are ready to be drawn, in the present view mode if it is one that
    // compares; once more while it lasts, with others, it leaves view and mode as they are. Images
    // of two sizes lie over each other at the top left.
    void compare(PyramidPtr a, PyramidPtr b, const QString& labelA, const QString& labelB);
    void endComparison();
    // Null: source and result are shown.
    const Comparison* comparison() const { return m_pair.given(); }

    // Black and white; must outlive the canvas.
    void setDisplay(DisplaySettings& display);
    // An overview while more than the view is there; off until it is asked for.
    void setNavigatorShown(bool shown);
    // Pixels of this range of sample values of the result stand out; nothing: none do.
    void setHighlight(const std::optional<ValueHighlight>& highlight);
    // What the colours of the result stand for, where a step has made them: shown as a bar, unless
    // the view has false colours of its own.
    void setResultScale(const std::optional<ColorScale>& scale);
    // The bar that is shown now.
    std::optional<ColorScale> colorScale() const;

    // Pixels of the source; changes by the person are reported by regionEdited alone.
    void setRegion(const std::optional<RegionShape>& region);
    std::optional<Rect> region() const { return m_region.region(); }  // the box around it
    // What Shift and a drag make. A rectangle that is there becomes the ellipse in it and the other
    // way round.
    RegionShape::Kind drawnShape() const { return m_region.drawn(); }
    void setDrawnShape(RegionShape::Kind kind);
    // In words over the picture, for a moment.
    void say(const QString& text);
    // Pixels of the source marked by crosses with numbers, 1 for the first.
    void setPins(const std::vector<QPoint>& pixels);
    // Into the middle, at the zoom that there is, and marked as chosen.
    void goToPin(const QPoint& pixel);
    // Of objects that somebody chose elsewhere, in coordinates of the source.
    void setOutlines(const std::vector<QPolygonF>& outlines);
    const std::vector<QPolygonF>& outlines() const { return m_outlines; }
    // From pixel centre to pixel centre, coordinates of the source.
    std::optional<QLineF> profileLine() const { return m_line; }

    // Of a crop or rotation, drawn over the picture; nothing: there are none. Edits by the person
    // are reported by handlesMoved alone. The view of the result shows what a crop is given while
    // it has handles; in the others they lie over the source.
    void setStepHandles(const std::optional<HandledStep>& step);
    const std::optional<HandledStep>& handledStep() const { return m_handles.step(); }

    // An image is on its way: its name is shown, over the old picture or in place of the empty
    // state, if it takes longer than a moment. Empty: no longer.
    void setOpening(const QString& name);
    bool isEmpty() const { return m_pair.isEmpty(); }  // no image is there
    // Plain keys that are other commands' now: the canvas leaves them alone.
    void setKeysGivenAway(const QList<int>& keys) { m_givenAway = keys; }
    // Whether a plain key is the canvas's in any of its states.
    static bool mayWant(int key);
    bool wants(const QKeyEvent& event) const;  // the key means something here
    // The canvas gets this place in its parent, because something comes or goes above it. The
    // picture keeps its place on the screen; one that is fitted stays whole, and gives way for that
    // as little as it must.
    void placeBelow(const QRect& geometry);
    // The window has another size: what is fitted is so anew.
    void fitAgain();

    // Device pixels per pixel of the image in the first pane.
    double zoom() const { return m_view.transform().zoom(); }
    bool isFitted() const { return m_view.transform().isFitted(); }
    // What is seen of the source, and of the source under the result.
    Viewport viewport() const;
    QPointF imagePosition(const QPointF& widgetPosition) const;  // pixels of the source, fractional
    // Of a position in the source, in the first pane (the source's in side by side).
    QPointF widgetPosition(const QPointF& imagePosition) const;
    // Of a position in the source, in the last pane (the result's in side by side).
    QPointF widgetPositionInResult(const QPointF& imagePosition) const;
    // For going back to it with another image of the same size, also where two given images are
    // shown now.
    PaneView view() const { return m_pair.given() ? m_documentView : m_view; }
    void setView(const PaneView& view);
    ViewSpot spot() const { return view().spot(); }
    void setSpot(const ViewSpot& spot);
    const WipeLine& wipeLine() const { return m_wipe; }
    void setWipeLine(const WipeLine& wipe);
    // Where nothing is in the way of it: an image of the document.
    void setProfileLine(const std::optional<QLineF>& line);
    ResultPlace resultPlace() const { return m_pair.secondPlace(); }
    bool showingHeldSource() const { return m_heldSource; }
    // Nothing is still being drawn: the screen shows, or will with its next paint, all as it is.
    bool picturesAreReady() const;

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
    void togglePixelCursor();
    void turnWipe();
    // Amplifies a difference more or less, or moves the line of the wipe.
    void stepComparison(bool up);
    void showNextDifference();  // of two images; nothing else
    void zoomToRegion();        // nothing without one
    void zoomTo(const QRectF& inSource);
    void setZoom(double zoom, const QPointF& widgetAnchor);

  signals:
    void viewportChanged(const warpscope::Viewport& viewport);
    void zoomChanged(double zoom);
    void viewModeChanged(warpscope::gui::ViewMode mode);
    void differenceStyleChanged();
    void comparisonChanged();  // began or ended
    void regionEdited(const std::optional<warpscope::RegionShape>& region);
    void drawnShapeChanged();
    void handlesGrabbed(bool grabbed);  // a drag of them begins or ends
    void handlesMoved(const warpscope::gui::HandledStep& to);
    void handlesLeft();    // Escape or Return
    void highlightLeft();  // Escape
    void linesMoved();     // the wipe's, or that of the profile
    // The pixel of the source under the cursor, and that of the result; (-1, -1) where there is
    // none.
    void cursorPixelChanged(const QPoint& source, const QPoint& result);
    // A click on a pixel of the source without drag, after the double-click interval; or Return on
    // the pixel cursor. Not one on a pin that only brings the focus back.
    void pixelClicked(const QPoint& pixel);
    // The same at once, and in any case: for what may be chosen by the way.
    void pixelPointedAt(const QPoint& pixel);
    void showingSourceChanged(bool heldSource);  // Shift is held
    // After each paint that showed a new draft or result: the revision of the newest one.
    void framePainted(quint64 revision);
    // A new draft or result came while the view does not show the result.
    void frameMissed(quint64 revision);
    void openRequested();  // a button of the empty state
    void sampleRequested();
    void profileSaveFailed(const QString& why);

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
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    enum class Drag { None, Pan, WipeLine, WipeHandle, Region, RegionHandle, Line, Handles };

    void retranslate();
    void layOut();       // after a change of size, scale or mode
    void viewChanged();  // after a change of the transform
    void followPlace();  // after a change of mode or of how the result lies over the source
    Size sourceSize() const { return m_pair.first().image().size(); }
    bool isResultPane(const QRect& pane) const;
    PaneView viewIn(const QRect& pane) const;
    // A change of one pane moves the other one along, unless they are unlinked.
    void changeView(const QRect& pane, const std::function<void(ViewTransform&)>& change);
    // The view of the result beside the source as it would be if nobody had moved them apart, and
    // from there to where it is.
    PaneView linkedSecond() const {
        return m_view.linkedTo(m_mode == ViewMode::Result ? alonePlace() : m_pair.secondPlace());
    }
    void setApart(const PaneView& second);
    bool areApart() const { return m_apart != Apart{}; }
    bool unlinks(Qt::KeyboardModifiers modifiers) const;
    void switchMode(ViewMode mode);
    // What a pane shows, or a part of it.
    struct Layer {
        const SideRenderer* side = nullptr;
        PictureKey key;
        QPoint at;   // of the picture, in device pixels
        QRect part;  // of the widget, in device pixels; empty: not seen now
    };
    std::vector<Layer> layers() const;
    FrameStyle frameStyle() const;
    bool isOnScreen() const;  // what is being painted now
    void requestPictures(const std::vector<Layer>& wanted);
    void takePictures(const PictureMaker::Made& made);
    void takeFrame(quint64 revision);  // a draft or result has come
    void reportFrames();
    void resultCame(const ResultPlace& before, quint64 revision);
    void preparePart();  // of the source, for a difference with a result that is one
    void placeOverlays();
    bool isSeen() const;
    bool showsResult() const;
    void updateBlink();
    void updateProfile();
    void showSource(bool held);
    void cancelHold();

    void changeGain(bool up);
    void beginComparison(Comparison&& ready, ViewMode mode);
    using Prepare = std::function<Result<Comparison>(const std::stop_token&)>;
    void prepare(Prepare make, std::function<ViewMode()> mode);

    void zoomToSeen(const Rect& there);  // in pixels of what the first pane shows
    // Whether a region of the source is one of what is shown.
    bool takesRegions() const {
        return !m_pair.given() || takesRegion(*m_pair.given(), exactImage(m_pair.source()).size());
    }
    bool showsRegion() const { return m_region.region() && takesRegions(); }
    void regionChanged(bool changed);  // by the person
    void awaitStroke(bool awaited);
    void setLine(const std::optional<QLineF>& line);

    PixelPair pixelAt(const QPointF& widgetPosition) const;
    PixelPair pairOf(const QPoint& pixel, const PaneView& view) const;
    // Of the cursor, in the image of that view.
    QPoint cursorIn(const PaneView& view) const;
    // Of the source.
    QPointF draggedPlace(const QPointF& widgetPosition) const;
    QPoint draggedPixel(const QPointF& widgetPosition) const;
    void setCursorPixel(const PixelPair& pixel);
    void followMouse();
    void mouseAt(const QPointF& widgetPosition);
    void findMouse();
    void movePixelCursor(const QPoint& by);

    bool showsHandles() const { return m_handles.step() && !m_pair.given() && !isEmpty(); }
    bool handlesIn(const QRect& pane) const;
    bool showsInput() const;         // of a crop, in place of the result
    ResultPlace alonePlace() const;  // of what the view of the result shows
    StepHandles::Pane handlesPane(const QRect& pane) const;
    bool onHandles(const QPointF& widgetPosition) const;
    QCursor handlesCursor() const;
    void handlesChanged(bool changed);  // by the person
    void dragHandles(const QPointF& widgetPosition, bool snap);
    void endHandlesDrag();
    void pressHandles(const QPoint& to, Qt::KeyboardModifiers modifiers);
    void updateHandledLook();

    RegionHandle handleAt(const QPointF& widgetPosition) const;
    WipeLine::Part wipePartAt(const QPointF& widgetPosition) const;
    Drag leftDragAt(const QPointF& widgetPosition, Qt::KeyboardModifiers modifiers) const;
    void dragTo(const QPointF& widgetPosition, Qt::KeyboardModifiers modifiers);
    void updateCursorShape();
    void press(const QKeyEvent& event);
    void pressArrow(const QKeyEvent& event);
    void pressEscape();

    void paintPanes(QPainter& painter, bool onScreen);
    void paintLayer(QPainter& painter, const Layer& layer, const PicturePtr& picture) const;
    QString signs() const;  // all that stands in words over the picture
    void paintSigns(QPainter& painter) const;
    void paintColorBar(QPainter& painter) const;
    std::optional<ColorScale> viewScale(const Image& image) const;
    ColorScale asShown(const ColorScale& scale, const Image& image) const;
    void updateNavigator();
    void centerOn(const QPointF& inImage);  // of the first pane
    QString noticeText() const;
    QString hintText() const;  // what leaves the picture in sight

    EmptyState* m_empty = nullptr;
    DifferenceBar* m_differenceBar = nullptr;
    ProfileChart* m_profile = nullptr;
    Navigator* m_navigator = nullptr;
    bool m_navigatorShown = false;
    const DisplaySettings* m_display = nullptr;
    std::optional<ColorScale> m_resultScale;

    ComparedPair m_pair;
    // How far the second pane of side by side is from where the first one would have it.
    struct Apart {
        double zoom = 1;
        QPointF by;  // image pixels
        friend bool operator==(const Apart&, const Apart&) = default;
    };
    Apart m_apart;
    bool m_unlinked = false;  // Ctrl and Shift are held while panes are moved
    Panes m_panes;
    // Of the first pane.
    PaneView m_view;
    ViewMode m_mode = ViewMode::Result;
    WipeLine m_wipe;
    RegionEditor m_region;
    StepHandles m_handles;
    SideRenderer m_handled;        // what a crop with handles is given
    bool m_strokeAwaited = false;  // a drag draws freehand without Shift
    QString m_said;
    QTimer m_saidTimer;
    // While there is one, a drag draws another.
    std::optional<QLineF> m_line;
    std::vector<QPoint> m_pins;
    QPoint m_chosenPin = kNoPixel;
    std::vector<QPolygonF> m_outlines;

    // What to go back to from two given images, and those that are being prepared.
    PaneView m_documentView;
    Size m_documentSize;
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
    // Of the layers, in their order; what stands in for what is still being drawn is older.
    std::vector<PicturePtr> m_pictures;
    std::vector<PictureKey> m_asked;  // that are being drawn
    std::uint64_t m_askedNumber = 0;
    QString m_paintedSigns;
    // Drafts and results that were not painted yet, oldest first.
    struct Frame {
        std::uint64_t content = 0;
        quint64 revision = 0;
    };
    std::deque<Frame> m_frames;
    Viewport m_reported;
    double m_reportedZoom = 0;

    Drag m_drag = Drag::None;
    bool m_dragMoved = false;
    QPointF m_pressPosition;
    QPoint m_pressPixel;
    QPointF m_lastPosition;
    QPointF m_mousePosition;
    bool m_mouseInside = false;
    bool m_mouseCovered = false;  // left without having been moved: a list opened
    bool m_spaceHeld = false;
    QList<int> m_givenAway;
    bool m_focusingClick = false;  // the press brought the focus back, and takes no pin away
    QTimer m_clickTimer;
    QPoint m_clickedPixel = kNoPixel;
    // Under the mouse, or where keys have put the pixel cursor.
    PixelPair m_cursorPixel;
    bool m_pixelCursor = false;

    PictureMaker m_maker;
    TaskRunner m_tasks;  // last: what it still runs refers to the rest
};

}  // namespace warpscope::gui
