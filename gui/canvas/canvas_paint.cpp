// What the canvas draws around and over the two sides.
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "gui/app/theme.h"
#include "gui/canvas/canvas_state.h"

namespace warpscope::gui {
namespace {

constexpr double kCornerGap = 8.0;  // logical pixels, as all of these
constexpr double kLabelPadding = 6.0;
constexpr double kFocusWidth = 2.0;

// Makes one unit one device pixel and puts the origin on a whole one: with a fractional scale the
// widget may begin between two.
void useDevicePixels(QPainter& painter, double dpr) {
    const QTransform device = painter.deviceTransform();
    painter.scale(1.0 / dpr, 1.0 / dpr);
    painter.translate(std::round(device.dx()) - device.dx(), std::round(device.dy()) - device.dy());
}

QColor translucent(QColor color, int alpha) {
    color.setAlpha(alpha);
    return color;
}

}  // namespace

void Canvas::resizeEvent(QResizeEvent*) {
    m_state->layout();
    m_state->viewChanged();
}

void Canvas::paintEvent(QPaintEvent*) {
    State& s = *m_state;
    if (s.dpr != devicePixelRatioF()) {  // moved to another screen
        s.layout();
        s.viewChanged();
    }
    QPainter painter(this);
    const ThemeColors& colors = Theme::instance().colors();
    if (s.isEmpty()) {
        painter.fillRect(rect(), colors.canvas);
        return;
    }
    painter.save();
    useDevicePixels(painter, s.dpr);
    s.paintPanes(painter);
    s.paintPixelCursor(painter);
    painter.restore();
    painter.setRenderHint(QPainter::Antialiasing);
    if (s.mode == ViewMode::Wipe && !s.heldSource) s.paintWipe(painter);
    s.paintLabels(painter);
    s.paintFocus(painter);
    painter.end();
    if (s.newFrame && s.mode != ViewMode::Source && !s.heldSource) {
        s.newFrame = false;
        emit framePainted();
    }
}

FrameStyle Canvas::State::frameStyle() const {
    const Theme& theme = Theme::instance();
    return {theme.colors().canvas.rgb(), theme.colors().checkerLight.rgb(),
            theme.colors().checkerDark.rgb(), theme.figureFont(), dpr};
}

void Canvas::State::paintPanes(QPainter& painter) {
    const FrameStyle style = frameStyle();
    const std::vector<QRect> where = panes();
    // Until there is a result the source stands in for it, and the label says so.
    SideRenderer& second = heldSource || result.isNull() ? source : result;
    switch (heldSource && mode != ViewMode::SideBySide ? ViewMode::Source : mode) {
        case ViewMode::Source:
            painter.drawImage(where.front().topLeft(), source.frame(transform, style));
            break;
        case ViewMode::Result:
            painter.drawImage(where.front().topLeft(), second.frame(transform, style));
            break;
        case ViewMode::SideBySide: {
            const QRect gap(where[0].right() + 1, 0, where[1].left() - where[0].right() - 1,
                            where[0].height());
            painter.fillRect(gap, Theme::instance().colors().border);
            painter.drawImage(where[0].topLeft(), source.frame(transform, style));
            painter.drawImage(where[1].topLeft(), second.frame(transform, style));
            break;
        }
        case ViewMode::Wipe: {
            const QRect whole = where.front();
            QRect before = whole;
            QRect after = whole;
            if (wipeTurned) {
                before.setHeight(int(std::lround(whole.height() * wipeAt)));
                after.setTop(before.bottom() + 1);
            } else {
                before.setWidth(int(std::lround(whole.width() * wipeAt)));
                after.setLeft(before.right() + 1);
            }
            painter.drawImage(before.topLeft(), source.frame(transform, style), before);
            painter.drawImage(after.topLeft(), second.frame(transform, style), after);
            break;
        }
    }
}

void Canvas::State::paintLabels(QPainter& painter) const {
    const QRectF whole = q.rect();
    const QString sourceText = Canvas::tr("Source");
    const QString resultText =
        result.isNull() ? Canvas::tr("Source, no result yet") : Canvas::tr("Result");
    const auto shown = [&](const QString& text) { return heldSource ? sourceText : text; };
    const auto corner = Qt::AlignLeft | Qt::AlignTop;
    switch (mode) {
        case ViewMode::Source:
            paintLabel(painter, whole, corner, sourceText, false);
            return;
        case ViewMode::Result:
            paintLabel(painter, whole, corner, shown(resultText), false);
            paintMarks(painter, whole);
            return;
        case ViewMode::SideBySide: {
            const std::vector<QRect> where = panes();
            const double split = where[1].left() / dpr;
            const QRectF second(split, 0, whole.width() - split, whole.height());
            paintLabel(painter, whole, corner, sourceText, false);
            paintLabel(painter, second, corner, shown(resultText), false);
            paintMarks(painter, second);
            return;
        }
        case ViewMode::Wipe: {
            paintLabel(painter, whole, corner, sourceText, false);
            const auto other =
                wipeTurned ? Qt::AlignLeft | Qt::AlignBottom : Qt::AlignRight | Qt::AlignTop;
            if (!heldSource) paintLabel(painter, whole, other, resultText, false);
            paintMarks(painter, whole);
            return;
        }
    }
}

void Canvas::State::paintMarks(QPainter& painter, const QRectF& pane) const {
    if (heldSource) return;
    const auto corner = Qt::AlignRight | Qt::AlignBottom;
    if (result.draft()) {
        if (!result.draft()->exact) paintLabel(painter, pane, corner, Canvas::tr("draft"), true);
    } else if (stale && !staleTimer.isActive()) {
        paintLabel(painter, pane, corner, Canvas::tr("stale"), true);
    }
}

void Canvas::State::paintLabel(QPainter& painter, const QRectF& pane, Qt::Alignment corner,
                               const QString& text, bool strong) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QFontMetricsF metrics(q.font());
    QRectF box(0, 0, metrics.horizontalAdvance(text) + 2 * kLabelPadding,
               metrics.height() + kLabelPadding / 2);
    const QRectF inside = pane.adjusted(kCornerGap, kCornerGap, -kCornerGap, -kCornerGap);
    box.moveTopLeft(inside.topLeft());
    if ((corner & Qt::AlignRight) != 0) box.moveRight(inside.right());
    if ((corner & Qt::AlignBottom) != 0) box.moveBottom(inside.bottom());
    painter.setPen(strong ? QPen(colors.border, 1) : QPen(Qt::NoPen));
    painter.setBrush(translucent(colors.window, strong ? 235 : 190));
    painter.drawRoundedRect(box, 3, 3);
    painter.setFont(q.font());
    painter.setPen(strong ? colors.text : colors.weakText);
    painter.drawText(box, Qt::AlignCenter, text);
}

