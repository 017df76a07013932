#include "gui/canvas/wipe_line.h"

#include <algorithm>
#include <cmath>

namespace warpscope::gui {
namespace {

constexpr double kStep = 0.02;
constexpr double kGrabDistance = 8.0;
constexpr double kHandleRadius = 12.0;

}  // namespace

void WipeLine::step(bool forward) {
    m_at = std::clamp(m_at + (forward ? kStep : -kStep), 0.0, 1.0);
}

void WipeLine::dragTo(const QPointF& position, const QSizeF& widget) {
    const double at = m_turned ? position.y() / std::max(1.0, widget.height())
                               : position.x() / std::max(1.0, widget.width());
    m_at = std::clamp(at, 0.0, 1.0);
}

QLineF WipeLine::line(const QSizeF& widget) const {
    const double x = widget.width() * m_at, y = widget.height() * m_at;
    return m_turned ? QLineF(0, y, widget.width(), y) : QLineF(x, 0, x, widget.height());
}

QRectF WipeLine::handle(const QSizeF& widget) const {
    const QPointF reach(kHandleRadius, kHandleRadius);
    const QPointF center = line(widget).pointAt(m_along);
    return {center - reach, center + reach};
}

WipeLine::Part WipeLine::partAt(const QPointF& position, const QSizeF& widget) const {
    if (handle(widget).contains(position)) return Part::Handle;
    const QPointF away = position - line(widget).p1();
    return std::abs(m_turned ? away.y() : away.x()) <= kGrabDistance ? Part::Line : Part::None;
}

std::pair<QRect, QRect> WipeLine::split(const QRect& pane) const {
    QRect near = pane, far = pane;
    if (m_turned) {
        near.setHeight(int(std::lround(pane.height() * m_at)));
        far.setTop(near.bottom() + 1);
    } else {
        near.setWidth(int(std::lround(pane.width() * m_at)));
        far.setLeft(near.right() + 1);
    }
    return {near, far};
}

}  // namespace warpscope::gui
