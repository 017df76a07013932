// Latest wins, drafts live, everything else gives way, and closing never waits for work.
#include <algorithm>
#include <set>

#include "engine/pipeline/operation_choice.h"
#include "support/test_case.h"
#include "worker/worker_fixture.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

Pipeline blur(int i) {
    return chain({"gaussian_blur:sigma=" + std::to_string(1 + 0.01 * i)});
}

}  // namespace

class InterruptionTest : public QObject {
    Q_OBJECT

    PyramidPtr m_source = pyramidOf(test::makePhotograph(PixelFormat::Rgba8, {96, 64}));

    RenderRequest interactive(std::uint64_t revision, Pipeline pipeline) const {
        RenderRequest wanted = request(revision, m_source, std::move(pipeline));
        wanted.interactive = true;
        return wanted;
    }

    // Starts revision 1 on a backend that stops at a gate in its first run, then does `next`, opens
    // the gate and waits for the end of `lastRevision`.
    template <class Next>
    void whileRunning(EventLog& log, const RenderRequest& first, std::uint64_t lastRevision,
                      Next next) {
        FakeSet fakes(false);
        Gate gate;
        fakes.cpu->duringRun = [&](int run) {
            if (run == 0) gate.pass();
        };
        RenderWorker worker([&] { return fakes.set(); }, log.sink(), kWorkerBudget);
        worker.submit(first);
        QVERIFY(gate.waitUntilReached());
        next(worker);
        gate.open();
        QVERIFY(log.waitForIdle(lastRevision));
    }

    RenderRequest timed(std::uint64_t revision) const {
        RenderRequest wanted = request(revision, m_source, blur(1));
        wanted.compare = true;
        return wanted;
    }

    // Submits `next` while the first sample of `first` is taken, and waits for the end.
    void whileTiming(EventLog& log, const RenderRequest& first, const RenderRequest& next) {
        FakeSet fakes(false);
        Gate gate;
        fakes.cpuSingle->duringRun = [&](int run) {
            if (run == 0) gate.pass();
        };
        RenderWorker worker([&] { return fakes.set(); }, log.sink(), kWorkerBudget);
        worker.submit(first);
        QVERIFY(gate.waitUntilReached());
        QVERIFY(log.has<FullReady>(first.revision));
        QVERIFY(log.has<HistogramsReady>(first.revision));
        worker.submit(next);
        gate.open();
        QVERIFY(log.waitForIdle(next.revision));
    }

  private slots:
    void thousandRequestsInASecond() {
        FakeSet fakes(false);
        fakes.cpu->duringRun = [](int) { QTest::qSleep(5); };
        EventLog log;
        RenderWorker worker([&] { return fakes.set(); }, log.sink(), kWorkerBudget);
        for (int i = 1; i <= 1000; ++i) {
            worker.submit(interactive(std::uint64_t(i), blur(i)));
            if (i % 10 == 0) QTest::qSleep(10);
        }
        QVERIFY(finishes(worker, log, request(1001, m_source, blur(1000))));
        QVERIFY(log.has<FullReady>(1001));
        QVERIFY(log.has<HistogramsReady>(1001));
        QVERIFY(log.all<RenderFailed>().empty());
        const auto drafts = log.all<DraftReady>();
        QVERIFY2(drafts.size() >= 5, "slow frames still appear");
        QVERIFY2(drafts.size() < 1000, "and most were overtaken");
        for (std::size_t i = 1; i < drafts.size(); ++i)
            QVERIFY(drafts[i].revision > drafts[i - 1].revision);
    }

    void newerValueNeverKillsADraft() {
        EventLog log;
        whileRunning(log, interactive(1, blur(1)), 3, [&](RenderWorker& worker) {
            worker.submit(interactive(2, blur(2)));
            worker.submit(interactive(3, blur(3)));
        });
        QVERIFY(log.has<DraftReady>(1));
        QVERIFY(!log.has<DraftReady>(2));  // overwritten while it waited
        QVERIFY(log.has<DraftReady>(3));
    }

    void releaseDoesNotKillTheDraftEither() {
        EventLog log;
        whileRunning(log, interactive(1, blur(1)), 2,
                     [&](RenderWorker& worker) { worker.submit(request(2, m_source, blur(2))); });
        QVERIFY(log.has<DraftReady>(1));
        QVERIFY(log.has<FullReady>(2));
    }

    void otherStructureKillsTheDraft_data() {
        QTest::addColumn<QString>("change");
        for (const char* name : {"image", "steps", "order", "enabled", "backend", "no image"})
            QTest::newRow(name) << QString(name);
    }

