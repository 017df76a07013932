// The views of the timings panel on rows made by hand.
#include <QAbstractItemModelTester>
#include <QToolButton>
#include <QtTest>

#include "gui/timings/timing_chart.h"
#include "gui/timings/timing_item_model.h"
#include "gui/widgets/theme.h"
#include "gui_panels/timings_fixture.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;
using test::cpuRow;
using test::gpuRow;
using test::noGpuRow;

class TimingsViewsTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }
    void itemModelIsSound();
    void differingResultIsInTheErrorColor();
    void chartDrawsWhatTheTableSays();
    void logarithmicBars();
    void barsFilledWhileHiddenAreNotASlit();
    void longBarsStayQuick();
    void pressesOutsideOfThemAreHarmless();
};

void TimingsViewsTest::itemModelIsSound() {
    TimingItemModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    std::vector<TimingReady> rows;
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    for (const std::size_t step : {std::size_t(0), std::size_t(1)})
        for (const TimingReady& row :
             {cpuRow(step, true, 40), cpuRow(step, false, 4), gpuRow(step, 0.2)}) {
            rows.push_back(row);
            model.setTable(buildTimingTable(rows, true));
        }
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.rowCount(model.index(1, 0)), 6);
    QCOMPARE(resets.count(), 1);  // rows come one by one without losing the selection
    QCOMPARE(model.index(0, 0).data().toString(),
             QString("1  Gaussian blur  ·  sigma 2, 1,920 × 1,280, 8-bit colour"));
    QCOMPARE(model.index(3, 0, model.index(0, 0)).parent(), model.index(0, 0));
    model.setTable({});
    QCOMPARE(model.rowCount(), 0);
    for (int column = 0; column < kTimingColumns; ++column)
        QVERIFY(!model.headerData(column, Qt::Horizontal).toString().isEmpty());
}

void TimingsViewsTest::differingResultIsInTheErrorColor() {
    TimingReady wrong = gpuRow(0, 0.2);
    wrong.timing.agreement.verdict = Verdict::Differs;
    TimingItemModel model;
    model.setTable(buildTimingTable({cpuRow(0, true, 40), wrong}, true));
    const QModelIndex step = model.index(0, 0);
    const QColor error = Theme::instance().colors().error;
    for (const TimingColumn column : {TimingColumn::Agreement, TimingColumn::Speedup})
        QCOMPARE(model.index(1, int(column), step).data(Qt::ForegroundRole).value<QColor>(), error);
    QVERIFY(model.index(1, int(TimingColumn::Median), step).data(Qt::ForegroundRole) != error);
    QVERIFY(!textAt(model, 0, 1, TimingColumn::Speedup).contains("×"));
}

void TimingsViewsTest::chartDrawsWhatTheTableSays() {
    TimingChart chart;
    chart.resize(600, 200);
    const TimingTable table =
        buildTimingTable({cpuRow(0, true, 40), cpuRow(0, false, 4), gpuRow(0, 0.2)}, true);
    chart.setBars(table.bars);
    QCOMPARE(chart.labels(),
             QStringList({"1  Gaussian blur", "CPU, 1 thread\t40.0 ms", "CPU, 16 threads\t4.00 ms",
                          "GPU kernels\t0.200 ms", "GPU end to end\t1.80 ms"}));
    QCOMPARE(chart.barEnd(0, 0), 40.0);
    QCOMPARE(chart.barEnd(0, 3), 1.8);
    QVERIFY(chart.toolTip().contains("GPU"));
    // One colour a backend, longest bar first, all on the screen.
    chart.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
    const QImage image = chart.grab().toImage();
    const ThemeColors& colors = Theme::instance().colors();
    const auto count = [&](const QColor& color) {
        int pixels = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) pixels += image.pixelColor(x, y) == color;
        return pixels;
    };
    QVERIFY(count(colors.cpuSingle) > 5 * count(colors.cpu));
    QVERIFY(count(colors.cpu) > 5 * count(colors.gpu) && count(colors.gpu) > 0);
    chart.setBars(buildTimingTable({cpuRow(0, true, 40), cpuRow(0, false, 4)}, false).bars);
    QVERIFY(chart.toolTip().isEmpty());
}

