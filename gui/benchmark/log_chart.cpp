#include "gui/benchmark/log_chart.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <map>

#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr double kReach = 22;  // points from the cursor to a marker
constexpr double kGap = 8;
constexpr double kCaptionGap = 2;
constexpr double kLeader = 18;             // between the plot and the labels beside it
constexpr double kMostLabelShare = 0.38;   // of the chart's width
constexpr double kWholeLabelShare = 0.45;  // where a name would be cut
constexpr double kLeastSide = 40;          // of the plot
// Of the width of a chart in the window: in a small one and in a large one labels need more.
constexpr double kPlotShare = 0.77;
constexpr double kLabelledPlotShare = 0.66;
constexpr double kProjectedPlotShare = 0.6;  // in large letters
constexpr int kSmallChart = 900;
constexpr int kLargeChart = 1150;
constexpr double kLeastLabels = 80;
const QString kSeparator = QStringLiteral(", ");
constexpr double kProjected = 1.7;
constexpr QSize kPicture(1120, 640);

// As many parts on the first as it holds.
QString inTwoLines(const QString& name, const QFontMetricsF& metrics, double width) {
    if (metrics.horizontalAdvance(name) <= width) return name;
    for (qsizetype at = name.lastIndexOf(kSeparator); at > 0;
         at = name.lastIndexOf(kSeparator, at - 1))
        if (metrics.horizontalAdvance(name.left(at)) <= width)
            return name.left(at) + QLatin1Char('\n') + name.mid(at + kSeparator.size());
    return name;
}

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
            if (content.series[s].id != old.id) continue;
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
    if (m_current && keys.contains(m_content.series[m_current->series].id))
        setCurrent(std::nullopt);
    relayout();
    update();
}

void LogChart::setEmptyText(const QString& text) {
    m_emptyText = text;
    update();
}

QFont chartFont(double scale) {
    QFont font = Theme::instance().figureFont();
    if (scale != 1) font.setPointSizeF(font.pointSizeF() * scale);
    return font;
}

void LogChart::setProjected(bool on) {
    if (on == m_projected) return;
    m_projected = on;
    relayout();
    update();
}

ChartLayout LogChart::layoutFor(const QSizeF& size, Room room) const {
    ChartLayout layout;
    layout.scale = m_projected ? kProjected : 1;
    const QFontMetricsF metrics(chartFont(layout.scale));
    const double line = metrics.height();
    ChartLines lines;
    QSet<QString> operations;
    for (std::size_t i = 0; i < m_content.series.size(); ++i) {
        const ChartSeries& series = m_content.series[i];
        if (m_hidden.contains(series.id)) continue;
        layout.visible.push_back(i);
        lines.push_back(&series);
        operations.insert(series.operation);
    }
    if (layout.empty()) return layout;
    double widestName = 0;
    for (const std::size_t index : layout.visible) {
        const ChartSeries& series = m_content.series[index];
        layout.names << (operations.size() < 2 ? series.label() : series.fullName());
        widestName = std::max(widestName, metrics.horizontalAdvance(layout.names.back()));
    }
    double below = 2 * line + 3 * kGap;
    for (const ChartCaption& caption : m_content.captions) {
        const QRectF widest(0, 0, std::max(size.width() - 52, 100.0), 1000);
        const double height = metrics.boundingRect(widest, Qt::TextWordWrap, caption.text).height();
        layout.captionHeights.push_back(std::clamp(std::ceil(height), line, 3 * line));
        below += layout.captionHeights.back() + kCaptionGap;
    }
    ChartFrame& frame = layout.frame;
    // Room for the bends of the roofs and for their tops.
    ChartLines measured = lines;
    std::vector<PlotLine> bends;
    bends.reserve(m_content.roofs.size());
    for (const ChartRoof& roof : m_content.roofs) {
        if (!(roof.top > 0)) continue;
        PlotPoint bend = lines.front()->points.front();
        bend.value = roof.top;
        bend.low = bend.high = 0;
        if (roof.slope > 0) bend.x = roof.top / roof.slope;
        bends.emplace_back().points.push_back(bend);
        measured.push_back(&bends.back());
    }
    frame.axes = axesOf(measured, m_content.unityLine);
    frame.top = line + 2 * kGap;
    frame.height = std::max(kLeastSide, size.height() - frame.top - below);
    layout.yTicks = valueTicks(frame, line);
    const TextWidth widthOf = [&](std::string_view text) {
        return metrics.horizontalAdvance(QString::fromUtf8(text));
    };
    for (const ChartTick& tick : layout.yTicks)
        frame.left = std::max(frame.left, widthOf(tick.text) + 2 * kGap);
    const bool labelled = m_projected || size.width() < kSmallChart || size.width() > kLargeChart;
    const double share = m_projected ? kProjectedPlotShare
                         : labelled  ? kLabelledPlotShare
                                     : kPlotShare;
    const double most = room == Room::Picture
                            ? kMostLabelShare * size.width()
                            : std::max(kLeastLabels * layout.scale,
                                       (1 - share) * size.width() - frame.left - kLeader - kGap);
    layout.labelWidth = std::min(widestName + 4, most);
    // What is cut, is cut at its end: there the operation, which many lines share. What all lines
    // share stands in the legend.
    if (widestName + 4 > most && layout.visible.size() > 1) {
        QStringList common = m_content.series[layout.visible[0]].label().split(kSeparator);
        for (const std::size_t index : layout.visible) {
            const QStringList parts = m_content.series[index].label().split(kSeparator);
            common.removeIf([&](const QString& part) { return !parts.contains(part); });
        }
        widestName = 0;
        for (std::size_t i = 0; i < layout.visible.size(); ++i) {
            const ChartSeries& series = m_content.series[layout.visible[i]];
            QStringList parts = series.label().split(kSeparator);
            // Of the cache only what is unusual.
            parts.removeIf([&](const QString& part) {
                return common.contains(part) || part == engineText("warm");
            });
            if (operations.size() > 1) parts << series.operation;
            if (parts.isEmpty()) parts = series.label().split(kSeparator);
            layout.names[qsizetype(i)] = parts.join(kSeparator);
            widestName =
                std::max(widestName, metrics.horizontalAdvance(layout.names[qsizetype(i)]));
        }
        layout.labelWidth = std::min(widestName + 4, most);
    }
    const double twoLines = 2 * line * double(layout.visible.size());
    if (widestName + 4 > layout.labelWidth && twoLines <= frame.height) {
        layout.labelLines = 2;
        for (QString& name : layout.names) name = inTwoLines(name, metrics, layout.labelWidth);
    }
    double widestLine = 0;
    for (const QString& name : layout.names)
        for (const QString& part : name.split(QLatin1Char('\n')))
            widestLine = std::max(widestLine, metrics.horizontalAdvance(part));
    layout.labelWidth =
        std::max(layout.labelWidth, std::min(widestLine + 4, kWholeLabelShare * size.width()));
    layout.operation = operations.size() == 1 ? *operations.begin() : QString();
    frame.width =
        std::max(kLeastSide, size.width() - frame.left - layout.labelWidth - kLeader - kGap);
    layout.labelLeft = frame.right() + kLeader;
    if (m_content.numbersAcross)
        for (const double value : logTicks(frame.axes.across, std::max(2, int(frame.width / 60))))
            layout.xTicks.push_back({frame.x(value), tickText(value)});
    else
        layout.xTicks = sizeTicks(lines, frame, widthOf);
    layout.labels = placeLabels(lines, frame, layout.labelLines * line);
    return layout;
}

