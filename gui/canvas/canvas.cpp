#include "gui/canvas/canvas.h"

#include <QApplication>
#include <QWindow>
#include <algorithm>
#include <cmath>

#include "gui/canvas/difference_bar.h"
#include "gui/canvas/empty_state.h"
#include "gui/canvas/navigator.h"
#include "gui/canvas/profile_chart.h"
#include "gui/display/display_settings.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kHoldMs = 150;
constexpr int kStaleSignMs = 250;
constexpr int kSaidMs = 3000;
constexpr int kOpeningMs = 150;
// A whole turn of source and result in half a second.
constexpr int kBlinkMs = 250;
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
    m_saidTimer.setSingleShot(true);
    m_saidTimer.setInterval(kSaidMs);
    connect(&m_saidTimer, &QTimer::timeout, this, qOverload<>(&QWidget::update));
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
    connect(m_profile, &ProfileChart::hovered, this, [this](const QPointF& at) {
        const QPoint pixel(int(std::floor(at.x())), int(std::floor(at.y())));
        setCursorPixel(pairOfSource(pixel, resultPlace(), sourceSize()));
    });
    connect(m_profile, &ProfileChart::hoverEnded, this, &Canvas::followMouse);
    connect(m_profile, &ProfileChart::saveFailed, this, &Canvas::profileSaveFailed);
    m_navigator = new Navigator(this);
    connect(m_navigator, &Navigator::centerRequested, this, &Canvas::centerOn);
    connect(&m_maker, &PictureMaker::made, this, &Canvas::takePictures);
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
    if (size.empty()) m_pictures.clear();
    if (size != before) {
        setLine(std::nullopt);
        m_apart = {};
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
    updateGeometry();  // a message stands over an empty canvas, above a picture
}

void Canvas::setResult(PyramidPtr result, const PixelMap& sourceFromResult, quint64 revision) {
    const ResultPlace before = resultPlace();
    m_pair.setResult(std::move(result), sourceFromResult);
    placeOverlays();
    updateProfile();
    resultCame(before, revision);
}

void Canvas::letGoOfResult(PyramidPtr copies) {
    m_pair.letGoOfResult(std::move(copies));
    updateNavigator();
    update();
}

void Canvas::setDraft(const DraftReady& draft) {
    const ResultPlace before = resultPlace();
    m_pair.setDraft(draft);
    placeOverlays();
    resultCame(before, draft.revision);
}

void Canvas::resultCame(const ResultPlace& before, quint64 revision) {
    takeFrame(revision);
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
        updateHandledLook();
        updateNavigator();
        update();
    };
    m_display = &display;
    m_pair.setDisplay(display);
    connect(&display, &DisplaySettings::changed, this, refresh);
    refresh();
}

void Canvas::setHighlight(const std::optional<ValueHighlight>& highlight) {
    if (m_pair.setHighlight(highlight)) update();
}

// --- what is shown ---

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
    return m_mode != ViewMode::Source && !m_heldSource && !sourcePhase && !m_pair.given() &&
           !showsInput();
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
    m_comparing = QStringLiteral("%1, %2").arg(labelA, labelB);
    prepare(
        [=](const std::stop_token& stop) { return prepareComparison(a, b, labelA, labelB, stop); },
        [] { return ViewMode::Difference; });
    setFocus();  // Escape must reach the canvas
}

void Canvas::compare(PyramidPtr a, PyramidPtr b, const QString& labelA, const QString& labelB) {
    if (!a || !b) return;
    if (!m_pair.given()) m_comparing = QStringLiteral("%1, %2").arg(labelA, labelB);
    prepare([=](const std::stop_token& stop) { return comparisonOf(a, b, labelA, labelB, stop); },
            [this] {
                const bool one = m_mode == ViewMode::Source || m_mode == ViewMode::Result;
                return one && !m_pair.given() ? ViewMode::Wipe : m_mode;
            });
}

void Canvas::prepare(Prepare make, std::function<ViewMode()> mode) {
    m_comparisonStop.request_stop();
    m_comparisonStop = std::stop_source();
    m_tasks.run([this, make = std::move(make), mode = std::move(mode),
                 number = ++m_comparisonNumber,
                 stop = m_comparisonStop.get_token()]() -> TaskRunner::Finish {
        auto ready = std::make_shared<Result<Comparison>>(make(stop));
        return [this, ready, number, mode] {
            if (number != m_comparisonNumber) return;
            m_comparing.clear();
            update();
            // Without memory for the smaller copies the view stays as it is.
            if (*ready) beginComparison(std::move(**ready), mode());
        };
    });
    update();
}

void Canvas::beginComparison(Comparison&& ready, ViewMode mode) {
    const bool first = !m_pair.given();
    if (first) {
        m_documentView = m_view;
        m_documentMode = m_mode;
        m_documentSize = sourceSize();
    }
    const Size before = sourceSize();
    m_pair.begin(std::move(ready));
    if (first || sourceSize() != before) setLine(std::nullopt);
    if (sourceSize() != before) m_view.transform().fit();
    switchMode(mode);
    updateProfile();
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

}  // namespace warpscope::gui
