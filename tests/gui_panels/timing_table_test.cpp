// The timing table, its bars and sentences as values.
#include "gui/timings/timing_table.h"

#include <QtTest>

#include "gui_panels/panel_samples.h"

using namespace warpscope;
using namespace warpscope::gui;
using test::cpuRow;
using test::gpuRow;
using test::noGpuRow;

namespace {
QString cell(const TimingLine& line, TimingColumn column) {
    return line.cell(column).text;
}
}  // namespace

class TimingTableTest : public QObject {
    Q_OBJECT
  private slots:
    void threeSignificantFigures_data();
    void threeSignificantFigures();
    void oneGroupAStep();
    void gpuComesApart();
    void speedupsNameBothSides();
    void noSpeedupWhereResultsDiffer();
    void withinTheRuleHasASpeedup();
    void missingGpuSaysWhy();
    void failedGpuIsNotAMissingOne();
    void unfinishedStep();
    void barsOfEveryBackend();
    void stateLine();
    void emptyStates();
    void reportCarriesTheRows();
};

void TimingTableTest::threeSignificantFigures_data() {
    QTest::addColumn<double>("ms");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << 0.0 << "0";
    QTest::newRow("tiny") << 0.000123456 << "0.000123";
    QTest::newRow("small") << 0.01236 << "0.0124";
    QTest::newRow("below one") << 0.9 << "0.900";
    QTest::newRow("one") << 1.0 << "1.00";
    QTest::newRow("units") << 3.14159 << "3.14";
    QTest::newRow("carry") << 9.996 << "10.0";
    QTest::newRow("carry to hundreds") << 99.96 << "100";
    QTest::newRow("tens") << 12.345 << "12.3";
    QTest::newRow("hundreds") << 123.45 << "123";
    QTest::newRow("thousands") << 1234.5 << "1,230";
    QTest::newRow("not a number") << std::numeric_limits<double>::quiet_NaN() << "0";
}

void TimingTableTest::threeSignificantFigures() {
    QFETCH(double, ms);
    QFETCH(QString, text);
    QCOMPARE(millisecondText(ms), text);
}

void TimingTableTest::oneGroupAStep() {
    const TimingTable table =
        buildTimingTable({cpuRow(0, true, 40), cpuRow(0, false, 4), gpuRow(0, 0.2),
                          cpuRow(2, true, 80), cpuRow(2, false, 8), gpuRow(2, 0.4)},
                         true);
    QCOMPARE(table.groups.size(), std::size_t(2));
    QCOMPARE(table.groups[0].title, QString("1  Gaussian blur"));
    QCOMPARE(table.groups[1].title, QString("3  Gaussian blur"));
    QVERIFY2(table.groups[0].details.contains("1,920 × 1,280 Rgba8"),
             qPrintable(table.groups[0].details));
    QVERIFY(table.groups[0].details.startsWith("sigma 2"));
    QCOMPARE(table.groups[0].lines.size(), std::size_t(6));
    const TimingLine& single = table.groups[0].lines[0];
    QCOMPARE(cell(single, TimingColumn::Where), QString("CPU, 1 thread"));
    QCOMPARE(cell(single, TimingColumn::Median), QString("40.0"));
    QCOMPARE(cell(single, TimingColumn::Spread), QString("38.0–44.0"));
    QCOMPARE(cell(single, TimingColumn::Samples), QString("21"));
    QCOMPARE(cell(single, TimingColumn::Bandwidth), QString("0.492"));
    QCOMPARE(cell(single, TimingColumn::Agreement), QString("reference"));
    QCOMPARE(cell(single, TimingColumn::Speedup), QString());
    QCOMPARE(cell(table.groups[0].lines[1], TimingColumn::Where), QString("CPU, 16 threads"));
}

