// This machine against a recorded one: which figures are played, at which pace, in which words.
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QTest>

#include "engine/image/synthetic.h"
#include "gui/showcase/recordings.h"
#include "gui/showcase/showcase_window.h"
#include "gui_showcase/chain_of.h"
#include "pipeline/fake_backend.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;
using test::chainOf;
using test::FakeSet;

namespace {

StepTiming recordedRow(const Step& step, Size size, PixelFormat format, Place place, double ms) {
    StepTiming row;
    row.operation = step.operation;
    row.variant = step.variant;
    row.parameters = step.parameters;
    row.backendRequested = row.backend = place;
    row.width = size.width;
    row.height = size.height;
    row.format = format;
    row.threads = place == BackendKind::Cuda ? 0 : 12;
    row.time = {20, ms, ms, ms};
    row.kernelMs = ms;
    row.endToEndMs = place == BackendKind::Cuda ? 3 * ms : ms;
    row.uploadMs = row.downloadMs = place == BackendKind::Cuda ? ms : 0;
    row.agreement.verdict = Verdict::Identical;
    return row;
}

RecordedRun recordingOf(const Step& step, Size size, PixelFormat format) {
    RecordedRun recording;
    recording.file = QStringLiteral("far.json");
    recording.machine = QStringLiteral("Far GPU");
    recording.date = QStringLiteral("2026-01-02");
    recording.report.machine.gpu = "Far GPU";
    recording.report.machine.cpu = "Far CPU";
    recording.report.results = {recordedRow(step, size, format, BackendKind::CpuSingle, 40),
                                recordedRow(step, size, format, BackendKind::Cpu, 10),
                                recordedRow(step, size, format, BackendKind::Cuda, 0.5)};
    return recording;
}

}  // namespace

class RecordedTest : public QObject {
    Q_OBJECT
  private slots:
    void theSameStepSizeAndFormatAreFound() {
        const Pipeline median = chainOf({"median"});
        const RecordedRun recording = recordingOf(median.steps[0], {48, 32}, PixelFormat::Gray8);
        const auto found = opponentOf(recording, median, PixelFormat::Gray8, {48, 32});
        QCOMPARE(QString::fromStdString(found.problem), QString());
        QCOMPARE(found.info.kind, BackendKind::Cuda);
        QCOMPARE(found.times.totalMs, 1.5);
        QCOMPARE(found.times.kernelMs, 0.5);
        QVERIFY(QString::fromStdString(found.origin).contains(QStringLiteral("2026-01-02")));
        QVERIFY(recordedInGray(recording, median));
        // Another size, format, parameter or chain: words, with what there is.
        const auto problem = [&](const Pipeline& chain, PixelFormat format, Size size) {
            return QString::fromStdString(opponentOf(recording, chain, format, size).problem);
        };
        QVERIFY(problem(median, PixelFormat::Gray8, {64, 32}).contains(QStringLiteral("48 × 32")));
        QVERIFY(!problem(median, PixelFormat::Rgba8, {48, 32}).isEmpty());
        QVERIFY(!problem(chainOf({"median:radius=2"}), PixelFormat::Gray8, {48, 32}).isEmpty());
    }

