// Difference, blink, and two given images in place of source and result.
#include <QWindow>
#include <algorithm>
#include <cstring>

#include "gui/canvas/canvas_state.h"
#include "gui/canvas/difference_bar.h"
#include "gui/canvas/display_settings.h"
#include "gui/canvas/profile_chart.h"

namespace warpscope::gui {
namespace {

constexpr int kMostGain = 64;
constexpr int kMostDiffering = 4096;  // places that are marked and walked through

template <class T>
bool sameValue(T a, T b) {
    return a == b || (a != a && b != b);  // NaN is NaN
}

// Rows whose bytes are alike are the rule and cost little.
std::vector<QPoint> differingPixels(const Image& a, const Image& b) {
    std::vector<QPoint> found;
    if (a.size() != b.size() || a.format() != b.format()) return found;
    const auto rowBytes = std::size_t(a.width()) * std::size_t(bytesPerPixel(a.format()));
    visitSampleType(a.format(), [&]<class T>() {
        const auto first = a.view<T>();
        const auto second = b.view<T>();
        for (int y = 0; y < a.height() && int(found.size()) < kMostDiffering; ++y) {
            if (std::memcmp(a.rowBytes(y), b.rowBytes(y), rowBytes) == 0) continue;
            const T* p = first.row(y);
            const T* q = second.row(y);
            for (int x = 0; x < a.width() && int(found.size()) < kMostDiffering; ++x)
                for (int c = 0; c < first.channels; ++c)
                    if (!sameValue(p[x * first.channels + c], q[x * first.channels + c])) {
                        found.push_back({x, y});
                        break;
                    }
        }
    });
    return found;
}

Result<Comparison> prepare(const Image& a, const Image& b, const std::stop_token& stop) {
    const CpuContext context{Threading::AllCores, stop, {}};
    auto first = buildPyramid(a, context);
    if (!first) return fail(first.error());
    auto second = buildPyramid(b, context);
    if (!second) return fail(second.error());
    Comparison ready;
    ready.first = std::make_shared<const Pyramid>(std::move(*first));
    ready.second = std::make_shared<const Pyramid>(std::move(*second));
    ready.agreement = compareImages(a, b, AgreementRule{});
    ready.differing = differingPixels(a, b);
    return ready;
}

}  // namespace

DifferenceStyle Canvas::differenceStyle() const {
    return m_state->differenceStyle;
}

void Canvas::setDifferenceStyle(const DifferenceStyle& style) {
    State& s = *m_state;
    const DifferenceStyle wanted{style.kind, std::clamp(style.gain, 1, kMostGain)};
    if (wanted == s.differenceStyle) return;
    s.differenceStyle = wanted;
    s.updateLooks();
    s.placeOverlays();
    emit differenceStyleChanged();
}

void Canvas::toggleDifferenceSign() {
    m_state->toggleSign();
}

void Canvas::State::changeGain(bool up) {
    const int gain = differenceStyle.gain;
    q.setDifferenceStyle({differenceStyle.kind, up ? gain * 2 : std::max(1, gain / 2)});
}

void Canvas::State::toggleSign() {
    const bool absolute = differenceStyle.kind == DifferenceKind::Absolute;
    q.setDifferenceStyle(
        {absolute ? DifferenceKind::Signed : DifferenceKind::Absolute, differenceStyle.gain});
}

void Canvas::setDisplay(DisplaySettings& display) {
    m_state->display = &display;
    connect(&display, &DisplaySettings::changed, this, [this] { m_state->updateLooks(); });
    m_state->updateLooks();
}

void Canvas::setHighlight(const std::optional<ValueHighlight>& highlight) {
    if (highlight == m_state->highlight) return;
    m_state->highlight = highlight;
    m_state->updateLooks();
}

void Canvas::State::updateLooks() {
    const auto imageOf = [](const SideRenderer& side) {
        const PyramidPtr& pyramid = side.pyramid();
        return pyramid && !pyramid->levels.empty() ? pyramid->levels.front() : Image();
    };
    const Image resultImage = imageOf(result);
    const auto lookOf = [&](const SideRenderer& side, bool highlighted) {
        const Image image = imageOf(side);
        DisplayLook look = display && !image.isNull() ? display->lookFor(image) : DisplayLook{};
        // The range is in samples of the result: it means nothing for another depth.
        const bool alike =
            image.isNull() || resultImage.isNull() ||
            (bytesPerSample(image.format()) == bytesPerSample(resultImage.format()) &&
             isFloat(image.format()) == isFloat(resultImage.format()));
        if (highlighted && alike) look.highlight = highlight;
        return look;
    };
    source.setLook(lookOf(source, true));
    result.setLook(lookOf(result, true));
    comparedFirst.setLook(lookOf(comparedFirst, false));
    comparedSecond.setLook(lookOf(comparedSecond, false));
    DisplayLook subtracted = lookOf(first(), false);
    subtracted.logarithmic = false;
    subtracted.difference = differenceStyle;
    difference.setLook(subtracted);
    q.update();
}

// Two images subtract where they are alike; a draft does on its own, so that a slider shows its
// effect also while the last full result had another format.
void Canvas::State::updateDifference() {
    obstacle = differenceObstacle(first().pyramid(), second().pyramid());
    const bool possible = obstacle == DifferenceObstacle::None;
    const SideRenderer& minuend = comparison ? first() : second();
    const SideRenderer& subtrahend = comparison ? second() : first();
    difference.setPyramid(possible ? minuend.pyramid() : nullptr);
    difference.setCompared(subtrahend.pyramid());
    if (second().draft())
        difference.setComparedDraft(*second().draft());
    else
        difference.dropDraft();
    placeOverlays();
}

QString Canvas::State::obstacleText() const {
    const auto describe = [](const SideRenderer& side) {
        const Image& image = side.pyramid()->levels.front();
        const int bits = 8 * bytesPerSample(image.format());
        const QString kind = isFloat(image.format()) ? Canvas::tr("float")
                             : bits > 16             ? Canvas::tr("sums of %1 bits").arg(bits)
                                                     : Canvas::tr("%1 bits").arg(bits);
        const QString color =
            isColor(image.format()) ? Canvas::tr("in colour") : Canvas::tr("in grey");
        return QStringLiteral("%1 × %2, %3, %4")
            .arg(image.width())
            .arg(image.height())
            .arg(kind, color);
    };
    switch (obstacle) {
        case DifferenceObstacle::None:
            break;
        case DifferenceObstacle::NoResult:
            return Canvas::tr("No difference yet: there is no result.");
        case DifferenceObstacle::Size:
        case DifferenceObstacle::Format:
            return Canvas::tr("No difference: the samples cannot be subtracted.\n%1: %2\n%3: %4")
                .arg(firstLabel(), describe(first()), secondLabel(), describe(second()));
    }
    return {};
}

QString Canvas::State::firstLabel() const {
    return comparison ? comparison->firstLabel : Canvas::tr("Source");
}

QString Canvas::State::secondLabel() const {
    return comparison ? comparison->secondLabel : Canvas::tr("Result");
}

QString Canvas::State::differenceLabel() const {
    const QString minuend = comparison ? firstLabel() : secondLabel();
    const QString subtrahend = comparison ? secondLabel() : Canvas::tr("source");
    QString text = differenceStyle.kind == DifferenceKind::Absolute
                       ? QStringLiteral("|%1 − %2|").arg(minuend, subtrahend)
                       : QStringLiteral("%1 − %2").arg(minuend, subtrahend);
    text += QStringLiteral(" × %1").arg(differenceStyle.gain);
    if (comparison && obstacle == DifferenceObstacle::None)
        text += QStringLiteral(" · ") + QString::fromStdString(describe(comparison->agreement));
    return text;
}

// --- blink ---

void Canvas::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_state->updateBlink();
}

