// The benchmark window without a GPU, shown, with a folder for its files.
#pragma once

#include <QAbstractButton>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include "gui/benchmark/benchmark_choices.h"
#include "gui/benchmark/benchmark_window.h"
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
