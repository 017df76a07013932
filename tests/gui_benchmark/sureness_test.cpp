// How sure figures are, and under what conditions they were taken, in the benchmark window.
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>

#include "engine/report/break_even.h"
#include "engine/report/report_file.h"
#include "gui/benchmark/benchmark_sheets.h"
#include "gui/benchmark/benchmark_window.h"
#include "gui/benchmark/log_chart.h"
#include "gui/benchmark/row_series.h"
#include "gui/benchmark/run_details.h"
#include "gui/benchmark/sheet_view.h"
#include "gui/timings/timing_table.h"
#include "gui/widgets/segmented_control.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/wrap_label.h"
#include "support/test_case.h"
#include "tests/gui_benchmark/bench_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class SurenessTest : public QObject {
    Q_OBJECT

    // Rounds and intervals; row 1 (all cores, small) noisy with one thread at work, row 2 (the GPU)
    // noisy end to end alone.
    static TimingReport roundedReport() {
        TimingReport report = steadyReport();
        for (StepTiming& row : report.results)
            if (row.ofGpu()) row.joulesPerMegapixel = 0.125;
        StepTiming& cores = report.results[1];
        cores.time.lowMs = cores.time.medianMs * 0.97;
        cores.time.highMs = cores.time.medianMs * 1.042;
        cores.threadsWorked = 1;
        report.results[2].endToEnd.lowMs *= 0.9;
        report.machine.copyGbpsCpuSingle = 8;
        report.machine.copyGbpsGpu = 2000;
        report.machine.peakGopsCpuSingle = 60;
        report.machine.peakGopsCpu = 400;
        report.machine.peakGopsGpu = 30000;
        return report;
    }
    static Conditions conditionsOf(double load) {
        Conditions conditions;
        conditions.time = "2026-01-02T03:04:05Z";
        conditions.cpu.governor = "performance";
        conditions.cpu.load1 = load;
        return conditions;
    }
    static std::vector<BenchmarkEntry> entriesOf(const TimingReport& report) {
        BenchmarkEntry entry;
        entry.id = 1;
        entry.report = report;
        return {entry};
    }
    static const SheetCell& cell(const Sheet& sheet, std::size_t row, const char* title) {
        for (std::size_t c = 0; c < sheet.columns.size(); ++c)
            if (sheet.columns[c].title == QLatin1String(title)) return sheet.rows.at(row).at(c);
        qFatal("no column %s", title);
    }
    static int pixelsLike(const LogChart& chart, const QColor& color) {
        QImage image(700, 500, QImage::Format_RGB32);
        QPainter painter(&image);
        chart.paintTo(painter, QSizeF(image.size()));
        painter.end();
        int count = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const QColor c = image.pixelColor(x, y);
                count += std::abs(c.red() - color.red()) + std::abs(c.green() - color.green()) +
                             std::abs(c.blue() - color.blue()) <
                         120;
            }
        return count;
    }

  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void aRowSaysHowSureItIs() {
        const Sheet sheet = resultSheet(entriesOf(roundedReport()));
        QCOMPARE(cell(sheet, 0, "Steady").text, QStringLiteral("2.0%"));
        QVERIFY(cell(sheet, 0, "Steady").tone == SheetCell::Tone::Normal);
        const SheetCell& noisy = cell(sheet, 1, "Steady");
        QCOMPARE(noisy.text, QStringLiteral("noisy 7.2%"));
        QVERIFY(noisy.tone == SheetCell::Tone::Warning);
        QVERIFY(noisy.toolTip.contains(QStringLiteral("95%")));
        const SheetCell& gpu = cell(sheet, 2, "Steady");
        QVERIFY2(gpu.text.startsWith(QStringLiteral("2.0%; end to end noisy 1")),
                 qPrintable(gpu.text));
        QVERIFY(gpu.tone == SheetCell::Tone::Warning);
        QCOMPARE(cell(sheet, 1, "95% interval, ms").text, QStringLiteral("0.194 – 0.208"));
        QCOMPARE(cell(sheet, 0, "Rounds").text, QStringLiteral("9"));
        QCOMPARE(cell(sheet, 1, "Threads").text, QStringLiteral("1 of 8 worked"));
        QCOMPARE(cell(sheet, 4, "Threads").text, QStringLiteral("8"));
        QCOMPARE(cell(sheet, 2, "Threads").text, QString());
        QCOMPARE(cell(sheet, 2, "J/Mpixel").text, QStringLiteral("0.125"));
        QCOMPARE(cell(sheet, 1, "J/Mpixel").text, QString());
        QVERIFY(cell(sheet, 0, "Why").text.contains(QLatin1Char('%')));
        // One round is not said to be steady.
        const Sheet old = resultSheet(entriesOf(reportOf()));
        QCOMPARE(cell(old, 0, "95% interval, ms").text, QString());
        QVERIFY(!cell(old, 0, "Steady").text.contains(QLatin1Char('%')));
    }

    void sortingByNoiseAndFiguresThatChange() {
        SheetView view(QStringLiteral("sheet"), QStringLiteral("Sheet"));
        TimingReport report = roundedReport();
        view.setSheet(resultSheet(entriesOf(report)));
        view.resize(1400, 400);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        int steady = 0;
        while (view.sheet().columns[std::size_t(steady)].title != QStringLiteral("Steady"))
            ++steady;
        QHeaderView* header = view.horizontalHeader();
        const auto click = [&] {
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                              QPoint(header->sectionViewportPosition(steady) + 8, 8));
        };
        click();
        click();  // the widest first
        QCOMPARE(view.model()->index(0, steady).data().toString(), QStringLiteral("noisy 7.2%"));
        view.selectRow(0);
        QCOMPARE(view.currentSheetRow(), 1);
        // A row is known better: the selection stays on it.
        report.results[1].time.rounds = 10 + int(warpscope::test::freshRandom()->bounded(20u));
        view.setSheet(resultSheet(entriesOf(report)));
        QCOMPARE(view.currentSheetRow(), 1);
        QCOMPARE(cell(view.sheet(), 1, "Rounds").text,
                 QString::number(report.results[1].time.rounds));
        QVERIFY(view.selectionModel()->isRowSelected(0, {}));
    }

    void noisyPointsHaveARingAndTheLegendSaysSo() {
        const ChartContent sure = [] {
            TimingReport report = roundedReport();
            report.results.erase(report.results.begin() + 1);
            report.results[1].endToEnd.lowMs = 0.99 * report.results[1].endToEndMs;
            return chartContent(entriesOf(report));
        }();
        const ChartContent noisy = chartContent(entriesOf(roundedReport()));
        const auto said = [](const ChartContent& content, const char* what) {
            return std::any_of(content.captions.begin(), content.captions.end(),
                               [&](const auto& c) { return c.text.contains(QLatin1String(what)); });
        };
        QVERIFY(said(noisy, "dashed ring: noisy") && said(noisy, "95% interval"));
        QVERIFY(!said(sure, "dashed ring") && said(sure, "95% interval"));
        for (const ChartSeries& series : noisy.series) {
            if (series.ink != PlotInk::GpuEndToEnd) continue;
            QVERIFY(series.points[0].noisy && !series.points[1].noisy);
            QVERIFY(series.points[0].figures.find("noisy: upload") != std::string::npos);
            QVERIFY(series.points[1].hasSpread());
        }
        LogChart chart;
        const QColor red = Theme::instance().colors().error;
        chart.setContent(sure);
        const int without = pixelsLike(chart, red);
        chart.setContent(noisy);
        const int with = pixelsLike(chart, red);
        QVERIFY2(with > without + 8, qPrintable(QStringLiteral("%1 %2").arg(with).arg(without)));
    }

    void speedupsAreAgainstTheBestFirst() {
        Bench b;
        TimingReport report = roundedReport();
        // Another variant is the fastest on the CPU.
        StepTiming faster = report.results[4];
        faster.variant = "separable_constant";
        faster.time.medianMs /= 2;
        faster.time.lowMs /= 2;
        faster.time.highMs /= 2;
        report.results.push_back(faster);
        QVERIFY(b.open(report));
        b.window.showPage(BenchmarkPage::Speedup);
        auto* chart = b.part<LogChart>("speedupChart");
        auto* baseline = b.part<SegmentedControl>("speedupBaseline");
        QCOMPARE(baseline->current(), 0);
        const auto kernels = [&]() -> const ChartSeries* {
            for (const ChartSeries& series : chart->content().series)
                if (series.ink == PlotInk::GpuKernels) return &series;
            return nullptr;
        };
        QVERIFY(kernels());
        const auto at = [&](std::size_t i) { return kernels()->points.at(i); };
        QVERIFY(QString::fromStdString(at(1).figures).contains(QStringLiteral("best CPU")));
        QVERIFY(
            QString::fromStdString(at(1).figures).contains(QStringLiteral("separable_constant")));
        const double best = at(1).value;
        QTest::mouseClick(baseline->button(1), Qt::LeftButton);
        QVERIFY(chart->content().valueTitle.contains(QStringLiteral("8 threads")));
        QVERIFY(std::abs(at(1).value / best - 2) < 1e-9);
        QTest::mouseClick(baseline->button(2), Qt::LeftButton);
        QVERIFY(chart->content().valueTitle.contains(QStringLiteral("1 thread")));
        QVERIFY(at(1).value > 2 * best);
    }

    void theRuleOfBreakEvenIsSaidOnce() {
        Bench b;
        QVERIFY(b.open(roundedReport()));
        b.window.showPage(BenchmarkPage::BreakEven);
        auto* rule = b.part<WrapLabel>("breakEvenRule");
        QVERIFY(rule && rule->isVisible());
        QCOMPARE(rule->text(), QString::fromStdString(drawRule()));
        QVERIFY(!b.part<SheetView>("breakEvenTable")->sheet().rows.empty());
        QVERIFY(!b.part<WrapLabel>("breakEvenNone")->isVisible());
    }

    // An empty table says why, as the report for a browser does.
    void noBreakEvenSaysWhy() {
        TimingReport noisy = roundedReport();
        for (StepTiming& row : noisy.results)
            if (!row.ofGpu()) row.time.highMs = 1.2 * row.time.medianMs;
        Bench b;
        QVERIFY(b.open(noisy));
        b.window.showPage(BenchmarkPage::BreakEven);
        auto* none = b.part<WrapLabel>("breakEvenNone");
        QTRY_VERIFY(none->isVisible());
        QVERIFY2(none->text().contains(QStringLiteral("rows of the CPU are noisy")),
                 qPrintable(none->text()));
    }

    // Wherever fewer threads worked than were offered, the place says so.
    void placesSayHowManyWorked() {
        const TimingReport report = roundedReport();
        const Sheet sheet = resultSheet(entriesOf(report));
        QCOMPARE(cell(sheet, 1, "Where").text, QStringLiteral("1 of 8 threads"));
        QCOMPARE(cell(sheet, 1, "Where").toolTip, QStringLiteral("8 threads offered, 1 worked"));
        QCOMPARE(cell(sheet, 4, "Where").text, QStringLiteral("8 threads"));
        QCOMPARE(cpuRowName(report.results[1]), QStringLiteral("CPU, 1 of 8 threads"));
    }

    void conditionsAreReadable() {
        Bench b;
        TimingReport report = roundedReport();
        report.before = conditionsOf(7.5);
        report.after = conditionsOf(0.2);
        report.command = {"warpscope-cli", "bench", "--step", "gaussian_blur:sigma=2 5"};
        report.pinned = "8 threads on CPUs 0-7";
        report.commit = "0123abc";
        report.build = "Release -O3";
        report.complete = false;
        report.rowsPlanned = 40;
        QVERIFY(b.open(report));
        auto* list = b.part<QListWidget>("benchmarkResults");
        const QListWidgetItem* item = list->item(0);
        QVERIFY(!item->icon().isNull());
        QVERIFY(item->text().contains(QStringLiteral("stopped: 6 of 40 rows")));
        QVERIFY(item->toolTip().contains(QStringLiteral("busy before the start")));
        QTest::mouseClick(b.part<QPushButton>("runDetailsButton"), Qt::LeftButton);
        auto* details = b.part<RunDetails>("runDetails");
        QVERIFY(details && QTest::qWaitForWindowExposed(details));
        const QString doubts =
            details->findChild<WrapLabel*>(QStringLiteral("runWarnings"))->text();
        QVERIFY(doubts.contains(QStringLiteral("stopped: 6 of 40 rows")));
        QVERIFY(doubts.contains(QStringLiteral("load 7.50")));
        const QString said =
            details->findChild<QTextBrowser*>(QStringLiteral("runConditions"))->toPlainText();
        for (const char* part : {"performance", "8 threads on CPUs 0-7", "0123abc", "Release -O3",
                                 "Compiler: test", "Test CPU"})
            QVERIFY2(said.contains(QLatin1String(part)), part);
        QTest::mouseClick(details->findChild<QPushButton*>(QStringLiteral("copyRunCommand")),
                          Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 QStringLiteral("warpscope-cli bench --step 'gaussian_blur:sigma=2 5'"));
        QTest::keyClick(details, Qt::Key_Escape);
        QTRY_VERIFY(!b.part<RunDetails>("runDetails"));
        // Nothing to say: no mark.
        report.before = conditionsOf(0.1);
        report.complete = true;
        QVERIFY(b.open(report, "b.json"));
        QVERIFY(list->item(1)->icon().isNull());
        QVERIFY(!list->item(1)->text().contains(QStringLiteral("stopped")));
    }

    void theRooflineHasRoofsAndReasons() {
        Bench b;
        QVERIFY(b.open(roundedReport()));
        b.window.showPage(BenchmarkPage::Roofline);
        auto* chart = b.part<LogChart>("rooflineChart");
        QTRY_COMPARE(chart->content().series.size(), std::size_t(3));
        QCOMPARE(chart->content().roofs.size(), std::size_t(3));
        const ChartLayout layout = chart->layoutFor(QSizeF(chart->size()));
        for (const ChartRoof& roof : chart->content().roofs) {
            QVERIFY(layout.frame.y(roof.top) > layout.frame.top);
            QVERIFY(layout.frame.x(roof.top / roof.slope) < layout.frame.right());
        }
        QVERIFY(!layout.xTicks.empty());
        for (const ChartSeries& series : chart->content().series) {
            QCOMPARE(series.points.size(), std::size_t(2));
            for (const PlotPoint& point : series.points)
                QVERIFY(point.figures.find("bound by") != std::string::npos);
            const StepTiming* row =
                rowOfPoint(b.window.reports().entries(), series, series.points[1]);
            QVERIFY(row && row->width == 1024);
        }
        QTest::mouseMove(chart, QPoint(3, 3));
        QTest::mouseMove(chart, chart->placeOf({1, 1}).toPoint());
        QTRY_VERIFY(chart->readout().contains(QStringLiteral("bound by")));
        const QString path = b.folder.filePath(QStringLiteral("roofline.svg"));
        b.window.saveChartTo(path);
        QTRY_VERIFY(QFile::exists(path));
        // Lines of other parameters, and roofs of two machines, have names of their own.
        auto two = entriesOf(roundedReport());
        for (StepTiming row : roundedReport().results) {
            row.parameters.set("sigma", 3.0);
            two[0].report.results.push_back(row);
        }
        two.push_back(two[0]);
        two[1].id = 2;
        const ChartContent many = rooflineContent(two);
        QSet<QString> names;
        for (const ChartSeries& series : many.series) names.insert(series.label());
        QCOMPARE(names.size(), qsizetype(12));
        for (const ChartRoof& roof : many.roofs) names.insert(roof.name);
        QCOMPARE(names.size(), qsizetype(18));
        // Without peaks and copies there is nothing to draw.
        QVERIFY(rooflineContent(entriesOf([] {
                    TimingReport report = reportOf();
                    report.machine.copyGbpsCpu = 0;
                    return report;
                }()))
                    .series.empty());
    }
};

WARPSCOPE_TEST(SurenessTest)
#include "sureness_test.moc"