void Canvas::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_state->updateBlink();
}

bool Canvas::State::isSeen() const {
    const QWindow* window = q.window()->windowHandle();
    return q.isVisible() && !q.window()->isMinimized() && (!window || window->isExposed());
}

void Canvas::State::updateBlink() {
    if (mode == ViewMode::Blink && q.isVisible() && !isEmpty()) {
        if (!blinkTimer.isActive()) blinkTimer.start();
    } else {
        blinkTimer.stop();
        blinkFirst = false;
    }
}

// --- two given images ---

const Comparison* Canvas::comparison() const {
    return m_state->comparison ? &*m_state->comparison : nullptr;
}

void Canvas::showDifference(const Image& a, const Image& b, const QString& labelA,
                            const QString& labelB) {
    if (a.isNull() || b.isNull()) return;
    State& s = *m_state;
    s.comparisonStop.request_stop();
    s.comparisonStop = std::stop_source();
    s.comparing = QStringLiteral("%1, %2").arg(labelA, labelB);
    const int number = ++s.comparisonNumber;
    s.tasks.run([&s, a, b, labelA, labelB, number,
                 stop = s.comparisonStop.get_token()]() -> TaskRunner::Finish {
        auto ready = std::make_shared<Result<Comparison>>(prepare(a, b, stop));
        return [&s, ready, labelA, labelB, number] {
            if (number != s.comparisonNumber) return;
            s.comparing.clear();
            s.q.update();
            if (!*ready) return;  // no memory for the smaller copies: the view stays as it is
            (*ready)->firstLabel = labelA;
            (*ready)->secondLabel = labelB;
            s.beginComparison(std::move(**ready));
        };
    });
    setFocus();  // Escape must reach the canvas
    update();
}

