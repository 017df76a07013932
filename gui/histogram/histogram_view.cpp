#include "gui/histogram/histogram_view.h"

#include <QAreaSeries>
#include <QChart>
#include <QElapsedTimer>
#include <QGraphicsLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QValueAxis>
#include <algorithm>
#include <cmath>

#include "gui/histogram/readout_window.h"
#include "gui/widgets/axis_range.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {

constexpr HistogramSide kSides[] = {HistogramSide::Source, HistogramSide::Result};
constexpr double kOutdatedOpacity = 0.45;
constexpr int kGripRoom = 15, kRoomForGrips = 90;  // pixels

QValueAxis* makeAxis(QChart* chart, Qt::Alignment alignment) {
    auto* axis = new QValueAxis;
    // Labels are drawn by the view: Qt Charts cuts them off with dots when a dock gets narrow.
    axis->setLabelsVisible(false);
    axis->setTitleVisible(false);
    chart->addAxis(axis, alignment);
    return axis;
}

}  // namespace

HistogramView::HistogramView(const HistogramModel& model, QWidget* parent)
    : QChartView(parent), m_model(model) {
    QChart* chart = this->chart();
    chart->legend()->hide();
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->setMargins(QMargins());
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setBackgroundRoundness(0);
    chart->setBackgroundPen(Qt::NoPen);
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::CrossCursor);
    setMinimumSize(160, 76);  // with three lines of caption it still fits a window of 640 lines
    setAccessibleName(tr("Histogram"));
    setAccessibleDescription(
        tr("Arrow keys read out bins, Shift with arrow keys selects a range, Escape drops it. Alt "
           "with arrow keys moves black, with Shift white. Up and Down zoom the axis, Ctrl with "
           "arrow keys moves along it, Return zooms to the selected "
           "range, Backspace shows all"));

    m_valueAxis = makeAxis(chart, Qt::AlignBottom);
    m_countAxis = makeAxis(chart, Qt::AlignLeft);
    m_shareAxis = makeAxis(chart, Qt::AlignRight);
    m_shareAxis->setRange(0, 100);
    m_shareAxis->setVisible(false);
    for (const HistogramSide side : {HistogramSide::Result, HistogramSide::Source})
        for (const HistogramChannel channel : kAllHistogramChannels) {
            Curve& c = curve(side, channel);
            c.edge = new QLineSeries(this);
            QAbstractSeries* shown = c.edge;
            if (side == HistogramSide::Result) shown = c.area = new QAreaSeries(c.edge);
            chart->addSeries(shown);
            shown->attachAxis(m_valueAxis);
            shown->attachAxis(m_countAxis);
            shown->setVisible(false);
        }
    for (const HistogramSide side : kSides)
        for (const HistogramChannel channel : kAllHistogramChannels) {
            QLineSeries* summed = curve(side, channel).summed = new QLineSeries;
            chart->addSeries(summed);
            summed->attachAxis(m_valueAxis);
            summed->attachAxis(m_shareAxis);
            summed->setVisible(false);
        }
    connect(&Theme::instance(), &Theme::changed, this, &HistogramView::applyTheme);
    applyTheme();
}

void HistogramView::applyTheme() {
    const Theme& theme = Theme::instance();
    const ThemeColors& colors = theme.colors();
    chart()->setBackgroundBrush(colors.base);
    setBackgroundBrush(colors.base);
    const QPen grid(colors.chartGrid, 1);
    for (QValueAxis* axis : {m_valueAxis, m_countAxis, m_shareAxis}) {
        axis->setGridLinePen(grid);
        axis->setLinePen(QPen(colors.border, 1));
        axis->setGridLineVisible(axis != m_shareAxis);
    }
    m_countAxis->setLineVisible(false);
    for (const HistogramChannel channel : kAllHistogramChannels) {
        const QColor color = theme.channelColor(channel);
        const bool luma = channel == HistogramChannel::Luma;
        // Filled is the result, a bare line is the source.
        QColor fill = color;
        fill.setAlphaF(luma ? 0.34f : 0.42f);
        Curve& result = curve(HistogramSide::Result, channel);
        result.area->setBrush(fill);
        result.area->setPen(Qt::NoPen);
        result.summed->setPen(QPen(color, 1.5));
        Curve& source = curve(HistogramSide::Source, channel);
        source.edge->setPen(QPen(color, 1));
        QColor faint = color;
        faint.setAlphaF(0.6f);
        source.summed->setPen(QPen(faint, 1));
    }
    redraw();
}

void HistogramView::setOptions(const HistogramOptions& options) {
    if (options == m_options) return;
    m_options = options;
    refresh();
}

