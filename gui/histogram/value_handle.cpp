#include "gui/histogram/value_handle.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kHandleSize = 21;
constexpr double kHandleRadius = 5;

}  // namespace

ValueHandle::ValueHandle(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("stepHandle"));
    resize(kHandleSize, kHandleSize);
    setFocusPolicy(Qt::StrongFocus);
    setLook(m_look);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void ValueHandle::setLook(Look look) {
    m_look = look;
    setCursor(look == Look::Point ? Qt::SizeAllCursor : Qt::SizeHorCursor);
    update();
}

void ValueHandle::setCentre(const QPointF& centre) {
    move(qRound(centre.x() - kHandleSize / 2.0), qRound(centre.y() - kHandleSize / 2.0));
}

void ValueHandle::letGo() {
    m_held = false;
}

void ValueHandle::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::RightButton && m_look == Look::Point) return emit removeAsked();
    if (event->button() != Qt::LeftButton) return event->ignore();
    m_held = true;
    m_pressedAt = event->globalPosition();
    emit pressed();
}

void ValueHandle::mouseMoveEvent(QMouseEvent* event) {
    if (m_held) emit dragged(event->globalPosition() - m_pressedAt);
}

void ValueHandle::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return event->ignore();
    if (!m_held) return;
    m_held = false;
    emit released();
}

void ValueHandle::contextMenuEvent(QContextMenuEvent* event) {
    event->setAccepted(m_look == Look::Point);
}

void ValueHandle::keyPressEvent(QKeyEvent* event) {
    // The chart's own.
    if (event->modifiers() & (Qt::AltModifier | Qt::ControlModifier)) return event->ignore();
    const bool point = m_look == Look::Point;
    const int by = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
    switch (event->key()) {
        case Qt::Key_Left:
            return emit nudged(-by, 0);
        case Qt::Key_Right:
            return emit nudged(by, 0);
        case Qt::Key_Up:
            if (point) return emit nudged(0, by);
            break;
        case Qt::Key_Down:
            if (point) return emit nudged(0, -by);
            break;
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
            if (point) return emit removeAsked();
            break;
        case Qt::Key_Insert:
            if (point) return emit addAsked();
            break;
        case Qt::Key_Escape:
            if (!m_held) break;
            m_held = false;
            return emit cancelled();
        default:
            break;
    }
    event->ignore();
}

void ValueHandle::focusInEvent(QFocusEvent*) {
    update();
    emit focusChanged(true);
}

void ValueHandle::focusOutEvent(QFocusEvent*) {
    update();
    emit focusChanged(false);
}

void ValueHandle::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPointF centre(kHandleSize / 2.0, kHandleSize / 2.0);
    const auto circle = [&](double radius) { painter.drawEllipse(centre, radius, radius); };
    if (hasFocus()) {
        painter.setPen(QPen(colors.accent, 2));
        painter.setBrush(Qt::NoBrush);
        circle(kHandleRadius + 2.5);
    }
    // Seen on bars of every colour.
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.base);
    circle(kHandleRadius + 1.5);
    painter.setPen(QPen(colors.text, 1.5));
    switch (m_look) {
        case Look::Black:
            painter.setBrush(Qt::black);
            break;
        case Look::White:
            painter.setBrush(Qt::white);
            break;
        case Look::Gamma:
            painter.setBrush(QColor(128, 128, 128));
            break;
        case Look::Point:
            painter.setBrush(colors.text);
            break;
        case Look::Level: {
            // Black on its left, white on its right: what it makes of the levels there.
            const QRectF place(centre.x() - kHandleRadius, centre.y() - kHandleRadius,
                               2 * kHandleRadius, 2 * kHandleRadius);
            painter.setBrush(Qt::white);
            circle(kHandleRadius);
            painter.setPen(Qt::NoPen);
            painter.setBrush(Qt::black);
            painter.drawPie(place.adjusted(0.7, 0.7, -0.7, -0.7), 90 * 16, 180 * 16);
            painter.setPen(QPen(colors.text, 1.5));
            painter.setBrush(Qt::NoBrush);
            break;
        }
    }
    circle(m_look == Look::Point ? kHandleRadius - 1 : kHandleRadius);
}

}  // namespace warpscope::gui
