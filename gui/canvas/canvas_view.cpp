// What the canvas shows of the images, and where: mode, zoom, panes.
#include <algorithm>
#include <cmath>

#include "gui/canvas/canvas.h"
#include "gui/canvas/difference_bar.h"
#include "gui/canvas/empty_state.h"
#include "gui/canvas/profile_chart.h"

namespace warpscope::gui {
namespace {

constexpr int kOverlayGap = 8;  // logical pixels
constexpr double kHandlesMargin = 0.02;

}  // namespace

void Canvas::setViewMode(ViewMode mode) {
    if (m_mode != mode) switchMode(mode);
}

void Canvas::switchMode(ViewMode mode) {
    m_mode = mode;
    followPlace();
    preparePart();
    updateBlink();
    layOut();
    viewChanged();
    updateCursorShape();
    emit viewModeChanged(mode);
}

Viewport Canvas::viewport() const {
    const auto united = [](const Rect& a, const Rect& b) {
        const int x = std::min(a.x, b.x), y = std::min(a.y, b.y);
        return Rect{x, y, std::max(a.x + a.width, b.x + b.width) - x,
                    std::max(a.y + a.height, b.y + b.height) - y};
    };
    Rect seen = m_view.visibleSource();
    for (const QRect& pane : m_panes.all()) {
        if (!isResultPane(pane) || m_mode == ViewMode::Result) continue;
        const Rect beside = viewIn(pane).visibleSource();
        seen = seen.empty() ? beside : beside.empty() ? seen : united(seen, beside);
    }
    // A step that cuts off more or less shows what is beside it, at once and not with the next
    // draft: the whole result stays in sight.
    if (isFitted() && m_view.place() != m_pair.firstPlace())
        seen = grown(seen, std::max(seen.width, seen.height) / 2);
    return {intersect(seen, {0, 0, sourceSize().width, sourceSize().height}), m_view.sourceZoom()};
}

bool Canvas::isResultPane(const QRect& pane) const {
    if (m_mode == ViewMode::Result) return true;
    return m_mode == ViewMode::SideBySide && pane.left() == m_panes.all().back().left();
}

PaneView Canvas::viewIn(const QRect& pane) const {
    if (m_heldSource || !isResultPane(pane)) return m_view.linkedTo(m_pair.firstPlace());
    PaneView second = linkedSecond();
    if (m_mode != ViewMode::SideBySide || !areApart()) return second;
    second.transform() = second.transform().movedBy(m_apart.zoom, m_apart.by);
    return second;
}

void Canvas::changeView(const QRect& pane, const std::function<void(ViewTransform&)>& change) {
    const ResultPlace first = m_view.place();
    PaneView view = viewIn(pane);
    if (m_unlinked && m_mode == ViewMode::SideBySide && !m_heldSource) {
        const PaneView beside = viewIn(m_panes.all().back());
        if (isResultPane(pane)) {
            change(view.transform());
            setApart(view);
        } else {
            change(m_view.transform());
            setApart(beside);
        }
        return viewChanged();
    }
    change(view.transform());
    if (isResultPane(pane) && m_mode == ViewMode::SideBySide && !m_heldSource && areApart())
        view.transform() = view.transform().movedBack(m_apart.zoom, m_apart.by);
    m_view = view.linkedTo(first);
    followPlace();
    viewChanged();
}

// Each image is upright in its own pixels: the result where it is alone.
void Canvas::followPlace() {
    m_view = m_view.goneOverTo(m_mode == ViewMode::Result ? alonePlace() : m_pair.firstPlace());
    const bool both = m_mode == ViewMode::SideBySide && !m_pair.isAsSource();
    QRectF box = both ? boxOfBoth(sourceSize(), resultPlace()) : QRectF();
    if (showsHandles() && m_handles.isCrop()) {
        // Handles at the edge of the image stay away from that of the pane.
        const Size size = m_view.transform().imageSize();
        if (!both) box = QRectF(0, 0, size.width, size.height);
        if (m_mode != ViewMode::Result) {  // turned, it may reach beyond the source
            const HandledStep& step = *handledStep();
            const Rect input =
                mapped(step.sourceFromInput, {0, 0, step.input.width, step.input.height});
            box |= QRectF(input.x, input.y, input.width, input.height);
        }
        const double margin = kHandlesMargin * std::max(box.width(), box.height());
        box.adjust(-margin, -margin, margin, margin);
    }
    m_view.transform().setFitBox(box);
}

QPointF Canvas::imagePosition(const QPointF& widgetPosition) const {
    return viewIn(m_panes.at(widgetPosition)).toSource(m_panes.toPane(widgetPosition));
}

QPointF Canvas::widgetPosition(const QPointF& imagePosition) const {
    return (m_view.toPane(imagePosition) + m_panes.first().topLeft()) / m_panes.dpr();
}

QPointF Canvas::widgetPositionInResult(const QPointF& imagePosition) const {
    const QRect& pane = m_panes.all().back();
    return (viewIn(pane).toPane(imagePosition) + pane.topLeft()) / m_panes.dpr();
}

void Canvas::setView(const PaneView& view) {
    if (m_pair.given()) return;
    m_view = view;
    m_view.transform().setPaneSize(m_panes.first().size());
    followPlace();
    viewChanged();
}

void Canvas::setSpot(const ViewSpot& spot) {
    setView(PaneView::at(spot, sourceSize(), m_panes.first().size()));
}

void Canvas::setWipeLine(const WipeLine& wipe) {
    m_wipe = wipe;
    updateCursorShape();
    update();
    emit linesMoved();
}

void Canvas::fit() {
    m_apart = {};
    m_view.transform().fit();
    viewChanged();
}

void Canvas::zoomToActual() {
    m_view.transform().setZoom(1.0, m_view.transform().paneCenter());
    viewChanged();
}

void Canvas::zoomIn() {
    ViewTransform& transform = m_view.transform();
    transform.setZoom(ViewTransform::nextZoomStep(zoom(), true), transform.paneCenter());
    viewChanged();
}

void Canvas::zoomOut() {
    ViewTransform& transform = m_view.transform();
    transform.setZoom(ViewTransform::nextZoomStep(zoom(), false), transform.paneCenter());
    viewChanged();
}

void Canvas::toggleFit() {
    if (isFitted())
        setZoom(1.0, m_mouseInside ? m_mousePosition : QRectF(rect()).center());
    else
        fit();
}

void Canvas::setZoom(double zoom, const QPointF& widgetAnchor) {
    // Panes that show pixels of different sizes have a zoom each; `zoom` is the first one's.
    const QRect& pane = m_panes.at(widgetAnchor);
    const double factor = viewIn(pane).transform().zoom() / this->zoom();
    changeView(pane, [&](ViewTransform& transform) {
        transform.setZoom(zoom * factor, m_panes.toPane(widgetAnchor));
    });
}

void Canvas::fitAgain() {
    if (!isFitted()) return;
    m_view.transform().fit();
    viewChanged();
}

void Canvas::placeBelow(const QRect& geometry) {
    const int movedDown = geometry.top() - y();
    if (isFitted()) m_view.transform().moveTopEdge(int(std::lround(movedDown * m_panes.dpr())));
    setGeometry(geometry);
    // Resizing has kept the middle of the pane.
    if (isFitted() || movedDown == 0) return;
    changeView(m_panes.first(), [&](ViewTransform& transform) {
        transform.panBy({0, -movedDown * m_panes.dpr() / 2});
    });
}

void Canvas::layOut() {
    m_panes = Panes(size(), devicePixelRatioF(), m_mode == ViewMode::SideBySide);
    m_empty->setGeometry(rect());
    m_view.transform().setPaneSize(m_panes.first().size());
    placeOverlays();
}

// The difference's control at the bottom in the middle, the profile at the bottom on the left.
void Canvas::placeOverlays() {
    const Comparison* given = m_pair.given();
    const bool controls = !m_pair.isEmpty() && (given || m_mode == ViewMode::Difference);
    m_differenceBar->setVisible(controls);
    int bottom = height() - kOverlayGap;
    if (controls) {
        m_differenceBar->showState(m_pair.differenceStyle(), m_pair.mostGain(), given != nullptr,
                                   given && !given->differing.empty());
        const QSize size = m_differenceBar->sizeHint();
        m_differenceBar->setGeometry((width() - size.width()) / 2, bottom - size.height(),
                                     size.width(), size.height());
        bottom -= size.height() + kOverlayGap;
    }
    m_profile->setVisible(m_line && !m_pair.isEmpty());
    if (!m_line) return;
    const QSize room(width() - 2 * kOverlayGap, bottom - kOverlayGap);
    const QSize size = m_profile->sizeHint().boundedTo(room);
    m_profile->setGeometry(kOverlayGap, bottom - size.height(), size.width(), size.height());
}

void Canvas::viewChanged() {
    update();
    updateNavigator();
    if (!m_pixelCursor) followMouse();
    const Viewport now = viewport();
    if (now.zoom != m_reportedZoom) {
        m_reportedZoom = now.zoom;
        emit zoomChanged(now.zoom);
    }
    // What is seen of two given images is nothing that the worker should compute.
    const bool same = now.visible == m_reported.visible && now.zoom == m_reported.zoom;
    if (!m_pair.given() && !same) {
        m_reported = now;
        emit viewportChanged(now);
    }
}
}  // namespace warpscope::gui
