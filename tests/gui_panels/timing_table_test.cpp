// The timing table, its bars and sentences as values.
#include "gui/timings/timing_table.h"

#include <QtTest>

#include "gui/timings/timing_card.h"
#include "gui/timings/timing_item_model.h"
#include "gui/timings/waterfall.h"
#include "gui_panels/panel_samples.h"
#include "support/test_case.h"

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
    void percentOfCopying();
    void automaticIsNoNumber();
    void cardHasEveryFigure();
    void cardWithoutAgreement();
    void aPartSaysWhy();
    void cardTellsColdFromWarm();
    void waterfallOfARun();
    void waterfallShowsKernels();
    void waterfallOfBands();
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
    QVERIFY2(table.groups[0].details.contains("1,920 × 1,280, 8-bit colour"),
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
    // One side is the line itself.
    QCOMPARE(cell(lines[1], TimingColumn::Speedup), QString("against 1 thread 10.0×"));
    QCOMPARE(cell(lines[2], TimingColumn::Speedup),
             QString("against best CPU 20.0×, 1 thread 200×"));
    QCOMPARE(cell(lines[5], TimingColumn::Speedup),
             QString("against best CPU 2.22×, 1 thread 22.2×"));
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
    QCOMPARE(cell(lines[1], TimingColumn::Speedup), QString("against 1 thread 10.0×"));
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
    QCOMPARE(bars[0].backend, BackendKind::CpuSingle);
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
    // A GPU is promised where there is one.
    for (const bool image : {false, true})
        for (const bool gpu : {false, true})
            QCOMPARE(timingEmptyText({.hasImage = image, .hasGpu = gpu}).contains("GPU"), gpu);
}

void TimingTableTest::reportCarriesTheRows() {
    const TimingReport report =
        timingReport({cpuRow(0, true, 40), gpuRow(0, 0.2)}, BackendSet::cpuOnly("test reason"));
    QCOMPARE(report.results.size(), std::size_t(2));
    QCOMPARE(report.results[1].backend, BackendKind::Cuda);
    QVERIFY(!report.machine.cpu.empty());
    QVERIFY(report.machine.threads >= 1);
    QVERIFY(report.machine.gpu.empty());
    QVERIFY(!report.date.empty());
}

void TimingTableTest::percentOfCopying() {
    MachineInfo machine;
    machine.threads = 16;
    machine.copyGbpsCpuSingle = 10;
    machine.copyGbpsCpu = 40;
    const TimingTable table =
        buildTimingTable({cpuRow(0, true, 4), cpuRow(0, false, 1), gpuRow(0, 0.2)}, true, machine);
    const auto& lines = table.groups[0].lines;
    // One thread against one thread, all cores against all.
    QCOMPARE(cell(lines[0], TimingColumn::Bandwidth), QString("4.92 · 49%"));
    QCOMPARE(cell(lines[1], TimingColumn::Bandwidth), QString("19.7 · 49%"));
    QCOMPARE(cell(lines[2], TimingColumn::Bandwidth), QString("98.3"));  // not known of the GPU
    QCOMPARE(timingReport({cpuRow(0, true, 4)}, BackendSet::cpuOnly(""),
                          CopyBandwidthReady{1, 2, 3, 4, {}})
                 .machine.copyGbpsGpu,
             4.0);
}

void TimingTableTest::automaticIsNoNumber() {
    TimingReady row = cpuRow(0, true, 4);
    row.timing.parameters.set("size", std::int64_t{0});
    const QString details = buildTimingTable({row}, false).groups[0].details;
    QVERIFY2(details.startsWith("sigma 2, kernel size automatic, "), qPrintable(details));
    // And a level that a method finds is none that was given.
    row.timing.operation = "threshold";
    row.timing.parameters = {};
    row.timing.parameters.set("value", 77.0);
    row.timing.parameters.set("method", std::string("otsu"));
    const QString found = buildTimingTable({row}, false).groups[0].details;
    QVERIFY2(found.startsWith("method Otsu, ") && !found.contains("level"), qPrintable(found));
    row.timing.parameters.set("method", std::string("fixed"));
    const QString given = buildTimingTable({row}, false).groups[0].details;
    QVERIFY2(given.contains("level 77"), qPrintable(given));
}