void Canvas::State::beginComparison(Comparison&& ready) {
    if (!comparison) {
        documentTransform = transform;
        documentMode = mode;
    }
    comparison = std::move(ready);
    nextDiffering = 0;
    comparedFirst.setPyramid(comparison->first);
    comparedSecond.setPyramid(comparison->second);
    setLine(std::nullopt);
    transform.setImageSize(comparison->first->levels.front().size());
    mode = ViewMode::Difference;
    updateLooks();
    updateDifference();
    updateBlink();
    layout();
    viewChanged();
    updateCursorShape();
    emit q.viewModeChanged(mode);
    emit q.comparisonChanged();
}

void Canvas::endComparison() {
    State& s = *m_state;
    ++s.comparisonNumber;
    s.comparisonStop.request_stop();
    s.comparing.clear();
    update();
    if (!s.comparison) return;
    s.comparison.reset();
    s.comparedFirst.setPyramid(nullptr);
    s.comparedSecond.setPyramid(nullptr);
    s.setLine(std::nullopt);
    const Size size = s.source.isNull() ? Size{} : s.source.pyramid()->levels.front().size();
    if (s.documentTransform.imageSize() == size) s.transform = s.documentTransform;
    s.transform.setImageSize(size);
    s.mode = s.documentMode;
    s.setCursorPixel(kNoPixel);
    s.updateLooks();
    s.updateDifference();
    s.updateBlink();
    s.layout();
    s.viewChanged();
    s.updateCursorShape();
    emit viewModeChanged(s.mode);
    emit comparisonChanged();
}

// The pixel cursor goes there, enlarged enough to see the pixel.
void Canvas::State::showNextDifference() {
    if (!comparison || comparison->differing.empty()) return;
    const QPoint pixel = comparison->differing[nextDiffering++ % comparison->differing.size()];
    constexpr double kSeen = 8.0;
    if (transform.zoom() < kSeen) transform.setZoom(kSeen, transform.toPane(pixel));
    const QPointF middle = paneCenter();
    transform.panBy(middle - transform.toPane(QPointF(pixel) + QPointF(0.5, 0.5)));
    pixelCursor = true;
    setCursorPixel(pixel);
    viewChanged();
}

}  // namespace warpscope::gui
