// The timings panel: on a real document without a GPU, and its views on rows made by hand.
#include "gui/timings/timings_panel.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QHeaderView>
#include <QHelpEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>
#include <QtTest>

#include "engine/image/synthetic.h"
#include "gui/timings/timing_card_view.h"
#include "gui/timings/timing_chart.h"
#include "gui/timings/timing_item_model.h"
#include "gui/timings/timing_tree.h"
#include "gui/timings/waterfall_view.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/wrap_label.h"
#include "gui_panels/timings_fixture.h"
#include "pipeline/fake_backend.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;
using test::cpuRow;
using test::gpuRow;
using test::noGpuRow;

namespace {
constexpr TimingColumn kByWorth[] = {
    TimingColumn::Where,  TimingColumn::Speedup, TimingColumn::Median,   TimingColumn::Agreement,
    TimingColumn::Spread, TimingColumn::Samples, TimingColumn::Bandwidth};
}  // namespace

class TimingsPanelTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }
    void emptyStatesSayWhatToDo();
    void measuresAndSaysWhyThereIsNoGpu();
    void pipelineChangeIsSaid();
    void measureAgainByMouse();
    void copies();
    void columnsHoldTheirTexts();
    void speedupAndAgreementStay();
    void rangesAreShort();
    void theCardIsAlwaysReadable();
    void aDifferenceCanBeAskedFor();
    void theWaterfallShowsTheRunAndTheDrawing();
    void theWaterfallShowsKernels();
    void aProblemIsSaid();
    void figuresAreShownNowAndThen();
    void stoppedWhileFiguresCome();
};

void TimingsPanelTest::emptyStatesSayWhatToDo() {
    TimingsFixture f;
    QVERIFY(f.child<QLabel>("timingsEmpty").isVisible());
    QVERIFY(f.child<QLabel>("timingsEmpty").text().startsWith("Open an image"));
    f.open();
    QTRY_VERIFY(f.child<QLabel>("timingsEmpty").text().startsWith("Add a step"));
    f.document.insertStep(0, makeStep("grayscale").value());
    QTRY_VERIFY(!f.child<QLabel>("timingsEmpty").isVisible());
    f.document.setStepEnabled(0, false);
    QTRY_VERIFY(f.child<QLabel>("timingsEmpty").isVisible());
}