void TimingTableTest::cardHasEveryFigure() {
    MachineInfo machine;
    machine.threads = 16;
    machine.copyGbpsGpu = 200;
    const TimingCard card =
        buildTimingCard({cpuRow(2, true, 40), cpuRow(2, false, 4), gpuRow(2, 0.2)}, true, machine);
    QCOMPARE(card.stepIndex, std::size_t(2));
    QCOMPARE(card.title, QString("3  Gaussian blur"));
    QStringList names, values;
    for (const CardFigure& figure : card.figures) {
        names << figure.name;
        values << figure.value;
    }
    QCOMPARE(names, QStringList({"CPU, 1 thread", "CPU, 16 threads", "GPU kernels", "GPU upload",
                                 "GPU download", "GPU end to end"}));
    QCOMPARE(values, QStringList({"40.0", "4.00", "0.200", "0.800", "0.700", "1.80"}));
    QCOMPARE(card.figures[0].notes, QStringList({"n 21 · 38.0–44.0 ms", "0.492 GB/s"}));
    QCOMPARE(card.figures[2].notes.mid(1),
             QStringList({"98.3 GB/s", "49% of the speed of copying"}));
    // What it is shown for, with both sides and the agreement, comes first.
    QStringList gains;
    for (const CardFigure& gain : card.gains)
        gains << gain.name + u' ' + gain.value + u' ' + gain.notes.join(u", ");
    QCOMPARE(gains,
             QStringList({"all cores 10.0× against 1 thread, identical",
                          "GPU kernel only 20.0× against the best CPU (16 threads), identical",
                          "GPU end to end 2.22× against the best CPU (16 threads), identical"}));
    QStringList lines;
    for (const CardLine& line : card.lines) lines << line.text;
    QCOMPARE(lines.mid(0, 4), QStringList({"GPU kernel only against 1 thread: 200×",
                                           "GPU end to end against 1 thread: 22.2×",
                                           "CPU, 16 threads and 1 thread: identical",
                                           "GPU and 1 thread: identical"}));
    QVERIFY(lines.last().contains("warm"));
    QVERIFY(lines.last().contains("first call"));
}

void TimingTableTest::cardWithoutAgreement() {
    TimingReady wrong = gpuRow(0, 0.2);
    wrong.timing.agreement.verdict = Verdict::Differs;
    wrong.timing.agreement.differing = 12;
    wrong.timing.agreement.maxDifference = 3;
    wrong.timing.agreement.samples = 1000;
    wrong.timing.agreement.firstX = 4;
    wrong.timing.agreement.firstY = 7;
    const TimingCard card =
        buildTimingCard({cpuRow(0, true, 40), cpuRow(0, false, 4), wrong}, true, {});
    int faulty = 0;
    for (const CardLine& line : card.lines) {
        QVERIFY(!(line.text.contains("GPU") && line.text.contains("×")));
        if (!line.differsOn) continue;
        ++faulty;
        QCOMPARE(line.differsOn, BackendKind::Cuda);
        QVERIFY(line.tone == TimingTone::Error);
        QVERIFY2(line.text.contains("12"), qPrintable(line.text));
    }
    QCOMPARE(faulty, 1);
    QVERIFY(buildTimingCard({}, true, {}).empty());
    const TimingCard missing =
        buildTimingCard({cpuRow(0, true, 40), noGpuRow(0, "no driver")}, false, {});
    QCOMPARE(missing.figures.size(), std::size_t(1));
    QVERIFY(std::any_of(missing.lines.begin(), missing.lines.end(),
                        [](const CardLine& line) { return line.text == "no GPU: no driver"; }));
}

