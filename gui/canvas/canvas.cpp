#include "gui/canvas/canvas.h"

#include <QApplication>
#include <QWindow>
#include <algorithm>

#include "gui/canvas/difference_bar.h"
#include "gui/canvas/empty_state.h"
#include "gui/canvas/profile_chart.h"
#include "gui/display/display_settings.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kHoldMs = 150;
constexpr int kStaleSignMs = 250;
constexpr int kOpeningMs = 150;
// A whole turn of source and result in half a second.
constexpr int kBlinkMs = 250;
constexpr int kOverlayGap = 8;  // logical pixels
// An enlargement that shows a single pixel.
constexpr double kPixelSeen = 8.0;

}  // namespace

Canvas::Canvas(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    retranslate();
    m_empty = new EmptyState(this);
    connect(m_empty, &EmptyState::openRequested, this, &Canvas::openRequested);
    connect(m_empty, &EmptyState::sampleRequested, this, &Canvas::sampleRequested);
    setFocusProxy(m_empty->firstButton());

    m_holdTimer.setSingleShot(true);
    m_holdTimer.setInterval(kHoldMs);
    connect(&m_holdTimer, &QTimer::timeout, this, [this] { showSource(true); });
    m_staleTimer.setSingleShot(true);
    m_staleTimer.setInterval(kStaleSignMs);
    connect(&m_staleTimer, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    m_clickTimer.setSingleShot(true);
    connect(&m_clickTimer, &QTimer::timeout, this, [this] {
        if (m_clickedPixel != kNoPixel) emit pixelClicked(m_clickedPixel);
    });
    m_blinkTimer.setInterval(kBlinkMs);
    connect(&m_blinkTimer, &QTimer::timeout, this, [this] {
        if (!isSeen()) return;  // nobody is looking
        m_blinkFirst = !m_blinkFirst;
        update();
    });
    m_openingTimer.setSingleShot(true);
    m_openingTimer.setInterval(kOpeningMs);
    connect(&m_openingTimer, &QTimer::timeout, this, [this] {
        m_empty->setOpening(m_opening);
        update();
    });
    m_differenceBar = new DifferenceBar(this);
    connect(m_differenceBar, &DifferenceBar::gainRequested, this, &Canvas::changeGain);
    connect(m_differenceBar, &DifferenceBar::signRequested, this, &Canvas::toggleDifferenceSign);
    connect(m_differenceBar, &DifferenceBar::nextRequested, this, &Canvas::showNextDifference);
    connect(m_differenceBar, &DifferenceBar::backRequested, this, &Canvas::endComparison);
    m_profile = new ProfileChart(this);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

Canvas::~Canvas() {
    m_comparisonStop.request_stop();
}

void Canvas::retranslate() {
    setAccessibleName(tr("Image"));
    setAccessibleDescription(tr(
        "Source and result. F shows the whole image, plus and minus zoom, 1 to 6 choose the view, "
        "arrows pan, X puts a pixel cursor, R a region, L a line with its profile, Shift held "
        "shows the source."));
}

QSize Canvas::sizeHint() const {
    return {640, 480};
}

QSize Canvas::minimumSizeHint() const {
    return {160, 120};
}

// --- images ---

void Canvas::setSource(PyramidPtr source) {
    if (source == m_pair.source()) return;
    endComparison();
    const Size before = sourceSize();
    m_pair.setSource(std::move(source));
    const Size size = sourceSize();
    const bool hadFocus = m_empty->isAncestorOf(QApplication::focusWidget());
    m_empty->setVisible(size.empty());
    setFocusProxy(size.empty() ? m_empty->firstButton() : nullptr);
    if (hadFocus && !size.empty()) setFocus(Qt::OtherFocusReason);
    if (size != before) {
        setLine(std::nullopt);
        m_view.transform().fit();
    }
    followPlace();
    setCursorPixel({});
    m_pixelCursor = false;
    m_clickTimer.stop();
    updateProfile();
    updateBlink();
    layOut();
    viewChanged();
}

void Canvas::setResult(PyramidPtr result, const PixelMap& sourceFromResult) {
    const ResultPlace before = resultPlace();
    m_pair.setResult(std::move(result), sourceFromResult);
    placeOverlays();
    updateProfile();
    resultCame(before);
}

void Canvas::setDraft(const DraftReady& draft) {
    const ResultPlace before = resultPlace();
    m_pair.setDraft(draft);
    placeOverlays();
    resultCame(before);
}

void Canvas::resultCame(const ResultPlace& before) {
    takeFrame();
    preparePart();
    if (resultPlace() == before) return;
    followPlace();
    setCursorPixel(pairOfSource(m_cursorPixel.source, resultPlace(), sourceSize()));
    viewChanged();
}

void Canvas::preparePart() {
    const auto part = m_mode == ViewMode::Difference ? m_pair.missingPart() : std::nullopt;
    if (!part) return;
    m_tasks.run([this, part = *part, place = resultPlace(),
                 source = m_pair.source()]() -> TaskRunner::Finish {
        auto made = std::make_shared<Result<Pyramid>>(
            buildPyramid(part, CpuContext{Threading::AllCores, {}, {}}));
        return [this, made, place, source] {
            // Without memory for the smaller copies there is no difference.
            if (!*made || source != m_pair.source()) return;
            m_pair.setPart(std::make_shared<const Pyramid>(std::move(**made)), place);
            placeOverlays();
            update();
        };
    });
}

void Canvas::takeFrame() {
    m_newFrame = isSeen();
    update();
    if (!m_newFrame) emit frameMissed();  // no paint comes before the window is seen again
}

void Canvas::setOpening(const QString& name) {
    if (name == m_opening) return;
    m_opening = name;
    if (!name.isEmpty()) {
        m_openingTimer.start();
        return;
    }
    m_openingTimer.stop();
    m_empty->setOpening({});
    update();
}

void Canvas::setCoveredTop(int height) {
    if (height == m_coveredTop) return;
    m_coveredTop = height;
    update();
}

void Canvas::setStale(bool stale) {
    if (m_stale == stale) return;
    m_stale = stale;
    if (stale)
        m_staleTimer.start();
    else
        m_staleTimer.stop();
    update();
}

void Canvas::setDisplay(DisplaySettings& display) {
    const auto refresh = [this] {
        m_pair.updateLooks();
        update();
    };
    m_pair.setDisplay(display);
    connect(&display, &DisplaySettings::changed, this, refresh);
    refresh();
}

void Canvas::setHighlight(const std::optional<ValueHighlight>& highlight) {
    if (m_pair.setHighlight(highlight)) update();
}

// --- view ---

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
    return m_view.linkedTo(m_pair.secondPlace());
}

void Canvas::changeView(const QRect& pane, const std::function<void(ViewTransform&)>& change) {
    const ResultPlace first = m_view.place();
    PaneView view = viewIn(pane);
    change(view.transform());
    m_view = view.linkedTo(first);
    followPlace();
    viewChanged();
}

// Each image is upright in its own pixels: the result where it is alone.
void Canvas::followPlace() {
    m_view =
        m_view.goneOverTo(m_mode == ViewMode::Result ? m_pair.secondPlace() : m_pair.firstPlace());
    const bool both = m_mode == ViewMode::SideBySide && !m_pair.isAsSource();
    m_view.transform().setFitBox(both ? boxOfBoth(sourceSize(), resultPlace()) : QRectF());
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

void Canvas::fit() {
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
        m_differenceBar->showState(m_pair.differenceStyle(), given != nullptr,
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

void Canvas::showSource(bool held) {
    if (m_heldSource == held || (held && m_pair.isEmpty())) return;
    m_heldSource = held;
    update();
    emit showingSourceChanged(held);
}

void Canvas::cancelHold() {
    m_holdTimer.stop();
    showSource(false);
}

bool Canvas::isSeen() const {
    const QWindow* shown = window()->windowHandle();
    return isVisible() && !window()->isMinimized() && (!shown || shown->isExposed());
}

bool Canvas::showsResult() const {
    const bool sourcePhase = m_mode == ViewMode::Blink && m_blinkFirst;
    return m_mode != ViewMode::Source && !m_heldSource && !sourcePhase && !m_pair.given();
}

void Canvas::updateBlink() {
    if (m_mode == ViewMode::Blink && isVisible() && !m_pair.isEmpty()) {
        if (!m_blinkTimer.isActive()) m_blinkTimer.start();
    } else {
        m_blinkTimer.stop();
        m_blinkFirst = false;
    }
}

// --- difference, two given images ---

void Canvas::setDifferenceStyle(const DifferenceStyle& style) {
    if (!m_pair.setDifferenceStyle(style)) return;
    placeOverlays();
    update();
    emit differenceStyleChanged();
}

void Canvas::toggleDifferenceSign() {
    const DifferenceStyle style = differenceStyle();
    const bool absolute = style.kind == DifferenceKind::Absolute;
    setDifferenceStyle({absolute ? DifferenceKind::Signed : DifferenceKind::Absolute, style.gain});
}

void Canvas::changeGain(bool up) {
    const DifferenceStyle style = differenceStyle();
    setDifferenceStyle({style.kind, up ? style.gain * 2 : style.gain / 2});
}

void Canvas::showDifference(const Image& a, const Image& b, const QString& labelA,
                            const QString& labelB) {
    if (a.isNull() || b.isNull()) return;
    m_comparisonStop.request_stop();
    m_comparisonStop = std::stop_source();
    m_comparing = QStringLiteral("%1, %2").arg(labelA, labelB);
    m_tasks.run([this, a, b, labelA, labelB, number = ++m_comparisonNumber,
                 stop = m_comparisonStop.get_token()]() -> TaskRunner::Finish {
        auto ready =
            std::make_shared<Result<Comparison>>(prepareComparison(a, b, labelA, labelB, stop));
        return [this, ready, number] {
            if (number != m_comparisonNumber) return;
            m_comparing.clear();
            update();
            // Without memory for the smaller copies the view stays as it is.
            if (*ready) beginComparison(std::move(**ready));
        };
    });
    setFocus();  // Escape must reach the canvas
    update();
}

void Canvas::beginComparison(Comparison&& ready) {
    if (!m_pair.given()) {
        m_documentView = m_view;
        m_documentMode = m_mode;
        m_documentSize = sourceSize();
    }
    const Size before = sourceSize();
    m_pair.begin(std::move(ready));
    setLine(std::nullopt);
    if (sourceSize() != before) m_view.transform().fit();
    switchMode(ViewMode::Difference);
    emit comparisonChanged();
}

void Canvas::endComparison() {
    ++m_comparisonNumber;
    m_comparisonStop.request_stop();
    m_comparing.clear();
    update();
    if (!m_pair.given()) return;
    m_pair.end();
    setLine(std::nullopt);
    if (m_documentSize == sourceSize())
        m_view = m_documentView;
    else
        m_view.transform().fit();
    setCursorPixel({});
    switchMode(m_documentMode);
    emit comparisonChanged();
}

void Canvas::showNextDifference() {
    const auto pixel = m_pair.nextDiffering();
    if (!pixel) return;
    m_view.transform().centerOn(*pixel, kPixelSeen);
    m_pixelCursor = true;
    setCursorPixel(pairOf(*pixel, m_view));
    viewChanged();
}

// --- region and line ---

void Canvas::setRegion(const std::optional<Rect>& region) {
    if (region == m_region.region()) return;
    m_region.setRegion(region);
    updateCursorShape();
    update();
}

void Canvas::setPins(const std::vector<QPoint>& pixels) {
    if (pixels == m_pins) return;
    m_pins = pixels;
    update();
}

void Canvas::regionChanged(bool changed) {
    if (!changed) return;
    update();
    emit regionEdited(m_region.region());
}

void Canvas::selectRegion() {
    if (!m_pair.isEmpty() && !m_pair.given())
        regionChanged(m_region.takeMiddleOf(m_view.visibleSource(), sourceSize()));
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
    return view.place() == m_pair.firstPlace() ? pairOfSource(pixel, resultPlace(), sourceSize())
                                               : pairOfResult(pixel, resultPlace(), sourceSize());
}

QPoint Canvas::cursorIn(const PaneView& view) const {
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