void TimingsPanelTest::measuresAndSaysWhyThereIsNoGpu() {
    TimingsFixture f;
    f.open();
    f.document.insertStep(0, makeStep("gaussian_blur").value());
    f.document.insertStep(1, makeStep("equalize").value());
    QVERIFY(f.measured());
    QTRY_COMPARE(f.items().rowCount(), 2);
    for (int step = 0; step < 2; ++step) {
        QCOMPARE(f.items().rowCount(f.items().index(step, 0)), 3);
        QCOMPARE(textAt(f.items(), step, 0, TimingColumn::Where), QString("CPU, 1 thread"));
        QVERIFY(textAt(f.items(), step, 0, TimingColumn::Samples).toInt() >= 5);
        QCOMPARE(textAt(f.items(), step, 1, TimingColumn::Agreement), QString("identical"));
        // Where the image is so small that one thread did the work, there is no race.
        const QString speedup = textAt(f.items(), step, 1, TimingColumn::Speedup);
        QVERIFY(speedup.isEmpty() || speedup.startsWith("against 1 thread "));
        QCOMPARE(textAt(f.items(), step, 2, TimingColumn::Where), QString("no GPU: test reason"));
        QVERIFY(
            f.child<QTreeView>("timingsTable").isFirstColumnSpanned(2, f.items().index(step, 0)));
    }
    QTRY_VERIFY2(f.state().startsWith("measured "), qPrintable(f.state()));
    QCOMPARE(f.child<TimingChart>("timingsChart").labels().size(), 6);
    // The age goes on by itself.
    static const QRegularExpression age("^measured [1-9][0-9]* s ago$");
    QTRY_VERIFY_WITH_TIMEOUT(age.match(f.state()).hasMatch(), 40'000);
}

void TimingsPanelTest::pipelineChangeIsSaid() {
    TimingsFixture f;
    f.open();
    f.document.insertStep(0, makeStep("gaussian_blur").value());
    QVERIFY(f.measured());
    f.bridge.setPaused(true);
    f.document.setParameter(0, "sigma", 3.0, EditPhase::Single);
    QCOMPARE(f.items().rowCount(), 0);
    QCOMPARE(f.state(), QString("live update is paused: not measured"));
    QVERIFY(!f.child<QToolButton>("timingsCopy").isEnabled());
    f.bridge.setPaused(false);
    QTRY_VERIFY2(f.state() == "pipeline changed: measuring when idle" ||
                     f.state() == "measuring step 1 of 1…" || f.state().startsWith("measured"),
                 qPrintable(f.state()));
    QVERIFY(f.measured());
}

void TimingsPanelTest::measureAgainByMouse() {
    TimingsFixture f;
    f.open();
    f.document.insertStep(0, makeStep("grayscale").value());
    QVERIFY(f.measured());
    const std::uint64_t before = f.bridge.timings().back().revision;
    QPushButton& again = f.child<QPushButton>("timingsAgain");
    QTRY_VERIFY(again.isEnabled());
    QTest::mouseClick(&again, Qt::LeftButton);
    QVERIFY(f.bridge.timings().empty());
    QVERIFY(f.measured());
    QVERIFY(f.bridge.timings().back().revision > before);
    QTRY_VERIFY(f.state().startsWith("measured "));
}

void TimingsPanelTest::copies() {
    TimingsFixture f;
    f.open();
    f.document.insertStep(0, makeStep("gaussian_blur").value());
    QVERIFY(f.measured());
    const QString csv = f.copied("copyCsv");
    QCOMPARE(csv.count('\n'), qsizetype(4));
    QVERIFY(csv.section('\n', 0, 0).contains("median_ms"));
    QVERIFY(csv.contains("test reason"));
    const QJsonObject json = QJsonDocument::fromJson(f.copied("copyJson").toUtf8()).object();
    QCOMPARE(json["schema"].toString(), QString("warpscope-timings/2"));
    QCOMPARE(json["results"].toArray().size(), qsizetype(3));
    QCOMPARE(json["results"].toArray()[1].toObject()["backend"].toString(), QString("cpu"));
    QVERIFY(!json["machine"].toObject()["cpu"].toString().isEmpty());
    QVERIFY(f.copied("copyTable").contains("gaussian_blur"));
}

void TimingsPanelTest::columnsHoldTheirTexts() {
    TimingsFixture f;
    f.open();
    f.document.insertStep(0, makeStep("gaussian_blur").value());
    QVERIFY(f.measured());
    QTRY_COMPARE(f.items().rowCount(f.items().index(0, 0)), 3);
    auto& tree = f.child<TimingTree>("timingsTable");
    const QFontMetrics metrics(Theme::instance().figureFont());
    int before = 0;
    for (const int width : {320, 470, 600, 900, 1600}) {
        f.panel.resize(width, 180);
        f.click("timingsTableChip");
        QTRY_VERIFY(tree.isVisible());
        QTest::qWait(20);
        // The most telling columns first, nothing cut, nothing to be scrolled sideways.
        int shown = 0, total = 0;
        bool hidden = false;
        const bool tiny = tree.header()->isSectionHidden(int(TimingColumn::Speedup));
        for (const TimingColumn column : kByWorth) {
            if (tiny)
                QCOMPARE(tree.header()->isSectionHidden(int(column)),
                         column > TimingColumn::Median);
            if (tree.header()->isSectionHidden(int(column))) {
                hidden = true;
                continue;
            }
            QVERIFY(!hidden || tiny);
            ++shown;
            const int room = tree.header()->sectionSize(int(column));
            total += room;
            const bool breaks =
                column == TimingColumn::Speedup || column == TimingColumn::Agreement;
            const QRegularExpression between(tree.lines() == TimingTree::Lines::Figures
                                                 ? ", | (?=[^ ]*×(,|$))"
                                             : tree.lines() == TimingTree::Lines::Parts ? ", "
                                                                                        : "$");
            for (int line = 0; line < 2; ++line) {
                const QString text = textAt(f.items(), 0, line, column);
                for (const QString& part : breaks ? text.split(between) : QStringList(text))
                    QVERIFY(metrics.horizontalAdvance(part) < room);
            }
            QVERIFY(metrics.horizontalAdvance(timingColumnTitle(column)) < room);
        }
        QVERIFY(shown >= 2 && shown >= (width <= 600 ? before : 0));
        QVERIFY2(total <= tree.viewport()->width(), qPrintable(QString::number(width)));
        before = shown;
        QCOMPARE(tree.header()->toolTip().isEmpty(), shown == kTimingColumns);
    }
    QCOMPARE(before, kTimingColumns);
}

// In the place that a window of 1,384 pixels leaves, with the longest cells that a GPU gives.
void TimingsPanelTest::speedupAndAgreementStay() {
    TimingTree tree(nullptr);
    TimingReady gpu = gpuRow(0, 0.21);
    gpu.timing.agreement.verdict = Verdict::WithinRule;
    gpu.timing.agreement.maxDifference = 1;
    gpu.timing.agreement.psnrDb = 56.34;
    tree.setTable(buildTimingTable({cpuRow(0, true, 44.5), cpuRow(0, false, 4.2), gpu}, true));
    tree.resize(1200, 200);
    tree.show();
    QVERIFY(QTest::qWaitForWindowExposed(&tree));
    QCOMPARE(tree.lines(), TimingTree::Lines::Whole);
    const auto gpuRowHeight = [&] {
        const QModelIndex step = tree.model()->index(0, 0);
        return tree.visualRect(tree.model()->index(2, int(TimingColumn::Speedup), step)).height();
    };
    const int oneLine = gpuRowHeight();
    tree.resize(555, 200);
    QTRY_VERIFY(tree.lines() != TimingTree::Lines::Whole);
    for (const TimingColumn column : {TimingColumn::Where, TimingColumn::Median,
                                      TimingColumn::Speedup, TimingColumn::Agreement})
        QVERIFY2(!tree.header()->isSectionHidden(int(column)),
                 qPrintable(timingColumnTitle(column)));
    QTRY_VERIFY(gpuRowHeight() > oneLine * 3 / 2);
    const QString folder = qEnvironmentVariable("WARPSCOPE_SHOTS");
    if (!folder.isEmpty()) tree.grab().save(folder + "/timings_555.png");
    // Where not even these fit, the agreement goes first, of which the card tells.
    while (!tree.header()->isSectionHidden(int(TimingColumn::Agreement)) && tree.width() > 300) {
        tree.resize(tree.width() - 1, 200);
        QCoreApplication::processEvents();
    }
    QVERIFY(tree.header()->isSectionHidden(int(TimingColumn::Agreement)));
    QVERIFY(!tree.header()->isSectionHidden(int(TimingColumn::Speedup)));
    QVERIFY(!tree.header()->isSectionHidden(int(TimingColumn::Median)));
    QVERIFY(tree.header()->toolTip().contains(timingColumnTitle(TimingColumn::Agreement)));
}

// Noisy rows give the longest speedups; the time stays beside them.
void TimingsPanelTest::rangesAreShort() {
    TimingReady single = cpuRow(0, true, 44.5), cores = cpuRow(0, false, 4.2),
                gpu = gpuRow(0, 0.21);
    // Up to a range of 1 : 2.8; beyond 1 : 3 the middle is shown.
    const double part = 0.15 + 0.1 * test::freshRandom()->generateDouble();
    for (TimingReady* row : {&single, &cores, &gpu}) {
        SampleSummary& time = row->timing.time;
        time.lowMs = time.medianMs * (1 - part);
        time.highMs = time.medianMs * (1 + part);
    }
    TimingTree tree(nullptr);
    tree.setTable(buildTimingTable({single, cores, gpu}, true));
    tree.resize(800, 200);
    tree.show();
    QVERIFY(QTest::qWaitForWindowExposed(&tree));
    const QAbstractItemModel& model = *tree.model();
    const QModelIndex cell = model.index(1, int(TimingColumn::Speedup), model.index(0, 0));
    const QString low = millisecondText(44.5 / 4.2 * (1 - part) / (1 + part));
    const QString high = millisecondText(44.5 / 4.2 * (1 + part) / (1 - part));
    QCOMPARE(cell.data().toString(), QString("against 1 thread %1–%2×").arg(low, high));
    QCOMPARE(cell.data(Qt::ToolTipRole).toString(),
             QString("against 1 thread %1× to %2×").arg(low, high));
    const QString ofGpu = cell.siblingAtRow(2).data().toString();
    QVERIFY2(ofGpu.count(QChar(0x2013)) == 2, qPrintable(ofGpu));
    // As wide as the place of the table in a window of 1,600 by 1,000.
    for (const int width : {800, 555}) {
        tree.resize(width, 200);
        QTRY_VERIFY(!tree.header()->isSectionHidden(int(TimingColumn::Median)));
        QVERIFY(!tree.header()->isSectionHidden(int(TimingColumn::Speedup)));
        QVERIFY(!tree.header()->isSectionHidden(int(TimingColumn::Agreement)));
        QCOMPARE(tree.header()->length(), tree.viewport()->width());
    }
    // Figures take lines of their own before the agreement goes.
    bool figuresBeside = false;
    for (int width = 555;
         width > 200 && !tree.header()->isSectionHidden(int(TimingColumn::Agreement)); --width) {
        figuresBeside |= tree.lines() == TimingTree::Lines::Figures;
        tree.resize(width, 200);
        QCoreApplication::processEvents();
    }
    QVERIFY(tree.header()->isSectionHidden(int(TimingColumn::Agreement)));
    QVERIFY(figuresBeside);
    // What is sure needs no second text.
    tree.setTable(buildTimingTable({cpuRow(0, true, 44.5), cpuRow(0, false, 4.2)}, true));
    QVERIFY(!model.index(1, int(TimingColumn::Speedup), model.index(0, 0))
                 .data(Qt::ToolTipRole)
                 .isValid());
}

void TimingsPanelTest::theCardIsAlwaysReadable() {
    TimingsFixture f;
    f.open();
    f.document.insertStep(0, makeStep("gaussian_blur").value());
    f.document.insertStep(1, makeStep("equalize").value());
    f.document.setCurrentStep(0);
    QVERIFY(f.measured());
    auto& card = f.child<TimingCardView>("timingsCard");
    for (const int width : {300, 470, 900}) {
        f.panel.resize(width, 150);
        QTest::qWait(20);
        if (width < 700) f.click("timingsCardChip");
        QTRY_VERIFY(card.isVisible());  // in a wide panel beside the others, unasked
        QVERIFY(!card.horizontalScrollBar()->isVisible());
        QVERIFY(card.widget()->width() <= card.viewport()->width());
        for (const QWidget* child : card.widget()->findChildren<QWidget*>()) {
            const QRect place(child->mapTo(card.widget(), QPoint()), child->size());
            QVERIFY(place.left() >= 0 && place.right() < card.widget()->width());
            QVERIFY(child->height() >= child->minimumSizeHint().height());
        }
    }
    QVERIFY(card.texts()[0].startsWith("1  Gaussian blur"));
    f.document.setCurrentStep(1);
    QVERIFY(card.texts()[0].startsWith("2  Equalize"));
    f.document.setStepEnabled(1, false);
    QTRY_VERIFY2(card.texts().value(0).contains("off"), qPrintable(card.texts().value(0)));
}

void TimingsPanelTest::aDifferenceCanBeAskedFor() {
    test::FakeSet fakes(false);
    fakes.cpu->wrongPixel = true;
    Document document;
    EngineBridge bridge(document, [&] { return fakes.set(); });
    bridge.setBackend(BackendChoice::CpuSingle);
    TimingsPanel panel(document, bridge);
    panel.resize(900, 260);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    QSignalSpy ready(&bridge, &EngineBridge::differenceReady);
    bridge.openImage(makeScene({64, 48}, true, 3, CpuContext{}).value(), "scene");
    document.insertStep(0, makeStep("gaussian_blur").value());
    QTRY_VERIFY(panel.findChild<QPushButton*>("showDifference"));
    QTRY_VERIFY_WITH_TIMEOUT(bridge.timingsComplete() && !bridge.busy(), 30000);
    auto* card = panel.findChild<TimingCardView*>("timingsCard");
    QVERIFY(!card->texts().join(' ').contains("×  "));
    QVERIFY(!card->texts().join(' ').contains("against"));
    QTest::mouseClick(panel.findChild<QPushButton*>("showDifference"), Qt::LeftButton);
    QTRY_COMPARE(ready.count(), 1);
    const auto difference = ready[0][0].value<DifferenceReady>();
    QCOMPARE(compareImages(difference.reference, difference.other, AgreementRule{}).differing,
             std::uint64_t(1));
}

void TimingsPanelTest::theWaterfallShowsTheRunAndTheDrawing() {
    TimingsFixture f;
    f.open();
    f.document.insertStep(0, makeStep("gaussian_blur").value());
    QVERIFY(f.measured());
    auto& view = f.child<WaterfallView>("timingsWaterfall");
    f.click("timingsWaterfallChip");
    QTRY_VERIFY(view.isVisible());
    QCOMPARE(view.waterfall().rows.size(), std::size_t(2));  // the step, the reduced copies
    f.panel.resultPainted();
    QCOMPARE(view.waterfall().rows.size(), std::size_t(3));
    QVERIFY(view.labels().last().startsWith("draw\t"));
    // A later paint of the same result is none of its run.
    const double drawn = view.waterfall().rows.back().ms;
    QTest::qWait(5);
    f.panel.resultPainted();
    QCOMPARE(view.waterfall().rows.back().ms, drawn);
    // Bars lie in time as the figures say, one after the other, and within the view.
    for (int row = 0; row < 3; ++row) {
        const QRectF bar = view.barRect(row);
        QVERIFY(bar.left() >= 0 && bar.right() <= view.width());
        if (row > 0) QVERIFY(bar.left() >= view.barRect(row - 1).left());
    }
    QVERIFY(view.minimumSizeHint().width() <= 470);
}

void TimingsPanelTest::theWaterfallShowsKernels() {
    const test::FakeSet fakes(true);
    fakes.cuda->kernelMs = [](int) { return 6.0; };
    fakes.cuda->kernels = {{"count", 0.5, 1, 1}, {"table", 2, 0.25, 1}, {"apply", 3, 2, 9}};
    Document document;
    EngineBridge bridge{document, [&] { return fakes.set(); }};
    TimingsPanel panel{document, bridge};
    panel.resize(900, 260);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    bridge.setBackend(BackendChoice::Cuda);
    bridge.openImage(makeScene({64, 48}, true, 3, CpuContext{}).value(), "scene");
    document.insertStep(0, makeStep("equalize").value());
    auto& view = *panel.findChild<WaterfallView*>("timingsWaterfall");
    QTRY_COMPARE(view.waterfall().rows.size(), std::size_t(7));
    QTest::mouseClick(panel.findChild<QToolButton*>("timingsWaterfallChip"), Qt::LeftButton);
    QTRY_VERIFY(view.isVisible());
    QStringList names;
    for (const QString& label : view.labels()) names << label.section('\t', 0, 0);
    const qsizetype head = names.indexOf("count") - 1;
    QVERIFY2(head >= 0, qPrintable(names.join(", ")));
    QCOMPARE(names.mid(head + 1, 3), QStringList({"count", "table", "apply × 9"}));
    QVERIFY(view.labels()[head].endsWith("6.00 ms") || view.labels()[head].endsWith("6.0 ms"));
    // Within the bar of the operation, one after the other, below it.
    const QRectF whole = view.barRect(int(head));
    double end = whole.left();
    for (int row = int(head) + 1; row <= int(head) + 3; ++row) {
        const QRectF bar = view.barRect(row);
        QVERIFY(bar.left() >= end - 1e-6 && bar.right() <= whole.right() + 1.5);
        QVERIFY(bar.top() > view.barRect(row - 1).top());
        end = bar.left();
        QCOMPARE(view.rowAt(int(bar.center().y())), row);
    }
    QCOMPARE(view.rowAt(0), -1);
    const QPoint on(5, int(view.barRect(int(head) + 3).center().y()));
    QHelpEvent help(QEvent::ToolTip, on, view.mapToGlobal(on));
    QApplication::sendEvent(&view, &help);
    QVERIFY2(QToolTip::text().contains("apply") && QToolTip::text().contains("9 launches"),
             qPrintable(QToolTip::text()));
    QToolTip::hideText();
}

void TimingsPanelTest::aProblemIsSaid() {
    TimingState state;
    state.hasImage = true;
    state.steps = 2;
    state.measuring = true;
    state.problem = "broken";
    QCOMPARE(timingStateText(state), QString("not measured: broken"));
}

// Each burst of runs tells better figures of the rows that are there; new rows and the last figures
// come at once.
void TimingsPanelTest::figuresAreShownNowAndThen() {
    TimingsFixture f;
    f.open();
    QElapsedTimer clock;
    clock.start();
    int told = 0, rows = 0, shown = 0;
    std::size_t before = 0;
    connect(&f.bridge, &EngineBridge::timingsChanged, this, [&] {
        ++told;
        const std::size_t now = f.bridge.timings().size();
        if (now != before || (now > 0 && f.bridge.timings().back().last)) ++rows;
        before = now;
    });
    connect(&f.items(), &QAbstractItemModel::dataChanged, this,
            [&](const QModelIndex& first) { shown += first.parent().isValid() ? 1 : 0; });
    f.document.insertStep(0, makeStep("invert").value());
    QVERIFY(f.measured());
    // And once more for how fast memory is copied.
    const qint64 most = rows + clock.elapsed() / 100 + 1;
    QVERIFY2(shown <= most, qPrintable(QStringLiteral("%1 of %2").arg(shown).arg(told)));
    QCOMPARE(f.items().table().groups[0].lines[0].cell(TimingColumn::Median).text,
             millisecondText(f.bridge.timings()[0].timing.time.medianMs));
}

// What was to be shown a moment later says nothing of what goes on.
void TimingsPanelTest::stoppedWhileFiguresCome() {
    TimingsFixture f;
    f.open();
    bool stopped = false;
    std::size_t before = 0;
    connect(&f.bridge, &EngineBridge::timingsChanged, this, [&] {
        const auto& rows = f.bridge.timings();
        const bool better = rows.size() == before && !rows.empty() && !rows.back().last;
        before = rows.size();
        if (!better || std::exchange(stopped, true)) return;
        QMetaObject::invokeMethod(
            &f.bridge, [&f] { f.bridge.cancel(); }, Qt::QueuedConnection);
    });
    f.document.insertStep(0, makeStep("gaussian_blur").value());
    QTRY_VERIFY(stopped);
    QTRY_VERIFY(!f.bridge.busy());
    QTest::qWait(300);
    QVERIFY(f.child<QPushButton>("timingsAgain").isEnabled());
}

WARPSCOPE_TEST(TimingsPanelTest)
#include "timings_panel_test.moc"