void Canvas::State::paintWipe(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF line = wipeLine();
    // Light in dark, so that it is seen on any picture.
    painter.setPen(QPen(translucent(Qt::black, 150), 3));
    painter.drawLine(line.topLeft(), line.bottomRight());
    painter.setPen(QPen(QColor(Qt::white), 1));
    painter.drawLine(line.topLeft(), line.bottomRight());

    painter.save();
    painter.translate(line.center());
    if (wipeTurned) painter.rotate(90);
    const double radius = wipeHandle().width() / 2 - 1;
    painter.setPen(QPen(translucent(Qt::black, 150), 1));
    painter.setBrush(colors.raised);
    painter.drawEllipse(QPointF(0, 0), radius, radius);
    QPainterPath arrows;
    for (const double side : {-1.0, 1.0}) {
        arrows.moveTo(side * radius * 0.28, -radius * 0.36);
        arrows.lineTo(side * radius * 0.64, 0);
        arrows.lineTo(side * radius * 0.28, radius * 0.36);
    }
    painter.setPen(QPen(colors.text, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(arrows);
    painter.restore();
}

void Canvas::State::paintPixelCursor(QPainter& painter) const {
    if (cursorPixel == kNoPixel || (!pixelCursor && mode != ViewMode::SideBySide)) return;
    const std::vector<QRect> where = panes();
    const QRect mousePane = paneAt(mousePosition);
    for (const QRect& pane : where) {
        // The mouse cursor itself shows the place in its own pane.
        if (!pixelCursor && pane == mousePane) continue;
        QRect box = transform.pixelRect(cursorPixel).translated(pane.topLeft());
        const int least = int(std::lround(7 * dpr));
        if (box.width() < least) {
            const QPoint center = box.center();
            box = QRect(0, 0, least, least);
            box.moveCenter(center);
        }
        painter.save();
        painter.setClipRect(pane);
        painter.setBrush(Qt::NoBrush);
        const int thick = std::max(1, int(std::lround(dpr)));
        for (int i = 0; i < thick; ++i) {
            painter.setPen(Qt::black);
            painter.drawRect(box.adjusted(-1 - i - thick, -1 - i - thick, i + thick, i + thick));
            painter.setPen(Qt::white);
            painter.drawRect(box.adjusted(-1 - i, -1 - i, i, i));
        }
        painter.restore();
    }
}

void Canvas::State::paintFocus(QPainter& painter) const {
    if (!q.hasFocus()) return;
    const double in = kFocusWidth / 2;
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(Theme::instance().colors().accent, kFocusWidth, Qt::SolidLine, Qt::FlatCap,
                        Qt::MiterJoin));
    painter.drawRect(QRectF(q.rect()).adjusted(in, in, -in, -in));
}

}  // namespace warpscope::gui
