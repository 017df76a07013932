// What the canvas marks in the images: region, pins, line, and the pixel under the cursor.
#include "gui/canvas/canvas.h"
#include "gui/canvas/profile_chart.h"

namespace warpscope::gui {

void Canvas::setRegion(const std::optional<RegionShape>& region) {
    if (region == m_region.shape()) return;
    m_region.setRegion(region);
    updateCursorShape();
    update();
}

void Canvas::setPins(const std::vector<QPoint>& pixels) {
    if (pixels == m_pins) return;
    m_pins = pixels;
    update();
}

void Canvas::setOutlines(const std::vector<QPolygonF>& outlines) {
    if (outlines == m_outlines) return;
    m_outlines = outlines;
    update();
}

void Canvas::goToPin(const QPoint& pixel) {
    m_chosenPin = pixel;
    update();
    // Where all is seen there is nothing to move.
    if (isFitted() || m_pair.isEmpty()) return;
    const QRect& pane = m_panes.first();
    const QPointF at = viewIn(pane).toPane(QPointF(pixel) + QPointF(0.5, 0.5));
    changeView(pane, [&](ViewTransform& transform) {
        transform.panBy(QPointF(pane.width() / 2.0, pane.height() / 2.0) - at);
    });
}

void Canvas::regionChanged(bool changed) {
    if (!changed) return;
    update();
    emit regionEdited(m_region.shape());
}

void Canvas::setDrawnShape(RegionShape::Kind kind) {
    if (kind == m_region.drawn()) return;
    awaitStroke(false);
    regionChanged(m_region.setDrawn(kind));
    emit drawnShapeChanged();
}

void Canvas::selectRegion() {
    if (m_pair.isEmpty() || !takesRegions()) return;
    // Of what is seen no outline can be made.
    if (m_region.drawn() == RegionShape::Kind::Polygon) return awaitStroke(!m_strokeAwaited);
    regionChanged(m_region.takeMiddleOf(m_view.visibleSource(), sourceSize()));
}

void Canvas::awaitStroke(bool awaited) {
    if (awaited == m_strokeAwaited) return;
    m_strokeAwaited = awaited;
    m_saidTimer.stop();
    updateCursorShape();
    update();
}

void Canvas::say(const QString& text) {
    m_said = text;
    m_saidTimer.start();
    update();
}

void Canvas::dropRegion() {
    regionChanged(m_region.edit(std::nullopt, {}));
}

void Canvas::toggleProfileLine() {
    if (m_pair.isEmpty()) return;
    if (m_line) return setLine(std::nullopt);
    // Keys alone give a line too: across what is seen, through the pixel that is looked at.
    const Rect seen =
        intersect(m_view.visibleSource(), {0, 0, sourceSize().width, sourceSize().height});
    const QPoint cursor = m_cursorPixel.source;
    const double y = cursor == kNoPixel ? seen.y + seen.height / 2 : cursor.y();
    setLine(QLineF(seen.x + 0.5, y + 0.5, seen.x + seen.width - 0.5, y + 0.5));
}

void Canvas::setLine(const std::optional<QLineF>& line) {
    if (line == m_line) return;
    m_line = line;
    updateProfile();
    placeOverlays();
    updateCursorShape();
    update();
    emit linesMoved();
}

void Canvas::setProfileLine(const std::optional<QLineF>& line) {
    if (!m_pair.isEmpty()) setLine(line);
}

void Canvas::updateProfile() {
    if (!m_line) return;
    const Image a = m_pair.first().image();
    const Image b = m_pair.second().image();
    // Beside a result that is a part of the source there is nothing to see.
    const PixelMap resultFromSource = inverse(resultPlace().sourceFromResult);
    const QLineF over(mapPoint(resultFromSource, m_line->p1()),
                      mapPoint(resultFromSource, m_line->p2()));
    const bool moved = !m_pair.isAsSource();
    const bool scaled = !a.isNull() && !b.isNull() && a.format() != b.format() &&
                        bytesPerSample(a.format()) != bytesPerSample(b.format());
    m_profile->setLine(*m_line);
    m_profile->setProfiles(profileAlong(a, *m_line), m_pair.firstLabel(),
                           scaled ? fullScale(b.format()) / fullScale(a.format()) : 1.0,
                           b.isNull() ? LineProfile{} : profileAlong(b, over, 4096, moved),
                           m_pair.secondLabel());
}

// --- pixel under the cursor ---

PixelPair Canvas::pixelAt(const QPointF& widgetPosition) const {
    if (m_pair.isEmpty() || !QRectF(rect()).contains(widgetPosition)) return {};
    const PaneView view = viewIn(m_panes.at(widgetPosition));
    return pairOf(view.transform().pixelAt(m_panes.toPane(widgetPosition)), view);
}

// Beside the image of its view there is none, though the other image may reach further.
PixelPair Canvas::pairOf(const QPoint& pixel, const PaneView& view) const {
    if (pixel == kNoPixel) return {};
    if (showsInput() && view.place() == alonePlace())
        return pairOfSource(pairOfResult(pixel, alonePlace(), sourceSize()).source, resultPlace(),
                            sourceSize());
    return view.place() == m_pair.firstPlace() ? pairOfSource(pixel, resultPlace(), sourceSize())
                                               : pairOfResult(pixel, resultPlace(), sourceSize());
}

QPoint Canvas::cursorIn(const PaneView& view) const {
    if (showsInput() && view.place() == alonePlace())
        return pairOfSource(m_cursorPixel.source, alonePlace(), sourceSize()).result;
    return view.place() == m_pair.firstPlace() ? m_cursorPixel.source : m_cursorPixel.result;
}

void Canvas::setCursorPixel(const PixelPair& pixel) {
    if (pixel == m_cursorPixel) return;
    m_cursorPixel = pixel;
    if (m_pixelCursor || m_mode == ViewMode::SideBySide) update();
    emit cursorPixelChanged(pixel.source, pixel.result);
}

void Canvas::followMouse() {
    setCursorPixel(m_mouseInside ? pixelAt(m_mousePosition) : PixelPair{});
}

void Canvas::togglePixelCursor() {
    m_pixelCursor = !m_pixelCursor;
    update();
    if (!m_pixelCursor) return followMouse();
    const Rect seen = m_view.transform().visible();
    if (cursorIn(m_view) == kNoPixel)
        setCursorPixel(pairOf({seen.x + seen.width / 2, seen.y + seen.height / 2}, m_view));
}

void Canvas::movePixelCursor(const QPoint& by) {
    const QPoint to = m_view.transform().nearestPixel(cursorIn(m_view) + by);
    m_view.transform().reveal(to);
    setCursorPixel(pairOf(to, m_view));
    viewChanged();
}
}  // namespace warpscope::gui