void TimingTableTest::gpuComesApart() {
    const TimingTable table =
        buildTimingTable({cpuRow(0, true, 40), cpuRow(0, false, 4), gpuRow(0, 0.2)}, true);
    QStringList where, medians;
    for (std::size_t i = 2; i < 6; ++i) {
        where << cell(table.groups[0].lines[i], TimingColumn::Where);
        medians << cell(table.groups[0].lines[i], TimingColumn::Median);
    }
    QCOMPARE(where, QStringList({"GPU kernels", "GPU upload", "GPU download", "GPU end to end"}));
    QCOMPARE(medians, QStringList({"0.200", "0.800", "0.700", "1.80"}));
    // Samples and bandwidth are the kernels'; nobody measured them for the parts.
    QCOMPARE(cell(table.groups[0].lines[3], TimingColumn::Samples), QString());
    QCOMPARE(cell(table.groups[0].lines[2], TimingColumn::Samples), QString("21"));
}

void TimingTableTest::speedupsNameBothSides() {
    const TimingTable table =
        buildTimingTable({cpuRow(0, true, 40), cpuRow(0, false, 4), gpuRow(0, 0.2)}, true);
    const auto& lines = table.groups[0].lines;
    QCOMPARE(cell(lines[1], TimingColumn::Speedup), QString("all cores against 1 thread: 10.0×"));
    QCOMPARE(cell(lines[2], TimingColumn::Speedup),
             QString("kernel only against 1 thread: 200×, against 16 threads: 20.0×"));
    QCOMPARE(cell(lines[5], TimingColumn::Speedup),
             QString("end to end against 1 thread: 22.2×, against 16 threads: 2.22×"));
    QCOMPARE(cell(lines[2], TimingColumn::Agreement), QString("identical"));
}

void TimingTableTest::noSpeedupWhereResultsDiffer() {
    TimingReady wrong = gpuRow(0, 0.2);
    wrong.timing.agreement.verdict = Verdict::Differs;
    wrong.timing.agreement.differing = 12;
    wrong.timing.agreement.maxDifference = 3;
    wrong.timing.agreement.samples = 1000;
    wrong.timing.agreement.firstX = 4;
    wrong.timing.agreement.firstY = 7;
    const TimingTable table =
        buildTimingTable({cpuRow(0, true, 40), cpuRow(0, false, 4), wrong}, true);
    const auto& lines = table.groups[0].lines;
    QCOMPARE(lines.size(), std::size_t(6));
    const TimingCell& agreement = lines[2].cell(TimingColumn::Agreement);
    QCOMPARE(agreement.text, QString::fromStdString(describe(wrong.timing.agreement)));
    QVERIFY(agreement.text.contains("12"));
    QVERIFY(agreement.tone == TimingTone::Error);
    for (const std::size_t line : {2, 5}) {
        const TimingCell& speedup = lines[line].cell(TimingColumn::Speedup);
        QCOMPARE(speedup.text, QString("none: results differ"));
        QVERIFY(speedup.tone == TimingTone::Error);
    }
    // The CPUs agree with each other, so theirs stays.
    QCOMPARE(cell(lines[1], TimingColumn::Speedup), QString("all cores against 1 thread: 10.0×"));
}

void TimingTableTest::withinTheRuleHasASpeedup() {
    TimingReady near = gpuRow(0, 0.2);
    near.timing.agreement.verdict = Verdict::WithinRule;
    near.timing.agreement.maxDifference = 1;
    near.timing.agreement.differing = 3;
    near.timing.agreement.samples = 1000;
    const TimingTable table = buildTimingTable({cpuRow(0, true, 40), near}, true);
    const TimingLine& kernels = table.groups[0].lines[1];
    QVERIFY(cell(kernels, TimingColumn::Speedup).contains("200×"));
    QVERIFY(kernels.cell(TimingColumn::Agreement).tone == TimingTone::Normal);
    QVERIFY(cell(kernels, TimingColumn::Agreement).startsWith("within 1"));
}

void TimingTableTest::missingGpuSaysWhy() {
    const TimingTable table = buildTimingTable(
        {cpuRow(0, true, 40), cpuRow(0, false, 4), noGpuRow(0, "no NVIDIA driver is installed")},
        false);
    const auto& lines = table.groups[0].lines;
    QCOMPARE(lines.size(), std::size_t(3));
    QVERIFY(lines[2].spanned);
    QCOMPARE(lines[2].cells[0].text, QString("no GPU: no NVIDIA driver is installed"));
    QCOMPARE(table.bars[0].bars.size(), std::size_t(2));
}

