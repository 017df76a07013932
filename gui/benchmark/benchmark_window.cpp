#include "gui/benchmark/benchmark_window.h"

#include <QCloseEvent>
#include <QComboBox>
#include <QPushButton>
#include <QScreen>
#include <QSplitter>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/benchmark/benchmark_choices.h"
#include "gui/benchmark/benchmark_sheets.h"
#include "gui/benchmark/chart_page.h"
#include "gui/benchmark/log_chart.h"
#include "gui/benchmark/results_list.h"
#include "gui/benchmark/run_strip.h"
#include "gui/benchmark/sheet_view.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {
namespace {

constexpr int kRefreshMs = 400;
constexpr QSize kFirstSize(1360, 860);

}  // namespace

BenchmarkPage benchmarkPageFrom(const QString& name) {
    const QStringList names{QStringLiteral("time"),         QStringLiteral("speedup"),
                            QStringLiteral("break-even"),   QStringLiteral("results"),
                            QStringLiteral("source-texts"), QStringLiteral("comparison")};
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
    middle->addWidget(buildLeft());
    middle->addWidget(buildRight());
    middle->setStretchFactor(0, 0);
    middle->setStretchFactor(1, 1);
    middle->setSizes({304, 1000});
    middle->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_messages);
    column->addWidget(middle, 1);
    column->addWidget(m_run);
    m_timer = new QTimer(this);
    m_timer->setSingleShot(true);
    m_timer->setInterval(kRefreshMs);
    m_choices->setImage({}, {});
    m_choices->setPeers(m_peers.available(), QString::fromStdString(m_peers.label),
                        QString::fromStdString(m_peers.unavailable));
    connectThread();
    connectComparison();
    connectParts();
    addKeys();
    updateStart();
    onListChanged();
    const QScreen* place = screen();
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