    void otherStructureKillsTheDraft() {
        QFETCH(QString, change);
        const Pipeline two = chain({"gaussian_blur:sigma=2", "grayscale"});
        RenderRequest next = interactive(2, two);
        if (change == "image")
            next.source = pyramidOf(test::makePhotograph(PixelFormat::Rgba8, {96, 64}));
        if (change == "steps") next.pipeline.steps.pop_back();
        if (change == "order") std::swap(next.pipeline.steps[0], next.pipeline.steps[1]);
        if (change == "enabled") next.pipeline.steps[1].enabled = false;
        if (change == "backend") next.backend = BackendChoice::CpuSingle;
        if (change == "no image") next.source.reset();
        EventLog log;
        whileRunning(log, interactive(1, two), 2,
                     [&](RenderWorker& worker) { worker.submit(next); });
        QVERIFY(!log.has<DraftReady>(1));
        QVERIFY(!log.has<RenderFailed>(1));
        QCOMPARE(log.has<DraftReady>(2), change != "no image");
    }

    void fullResultGivesWay() {
        EventLog log;
        whileRunning(log, request(1, m_source, blur(1)), 2,
                     [&](RenderWorker& worker) { worker.submit(interactive(2, blur(2))); });
        QVERIFY(!log.has<FullReady>(1));
        QVERIFY(!log.has<Idle>(1));
        QVERIFY(log.has<DraftReady>(2));
        QVERIFY(log.all<RenderFailed>().empty());
    }

    void panningDoesNotStopTheFullResult() {
        EventLog log;
        whileRunning(log, request(1, m_source, blur(1)), 2, [&](RenderWorker& worker) {
            RenderRequest panned = request(2, m_source, blur(1));
            panned.viewport.visible = {10, 5, 40, 30};
            worker.submit(panned);
        });
        QVERIFY(log.has<FullReady>(1));
        QVERIFY(log.has<FullReady>(2));
        QCOMPARE(log.all<FullReady>().front().revision, std::uint64_t(1));
    }

    void timingsGiveWay() {
        EventLog log;
        whileTiming(log, timed(1), interactive(2, blur(2)));
        QVERIFY(log.all<TimingReady>().empty());
    }

    void timingsGiveWayToAnotherSecondImage() {
        RenderRequest first = timed(1), next = timed(2);
        first.pipeline = next.pipeline = chain({"blend:with=second,mode=average"});
        first.second = pyramidOf(test::makePhotograph(PixelFormat::Rgba8, {96, 64}, 1));
        next.second = pyramidOf(test::makePhotograph(PixelFormat::Rgba8, {96, 64}, 2));
        EventLog log;
        whileTiming(log, first, next);
        QVERIFY(log.has<FullReady>(2));
        for (const TimingReady& row : log.all<TimingReady>())
            QCOMPARE(row.revision, std::uint64_t(2));
    }

    void timingsGiveWayToOtherFigures_data() {
        QTest::addColumn<QString>("figures");
        for (const char* figures : {"step histograms", "analysis", "other analysis", "difference"})
            QTest::newRow(figures) << QString(figures);
    }

    // And are taken anew behind them, all rows.
    void timingsGiveWayToOtherFigures() {
        QFETCH(QString, figures);
        RenderRequest first = timed(1);
        if (figures == "other analysis") first.analysis = *parseChoice("statistics");
        RenderRequest next = timed(2);
        if (figures == "step histograms") next.stepHistograms = true;
        if (figures == "analysis") next.analysis = *parseChoice("statistics");
        if (figures == "other analysis") next.analysis = *parseChoice("histogram");
        if (figures == "difference") next.difference = RenderRequest::StepOn{0, BackendKind::Cpu};
        EventLog log;
        whileTiming(log, first, next);
        QVERIFY(log.all<RenderFailed>().empty());
        QVERIFY(log.has<StepHistogramsReady>(2) || log.has<AnalysisReady>(2) ||
                log.has<DifferenceReady>(2));
        std::set<BackendKind> backends;
        const auto rows = log.all<TimingReady>();
        for (const TimingReady& row : rows) {
            QCOMPARE(row.revision, std::uint64_t(2));
            if (row.timing.measured()) backends.insert(row.timing.backend.kind());
        }
        QCOMPARE(backends, (std::set{BackendKind::CpuSingle, BackendKind::Cpu}));
        QVERIFY(rows.back().last);
    }

    void timingsDoNotGiveWayToNothingMore_data() {
        QTest::addColumn<QString>("change");
        for (const char* change : {"part on the screen", "fewer figures"})
            QTest::newRow(change) << QString(change);
    }

    void timingsDoNotGiveWayToNothingMore() {
        QFETCH(QString, change);
        RenderRequest first = timed(1), next = timed(2);
        first.stepHistograms = true;
        next.stepHistograms = change != "fewer figures";
        if (change == "part on the screen") next.viewport.visible = {10, 5, 40, 30};
        EventLog log;
        whileTiming(log, first, next);
        const auto rows = log.all<TimingReady>();
        QVERIFY(std::ranges::any_of(
            rows, [](const TimingReady& row) { return row.revision == 1 && row.last; }));
    }

