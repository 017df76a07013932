#include "gui/timings/timing_chart.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QContextMenuEvent>
#include <QGraphicsLayout>
#include <QHorizontalStackedBarSeries>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QValueAxis>
#include <algorithm>
#include <cmath>

#include "gui/widgets/axis_range.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {

enum Set { kSingle, kAllCores, kComputing, kTransfers, kSets };

QString tickText(double ms) {
    return QLocale().toString(ms, 'g', 6);
}

}  // namespace

TimingChart::TimingChart(QWidget* parent) : QChartView(parent) {
    QChart* chart = this->chart();
    chart->legend()->hide();
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->setMargins(QMargins());
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setBackgroundRoundness(0);
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(tr("Timings as bars"));

    m_series = new QHorizontalStackedBarSeries;
    m_series->setBarWidth(0.72);
    for (QBarSet*& set : m_sets) m_series->append(set = new QBarSet(QString()));
    chart->addSeries(m_series);
    m_lineAxis = new QBarCategoryAxis;
    m_lineAxis->setLabelsVisible(false);
    m_lineAxis->setGridLineVisible(false);
    m_lineAxis->setLineVisible(false);
    m_valueAxis = new QValueAxis;
    m_valueAxis->setLabelsVisible(false);
    chart->addAxis(m_lineAxis, Qt::AlignLeft);
    chart->addAxis(m_valueAxis, Qt::AlignBottom);
    m_series->attachAxis(m_lineAxis);
    m_series->attachAxis(m_valueAxis);
    connect(&Theme::instance(), &Theme::changed, this, &TimingChart::applyTheme);
    applyTheme();
}

void TimingChart::applyTheme() {
    const ThemeColors& colors = Theme::instance().colors();
    chart()->setBackgroundBrush(colors.base);
    chart()->setBackgroundPen(Qt::NoPen);
    setBackgroundBrush(colors.base);
    m_valueAxis->setGridLinePen(QPen(colors.chartGrid, 1));
    m_valueAxis->setLinePen(QPen(colors.border, 1));
    QColor transfers = colors.gpu;
    transfers.setAlphaF(0.38f);
    const QColor fills[kSets] = {colors.cpuSingle, colors.cpu, colors.gpu, transfers};
    for (int set = 0; set < kSets; ++set) {
        m_sets[set]->setBrush(fills[set]);
        m_sets[set]->setPen(Qt::NoPen);
    }
    updateGeometry();
    layoutPlot(size());
    viewport()->update();
}

Picture TimingChart::picture() {
    return {tr("timings"), accessibleName(), labels().join(QStringLiteral("; ")), size(),
            [this](QPainter& painter) {
                applyTheme();
                render(&painter);
                const PictureColors own(Theme::instance().choice());
                applyTheme();
            }};
}

// Not QChartView's, which ends the program where nothing is under the mouse, as outside of the view
// while another button is held.
void TimingChart::mousePressEvent(QMouseEvent* event) {
    QGraphicsView::mousePressEvent(event);
}

void TimingChart::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("pictureMenu"));
    addPictureActions(*menu, this, [this] { return picture(); });
    menu->popup(event->globalPos());
}

int TimingChart::lineHeight() const {
    return QFontMetrics(Theme::instance().figureFont()).height() + 2;
}

void TimingChart::setBars(const std::vector<TimingBarGroup>& groups) {
    m_groups = groups;
    m_lines.clear();
    for (const TimingBarGroup& group : m_groups) {
        m_lines.push_back({true, {}, group.title});
        for (const TimingBar& bar : group.bars)
            m_lines.push_back({false, bar, tr("%1 ms").arg(millisecondText(bar.ms))});
    }
    const bool gpu = std::any_of(m_lines.begin(), m_lines.end(), [](const Line& line) {
        return !line.title && line.bar.backend == BackendKind::Cuda;
    });
    setToolTip(gpu ? tr("The light part of a GPU bar is upload, download and waiting") : QString());
    refill();
}

void TimingChart::setLogarithmic(bool on) {
    if (on == m_logarithmic) return;
    m_logarithmic = on;
    refill();
}

double TimingChart::position(double ms) const {
    if (!m_logarithmic) return std::max(0.0, ms);
    return ms > m_floorMs ? std::log10(ms / m_floorMs) : 0.0;
}

double TimingChart::barEnd(std::size_t group, std::size_t bar) const {
    return position(m_groups.at(group).bars.at(bar).ms);
}

QStringList TimingChart::labels() const {
    QStringList texts;
    for (const Line& line : m_lines)
        texts << (line.title ? line.text : line.bar.label + QLatin1Char('\t') + line.text);
    return texts;
}

