#include "gui/document/engine_bridge.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "engine/base/log.h"
#include "gui_samples.h"
#include "pipeline/fake_backend.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

class BridgeTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    struct Parts {
        Document document;
        EngineBridge bridge{document, cpuBackends()};
        explicit Parts(Size size = {320, 200}) {
            bridge.setViewport({Rect{0, 0, size.width, size.height}, 1.0});
        }
        void openScene(Size size = {320, 200}) {
            document.setSource(pyramidOf(sceneOf(size)), {}, QStringLiteral("scene"));
        }
    };
    static Step blur(double sigma) {
        Step step = makeStep("gaussian_blur").value();
        step.parameters.set("sigma", sigma);
        return step;
    }

  private slots:
    void opensAFile() {
        const QString path = writeScene(m_folder.path(), QStringLiteral("a.png"), {120, 80});
        QVERIFY(!path.isEmpty());
        Parts p;
        QSignalSpy opening(&p.bridge, &EngineBridge::openingChanged);
        QSignalSpy opened(&p.bridge, &EngineBridge::imageOpened);
        p.bridge.openFile(path);
        QVERIFY(p.bridge.opening());
        QTRY_COMPARE(opened.count(), 1);
        QVERIFY(!p.bridge.opening());
        QCOMPARE(opening.count(), 2);
        QCOMPARE(p.document.image().size(), (Size{120, 80}));
        QCOMPARE(p.document.filePath(), path);
        QVERIFY(sameSamples(p.document.image(), sceneOf({120, 80})));
    }

    void aBadFileKeepsTheImage() {
        const QString path = m_folder.filePath(QStringLiteral("bad.png"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("not a picture");
        file.close();
        Parts p;
        p.openScene();
        const Image before = p.document.image();
        QSignalSpy failed(&p.bridge, &EngineBridge::openFailed);
        p.bridge.openFile(path);
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed.at(0).at(0).toString(), path);
        QVERIFY(failed.at(0).at(1).toString().contains(QStringLiteral("bad.png")));
        QCOMPARE(p.document.image().id(), before.id());
        p.bridge.openFile(m_folder.filePath(QStringLiteral("nowhere.png")));
        QTRY_COMPARE(failed.count(), 2);
    }

    void theNewestOpenWins() {
        QStringList paths;
        for (int i = 0; i < 8; ++i)
            paths << writeScene(m_folder.path(), QStringLiteral("n%1.png").arg(i), {300 + i, 200});
        Parts p;
        QSignalSpy opened(&p.bridge, &EngineBridge::imageOpened);
        for (const QString& path : paths) p.bridge.openFile(path);
        QTRY_COMPARE(p.document.filePath(), paths.back());
        QTest::qWait(100);
        QCOMPARE(p.document.image().width(), 307);
        QCOMPARE(opened.count(), 1);
    }

    void cancelledOpeningLeavesNoTrace() {
        const QString path = writeScene(m_folder.path(), QStringLiteral("c.png"), {800, 600});
        Parts p;
        QSignalSpy opened(&p.bridge, &EngineBridge::imageOpened);
        QSignalSpy failed(&p.bridge, &EngineBridge::openFailed);
        p.bridge.openFile(path);
        p.bridge.cancelOpening();
        QVERIFY(!p.bridge.opening());
        QTest::qWait(200);
        QCOMPARE(opened.count() + failed.count(), 0);
        QVERIFY(p.document.image().isNull());
    }

    void computesTheExactResult() {
        Parts p;
        p.openScene();
        QSignalSpy full(&p.bridge, &EngineBridge::fullReady);
        p.document.insertStep(0, makeStep("grayscale").value());
        QTRY_VERIFY(p.bridge.resultIsCurrent());
        QVERIFY(full.count() >= 1);
        const Image result = p.bridge.result()->levels.front();
        QCOMPARE(result.format(), PixelFormat::Gray8);
        const auto in = p.document.image().view<std::uint8_t>();
        const auto out = result.view<std::uint8_t>();
        for (int y = 0; y < in.height; ++y)
            for (int x = 0; x < in.width; ++x) {
                const std::uint8_t* c = in.row(y) + 4 * x;
                QCOMPARE(int(out.row(y)[x]),
                         (19595 * c[0] + 38470 * c[1] + 7471 * c[2] + 32768) >> 16);
            }
        QCOMPARE(p.bridge.stepReports().size(), std::size_t(1));
        QCOMPARE(p.bridge.stepReports()[0].backend, BackendKind::Cpu);
        QTRY_VERIFY(p.bridge.histograms().has_value());
        QCOMPARE(p.bridge.histograms()->result.find(HistogramChannel::Luma)->total(),
                 std::uint64_t(320 * 200));
    }

    void aDragShowsDraftsAndReleaseTheResult() {
        Parts p({1600, 1200});
        p.openScene({1600, 1200});
        p.document.insertStep(0, blur(1.0));
        QTRY_VERIFY(p.bridge.resultIsCurrent());
        QSignalSpy drafts(&p.bridge, &EngineBridge::draftReady);
        QSignalSpy full(&p.bridge, &EngineBridge::fullReady);
        std::uint64_t newest = 0;
        bool older = false, outdated = false;
        connect(&p.bridge, &EngineBridge::fullReady, &p.bridge,
                [&] { outdated |= !p.bridge.resultIsCurrent(); });
        connect(&p.bridge, &EngineBridge::draftReady, &p.bridge, [&](const DraftReady& draft) {
            older |= draft.revision < newest;
            newest = draft.revision;
        });
        p.document.beginInteraction();
        for (int i = 0; i < 40; ++i) {
            p.document.setParameter(0, "sigma", 1.0 + 0.1 * (i + 1), EditPhase::Drag);
            QTest::qWait(5);
        }
        QTRY_VERIFY(drafts.count() > 0);
        QVERIFY(!older);
        p.document.endInteraction();
        QTRY_VERIFY(p.bridge.resultIsCurrent());
        QVERIFY(full.count() >= 1);
        QVERIFY(!outdated);  // never the result of a value that has moved on
    }

    // Live means live: nobody has to let go to see the figures.
    void aHeldSliderGetsItsFigures() {
        Parts p({400, 300});
        p.openScene({400, 300});
        p.document.insertStep(0, blur(1.0));
        QTRY_VERIFY(p.bridge.timingsComplete() && !p.bridge.busy());
        QSignalSpy drafts(&p.bridge, &EngineBridge::draftReady);
        QSignalSpy full(&p.bridge, &EngineBridge::fullReady);
        p.document.beginInteraction();
        for (const double sigma : {2.0, 3.0, 5.0}) {
            p.document.setParameter(0, "sigma", sigma, EditPhase::Drag);
            QVERIFY(!p.bridge.histogramsAreCurrent());
            QTRY_VERIFY(p.bridge.histogramsAreCurrent());
            QVERIFY(p.bridge.resultIsCurrent());
            Pipeline exact;
            exact.steps = {blur(sigma)};
            Executor executor(BackendSet::cpuOnly("truth"), 0);
            ExecuteRequest wanted;
            wanted.source = p.document.image();
            wanted.pipeline = exact;
            const auto truth = executor.run(wanted, {});
            QVERIFY(truth);
            QVERIFY(sameSamples(p.bridge.result()->levels.front(), truth->image));
        }
        QVERIFY(p.document.interacting());
        QTRY_VERIFY_WITH_TIMEOUT(!p.bridge.busy(), 30000);
        QVERIFY(drafts.count() >= 3);  // the picture has not waited for them
        QVERIFY(p.bridge.timings().empty());
        // Let go: what was left out comes, nothing is computed twice.
        const EngineBridge::LastRun run = *p.bridge.lastRun();
        p.document.endInteraction();
        QTRY_VERIFY(p.bridge.timingsComplete());
        QVERIFY(!p.bridge.timings().empty());
        QCOMPARE(p.bridge.lastRun()->begunNs, run.begunNs);
    }

    void whatIsHeldGivesWayToTheNextValue() {
        Document document;
        test::FakeSet fakes(false);
        EngineBridge bridge(document, [&] { return fakes.set(); });
        bridge.setViewport({Rect{0, 0, 120, 80}, 1.0});
        document.setSource(pyramidOf(sceneOf({120, 80})), {}, QStringLiteral("scene"));
        document.insertStep(0, blur(1.0));
        QTRY_VERIFY(bridge.timingsComplete() && !bridge.busy());
        std::vector<double> shown;
        connect(&bridge, &EngineBridge::fullReady, &bridge, [&] {
            if (bridge.resultIsCurrent())
                shown.push_back(document.pipeline().steps[0].parameters.real("sigma"));
        });
        document.beginInteraction();
        document.setParameter(0, "sigma", 2.0, EditPhase::Drag);
        QTRY_VERIFY(bridge.histogramsAreCurrent());
        document.setParameter(0, "sigma", 3.0, EditPhase::Drag);
        document.setParameter(0, "sigma", 4.0, EditPhase::Drag);
        QVERIFY(!bridge.resultIsCurrent());
        QTRY_VERIFY(bridge.histogramsAreCurrent());
        QCOMPARE(shown.back(), 4.0);
        bridge.cancel();
        QVERIFY(bridge.resultIsCurrent());
        document.endInteraction();
    }

    void panningDoesNotComputeAgain() {
        Parts p;
        p.openScene();
        p.document.insertStep(0, blur(2.0));
        QTRY_VERIFY(p.bridge.resultIsCurrent());
        const std::uint64_t revision = p.bridge.revision();
        for (int x = 0; x < 50; ++x) p.bridge.setViewport({Rect{x, 0, 100, 100}, 2.0});
        QCOMPARE(p.bridge.revision(), revision);
        QVERIFY(p.bridge.resultIsCurrent());
    }

    void pausedMarksTheResultAsStale() {
        Parts p;
        p.openScene();
        QTRY_VERIFY(p.bridge.resultIsCurrent());
        QSignalSpy stale(&p.bridge, &EngineBridge::staleChanged);
        p.bridge.setPaused(true);
        QCOMPARE(stale.count(), 0);
        p.document.insertStep(0, blur(2.0));
        QCOMPARE(stale.count(), 1);
        QVERIFY(!p.bridge.resultIsCurrent());
        QTest::qWait(100);
        QVERIFY(!p.bridge.resultIsCurrent());
        p.bridge.setPaused(false);
        QTRY_VERIFY(p.bridge.resultIsCurrent());
        QVERIFY(!p.bridge.stale());
    }

    void timingsComeForEveryBackend() {
        Parts p({64, 64});
        p.openScene({64, 64});
        p.document.insertStep(0, blur(2.0));
        QTRY_VERIFY_WITH_TIMEOUT(p.bridge.timingsComplete(), 20000);
        QStringList backends;
        for (const TimingReady& row : p.bridge.timings())
            if (row.timing.measured()) backends << QString::fromStdString(row.timing.backend.id());
        QVERIFY(backends.contains(QStringLiteral("cpu-single")));
        QVERIFY(backends.contains(QStringLiteral("cpu")));
        const std::size_t rows = p.bridge.timings().size();
        p.bridge.requestTimings();
        QVERIFY(p.bridge.timings().empty());
        QTRY_VERIFY_WITH_TIMEOUT(p.bridge.timingsComplete(), 20000);
        QCOMPARE(p.bridge.timings().size(), rows);
        QTRY_VERIFY_WITH_TIMEOUT(!p.bridge.busy(), 30000);
    }

    void anotherImageDropsEverythingOfTheOld() {
        Parts p;
        p.openScene();
        QTRY_VERIFY(p.bridge.histograms().has_value());
        p.openScene({200, 100});
        QVERIFY(!p.bridge.result());
        QVERIFY(!p.bridge.histograms().has_value());
        QTRY_VERIFY(p.bridge.histograms().has_value());
        QCOMPARE(p.bridge.histograms()->source.size, (Size{200, 100}));
    }

    // After a failure nothing on the screen passes for the present pipeline's.
    void whatFailedIsMarked() {
        Document document;
        test::FakeSet fakes(false);
        EngineBridge bridge(document, [&] { return fakes.set(); });
        document.setSource(pyramidOf(sceneOf({120, 80})), {}, QStringLiteral("scene"));
        document.insertStep(0, blur(1.0));
        QTRY_VERIFY(bridge.timingsComplete() && bridge.histograms() && !bridge.busy());
        QVERIFY(bridge.histogramProblem().isEmpty() && bridge.timingsProblem().isEmpty());

        // The result comes, its histogram does not.
        QSignalSpy changed(&bridge, &EngineBridge::analysisProblemChanged);
        const auto failAfterRun = [&](int calls) {
            fakes.cpu->duringRun = [&, calls](int) {
                fakes.cpu->failure = {
                    fakes.cpu->calls + calls, {ErrorCode::Internal, "broken"}, true};
            };
        };
        failAfterRun(2);
        document.setParameter(0, "sigma", 2.0, EditPhase::Single);
        QTRY_VERIFY(changed.count() > 0);
        QVERIFY(bridge.resultIsCurrent());
        QVERIFY(bridge.histograms().has_value());  // of the pipeline before, and said to be
        QVERIFY(bridge.histogramProblem().contains(QStringLiteral("broken")));
        QVERIFY(bridge.timingsProblem().contains(QStringLiteral("broken")));
        QVERIFY(!bridge.busy());

        // It works again: nothing is left of it.
        fakes.cpu->failure.reset();
        fakes.cpu->duringRun = nullptr;
        document.setParameter(0, "sigma", 3.0, EditPhase::Single);
        QTRY_VERIFY(bridge.timingsComplete() && !bridge.busy());
        QVERIFY(bridge.histogramProblem().isEmpty() && bridge.timingsProblem().isEmpty());
        QCOMPARE(bridge.histograms()->resultOn.backend, BackendKind::Cpu);

        // The step itself fails: everything is of before.
        fakes.cpu->failure = {fakes.cpu->calls, {ErrorCode::Internal, "gone"}, true};
        document.setParameter(0, "sigma", 4.0, EditPhase::Single);
        QTRY_VERIFY(bridge.histogramProblem().contains(QStringLiteral("gone")));
        QVERIFY(!bridge.resultIsCurrent() && bridge.stale());
    }

    void aRunIsKeptUntilTheNext() {
        Parts p;
        p.openScene();
        p.document.insertStep(0, blur(2.0));
        QTRY_VERIFY(p.bridge.resultIsCurrent() && p.bridge.lastRun());
        const EngineBridge::LastRun first = *p.bridge.lastRun();
        QVERIFY(first.ms > 0 && !first.events.empty());
        QVERIFY(first.arrivedNs > first.begunNs);
        QTRY_VERIFY_WITH_TIMEOUT(!p.bridge.busy(), 30000);
        p.bridge.requestTimings();  // sends the same result again
        QTRY_VERIFY(p.bridge.timingsComplete());
        QCOMPARE(p.bridge.lastRun()->revision, first.revision);
        p.openScene({50, 40});
        QTRY_VERIFY(p.bridge.lastRun() && p.bridge.lastRun()->revision != first.revision);
    }

    void cancellingTwiceDoesNoHarm() {
        Parts p({3000, 2000});
        p.openScene({3000, 2000});
        p.document.insertStep(0, blur(60.0));
        QVERIFY(p.bridge.busy());
        p.bridge.cancel();
        p.bridge.cancel();
        QVERIFY(!p.bridge.busy());
        QVERIFY(p.bridge.stale());
        p.document.setParameter(0, "sigma", 1.0, EditPhase::Single);
        QTRY_VERIFY_WITH_TIMEOUT(p.bridge.resultIsCurrent(), 20000);
    }

    void goesAwayInTheMiddleOfWork() {
        QElapsedTimer timer;
        {
            Parts p({4000, 3000});
            p.openScene({4000, 3000});
            Step slow = makeStep("nl_means").value();
            slow.parameters.set("search_radius", std::int64_t(20));
            p.document.insertStep(0, slow);
            for (int i = 0; i < 200; ++i)
                p.document.setParameter(0, "h", 20.0 + i * 0.1, EditPhase::Single);
            QTest::qWait(50);
            timer.start();
        }
        // The work would last minutes.
        QVERIFY2(timer.elapsed() < 20'000 * kSlowdown,
                 qPrintable(QString::number(timer.elapsed())));
    }
};

WARPSCOPE_TEST(BridgeTest)
#include "bridge_test.moc"
