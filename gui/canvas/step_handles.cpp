#include "gui/canvas/step_handles.h"

#include <QLineF>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "gui/canvas/canvas_marks.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr double kGripRadius = 6;  // logical pixels, as all of these
constexpr double kGripReach = 12;
constexpr double kShortestArm = 36;
constexpr double kLongestArm = 220;
constexpr double kArmShare = 0.32;  // of the pane's shorter side
constexpr double kGripMargin = 16;
constexpr int kDimmed = 150;
constexpr double kSnapDegrees = 15;

// What a map does to axes, without lengths and shifts: the quarter turn or mirror nearest to it.
PixelMap quarterOf(const PixelMap& map) {
    const auto sign = [](double v) { return v < 0 ? -1.0 : 1.0; };
    if (std::abs(map.xx) >= std::abs(map.xy)) return {sign(map.xx), 0, 0, 0, sign(map.yy), 0};
    return {0, sign(map.xy), 0, sign(map.yx), 0, 0};
}

// To tenths.
double wrapped(double degrees) {
    return std::round(std::remainder(degrees, 360.0) * 10) / 10;
}

double degreesOf(const QPointF& direction) {
    return std::atan2(direction.x(), -direction.y()) * 180 / std::numbers::pi;
}

QPointF directionOf(double degrees) {
    const double angle = degrees * std::numbers::pi / 180;
    return {std::sin(angle), -std::cos(angle)};
}