void TimingTableTest::failedGpuIsNotAMissingOne() {
    const TimingTable table = buildTimingTable(
        {cpuRow(0, true, 40), noGpuRow(0, "12 GiB are needed, 8 GiB are free")}, true);
    const TimingLine& line = table.groups[0].lines[1];
    QCOMPARE(line.cells[0].text, QString("GPU not measured: 12 GiB are needed, 8 GiB are free"));
    QVERIFY(line.cells[0].tone == TimingTone::Error);
}

void TimingTableTest::unfinishedStep() {
    const TimingTable table = buildTimingTable({cpuRow(0, true, 40)}, true);
    QCOMPARE(table.groups.size(), std::size_t(1));
    QCOMPARE(table.groups[0].lines.size(), std::size_t(1));
    QVERIFY(buildTimingTable({}, true).groups.empty());
}

void TimingTableTest::barsOfEveryBackend() {
    const TimingTable table =
        buildTimingTable({cpuRow(0, true, 40), cpuRow(0, false, 4), gpuRow(0, 0.2)}, true);
    const auto& bars = table.bars.at(0).bars;
    QCOMPARE(bars.size(), std::size_t(4));
    QCOMPARE(bars[0].backend, std::string("cpu-single"));
    QCOMPARE(bars[2].ms, 0.2);
    QCOMPARE(bars[2].solidMs, 0.2);
    QCOMPARE(bars[3].label, QString("GPU end to end"));
    QCOMPARE(bars[3].ms, 1.8);
    QCOMPARE(bars[3].solidMs, 0.2);
}

void TimingTableTest::stateLine() {
    TimingState s{.hasImage = true, .steps = 3};
    QCOMPARE(timingStateText(s), QString("measuring when idle"));
    s.measuredBefore = true;
    QCOMPARE(timingStateText(s), QString("pipeline changed: measuring when idle"));
    s.measuring = true;
    s.stepsDone = 1;
    QCOMPARE(timingStateText(s), QString("measuring step 2 of 3…"));
    s.stepsDone = 3;
    QCOMPARE(timingStateText(s), QString("measuring step 3 of 3…"));
    s.measuring = false;
    s.complete = true;
    s.ageMs = 400;
    QCOMPARE(timingStateText(s), QString("measured just now"));
    s.ageMs = 2100;
    QCOMPARE(timingStateText(s), QString("measured 2 s ago"));
    s.ageMs = 125'000;
    QCOMPARE(timingStateText(s), QString("measured 2 min ago"));
    s.ageMs = 3 * 3600 * 1000;
    QCOMPARE(timingStateText(s), QString("measured 3 h ago"));
    s.complete = false;
    s.paused = true;
    QCOMPARE(timingStateText(s), QString("live update is paused: not measured"));
}

void TimingTableTest::emptyStates() {
    QVERIFY(timingEmptyText({}).startsWith("Open an image"));
    QVERIFY(timingEmptyText({.hasImage = true}).startsWith("Add a step"));
    QVERIFY(timingEmptyText({.hasImage = true, .steps = 1}).isEmpty());
}

void TimingTableTest::reportCarriesTheRows() {
    const TimingReport report =
        timingReport({cpuRow(0, true, 40), gpuRow(0, 0.2)}, BackendSet::cpuOnly("test reason"));
    QCOMPARE(report.results.size(), std::size_t(2));
    QCOMPARE(report.results[1].backend, std::string("cuda"));
    QVERIFY(!report.machine.cpu.empty());
    QVERIFY(report.machine.threads >= 1);
    QVERIFY(report.machine.gpu.empty());
    QVERIFY(!report.date.empty());
}

QTEST_GUILESS_MAIN(TimingTableTest)
#include "timing_table_test.moc"