    // Not begun for a request that another one waits behind: that one takes them.
    void timingsAreTakenOnce() {
        EventLog log;
        whileRunning(log, timed(1), 2, [&](RenderWorker& worker) {
            RenderRequest next = timed(2);
            next.stepHistograms = true;
            worker.submit(next);
        });
        QVERIFY(log.has<FullReady>(1));
        QVERIFY(log.has<StepHistogramsReady>(2));
        for (const TimingReady& row : log.all<TimingReady>())
            QCOMPARE(row.revision, std::uint64_t(2));
        QVERIFY(log.all<TimingReady>().back().last);
    }

    void cancelTwice() {
        EventLog log;
        whileRunning(log, request(1, m_source, blur(1)), 1, [&](RenderWorker& worker) {
            worker.cancel();
            worker.cancel();
        });
        QVERIFY(!log.has<FullReady>(1));
        QVERIFY(log.all<RenderFailed>().empty());
    }

    void cancelledDraftIsNotShown() {
        EventLog log;
        whileRunning(log, interactive(1, blur(1)), 1,
                     [&](RenderWorker& worker) { worker.cancel(); });
        QVERIFY(!log.has<DraftReady>(1));
    }

    void cancelDropsWhatWaits() {
        EventLog log;
        whileRunning(log, interactive(1, blur(1)), 2, [&](RenderWorker& worker) {
            worker.submit(request(2, m_source, blur(2)));
            worker.cancel();
        });
        QVERIFY(!log.has<FullReady>(2));
        QVERIFY(!log.has<DraftReady>(2));
    }

    void cancelWithoutWorkDoesNoHarm() {
        EventLog log;
        RenderWorker worker([] { return BackendSet::cpuOnly(""); }, log.sink(), kWorkerBudget);
        worker.cancel();
        worker.cancel();
        QVERIFY(finishes(worker, log, request(1, m_source, blur(1))));
        worker.cancel();
        QVERIFY(finishes(worker, log, request(2, m_source, blur(2))));
        QVERIFY(log.has<FullReady>(2));
    }

    void destroyedInTheMiddle_data() {
        QTest::addColumn<int>("delayMs");
        for (const int delay : {0, 1, 10, 50, 200})
            QTest::newRow(qPrintable(QString::number(delay))) << delay;
    }

    void destroyedInTheMiddle() {
        QFETCH(int, delayMs);
        static const PyramidPtr large =
            pyramidOf(test::makePhotograph(PixelFormat::Rgba8, {2500, 2000}));
        EventLog log;
        auto worker = std::make_unique<RenderWorker>([] { return BackendSet::cpuOnly(""); },
                                                     log.sink(), kWorkerBudget);
        RenderRequest wanted = request(
            1, large, chain({"gaussian_blur:sigma=60", "equalize", "gaussian_blur:sigma=50"}));
        wanted.compare = true;
        worker->submit(wanted);
        QTest::qSleep(delayMs);
        const Stopwatch watch;
        worker.reset();
        qInfo("closed in %.0f ms", watch.elapsedMs());
        QVERIFY2(watch.elapsedMs() < 1000 * kSlowdown,
                 qPrintable(QString::number(watch.elapsedMs())));
        const std::size_t events = log.events().size();
        QTest::qSleep(20);
        QCOMPARE(log.events().size(), events);
    }

    void destroyedWithoutAnyRequest() {
        EventLog log;
        {
            RenderWorker worker([] { return BackendSet::cpuOnly(""); }, log.sink(), kWorkerBudget);
        }
        QVERIFY(log.all<RenderFailed>().empty());
    }

    void manyThreadsMaySubmit() {
        EventLog log;
        RenderWorker worker([] { return BackendSet::cpuOnly(""); }, log.sink(), kWorkerBudget);
        {
            std::vector<std::jthread> threads;
            for (int t = 0; t < 4; ++t) {
                threads.emplace_back([&, t] {
                    for (int i = 0; i < 50; ++i) {
                        const auto revision = std::uint64_t(1 + 4 * i + t);
                        if (i % 7 == 3)
                            worker.cancel();
                        else if (i % 7 == 5)
                            worker.setMemoryBudget(kWorkerBudget / std::uint64_t(1 + i));
                        else if (i % 2)
                            worker.submit(interactive(revision, blur(i)));
                        else
                            worker.submit(request(revision, m_source, blur(i)));
                    }
                });
            }
        }
        worker.submit(request(10'000, m_source, blur(1)));
        QVERIFY(log.waitForIdle(10'000));
        QVERIFY(log.has<FullReady>(10'000));
        QVERIFY(log.all<RenderFailed>().empty());
    }
};

WARPSCOPE_TEST(InterruptionTest)
#include "interruption_test.moc"