void LogChart::relayout() {
    m_layout = layoutFor(QSizeF(size()));
    QStringList names;
    for (const std::size_t index : m_layout.visible) names << m_content.series[index].fullName();
    setAccessibleDescription(names.join(QStringLiteral("; ")));
}

void LogChart::resizeEvent(QResizeEvent*) {
    relayout();
}

QPointF LogChart::placeOf(PointId id) const {
    return m_layout.place(m_content.series[id.series].points[id.point]);
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
    const PlotPoint& point = series.points[m_current->point];
    return QStringLiteral("%1\n%2: %3\n%4")
        .arg(series.fullName(), QString::fromStdString(point.size), engineText(point.figures),
             series.machine);
}

void LogChart::mouseMoveEvent(QMouseEvent* event) {
    std::optional<PointId> nearest;
    double best = kReach;
    for (const std::size_t s : m_layout.visible) {
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

bool LogChart::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QFontMetricsF metrics(chartFont(m_layout.scale));
    for (const ChartLabel& label : m_layout.labels) {
        const double height = m_layout.labelLines * metrics.height();
        const QRectF box(m_layout.labelLeft, label.y - height / 2, m_layout.labelWidth, height);
        if (!box.contains(help->pos())) continue;
        const ChartSeries& series = m_content.series[m_layout.visible[label.line]];
        QToolTip::showText(help->globalPos(),
                           QStringLiteral("%1\n%2").arg(series.fullName(), series.machine), this);
        return true;
    }
    QToolTip::hideText();
    return true;
}

Picture LogChart::picture(const QString& name) const {
    return {name, accessibleName(), accessibleDescription(), kPicture,
            [this](QPainter& painter) { paintTo(painter, kPicture, Room::Picture); }};
}

void LogChart::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("chartMenu"));
    if (!m_layout.empty()) addPictureActions(*menu, this, [this] { return picture(tr("chart")); });
    emit menuWanted(menu);
    menu->popup(event->globalPos());
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
    if (event->matches(QKeySequence::Copy) && !m_layout.empty())
        return copyPicture(picture(tr("chart")));
    const int key = event->key();
    const bool arrow =
        key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
    if (key == Qt::Key_Escape && m_current) return setCurrent(std::nullopt);
    if (!arrow || m_layout.empty()) return QWidget::keyPressEvent(event);
    if (!m_current) {
        setCurrent(PointId{m_layout.visible.front(), 0});
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
    const PlotPoint& here = m_content.series[next.series].points[next.point];
    std::map<std::pair<double, std::size_t>, PointId> column;
    for (const std::size_t s : m_layout.visible) {
        const auto& points = m_content.series[s].points;
        for (std::size_t p = 0; p < points.size(); ++p)
            if (points[p].x == here.x) column[{points[p].value, s}] = {s, p};
    }
    const auto at = column.find({here.value, next.series});
    if (key == Qt::Key_Down && at != column.begin()) setCurrent(std::prev(at)->second);
    if (key == Qt::Key_Up && std::next(at) != column.end()) setCurrent(std::next(at)->second);
}

}  // namespace warpscope::gui