    // Other values than were recorded: what there is is said, the nearest first, and offered.
    void theNearestValuesAreOffered() {
        const Pipeline chain = chainOf({"median:radius=4"});
        RecordedRun recording =
            recordingOf(chainOf({"median:radius=1"}).steps[0], {48, 32}, PixelFormat::Gray8);
        for (const char* other : {"median:radius=3", "median:radius=7", "gaussian_blur"})
            recording.report.results.push_back(recordedRow(
                chainOf({other}).steps[0], {48, 32}, PixelFormat::Gray8, BackendKind::Cuda, 1));
        const auto problem = QString::fromStdString(
            opponentOf(recording, chain, PixelFormat::Gray8, {48, 32}).problem);
        QVERIFY2(problem.contains(QStringLiteral("far.json has no figure for Median with these "
                                                 "parameters. It has: Radius 3")) &&
                     problem.contains(QStringLiteral("Radius 7")),
                 qPrintable(problem));
        const auto offered = asRecorded(recording, chain, PixelFormat::Gray8, {48, 32});
        QVERIFY(offered.has_value());
        QCOMPARE(offered->steps[0].parameters.integer("radius"), std::int64_t(3));
        QVERIFY(opponentOf(recording, *offered, PixelFormat::Gray8, {48, 32}).problem.empty());
        // Nothing to offer: all is recorded, or an operation is not at all.
        QVERIFY(!asRecorded(recording, *offered, PixelFormat::Gray8, {48, 32}));
        QVERIFY(!asRecorded(recording, chainOf({"median:radius=4", "invert"}), PixelFormat::Gray8,
                            {48, 32}));
    }

    void theNearestValuesAreRacedByAKey() {
        const FakeSet set(false);
        const Pipeline own = chainOf({"median:radius=4"});
        ShowcaseWindow window([backends = set.set()] { return backends; }, showcaseOperations(own),
                              {{QStringLiteral("s"), QStringLiteral("s"), {48, 32}, {}}},
                              ShowcaseStart{});
        window.resize(1280, 720);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.setOpponent(std::make_shared<const RecordedRun>(
            recordingOf(chainOf({"median:radius=3"}).steps[0], {48, 32}, PixelFormat::Gray8)));
        QTRY_VERIFY_WITH_TIMEOUT(
            window.content().sides[1].problem.contains(QStringLiteral("N races")),
            test::kPatienceMs);
        QTest::keyClick(&window, Qt::Key_N);
        QCOMPARE(window.operation().label, QStringLiteral("Your pipeline, as recorded"));
        QVERIFY(window.operation().details.contains(QStringLiteral("Radius 3")));
        QTRY_VERIFY_WITH_TIMEOUT(
            !window.content().factor.isEmpty() || !window.content().factorRange.isEmpty(),
            test::kPatienceMs);
        QVERIFY(window.content().sides[1].problem.isEmpty());
        // The person's own values are one step back.
        QTest::keyClick(&window, Qt::Key_Left);
        QCOMPARE(window.operation().label, QStringLiteral("Your pipeline"));
    }

    // A chain is played where each of its steps is recorded, on what the step gets there.
    void stepsOfAChainAreSummed() {
        const Pipeline chain = chainOf({"grayscale", "median", "median:radius=2"});
        RecordedRun recording = recordingOf(chain.steps[1], {48, 32}, PixelFormat::Gray8);
        const auto found = [&](PixelFormat format, Size size) {
            return opponentOf(recording, chain, format, size);
        };
        // The second median is recorded at other sizes alone: the nearest are named.
        for (const int side : {16, 64, 512, 2048})
            recording.report.results.push_back(recordedRow(
                chain.steps[2], {side, side}, PixelFormat::Gray8, BackendKind::Cuda, 1));
        const QString missing = QString::fromStdString(found(PixelFormat::Gray8, {48, 32}).problem);
        for (const char* words :
             {"far.json has no figure for Median at 48 × 32", "16 × 16", "64 × 64", "512 × 512"})
            QVERIFY2(missing.contains(QString::fromUtf8(words)), qPrintable(missing));
        QVERIFY2(!missing.contains(QStringLiteral("2,048")), qPrintable(missing));
        recording.report.results.push_back(
            recordedRow(chain.steps[2], {48, 32}, PixelFormat::Gray8, BackendKind::Cuda, 2.25));
        recording.report.results.back().agreement.verdict = Verdict::WithinRule;
        // Grayscale does nothing to gray.
        const RecordedOpponent sum = found(PixelFormat::Gray8, {48, 32});
        QCOMPARE(QString::fromStdString(sum.problem), QString());
        QCOMPARE(sum.info.kind, BackendKind::Cuda);
        QCOMPARE(sum.times.totalMs, 3 * (0.5 + 2.25));
        QCOMPARE(sum.times.kernelMs, 0.5 + 2.25);
        QCOMPARE(sum.times.uploadMs, 0.5 + 2.25);
        QCOMPARE(sum.agreement.agreement.verdict, Verdict::WithinRule);
        QVERIFY(sum.origin.find("sum of 2 recorded steps") != std::string::npos);
        // Of colour it is a step, and not recorded.
        QVERIFY(QString::fromStdString(found(PixelFormat::Rgba8, {48, 32}).problem)
                    .contains(QStringLiteral("no figure for Grayscale of any kind")));
        // One place for all: where the GPU lacks a step, the cores need both.
        std::erase_if(recording.report.results, [&](const StepTiming& row) {
            return row.ofGpu() && row.parameters == chain.steps[1].parameters;
        });
        QVERIFY(QString::fromStdString(found(PixelFormat::Gray8, {48, 32}).problem)
                    .contains(QStringLiteral("no place that all steps")));
        recording.report.results.push_back(
            recordedRow(chain.steps[2], {48, 32}, PixelFormat::Gray8, BackendKind::Cpu, 5));
        QCOMPARE(found(PixelFormat::Gray8, {48, 32}).times.totalMs, 15.0);
    }

