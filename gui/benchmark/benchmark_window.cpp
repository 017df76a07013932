#include "gui/benchmark/benchmark_window.h"

#include <QCloseEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QShortcut>
#include <QSplitter>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/benchmark/benchmark_choices.h"
#include "gui/benchmark/benchmark_pages.h"
#include "gui/benchmark/benchmark_series.h"
#include "gui/benchmark/benchmark_sheets.h"
#include "gui/benchmark/chart_page.h"
#include "gui/benchmark/comparison_page.h"
#include "gui/benchmark/log_chart.h"
#include "gui/benchmark/repeat_page.h"
#include "gui/benchmark/results_list.h"
#include "gui/benchmark/row_series.h"
#include "gui/benchmark/run_details.h"
#include "gui/benchmark/run_strip.h"
#include "gui/benchmark/series_legend.h"
#include "gui/benchmark/sheet_view.h"
#include "gui/widgets/engine_text.h"

namespace warpscope::gui {
namespace {

constexpr int kRefreshMs = 400;
constexpr QSize kFirstSize(1360, 860);
constexpr int kLeftWidth = 272;

}  // namespace

BenchmarkPage benchmarkPageFrom(const QString& name) {
    const QStringList names{
        QStringLiteral("time"),         QStringLiteral("speedup"),    QStringLiteral("parameter"),
        QStringLiteral("break-even"),   QStringLiteral("results"),    QStringLiteral("roofline"),
        QStringLiteral("source-texts"), QStringLiteral("comparison"), QStringLiteral("repeat")};
    return BenchmarkPage(std::max(0, int(names.indexOf(name))));
}

BenchmarkWindow::BenchmarkWindow(BenchmarkThread::BackendFactory factory, Settings& settings,
                                 QWidget* parent)
    : QWidget(parent, Qt::Window),
      m_settings(settings),
      m_peers(loadPeers()),
      m_thread(std::move(factory)) {
    setObjectName(QStringLiteral("benchmarkWindow"));
    setWindowTitle(tr("Benchmark – Warpscope"));
    setAcceptDrops(true);
    m_messages = new MessageBar(this);
    m_run = new RunStrip;
    auto* middle = new QSplitter(Qt::Horizontal);
    middle->addWidget(m_left = buildLeft());
    middle->addWidget(buildRight());
    middle->setStretchFactor(0, 0);
    middle->setStretchFactor(1, 1);
    middle->setSizes({kLeftWidth, 4 * kLeftWidth});
    middle->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(middle, 1);
    column->addWidget(m_run);
    // Over the charts' lower edge: nothing moves under the mouse.
    m_messages->raise();
    m_messages->installEventFilter(this);
    m_tabs->installEventFilter(this);
    m_timer = new QTimer(this);
    m_timer->setSingleShot(true);
    m_timer->setInterval(kRefreshMs);
    m_choices->setImage({}, {}, {});
    m_choices->setPeers(m_peers.available(), QString::fromStdString(m_peers.label()),
                        engineText(m_peers.unavailable));
    connectThread();
    connectComparison();
    connectParts();
    addKeys();
    updateStart();
    onListChanged();
    const QScreen* place = screen();
    restoreFolds();
    resize(place ? kFirstSize.boundedTo(place->availableSize() - QSize(16, 40)) : kFirstSize);
}

BenchmarkWindow::~BenchmarkWindow() {
    // What reports goes before what it reports to.
    disconnect(&m_thread, nullptr, this, nullptr);
    m_thread.cancel();
    disconnect(m_tabs, nullptr, this, nullptr);
    // Widgets refer to members.
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

QWidget* BenchmarkWindow::buildLeft() {
    m_choices = new BenchmarkChoices;
    auto* scroll = new QScrollArea;
    scroll->setWidget(m_choices);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    m_choicesRoom = scroll->viewport();
    m_choicesRoom->installEventFilter(this);
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
    left->setMinimumWidth(kLeftWidth);
    return left;
}

QWidget* BenchmarkWindow::buildRight() {
    m_tabs = new QTabWidget;
    m_tabs->setObjectName(QStringLiteral("benchmarkTabs"));
    m_tabs->setAccessibleName(tr("Charts and tables"));
    m_tabs->setDocumentMode(true);
    m_timePage = new ChartPage(ChartPage::Kind::Time, m_reports);
    m_speedupPage = new ChartPage(ChartPage::Kind::Speedup, m_reports);
    m_parameterPage = new ChartPage(ChartPage::Kind::Parameter, m_reports);
    m_parameterPage->setEmptyText(
        tr("Time against a parameter: choose one under Sweep at the left, or open results of "
           "warpscope-cli bench --sweep."));
    m_rooflinePage = new ChartPage(ChartPage::Kind::Roofline, m_reports);
    m_rooflinePage->setEmptyText(
        tr("The roofline needs results with the machine's copy bandwidth or its arithmetic peak."));
    m_repeat = new RepeatPage(m_reports);
    m_breakEven = new BreakEvenPage(m_reports);
    m_table = new SheetView(QStringLiteral("resultTable"), tr("All results with every field"));
    m_published = new PublishedPage(m_reports);
    m_comparison = new ComparisonPage(m_reports);
    const struct {
        QWidget* page;
        QString title, toolTip;
    } pages[] = {
        {m_timePage, tr("Time"), tr("Time against image size")},
        {m_speedupPage, tr("Speedup"), tr("Speedup against image size, both sides named")},
        {m_parameterPage, tr("Sweep"), tr("Time against a parameter, where one was swept")},
        {m_breakEven, tr("Break-even"), tr("From which size on one side wins")},
        {m_table, tr("Results"), tr("Every result with all its fields")},
        {m_rooflinePage, tr("Roofline"),
         tr("Operations a second against operations a byte, under what the machine can do")},
        {m_published, tr("Source texts"), tr("Published figures beside those chosen here")},
        {m_comparison, tr("Compare"), tr("Ratios of any two machines, places or variants")},
        {m_repeat, tr("Repeat"), tr("The same benchmark twice: which figures came out again")}};
    for (const auto& page : pages)
        m_tabs->setTabToolTip(m_tabs->addTab(page.page, page.title), page.toolTip);

    const auto toggle = [](const char* name, const QString& text, const QString& help) {
        auto* button = new QToolButton;
        button->setObjectName(QLatin1String(name));
        button->setText(text);
        button->setToolTip(help);
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        return button;
    };
    m_foldLeft = toggle("showChoices", tr("Choices"),
                        tr("What to time and the list of results, at the left"));
    m_foldSeries = toggle("showSeries", tr("Series"), tr("The list of series beside the chart"));
    m_projector = toggle("projector", tr("Projector"),
                         tr("Large figures and light charts for a room; nothing at the sides "
                            "(Ctrl+Shift+L, Esc leaves)"));
    for (QWidget* tool : {m_foldLeft, m_projector}) m_run->addTool(tool);
    connectFolds();
    // Rows of break-even sizes are of many measurements.
    for (SheetView* sheet :
         {m_table, m_comparison->findChild<SheetView*>(), m_published->findChild<SheetView*>(),
          m_repeat->findChild<SheetView*>()})
        connect(sheet, &SheetView::menuWanted, this, &BenchmarkWindow::addCommands);
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
    row->addWidget(m_foldSeries);
    m_tabs->setCornerWidget(corner);
    connect(m_tabs, &QTabWidget::currentChanged, this, &BenchmarkWindow::updateCorner);
    connect(m_tabs, &QTabWidget::currentChanged, this, &BenchmarkWindow::updateTabs);
    for (ChartPage* page : chartPages())
        connect(&page->legend(), &SeriesLegend::hiddenChanged, this, &BenchmarkWindow::updateCorner,
                Qt::QueuedConnection);
    connect(m_saveChart, &QPushButton::clicked, this, &BenchmarkWindow::saveChartDialog);
    connect(m_copy, &QPushButton::clicked, this, &BenchmarkWindow::copyTable);
    connect(m_difference, &QPushButton::clicked, this, &BenchmarkWindow::showDifference);
    connect(m_table, &SheetView::currentSheetRowChanged, this, &BenchmarkWindow::updateCorner);
    updateCorner();
    return m_tabs;
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
    key(Qt::CTRL | Qt::SHIFT | Qt::Key_L, [this] { setProjecting(!m_projecting); });
    m_leaveProjecting = new QShortcut(Qt::Key_Escape, this);
    connect(m_leaveProjecting, &QShortcut::activated, this, [this] { setProjecting(false); });
}

void BenchmarkWindow::connectThread() {
    connect(&m_thread, &BenchmarkThread::headReady, this, [this](const TimingReport& head) {
        m_runId = m_reports.beginRun(head, m_plan);
        m_results->setCurrentId(m_runId);
    });
    connect(&m_thread, &BenchmarkThread::rowReady, this,
            [this](std::size_t index, const StepTiming& row) {
                m_reports.setRow(m_runId, index, row);
            });
    connect(&m_thread, &BenchmarkThread::progressed, this, [this](const BenchmarkProgress& now) {
        m_progress = now;
        m_run->showProgress(now, m_thread.paused());
    });
    connect(&m_thread, &BenchmarkThread::reportReady, this,
            [this](const TimingReport& report) { m_reports.setReport(m_runId, report); });
    connect(&m_thread, &BenchmarkThread::finished, this, [this](bool complete) {
        if (m_compared) return endComparison(tr("Cancelled."));
        m_reports.endRun(m_runId, complete);
        const BenchmarkEntry* run = m_reports.find(m_runId);
        const std::size_t rows = run ? run->report.results.size() : 0;
        endRun(complete ? tr("Done: %1 results.").arg(rows)
                        : tr("Cancelled: %1 of %2 results, not all with all rounds.")
                              .arg(rows)
                              .arg(m_progress.rows));
        if (const int then = std::exchange(m_repeated, 0); then && rows > 0) {
            m_repeat->choose(then, m_runId);
            showPage(BenchmarkPage::Repeat);
        }
    });
    connect(&m_thread, &BenchmarkThread::failed, this, [this](const QString& message) {
        if (m_compared) {
            endComparison(tr("Stopped."));
            return tell(MessageBar::Level::Error, message);
        }
        m_reports.endRun(m_runId, false);
        endRun(tr("Stopped."));
        tell(MessageBar::Level::Error, tr("The benchmark stopped: %1").arg(message));
    });
}

void BenchmarkWindow::connectParts() {
    connect(m_run, &RunStrip::startRequested, this, &BenchmarkWindow::start);
    connect(m_run, &RunStrip::pauseRequested, this, &BenchmarkWindow::setPaused);
    connect(m_run, &RunStrip::cancelRequested, this, &BenchmarkWindow::cancel);
    connect(m_choices, &BenchmarkChoices::changed, this, &BenchmarkWindow::updateStart);
    connect(m_results, &ResultsList::openRequested, this, &BenchmarkWindow::openDialog);
    connect(m_results, &ResultsList::saveRequested, this, &BenchmarkWindow::saveDialog);
    connect(m_results, &ResultsList::detailsRequested, this, &BenchmarkWindow::showDetails);
    connect(m_results, &ResultsList::againRequested, this, &BenchmarkWindow::runAgain);
    connect(m_results, &ResultsList::shippedRequested, this, &BenchmarkWindow::showShipped);
    connect(&m_reports, &BenchmarkReports::listChanged, this, &BenchmarkWindow::onListChanged);
    connect(&m_reports, &BenchmarkReports::rowAdded, this, &BenchmarkWindow::refreshSoon);
    connect(m_tabs, &QTabWidget::currentChanged, this, &BenchmarkWindow::refreshPage);
    connect(m_published, &PublishedPage::timingRequested, this, &BenchmarkWindow::startPublished);
    connect(m_comparison, &ComparisonPage::chartChanged, this, &BenchmarkWindow::updateCorner);
    connect(m_timer, &QTimer::timeout, this, [this] {
        m_results->refresh();
        updateTabs();
        refreshPage();
    });
}

void BenchmarkWindow::setImage(const Image& image, const QString& name, const QString& file) {
    m_choices->setImage(image, name, file);
}

void BenchmarkWindow::setBackends(const BackendSet& backends) {
    const bool gpu = backends.cuda != nullptr;
    m_choices->setGpu(gpu, gpu ? engineText(backends.cuda->info().label) : QString(),
                      engineText(backends.cudaUnavailable));
    m_results->setGpuHere(gpu);
    const QString begin = tr("Choose what to time and press Start, or drop result files here.");
    const QString empty =
        gpu ? begin
            : tr("%1\nThis machine has no usable GPU: \"Show a machine with a GPU\" opens a run "
                 "that is shipped with the program.")
                  .arg(begin);
    m_timePage->setEmptyText(empty);
    m_speedupPage->setEmptyText(
        tr("Speedups need results of two sides that agree, such as one thread and all cores, and "
           "images large enough that more than one thread worked."));
}

void BenchmarkWindow::showPage(BenchmarkPage page) {
    m_tabs->setTabVisible(int(page), true);
    m_tabs->setCurrentIndex(int(page));
}

// --- running ---

void BenchmarkWindow::start() {
    if (m_choices->summary().problem.isEmpty()) startPlan(m_choices->plan());
}

void BenchmarkWindow::runAgain() {
    const BenchmarkEntry* entry = m_reports.find(m_results->currentId());
    if (!entry || !entry->plan || m_thread.running()) return;
    const int id = entry->id;
    startPlan(BenchmarkPlan(*entry->plan));
    m_repeated = id;
}

void BenchmarkWindow::showDetails() {
    if (const BenchmarkEntry* entry = m_reports.find(m_results->currentId()))
        (new RunDetails(*entry, this))->open();
}

void BenchmarkWindow::startPublished() {
    const BenchmarkPlan chosen = m_choices->plan();
    BenchmarkPlan plan = BenchmarkChoices::presetPlan(BenchmarkChoices::Preset::SourceTexts);
    if (!chosen.backends.empty()) plan.backends = chosen.backends;
    plan.sampling = chosen.sampling;
    plan.pinThreads = chosen.pinThreads;
    plan.energy = chosen.energy;
    plan.longestRowSeconds = chosen.longestRowSeconds;
    startPlan(plan);
}

void BenchmarkWindow::startPlan(const BenchmarkPlan& plan) {
    if (m_thread.running()) return;
    m_runId = m_repeated = 0;
    m_progress = {};
    m_plan = std::make_shared<const BenchmarkPlan>(plan);
    m_choices->setEnabled(false);
    m_results->setRunnable(false);
    m_run->showStarting();
    emit runningChanged(true);
    m_published->setTimeable(false);
    m_thread.start(plan, m_peers);
    // A sweep is a line there, and a heap of points against the size.
    if (!plan.steps.empty() && m_choices->sweeps()) showPage(BenchmarkPage::Parameter);
    updateCorner();
}

void BenchmarkWindow::setPaused(bool paused) {
    m_thread.setPaused(paused);
    if (m_thread.running() && m_progress.total > 0) m_run->showProgress(m_progress, paused);
}

void BenchmarkWindow::cancel() {
    if (!m_thread.running()) return;
    m_thread.cancel();
    m_run->showCancelling();
}

void BenchmarkWindow::endRun(const QString& text) {
    m_choices->setEnabled(true);
    m_published->setTimeable(true);
    m_results->setRunnable(true);
    updateCorner();
    m_run->showIdle(text);
    emit runningChanged(false);
}

void BenchmarkWindow::updateStart() {
    const PlanSummary& summary = m_choices->summary();
    m_run->setStartable(summary.problem.isEmpty(), summary.problem);
    if (m_thread.running()) return;
    m_run->showIdle(summary.problem.isEmpty() ? summary.text : summary.problem);
}

void BenchmarkWindow::closeEvent(QCloseEvent* event) {
    cancel();
    event->accept();
}

// --- showing ---

std::vector<ChartPage*> BenchmarkWindow::chartPages() const {
    return {m_timePage, m_speedupPage, m_parameterPage, m_rooflinePage};
}

ChartPage* BenchmarkWindow::chartPage() const {
    return qobject_cast<ChartPage*>(m_tabs->currentWidget());
}

LogChart* BenchmarkWindow::shownChart() const {
    if (ChartPage* page = chartPage()) return &page->chart();
    return m_tabs->currentWidget() == m_comparison ? &m_comparison->chart() : nullptr;
}

SheetView* BenchmarkWindow::shownSheet() const {
    QWidget* page = m_tabs->currentWidget();
    if (auto* sheet = qobject_cast<SheetView*>(page)) return sheet;
    return page->findChild<SheetView*>();
}

void BenchmarkWindow::updateCorner() {
    const LogChart* chart = shownChart();
    m_saveChart->setVisible(chart != nullptr);
    m_saveChart->setEnabled(chart && !chart->visibleSeries().empty());
    m_foldSeries->setVisible(chartPage() != nullptr);
    m_copy->setVisible(shownSheet() != nullptr);
    QString why;
    m_difference->setVisible(shownSheet() == m_table);
    m_difference->setEnabled(comparableRow(why) != nullptr);
    m_difference->setToolTip(
        m_difference->isEnabled()
            ? tr("The selected row's image against that of one thread, both computed again, in the "
                 "main window")
            : why);
}

// Pages that few results fill take no room before they do.
void BenchmarkWindow::updateTabs() {
    const auto show = [this](BenchmarkPage page, bool filled) {
        m_tabs->setTabVisible(int(page), filled || m_tabs->currentIndex() == int(page));
    };
    show(BenchmarkPage::Parameter, hasSweep(m_reports.entries()));
    show(BenchmarkPage::Repeat, m_reports.entries().size() > 1);
}

void BenchmarkWindow::onListChanged() {
    m_results->refresh();
    updateTabs();
    refreshPage();
}

void BenchmarkWindow::refreshSoon() {
    m_refresh = true;
    if (!m_timer->isActive()) m_timer->start();
}

void BenchmarkWindow::refreshPage() {
    m_refresh = false;
    m_timer->stop();
    if (ChartPage* page = chartPage()) {
        page->refresh();
        return updateCorner();
    }
    switch (BenchmarkPage(m_tabs->currentIndex())) {
        case BenchmarkPage::BreakEven:
            m_breakEven->refresh();
            break;
        case BenchmarkPage::Results:
            m_table->setSheet(resultSheet(m_reports.entries()));
            updateCorner();
            break;
        case BenchmarkPage::SourceTexts:
            m_published->refresh();
            break;
        case BenchmarkPage::Comparison:
            m_comparison->refresh();
            break;
        case BenchmarkPage::Repeat:
            m_repeat->refresh();
            break;
        default:
            break;
    }
}

void BenchmarkWindow::tell(MessageBar::Level level, const QString& text) {
    m_messages->show({level, text});
}

}  // namespace warpscope::gui