void HistogramView::refresh() {
    const double limit =
        m_model.verticalLimit(m_options.channels, m_options.source, m_options.scale);
    m_limit = limit;
    // With points, each axis that changes would lay out all curves anew, those that are hidden,
    // too.
    for (auto& side : m_curves)
        for (Curve& c : side)
            for (QLineSeries* points : {c.edge, c.summed})
                if (points->count() > 0) points->replace(QList<QPointF>());
    layoutPlot(size());
    for (const HistogramSide side : kSides)
        for (const HistogramChannel channel : kAllHistogramChannels) {
            Curve& c = curve(side, channel);
            const bool shown = m_options.channels.has(channel) && m_model.has(side, channel) &&
                               m_model.onAxis(side) &&
                               (side == HistogramSide::Result || m_options.source);
            // Hidden series have no points: they are filled when they are shown.
            if (shown) c.edge->replace(m_model.outline(side, channel, m_options.scale, limit));
            QAbstractSeries* visible = c.area ? static_cast<QAbstractSeries*>(c.area) : c.edge;
            if (visible->isVisible() != shown) visible->setVisible(shown);
            const bool summed = shown && m_options.cumulative;
            if (summed) c.summed->replace(m_model.cumulative(side, channel));
            if (c.summed->isVisible() != summed) c.summed->setVisible(summed);
        }
    if (m_hover) m_hover = m_model.isEmpty() ? std::nullopt : std::optional(snapped(*m_hover));
    if (m_model.isEmpty()) clearSelection();  // whoever shows it must hear of it
    updateReadout();
    redraw();
}

void HistogramView::setMapping(const MappingCurves& mapping) {
    m_mapping = mapping;
    viewport()->update();
}

void HistogramView::updateReadout() {
    const bool wanted = m_hover && isVisible() && !m_model.isEmpty();
    if (!wanted && !m_readout) return;
    if (!m_readout) m_readout = new ReadoutWindow(this);
    m_readout->showLines(wanted ? readoutLines() : QStringList(),
                         QRect(mapToGlobal(QPoint(0, 0)), size()));
}

void HistogramView::hideEvent(QHideEvent* event) {
    QChartView::hideEvent(event);
    setHover(std::nullopt);
}

void HistogramView::setOutdated(bool outdated) {
    if (outdated == m_outdated) return;
    m_outdated = outdated;
    viewport()->update();
}

// The chart is painted into a picture once; hovering and marks are drawn over it.
void HistogramView::redraw() {
    m_cache = QPixmap();
    viewport()->update();
}

void HistogramView::paintEvent(QPaintEvent*) {
    const QSize pixels = viewport()->size() * devicePixelRatioF();
    if (m_cache.size() != pixels) {
        QElapsedTimer timer;
        timer.start();
        m_cache = QPixmap(pixels);
        m_cache.setDevicePixelRatio(devicePixelRatioF());
        m_cache.fill(Theme::instance().colors().base);
        QPainter painter(&m_cache);
        painter.setRenderHints(renderHints());
        const QRectF area(viewport()->rect());
        scene()->render(&painter, area, area);
        m_paintMs = double(timer.nsecsElapsed()) * 1e-6;
    }
    QPainter painter(viewport());
    painter.setRenderHints(renderHints());
    if (m_outdated) {
        painter.fillRect(viewport()->rect(), Theme::instance().colors().base);
        painter.setOpacity(kOutdatedOpacity);
    }
    painter.drawPixmap(0, 0, m_cache);
    painter.setOpacity(1);
    paintOverlay(painter);
}

void HistogramView::layoutPlot(const QSize& size) {
    const QFontMetrics metrics(Theme::instance().figureFont());
    const int line = metrics.height();
    // Labels of the vertical axis never push the plot about: room for the widest there can be.
    const int left = metrics.horizontalAdvance(QStringLiteral("88.8M")) + 8;
    const int right =
        m_options.cumulative ? metrics.horizontalAdvance(QStringLiteral("100 %")) + 8 : 12;
    // Points of a curve reach into the upper corners, where black and white of the view stand:
    // those move up, or, where there is no room, away.
    m_gripsAbove = m_stepMarks.points && size.height() >= kRoomForGrips;
    const int top = line + 4 + (m_gripsAbove ? kGripRoom : 0);
    const QRectF plot(left, top, size.width() - left - right,
                      size.height() - top - (2 * line + 14));
    m_plot = plot;
    if (plot.width() > 10 && plot.height() > 10) {
        chart()->setPlotArea(plot);
        // Now, not with the next event: a picture for a file would have the grid of the old size.
        chart()->layout()->invalidate();
        chart()->layout()->activate();
    }
    updateTicks();
    emit placesChanged();
}

