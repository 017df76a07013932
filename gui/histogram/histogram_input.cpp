// Mouse, wheel and keys of the histogram: selecting, zooming its axis, dragging black and white.
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/histogram/histogram_view.h"

namespace warpscope::gui {
namespace {

constexpr int kDragThreshold = 3;  // pixels before a press becomes a range
constexpr double kGripWidth = 9;
constexpr double kGripHeight = 11;
constexpr double kGripReach = 10;    // from the middle
constexpr double kMarkReach = 7;     // beside its line
constexpr double kBelowPlot = 16;    // where the numbers of the axis stand
constexpr double kAbovePoints = 18;  // top of a grip over that of the plot, pixels
constexpr double kZoomPerNotch = 1.25;
constexpr double kNotch = 120.0;
constexpr double kBinsPerNotch = 16;
constexpr int kPanStep = 16;          // bins
constexpr double kFewestLevels = 4;   // of integers on the axis
constexpr double kLeastShare = 3e-7;  // of the size of float values

}  // namespace

double HistogramView::binWidth() const {
    const HistogramSide side = m_model.mainSide();
    return m_model.edge(side, 1) - m_model.edge(side, 0);
}

// Kept within what there is, and wide enough to show something.
void HistogramView::requestWindow(double low, double high) {
    if (m_model.isEmpty()) return;
    const AxisWindow whole = m_model.wholeAxis();
    const double all = whole.high - whole.low;
    // Of float as fine as its values there are apart.
    const double size = std::max({std::abs(low), std::abs(high), 1e-37});
    const double least =
        std::min(all, m_model.axis().integers ? kFewestLevels : size * kLeastShare);
    const double width = std::clamp(high - low, least, all);
    const double middle = (low + high) / 2;
    const double from = std::clamp(middle - width / 2, whole.low, whole.high - width);
    if (!(width > 0) || !std::isfinite(width)) return;
    emit zoomRequested(AxisWindow{from, from + width});
}

void HistogramView::zoomBy(double factor, double around) {
    const HistogramAxis& axis = m_model.axis();
    requestWindow(around - (around - axis.left) / factor, around + (axis.right - around) / factor);
}

void HistogramView::panBy(int bins) {
    const HistogramAxis& axis = m_model.axis();
    const double by = bins * binWidth();
    requestWindow(axis.left + by, axis.right + by);
}

void HistogramView::zoomToSelection() {
    if (!m_selection) return;
    const HistogramSide side = m_model.mainSide();
    requestWindow(m_model.edge(side, m_model.binAt(side, m_selection->first)),
                  m_model.edge(side, m_model.binAt(side, m_selection->second) + 1));
}

void HistogramView::zoomToLevels() {
    if (!m_levels) return;
    const double around = (m_levels->high - m_levels->low) * 0.05;
    requestWindow(m_levels->low - around, m_levels->high + around);
}

void HistogramView::setLevels(const std::optional<AxisWindow>& levels) {
    if (levels == m_levels) return;
    m_levels = levels;
    viewport()->update();
}

QRectF HistogramView::gripRect(bool white) const {
    if (!m_levels || m_model.isEmpty() || (m_stepMarks.points && !m_gripsAbove)) return {};
    const double x =
        std::clamp(pixelX(white ? m_levels->high : m_levels->low), m_plot.left(), m_plot.right());
    const double top = m_plot.top() - (m_gripsAbove ? kAbovePoints : 1);
    return {x - kGripWidth / 2, top, kGripWidth, kGripHeight};
}

// Integers to whole values; black stays below white.
void HistogramView::moveLevel(bool white, double to) {
    if (!m_levels || m_model.isEmpty()) return;
    AxisWindow wanted = *m_levels;
    const double least = m_model.axis().integers ? 1 : binWidth() * 0.01;
    if (m_model.axis().integers) to = std::round(to);
    if (white)
        wanted.high = std::max(to, wanted.low + least);
    else
        wanted.low = std::min(to, wanted.high - least);
    if (wanted != *m_levels) emit levelsDragged(wanted);
}

std::optional<bool> HistogramView::gripAt(const QPointF& position) const {
    std::optional<bool> found;
    double nearest = kGripReach;
    for (const bool white : {false, true}) {
        const QRectF grip = gripRect(white);
        const QPointF away = position - grip.center();
        if (grip.isEmpty() || std::abs(away.y()) > kGripReach || std::abs(away.x()) > nearest)
            continue;
        nearest = std::abs(away.x());
        found = white;
    }
    return found;
}

std::optional<std::size_t> HistogramView::markAt(const QPointF& position) const {
    if (m_plot.height() < 1 || position.y() < m_plot.top() ||
        position.y() > m_plot.bottom() + kBelowPlot || gripAt(position))
        return std::nullopt;
    std::optional<std::size_t> found;
    double nearest = kMarkReach;
    for (std::size_t i = 0; i < m_stepMarks.lines.size(); ++i) {
        const double x = pixelX(m_stepMarks.lines[i]);
        const bool beside = x < m_plot.left() - 1 || x > m_plot.right() + 1;
        if (beside || std::abs(position.x() - x) > nearest) continue;
        nearest = std::abs(position.x() - x);
        found = i;
    }
    return found;
}

void HistogramView::wheelEvent(QWheelEvent* event) {
    event->accept();
    if (m_model.isEmpty() || m_plot.width() < 1) return;
    const QPoint angle = event->angleDelta();
    if (angle.y() != 0 && (event->modifiers() & Qt::ShiftModifier) == 0) {
        const double x = std::clamp(event->position().x(), m_plot.left(), m_plot.right());
        return zoomBy(std::pow(kZoomPerNotch, angle.y() / kNotch), axisValueAt(x));
    }
    m_wheel -= (angle.x() != 0 ? angle.x() : angle.y()) / kNotch * kBinsPerNotch;
    const int bins = int(m_wheel);
    m_wheel -= bins;
    if (bins != 0) panBy(bins);
}

void HistogramView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && !m_model.isEmpty()) resetZoom();
}

