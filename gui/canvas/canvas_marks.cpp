// Marks on the picture: pixel cursor, region, line, differing pixels, focus, and words in its
// middle.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/canvas/canvas_state.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr double kFocusWidth = 2.0;  // logical pixels, as all of these
constexpr double kHandleSide = 7.0;
constexpr double kNoticePadding = 12.0;
// Below this zoom a pixel that differs is smaller than its mark.
constexpr double kMarkBelow = 4.0;

// Seen on any picture: dark around light.
void drawTwice(QPainter& painter, double width, Qt::PenStyle style, const auto& draw) {
    QColor dark(Qt::black);
    dark.setAlpha(190);
    painter.setPen(QPen(dark, 3 * width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    draw();
    painter.setPen(QPen(QColor(Qt::white), width, style, Qt::FlatCap, Qt::MiterJoin));
    draw();
}

}  // namespace

// In every pane, clipped to it; device pixels.
void Canvas::State::paintRegion(QPainter& painter) const {
    const QRectF box = regionOnPane();
    if (box.isEmpty()) return;
    const double thick = std::max(1.0, std::round(dpr));
    const std::vector<QPointF> handles = handlePoints();
    for (const QRect& pane : panes()) {
        painter.save();
        painter.setClipRect(pane);
        painter.translate(pane.topLeft());
        painter.setBrush(Qt::NoBrush);
        const QRectF edge = box.adjusted(-thick / 2, -thick / 2, thick / 2, thick / 2);
        drawTwice(painter, thick, Qt::SolidLine, [&] { painter.drawRect(edge); });
        const double side = std::round(kHandleSide * dpr);
        painter.setPen(QPen(QColor(Qt::black), thick));
        painter.setBrush(QColor(Qt::white));
        for (const QPointF& handle : handles)
            painter.drawRect(QRectF(handle.x() - side / 2, handle.y() - side / 2, side, side));
        painter.restore();
    }
}

void Canvas::State::paintLine(QPainter& painter) const {
    if (!line) return;
    const double thick = std::max(1.0, std::round(dpr));
    for (const QRect& pane : panes()) {
        painter.save();
        painter.setClipRect(pane);
        painter.translate(pane.topLeft());
        painter.setRenderHint(QPainter::Antialiasing);
        const QLineF onPane(transform.toPane(line->p1()), transform.toPane(line->p2()));
        drawTwice(painter, thick, Qt::SolidLine, [&] { painter.drawLine(onPane); });
        painter.setPen(QPen(QColor(Qt::black), thick));
        painter.setBrush(QColor(Qt::white));
        // The beginning is round, the end is square: the chart runs from one to the other.
        const double half = kHandleSide * dpr / 2;
        painter.drawEllipse(onPane.p1(), half, half);
        painter.drawRect(QRectF(onPane.p2() - QPointF(half, half), QSizeF(2 * half, 2 * half)));
        painter.restore();
    }
}

// One pixel of a hundred million is lost on the screen: a frame around each shows where to look.
void Canvas::State::paintDiffering(QPainter& painter) const {
    if (!comparison || mode != ViewMode::Difference || heldSource || transform.zoom() >= kMarkBelow)
        return;
    const Rect seen = transform.visible();
    const int side = int(std::lround(kHandleSide * dpr));
    painter.setPen(QPen(Theme::instance().colors().error, std::max(1.0, std::round(dpr))));
    painter.setBrush(Qt::NoBrush);
    for (const QPoint& pixel : comparison->differing) {
        if (intersect(seen, Rect{pixel.x(), pixel.y(), 1, 1}).empty()) continue;
        const QPointF at = transform.toPane(QPointF(pixel) + QPointF(0.5, 0.5));
        painter.drawRect(
            QRectF(std::floor(at.x()) - side / 2, std::floor(at.y()) - side / 2, side, side));
    }
}

void Canvas::State::paintNotice(QPainter& painter) const {
    QString text;
    if (!opening.isEmpty() && !openingTimer.isActive())
        text = Canvas::tr("Opening %1 …").arg(opening);
    else if (!comparing.isEmpty())
        text = Canvas::tr("Comparing %1 …").arg(comparing);
    else if (mode == ViewMode::Difference && !heldSource && obstacle != DifferenceObstacle::None &&
             !difference.draft())
        text = obstacleText();
    if (text.isEmpty()) return;
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF whole(q.rect());
    const QFontMetricsF metrics(q.font());
    const QRectF room(0, 0, std::max(80.0, whole.width() - 4 * kNoticePadding), 1e4);
    QRectF box =
        metrics.boundingRect(room, Qt::AlignCenter | Qt::TextWordWrap, text)
            .adjusted(-kNoticePadding, -kNoticePadding / 2, kNoticePadding, kNoticePadding / 2);
    box.moveCenter(whole.center());
    painter.setFont(q.font());
    painter.setPen(QPen(colors.border, 1));
    painter.setBrush(colors.raised);
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(colors.text);
    painter.drawText(box, Qt::AlignCenter | Qt::TextWordWrap, text);
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
