#include "gui/benchmark/chart_page.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/benchmark/log_chart.h"
#include "gui/benchmark/row_series.h"
#include "gui/benchmark/series_legend.h"
#include "gui/widgets/bench_command.h"
#include "gui/widgets/segmented_control.h"

namespace warpscope::gui {
namespace {

constexpr int kNarrowLegend = 150;
constexpr double kMostOfLegend = 0.4;

}  // namespace

ChartPage::ChartPage(Kind kind, const BenchmarkReports& reports, QWidget* parent)
    : QWidget(parent), m_reports(reports), m_kind(kind) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(8);
    m_chart = new LogChart;
    const QString names[] = {QStringLiteral("timeChart"), QStringLiteral("speedupChart"),
                             QStringLiteral("parameterChart"), QStringLiteral("rooflineChart")};
    const QString spoken[] = {tr("Time against image size"), tr("Speedup against image size"),
                              tr("Time against a parameter"), tr("Roofline")};
    m_chart->setObjectName(names[int(kind)]);
    m_chart->setAccessibleName(spoken[int(kind)]);
    m_chart->setToolTip({});
    if (kind == Kind::Speedup) {
        m_baseline = new SegmentedControl(
            {tr("Best CPU"), tr("All cores"), tr("1 thread")},
            {tr("Everything against the fastest that the CPU was measured to do it with at that "
                "size, whatever its variant and threads: that one is the line 1×"),
             tr("The same algorithm: the GPU against its variant on all cores of the CPU"),
             tr("The same algorithm: all cores and GPU against their variant on one thread")});
        m_baseline->setObjectName(QStringLiteral("speedupBaseline"));
        m_baseline->setAccessibleName(tr("What speedups are against"));
        m_baseline->setCurrent(0);
        m_baseline->setMaximumWidth(360);
        layout->addWidget(m_baseline);
        connect(m_baseline, &SegmentedControl::chosen, this, &ChartPage::refresh);
    }
    m_legend = new SeriesLegend;
    m_splitter = new QSplitter(Qt::Horizontal);
    m_splitter->addWidget(m_chart);
    m_splitter->addWidget(m_legend);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(8);
    m_legend->setMinimumWidth(kNarrowLegend);
    layout->addWidget(m_splitter, 1);
    connect(m_chart, &LogChart::menuWanted, this, &ChartPage::addCommand);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_widthChosen = true; });
    connect(m_legend, &SeriesLegend::hiddenChanged, m_chart,
            [this] { m_chart->setHiddenSeries(m_legend->hiddenSeries()); });
}

std::optional<Baseline> ChartPage::against() const {
    if (!m_baseline) return std::nullopt;
    if (m_baseline->current() == 0) return Baseline();
    return m_baseline->current() == 1 ? BackendKind::Cpu : BackendKind::CpuSingle;
}

void ChartPage::setLegendFolded(bool folded) {
    m_folded = folded;
    m_legend->setVisible(!m_chart->content().series.empty() && !m_folded);
    fitLegend();
}

// Of the point under the cursor, or the one chosen by keys.
void ChartPage::addCommand(QMenu* menu) {
    const auto& current = m_chart->current();
    const StepTiming* row = nullptr;
    QString command;
    if (current) {
        const ChartSeries& series = m_chart->content().series[current->series];
        row = rowOfPoint(m_reports.entries(), series, series.points[current->point]);
        const auto* entry = m_reports.find(series.id.section(QLatin1Char('|'), 0, 0).toInt());
        if (row && entry) command = commandLineOf(*row, entry->report.command);
    }
    QAction* action = menu->addAction(tr("Copy the command"));
    action->setObjectName(QStringLiteral("copyCommand"));
    action->setToolTip(tr("The command line that measures this point again"));
    action->setEnabled(!command.isEmpty());
    if (!row) return action->setText(tr("Copy the command (of a point)"));
    connect(action, &QAction::triggered, this,
            [command] { QGuiApplication::clipboard()->setText(command); });
}

ChartContent ChartPage::content() const {
    switch (m_kind) {
        case Kind::Parameter:
            return parameterContent(m_reports.entries());
        case Kind::Roofline:
            return rooflineContent(m_reports.entries());
        default:
            return chartContent(m_reports.entries(), against());
    }
}

void ChartPage::refresh() {
    const ChartContent content = this->content();
    // The legend first: it decides which of the new series are to be seen.
    m_legend->setContent(content);
    m_legend->setVisible(!content.series.empty() && !m_folded);
    m_chart->setContent(content);
    m_chart->setHiddenSeries(m_legend->hiddenSeries());
    fitLegend();
}

// Whole rows, as far as the chart keeps most of the room; until somebody chooses another width.
void ChartPage::fitLegend() {
    if (m_widthChosen || m_legend->isHidden()) return;
    const int all = width() - m_splitter->handleWidth();
    const int most = std::max(kNarrowLegend, int(kMostOfLegend * all));
    const int legend = std::clamp(m_legend->wantedWidth(), kNarrowLegend, most);
    m_splitter->setSizes({all - legend, legend});
}

void ChartPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitLegend();
}

void ChartPage::setEmptyText(const QString& text) {
    m_chart->setEmptyText(text);
}

}  // namespace warpscope::gui
