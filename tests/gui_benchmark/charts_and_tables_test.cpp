// What the benchmark window shows, as values, and the chart by itself.
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QImage>
#include <QLineEdit>
#include <QPainter>
#include <QSignalSpy>
#include <QStyleOptionViewItem>
#include <QTest>
#include <limits>

#include "gui/benchmark/benchmark_choices.h"
#include "gui/benchmark/benchmark_series.h"
#include "gui/benchmark/benchmark_sheets.h"
#include "gui/benchmark/log_chart.h"
#include "gui/benchmark/plan_summary.h"
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
    static const ChartSeries* seriesNamed(const ChartContent& content, const std::string& name) {
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
        const ChartContent content = chartContent(entries);
        QCOMPARE(content.series.size(), std::size_t(4));  // the GPU gives two
        const ChartSeries* single = seriesNamed(content, "1 thread");
        QVERIFY(single && single->points.size() == 2);
        QCOMPARE(single->points[1].x, 1024.0 * 1024);
        QCOMPARE(single->points[1].value, 12.8);
        QCOMPARE(single->ink, PlotInk::SingleThread);
        QCOMPARE(single->pen, Qt::SolidLine);
        const ChartSeries* whole = seriesNamed(content, "GPU end to end");
        QVERIFY(whole && whole->ink == PlotInk::GpuEndToEnd);
        QCOMPARE(whole->points[0].value, 0.52);
    }

    void anotherMachineIsDashedAndNamed() {
        auto entries = entriesOf(reportOf(), BenchmarkEntry::Origin::Run);
        entries.push_back(entriesOf(reportOf("Other GPU"), BenchmarkEntry::Origin::File)[0]);
        entries[1].id = 2;
        const ChartContent content = chartContent(entries);
        QCOMPARE(content.series.size(), std::size_t(8));
        const ChartSeries* other = seriesNamed(content, "GPU kernels (B)");
        QVERIFY(other && other->pen != Qt::SolidLine);
        QVERIFY(other->machine.contains(QStringLiteral("Other GPU")));
        QVERIFY(other->machine.contains(QStringLiteral("2026-01-02")));
        QCOMPARE(std::count_if(content.captions.begin(), content.captions.end(),
                               [](const ChartCaption& c) { return c.pen != Qt::NoPen; }),
                 2);
        entries[1].shown = false;
        QCOMPARE(chartContent(entries).series.size(), std::size_t(4));
    }

    void speedupsAreOfTheEngine() {
        const auto entries = entriesOf(reportOf(), BenchmarkEntry::Origin::Run);
        const ChartContent one = chartContent(entries, BackendKind::CpuSingle);
        QCOMPARE(one.series.size(), std::size_t(3));
        QVERIFY(one.unityLine &&
                one.valueTitle.contains(QStringLiteral("the same algorithm on 1 thread")));
        const ChartContent all = chartContent(entries, BackendKind::Cpu);
        QCOMPARE(all.series.size(), std::size_t(2));
        QVERIFY(all.valueTitle.contains(QStringLiteral("the same algorithm on 8 threads")));
        const ChartSeries* whole = seriesNamed(all, "GPU end to end");
        QVERIFY(whole && whole->points[0].value < 1 && whole->points[1].value > 1);
    }

    // A machine with one core has one thread and all cores, which are two things.
    void allCoresOfOneCoreAreNotOneThread() {
        TimingReport report = reportOf();
        for (StepTiming& row : report.results)
            if (row.backend == BackendKind::Cpu) row.threads = 1;
        const ChartContent content = chartContent(entriesOf(report, BenchmarkEntry::Origin::Run));
        const ChartSeries* cores = seriesNamed(content, "all cores (1)");
        QVERIFY(cores && cores->ink == PlotInk::AllCores);
        const ChartSeries* single = seriesNamed(content, "1 thread");
        QVERIFY(single && single->ink == PlotInk::SingleThread);
    }

    // Files may say anything; a speedup beyond a double has no place on an axis.
    void figuresBeyondReasonAreDrawn() {
        TimingReport report = reportOf();
        for (StepTiming& row : report.results) {
            row.time.medianMs = row.kernelMs =
                row.backend == BackendKind::CpuSingle ? 1e308 : 1e-300;
            row.time.p90Ms = std::numeric_limits<double>::infinity();
        }
        const auto entries = entriesOf(report, BenchmarkEntry::Origin::Run);
        const ChartContent speedup = chartContent(entries, BackendKind::CpuSingle);
        QVERIFY(!seriesNamed(speedup, "GPU kernels") && !speedup.series.empty());
        for (const ChartContent& content : {speedup, chartContent(entries)}) {
            LogChart chart;
            chart.setContent(content);
            const ChartLayout layout = chart.layoutFor(QSizeF(700, 500));
            QVERIFY(!layout.labels.empty() && layout.frame.width > 0);
            for (const ChartSeries& series : content.series)
                for (const PlotPoint& point : series.points) {
                    const QPointF at = layout.place(point);
                    QVERIFY(QRectF(0, 0, 700, 500).contains(at));
                }
            QVERIFY(greyPixels(chart) >= 0);
        }
    }

    void whatDiffersIsSaidInTheTable() {
        TimingReport report = reportOf();
        for (StepTiming& row : report.results)
            if (row.backend == BackendKind::Cuda && row.width == 1024) {
                row.agreement.verdict = Verdict::Differs;
                row.agreement.differing = 1;
                row.agreement.maxDifference = 5;
                row.agreement.firstX = 3;
                row.agreement.firstY = 4;
            }
        const Sheet sheet = resultSheet(entriesOf(report, BenchmarkEntry::Origin::Run));
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
        const ChartContent content = chartContent(entriesOf(report, BenchmarkEntry::Origin::Run));
        QCOMPARE(content.series.size(), std::size_t(16));
        SeriesLegend legend;
        legend.setContent(content);
        QCOMPARE(legend.hiddenSeries().size(), 12);
        for (const ChartSeries& series : content.series)
            if (!legend.hiddenSeries().contains(series.id))
                QVERIFY(series.label().endsWith(QStringLiteral(", warm")));
    }

    void breakEvenSaysIt() {
        const Sheet sheet = breakEvenSheet(entriesOf(reportOf(), BenchmarkEntry::Origin::Run));
        QVERIFY(!sheet.rows.empty());
        QCOMPARE(cellOf(sheet, 0, QStringLiteral("Wins")), QStringLiteral("the GPU"));
        QCOMPARE(cellOf(sheet, 0, QStringLiteral("Against")),
                 QStringLiteral("best CPU (8 threads)"));
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
        const ChartContent content = chartContent(entriesOf(report, BenchmarkEntry::Origin::Run));
        int cold = 0;
        for (const ChartSeries& series : content.series) {
            QCOMPARE(series.cold, series.label().endsWith(QStringLiteral(", cold")));
            cold += series.cold;
        }
        QCOMPARE(cold, 4);
        QVERIFY(content.captions.back().text.contains(QStringLiteral("cold")));
        const auto sample = [](bool ringed) {
            ChartSeries series;
            series.cold = ringed;
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
        const ChartContent content = chartContent(entries);
        QCOMPARE(content.series.size(), std::size_t(8));
        for (const ChartSeries& series : content.series)
            QCOMPARE(series.pen == Qt::SolidLine, series.label().endsWith(QStringLiteral("(B)")));
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
            QVERIFY(cellOf(sheet, r, QStringLiteral("Measured on"))
                        .contains(QStringLiteral("GTX 570")));
        }
        QVERIFY(found);
        QCOMPARE(publishedSheet(nullptr).rows.size(), sheet.rows.size());
    }

    // A figure and its interval stay in one line each, however narrow the column.
    void figuresAreNotBroken() {
        SheetView view(QStringLiteral("sheet"), QStringLiteral("sheet"));
        view.setWrapped(300);
        Sheet sheet;
        sheet.columns = {{QStringLiteral("Name"), false, {}}, {QStringLiteral("ms"), true, {}}};
        SheetCell name, interval;
        name.text = QStringLiteral("a name of several words");
        interval.text = QStringLiteral("0.208 – 0.215");
        sheet.rows = {{name, interval}};
        view.setSheet(sheet);
        QStyleOptionViewItem cell;
        cell.initFrom(&view);
        cell.font = view.font();
        cell.fontMetrics = view.fontMetrics();
        cell.rect = {0, 0, 60, 1000};
        cell.features = QStyleOptionViewItem::WrapText;
        const auto lines = [&](int column) {
            const QModelIndex index = view.model()->index(0, column);
            return view.itemDelegate()->sizeHint(cell, index).height() /
                   view.fontMetrics().height();
        };
        QVERIFY(lines(0) > 1);
        QCOMPARE(lines(1), 1);
    }

    void labelsDoNotOverlap() {
        auto entries = entriesOf(reportOf(), BenchmarkEntry::Origin::Run);
        for (int i = 2; i < 6; ++i) {  // lines on top of each other
            entries.push_back(entries[0]);
            entries.back().id = i;
        }
        const ChartContent content = chartContent(entries);
        LogChart chart;
        chart.setContent(content);
        const double height = QFontMetricsF(Theme::instance().figureFont()).height();
        for (const QSizeF size : {QSizeF(300, 220), QSizeF(700, 500)}) {
            const ChartLayout layout = chart.layoutFor(size);
            QVERIFY(!layout.labels.empty());
            QVERIFY(layout.labelLeft + layout.labelWidth <= size.width());
            for (std::size_t i = 0; i < layout.labels.size(); ++i) {
                QVERIFY(layout.labels[i].y + height / 2 <= layout.frame.bottom() + 0.5);
                QVERIFY(layout.labels[i].y - height / 2 >= layout.frame.top - 0.5);
                if (i > 0) QVERIFY(layout.labels[i].y - layout.labels[i - 1].y >= height - 0.5);
            }
        }
    }

    void hoverAndKeysReadOut() {
        LogChart chart;
        chart.setContent(chartContent(entriesOf(reportOf(), BenchmarkEntry::Origin::Run)));
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
        chart.setContent(chartContent(entriesOf(more, BenchmarkEntry::Origin::Run)));
        QCOMPARE(chart.readout(), before);
    }

    void aSwitchedSeriesIsNotPainted() {
        SeriesLegend legend;
        LogChart chart;
        const ChartContent content =
            chartContent(entriesOf(reportOf(), BenchmarkEntry::Origin::Run));
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
        QVERIFY(!choices.findChild<QCheckBox*>(QStringLiteral("measureEnergy"))->isHidden());
        QVERIFY(choices.summary().problem.isEmpty());
        const BenchmarkPlan quick = choices.plan();
        // How long it takes depends on the machine: both ends are said, and no single figure.
        const double rows = double(choices.summary().rows);
        for (const double seconds : {quick.sampling.budgetMs / 1000, quick.longestRowSeconds})
            QVERIFY2(choices.summary().text.contains(spanText(seconds * rows)),
                     qPrintable(choices.summary().text));
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
        QVERIFY(choices.findChild<QCheckBox*>(QStringLiteral("measureEnergy"))->isHidden());
        choices.setPeers(false, {}, QStringLiteral("not built"));
        choices.choosePreset(BenchmarkChoices::Preset::EverythingTo4K);
        QVERIFY(!choices.plan().peers);
        auto* image = choices.findChild<QCheckBox*>(QStringLiteral("imageAtHand"));
        choices.setImage({}, {}, {});
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