void TimingsViewsTest::logarithmicBars() {
    TimingChart chart;
    chart.setBars(
        buildTimingTable({cpuRow(0, true, 40), cpuRow(0, false, 4), gpuRow(0, 0.2)}, true).bars);
    chart.setLogarithmic(true);
    // A factor of ten is one decade; the shortest bar is still seen.
    QVERIFY(qAbs(chart.barEnd(0, 0) - chart.barEnd(0, 1) - 1.0) < 1e-12);
    QVERIFY(chart.barEnd(0, 2) > 0.1);
    chart.setBars({});
    QVERIFY(chart.labels().isEmpty());

    TimingsFixture f;
    f.open();
    f.document.insertStep(0, makeStep("grayscale").value());
    QVERIFY(f.measured());
    QVERIFY(!f.child<TimingChart>("timingsChart").logarithmic());
    QVERIFY(!f.child<QToolButton>("timingsLog").isVisible());  // of the bars alone
    f.click("timingsBarsChip");
    f.click("timingsLog");
    QVERIFY(f.child<TimingChart>("timingsChart").logarithmic());
}

// Shown without bars, filled while another page is in front: as high as its bars when it is back.
void TimingsViewsTest::barsFilledWhileHiddenAreNotASlit() {
    TimingsFixture f;
    f.open();
    f.document.insertStep(0, makeStep("grayscale").value());
    QVERIFY(f.measured());
    auto& chart = f.child<TimingChart>("timingsChart");
    chart.setBars({});
    f.click("timingsBarsChip");
    QTest::qWait(50);
    QVERIFY(chart.isVisible());
    f.click("timingsWaterfallChip");
    QVERIFY(!chart.isVisible());
    std::vector<TimingReady> rows;
    for (std::size_t step = 0; step < 6; ++step) {
        rows.push_back(cpuRow(step, true, 40));
        rows.push_back(cpuRow(step, false, 4));
    }
    chart.setBars(buildTimingTable(rows, false).bars);
    f.click("timingsBarsChip");
    QTRY_VERIFY(chart.height() >= chart.minimumSizeHint().height());
}

void TimingsViewsTest::longBarsStayQuick() {
    TimingChart chart;
    chart.resize(500, 200);
    for (const double ms : {0.001, 1e6, 0.001, 1e7, 3.0}) {
        chart.setBars(buildTimingTable({cpuRow(0, true, ms)}, true).bars);
        chart.setLogarithmic(!chart.logarithmic());
    }
    // A hang is ended by CTest; what is checked is that the last bars are what is shown.
    QVERIFY2(chart.labels().last().contains("3.0"), qPrintable(chart.labels().last()));
    QVERIFY(chart.barEnd(0, 0) > 0);
}

// The left button stays held while the mouse leaves; then another is pressed.
void TimingsViewsTest::pressesOutsideOfThemAreHarmless() {
    TimingChart chart;
    chart.resize(500, 200);
    chart.setBars(buildTimingTable({cpuRow(0, true, 3)}, true).bars);
    chart.show();
    QVERIFY(QTest::qWaitForWindowActive(&chart));
    const QPoint inside = chart.rect().center(), outside(-40, 900);
    QTest::mousePress(chart.windowHandle(), Qt::LeftButton, {}, inside);
    QTest::mouseMove(chart.windowHandle(), outside);
    QTest::mousePress(chart.windowHandle(), Qt::MiddleButton, {}, outside);
    QTest::mouseRelease(chart.windowHandle(), Qt::MiddleButton, {}, outside);
    QTest::mouseRelease(chart.windowHandle(), Qt::LeftButton, {}, outside);
    QVERIFY(chart.isVisible());
}

WARPSCOPE_TEST(TimingsViewsTest)
#include "timings_views_test.moc"
