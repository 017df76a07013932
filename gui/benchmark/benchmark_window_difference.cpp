// The difference image of a row whose result is not that of one thread.
#include "engine/operations/registry.h"
#include "gui/benchmark/benchmark_choices.h"
#include "gui/benchmark/benchmark_series.h"
#include "gui/benchmark/benchmark_sheets.h"
#include "gui/benchmark/benchmark_window.h"
#include "gui/benchmark/results_list.h"
#include "gui/benchmark/run_strip.h"
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
        return refuse(tr("Only results of this session can be computed again, not those of files"));
    if (m_thread.running()) return refuse(tr("Not while something is being computed"));
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
    m_compared = *row;
    m_choices->setEnabled(false);
    m_results->setRunnable(false);
    m_run->showComparing(
        QStringLiteral("%1, %2, %3")
            .arg(operationText(row->operation), sizeWords(*row), placeWords(*row)));
    emit runningChanged(true);
    m_thread.compare(*row, m_choices->image(), m_peers);
    updateCorner();
}

void BenchmarkWindow::endComparison(const QString& text) {
    m_compared.reset();
    endRun(text);
}

void BenchmarkWindow::connectComparison() {
    connect(&m_thread, &BenchmarkThread::compared, this, [this](const RowImages& images) {
        QString other = placeWords(*m_compared), reference = tr("1 thread");
        if (m_compared->variant != kAutomaticVariant) {
            other = tr("%1, %2").arg(QString::fromStdString(m_compared->variant), other);
            reference = tr("automatic, %1").arg(reference);
        }
        endComparison(tr("The difference is in the main window."));
        emit differenceReady(images.other, images.reference, other, reference);
    });
}

}  // namespace warpscope::gui
