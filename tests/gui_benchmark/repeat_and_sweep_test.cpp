// The same benchmark twice, and one parameter at many values, in the benchmark window.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <QRandomGenerator>
#include <QScrollArea>
#include <QSpinBox>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <set>

#include "gui/benchmark/benchmark_choices.h"
#include "gui/benchmark/benchmark_sheets.h"
#include "gui/benchmark/benchmark_window.h"
#include "gui/benchmark/log_chart.h"
#include "gui/benchmark/repeat_page.h"
#include "gui/benchmark/row_series.h"
#include "gui/benchmark/sheet_view.h"
#include "gui/benchmark/sweep_choice.h"
#include "gui/widgets/bench_command.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/wrap_label.h"
#include "support/test_case.h"
#include "tests/gui_benchmark/bench_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class RepeatAndSweepTest : public QObject {
    Q_OBJECT

    static void scale(SampleSummary& time, double by) {
        time.medianMs *= by;
        time.lowMs *= by;
        time.highMs *= by;
    }
    static QString cellOf(const Sheet& sheet, std::size_t row, const char* title) {
        for (std::size_t c = 0; c < sheet.columns.size(); ++c)
            if (sheet.columns[c].title == QLatin1String(title))
                return sheet.rows.at(row).at(c).text;
        return QStringLiteral("no such column");
    }

  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void whatMovedIsSaidPlaceByPlace() {
        Bench b;
        const TimingReport then = steadyReport();
        TimingReport now = then;
        scale(now.results[0].time, 1.2);
        scale(now.results[4].time, 0.8);
        now.results[1].time.highMs *= 1.5;  // noisy, whatever its figure
        now.results.pop_back();             // the GPU at the large size: two figures
        QVERIFY(b.open(then, "then.json"));
        QVERIFY(!b.tabVisible(BenchmarkPage::Repeat));
        QVERIFY(b.open(now, "now.json"));
        QVERIFY(b.tabVisible(BenchmarkPage::Repeat));
        b.window.showPage(BenchmarkPage::Repeat);
        auto* page = b.window.findChild<RepeatPage*>();
        QCOMPARE(page->check().moved(), std::size_t(2));
        QCOMPARE(page->check().missing, std::size_t(1));
        const auto sheet = [&] { return b.part<SheetView>("repeatTable")->sheet(); };
        QCOMPARE(sheet().rows.size(), std::size_t(3));  // noisy ones after those that moved
        QCOMPARE(cellOf(sheet(), 0, "Verdict"), QStringLiteral("slower"));
        QCOMPARE(cellOf(sheet(), 0, "Change"), QStringLiteral("+20.0%"));
        QCOMPARE(cellOf(sheet(), 1, "Verdict"), QStringLiteral("faster"));
        QCOMPARE(cellOf(sheet(), 2, "Verdict"), QStringLiteral("noisy"));
        const QString summary = b.part<WrapLabel>("repeatSummary")->text();
        QVERIFY2(summary.contains(QStringLiteral("1 thread: 1 of 2 figures moved")),
                 qPrintable(summary));
        QVERIFY2(summary.contains(QStringLiteral("8 threads: 1 of 1 figures moved")),
                 qPrintable(summary));
        QVERIFY(summary.contains(QStringLiteral("1 noisy")));
        QVERIFY(summary.contains(QStringLiteral("1 rows have no figure")));
        QTest::mouseClick(b.part<QCheckBox>("repeatAll"), Qt::LeftButton, {}, QPoint(8, 8));
        QCOMPARE(sheet().rows.size(), page->check().figures.size());
        for (int i = 0; i < int(sheet().rows.size()); ++i) {
            const RepeatedFigure* origin = repeatRowOrigin(page->check(), true, i);
            QCOMPARE(b.copiedCommand("repeatTable", i), commandLineOf(origin->now));
        }
        QCOMPARE(repeatRowOrigin(page->check(), true, int(sheet().rows.size())), nullptr);
        // A wider tolerance by keys.
        auto* tolerance = b.part<QDoubleSpinBox>("repeatTolerance");
        tolerance->setFocus();
        tolerance->selectAll();
        QTest::keyClicks(tolerance, QStringLiteral("30"));
        QTest::keyClick(tolerance, Qt::Key_Return);
        QCOMPARE(page->check().moved(), std::size_t(0));
        // With itself nothing is compared.
        auto* box = b.part<QComboBox>("repeatThen");
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Down);
        QVERIFY(sheet().rows.empty());
    }

    void aRunIsRepeatedAndCompared() {
        Bench b;
        BenchmarkPlan plan;
        plan.operations = {"grayscale", "median"};
        plan.sizes = {{64, 48}};
        plan.sampling.budgetMs = 5;
        plan.sampling.maxRounds = plan.sampling.minRounds = 3;
        b.window.choices().setPlan(plan);
        auto* again = b.part<QPushButton>("runAgain");
        QVERIFY(!again->isEnabled());
        QVERIFY(b.open(reportOf(), "file.json"));
        QVERIFY(!again->isEnabled());  // nobody knows the plan of a file
        b.window.start();
        QVERIFY(b.finished());
        QTRY_COMPARE_WITH_TIMEOUT(b.window.reports().entries().size(), std::size_t(2), 30000);
        const BenchmarkEntry& first = b.window.reports().entries()[1];
        QVERIFY(first.report.before && first.report.after && !first.running);
        QCOMPARE(first.report.rowsPlanned, std::size_t(4));
        // What is chosen meanwhile does not matter.
        plan.operations = {"equalize"};
        b.window.choices().setPlan(plan);
        QVERIFY(again->isEnabled());
        QTest::mouseClick(again, Qt::LeftButton);
        QVERIFY(b.window.thread().running() && !again->isEnabled());
        QVERIFY(b.finished());
        QTRY_COMPARE_WITH_TIMEOUT(b.window.reports().entries().size(), std::size_t(3), 30000);
        auto* page = b.window.findChild<RepeatPage*>();
        QTRY_VERIFY(page->isVisible());
        QCOMPARE(page->check().figures.size(), std::size_t(4));
        QCOMPARE(page->check().missing, std::size_t(0));
        QCOMPARE(page->check().figures[0].before.operation, std::string("grayscale"));
        QVERIFY(!b.part<WrapLabel>("repeatSummary")->text().isEmpty());
    }

    void valuesOfASweepObeyTheParameter() {
        for (const Operation* operation : allOperations())
            for (const ParamSpec& spec : operation->description().parameters) {
                if (spec.kind != ParamKind::Integer && spec.kind != ParamKind::Real) continue;
                const int count = 2 + int(warpscope::test::freshRandom()->bounded(30u));
                for (const bool logarithmic : {false, true}) {
                    const auto values = sweptValues(spec, std::max(spec.sliderMin, 1e-3),
                                                    spec.sliderMax, count, logarithmic);
                    QVERIFY2(!values.empty(), spec.id.c_str());
                    QVERIFY(int(values.size()) <= count);
                    for (const double value : values) {
                        QVERIFY(value >= spec.hardMin && value <= spec.hardMax);
                        QVERIFY(!spec.rule || !*spec.rule(value));
                        if (spec.kind == ParamKind::Integer) QCOMPARE(value, std::round(value));
                        QCOMPARE(std::count(values.begin(), values.end(), value), 1);
                    }
                }
            }
    }

    void aSweepIsChosenTimedAndDrawn() {
        Bench b;
        BenchmarkPlan plan;
        plan.operations = {"grayscale"};
        plan.sizes = {{64, 48}};
        plan.sampling.budgetMs = 2;
        plan.sampling.minRounds = plan.sampling.maxRounds = 1;
        b.window.choices().setPlan(plan);
        auto* on = b.part<QCheckBox>("sweepOn");
        QVERIFY(!on->isChecked() && b.window.choices().plan().steps.empty());
        auto* scroll = b.window.findChild<QScrollArea*>();
        scroll->ensureWidgetVisible(on);
        QTest::mouseClick(on, Qt::LeftButton, {}, QPoint(8, on->height() / 2));
        QVERIFY(on->isChecked());
        auto* operation = b.part<QComboBox>("sweepOperation");
        QVERIFY(operation->isVisible());
        operation->setCurrentIndex(operation->findData(QStringLiteral("gaussian_blur")));
        auto* parameter = b.part<QComboBox>("sweepParameter");
        parameter->setCurrentIndex(parameter->findData(QStringLiteral("sigma")));
        const auto type = [&](const char* name, const char* text) {
            auto* box = b.part<QAbstractSpinBox>(name);
            scroll->ensureWidgetVisible(box);
            box->setFocus();
            box->selectAll();
            QTest::keyClicks(box, QLatin1String(text));
            QTest::keyClick(box, Qt::Key_Tab);
        };
        type("sweepFrom", "1");
        type("sweepTo", "4");
        type("sweepCount", "4");
        b.part<QCheckBox>("sweepLog")->setChecked(false);
        const BenchmarkPlan swept = b.window.choices().plan();
        QCOMPARE(swept.operations, std::vector<std::string>{"gaussian_blur"});
        QCOMPARE(swept.steps.size(), std::size_t(4));
        for (std::size_t i = 0; i < 4; ++i)
            QCOMPARE(swept.steps[i].parameters.real("sigma"), double(i + 1));
        type("sweepTo", "0.5");
        QVERIFY(b.window.choices().summary().problem.contains(QStringLiteral("smaller")));
        type("sweepTo", "4");
        QVERIFY(b.window.choices().summary().problem.isEmpty());
        QVERIFY(!b.tabVisible(BenchmarkPage::Parameter));
        QTest::mouseClick(b.part<QPushButton>("startBenchmark"), Qt::LeftButton);
        QVERIFY(b.finished());
        QTRY_VERIFY(b.tabVisible(BenchmarkPage::Parameter));
        b.window.showPage(BenchmarkPage::Parameter);
        auto* chart = b.part<LogChart>("parameterChart");
        QTRY_COMPARE(chart->content().series.size(), std::size_t(2));
        for (const ChartSeries& series : chart->content().series) {
            QCOMPARE(series.points.size(), std::size_t(4));
            for (std::size_t i = 0; i < 4; ++i) {
                QCOMPARE(series.points[i].x, double(i + 1));
                const StepTiming* row =
                    rowOfPoint(b.window.reports().entries(), series, series.points[i]);
                QVERIFY(row);
                QCOMPARE(row->parameters.real("sigma"), double(i + 1));
                QCOMPARE(series.points[i].value, row->time.medianMs);
            }
        }
        QTest::mouseMove(chart, QPoint(3, 3));
        QTest::mouseMove(chart, chart->placeOf({0, 2}).toPoint());
        QTRY_VERIFY(chart->readout().contains(QStringLiteral("\n3: ")));
        // Off again: what was chosen before.
        scroll->ensureWidgetVisible(on);
        QTest::mouseClick(on, Qt::LeftButton, {}, QPoint(8, on->height() / 2));
        QCOMPARE(b.window.choices().plan().operations, plan.operations);
        QVERIFY(b.window.choices().plan().steps.empty());
    }

    void linesOfASweepAreTold() {
        TimingReport report = reportOf();
        std::vector<StepTiming> rows;
        for (const double sigma : {4.0, 1.0, 2.0})
            for (StepTiming row : report.results) {
                row.parameters.set("sigma", sigma);
                row.time.medianMs *= sigma;
                rows.push_back(row);
            }
        report.results = rows;
        BenchmarkEntry entry;
        entry.id = 3;
        entry.report = report;
        QVERIFY(hasSweep({entry}));
        const ChartContent content = parameterContent({entry});
        QCOMPARE(content.series.size(), std::size_t(8));  // two sizes, the GPU twice
        std::set<std::string> names;
        for (const ChartSeries& series : content.series) {
            names.insert(series.name);
            QCOMPARE(series.points.size(), std::size_t(3));
            QVERIFY(series.points[0].x < series.points[1].x);
        }
        QCOMPARE(names.size(), std::size_t(8));
        // Two parameters that change together are no sweep.
        for (StepTiming& row : entry.report.results)
            row.parameters.set("size", std::int64_t(2 * int(row.parameters.real("sigma")) + 1));
        QVERIFY(!hasSweep({entry}));
        QVERIFY(parameterContent({entry}).series.empty());
    }

    void samplingIsChosen() {
        BenchmarkChoices choices;
        const BenchmarkPlan defaults;
        BenchmarkPlan plan = choices.plan();
        QCOMPARE(plan.sampling.minRounds, defaults.sampling.minRounds);
        QCOMPARE(plan.sampling.maxRounds, defaults.sampling.maxRounds);
        QVERIFY(plan.pinThreads && plan.energy);
        choices.resize(300, 1400);
        choices.show();
        QVERIFY(QTest::qWaitForWindowExposed(&choices));
        for (const char* name : {"pinThreads", "measureEnergy"})
            QTest::mouseClick(choices.findChild<QCheckBox*>(QLatin1String(name)), Qt::LeftButton,
                              {}, QPoint(8, 8));
        auto* least = choices.findChild<QSpinBox*>(QStringLiteral("leastRounds"));
        least->setFocus();
        least->selectAll();
        QTest::keyClicks(least, QStringLiteral("70"));
        plan = choices.plan();
        QVERIFY(!plan.pinThreads && !plan.energy);
        QCOMPARE(plan.sampling.minRounds, 70);
        QCOMPARE(plan.sampling.maxRounds, 70);
        QVERIFY(choices.summary().text.contains(QStringLiteral("70 rounds")));
    }
};

WARPSCOPE_TEST(RepeatAndSweepTest)
#include "repeat_and_sweep_test.moc"
