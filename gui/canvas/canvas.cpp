#include "gui/canvas/canvas.h"

#include <QApplication>
#include <QStyleHints>
#include <algorithm>
#include <cmath>

#include "gui/canvas/canvas_state.h"
#include "gui/canvas/difference_bar.h"
#include "gui/canvas/empty_state.h"
#include "gui/canvas/profile_chart.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kHoldMs = 150;
constexpr int kStaleMarkMs = 250;
constexpr int kOpeningMs = 150;
// A whole turn of source and result in half a second.
constexpr int kBlinkMs = 250;
constexpr int kOverlayGap = 8;  // logical pixels
constexpr int kPaneGap = 2;     // logical pixels between the panes of side by side

bool sameViewport(const Viewport& a, const Viewport& b) {
    return a.visible == b.visible && a.zoom == b.zoom;
}

}  // namespace

Canvas::State::State(Canvas& canvas) : q(canvas) {}

Canvas::Canvas(QWidget* parent) : QWidget(parent), m_state(std::make_unique<State>(*this)) {
    State& s = *m_state;
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    s.retranslate();
    s.empty = new EmptyState(this);
    connect(s.empty, &EmptyState::openRequested, this, &Canvas::openRequested);
    connect(s.empty, &EmptyState::sampleRequested, this, &Canvas::sampleRequested);
    setFocusProxy(s.empty->firstButton());

    s.holdTimer.setSingleShot(true);
    s.holdTimer.setInterval(kHoldMs);
    connect(&s.holdTimer, &QTimer::timeout, this, [&s] { s.showSource(true); });
    s.staleTimer.setSingleShot(true);
    s.staleTimer.setInterval(kStaleMarkMs);
    connect(&s.staleTimer, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    s.clickTimer.setSingleShot(true);
    connect(&s.clickTimer, &QTimer::timeout, this, [this, &s] {
        if (s.clickedPixel != kNoPixel) emit pixelClicked(s.clickedPixel);
    });
    s.blinkTimer.setInterval(kBlinkMs);
    connect(&s.blinkTimer, &QTimer::timeout, this, [this, &s] {
        if (!s.isSeen()) return;  // nobody is looking
        s.blinkFirst = !s.blinkFirst;
        update();
    });
    s.openingTimer.setSingleShot(true);
    s.openingTimer.setInterval(kOpeningMs);
    connect(&s.openingTimer, &QTimer::timeout, this, [this, &s] {
        s.empty->setOpening(s.opening);
        update();
    });
    s.differenceBar = new DifferenceBar(this);
    connect(s.differenceBar, &DifferenceBar::gainRequested, this,
            [&s](bool up) { s.changeGain(up); });
    connect(s.differenceBar, &DifferenceBar::signRequested, this, [&s] { s.toggleSign(); });
    connect(s.differenceBar, &DifferenceBar::nextRequested, this, [&s] { s.showNextDifference(); });
    connect(s.differenceBar, &DifferenceBar::backRequested, this, &Canvas::endComparison);
    s.profile = new ProfileChart(this);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    s.dpr = devicePixelRatioF();
}

Canvas::~Canvas() {
    m_state->comparisonStop.request_stop();
}

void Canvas::State::retranslate() {
    q.setAccessibleName(Canvas::tr("Image"));
    q.setAccessibleDescription(Canvas::tr(
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

void Canvas::setSource(PyramidPtr source) {
    State& s = *m_state;
    if (source == s.source.pyramid()) return;
    endComparison();
    s.source.setPyramid(source);
    s.result.setPyramid(nullptr);
    s.result.dropDraft();
    const bool empty = s.source.isNull();
    const bool hadFocus = s.empty->isAncestorOf(QApplication::focusWidget());
    s.empty->setVisible(empty);
    setFocusProxy(empty ? s.empty->firstButton() : nullptr);
    if (hadFocus && !empty) setFocus(Qt::OtherFocusReason);
    const Size size = empty ? Size{} : source->levels.front().size();
    if (size != s.transform.imageSize()) s.setLine(std::nullopt);
    s.transform.setImageSize(size);
    s.setCursorPixel(kNoPixel);
    s.pixelCursor = false;
    s.clickTimer.stop();
    s.updateLooks();
    s.updateDifference();
    s.updateProfile();
    s.updateBlink();
    s.layout();
    s.viewChanged();
}

void Canvas::setResult(PyramidPtr result) {
    State& s = *m_state;
    s.result.setPyramid(std::move(result));
    s.result.dropDraft();
    s.updateLooks();
    s.updateDifference();
    s.updateProfile();
    s.takeFrame();
}

void Canvas::setDraft(const DraftReady& draft) {
    m_state->result.setDraft(draft);
    m_state->updateDifference();
    m_state->takeFrame();
}

void Canvas::State::takeFrame() {
    newFrame = isSeen();
    q.update();
    if (!newFrame) emit q.frameMissed();  // no paint comes before the window is seen again
}

bool Canvas::State::showsResult() const {
    const bool sourcePhase = mode == ViewMode::Blink && blinkFirst;
    return mode != ViewMode::Source && !heldSource && !sourcePhase && !comparison;
}

void Canvas::setOpening(const QString& name) {
    State& s = *m_state;
    if (name == s.opening) return;
    s.opening = name;
    if (!name.isEmpty()) {
        s.openingTimer.start();
        return;
    }
    s.openingTimer.stop();
    s.empty->setOpening({});
    update();
}

void Canvas::setCoveredTop(int height) {
    if (height == m_state->coveredTop) return;
    m_state->coveredTop = height;
    update();
}

void Canvas::setStale(bool stale) {
    State& s = *m_state;
    if (s.stale == stale) return;
    s.stale = stale;
    if (stale)
        s.staleTimer.start();
    else
        s.staleTimer.stop();
    update();
}

ViewMode Canvas::viewMode() const {
    return m_state->mode;
}

void Canvas::setViewMode(ViewMode mode) {
    State& s = *m_state;
    if (s.mode == mode) return;
    s.mode = mode;
    s.updateBlink();
    s.layout();
    s.viewChanged();
    s.updateCursorShape();
    emit viewModeChanged(mode);
}

double Canvas::zoom() const {
    return m_state->transform.zoom();
}

bool Canvas::isFitted() const {
    return m_state->transform.isFitted();
}

Viewport Canvas::viewport() const {
    return {m_state->transform.visible(), m_state->transform.zoom()};
}

QPointF Canvas::imagePosition(const QPointF& widgetPosition) const {
    return m_state->transform.toImage(m_state->toPane(widgetPosition));
}

QPointF Canvas::widgetPosition(const QPointF& imagePosition) const {
    const QPointF device =
        m_state->transform.toPane(imagePosition) + m_state->panes().front().topLeft();
    return device / m_state->dpr;
}

bool Canvas::showingHeldSource() const {
    return m_state->heldSource;
}

void Canvas::fit() {
    m_state->transform.fit();
    m_state->viewChanged();
}

void Canvas::zoomToActual() {
    m_state->transform.setZoom(1.0, m_state->paneCenter());
    m_state->viewChanged();
}

void Canvas::zoomIn() {
    m_state->transform.setZoom(ViewTransform::nextZoomStep(zoom(), true), m_state->paneCenter());
    m_state->viewChanged();
}

void Canvas::zoomOut() {
    m_state->transform.setZoom(ViewTransform::nextZoomStep(zoom(), false), m_state->paneCenter());
    m_state->viewChanged();
}

void Canvas::toggleFit() {
    const State& s = *m_state;
    if (s.transform.isFitted())
        setZoom(1.0, s.mouseInside ? s.mousePosition : QRectF(rect()).center());
    else
        fit();
}

void Canvas::setZoom(double zoom, const QPointF& widgetAnchor) {
    m_state->transform.setZoom(zoom, m_state->toPane(widgetAnchor));
    m_state->viewChanged();
}

std::vector<QRect> Canvas::State::panes() const {
    const QSize size(int(std::lround(q.width() * dpr)), int(std::lround(q.height() * dpr)));
    if (mode != ViewMode::SideBySide) return {QRect(QPoint(0, 0), size)};
    const int gap = std::max(1, int(std::lround(kPaneGap * dpr)));
    // Both equally wide; a pixel that cannot be halved goes to the gap.
    const int half = std::max(1, (size.width() - gap) / 2);
    return {QRect(0, 0, half, size.height()), QRect(size.width() - half, 0, half, size.height())};
}

QRect Canvas::State::paneAt(const QPointF& widgetPosition) const {
    const std::vector<QRect> all = panes();
    return widgetPosition.x() * dpr >= all.back().left() ? all.back() : all.front();
}

QPointF Canvas::State::toPane(const QPointF& widgetPosition) const {
    return widgetPosition * dpr - paneAt(widgetPosition).topLeft();
}

QPointF Canvas::State::paneCenter() const {
    return QRectF(QPointF(0, 0), QSizeF(transform.paneSize())).center();
}

void Canvas::State::layout() {
    dpr = q.devicePixelRatioF();
    empty->setGeometry(q.rect());
    transform.setPaneSize(panes().front().size());
    placeOverlays();
}

// The difference's control at the bottom in the middle, the profile at the bottom on the left.
void Canvas::State::placeOverlays() {
    const bool given = comparison.has_value();
    const bool controls = !isEmpty() && (given || mode == ViewMode::Difference);
    differenceBar->setVisible(controls);
    int bottom = q.height() - kOverlayGap;
    if (controls) {
        differenceBar->showState(differenceStyle, given, given && !comparison->differing.empty());
        const QSize size = differenceBar->sizeHint();
        differenceBar->setGeometry((q.width() - size.width()) / 2, bottom - size.height(),
                                   size.width(), size.height());
        bottom -= size.height() + kOverlayGap;
    }
    profile->setVisible(line && !isEmpty());
    if (!line) return;
    const QSize room(q.width() - 2 * kOverlayGap, bottom - kOverlayGap);
    const QSize size = profile->sizeHint().boundedTo(room);
    profile->setGeometry(kOverlayGap, bottom - size.height(), size.width(), size.height());
}

void Canvas::State::viewChanged() {
    q.update();
    if (!pixelCursor) followMouse();
    const Viewport now = q.viewport();
    if (now.zoom != lastZoom) {
        lastZoom = now.zoom;
        emit q.zoomChanged(now.zoom);
    }
    // What is seen of two given images is nothing that the worker should compute.
    if (!comparison && !sameViewport(now, lastViewport)) {
        lastViewport = now;
        emit q.viewportChanged(now);
    }
}

void Canvas::State::showSource(bool held) {
    if (heldSource == held || (held && isEmpty())) return;
    heldSource = held;
    q.update();
    emit q.showingSourceChanged(held);
}

void Canvas::State::cancelHold() {
    holdTimer.stop();
    showSource(false);
}

QPoint Canvas::State::pixelAt(const QPointF& widgetPosition) const {
    if (isEmpty() || !QRectF(q.rect()).contains(widgetPosition)) return kNoPixel;
    const QPointF inPane = toPane(widgetPosition);
    if (inPane.x() < 0 || inPane.x() >= transform.paneSize().width()) return kNoPixel;
    // The device pixel's centre says which sample is drawn there.
    const QPointF at =
        transform.toImage({std::floor(inPane.x()) + 0.5, std::floor(inPane.y()) + 0.5});
    const QPoint pixel(int(std::floor(at.x())), int(std::floor(at.y())));
    const Size size = transform.imageSize();
    const bool inside =
        pixel.x() >= 0 && pixel.y() >= 0 && pixel.x() < size.width && pixel.y() < size.height;
    return inside ? pixel : kNoPixel;
}

void Canvas::State::setCursorPixel(const QPoint& pixel) {
    if (pixel == cursorPixel) return;
    cursorPixel = pixel;
    if (pixelCursor || mode == ViewMode::SideBySide) q.update();
    emit q.cursorPixelChanged(pixel);
}

void Canvas::State::followMouse() {
    setCursorPixel(mouseInside ? pixelAt(mousePosition) : kNoPixel);
}

void Canvas::State::togglePixelCursor() {
    pixelCursor = !pixelCursor;
    q.update();
    if (!pixelCursor) {
        followMouse();
        return;
    }
    const Rect seen = transform.visible();
    if (cursorPixel == kNoPixel)
        setCursorPixel({seen.x + seen.width / 2, seen.y + seen.height / 2});
}

void Canvas::State::movePixelCursor(const QPoint& by) {
    const Size size = transform.imageSize();
    const QPoint to(std::clamp(cursorPixel.x() + by.x(), 0, size.width - 1),
                    std::clamp(cursorPixel.y() + by.y(), 0, size.height - 1));
    transform.reveal(to);
    setCursorPixel(to);
    viewChanged();
}

}  // namespace warpscope::gui
