#include "gui/canvas/canvas_marks.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr double kFocusWidth = 2.0;  // logical pixels, as all of these
constexpr double kHandleSide = 7.0;
constexpr double kPinArm = 6.0;
// Tried for the badge of a pin: circles around its cross, and places on each.
constexpr int kPinRings = 16;
constexpr int kPinTurns = 16;
constexpr double kNoticePadding = 12.0;
constexpr double kCornerGap = 8.0;
constexpr double kSignPadding = 6.0;
// Below this zoom a pixel that differs is smaller than its mark.
constexpr double kMarkBelow = 4.0;

const ThemeColors& colors() {
    return Theme::instance().colors();
}

QColor translucent(QColor color, int alpha) {
    color.setAlpha(alpha);
    return color;
}

double hairline(double dpr) {
    return std::max(1.0, std::round(dpr));
}

// Seen on any picture: dark around light.
void drawTwice(QPainter& painter, double width, const auto& draw) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(
        QPen(translucent(Qt::black, 190), 3 * width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    draw();
    painter.setPen(QPen(QColor(Qt::white), width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    draw();
}

QRectF around(const QPointF& middle, double side) {
    return {middle.x() - side / 2, middle.y() - side / 2, side, side};
}

void drawHandles(QPainter& painter, const RegionEditor& region, const PaneView& view, double dpr) {
    painter.setPen(QPen(QColor(Qt::black), hairline(dpr)));
    painter.setBrush(QColor(Qt::white));
    for (const QPointF& handle : region.handles(view, dpr))
        painter.drawRect(around(handle, std::round(kHandleSide * dpr)));
}

// Where it is exactly: a pixel counts whose middle lies inside.
void drawShape(QPainter& painter, const RegionEditor& region, const PaneView& view, double dpr) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(translucent(Qt::white, 110), hairline(dpr), Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolygon(region.corners(view));
    const QPainterPath path = region.path(view);
    drawTwice(painter, hairline(dpr), [&] { painter.drawPath(path); });
    painter.restore();
    drawHandles(painter, region, view, dpr);
}

}  // namespace

void drawRegion(QPainter& painter, const RegionEditor& region, const PaneView& view, double dpr) {
    const QRectF box = region.outline(view);
    if (box.isEmpty()) return;
    const double thick = hairline(dpr);
    const PixelMap& map = view.place().sourceFromResult;
    const bool upright = (map.xy == 0 && map.yx == 0) || (map.xx == 0 && map.yy == 0);
    if (!region.shape()->isRectangle()) return drawShape(painter, region, view, dpr);
    drawTwice(painter, thick, [&] {
        if (upright)
            painter.drawRect(box.adjusted(-thick / 2, -thick / 2, thick / 2, thick / 2));
        else
            painter.drawPolygon(region.corners(view));
    });
    drawHandles(painter, region, view, dpr);
}

void drawOutlines(QPainter& painter, const std::vector<QPolygonF>& outlines, const PaneView& view,
                  double dpr) {
    const QRectF pane(QPointF(), view.transform().paneSize());
    const double thick = hairline(dpr);
    painter.setBrush(Qt::NoBrush);
    for (const QPolygonF& outline : outlines) {
        QPolygonF seen;
        for (const QPointF& corner : outline) seen << view.toPane(corner);
        QRectF box = seen.boundingRect();
        if (!box.adjusted(-thick, -thick, thick, thick).intersects(pane)) continue;
        // One that stands upright goes around its pixels and covers none of them.
        const bool upright = std::ranges::all_of(seen, [&](const QPointF& corner) {
            return (corner.x() == box.left() || corner.x() == box.right()) &&
                   (corner.y() == box.top() || corner.y() == box.bottom());
        });
        const double beside = 1.5 * thick;
        if (upright) seen = QPolygonF(box.adjusted(-beside, -beside, beside, beside));
        for (const auto& [color, width] :
             {std::pair(translucent(Qt::black, 190), 3 * thick), {colors().accent, thick}}) {
            painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
            painter.drawPolygon(seen);
        }
    }
}

void drawProfileLine(QPainter& painter, const QLineF& line, const PaneView& view, double dpr) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QLineF onPane(view.toPane(line.p1()), view.toPane(line.p2()));
    drawTwice(painter, hairline(dpr), [&] { painter.drawLine(onPane); });
    painter.setPen(QPen(QColor(Qt::black), hairline(dpr)));
    painter.setBrush(QColor(Qt::white));
    // The beginning is round, the end is square: the chart runs from one to the other.
    painter.drawEllipse(around(onPane.p1(), kHandleSide * dpr));
    painter.drawRect(around(onPane.p2(), kHandleSide * dpr));
    painter.restore();
}

void drawPixelFrame(QPainter& painter, const QPoint& pixel, const ViewTransform& transform,
                    double dpr) {
    QRect box = transform.pixelRect(pixel);
    const int least = int(std::lround(7 * dpr));
    if (box.width() < least) {
        const QPoint center = box.center();
        box = QRect(0, 0, least, least);
        box.moveCenter(center);
    }
    painter.setBrush(Qt::NoBrush);
    const int thick = std::max(1, int(std::lround(dpr)));
    for (int i = 0; i < thick; ++i) {
        painter.setPen(Qt::black);
        painter.drawRect(box.adjusted(-1 - i - thick, -1 - i - thick, i + thick, i + thick));
        painter.setPen(Qt::white);
        painter.drawRect(box.adjusted(-1 - i, -1 - i, i, i));
    }
}

std::vector<QRectF> pinBadges(const std::vector<QPointF>& crosses, double side, double arm,
                              const QSizeF& pane) {
    const QRectF inside(QPointF(0, 0), pane);
    std::vector<QRectF> taken;
    for (const QPointF& cross : crosses) taken.push_back(around(cross, 2 * arm));
    std::vector<QRectF> badges;
    for (std::size_t i = 0; i < crosses.size(); ++i) {
        const auto isFree = [&](const QRectF& badge) {
            if (!inside.contains(badge)) return false;
            for (std::size_t k = 0; k < taken.size(); ++k)
                // It may stand between the arms of its own cross.
                if (k != i && taken[k].intersects(badge)) return false;
            return true;
        };
        // Inside the pane, also where the pixel lies at its edge.
        const double near = arm / 2 + side / 2;
        const QPointF first(crosses[i].x() + near + side / 2 > pane.width() ? -near : near,
                            crosses[i].y() - near - side / 2 < 0 ? near : -near);
        QRectF badge = around(crosses[i] + first, side);
        bool found = isFree(badge);
        for (int ring = 0; ring < kPinRings && !found; ++ring) {
            const double away = near * std::numbers::sqrt2 + ring * side / 2;
            for (int turn = 0; turn < kPinTurns && !found; ++turn) {
                // From above right, to both sides by turns.
                const double angle = std::numbers::pi / 4 + (turn % 2 ? 1 : -1) * ((turn + 1) / 2) *
                                                                2 * std::numbers::pi / kPinTurns;
                const QRectF other =
                    around(crosses[i] + away * QPointF(std::cos(angle), -std::sin(angle)), side);
                found = isFree(other);
                if (found) badge = other;
            }
        }
        badges.push_back(badge);
        taken.push_back(badge);
    }
    return badges;
}

void drawPins(QPainter& painter, const std::vector<PinMark>& pins, const PaneView& view,
              double dpr) {
    painter.save();
    const double arm = kPinArm * dpr;
    std::vector<QPointF> crosses;
    for (const PinMark& pin : pins) {
        const QPointF at = view.toPane(QPointF(pin.pixel) + QPointF(0.5, 0.5));
        // On the middle of device pixels, so that the lines stay sharp.
        crosses.emplace_back(std::floor(at.x()) + 0.5, std::floor(at.y()) + 0.5);
    }
    QFont font = Theme::instance().figureFont();
    font.setBold(true);
    const int height = int(std::lround(QFontInfo(font).pixelSize() * dpr));
    font.setPixelSize(height);
    const double side = std::ceil(1.5 * height);
    const std::vector<QRectF> badges = pinBadges(crosses, side, arm, view.transform().paneSize());
    for (std::size_t i = 0; i < pins.size(); ++i) {
        const QPointF& middle = crosses[i];
        const QLineF way(middle, badges[i].center());
        drawTwice(painter, hairline(dpr), [&] {
            painter.drawLine(middle - QPointF(arm, 0), middle + QPointF(arm, 0));
            painter.drawLine(middle - QPointF(0, arm), middle + QPointF(0, arm));
            if (way.length() > side + arm) painter.drawLine(way);
        });
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font);
    for (std::size_t i = 0; i < pins.size(); ++i) {
        painter.setPen(QPen(QColor(Qt::black), 1.5 * dpr));
        painter.setBrush(pins[i].chosen ? colors().accent : QColor(Qt::white));
        painter.drawEllipse(badges[i]);
        painter.setPen(Qt::black);
        painter.drawText(badges[i], Qt::AlignCenter, QString::number(pins[i].number));
    }
    painter.restore();
}

void drawDiffering(QPainter& painter, const std::vector<QPoint>& pixels,
                   const ViewTransform& transform, double dpr) {
    if (transform.zoom() >= kMarkBelow) return;
    const Rect seen = transform.visible();
    const int side = int(std::lround(kHandleSide * dpr));
    painter.setPen(QPen(colors().error, hairline(dpr)));
    painter.setBrush(Qt::NoBrush);
    for (const QPoint& pixel : pixels) {
        if (intersect(seen, Rect{pixel.x(), pixel.y(), 1, 1}).empty()) continue;
        const QPointF at = transform.toPane(QPointF(pixel) + QPointF(0.5, 0.5));
        painter.drawRect(
            QRectF(std::floor(at.x()) - side / 2, std::floor(at.y()) - side / 2, side, side));
    }
}

void drawWipe(QPainter& painter, const WipeLine& wipe, const QSizeF& widget) {
    painter.save();
    const QLineF line = wipe.line(widget);
    // Light in dark, so that it is seen on any picture.
    painter.setPen(QPen(translucent(Qt::black, 150), 3));
    painter.drawLine(line);
    painter.setPen(QPen(QColor(Qt::white), 1));
    painter.drawLine(line);

    painter.translate(wipe.handle(widget).center());
    if (wipe.turned()) painter.rotate(90);
    const double radius = wipe.handle(widget).width() / 2 - 1;
    painter.setPen(QPen(translucent(Qt::black, 150), 1));
    painter.setBrush(colors().raised);
    painter.drawEllipse(QPointF(0, 0), radius, radius);
    QPainterPath arrows;
    for (const double side : {-1.0, 1.0}) {
        arrows.moveTo(side * radius * 0.28, -radius * 0.36);
        arrows.lineTo(side * radius * 0.64, 0);
        arrows.lineTo(side * radius * 0.28, radius * 0.36);
    }
    painter.setPen(QPen(colors().text, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(arrows);
    painter.restore();
}

double signWidth(const QPainter& painter, const QString& text) {
    return std::ceil(QFontMetricsF(painter.font()).horizontalAdvance(text)) +
           2 * (kSignPadding + kCornerGap) + 2;
}

void drawSign(QPainter& painter, const QRectF& pane, Qt::Alignment corner, const QString& whole,
              bool strong) {
    const QFontMetricsF metrics(painter.font());
    const QRectF inside = pane.adjusted(kCornerGap, kCornerGap, -kCornerGap, -kCornerGap);
    const QRectF room(0, 0, std::max(40.0, inside.width() - 2 * kSignPadding), 1e4);
    // A name of a file may be one word that is wider than the pane.
    QStringList words = whole.split(QLatin1Char(' '));
    for (QString& word : words) word = metrics.elidedText(word, Qt::ElideMiddle, room.width());
    const QString text = words.join(QLatin1Char(' '));
    const QRectF needed = metrics.boundingRect(room, Qt::TextWordWrap, text);
    QRectF box(0, 0, std::ceil(needed.width()) + 2 * kSignPadding + 1,
               needed.height() + kSignPadding / 2);
    box.moveTopLeft(inside.topLeft());
    if ((corner & Qt::AlignRight) != 0) box.moveRight(inside.right());
    if ((corner & Qt::AlignBottom) != 0) box.moveBottom(inside.bottom());
    painter.setPen(strong ? QPen(colors().border, 1) : QPen(Qt::NoPen));
    painter.setBrush(translucent(colors().window, strong ? 235 : 190));
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(strong ? colors().text : colors().weakText);
    painter.drawText(box.adjusted(kSignPadding, 0, -kSignPadding + 1, 0),
                     Qt::AlignVCenter | Qt::TextWordWrap, text);
}

void drawNotice(QPainter& painter, const QRectF& widget, const QString& text) {
    const QRectF room(0, 0, std::max(80.0, widget.width() - 4 * kNoticePadding), 1e4);
    QRectF box =
        QFontMetricsF(painter.font())
            .boundingRect(room, Qt::AlignCenter | Qt::TextWordWrap, text)
            .adjusted(-kNoticePadding, -kNoticePadding / 2, kNoticePadding, kNoticePadding / 2);
    box.moveCenter(widget.center());
    painter.setPen(QPen(colors().border, 1));
    painter.setBrush(colors().raised);
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(colors().text);
    painter.drawText(box, Qt::AlignCenter | Qt::TextWordWrap, text);
}

void drawFocus(QPainter& painter, const QRectF& widget) {
    const double in = kFocusWidth / 2;
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(colors().accent, kFocusWidth, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.drawRect(widget.adjusted(in, in, -in, -in));
}

}  // namespace warpscope::gui