// Where the row is looked at, and on the card, once each; nothing where all of the image was timed.
void TimingTableTest::aPartSaysWhy() {
    std::vector<TimingReady> rows{cpuRow(0, true, 44.5), cpuRow(0, false, 4.2)};
    for (const bool ofPart : {false, true}) {
        for (TimingReady& row : rows) row.ofPart = ofPart;
        const TimingTable table = buildTimingTable(rows, false);
        const QString note = table.groups[0].note;
        QCOMPARE(note.contains("on a part of the image"), ofPart);
        TimingItemModel model;
        model.setTable(table);
        const QModelIndex step = model.index(0, 0);
        QCOMPARE(step.data(Qt::ToolTipRole).toString().count("part of"), ofPart ? 1 : 0);
        QCOMPARE(step.data(Qt::AccessibleTextRole).toString().count("part of"), ofPart ? 1 : 0);
        QVERIFY(!step.data().toString().contains("part of"));
        const TimingCard card = buildTimingCard(rows, false, {});
        const auto said = std::count_if(card.lines.begin(), card.lines.end(), [](const auto& line) {
            return line.text.contains("part of the image");
        });
        QCOMPARE(said, ofPart ? 1 : 0);
    }
}

void TimingTableTest::cardTellsColdFromWarm() {
    TimingReady cold = cpuRow(0, true, 50);
    cold.timing.cold = true;
    const TimingCard both = buildTimingCard({cpuRow(0, true, 40), cold}, false, {});
    QCOMPARE(both.figures[0].name, QString("CPU, 1 thread, warm"));
    QCOMPARE(both.figures[1].name, QString("CPU, 1 thread, cold"));
    const TimingCard one = buildTimingCard({cold}, false, {});
    QCOMPARE(one.figures[0].name, QString("CPU, 1 thread"));
    QVERIFY(one.lines.back().text.contains("cold"));
}

void TimingTableTest::waterfallOfARun() {
    Pipeline pipeline;
    for (const char* id : {"grayscale", "gaussian_blur"})
        pipeline.steps.push_back(makeStep(id).value());
    StepReport kept, ran;
    kept.stepIndex = 0;
    kept.fromCache = true;
    ran.stepIndex = 1;
    using Kind = RunEvent::Kind;
    const std::vector<RunEvent> events{
        {Kind::Upload, "", {}, BackendKind::Cuda, 0, 2},
        {Kind::Compute, "gaussian_blur", 1, BackendKind::Cuda, 2, 0.5},
        {Kind::Download, "", {}, BackendKind::Cuda, 2.5, 3},
        {Kind::Reduce, "", {}, BackendKind::Cpu, 6, 1}};
    const Waterfall w = buildWaterfall(events, DrawTime{8, 4}, pipeline, {kept, ran});
    QStringList names;
    for (const WaterfallRow& row : w.rows) names << row.name;
    QCOMPARE(names,
             QStringList({"upload", "2  Gaussian blur", "download", "reduced copies", "draw"}));
    QVERIFY(w.rows[0].transfer && !w.rows[1].transfer && w.rows[2].transfer);
    QCOMPARE(w.endMs, 12.0);
    QVERIFY2(w.note.contains("1  Grayscale") || w.note.contains("1  "), qPrintable(w.note));
    QVERIFY(buildWaterfall(events, std::nullopt, pipeline, {ran}).note.isEmpty());
    QCOMPARE(buildWaterfall(events, std::nullopt, pipeline, {ran}).endMs, 7.0);
}

