#include "gui/steps/curve_plot.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/widgets/point_list.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {

constexpr double kInset = 8;
constexpr double kReach = 9;     // of a point, for the mouse
constexpr double kOutside = 24;  // this far out of the plot a dragged point is gone
constexpr int kLeast = 120, kMost = 280;
constexpr int kBurstMs = 500;

}  // namespace

CurvePlot::CurvePlot(const ParamSpec& spec, Curve curve, QWidget* parent)
    : ListEditor(parent), m_spec(pointEditing(spec)), m_curve(std::move(curve)) {
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setToolTip(
        tr("Click: a new point. Drag: move it. Drag it out, Delete or right click: remove "
           "it.\nTab: next point. Arrow keys: move it, with Shift ten steps. Insert: a new "
           "one."));
    m_burstEnd.setSingleShot(true);
    m_burstEnd.setInterval(kBurstMs);
    connect(&m_burstEnd, &QTimer::timeout, this, &CurvePlot::end);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize CurvePlot::sizeHint() const {
    return {220, 220};
}

QSize CurvePlot::minimumSizeHint() const {
    return {kLeast, kLeast};
}

int CurvePlot::heightForWidth(int width) const {
    return std::clamp(width, kLeast, kMost);
}

QRectF CurvePlot::ground() const {
    const double side = std::min(width(), height()) - 2 * kInset;
    return {(width() - side) / 2, (height() - side) / 2, side, side};
}

QPointF CurvePlot::positionOf(const CurvePoint& point) const {
    const QRectF place = ground();
    const double span = m_spec.hardMax - m_spec.hardMin;
    return {place.left() + place.width() * (point.x - m_spec.hardMin) / span,
            place.bottom() - place.height() * (point.y - m_spec.hardMin) / span};
}

CurvePoint CurvePlot::pointAt(const QPointF& position) const {
    const QRectF place = ground();
    const double span = m_spec.hardMax - m_spec.hardMin;
    const auto value = [&](double part) {
        const double steps = std::round(part * span / m_spec.step);
        return std::clamp(m_spec.hardMin + steps * m_spec.step, m_spec.hardMin, m_spec.hardMax);
    };
    return {value((position.x() - place.left()) / place.width()),
            value((place.bottom() - position.y()) / place.height())};
}

int CurvePlot::pointNear(const QPointF& position) const {
    int best = -1;
    double nearest = kReach;
    for (int i = 0; i < int(m_points.size()); ++i) {
        const QPointF apart = positionOf(m_points[std::size_t(i)]) - position;
        const double distance = std::hypot(apart.x(), apart.y());
        if (distance > nearest) continue;
        nearest = distance;
        best = i;
    }
    return best;
}

void CurvePlot::setValue(const ParamValue& value) {
    const auto* points = std::get_if<PointList>(&value);
    if (!points) return;
    if (*points != m_points) {
        // Not what this plot has just made of it: undone, typed, another step.
        if (m_gesture == Gesture::Drag) m_held = -1;
        m_points = *points;
        m_selected = std::min(m_selected, int(m_points.size()) - 1);
    }
    // Also for the same points: other parameters may bend the curve.
    m_drawn = m_curve ? m_curve(m_points) : std::vector<double>();
    update();
}

void CurvePlot::begin(Gesture gesture) {
    if (m_gesture == gesture) return;
    end();
    m_gesture = gesture;
    emit gestureStarted();
}

void CurvePlot::end() {
    m_burstEnd.stop();
    m_held = -1;
    if (m_gesture == Gesture::None) return;
    m_gesture = Gesture::None;
    update();
    emit gestureEnded();
}

void CurvePlot::select(int index) {
    m_selected = index;
    if (index >= 0 && index < int(m_points.size())) {
        const CurvePoint& point = m_points[std::size_t(index)];
        setAccessibleDescription(tr("Point %1 of %2: %3 becomes %4")
                                     .arg(index + 1)
                                     .arg(m_points.size())
                                     .arg(point.x)
                                     .arg(point.y));
    }
    update();
}

void CurvePlot::change(PointList points, int selected) {
    const bool same = points == m_points;
    m_points = std::move(points);
    select(selected);
    if (same) return;
    m_drawn = m_curve ? m_curve(m_points) : std::vector<double>();
    emit changed(m_points);
}

void CurvePlot::add(CurvePoint point) {
    PointList points = m_points;
    if (const int index = addPoint(points, point, m_spec); index >= 0) change(points, index);
}

void CurvePlot::remove(int index) {
    PointList points = m_points;
    if (removePoint(points, index, m_spec)) change(points, std::min(index, int(points.size()) - 1));
}

void CurvePlot::mousePressEvent(QMouseEvent* event) {
    const int near = pointNear(event->position());
    if (event->button() == Qt::RightButton) {
        end();
        remove(near);
        return;
    }
    if (event->button() != Qt::LeftButton) return event->ignore();
    begin(Gesture::Drag);
    m_beforeDrag = m_points;
    if (near >= 0) {
        select(near);
    } else if (ground().adjusted(-kInset, -kInset, kInset, kInset).contains(event->position())) {
        const std::size_t before = m_points.size();
        add(pointAt(event->position()));
        if (m_points.size() == before) return;
    } else {
        return;
    }
    m_dragged = m_points;
    m_held = m_selected;
    m_grabOffset =
        near < 0 ? QPointF() : event->position() - positionOf(m_points[std::size_t(near)]);
}

void CurvePlot::mouseMoveEvent(QMouseEvent* event) {
    if (m_gesture != Gesture::Drag || m_held < 0) return;
    PointList points = m_dragged;
    const bool outside =
        !ground().adjusted(-kOutside, -kOutside, kOutside, kOutside).contains(event->position());
    if (outside && int(points.size()) > m_spec.leastCount) {
        points.erase(points.begin() + m_held);
        change(points, -1);
        return;
    }
    points[std::size_t(m_held)] =
        betweenNeighbours(m_dragged, m_held, pointAt(event->position() - m_grabOffset), m_spec);
    change(points, m_held);
}

void CurvePlot::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && m_gesture == Gesture::Drag) end();
}

