// The timing laboratory: what to time, results while they come, as charts and tables, beside those
// of other machines and of the source texts. A window of its own that blocks nothing.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "gui/base/task_runner.h"
#include "gui/benchmark/benchmark_reports.h"
#include "gui/benchmark/benchmark_thread.h"
#include "gui/document/settings.h"
#include "gui/widgets/message_bar.h"

class QMenu;
class QPushButton;
class QShortcut;
class QTabWidget;
class QTimer;
class QToolButton;

namespace warpscope::gui {

class BenchmarkChoices;
class BreakEvenPage;
class ChartPage;
class ComparisonPage;
class LogChart;
class PublishedPage;
class RepeatPage;
class ResultsList;
class RunStrip;
class SheetView;

enum class BenchmarkPage {
    Time,
    Speedup,
    Parameter,
    BreakEven,
    Results,
    Roofline,
    SourceTexts,
    Comparison,
    Repeat
};
// "time", "speedup", "parameter", "break-even", "results", "roofline", "source-texts",
// "comparison", "repeat"; else Time.
BenchmarkPage benchmarkPageFrom(const QString& name);

class BenchmarkWindow : public QWidget {
    Q_OBJECT
  public:
    BenchmarkWindow(BenchmarkThread::BackendFactory factory, Settings& settings,
                    QWidget* parent = nullptr);
    ~BenchmarkWindow() override;  // joins the benchmark, finishes saves

    BenchmarkChoices& choices() { return *m_choices; }
    BenchmarkReports& reports() { return m_reports; }
    MessageBar& messages() { return *m_messages; }
    const BenchmarkThread& thread() const { return m_thread; }
    bool comparing() const { return m_compared.has_value(); }  // and not measuring
    bool busy() const { return m_tasks.busy() || m_thread.running() || m_refresh; }

    void setImage(const Image& image, const QString& name, const QString& file = {});
    void setBackends(const BackendSet& backends);

    void showPage(BenchmarkPage page);
    // For a room: large figures, light charts, nothing at the sides. Remembered.
    bool projecting() const { return m_projecting; }

    // Results of other machines. What cannot be read is said; what is there stays.
    void openFiles(const QStringList& paths);
    // By the ending of the name: the selected results, or the chart on the page that is shown.
    void saveResultsTo(const QString& path);
    void saveChartTo(const QString& path, ThemeChoice colors = ThemeChoice::Light);

  public slots:
    void start();
    // The same plan as that of the selected run, then both in the page of repeats.
    void runAgain();
    void showDetails();     // of the selected results
    void startPublished();  // the experiments alone; what is chosen stays
    void setProjecting(bool on);
    void setPaused(bool paused);
    void cancel();
    void showShipped();
    void openDialog();
    void saveDialog();
    void saveChartDialog();
    void copyTable();
    // Both results of the current row of the table, computed again; see differenceReady.
    void showDifference();

  signals:
    void runningChanged(bool running);  // true before the first measurement
    // The row's image and that of one thread, with their names.
    void differenceReady(const warpscope::Image& other, const warpscope::Image& reference,
                         const QString& labelOther, const QString& labelReference);

  protected:
    void closeEvent(QCloseEvent* event) override;  // cancels a run; results stay
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* buildLeft();
    QWidget* buildRight();
    void addKeys();
    void connectThread();
    void connectComparison();
    void connectParts();
    void startPlan(const BenchmarkPlan& plan);
    void connectFolds();
    void restoreFolds();
    void fold();
    void placeMessages();
    void addCommands(QMenu* menu);

    void onListChanged();
    void updateTabs();
    void refreshSoon();  // figures come faster than anyone reads them
    void refreshPage();
    void updateStart();
    void updateCorner();
    void endRun(const QString& text);
    void endComparison(const QString& text);
    void tell(MessageBar::Level level, const QString& text);
    std::vector<ChartPage*> chartPages() const;
    ChartPage* chartPage() const;   // of the page that is shown; null for a table
    LogChart* shownChart() const;   // also that of the comparison
    SheetView* shownSheet() const;  // null for a chart
    // The current row of the table if its image can be compared here; else null and, in `why`,
    // what stands in the way.
    const StepTiming* comparableRow(QString& why) const;
    void save(const QString& path, std::function<Result<void>()> write,
              std::function<void()> saved = {});

    Settings& m_settings;
    BenchmarkReports m_reports;
    MessageBar* m_messages = nullptr;
    BenchmarkChoices* m_choices = nullptr;
    QWidget* m_choicesRoom = nullptr;  // what it lies in, which ends after it
    ResultsList* m_results = nullptr;
    RunStrip* m_run = nullptr;
    QTabWidget* m_tabs = nullptr;
    QWidget* m_left = nullptr;
    QToolButton *m_foldLeft = nullptr, *m_foldSeries = nullptr, *m_projector = nullptr;
    QShortcut* m_leaveProjecting = nullptr;
    bool m_projecting = false;
    QPushButton *m_saveChart = nullptr, *m_copy = nullptr, *m_difference = nullptr;
    ChartPage *m_timePage = nullptr, *m_speedupPage = nullptr;
    ChartPage *m_parameterPage = nullptr, *m_rooflinePage = nullptr;
    RepeatPage* m_repeat = nullptr;
    BreakEvenPage* m_breakEven = nullptr;
    SheetView* m_table = nullptr;
    PublishedPage* m_published = nullptr;
    ComparisonPage* m_comparison = nullptr;
    QTimer* m_timer = nullptr;
    PeerSet m_peers;
    BenchmarkProgress m_progress;                 // the newest of the run
    std::shared_ptr<const BenchmarkPlan> m_plan;  // of the run
    int m_repeated = 0;                           // id of the run that is being repeated; 0: none
    int m_runId = 0;                              // of the run in the list; 0: none yet
    bool m_refresh = false;                       // the page that is shown is not up to date
    std::optional<StepTiming> m_compared;         // its results are being computed again
    TaskRunner m_tasks;
    BenchmarkThread m_thread;  // last: joined first
};

}  // namespace warpscope::gui