// A large image is computed in bands of rows: a step is one row, with a bar for each of them.
void TimingTableTest::waterfallOfBands() {
    Pipeline pipeline;
    for (const char* id : {"median", "gaussian_blur"})
        pipeline.steps.push_back(makeStep(id).value());
    using Kind = RunEvent::Kind;
    const std::vector<RunEvent> events{{Kind::Compute, "median", 0, BackendKind::Cpu, 0, 2},
                                       {Kind::Compute, "gaussian_blur", 1, BackendKind::Cpu, 2, 1},
                                       {Kind::Compute, "median", 0, BackendKind::Cpu, 3, 3},
                                       {Kind::Compute, "gaussian_blur", 1, BackendKind::Cpu, 6, 1},
                                       {Kind::Reduce, "", {}, BackendKind::Cpu, 7, 1}};
    const Waterfall w = buildWaterfall(events, std::nullopt, pipeline, {});
    QCOMPARE(w.rows.size(), std::size_t(3));
    QCOMPARE(w.rows[0].ms, 5.0);
    QCOMPARE(w.rows[0].startMs, 0.0);
    QCOMPARE(w.rows[0].bars.size(), std::size_t(2));
    QCOMPARE(w.rows[0].bars[1].startMs, 3.0);
    QVERIFY2(w.rows[0].detail.contains("5"), qPrintable(w.rows[0].detail));
    QCOMPARE(w.rows[1].ms, 2.0);
    QCOMPARE(w.rows[1].bars.size(), std::size_t(2));
    QCOMPARE(w.rows[2].bars.size(), std::size_t(1));
    QCOMPARE(w.endMs, 8.0);
}

void TimingTableTest::waterfallShowsKernels() {
    Pipeline pipeline;
    for (const char* id : {"nl_means", "gaussian_blur"})
        pipeline.steps.push_back(makeStep(id).value());
    using Kind = RunEvent::Kind;
    RunEvent many{Kind::Compute, "nl_means", 0, BackendKind::Cuda, 1, 10};
    many.kernels = {{"rows", 1, 2, 1}, {"columns", 3, 1, 3}, {"rows", 4, 2, 4}, {"", 6, 5, 2000}};
    RunEvent one{Kind::Compute, "gaussian_blur", 1, BackendKind::Cuda, 11, 2};
    one.kernels = {{"tiles", 11.5, 1, 2}};
    // An upload that overlaps is not put between an operation and its kernels.
    const RunEvent upload{Kind::Upload, "", {}, BackendKind::Cuda, 2, 1};
    const Waterfall w = buildWaterfall({many, upload, one}, std::nullopt, pipeline, {});
    QStringList names;
    for (const WaterfallRow& row : w.rows) names << row.name;
    const QLocale locale;
    const QString further = QString("further launches × %1").arg(locale.toString(2000));
    QCOMPARE(names.mid(1), QStringList({"rows × 5", "columns × 3", further, "upload",
                                        "2  Gaussian blur: tiles × 2"}));
    QVERIFY(names[0].startsWith("1  "));
    QCOMPARE(w.endMs, 13.0);

    // The operations keep their own time; those of the kernels lie within it.
    QCOMPARE(w.rows[0].ms, 10.0);
    QVERIFY(!w.rows[0].kernel);
    QCOMPARE(w.rows[5].ms, 2.0);
    QVERIFY(!w.rows[5].kernel);
    double sum = 0;
    int launches = 0;
    for (int i = 1; i <= 3; ++i) {
        QVERIFY(w.rows[i].kernel);
        sum += w.rows[i].ms;
        launches += w.rows[i].launches;
    }
    QCOMPARE(sum, 10.0);
    QCOMPARE(launches, w.rows[0].launches);
    QCOMPARE(w.rows[1].bars.size(), std::size_t(2));
    QCOMPARE(w.rows[1].bars[1].startMs, 4.0);
    QCOMPARE(w.rows[1].ms, 4.0);
    QVERIFY2(
        w.rows[1].detail.contains(names[0] + ": rows") && w.rows[1].detail.contains("5 launches"),
        qPrintable(w.rows[1].detail));
    QVERIFY2(w.rows[5].detail.contains("2 launches"), qPrintable(w.rows[5].detail));
    QVERIFY(!w.rows[4].detail.contains("launch"));
}

WARPSCOPE_TEST(TimingTableTest)
#include "timing_table_test.moc"