void HistogramView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::MiddleButton && !m_model.isEmpty())
        m_panFrom = event->position().x();
    if (event->button() != Qt::LeftButton || m_model.isEmpty()) return;
    m_gripped = gripAt(event->position());
    if (m_gripped) return;
    m_dragStart = event->position().x();
    m_dragged = false;
}

void HistogramView::mouseMoveEvent(QMouseEvent* event) {
    if (m_model.isEmpty()) return;
    const QPointF position = event->position();
    if (m_gripped) {
        const double x = std::clamp(position.x(), m_plot.left(), m_plot.right());
        return moveLevel(*m_gripped, axisValueAt(x));
    }
    const std::optional<bool> grip = gripAt(position);
    const bool held = m_dragStart || m_panFrom;
    viewport()->setCursor(grip || (!held && markAt(position)) ? Qt::SizeHorCursor
                                                              : Qt::CrossCursor);
    viewport()->setToolTip(
        !grip ? QString()
              : (*grip ? tr("White of the view") : tr("Black of the view")) + QLatin1Char('\n') +
                    tr("Changes no sample. Drag, or Alt and arrow keys, with Shift white"));
    if (m_panFrom) {
        const double wide = binWidth() / (m_model.axis().right - m_model.axis().left);
        const int bins = int((*m_panFrom - position.x()) / std::max(1e-9, wide * m_plot.width()));
        if (bins == 0) return;
        *m_panFrom -= bins * wide * m_plot.width();
        return panBy(bins);
    }
    if (m_dragStart && std::abs(position.x() - *m_dragStart) >= kDragThreshold) m_dragged = true;
    const double x = std::clamp(position.x(), m_plot.left(), m_plot.right() - 0.01);
    if (m_dragStart && m_dragged)
        select(snapped(axisValueAt(std::clamp(*m_dragStart, m_plot.left(), m_plot.right()))),
               snapped(axisValueAt(x)));
    const bool inside = m_plot.adjusted(-6, -4, 6, 16).contains(position);
    setHover(inside || m_dragStart ? std::optional(axisValueAt(x)) : std::nullopt);
}

void HistogramView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::MiddleButton) m_panFrom.reset();
    if (event->button() != Qt::LeftButton) return;
    if (m_gripped) return m_gripped.reset();
    const bool click = std::exchange(m_dragStart, std::nullopt) && !m_dragged;
    if (!click) return;
    if (m_selection) return clearSelection();
    if (m_plot.contains(event->position())) emit clicked(event->position());
}

void HistogramView::leaveEvent(QEvent* event) {
    QChartView::leaveEvent(event);
    if (!m_dragStart) setHover(std::nullopt);
}

void HistogramView::focusOutEvent(QFocusEvent* event) {
    QChartView::focusOutEvent(event);
    if (!underMouse()) setHover(std::nullopt);
    viewport()->update();
}

void HistogramView::moveHover(int bins, bool extend) {
    const HistogramSide side = m_model.mainSide();
    const int count = m_model.binCount(side);
    if (count == 0) return;
    const auto centre = [&](int bin) {
        return (m_model.edge(side, bin) + m_model.edge(side, bin + 1)) / 2;
    };
    // Without a read-out the first key shows the middle of the range.
    const int from = m_hover ? m_model.binAt(side, *m_hover) : count / 2;
    const int to = std::clamp(m_hover ? from + bins : from, 0, count - 1);
    if (extend) {
        const bool hoverIsLow = m_selection && *m_hover == m_selection->first;
        const double anchor = !m_selection ? centre(from)
                              : hoverIsLow ? m_selection->second
                                           : m_selection->first;
        select(anchor, centre(to));
    }
    setHover(centre(to));
}

void HistogramView::keyPressEvent(QKeyEvent* event) {
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    const bool control = event->modifiers() & Qt::ControlModifier;
    const int count = m_model.binCount(m_model.mainSide());
    const bool sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    if ((event->modifiers() & Qt::AltModifier) && sideways && m_levels) {
        const double by = event->key() == Qt::Key_Left ? -binWidth() : binWidth();
        return moveLevel(shift, (shift ? m_levels->high : m_levels->low) + by);
    }
    const double middle = (m_model.axis().left + m_model.axis().right) / 2;
    switch (event->key()) {
        case Qt::Key_Left:
            return control ? panBy(-kPanStep) : moveHover(-1, shift);
        case Qt::Key_Right:
            return control ? panBy(kPanStep) : moveHover(1, shift);
        case Qt::Key_Up:
            return zoomBy(kZoomPerNotch, m_hover.value_or(middle));
        case Qt::Key_Down:
            return zoomBy(1 / kZoomPerNotch, m_hover.value_or(middle));
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (m_selection) return zoomToSelection();
            break;
        case Qt::Key_Backspace:
            return resetZoom();
        case Qt::Key_Insert:
            if (m_stepMarks.points) return emit pointAsked(m_hover.value_or(middle));
            break;
        case Qt::Key_PageDown:
            return moveHover(-10, shift);
        case Qt::Key_PageUp:
            return moveHover(10, shift);
        case Qt::Key_Home:
            return moveHover(-count, shift);
        case Qt::Key_End:
            return moveHover(count, shift);
        case Qt::Key_Escape:
            if (m_selection) return clearSelection();
            if (m_hover) return setHover(std::nullopt);
            break;
        default:
            break;
    }
    QWidget::keyPressEvent(event);
}

}  // namespace warpscope::gui
