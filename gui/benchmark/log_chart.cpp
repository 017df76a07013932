#include "gui/benchmark/log_chart.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr double kReach = 22;  // points from the cursor to a marker

}  // namespace

LogChart::LogChart(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        relayout();
        update();
    });
}

void LogChart::setContent(ChartContent content) {
    // The point that is looked at stays the same one.
    std::optional<PointId> current;
    if (m_current) {
        const ChartSeries& old = m_content.series[m_current->series];
        for (std::size_t s = 0; s < content.series.size(); ++s) {
            if (content.series[s].key != old.key) continue;
            const auto& points = content.series[s].points;
            for (std::size_t p = 0; p < points.size(); ++p)
                if (points[p].size == old.points[m_current->point].size) current = PointId{s, p};
        }
    }
    m_current.reset();
    m_content = std::move(content);
    relayout();
    setCurrent(current);
    update();
}

void LogChart::setHiddenSeries(const QSet<QString>& keys) {
    if (keys == m_hidden) return;
    m_hidden = keys;
    if (m_current && keys.contains(m_content.series[m_current->series].key))
        setCurrent(std::nullopt);
    relayout();
    update();
}

void LogChart::setEmptyText(const QString& text) {
    m_emptyText = text;
    update();
}

std::vector<std::size_t> LogChart::visibleSeries() const {
    std::vector<std::size_t> visible;
    for (std::size_t i = 0; i < m_content.series.size(); ++i)
        if (!m_hidden.contains(m_content.series[i].key)) visible.push_back(i);
    return visible;
}

void LogChart::relayout() {
    m_layout = layoutChart(m_content, visibleSeries(), QSizeF(size()),
                           QFontMetricsF(Theme::instance().figureFont()));
    QStringList names;
    for (const std::size_t index : visibleSeries())
        names << QStringLiteral("%1, %2").arg(m_content.series[index].operation,
                                              m_content.series[index].name);
    setAccessibleDescription(names.join(QStringLiteral("; ")));
}

void LogChart::resizeEvent(QResizeEvent*) {
    relayout();
}

QPointF LogChart::placeOf(PointId id) const {
    const ChartPoint& point = m_content.series[id.series].points[id.point];
    return m_layout.place(point.pixels, point.value);
}

void LogChart::setCurrent(std::optional<PointId> id) {
    if (id == m_current) return;
    m_current = id;
    update();
    emit readoutChanged();
}

QString LogChart::readout() const {
    if (!m_current) return {};
    const ChartSeries& series = m_content.series[m_current->series];
    const ChartPoint& point = series.points[m_current->point];
    return QStringLiteral("%1, %2\n%3: %4\n%5")
        .arg(series.operation, series.name, point.size, point.figures, series.machine);
}

void LogChart::mouseMoveEvent(QMouseEvent* event) {
    std::optional<PointId> nearest;
    double best = kReach;
    for (const std::size_t s : visibleSeries()) {
        for (std::size_t p = 0; p < m_content.series[s].points.size(); ++p) {
            const QPointF off = placeOf({s, p}) - event->position();
            const double distance = std::hypot(off.x(), off.y());
            if (distance >= best) continue;
            best = distance;
            nearest = PointId{s, p};
        }
    }
    setCurrent(nearest);
}

void LogChart::leaveEvent(QEvent*) {
    setCurrent(std::nullopt);
}

void LogChart::focusOutEvent(QFocusEvent* event) {
    setCurrent(std::nullopt);
    QWidget::focusOutEvent(event);
    update();
}

// Left and right along a series, up and down to the series above and below at that size.
void LogChart::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    const bool arrow =
        key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
    if (key == Qt::Key_Escape && m_current) return setCurrent(std::nullopt);
    const std::vector<std::size_t> visible = visibleSeries();
    if (!arrow || m_layout.empty) return QWidget::keyPressEvent(event);
    if (!m_current) {
        for (const std::size_t s : visible)
            if (!m_content.series[s].points.empty()) return setCurrent(PointId{s, 0});
        return;
    }
    PointId next = *m_current;
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
        const std::size_t count = m_content.series[next.series].points.size();
        if (key == Qt::Key_Right && next.point + 1 < count) ++next.point;
        if (key == Qt::Key_Left && next.point > 0) --next.point;
        return setCurrent(next);
    }
    // Among the points of the same size, the next one higher or lower.
    const ChartPoint& here = m_content.series[next.series].points[next.point];
    const auto rank = [](double value, std::size_t series) { return std::pair(value, series); };
    const auto own = rank(here.value, next.series);
    auto best = own;
    for (const std::size_t s : visible) {
        const auto& points = m_content.series[s].points;
        for (std::size_t p = 0; p < points.size(); ++p) {
            if (points[p].pixels != here.pixels) continue;
            const auto other = rank(points[p].value, s);
            const bool beyond = key == Qt::Key_Up ? other > own : other < own;
            const bool nearer = best == own || (key == Qt::Key_Up ? other < best : other > best);
            if (!beyond || !nearer) continue;
            best = other;
            next = {s, p};
        }
    }
    setCurrent(next);
}

}  // namespace warpscope::gui
