// Files of the benchmark window: results and charts, opened, dropped and saved.
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QPushButton>
#include <memory>
#include <utility>

#include "gui/benchmark/benchmark_files.h"
#include "gui/benchmark/benchmark_window.h"
#include "gui/benchmark/chart_page.h"
#include "gui/benchmark/log_chart.h"
#include "gui/benchmark/results_list.h"
#include "gui/benchmark/sheet_view.h"
#include "gui/widgets/engine_text.h"

namespace warpscope::gui {
namespace {

QStringList resultFiles(const QMimeData* data) {
    QStringList files;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile()) files << url.toLocalFile();
    return files;
}

QFileDialog* makeDialog(QWidget* parent, const QString& title, const QString& folder,
                        const QStringList& filters, bool toSave) {
    auto* dialog = new QFileDialog(parent, title, folder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setNameFilters(filters);
    dialog->setAcceptMode(toSave ? QFileDialog::AcceptSave : QFileDialog::AcceptOpen);
    dialog->setFileMode(toSave ? QFileDialog::AnyFile : QFileDialog::ExistingFiles);
    if (!toSave) return dialog;
    // The ending says what is written; it follows the chosen kind.
    const auto follow = [dialog](const QString& filter) {
        dialog->setDefaultSuffix(
            filter.section(QLatin1String("*."), 1).section(QLatin1Char(')'), 0, 0));
    };
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, follow);
    follow(filters.front());
    return dialog;
}

}  // namespace

void BenchmarkWindow::openFiles(const QStringList& paths) {
    for (const QString& path : paths) {
        m_tasks.run([this, path]() -> TaskRunner::Finish {
            auto read = std::make_shared<Result<BenchmarkEntry>>(readEntry(path));
            return [this, read] {
                if (*read)
                    m_results->setCurrentId(m_reports.add(std::move(**read)));
                else
                    tell(MessageBar::Level::Error, engineText(read->error().message));
            };
        });
    }
    if (!paths.isEmpty()) m_settings.setLastFolder(QFileInfo(paths.front()).absolutePath());
}

void BenchmarkWindow::showShipped() {
    std::vector<BenchmarkEntry> entries = shippedEntries();
    if (entries.empty())
        return tell(MessageBar::Level::Warning, tr("No results are shipped with this program."));
    for (BenchmarkEntry& entry : entries) m_results->setCurrentId(m_reports.add(std::move(entry)));
}

void BenchmarkWindow::save(const QString& path, std::function<Result<void>()> write,
                           std::function<void()> saved) {
    m_settings.setLastFolder(QFileInfo(path).absolutePath());
    m_tasks.run([this, path, write = std::move(write), saved = std::move(saved)] {
        const Result<void> done = write();
        const QString error = done ? QString() : engineText(done.error().message);
        return TaskRunner::Finish([this, path, error, saved] {
            if (!error.isEmpty()) return tell(MessageBar::Level::Error, error);
            if (saved) saved();
            tell(MessageBar::Level::Info, tr("Saved %1").arg(QFileInfo(path).fileName()));
        });
    });
}

void BenchmarkWindow::saveResultsTo(const QString& path) {
    const BenchmarkEntry* entry = m_reports.find(m_results->currentId());
    if (!entry) return;
    const bool canBeOpened = path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
    save(
        path, [path, report = entry->report] { return saveResults(path, report); },
        [this, path, canBeOpened, id = entry->id, own = entry->ofThisMachine()] {
            if (canBeOpened && own) m_reports.setFile(id, path);
        });
}

void BenchmarkWindow::saveChartTo(const QString& path, ThemeChoice colors) {
    const LogChart* chart = shownChart();
    if (!chart) return;
    const auto picture = pictureBytes(path, chart->picture({}), colors);
    if (!picture) return tell(MessageBar::Level::Error, engineText(picture.error().message));
    save(path, [path, bytes = *picture] { return saveBytes(path, bytes); });
}

void BenchmarkWindow::openDialog() {
    QFileDialog* dialog = makeDialog(this, tr("Open results"), m_settings.lastFolder(),
                                     {tr("Results (*.json)"), tr("All files (*)")}, false);
    connect(dialog, &QFileDialog::filesSelected, this, &BenchmarkWindow::openFiles);
    dialog->open();
}

void BenchmarkWindow::saveDialog() {
    const BenchmarkEntry* entry = m_reports.find(m_results->currentId());
    if (!entry || entry->report.results.empty()) return;
    QFileDialog* dialog = makeDialog(this, tr("Save results"), m_settings.lastFolder(),
                                     {tr("JSON, to be opened again (*.json)"), tr("CSV (*.csv)"),
                                      tr("Markdown (*.md)"), tr("Report for a browser (*.html)")},
                                     true);
    dialog->selectFile(tr("timings-%1").arg(QString::fromStdString(entry->report.date).left(10)));
    connect(dialog, &QFileDialog::fileSelected, this, &BenchmarkWindow::saveResultsTo);
    dialog->open();
}

void BenchmarkWindow::saveChartDialog() {
    if (!m_saveChart->isEnabled()) return;
    const ChartPage* page = chartPage();
    const QString name = page == m_timePage        ? tr("time")
                         : page == m_speedupPage   ? tr("speedup")
                         : page == m_parameterPage ? tr("parameter")
                         : page == m_rooflinePage  ? tr("roofline")
                                                   : tr("comparison");
    askForPictureFile(
        this, name, m_settings.lastFolder(),
        [this](const QString& path, ThemeChoice colors) { saveChartTo(path, colors); });
}

void BenchmarkWindow::copyTable() {
    if (const SheetView* sheet = shownSheet()) sheet->copy();
}

void BenchmarkWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!resultFiles(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void BenchmarkWindow::dropEvent(QDropEvent* event) {
    openFiles(resultFiles(event->mimeData()));
    event->acceptProposedAction();
}

}  // namespace warpscope::gui
