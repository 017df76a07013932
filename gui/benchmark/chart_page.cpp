#include "gui/benchmark/chart_page.h"

#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/benchmark/log_chart.h"
#include "gui/benchmark/series_legend.h"
#include "gui/widgets/segmented_control.h"

namespace warpscope::gui {
namespace {

constexpr int kNarrowLegend = 150;
constexpr double kMostOfLegend = 0.4;

}  // namespace

ChartPage::ChartPage(Kind kind, const BenchmarkReports& reports, QWidget* parent)
    : QWidget(parent), m_reports(reports) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(8);
    m_chart = new LogChart;
    m_chart->setObjectName(kind == Kind::Time ? QStringLiteral("timeChart")
                                              : QStringLiteral("speedupChart"));
    m_chart->setAccessibleName(kind == Kind::Time ? tr("Time against image size")
                                                  : tr("Speedup against image size"));
    m_chart->setToolTip({});
    if (kind == Kind::Speedup) {
        m_baseline = new SegmentedControl({tr("Against one thread"), tr("Against all cores")},
                                          {tr("All cores and GPU against one thread of the CPU"),
                                           tr("The GPU against all cores of the CPU")});
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
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_widthChosen = true; });
    connect(m_legend, &SeriesLegend::hiddenChanged, m_chart,
            [this] { m_chart->setHiddenSeries(m_legend->hiddenSeries()); });
}

void ChartPage::refresh() {
    std::optional<BackendKind> against;
    if (m_baseline)
        against = m_baseline->current() == 1 ? BackendKind::Cpu : BackendKind::CpuSingle;
    const ChartContent content = chartContent(m_reports.entries(), against);
    // The legend first: it decides which of the new series are to be seen.
    m_legend->setContent(content);
    m_legend->setVisible(!content.series.empty());
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
