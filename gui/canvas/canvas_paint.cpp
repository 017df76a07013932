// What the canvas draws around and over the two sides.
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "gui/canvas/canvas_state.h"
#include "gui/canvas/display_settings.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr double kCornerGap = 8.0;  // logical pixels, as all of these
constexpr double kLabelPadding = 6.0;

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
    s.paintDiffering(painter);
    s.paintRegion(painter);
    s.paintLine(painter);
    s.paintPixelCursor(painter);
    painter.restore();
    painter.setRenderHint(QPainter::Antialiasing);
    if (s.mode == ViewMode::Wipe && !s.heldSource) s.paintWipe(painter);
    s.paintLabels(painter);
    s.paintNotice(painter);
    s.paintFocus(painter);
    painter.end();
    if (!s.newFrame) return;
    s.newFrame = false;
    if (s.showsResult())
        emit framePainted();
    else
        emit frameMissed();
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
    SideRenderer& before = first();
    SideRenderer& after = heldSource || second().isNull() ? before : second();
    const auto drawWhole = [&](SideRenderer& side) {
        painter.drawImage(where.front().topLeft(), side.frame(transform, style));
    };
    switch (heldSource && mode != ViewMode::SideBySide ? ViewMode::Source : mode) {
        case ViewMode::Source:
            drawWhole(before);
            break;
        case ViewMode::Result:
            drawWhole(after);
            break;
        case ViewMode::Blink:
            drawWhole(blinkFirst ? before : after);
            break;
        case ViewMode::Difference:
            drawWhole(difference);  // an empty frame where there is none; paintNotice says why
            break;
        case ViewMode::SideBySide: {
            const QRect gap(where[0].right() + 1, 0, where[1].left() - where[0].right() - 1,
                            where[0].height());
            painter.fillRect(gap, Theme::instance().colors().border);
            painter.drawImage(where[0].topLeft(), before.frame(transform, style));
            painter.drawImage(where[1].topLeft(), after.frame(transform, style));
            break;
        }
        case ViewMode::Wipe: {
            const QRect whole = where.front();
            QRect near = whole;
            QRect far = whole;
            if (wipeTurned) {
                near.setHeight(int(std::lround(whole.height() * wipeAt)));
                far.setTop(near.bottom() + 1);
            } else {
                near.setWidth(int(std::lround(whole.width() * wipeAt)));
                far.setLeft(near.right() + 1);
            }
            painter.drawImage(near.topLeft(), before.frame(transform, style), near);
            painter.drawImage(far.topLeft(), after.frame(transform, style), far);
            break;
        }
    }
}

// What one side shows, and over which range where that was chosen.
QString Canvas::State::sideLabel(const SideRenderer& side, const QString& name) const {
    if (!display || !side.pyramid() || side.pyramid()->levels.empty()) return name;
    const QString range = display->describe(side.pyramid()->levels.front());
    return range.isEmpty() ? name : name + QStringLiteral(" · ") + range;
}

void Canvas::State::paintLabels(QPainter& painter) const {
    const QRectF whole = QRectF(q.rect()).adjusted(0, coveredTop, 0, 0);
    const QString sourceText = sideLabel(first(), firstLabel());
    const QString resultText = second().isNull() ? Canvas::tr("Source, no result yet")
                                                 : sideLabel(second(), secondLabel());
    const auto shown = [&](const QString& text) { return heldSource ? sourceText : text; };
    const auto corner = Qt::AlignLeft | Qt::AlignTop;
    switch (mode) {
        case ViewMode::Source:
            paintLabel(painter, whole, corner, sourceText, false);
            return;
        case ViewMode::Result:
            paintLabel(painter, whole, corner, shown(resultText), false);
            break;
        case ViewMode::Blink:
            paintLabel(painter, whole, corner, blinkFirst ? sourceText : shown(resultText), false);
            break;
        case ViewMode::Difference:
            paintLabel(painter, whole, corner, shown(differenceLabel()), false);
            break;
        case ViewMode::SideBySide: {
            const std::vector<QRect> where = panes();
            const double split = where[1].left() / dpr;
            QRectF left = whole;
            left.setRight(split);
            const QRectF right(split, whole.top(), whole.width() - split, whole.height());
            paintLabel(painter, left, corner, sourceText, false);
            paintLabel(painter, right, corner, shown(resultText), false);
            paintMarks(painter, right);
            return;
        }
        case ViewMode::Wipe: {
            const auto other =
                wipeTurned ? Qt::AlignLeft | Qt::AlignBottom : Qt::AlignRight | Qt::AlignTop;
            QRectF half = whole;
            if (!wipeTurned && !heldSource) half.setWidth(whole.width() / 2);
            paintLabel(painter, half, corner, sourceText, false);
            half.moveRight(whole.right());
            if (!heldSource) paintLabel(painter, half, other, resultText, false);
            break;
        }
    }
    paintMarks(painter, whole);
}

void Canvas::State::paintMarks(QPainter& painter, const QRectF& pane) const {
    if (heldSource || comparison) return;
    const auto corner = Qt::AlignRight | Qt::AlignBottom;
    // A cancelled run leaves an exact draft of a part over an older whole.
    if (result.draft() && !result.draft()->exact) {
        paintLabel(painter, pane, corner, Canvas::tr("draft"), true);
    } else if (stale && !staleTimer.isActive()) {
        paintLabel(painter, pane, corner, Canvas::tr("stale"), true);
    }
}

void Canvas::State::paintLabel(QPainter& painter, const QRectF& pane, Qt::Alignment corner,
                               const QString& text, bool strong) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QFontMetricsF metrics(q.font());
    const QRectF inside = pane.adjusted(kCornerGap, kCornerGap, -kCornerGap, -kCornerGap);
    // Long ones take more lines: nothing is cut off.
    const QRectF room(0, 0, std::max(40.0, inside.width() - 2 * kLabelPadding), 1e4);
    const QRectF needed = metrics.boundingRect(room, Qt::TextWordWrap, text);
    QRectF box(0, 0, std::ceil(needed.width()) + 2 * kLabelPadding + 1,
               needed.height() + kLabelPadding / 2);
    box.moveTopLeft(inside.topLeft());
    if ((corner & Qt::AlignRight) != 0) box.moveRight(inside.right());
    if ((corner & Qt::AlignBottom) != 0) box.moveBottom(inside.bottom());
    painter.setPen(strong ? QPen(colors.border, 1) : QPen(Qt::NoPen));
    painter.setBrush(translucent(colors.window, strong ? 235 : 190));
    painter.drawRoundedRect(box, 3, 3);
    painter.setFont(q.font());
    painter.setPen(strong ? colors.text : colors.weakText);
    painter.drawText(box.adjusted(kLabelPadding, 0, -kLabelPadding + 1, 0),
                     Qt::AlignVCenter | Qt::TextWordWrap, text);
}

void Canvas::State::paintWipe(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF wipe = wipeLine();
    // Light in dark, so that it is seen on any picture.
    painter.setPen(QPen(translucent(Qt::black, 150), 3));
    painter.drawLine(wipe.topLeft(), wipe.bottomRight());
    painter.setPen(QPen(QColor(Qt::white), 1));
    painter.drawLine(wipe.topLeft(), wipe.bottomRight());

    painter.save();
    painter.translate(wipe.center());
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

}  // namespace warpscope::gui