QCursor makeTurnCursor() {
    constexpr int kSide = 24;
    QPixmap picture(kSide, kSide);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath arrow;
    arrow.arcMoveTo(QRectF(5, 6, 14, 14), 20);
    arrow.arcTo(QRectF(5, 6, 14, 14), 20, 140);
    for (const double side : {-1.0, 1.0}) {
        const QPointF tip(12 + side * 7, 14);
        arrow.moveTo(tip + QPointF(-4, -4));
        arrow.lineTo(tip);
        arrow.lineTo(tip + QPointF(4, -4));
    }
    painter.setPen(QPen(Qt::white, 4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(arrow);
    painter.setPen(QPen(Qt::black, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(arrow);
    return QCursor(picture, kSide / 2, kSide / 2);
}

}  // namespace

void StepHandles::set(const std::optional<HandledStep>& step) {
    m_step = step;
    if (!step) {
        release();
        m_crop.setRegion(std::nullopt);
        return;
    }
    if (isCrop())
        m_crop.setRegion(step->window);
    else if (m_turnCursor.shape() != Qt::BitmapCursor)
        m_turnCursor = makeTurnCursor();
}

// As if the input were the source: what a region is to that, the crop is to this.
PaneView StepHandles::inputIn(const PaneView& view) const {
    return {view.transform(),
            after(view.place().sourceFromResult, inverse(m_step->sourceFromInput))};
}

const PixelMap& StepHandles::turn(const Pane& pane) const {
    return pane.ofResult ? m_step->resultFromOutput : m_step->sourceFromInput;
}

// From the middle, about which the image is turned, to where what was above it is now. Where the
// middle is not in sight the nearest place that shows all of the arm takes its place.
StepHandles::Arm StepHandles::arm(const Pane& pane) const {
    const QSizeF room = pane.view.transform().paneSize();
    const double length = std::clamp(kArmShare * std::min(room.width(), room.height()),
                                     kShortestArm * pane.dpr, kLongestArm * pane.dpr);
    const auto within = [&](double at, double most) {
        const double margin = std::min(most / 2, length + kGripMargin * pane.dpr);
        return std::clamp(at, margin, most - margin);
    };
    const QPointF own = pane.view.toPane(mapPoint(
        m_step->sourceFromInput, QPointF(m_step->input.width / 2.0, m_step->input.height / 2.0)));
    const bool held = m_before && pane.ofResult == m_heldOfResult;
    const QPointF middle =
        held ? m_middle : QPointF(within(own.x(), room.width()), within(own.y(), room.height()));
    const auto end = [&](double degrees) {
        const QLineF line({}, mapVector(turn(pane), directionOf(degrees)));
        return middle + line.p2() * (length / std::max(1e-9, line.length()));
    };
    return {middle, end(m_step->angle), end(0)};
}

bool StepHandles::isAt(const QPointF& inPane, const Pane& pane) const {
    if (!m_step) return false;
    if (isCrop())
        return m_crop.handleAt(inPane, inputIn(pane.view), pane.dpr) != RegionHandle::None;
    return QLineF(inPane, arm(pane).grip).length() <= kGripReach * pane.dpr;
}

QCursor StepHandles::cursorAt(const QPointF& inPane, const Pane& pane) const {
    if (!isCrop()) return m_turnCursor;
    const PaneView view = inputIn(pane.view);
    return cursorOf(m_before ? m_crop.grabbed() : m_crop.handleAt(inPane, view, pane.dpr),
                    view.imageFromSource());
}

// --- edits ---

bool StepHandles::take(const Rect& window) {
    if (window == m_step->window) return false;
    m_step->window = window;
    return true;
}

bool StepHandles::take(double angle) {
    angle += 0.0;  // no -0 on a label
    if (angle == m_step->angle) return false;
    m_step->angle = angle;
    return true;
}

void StepHandles::grab(const QPointF& inPane, const Pane& pane) {
    if (!m_step) return;
    if (isCrop()) {
        const PaneView view = inputIn(pane.view);
        m_crop.grab(m_crop.handleAt(inPane, view, pane.dpr),
                    ViewTransform::nearestPixel(view.toSource(inPane), m_step->input));
    } else {
        m_middle = arm(pane).middle;
        m_heldOfResult = pane.ofResult;
        m_offset = m_step->angle - degreesOf(mapVector(inverse(turn(pane)), inPane - m_middle));
    }
    m_before = m_step;
}

bool StepHandles::dragTo(const QPointF& inPane, const Pane& pane, bool snap) {
    if (!m_step || !m_before) return false;
    if (isCrop()) {
        const QPointF place = inputIn(pane.view).toSource(inPane);
        m_crop.dragTo(ViewTransform::nearestPixel(place, m_step->input), m_step->input);
        return take(m_crop.region().value_or(m_step->window));
    }
    const QPointF away = mapVector(inverse(turn(pane)), inPane - m_middle);
    if (away.manhattanLength() < 1) return false;
    const double wanted = degreesOf(away) + m_offset;
    return take(wrapped(snap ? std::round(wanted / kSnapDegrees) * kSnapDegrees : wanted));
}

bool StepHandles::restore() {
    if (!m_step || !m_before) return false;
    const HandledStep before = *m_before;
    m_crop.setRegion(before.window);
    return isCrop() ? take(before.window) : take(before.angle);
}

void StepHandles::release() {
    m_before.reset();
}

bool StepHandles::press(const QPoint& arrow, bool second, const Pane& pane) {
    if (!m_step) return false;
    if (!isCrop()) {
        const double by = arrow.x() - arrow.y();
        return take(wrapped(m_step->angle + (second ? by / 10 : by)));
    }
    const PixelMap shown = inputIn(pane.view).imageFromSource();
    if (second)
        m_crop.resizeBy(arrow, m_step->input, quarterOf(shown));
    else
        m_crop.moveBy(stepIn(inverse(shown), arrow), m_step->input);
    return take(m_crop.region().value_or(m_step->window));
}

QPoint StepHandles::cornerTowards(const QPoint& direction, const PaneView& view) const {
    return m_crop.cornerTowards(direction, inputIn(view).imageFromSource());
}

// --- what is drawn ---

void StepHandles::draw(QPainter& painter, const Pane& pane) const {
    if (!m_step) return;
    painter.save();
    if (isCrop())
        drawCrop(painter, pane);
    else
        drawArm(painter, pane);
    painter.restore();
}

void StepHandles::drawCrop(QPainter& painter, const Pane& pane) const {
    const PaneView view = inputIn(pane.view);
    QPainterPath outside, kept;
    outside.addRect(pane.view.transform().imageRect());
    kept.addPolygon(m_crop.corners(view));
    kept.closeSubpath();
    painter.fillPath(outside.subtracted(kept), QColor(0, 0, 0, kDimmed));
    drawRegion(painter, m_crop, view, pane.dpr);
}

void StepHandles::drawArm(QPainter& painter, const Pane& pane) const {
    const double dpr = pane.dpr;
    const Arm at = arm(pane);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    // Dark around light, so that it is seen on any picture.
    const auto line = [&](const QPointF& to, Qt::PenStyle style) {
        painter.setPen(QPen(QColor(0, 0, 0, 190), 3 * dpr));
        painter.drawLine(at.middle, to);
        painter.setPen(QPen(QColor(Qt::white), dpr, style));
        painter.drawLine(at.middle, to);
    };
    if (m_step->angle != 0) line(at.zero, Qt::DashLine);
    line(at.grip, Qt::SolidLine);
    painter.setPen(QPen(QColor(Qt::black), dpr));
    painter.setBrush(QColor(Qt::white));
    painter.drawEllipse(at.middle, 3 * dpr, 3 * dpr);
    painter.drawEllipse(at.grip, kGripRadius * dpr, kGripRadius * dpr);

    const ThemeColors& colors = Theme::instance().colors();
    QFont font = Theme::instance().figureFont();
    font.setPixelSize(int(std::lround(QFontInfo(font).pixelSize() * dpr)));
    painter.setFont(font);
    const QString text = QStringLiteral("%1°").arg(m_step->angle);
    QRectF box =
        QFontMetricsF(font).boundingRect(text).adjusted(-5 * dpr, -2 * dpr, 5 * dpr, 2 * dpr);
    const QSizeF room = pane.view.transform().paneSize();
    const double away = (kGripRadius + 6) * dpr;
    box.moveTopLeft({at.grip.x() + away, at.grip.y() - box.height() / 2});
    if (box.right() > room.width()) box.moveRight(at.grip.x() - away);
    QColor ground = colors.window;
    ground.setAlpha(225);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(box, 3 * dpr, 3 * dpr);
    painter.setPen(colors.text);
    painter.drawText(box, Qt::AlignCenter, text);
}

}  // namespace warpscope::gui