void CurvePlot::contextMenuEvent(QContextMenuEvent* event) {
    event->accept();
}

void CurvePlot::keyPressEvent(QKeyEvent* event) {
    const double by = m_spec.step * (event->modifiers() & Qt::ShiftModifier ? 10 : 1);
    const auto moveBy = [&](double dx, double dy) {
        if (m_selected < 0) return;
        begin(Gesture::Burst);
        m_burstEnd.start();
        PointList points = m_points;
        CurvePoint& point = points[std::size_t(m_selected)];
        point = betweenNeighbours(m_points, m_selected, {point.x + dx, point.y + dy}, m_spec);
        change(points, m_selected);
    };
    switch (event->key()) {
        case Qt::Key_Left:
            return moveBy(-by, 0);
        case Qt::Key_Right:
            return moveBy(by, 0);
        case Qt::Key_Up:
            return moveBy(0, by);
        case Qt::Key_Down:
            return moveBy(0, -by);
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
            end();
            return remove(m_selected);
        case Qt::Key_Insert: {
            end();
            const auto middle = middleOfWidestGap(m_points);
            if (!middle) return;
            return add(pointAt(positionOf(*middle)));
        }
        case Qt::Key_Escape:
            if (m_gesture == Gesture::Drag) {
                change(m_beforeDrag, -1);
                return end();
            }
            break;
        default:
            break;
    }
    QWidget::keyPressEvent(event);
}

bool CurvePlot::focusNextPrevChild(bool next) {
    const int wanted = m_selected + (next ? 1 : -1);
    if (m_selected < 0 || wanted < 0 || wanted >= int(m_points.size()))
        return QWidget::focusNextPrevChild(next);
    end();
    select(wanted);
    return true;
}

void CurvePlot::focusInEvent(QFocusEvent* event) {
    if (event->reason() == Qt::BacktabFocusReason)
        select(int(m_points.size()) - 1);
    else if (event->reason() == Qt::TabFocusReason || m_selected < 0)
        select(0);
    update();
}

void CurvePlot::focusOutEvent(QFocusEvent*) {
    end();
    update();
}

void CurvePlot::hideEvent(QHideEvent*) {
    end();
}

void CurvePlot::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF place = ground();
    painter.fillRect(place, colors.base);
    painter.setPen(QPen(colors.chartGrid, 1));
    for (int i = 1; i < 4; ++i) {
        const double at = std::round(place.width() * i / 4) + 0.5;
        painter.drawLine(QPointF(place.left() + at, place.top()),
                         QPointF(place.left() + at, place.bottom()));
        painter.drawLine(QPointF(place.left(), place.top() + at),
                         QPointF(place.right(), place.top() + at));
    }
    painter.setPen(QPen(colors.chartGrid, 1, Qt::DashLine));
    painter.drawLine(place.bottomLeft(), place.topRight());
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(hasFocus() ? colors.accent : colors.border, hasFocus() ? 1.5 : 1));
    painter.drawRect(place);
    if (m_points.empty()) return;

    QPolygonF line;
    if (m_drawn.size() > 1) {
        for (std::size_t i = 0; i < m_drawn.size(); ++i)
            line << QPointF(place.left() + place.width() * double(i) / double(m_drawn.size() - 1),
                            place.bottom() - place.height() * m_drawn[i]);
    } else {
        line << QPointF(place.left(), positionOf(m_points.front()).y());
        for (const CurvePoint& point : m_points) line << positionOf(point);
        line << QPointF(place.right(), positionOf(m_points.back()).y());
    }
    painter.save();
    painter.setClipRect(place.adjusted(-1, -1, 1, 1));
    painter.setPen(QPen(colors.text, 1.5));
    painter.drawPolyline(line);
    painter.restore();

    for (int i = 0; i < int(m_points.size()); ++i) {
        const bool chosen = i == m_selected;
        const QPointF at = positionOf(m_points[std::size_t(i)]);
        if (chosen && hasFocus()) {
            painter.setPen(QPen(colors.accent, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(at, 7, 7);
        }
        painter.setPen(QPen(colors.window, 1.5));
        painter.setBrush(chosen ? colors.text : colors.weakText);
        painter.drawEllipse(at, chosen ? 5 : 4, chosen ? 5 : 4);
    }
    if (m_selected < 0 || m_selected >= int(m_points.size())) return;
    const CurvePoint& point = m_points[std::size_t(m_selected)];
    painter.setFont(Theme::instance().figureFont());
    painter.setPen(colors.weakText);
    // In the corner that the curve leaves free, as a rule.
    painter.drawText(place.adjusted(6, 4, -6, -4), Qt::AlignRight | Qt::AlignBottom,
                     tr("%1 becomes %2").arg(point.x).arg(point.y));
}

}  // namespace warpscope::gui