void BenchmarkWindow::connectThread() {
    connect(&m_thread, &BenchmarkThread::headReady, this, [this](const TimingReport& head) {
        m_runId = m_reports.beginRun(head);
        m_results->setCurrentId(m_runId);
    });
    connect(&m_thread, &BenchmarkThread::rowReady, this,
            [this](const StepTiming& row) { m_reports.addRow(m_runId, row); });
    connect(&m_thread, &BenchmarkThread::progressed, this, [this](const BenchmarkProgress& now) {
        m_progress = now;
        m_run->showProgress(now, m_thread.paused());
    });
    connect(&m_thread, &BenchmarkThread::finished, this, [this](bool complete) {
        if (m_compared) return endComparison(tr("Cancelled."));
        m_reports.endRun(m_runId, complete);
        endRun(complete ? tr("Done: %1 results.").arg(m_progress.total)
                        : tr("Cancelled: %1 of %2 results are complete.")
                              .arg(m_progress.done)
                              .arg(m_progress.total));
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
    connect(m_results, &ResultsList::shippedRequested, this, &BenchmarkWindow::showShipped);
    connect(&m_reports, &BenchmarkReports::listChanged, this, &BenchmarkWindow::onListChanged);
    connect(&m_reports, &BenchmarkReports::rowAdded, this, &BenchmarkWindow::refreshSoon);
    connect(m_tabs, &QTabWidget::currentChanged, this, &BenchmarkWindow::refreshPage);
    connect(m_timer, &QTimer::timeout, this, [this] {
        m_results->refresh();
        refreshPage();
    });
    // Until somebody chooses, the boxes follow what comes.
    for (QComboBox* box : {m_publishedWith, m_first, m_second})
        connect(box, &QComboBox::activated, box,
                [box] { box->setProperty("chosen", box->currentData()); });
    connect(m_publishedWith, &QComboBox::activated, this, &BenchmarkWindow::refreshPublished);
    connect(m_first, &QComboBox::activated, this, [this] { keepApart(m_first, m_second); });
    connect(m_second, &QComboBox::activated, this, [this] { keepApart(m_second, m_first); });
}

void BenchmarkWindow::setImage(const Image& image, const QString& name) {
    m_choices->setImage(image, name);
}

void BenchmarkWindow::setBackends(const BackendSet& backends) {
    const bool gpu = backends.cuda != nullptr;
    m_choices->setGpu(gpu, gpu ? QString::fromStdString(backends.cuda->info().label) : QString(),
                      QString::fromStdString(backends.cudaUnavailable));
    m_results->setGpuHere(gpu);
    const QString begin = tr("Choose what to time and press Start, or drop result files here.");
    const QString empty =
        gpu ? begin
            : tr("%1\nThis machine has no usable GPU: \"Show a machine with a GPU\" opens a run "
                 "that is shipped with the program.")
                  .arg(begin);
    m_timePage->setEmptyText(empty);
    m_speedupPage->setEmptyText(
        tr("Speedups need results of two sides, such as one thread and all cores, that agree."));
}

void BenchmarkWindow::showPage(BenchmarkPage page) {
    m_tabs->setCurrentIndex(int(page));
}

// --- running ---

void BenchmarkWindow::start() {
    if (m_thread.running() || !m_choices->summary().problem.isEmpty()) return;
    m_runId = 0;
    m_progress = {};
    m_choices->setEnabled(false);
    m_run->showStarting();
    emit runningChanged(true);
    m_thread.start(m_choices->plan(), m_peers);
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

ChartPage* BenchmarkWindow::chartPage() const {
    return qobject_cast<ChartPage*>(m_tabs->currentWidget());
}

SheetView* BenchmarkWindow::shownSheet() const {
    QWidget* page = m_tabs->currentWidget();
    if (auto* sheet = qobject_cast<SheetView*>(page)) return sheet;
    return page->findChild<SheetView*>();
}

void BenchmarkWindow::updateCorner() {
    ChartPage* page = chartPage();
    m_saveChart->setVisible(page != nullptr);
    m_saveChart->setEnabled(page && !page->chart().visibleSeries().empty());
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

void BenchmarkWindow::onListChanged() {
    m_results->refresh();
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
            m_breakEven->setSheet(breakEvenSheet(m_reports.entries()));
            break;
        case BenchmarkPage::Results:
            m_table->setSheet(resultSheet(m_reports.entries()));
            updateCorner();
            break;
        case BenchmarkPage::SourceTexts: {
            // Whoever has repeated the experiments, the newest first.
            int wanted = 0;
            for (const BenchmarkEntry& entry : m_reports.entries())
                for (const StepTiming& row : entry.report.results)
                    if (!row.experiment.empty()) wanted = entry.id;
            fillReportBox(m_publishedWith, wanted);
            refreshPublished();
            break;
        }
        case BenchmarkPage::Comparison: {
            const auto& entries = m_reports.entries();
            fillReportBox(m_first, entries.empty() ? 0 : entries[0].id);
            fillReportBox(m_second, entries.size() < 2 ? 0 : entries[1].id);
            // What was chosen by hand stays; the other box gives way.
            if (m_reports.find(m_second->property("chosen").toInt()))
                keepApart(m_second, m_first);
            else
                keepApart(m_first, m_second);
            break;
        }
        default:
            break;
    }
}

// Keeps what was chosen by hand.
void BenchmarkWindow::fillReportBox(QComboBox* box, int wanted) const {
    const int chosen = box->property("chosen").toInt();
    box->clear();
    const auto& entries = m_reports.entries();
    for (std::size_t i = 0; i < entries.size(); ++i)
        box->addItem(QStringLiteral("%1  %2").arg(entryTag(i), machineLabel(entries[i])),
                     entries[i].id);
    const int kept = box->findData(chosen);
    const int best = box->findData(wanted);
    box->setCurrentIndex(kept >= 0 ? kept : best >= 0 ? best : box->count() - 1);
}

// Nothing is compared with itself while there is something else.
void BenchmarkWindow::keepApart(const QComboBox* chosen, QComboBox* other) {
    if (other->currentIndex() == chosen->currentIndex() && other->count() > 1) {
        other->setCurrentIndex(chosen->currentIndex() == 0 ? 1 : 0);
        other->setProperty("chosen", {});
    }
    refreshComparison();
}

const BenchmarkEntry* BenchmarkWindow::chosenIn(const QComboBox* box) const {
    return m_reports.find(box->currentData().toInt());
}

void BenchmarkWindow::refreshPublished() {
    const BenchmarkEntry* entry = chosenIn(m_publishedWith);
    m_published->setSheet(publishedSheet(entry ? &entry->report : nullptr));
}

void BenchmarkWindow::refreshComparison() {
    const BenchmarkEntry* first = chosenIn(m_first);
    const BenchmarkEntry* second = chosenIn(m_second);
    if (!first || !second || first == second) {
        m_ratioText->setText(tr("A comparison needs two sets of results: run the benchmark, open a "
                                "file of another machine, or show the shipped results."),
                             Tone::Weak);
        m_comparison->setSheet({});
        return;
    }
    m_ratioText->setText(ratioSummary(first->report, second->report));
    m_comparison->setSheet(ratioSheet(first->report, second->report));
}

void BenchmarkWindow::tell(MessageBar::Level level, const QString& text) {
    m_messages->show({level, text, {}, {}, {}});
}

}  // namespace warpscope::gui
