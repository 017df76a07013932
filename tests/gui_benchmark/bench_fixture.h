// The benchmark window without a GPU, shown, with a folder for its files.
#pragma once

#include <QAbstractButton>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include "gui/benchmark/benchmark_choices.h"
#include "gui/benchmark/benchmark_window.h"
#include "gui/benchmark/sheet_view.h"
#include "support/test_case.h"
#include "tests/gui_benchmark/samples.h"

namespace warpscope::gui {

struct Bench {
    QTemporaryDir folder;
    Settings own{QString()};
    Settings& settings;
    BenchmarkWindow window{[] { return BackendSet::cpuOnly("no GPU in this test"); }, settings};

    explicit Bench(QSize size = {1280, 720}, Settings* given = nullptr)
        : settings(given ? *given : own) {
        window.setBackends(BackendSet::cpuOnly("no GPU in this test"));
        window.resize(size);
        window.show();
        (void)QTest::qWaitForWindowActive(&window);
    }
    bool open(const TimingReport& report, const char* name = "a.json") {
        const auto before = window.reports().entries().size();
        window.openFiles({writeReport(folder.path(), name, report)});
        return waitedFor([&] { return window.reports().entries().size() > before; }, 30000);
    }
    template <class T>
    T* part(const char* name) {
        return window.findChild<T*>(QLatin1String(name));
    }
    void click(const char* name) { QTest::mouseClick(part<QAbstractButton>(name), Qt::LeftButton); }
    // What the menu of a table copies as the command of a row; empty where it offers none.
    QString copiedCommand(const char* table, int row) {
        auto* sheet = part<SheetView>(table);
        sheet->scrollTo(sheet->model()->index(row, 0));
        const QPoint at = sheet->visualRect(sheet->model()->index(row, 0)).center();
        QTest::mouseClick(sheet->viewport(), Qt::LeftButton, {}, at);
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, sheet->viewport()->mapToGlobal(at));
        QCoreApplication::sendEvent(sheet->viewport(), &event);
        QMenu* menu = nullptr;
        for (QMenu* one : sheet->findChildren<QMenu*>(QStringLiteral("sheetMenu")))
            if (one->isVisible()) menu = one;
        auto* action = menu ? menu->findChild<QAction*>(QStringLiteral("copyCommand")) : nullptr;
        QGuiApplication::clipboard()->clear();
        if (action && action->isEnabled())
            QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
        else if (menu)
            menu->close();
        return QGuiApplication::clipboard()->text();
    }
    bool tabVisible(BenchmarkPage page) {
        return part<QTabWidget>("benchmarkTabs")->isTabVisible(int(page));
    }
    bool finished(int ms = 60000) {
        return waitedFor([&] { return !window.thread().running(); }, ms);
    }
    // Operations that take milliseconds.
    void choose(std::vector<std::string> operations, std::vector<Size> sizes,
                double budgetMs = 10) {
        BenchmarkPlan plan;
        plan.operations = std::move(operations);
        plan.sizes = std::move(sizes);
        plan.sampling.budgetMs = budgetMs;
        window.choices().setPlan(plan);
    }
    const TimingReport& last() { return window.reports().entries().back().report; }
};

// Every row in nine rounds, and steady.
inline TimingReport steadyReport() {
    TimingReport report = reportOf();
    for (StepTiming& row : report.results) {
        row.time.rounds = 9;
        row.time.lowMs = row.time.medianMs * 0.99;
        row.time.highMs = row.time.medianMs * 1.01;
        row.endToEnd = row.time;
        if (!row.ofGpu()) continue;
        row.endToEnd.medianMs = row.endToEndMs;
        row.endToEnd.lowMs = row.endToEndMs * 0.99;
        row.endToEnd.highMs = row.endToEndMs * 1.01;
    }
    return report;
}

}  // namespace warpscope::gui
