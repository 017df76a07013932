#include "gui/benchmark/chart_page.h"

#include <QSplitter>
#include <QVBoxLayout>

#include "gui/benchmark/log_chart.h"
#include "gui/benchmark/series_legend.h"
#include "gui/steps/segmented_control.h"

namespace warpscope::gui {

ChartPage::ChartPage(Kind kind, const BenchmarkReports& reports, QWidget* parent)
    : QWidget(parent), m_kind(kind), m_reports(reports) {
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
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(m_chart);
    splitter->addWidget(m_legend);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 0);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(8);
    m_legend->setMinimumWidth(150);
    layout->addWidget(splitter, 1);
    connect(m_legend, &SeriesLegend::hiddenChanged, m_chart,
            [this] { m_chart->setHiddenSeries(m_legend->hiddenSeries()); });
}

void ChartPage::refresh() {
    const auto baseline = m_baseline && m_baseline->current() == 1 ? SpeedupBaseline::AllCores
                                                                   : SpeedupBaseline::OneThread;
    const ChartContent content = m_kind == Kind::Time
                                     ? timeContent(m_reports.entries())
                                     : speedupContent(m_reports.entries(), baseline);
    // The legend first: it decides which of the new series are to be seen.
    m_legend->setContent(content);
    m_legend->setVisible(!content.series.empty());
    m_chart->setContent(content);
    m_chart->setHiddenSeries(m_legend->hiddenSeries());
}

void ChartPage::setEmptyText(const QString& text) {
    m_chart->setEmptyText(text);
}

}  // namespace warpscope::gui
