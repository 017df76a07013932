// The difference image of a row whose result is not that of one thread.
#include <QPushButton>
#include <memory>

#include "engine/measure/row_images.h"
#include "engine/operations/registry.h"
#include "gui/benchmark/benchmark_choices.h"
#include "gui/benchmark/benchmark_series.h"
#include "gui/benchmark/benchmark_sheets.h"
#include "gui/benchmark/benchmark_window.h"
#include "gui/benchmark/sheet_view.h"

namespace warpscope::gui {

const StepTiming* BenchmarkWindow::comparableRow(QString& why) const {
    const auto [entry, row] = resultRowOrigin(m_reports.entries(), m_table->currentSheetRow());
    const auto refuse = [&](const QString& reason) -> const StepTiming* {
        why = reason;
        return nullptr;
    };
    if (!row) return refuse(tr("Select a row whose result is not that of one thread"));
    if (!entry->ofThisMachine())
        return refuse(tr("Only results of this machine can be computed again here"));
    if (m_thread.running()) return refuse(tr("Not while the benchmark runs"));
    if (m_comparing) return refuse(tr("Being computed"));
    const Operation* operation = findOperation(row->operation);
    if (!operation || operation->description().kind == OperationKind::Analysis)
        return refuse(tr("A histogram is counts, not an image"));
    const Verdict verdict = row->agreement.verdict;
    if (!row->measured() || verdict == Verdict::NotCompared)
        return refuse(tr("This row was not compared with anything"));
    if (verdict == Verdict::Identical) return refuse(tr("This row's result is identical"));
    return row;
}

void BenchmarkWindow::showDifference() {
    QString why;
    const StepTiming* row = comparableRow(why);
    if (!row) return;
    m_comparing = true;
    m_comparingStop = std::stop_source();
    updateCorner();
    m_tasks.run([this, row = *row, image = m_choices->image(), peers = m_peers,
                 stop = m_comparingStop.get_token()]() -> TaskRunner::Finish {
        auto made = std::make_shared<Result<RowImages>>(
            imagesOfRow(m_factory(), peers, row, image, RunContext{stop, {}}));
        return [this, made, row] {
            m_comparing = false;
            updateCorner();
            if (*made)
                return emit differenceReady((*made)->other, (*made)->reference, placeWords(row),
                                            tr("1 thread"));
            if (made->error().code != ErrorCode::Cancelled)
                tell(MessageBar::Level::Error, QString::fromStdString(made->error().message));
        };
    });
}

}  // namespace warpscope::gui
