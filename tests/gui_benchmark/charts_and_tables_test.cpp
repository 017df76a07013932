// What the benchmark window shows, as values, and the chart by itself.
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QImage>
#include <QLineEdit>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

#include "gui/benchmark/benchmark_choices.h"
#include "gui/benchmark/benchmark_series.h"
#include "gui/benchmark/benchmark_sheets.h"
#include "gui/benchmark/log_chart.h"
#include "gui/benchmark/series_legend.h"
#include "gui/benchmark/sheet_view.h"
#include "gui/widgets/theme.h"
#include "support/test_case.h"
#include "tests/gui_benchmark/samples.h"

using namespace warpscope;
using namespace warpscope::gui;

class ChartsAndTablesTest : public QObject {
    Q_OBJECT

    static std::vector<BenchmarkEntry> entriesOf(const TimingReport& report,
                                                 BenchmarkEntry::Origin origin) {
        BenchmarkEntry entry;
        entry.id = 1;
        entry.origin = origin;
        entry.report = report;
        return {entry};
    }
    static const ChartSeries* seriesNamed(const ChartContent& content, const QString& name) {
        for (const ChartSeries& series : content.series)
            if (series.name == name) return &series;
        return nullptr;
    }
    static QString cellOf(const Sheet& sheet, std::size_t row, const QString& title) {
        for (std::size_t c = 0; c < sheet.columns.size(); ++c)
            if (sheet.columns[c].title == title) return sheet.rows.at(row).at(c).text;
        return QStringLiteral("no such column");
    }