    void noisyFiguresSaySo() {
        const Pipeline median = chainOf({"median"});
        RecordedRun recording = recordingOf(median.steps[0], {48, 32}, PixelFormat::Gray8);
        const auto origin = [&] {
            return QString::fromStdString(
                opponentOf(recording, median, PixelFormat::Gray8, {48, 32}).origin);
        };
        QVERIFY(!origin().contains(QStringLiteral("noisy")));
        StepTiming& gpu = recording.report.results.back();
        gpu.endToEnd = {20, 1.5, 1.4, 1.6, 9, 1.49, 1.51};
        QVERIFY(!origin().contains(QStringLiteral("noisy")));
        gpu.endToEnd.highMs = 1.875;
        QVERIFY2(origin().contains(QStringLiteral("noisy there: 1.49 to 1.88 ms")),
                 qPrintable(origin()));
    }

    void withoutAGpuTheCoresArePlayed() {
        const Pipeline median = chainOf({"median"});
        RecordedRun recording = recordingOf(median.steps[0], {48, 32}, PixelFormat::Gray8);
        recording.report.results.pop_back();
        const auto found = opponentOf(recording, median, PixelFormat::Gray8, {48, 32});
        QCOMPARE(found.info.kind, BackendKind::Cpu);
        QCOMPARE(found.info.threads, 12);
        QCOMPARE(found.times.totalMs, 10.0);
    }

    void theShippedRunsAreOpponents() {
        const auto recordings = shippedRecordings();
        QVERIFY(!recordings.empty());
        QSet<QString> names;
        bool plays = false;
        for (const RecordedRun& recording : recordings) {
            names.insert(recording.name());
            plays |= opponentOf(recording, chainOf({"nl_means"}), PixelFormat::Gray8, {1024, 1024})
                         .problem.empty();
        }
        QCOMPARE(std::size_t(names.size()), recordings.size());
        QVERIFY(plays);
    }