void TimingChart::refill() {
    double lowest = 0, highest = 0;
    for (const Line& line : m_lines) {
        if (line.title || line.bar.ms <= 0) continue;
        // The solid part of a bar is to be seen as well.
        const double low = line.bar.solidMs > 0 ? line.bar.solidMs : line.bar.ms;
        lowest = lowest == 0 ? low : std::min(lowest, low);
        highest = std::max(highest, line.bar.ms);
    }
    if (highest == 0) lowest = highest = 1;
    m_floorMs = std::pow(10.0, std::floor(std::log10(lowest) - 0.15));
    m_limit = position(highest);

    const int count = int(m_lines.size());
    QStringList categories;
    QList<qreal> values[kSets];
    // Categories count from the bottom.
    for (int i = count - 1; i >= 0; --i) {
        const Line& line = m_lines[std::size_t(i)];
        categories << QString::number(count - 1 - i);
        double parts[kSets] = {};
        if (!line.title) {
            const double end = position(line.bar.ms);
            const double solid = position(line.bar.solidMs);
            if (line.bar.backend == BackendKind::CpuSingle) parts[kSingle] = end;
            if (line.bar.backend == BackendKind::Cpu) parts[kAllCores] = end;
            if (line.bar.backend == BackendKind::Cuda) {
                parts[kComputing] = solid;
                parts[kTransfers] = std::max(0.0, end - solid);
            }
        }
        for (int set = 0; set < kSets; ++set) values[set] << parts[set];
    }
    for (int set = 0; set < kSets; ++set) {
        if (m_sets[set]->count() == count) {
            for (int i = 0; i < count; ++i)
                if (m_sets[set]->at(i) != values[set][i]) m_sets[set]->replace(i, values[set][i]);
        } else {
            m_sets[set]->remove(0, m_sets[set]->count());
            m_sets[set]->append(values[set]);
        }
    }
    // Bars stay bars where there are few of them and much room.
    setMaximumHeight(sizeHint().height() + count * 4);
    if (m_lineAxis->count() != count) {
        m_lineAxis->setCategories(categories);
        if (count > 0) m_lineAxis->setRange(categories.first(), categories.last());
        updateGeometry();
    }
    m_valueAxis->setVisible(count > 0);  // no grid over nothing
    layoutPlot(size());
    setAccessibleDescription(
        labels().join(QStringLiteral(", ")).replace(QLatin1Char('\t'), QLatin1Char(' ')));
    viewport()->update();
}

void TimingChart::layoutPlot(const QSize& size) {
    const QFontMetrics metrics(Theme::instance().figureFont());
    int names = 0, figures = 0;
    for (const Line& line : m_lines) {
        if (line.title) continue;
        names = std::max(names, metrics.horizontalAdvance(line.bar.label));
        figures = std::max(figures, metrics.horizontalAdvance(line.text));
    }
    const int axis = 2 * metrics.height() + 6;
    m_plot = QRectF(names + 16, 4, size.width() - names - figures - 34, size.height() - axis - 4);
    if (m_plot.width() > 20 && m_plot.height() > 20) chart()->setPlotArea(m_plot);
    // Now, not with the next event: the axes would be painted where the plot was.
    chart()->layout()->invalidate();
    chart()->layout()->activate();
    const int wanted = std::max(1, int(m_plot.width() / 64));
    m_step =
        m_logarithmic ? std::max(1.0, std::ceil(m_limit / wanted)) : niceStep(m_limit / wanted);
    setRangeAndStep(*m_valueAxis, 0, m_limit, 0, m_step);
}

QSize TimingChart::minimumSizeHint() const {
    const QFontMetrics metrics(Theme::instance().figureFont());
    return {280, int(m_lines.size()) * lineHeight() + 2 * metrics.height() + 12};
}

QSize TimingChart::sizeHint() const {
    return {420, minimumSizeHint().height() + int(m_lines.size()) * 6};
}

void TimingChart::resizeEvent(QResizeEvent* event) {
    QChartView::resizeEvent(event);
    layoutPlot(event->size());
}

void TimingChart::showEvent(QShowEvent* event) {
    QChartView::showEvent(event);
    // What was filled while the page was hidden has told nobody how high it has become.
    updateGeometry();
}

void TimingChart::drawForeground(QPainter* painter, const QRectF&) {
    if (m_lines.empty() || m_plot.width() < 20) return;
    painter->save();
    const Theme& theme = Theme::instance();
    const ThemeColors& colors = theme.colors();
    const QFont figures = theme.figureFont();
    painter->setFont(figures);
    const QFontMetricsF metrics(figures);
    const double height = m_plot.height() / double(m_lines.size());
    const auto xOf = [&](double value) { return m_plot.left() + value / m_limit * m_plot.width(); };
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const Line& line = m_lines[i];
        const QRectF row(0, m_plot.top() + height * double(i), width(), height);
        if (line.title) {
            // Over the grid, so that no line strikes it through.
            const QRectF box(8, row.bottom() - metrics.height() - 1,
                             metrics.horizontalAdvance(line.text) + 6, metrics.height());
            painter->fillRect(box, colors.base);
            painter->setPen(colors.text);
            painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter, line.text);
            continue;
        }
        painter->setPen(colors.weakText);
        painter->drawText(QRectF(0, row.top(), m_plot.left() - 8, row.height()),
                          Qt::AlignRight | Qt::AlignVCenter, line.bar.label);
        painter->setPen(colors.text);
        painter->drawText(QRectF(xOf(position(line.bar.ms)) + 6, row.top(),
                                 metrics.horizontalAdvance(line.text) + 4, row.height()),
                          Qt::AlignLeft | Qt::AlignVCenter, line.text);
    }
    painter->setPen(colors.weakText);
    const double y = m_plot.bottom() + 3;
    double lastRight = -1;
    for (double v = 0; v <= m_limit * (1 + 1e-9); v += m_step) {
        const QString text = tickText(m_logarithmic ? m_floorMs * std::pow(10.0, v) : v);
        const double half = metrics.horizontalAdvance(text) / 2 + 1;
        const double x = xOf(v);
        if (x - half < lastRight + 4) continue;
        painter->drawText(QRectF(x - half, y, 2 * half, metrics.height()), Qt::AlignCenter, text);
        lastRight = x + half;
    }
    painter->drawText(QRectF(0, y + metrics.height(), m_plot.right(), metrics.height()),
                      Qt::AlignRight | Qt::AlignVCenter,
                      m_logarithmic ? tr("median, ms, logarithmic") : tr("median, ms"));
    painter->restore();
}

}  // namespace warpscope::gui
