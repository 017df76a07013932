// How the benchmark window is put together.
#include <QComboBox>
#include <QFormLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include "gui/benchmark/benchmark_choices.h"
#include "gui/benchmark/benchmark_window.h"
#include "gui/benchmark/chart_page.h"
#include "gui/benchmark/results_list.h"
#include "gui/benchmark/series_legend.h"
#include "gui/benchmark/sheet_view.h"
#include "gui/widgets/quiet_combo_box.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {

QWidget* BenchmarkWindow::buildLeft() {
    m_choices = new BenchmarkChoices;
    auto* scroll = new QScrollArea;
    scroll->setWidget(m_choices);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    m_choices->setAutoFillBackground(false);
    scroll->viewport()->setAutoFillBackground(false);
    m_results = new ResultsList(m_reports);
    auto* left = new QSplitter(Qt::Vertical);
    left->addWidget(scroll);
    left->addWidget(m_results);
    left->setChildrenCollapsible(false);
    left->setStretchFactor(0, 3);
    left->setStretchFactor(1, 1);
    left->setSizes({480, 260});
    left->setMinimumWidth(272);
    return left;
}

QWidget* BenchmarkWindow::buildRight() {
    m_tabs = new QTabWidget;
    m_tabs->setObjectName(QStringLiteral("benchmarkTabs"));
    m_tabs->setAccessibleName(tr("Charts and tables"));
    m_tabs->setDocumentMode(true);
    m_timePage = new ChartPage(ChartPage::Kind::Time, m_reports);
    m_speedupPage = new ChartPage(ChartPage::Kind::Speedup, m_reports);
    m_breakEven = new SheetView(QStringLiteral("breakEvenTable"), tr("Break-even sizes in words"));
    m_table = new SheetView(QStringLiteral("resultTable"), tr("All results with every field"));
    const struct {
        QWidget* page;
        QString title, toolTip;
    } pages[] = {
        {m_timePage, tr("Time"), tr("Time against image size")},
        {m_speedupPage, tr("Speedup"), tr("Speedup against image size, both sides named")},
        {m_breakEven, tr("Break-even"), tr("From which size on one side wins")},
        {m_table, tr("Results"), tr("Every result with all its fields")},
        {buildPublished(), tr("Source texts"), tr("Published figures beside those chosen here")},
        {buildComparison(), tr("Comparison"), tr("Ratios of two machines or runs")}};
    for (const auto& page : pages)
        m_tabs->setTabToolTip(m_tabs->addTab(page.page, page.title), page.toolTip);

    auto* corner = new QWidget;
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(4, 2, 4, 2);
    row->setSpacing(4);
    m_saveChart = new QPushButton(tr("Save c&hart…"));
    m_saveChart->setObjectName(QStringLiteral("saveChart"));
    m_saveChart->setToolTip(tr("The chart as PNG or SVG"));
    m_copy = new QPushButton(tr("Cop&y table"));
    m_copy->setObjectName(QStringLiteral("copyTable"));
    m_copy->setToolTip(tr("The selected rows, or all, as text with tabs (Ctrl+C)"));
    m_difference = new QPushButton(tr("Show &difference"));
    m_difference->setObjectName(QStringLiteral("showRowDifference"));
    for (QPushButton* button : {m_saveChart, m_difference, m_copy}) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    m_tabs->setCornerWidget(corner);
    connect(m_tabs, &QTabWidget::currentChanged, this, &BenchmarkWindow::updateCorner);
    for (ChartPage* page : {m_timePage, m_speedupPage})
        connect(&page->legend(), &SeriesLegend::hiddenChanged, this, &BenchmarkWindow::updateCorner,
                Qt::QueuedConnection);
    connect(m_saveChart, &QPushButton::clicked, this, &BenchmarkWindow::saveChartDialog);
    connect(m_copy, &QPushButton::clicked, this, &BenchmarkWindow::copyTable);
    connect(m_difference, &QPushButton::clicked, this, &BenchmarkWindow::showDifference);
    connect(m_table, &SheetView::currentSheetRowChanged, this, &BenchmarkWindow::updateCorner);
    updateCorner();
    return m_tabs;
}

QWidget* BenchmarkWindow::buildPublished() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(8, 8, 0, 0);
    column->setSpacing(8);
    auto* note = new WrapLabel;
    note->setText(tr("The published figures were measured by their authors, elsewhere, on other "
                     "hardware (named at each row). They stand here for a sense of proportion and "
                     "are never one side of a speedup."),
                  Tone::Weak);
    column->addWidget(note);
    m_publishedWith = new QuietComboBox;
    m_publishedWith->setObjectName(QStringLiteral("publishedWith"));
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 8, 0);
    form->addRow(tr("&Beside them"), m_publishedWith);
    m_publishedWith->setAccessibleName(tr("Results beside the published figures"));
    column->addLayout(form);
    m_published = new SheetView(QStringLiteral("publishedTable"),
                                tr("Published figures of the source texts, and ours"));
    column->addWidget(m_published, 1);
    return page;
}

QWidget* BenchmarkWindow::buildComparison() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(8, 8, 0, 0);
    column->setSpacing(8);
    m_first = new QuietComboBox;
    m_first->setObjectName(QStringLiteral("compareFirst"));
    m_first->setAccessibleName(tr("First results"));
    m_second = new QuietComboBox;
    m_second->setObjectName(QStringLiteral("compareSecond"));
    m_second->setAccessibleName(tr("Second results"));
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 8, 0);
    form->addRow(tr("&First"), m_first);
    form->addRow(tr("Seco&nd"), m_second);
    column->addLayout(form);
    m_ratioText = new WrapLabel;
    m_ratioText->setObjectName(QStringLiteral("ratioSummary"));
    column->addWidget(m_ratioText);
    m_comparison =
        new SheetView(QStringLiteral("comparisonTable"), tr("Ratios of two sets of results"));
    column->addWidget(m_comparison, 1);
    return page;
}

void BenchmarkWindow::addKeys() {
    const auto key = [this](const QKeySequence& keys, auto slot) {
        connect(new QShortcut(keys, this), &QShortcut::activated, this, slot);
    };
    key(QKeySequence::Open, &BenchmarkWindow::openDialog);
    key(QKeySequence::Save, &BenchmarkWindow::saveDialog);
    key(Qt::CTRL | Qt::Key_Return, &BenchmarkWindow::start);
    key(Qt::CTRL | Qt::Key_Enter, &BenchmarkWindow::start);
    key(Qt::CTRL | Qt::Key_Period, &BenchmarkWindow::cancel);
    key(Qt::CTRL | Qt::Key_W, [this] { close(); });
}

}  // namespace warpscope::gui