    void itPlaysAtItsOwnPaceAndSaysSo_data() {
        QTest::addColumn<bool>("gpu");
        QTest::newRow("no GPU here") << false;
        QTest::newRow("a GPU here") << true;
    }
    void itPlaysAtItsOwnPaceAndSaysSo() {
        QFETCH(bool, gpu);
        const FakeSet set(gpu);
        const Pipeline median = chainOf({"median"});
        const std::vector<ShowcaseSize> sizes{
            {QStringLiteral("s"), QStringLiteral("s"), {48, 32}, {}},
            {QStringLiteral("m"), QStringLiteral("m"), {64, 48}, {}}};
        ShowcaseWindow window([backends = set.set()] { return backends; },
                              showcaseOperations(median), sizes, ShowcaseStart{});
        window.resize(1280, 720);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const auto settles = [&] {
            return waitedFor([&] { return window.content().settled; }, test::kPatienceMs);
        };
        QVERIFY(settles());
        window.setOpponent(std::make_shared<const RecordedRun>(
            recordingOf(median.steps[0], {48, 32}, PixelFormat::Gray8)));
        QVERIFY(waitedFor(
            [&] {
                return window.content().settled && !window.content().sides[1].recorded.isEmpty();
            },
            test::kPatienceMs));
        const SideContent& right = window.content().sides[1];
        QCOMPARE(right.rate, rateText(1000 / 1.5));
        QCOMPARE(right.name, QStringLiteral("GPU, recorded"));
        QVERIFY(window.content().method.contains(QStringLiteral("recorded on Far GPU")));
        QVERIFY(window.content().method.contains(QStringLiteral("played at its own pace")));
        QVERIFY(!right.pictureIsSource && !right.picture.isNull());
        QVERIFY(window.content().agreement.contains(QStringLiteral("there")));
        // What was not recorded is said; the left side goes on.
        QTest::keyClick(&window, Qt::Key_Up);
        QTRY_VERIFY_WITH_TIMEOUT(
            window.content().sides[1].problem.contains(QStringLiteral("far.json has no figure")),
            test::kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(!window.content().sides[0].rate.isEmpty(), test::kPatienceMs);
        QVERIFY(window.content().factor.isEmpty());
    }

    // The race moves to a size that the recording has, and says what it did.
    void aSizeThatWasRecordedIsTaken() {
        const FakeSet set(false);
        const Pipeline median = chainOf({"median"});
        const std::vector<ShowcaseSize> sizes{
            {QStringLiteral("s"), QStringLiteral("s"), {24, 16}, {}},
            {QStringLiteral("m"), QStringLiteral("m"), {48, 32}, {}},
            {QStringLiteral("l"), QStringLiteral("l"), {64, 48}, {}}};
        ShowcaseStart start;
        start.size = 2;
        ShowcaseWindow window([backends = set.set()] { return backends; },
                              showcaseOperations(median), sizes, start);
        window.resize(1280, 720);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        RecordedRun recording = recordingOf(median.steps[0], {48, 32}, PixelFormat::Gray8);
        recording.report.results.push_back(
            recordedRow(median.steps[0], {24, 16}, PixelFormat::Gray8, BackendKind::Cuda, 0.25));
        StepTiming& gpu = recording.report.results[2];
        gpu.endToEnd = {20, 1.5, 1.4, 1.6, 9, 1.25, 1.875};
        window.setOpponent(std::make_shared<const RecordedRun>(recording));
        QCOMPARE(window.imageSize().label, QStringLiteral("m"));
        QTRY_VERIFY_WITH_TIMEOUT(!window.content().factor.isEmpty(), test::kPatienceMs);
        const ShowcaseContent& content = window.content();
        QVERIFY2(content.method.startsWith(
                     QStringLiteral("The picture is gray: Your pipeline was not recorded in "
                                    "colour. 64 × 48 was not recorded, 48 × 32 was.")),
                 qPrintable(content.method));
        QCOMPARE(content.format, QStringLiteral("m · 8-bit gray"));
        QCOMPARE(content.sides[1].interval, QStringLiteral("95% interval 1.25 to 1.88 ms, noisy"));
        // Whatever this machine does, the factor against a noisy figure is no single number.
        QVERIFY(!content.factorRange.isEmpty());
        // Where the person goes is where it stays.
        QTest::keyClick(&window, Qt::Key_Up);
        QCOMPARE(window.imageSize().label, QStringLiteral("l"));
        QTRY_VERIFY_WITH_TIMEOUT(!window.content().sides[1].problem.isEmpty(), test::kPatienceMs);
        QVERIFY(!window.content().method.contains(QStringLiteral("was not recorded, ")));
    }

    void theMenuNamesMachineAndFile() {
        const FakeSet set(false);
        ShowcaseWindow window([backends = set.set()] { return backends; }, showcaseOperations({}),
                              {{QStringLiteral("s"), QStringLiteral("s"), {48, 32}, {}}},
                              ShowcaseStart{});
        window.resize(1280, 720);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(&window, Qt::Key_O);
        auto* menu = window.findChild<QMenu*>(QStringLiteral("showcaseMenu"));
        QVERIFY(menu && menu->isVisible());
        QAction* recorded = nullptr;
        for (QAction* action : menu->actions())
            if (action->text().startsWith(QStringLiteral("recorded: "))) recorded = action;
        QVERIFY(recorded);
        QVERIFY(recorded->text().contains(QStringLiteral(".json")));
        QVERIFY(recorded->text().contains(QStringLiteral("H100")));
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(recorded).center());
        QVERIFY(window.opponent());
        QVERIFY(recorded->text().contains(window.opponent()->file));
    }

