// What the canvas draws.
#include <QBackingStore>
#include <algorithm>
#include <cmath>

#include "gui/canvas/canvas.h"
#include "gui/canvas/canvas_marks.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

// Makes one unit one device pixel and puts the origin on a whole one: with a fractional scale the
// widget may begin between two.
void useDevicePixels(QPainter& painter, double dpr) {
    const QTransform device = painter.deviceTransform();
    painter.scale(1.0 / dpr, 1.0 / dpr);
    painter.translate(std::round(device.dx()) - device.dx(), std::round(device.dy()) - device.dy());
}

}  // namespace

void Canvas::resizeEvent(QResizeEvent*) {
    layOut();
    viewChanged();
}

void Canvas::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    updateBlink();
}

void Canvas::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    updateBlink();
}

void Canvas::paintEvent(QPaintEvent*) {
    if (m_panes.dpr() != devicePixelRatioF()) {  // moved to another screen
        layOut();
        viewChanged();
    }
    QPainter painter(this);
    if (m_pair.isEmpty()) {
        painter.fillRect(rect(), Theme::instance().colors().canvas);
        return;
    }
    const double dpr = m_panes.dpr();
    painter.save();
    useDevicePixels(painter, dpr);
    paintPanes(painter, isOnScreen());
    if (m_pair.given() && m_mode == ViewMode::Difference && !m_heldSource)
        drawDiffering(painter, m_pair.given()->differing, m_view.transform(), dpr);
    for (const QRect& pane : m_panes.all()) {
        painter.save();
        painter.setClipRect(pane);
        painter.translate(pane.topLeft());
        const PaneView view = viewIn(pane);
        const bool ofSource = view.place() == m_pair.firstPlace() || showsInput();
        if (handlesIn(pane)) m_handles.draw(painter, handlesPane(pane));
        if (!m_pair.given()) drawOutlines(painter, m_outlines, view, dpr);
        if (showsRegion()) drawRegion(painter, m_region, view, dpr);
        if (m_line) drawProfileLine(painter, *m_line, view, dpr);
        std::vector<PinMark> pins;
        for (std::size_t i = 0; i < m_pins.size(); ++i) {
            // Beside a result that is a part there is no pixel to mark.
            const PixelPair pin = pairOfSource(m_pins[i], resultPlace(), sourceSize());
            const bool beside =
                m_pins[i].x() >= sourceSize().width || m_pins[i].y() >= sourceSize().height;
            if (!beside && (ofSource || pin.result != kNoPixel))
                pins.push_back({m_pins[i], int(i) + 1, m_pins[i] == m_chosenPin});
        }
        drawPins(painter, pins, view, dpr);
        // The mouse cursor itself shows the place in its own pane.
        const bool linked = m_mode == ViewMode::SideBySide && &pane != &m_panes.at(m_mousePosition);
        if (cursorIn(view) != kNoPixel && (m_pixelCursor || linked))
            drawPixelFrame(painter, cursorIn(view), view.transform(), dpr);
        painter.restore();
    }
    painter.restore();
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_mode == ViewMode::Wipe && !m_heldSource) drawWipe(painter, m_wipe, size());
    paintSigns(painter);
    paintColorBar(painter);
    if (const QString text = noticeText(); !text.isEmpty()) drawNotice(painter, rect(), text);
    if (const QString text = hintText(); !text.isEmpty())
        drawNotice(painter, rect().adjusted(0, height() * 3 / 4, 0, 0), text);
    if (hasFocus()) drawFocus(painter, rect());
    painter.end();
    m_paintedSigns = signs();
    reportFrames();
}

// Not for somebody who asks for a picture of the widget.
bool Canvas::isOnScreen() const {
    QPoint offset;
    QBackingStore* screen = backingStore();
    return screen && redirected(&offset) == screen->paintDevice();
}

void Canvas::paintSigns(QPainter& painter) const {
    const QRectF whole = QRectF(rect());
    const QString source = m_pair.firstCaption();
    const QString result = m_heldSource ? source : m_pair.secondCaption();
    const auto corner = Qt::AlignLeft | Qt::AlignTop;
    QRectF marked = whole;
    switch (m_mode) {
        case ViewMode::Source:
            return drawSign(painter, whole, corner, source);
        case ViewMode::Result:
            if (showsInput()) return drawSign(painter, whole, corner, handledStep()->caption);
            drawSign(painter, whole, corner, result);
            break;
        case ViewMode::Blink:
            drawSign(painter, whole, corner, m_blinkFirst ? source : result);
            break;
        case ViewMode::Difference:
            drawSign(painter, whole, corner, m_heldSource ? source : m_pair.differenceCaption());
            break;
        case ViewMode::SideBySide: {
            const double split = m_panes.all().back().left() / m_panes.dpr();
            QRectF left = whole;
            left.setRight(split);
            marked.setLeft(split);
            drawSign(painter, left, corner, source);
            drawSign(painter, marked, corner,
                     areApart() ? tr("%1 · moved apart, F links").arg(result) : result);
            break;
        }
        case ViewMode::Wipe: {
            const auto other =
                m_wipe.turned() ? Qt::AlignLeft | Qt::AlignBottom : Qt::AlignRight | Qt::AlignTop;
            QRectF first = whole, second = whole;
            if (!m_wipe.turned() && !m_heldSource) {
                // Half each, or what the other one leaves.
                const double half = whole.width() / 2;
                const double needed = signWidth(painter, source);
                const double beside = signWidth(painter, result);
                const double split = beside < half   ? whole.width() - beside
                                     : needed < half ? needed
                                                     : half;
                first.setRight(split);
                second.setLeft(beside < half ? half : split);
            }
            drawSign(painter, first, corner, source);
            if (!m_heldSource) drawSign(painter, second, other, result);
            break;
        }
    }
    if (m_heldSource || m_pair.given()) return;
    const auto& draft = m_pair.second().draft();
    // A cancelled run leaves an exact draft of a part over an older whole.
    if (draft && !draft->exact)
        drawSign(painter, marked, Qt::AlignRight | Qt::AlignBottom, tr("draft"), true);
    else if (m_stale && !m_staleTimer.isActive())
        drawSign(painter, marked, Qt::AlignRight | Qt::AlignBottom, tr("stale"), true);
}

QString Canvas::signs() const {
    const auto& draft = m_pair.second().draft();
    const bool drafted = draft && !draft->exact;
    return m_pair.firstCaption() + m_pair.secondCaption() + m_pair.differenceCaption() +
           noticeText() + QLatin1Char(drafted ? 'd' : ' ');
}

QString Canvas::hintText() const {
    if (m_strokeAwaited && m_drag == Drag::None && takesRegions())
        return tr("Drag draws the outline of the region; Esc leaves it.");
    return m_saidTimer.isActive() && m_drag == Drag::None ? m_said : QString();
}

QString Canvas::noticeText() const {
    if (!m_opening.isEmpty() && !m_openingTimer.isActive())
        return tr("Opening %1 …").arg(m_opening);
    if (!m_comparing.isEmpty()) return tr("Comparing %1 …").arg(m_comparing);
    if (m_heldSource) return {};
    if (m_mode == ViewMode::Wipe || m_mode == ViewMode::Blink) return m_pair.overlayObstacle();
    return m_mode == ViewMode::Difference ? m_pair.obstacleText() : QString();
}

}  // namespace warpscope::gui
