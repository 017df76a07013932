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
    m_pair.setSource(std::move(source));
    const Size size = m_pair.first().image().size();
    const bool hadFocus = m_empty->isAncestorOf(QApplication::focusWidget());
    m_empty->setVisible(size.empty());
    setFocusProxy(size.empty() ? m_empty->firstButton() : nullptr);
    if (hadFocus && !size.empty()) setFocus(Qt::OtherFocusReason);
    if (size != m_transform.imageSize()) setLine(std::nullopt);
    m_transform.setImageSize(size);
    setCursorPixel(kNoPixel);
    m_pixelCursor = false;
    m_clickTimer.stop();
    updateProfile();
    updateBlink();
    layOut();
    viewChanged();
}

void Canvas::setResult(PyramidPtr result) {
    m_pair.setResult(std::move(result));
    placeOverlays();
    updateProfile();
    takeFrame();
}

void Canvas::setDraft(const DraftReady& draft) {
    m_pair.setDraft(draft);
    placeOverlays();
    takeFrame();
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
    updateBlink();
    layOut();
    viewChanged();
    updateCursorShape();
    emit viewModeChanged(mode);
}

Viewport Canvas::viewport() const {
    return {m_transform.visible(), m_transform.zoom()};
}

QPointF Canvas::imagePosition(const QPointF& widgetPosition) const {
    return m_transform.toImage(m_panes.toPane(widgetPosition));
}

QPointF Canvas::widgetPosition(const QPointF& imagePosition) const {
    return (m_transform.toPane(imagePosition) + m_panes.first().topLeft()) / m_panes.dpr();
}

void Canvas::fit() {
    m_transform.fit();
    viewChanged();
}

void Canvas::zoomToActual() {
    m_transform.setZoom(1.0, m_transform.paneCenter());
    viewChanged();
}

void Canvas::zoomIn() {
    m_transform.setZoom(ViewTransform::nextZoomStep(zoom(), true), m_transform.paneCenter());
    viewChanged();
}

void Canvas::zoomOut() {
    m_transform.setZoom(ViewTransform::nextZoomStep(zoom(), false), m_transform.paneCenter());
    viewChanged();
}

void Canvas::toggleFit() {
    if (isFitted())
        setZoom(1.0, m_mouseInside ? m_mousePosition : QRectF(rect()).center());
    else
        fit();
}

void Canvas::setZoom(double zoom, const QPointF& widgetAnchor) {
    m_transform.setZoom(zoom, m_panes.toPane(widgetAnchor));
    viewChanged();
}

void Canvas::layOut() {
    m_panes = Panes(size(), devicePixelRatioF(), m_mode == ViewMode::SideBySide);
    m_empty->setGeometry(rect());
    m_transform.setPaneSize(m_panes.first().size());
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
        m_documentTransform = m_transform;
        m_documentMode = m_mode;
    }
    m_pair.begin(std::move(ready));
    setLine(std::nullopt);
    m_transform.setImageSize(m_pair.first().image().size());
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
    const Size size = m_pair.first().image().size();
    if (m_documentTransform.imageSize() == size) m_transform = m_documentTransform;
    m_transform.setImageSize(size);
    setCursorPixel(kNoPixel);
    switchMode(m_documentMode);
    emit comparisonChanged();
}

void Canvas::showNextDifference() {
    const auto pixel = m_pair.nextDiffering();
    if (!pixel) return;
    m_transform.centerOn(*pixel, kPixelSeen);
    m_pixelCursor = true;
    setCursorPixel(*pixel);
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
        regionChanged(m_region.takeMiddleOf(m_transform.visible(), m_transform.imageSize()));
}

void Canvas::dropRegion() {
    regionChanged(m_region.edit(std::nullopt, {}));
}

void Canvas::toggleProfileLine() {
    if (m_pair.isEmpty()) return;
    if (m_line) return setLine(std::nullopt);
    // Keys alone give a line too: across what is seen, through the pixel that is looked at.
    const Rect seen = m_transform.visible();
    const double y = m_cursorPixel == kNoPixel ? seen.y + seen.height / 2 : m_cursorPixel.y();
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
    const bool scaled = !a.isNull() && !b.isNull() && a.format() != b.format() &&
                        bytesPerSample(a.format()) != bytesPerSample(b.format());
    m_profile->setProfiles(profileAlong(a, *m_line), m_pair.firstLabel(),
                           scaled ? fullScale(b.format()) / fullScale(a.format()) : 1.0,
                           b.isNull() ? LineProfile{} : profileAlong(b, *m_line),
                           m_pair.secondLabel());
}

// --- pixel under the cursor ---

QPoint Canvas::pixelAt(const QPointF& widgetPosition) const {
    if (m_pair.isEmpty() || !QRectF(rect()).contains(widgetPosition)) return kNoPixel;
    return m_transform.pixelAt(m_panes.toPane(widgetPosition));
}

void Canvas::setCursorPixel(const QPoint& pixel) {
    if (pixel == m_cursorPixel) return;
    m_cursorPixel = pixel;
    if (m_pixelCursor || m_mode == ViewMode::SideBySide) update();
    emit cursorPixelChanged(pixel);
}

void Canvas::followMouse() {
    setCursorPixel(m_mouseInside ? pixelAt(m_mousePosition) : kNoPixel);
}

void Canvas::togglePixelCursor() {
    m_pixelCursor = !m_pixelCursor;
    update();
    if (!m_pixelCursor) return followMouse();
    const Rect seen = m_transform.visible();
    if (m_cursorPixel == kNoPixel)
        setCursorPixel({seen.x + seen.width / 2, seen.y + seen.height / 2});
}

void Canvas::movePixelCursor(const QPoint& by) {
    const QPoint to = m_transform.nearestPixel(m_cursorPixel + by);
    m_transform.reveal(to);
    setCursorPixel(to);
    viewChanged();
}

}  // namespace warpscope::gui