    void theCommandOfTheRaceIsCopied() {
        const FakeSet set(false);
        ShowcaseWindow window([backends = set.set()] { return backends; }, showcaseOperations({}),
                              {{QStringLiteral("s"), QStringLiteral("s"), {48, 32}, {}}},
                              ShowcaseStart{});
        window.resize(1280, 720);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTRY_VERIFY_WITH_TIMEOUT(!window.content().factor.isEmpty(), test::kPatienceMs);
        const auto copied = [&] {
            QGuiApplication::clipboard()->clear();
            QTest::keyClick(&window, Qt::Key_O);
            QMenu* menu = nullptr;
            for (QMenu* one : window.findChildren<QMenu*>(QStringLiteral("showcaseMenu")))
                if (one->isVisible()) menu = one;
            if (!menu) return QStringLiteral("no menu");
            auto* action = menu->findChild<QAction*>(QStringLiteral("copyCommand"));
            if (!action->isEnabled()) return QString();
            QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
            return QGuiApplication::clipboard()->text();
        };
        const QString both = copied();
        QVERIFY2(
            both.startsWith(QStringLiteral("warpscope-cli bench --step ") + window.operation().id),
            qPrintable(both));
        QVERIFY2(both.contains(QStringLiteral("--sizes 48x32 --pixels color --backends "
                                              "cpu-single,cpu --cache warm")),
                 qPrintable(both));
        // What a recording plays does not run here.
        window.setOpponent(std::make_shared<const RecordedRun>(
            recordingOf(window.operation().pipeline.steps[0], {48, 32}, PixelFormat::Rgba8)));
        QTRY_VERIFY_WITH_TIMEOUT(!window.content().sides[1].recorded.isEmpty(), test::kPatienceMs);
        const QString left = copied();
        QVERIFY2(left.contains(QStringLiteral("--backends cpu-single --cache")) ||
                     left.contains(QStringLiteral("--backends cpu --cache")),
                 qPrintable(left));
    }

    void whatNoWordsCanSayHasNoCommand() {
        const std::vector<BackendKind> all{BackendKind::Cpu};
        ShowcaseOperation operation;
        operation.pipeline.steps = {makeStep("median").value(), makeStep("invert").value()};
        const ShowcaseSize scene{QStringLiteral("s"), QStringLiteral("s"), {48, 32}, {}};
        QCOMPARE(raceCommand(operation, scene, false, all), QString());
        operation.pipeline.steps[0].enabled = false;
        QVERIFY(raceCommand(operation, scene, true, all).contains(QStringLiteral("--pixels gray")));
        ShowcaseSize image = scene;
        image.image = makeScene({48, 32}, true, 1, CpuContext{}).value();
        QCOMPARE(raceCommand(operation, image, false, all), QString());
        image.file = QStringLiteral("/a b.png");
        QVERIFY(raceCommand(operation, image, false, all)
                    .contains(QStringLiteral("--image '/a b.png'")));
    }
};

WARPSCOPE_TEST(RecordedTest)
#include "recorded_test.moc"