void HistogramView::setStepMarks(const HistogramStepMarks& marks) {
    if (marks == m_stepMarks) return;
    const bool moved = marks.points != m_stepMarks.points;
    m_stepMarks = marks;
    if (!moved) return viewport()->update();
    layoutPlot(size());
    redraw();
}

void HistogramView::updateTicks() {
    const QFontMetrics metrics(Theme::instance().figureFont());
    const int rows = std::max(1, int(m_plot.height() / (2.6 * metrics.height())));
    const bool logarithmic = m_options.scale == CountScale::Logarithmic;
    const double wanted = m_limit / rows;
    m_countStep = std::max(1.0, logarithmic ? std::ceil(wanted) : niceStep(wanted));
    // A single step goes beyond the axis and would leave nothing but 0: a third of it or more does
    // not.
    if (!logarithmic && m_countStep > m_limit) {
        const double half = niceStep(m_limit / 2);
        m_countStep = std::max(1.0, half > m_limit ? niceStep(m_limit / 3) : half);
    }
    setRangeAndStep(*m_countAxis, logarithmic ? kLogFloor : 0.0, m_limit, 0.0, m_countStep);
    const HistogramAxis& axis = m_model.axis();
    const auto ticks = m_model.valueTicks(m_plot.width() > 420 ? 8 : 4);
    const double step = ticks.size() > 2 ? ticks[1].value - ticks[0].value : axis.right - axis.left;
    const double anchor = ticks.empty() ? axis.left : ticks[0].value;
    setRangeAndStep(*m_valueAxis, axis.left, axis.right, anchor, step);
}

void HistogramView::resizeEvent(QResizeEvent* event) {
    QChartView::resizeEvent(event);
    layoutPlot(event->size());
    redraw();
}

double HistogramView::pixelX(double axisValue) const {
    const HistogramAxis& axis = m_model.axis();
    return m_plot.left() + (axisValue - axis.left) / (axis.right - axis.left) * m_plot.width();
}

double HistogramView::axisValueAt(double x) const {
    const HistogramAxis& axis = m_model.axis();
    return axis.left + (x - m_plot.left()) / m_plot.width() * (axis.right - axis.left);
}

double HistogramView::snapped(double axisValue) const {
    const HistogramSide side = m_model.mainSide();
    const int bin = m_model.binAt(side, axisValue);
    return (m_model.edge(side, bin) + m_model.edge(side, bin + 1)) / 2;
}

void HistogramView::setMarks(const PixelValues& marks, HistogramSide side) {
    m_marks = marks;
    m_marksSide = side;
    // Only the strip of the marks and their hair lines changes.
    viewport()->update(m_plot.adjusted(-6, 0, 6, 10).toAlignedRect());
}

std::optional<double> HistogramView::markPosition(HistogramChannel channel) const {
    const auto& value = m_marks.values[std::size_t(channel)];
    if (!value || m_model.isEmpty() || !m_model.onAxis(m_marksSide)) return std::nullopt;
    const HistogramAxis& axis = m_model.axis();
    return std::clamp(m_model.toAxis(m_marksSide, *value), axis.left, axis.right);
}

void HistogramView::setHover(std::optional<double> axisValue) {
    if (axisValue)
        axisValue = m_model.isEmpty() ? std::nullopt : std::optional(snapped(*axisValue));
    if (axisValue == m_hover) return;
    m_hover = axisValue;
    viewport()->update();
    updateReadout();
    emit hoverChanged();
}

void HistogramView::select(double from, double to) {
    const HistogramSide side = m_model.mainSide();
    const BinReadout range = m_model.rangeReadout(side, HistogramChannel::Luma, from, to);
    const std::pair<double, double> selection{std::min(from, to), std::max(from, to)};
    if (m_selection == selection) return;
    m_selection = selection;
    viewport()->update();
    updateReadout();
    emit rangeSelected(range.lowValue, range.highValue, true);
}

void HistogramView::clearSelection() {
    if (!m_selection) return;
    m_selection.reset();
    viewport()->update();
    updateReadout();
    emit rangeSelected(0, 0, false);
}

const QLineSeries* HistogramView::series(HistogramSide side, HistogramChannel channel) const {
    return m_curves[std::size_t(side)][std::size_t(channel)].edge;
}

const QLineSeries* HistogramView::cumulativeSeries(HistogramSide side,
                                                   HistogramChannel channel) const {
    return m_curves[std::size_t(side)][std::size_t(channel)].summed;
}

}  // namespace warpscope::gui