    // Of the series of one thread; the smooth edges of texts have some of them as well.
    static int greyPixels(const LogChart& chart) {
        QImage image(500, 400, QImage::Format_RGB32);
        QPainter painter(&image);
        chart.paintTo(painter, QSizeF(image.size()));
        painter.end();
        const QColor grey = Theme::instance().colors().cpuSingle;
        int count = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y) == grey;
        return count;
    }

  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void aSeriesHasAPointASize() {
        const auto entries = entriesOf(reportOf(), BenchmarkEntry::Origin::Run);
        const ChartContent content = timeContent(entries);
        QCOMPARE(content.series.size(), std::size_t(4));  // the GPU gives two
        const ChartSeries* single = seriesNamed(content, QStringLiteral("1 thread"));
        QVERIFY(single && single->points.size() == 2);
        QCOMPARE(single->points[1].pixels, 1024.0 * 1024);
        QCOMPARE(single->points[1].value, 12.8);
        QCOMPARE(single->ink, ChartInk::SingleThread);
        QCOMPARE(single->pen, Qt::SolidLine);
        const ChartSeries* whole = seriesNamed(content, QStringLiteral("GPU end to end"));
        QVERIFY(whole && whole->ink == ChartInk::GpuEndToEnd);
        QCOMPARE(whole->points[0].value, 0.52);
    }

    void anotherMachineIsDashedAndNamed() {
        auto entries = entriesOf(reportOf(), BenchmarkEntry::Origin::Run);
        entries.push_back(entriesOf(reportOf("Other GPU"), BenchmarkEntry::Origin::File)[0]);
        entries[1].id = 2;
        const ChartContent content = timeContent(entries);
        QCOMPARE(content.series.size(), std::size_t(8));
        const ChartSeries* other = seriesNamed(content, QStringLiteral("GPU kernels (B)"));
        QVERIFY(other && other->pen != Qt::SolidLine);
        QVERIFY(other->machine.contains(QStringLiteral("Other GPU")));
        QVERIFY(other->machine.contains(QStringLiteral("2026-01-02")));
        QCOMPARE(content.captions.size(), std::size_t(2));
        entries[1].shown = false;
        QCOMPARE(timeContent(entries).series.size(), std::size_t(4));
    }

    void peersAreHollowAndNoSideOfASpeedup() {
        TimingReport report = reportOf();
        StepTiming peer = rowOf("gaussian_blur", {256, 256}, "opencv", 8, 0.1);
        peer.peer = "OpenCV 4.6.0";
        report.results.push_back(peer);
        const auto entries = entriesOf(report, BenchmarkEntry::Origin::Run);
        const ChartSeries* series =
            seriesNamed(timeContent(entries), QStringLiteral("OpenCV 4.6.0, 8 threads"));
        QVERIFY(series && series->hollow);
        for (const ChartSeries& s : speedupContent(entries, SpeedupBaseline::OneThread).series)
            QVERIFY(!s.name.contains(QStringLiteral("OpenCV")));
    }

    void speedupsNameBothSides() {
        const auto entries = entriesOf(reportOf(), BenchmarkEntry::Origin::Run);
        const ChartContent one = speedupContent(entries, SpeedupBaseline::OneThread);
        QCOMPARE(one.series.size(), std::size_t(3));
        QVERIFY(one.valueTitle.contains(QStringLiteral("against 1 thread")));
        const ChartSeries* kernels = seriesNamed(one, QStringLiteral("GPU kernels"));
        QVERIFY(kernels && qFuzzyCompare(kernels->points[0].value, 80.0));
        const ChartSeries* cores = seriesNamed(one, QStringLiteral("8 threads"));
        QVERIFY(cores && qFuzzyCompare(cores->points[0].value, 4.0));
        const ChartContent all = speedupContent(entries, SpeedupBaseline::AllCores);
        QCOMPARE(all.series.size(), std::size_t(2));
        const ChartSeries* whole = seriesNamed(all, QStringLiteral("GPU end to end"));
        QVERIFY(whole && whole->points[0].value < 1 && whole->points[1].value > 1);
        QVERIFY(all.valueTitle.contains(QStringLiteral("against 8 threads")));
        QVERIFY(whole->points[0].figures.contains(QStringLiteral("against 8 threads")));
        // Machines with other numbers of threads: every series names its own.
        auto entriesOfTwo = entries;
        TimingReport wider = reportOf("Other GPU");
        for (StepTiming& row : wider.results)
            if (row.threads == 8) row.threads = 64;
        entriesOfTwo.push_back(entriesOf(wider, BenchmarkEntry::Origin::File)[0]);
        entriesOfTwo[1].id = 2;
        QVERIFY(seriesNamed(speedupContent(entriesOfTwo, SpeedupBaseline::AllCores),
                            QStringLiteral("GPU kernels against 64 threads (B)")));
    }

    // Where the baseline itself is wrong, nothing else takes its place under its name.
    void aWrongBaselineIsNone() {
        TimingReport report = reportOf();
        for (StepTiming& row : report.results)
            if (row.backend == BackendKind::CpuSingle && row.width == 1024)
                row.agreement.verdict = Verdict::Differs;
        const auto entries = entriesOf(report, BenchmarkEntry::Origin::Run);
        const ChartContent speedup = speedupContent(entries, SpeedupBaseline::OneThread);
        QCOMPARE(speedup.series.size(), std::size_t(3));
        for (const ChartSeries& series : speedup.series)
            QCOMPARE(series.points.size(), std::size_t(1));
    }

    void whatDiffersHasNoSpeedupAndIsMarked() {
        TimingReport report = reportOf();
        for (StepTiming& row : report.results)
            if (row.backend == BackendKind::Cuda && row.width == 1024) {
                row.agreement.verdict = Verdict::Differs;
                row.agreement.differing = 1;
                row.agreement.maxDifference = 5;
                row.agreement.firstX = 3;
                row.agreement.firstY = 4;
            }
        const auto entries = entriesOf(report, BenchmarkEntry::Origin::Run);
        const ChartContent speedup = speedupContent(entries, SpeedupBaseline::OneThread);
        QCOMPARE(seriesNamed(speedup, QStringLiteral("GPU kernels"))->points.size(),
                 std::size_t(1));
        const ChartContent time = timeContent(entries);
        QVERIFY(seriesNamed(time, QStringLiteral("GPU kernels"))->points[1].doubtful);
        QVERIFY(!seriesNamed(time, QStringLiteral("GPU kernels"))->points[0].doubtful);
        const Sheet sheet = resultSheet(entries);
        QVERIFY(cellOf(sheet, 5, QStringLiteral("Agreement")).contains(QStringLiteral("(3, 4)")));
        QCOMPARE(cellOf(sheet, 5, QStringLiteral("Speedup")),
                 QStringLiteral("none: results differ"));
    }

    void coldVariantsAndExperimentsBeginSwitchedOff() {
        TimingReport report = reportOf();
        for (StepTiming row : reportOf().results) {
            row.cold = true;
            report.results.push_back(row);
            row.cold = false;
            row.experiment = "gaussian";
            report.results.push_back(row);
            row.experiment.clear();
            row.variant = "separable_constant";
            report.results.push_back(row);
        }
        const ChartContent content = timeContent(entriesOf(report, BenchmarkEntry::Origin::Run));
        QCOMPARE(content.series.size(), std::size_t(16));
        SeriesLegend legend;
        legend.setContent(content);
        QCOMPARE(legend.hiddenSeries().size(), 12);
        for (const ChartSeries& series : content.series)
            if (!legend.hiddenSeries().contains(series.key))
                QVERIFY(series.name.endsWith(QStringLiteral(", warm")));
    }

    void breakEvenSaysIt() {
        const Sheet sheet = breakEvenSheet(entriesOf(reportOf(), BenchmarkEntry::Origin::Run));
        QVERIFY(!sheet.rows.empty());
        QCOMPARE(cellOf(sheet, 0, QStringLiteral("Wins")), QStringLiteral("the GPU"));
        QCOMPARE(cellOf(sheet, 0, QStringLiteral("Against")), QStringLiteral("8 threads"));
        const QString whole = cellOf(sheet, 0, QStringLiteral("End to end"));
        QVERIFY2(whole.startsWith(QStringLiteral("from ")), qPrintable(whole));
        QCOMPARE(cellOf(sheet, 0, QStringLiteral("Kernels only")),
                 QStringLiteral("at every measured size"));
        // All cores against one thread: nothing is copied, so there is one answer.
        const std::size_t last = sheet.rows.size() - 1;
        QCOMPARE(cellOf(sheet, last, QStringLiteral("Wins")), QStringLiteral("all cores"));
        QCOMPARE(cellOf(sheet, last, QStringLiteral("End to end")),
                 QStringLiteral("at every measured size"));
        QCOMPARE(cellOf(sheet, last, QStringLiteral("Kernels only")), QString());
    }

    void breakEvenIsNotCut() {
        SheetView view(QStringLiteral("sheet"), QStringLiteral("Sheet"));
        view.resize(900, 300);
        view.show();
        // As many rows each time, and longer texts the second time.
        TimingReport report = reportOf();
        for (const double endToEnd : {0.001, 0.5}) {
            for (StepTiming& row : report.results)
                if (row.backend == BackendKind::Cuda) row.endToEndMs = endToEnd * row.width / 256;
            view.setSheet(breakEvenSheet(entriesOf(report, BenchmarkEntry::Origin::Run)));
            for (int row = 0; row < view.model()->rowCount(); ++row)
                for (int c = 0; c < view.model()->columnCount(); ++c) {
                    const QString said = view.model()->index(row, c).data().toString();
                    QVERIFY2(view.columnWidth(c) > view.fontMetrics().horizontalAdvance(said),
                             qPrintable(said));
                }
        }
    }

    void coldHasARingAndIsSaid() {
        TimingReport report = reportOf();
        for (StepTiming row : reportOf().results) {
            row.cold = true;
            report.results.push_back(row);
        }
        const ChartContent content = timeContent(entriesOf(report, BenchmarkEntry::Origin::Run));
        int cold = 0;
        for (const ChartSeries& series : content.series) {
            QCOMPARE(series.ringed, series.name.endsWith(QStringLiteral(", cold")));
            cold += series.ringed;
        }
        QCOMPARE(cold, 4);
        QVERIFY(content.captions.back().text.contains(QStringLiteral("cold")));
        const auto sample = [](bool ringed) {
            ChartSeries series;
            series.ringed = ringed;
            QImage image(34, 14, QImage::Format_RGB32);
            image.fill(Qt::black);
            QPainter painter(&image);
            paintSample(painter, QRectF(image.rect()), series);
            return image;
        };
        QVERIFY(sample(true) != sample(false));
    }

    void earlierRunsAreDashed() {
        auto entries = entriesOf(reportOf(), BenchmarkEntry::Origin::Run);
        entries.push_back(entries.front());
        entries.back().id = 2;
        const ChartContent content = timeContent(entries);
        QCOMPARE(content.series.size(), std::size_t(8));
        for (const ChartSeries& series : content.series)
            QCOMPARE(series.pen == Qt::SolidLine, series.name.endsWith(QStringLiteral("(B)")));
    }

    void publishedFiguresStandBesideOurs() {
        TimingReport report = reportOf();
        StepTiming row = rowOf("equalize", {512, 512}, BackendKind::CpuSingle, 1, 0.25);
        row.experiment = "equalization";
        report.results.push_back(row);
        const Sheet sheet = publishedSheet(&report);
        bool found = false;
        for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
            if (cellOf(sheet, r, QStringLiteral("Size")) != QStringLiteral("512 × 512")) continue;
            if (cellOf(sheet, r, QStringLiteral("1 thread\nms")) != QStringLiteral("0.250"))
                continue;
            found = true;
            QCOMPARE(cellOf(sheet, r, QStringLiteral("Published\nspeedup")),
                     QStringLiteral("15.72×"));
            QVERIFY(cellOf(sheet, r, QStringLiteral("Published on"))
                        .contains(QStringLiteral("GTX 570")));
        }
        QVERIFY(found);
        QCOMPARE(publishedSheet(nullptr).rows.size(), sheet.rows.size());
    }

    void ticksAreFewAndInRange() {
        QCOMPARE(logTicks(-2.1, 2.1, 6), (std::vector<double>{0.01, 0.1, 1, 10, 100}));
        QCOMPARE(logTicks(-0.2, 0.8, 6), (std::vector<double>{1, 2, 5}));
        QCOMPARE(tickText(0.001), QStringLiteral("0.001"));
        QCOMPARE(tickText(2000), QStringLiteral("2,000"));
    }

    void labelsDoNotOverlap() {
        auto entries = entriesOf(reportOf(), BenchmarkEntry::Origin::Run);
        for (int i = 2; i < 6; ++i) {  // lines on top of each other
            entries.push_back(entries[0]);
            entries.back().id = i;
        }
        const ChartContent content = timeContent(entries);
        std::vector<std::size_t> all(content.series.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
        const QFontMetricsF metrics(Theme::instance().figureFont());
        for (const QSizeF size : {QSizeF(300, 220), QSizeF(700, 500)}) {
            const ChartLayout layout = layoutChart(content, all, size, metrics);
            QVERIFY(!layout.labels.empty());
            QVERIFY(layout.labelLeft + layout.labelWidth <= size.width());
            for (std::size_t i = 0; i < layout.labels.size(); ++i) {
                QVERIFY(layout.labels[i].y + metrics.height() / 2 <= layout.plot.bottom() + 0.5);
                QVERIFY(layout.labels[i].y - metrics.height() / 2 >= layout.plot.top() - 0.5);
                if (i > 0)
                    QVERIFY(layout.labels[i].y - layout.labels[i - 1].y >= metrics.height() - 0.5);
            }
        }
    }

    void hoverAndKeysReadOut() {
        LogChart chart;
        chart.setContent(timeContent(entriesOf(reportOf(), BenchmarkEntry::Origin::Run)));
        chart.resize(700, 480);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        const QPointF at = chart.placeOf({1, 1});
        QTest::mouseMove(&chart, QPoint(20, 20));
        QTest::mouseMove(&chart, at.toPoint());
        QTRY_VERIFY(chart.current());
        QCOMPARE(chart.current()->series, std::size_t(1));
        QVERIFY(chart.readout().contains(QStringLiteral("1,024 × 1,024: 3.20 ms")));
        QVERIFY(chart.readout().contains(QStringLiteral("Test CPU")));
        chart.setFocus();
        QTest::keyClick(&chart, Qt::Key_Left);
        QVERIFY(chart.readout().contains(QStringLiteral("256 × 256: 0.200 ms")));
        QTest::keyClick(&chart, Qt::Key_Up);
        QVERIFY(chart.readout().contains(QStringLiteral("GPU end to end")));
        QTest::keyClick(&chart, Qt::Key_Up);
        QVERIFY(chart.readout().contains(QStringLiteral("1 thread")));
        QTest::keyClick(&chart, Qt::Key_Escape);
        QVERIFY(!chart.current());
        // A point that is looked at stays it when figures come.
        QTest::keyClick(&chart, Qt::Key_Right);
        const QString before = chart.readout();
        TimingReport more = reportOf();
        more.results.insert(more.results.begin(),
                            rowOf("median", {256, 256}, BackendKind::Cpu, 8, 3));
        chart.setContent(timeContent(entriesOf(more, BenchmarkEntry::Origin::Run)));
        QCOMPARE(chart.readout(), before);
    }

    void aSwitchedSeriesIsNotPainted() {
        SeriesLegend legend;
        LogChart chart;
        const ChartContent content =
            timeContent(entriesOf(reportOf(), BenchmarkEntry::Origin::Run));
        legend.setContent(content);
        chart.setContent(content);
        legend.resize(260, 300);
        legend.show();
        QVERIFY(QTest::qWaitForWindowExposed(&legend));
        QVERIFY(legend.hiddenSeries().isEmpty());
        QTreeWidgetItem* item = legend.topLevelItem(0)->child(0);
        QSignalSpy spy(&legend, &SeriesLegend::hiddenChanged);
        legend.setCurrentItem(item);
        QTest::keyClick(&legend, Qt::Key_Space);
        QTRY_VERIFY(spy.count() > 0);
        chart.setHiddenSeries(legend.hiddenSeries());
        QCOMPARE(chart.visibleSeries().size(), std::size_t(3));
        const int without = greyPixels(chart);
        chart.setHiddenSeries({});
        const int with = greyPixels(chart);
        // Text has grey edges, how many depends on the fonts.
        QVERIFY2(with > without + 100, qPrintable(QStringLiteral("%1, %2").arg(with).arg(without)));
        // All at once by the operation's own box.
        legend.setCurrentItem(legend.topLevelItem(0));
        QTest::keyClick(&legend, Qt::Key_Space);
        QTRY_COMPARE(legend.hiddenSeries().size(), 0);
    }

    void aTableIsSortedByFiguresAndCopied() {
        SheetView view(QStringLiteral("sheet"), QStringLiteral("Sheet"));
        view.setSheet(resultSheet(entriesOf(reportOf(), BenchmarkEntry::Origin::Run)));
        view.resize(900, 400);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        int median = -1;
        for (int c = 0; c < view.model()->columnCount(); ++c)
            if (view.model()->headerData(c, Qt::Horizontal).toString() ==
                QStringLiteral("Median, ms"))
                median = c;
        QVERIFY(median >= 0);
        const auto shown = [&](int row) {
            return view.model()->index(row, median).data().toString();
        };
        QCOMPARE(shown(0), QStringLiteral("0.800"));
        QHeaderView* header = view.horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionViewportPosition(median) + 8, 8));
        QCOMPARE(shown(0), QStringLiteral("0.0100"));
        QCOMPARE(shown(5), QStringLiteral("12.8"));
        view.selectRow(1);
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 3);  // titles, the row, the end
        QVERIFY(lines[1].contains(shown(1)));
        QVERIFY(lines[0].startsWith(QStringLiteral("Machine\tOperation")));
    }

    void presetsFillTheBoxes() {
        BenchmarkChoices choices;
        choices.setGpu(true, QStringLiteral("GPU"), {});
        QVERIFY(choices.summary().problem.isEmpty());
        const BenchmarkPlan quick = choices.plan();
        QCOMPARE(quick.operations.size(), allOperations().size());
        QCOMPARE(quick.sizes.size(), std::size_t(3));
        QVERIFY(!quick.cold && quick.warm && !quick.published);
        choices.choosePreset(BenchmarkChoices::Preset::EverythingTo4K);
        const BenchmarkPlan all = choices.plan();
        QVERIFY(all.cold && all.warm);
        QCOMPARE(all.variants.at("nl_means").size(),
                 findOperation("nl_means")->description().variants.size());
        QCOMPARE(all.sizes.back(), (Size{3840, 2160}));
        choices.choosePreset(BenchmarkChoices::Preset::SourceTexts);
        const BenchmarkPlan texts = choices.plan();
        QVERIFY(texts.published && texts.operations.empty() && texts.sizes.empty());
        QVERIFY(choices.summary().rows > 0);
        // Unlike the engine's plan, no operation is none, not all.
        choices.findChild<QCheckBox*>(QStringLiteral("publishedExperiments"))->click();
        QVERIFY(!choices.summary().problem.isEmpty());
    }

    void otherSizesAreTyped() {
        BenchmarkChoices choices;
        BenchmarkPlan plan;
        plan.operations = {"median"};
        plan.sizes = {{512, 512}, {64, 48}};
        choices.setPlan(plan);
        QCOMPARE(choices.plan().sizes, plan.sizes);
        auto* edit = choices.findChild<QLineEdit*>(QStringLiteral("otherSizes"));
        edit->selectAll();
        QTest::keyClicks(edit, QStringLiteral("100, 20 x 30"));
        QCOMPARE(choices.plan().sizes, (std::vector<Size>{{512, 512}, {100, 100}, {20, 30}}));
        QVERIFY(choices.summary().problem.isEmpty());
        QTest::keyClicks(edit, QStringLiteral(", 0"));
        QVERIFY(choices.summary().problem.contains(QStringLiteral("no list of sizes")));
    }

    void whatIsNotThereCannotBeChosen() {
        BenchmarkChoices choices;
        choices.setGpu(false, {}, QStringLiteral("no driver"));
        auto* gpu = choices.findChild<QCheckBox*>(QStringLiteral("backendGpu"));
        QVERIFY(!gpu->isEnabled() && gpu->toolTip() == QStringLiteral("no driver"));
        for (const BackendKind kind : choices.plan().backends) QVERIFY(kind != BackendKind::Cuda);
        choices.setPeers(false, {}, QStringLiteral("not built"));
        choices.choosePreset(BenchmarkChoices::Preset::EverythingTo4K);
        QVERIFY(!choices.plan().peers);
        auto* image = choices.findChild<QCheckBox*>(QStringLiteral("imageAtHand"));
        choices.setImage({}, {});
        QVERIFY(!image->isEnabled());
    }

    void shippedResultsAreRead() {
        const auto entries = shippedEntries();
        QVERIFY(!entries.empty());
        // Every file of the folder is in the program.
        const QDir folder(QStringLiteral(QT_TESTCASE_SOURCEDIR "/../resources/timings"));
        if (folder.exists())
            QCOMPARE(qsizetype(entries.size()),
                     folder.entryList({QStringLiteral("*.json")}, QDir::Files).size());
        for (const BenchmarkEntry& entry : entries) {
            QVERIFY(!entry.report.machine.gpu.empty());
            QVERIFY(!entry.report.results.empty());
            QVERIFY(machineLabel(entry).contains(QString::fromStdString(entry.report.machine.gpu)));
        }
    }
};

WARPSCOPE_TEST(ChartsAndTablesTest)
#include "charts_and_tables_test.moc"
