// What comes back for a request, and in which order.
#include "engine/operations/registry.h"
#include "engine/pipeline/operation_choice.h"
#include "support/operation_run.h"
#include "support/test_case.h"
#include "worker/worker_fixture.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// The last word on each row, in the order in which rows were first heard of.
std::vector<TimingReady> newest(const std::vector<TimingReady>& all) {
    std::vector<TimingReady> rows;
    for (const TimingReady& one : all) {
        const auto known = std::find_if(rows.begin(), rows.end(), [&](const TimingReady& row) {
            return row.stepIndex == one.stepIndex &&
                   row.timing.backendRequested == one.timing.backendRequested;
        });
        if (known == rows.end())
            rows.push_back(one);
        else
            *known = one;
    }
    return rows;
}

}  // namespace

class RenderWorkerTest : public QObject {
    Q_OBJECT

    Image m_image = test::makePhotograph(PixelFormat::Rgba8, {160, 120});
    PyramidPtr m_source = pyramidOf(m_image);
    Pipeline m_chain = chain({"gaussian_blur:sigma=1.5", "equalize", "grayscale"});

  private slots:
    void everythingInOrder() {
        EventLog log;
        {
            RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
            RenderRequest wanted = request(1, m_source, m_chain);
            wanted.compare = true;
            QVERIFY(finishes(worker, log, wanted));
        }
        std::vector<std::size_t> order;
        for (const RenderEvent& event : log.events())
            if (!std::holds_alternative<ProgressChanged>(event) &&
                (order.empty() || order.back() != event.index()))
                order.push_back(event.index());
        const auto index = [](RenderEvent event) { return event.index(); };
        QVERIFY((order == std::vector<std::size_t>{index(BackendsReady{}), index(FullReady{}),
                                                   index(HistogramsReady{}), index(TimingReady{}),
                                                   index(Idle{})}));
        QVERIFY(log.oneThread());

        const FullReady full = log.all<FullReady>().at(0);
        QCOMPARE(full.revision, std::uint64_t(1));
        const Image expected = exactResult(m_image, m_chain);
        QCOMPARE(test::firstDifference(expected, full.result->levels[0]), std::string());
        QCOMPARE(full.result->levels.size(), m_source->levels.size());
        QCOMPARE(full.steps.size(), std::size_t(3));

        const HistogramsReady counts = log.all<HistogramsReady>().at(0);
        QCOMPARE(counts.source.channels.size(), std::size_t(4));
        QCOMPARE(counts.result.channels.size(), std::size_t(1));
        QCOMPARE(counts.result.channels[0].total(), std::uint64_t(160 * 120));
        QCOMPARE(counts.sourceStatistics.size(), std::size_t(4));
        QCOMPARE(counts.resultStatistics.size(), std::size_t(1));

        // Again whenever a row is known better; the last of all is said.
        const auto told = log.all<TimingReady>();
        QVERIFY(told.size() > 9 && told.back().last);
        QCOMPARE(std::count_if(told.begin(), told.end(), [](const auto& one) { return one.last; }),
                 std::ptrdiff_t(1));
        const auto timings = newest(told);
        QCOMPARE(timings.size(), std::size_t(9));
        for (std::size_t i = 0; i < 9; ++i) {
            QCOMPARE(timings[i].stepIndex, i / 3);
            QVERIFY(!timings[i].ofPart);
            QCOMPARE(timings[i].timing.measured(), i % 3 != 2);
            if (i % 3 != 2) QVERIFY(timings[i].timing.time.rounds >= 7);
        }
        QVERIFY(QString::fromStdString(timings[2].timing.error).contains("no GPU in this test"));
    }

    void nothingToShow() {
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        QVERIFY(finishes(worker, log, request(4, nullptr, m_chain)));
        QVERIFY(log.all<FullReady>().empty());
        QVERIFY(log.all<RenderFailed>().empty());
    }

    void noStepsShareTheSource() {
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        QVERIFY(finishes(worker, log, request(1, m_source, {})));
        QVERIFY(log.all<FullReady>().at(0).result == m_source);
        QVERIFY(log.all<DraftReady>().empty());
    }

    void interactiveGivesADraftOfTheVisiblePart() {
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        RenderRequest wanted = request(2, m_source, m_chain);
        wanted.interactive = true;
        wanted.compare = true;
        wanted.viewport = {{30, 20, 50, 40}, 2.0};
        QVERIFY(finishes(worker, log, wanted));
        QVERIFY(log.all<FullReady>().empty());
        QVERIFY(log.all<HistogramsReady>().empty());
        QVERIFY(log.all<TimingReady>().empty());
        const DraftReady draft = log.all<DraftReady>().at(0);
        QVERIFY((draft.rect == Rect{30, 20, 50, 40}));
        QCOMPARE(draft.scale, 1.0);
        QVERIFY(draft.exact);
        QCOMPARE(
            test::firstDifference(exactResult(m_image, m_chain).crop(draft.rect), draft.picture),
            std::string());
        QCOMPARE(draft.steps.size(), std::size_t(3));
    }

    // What is asked for while a slider is held: a picture first, also where the result is quick.
    void aDraftFirstWhereItIsAskedFor() {
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        RenderRequest wanted = request(2, m_source, m_chain);
        wanted.viewport = {{30, 20, 50, 40}, 2.0};
        wanted.draftFirst = true;
        QVERIFY(finishes(worker, log, wanted));
        QCOMPARE(log.all<DraftReady>().size(), std::size_t(1));
        QCOMPARE(log.all<FullReady>().size(), std::size_t(1));
        QCOMPARE(log.all<HistogramsReady>().size(), std::size_t(1));
        QCOMPARE(test::firstDifference(exactResult(m_image, m_chain),
                                       log.all<FullReady>()[0].result->levels.front()),
                 std::string());
        // Not over a result that is there.
        wanted.revision = 3;
        QVERIFY(finishes(worker, log, wanted));
        QCOMPARE(log.all<DraftReady>().size(), std::size_t(1));
        QCOMPARE(log.all<FullReady>().size(), std::size_t(2));
    }

    // While a slider moves, halo and window change; the pixels shown must not.
    void draftsStayExactWhileDragging() {
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        std::uint64_t revision = 0;
        for (const char* sigma : {"0.5", "3", "9", "2", "20", "0.3", "6"}) {
            RenderRequest wanted =
                request(++revision, m_source,
                        chain({"equalize", std::string("gaussian_blur:sigma=") + sigma}));
            wanted.interactive = true;
            wanted.viewport = {{int(7 * revision), 20, 50, 40}, 1.0};
            worker.submit(wanted);
            QVERIFY(log.waitForIdle(revision));
            const DraftReady draft = log.all<DraftReady>().back();
            QCOMPARE(draft.revision, revision);
            // A machine that is too slow for it, as under a sanitizer, gets a coarser one and is
            // told.
            if (!draft.exact) continue;
            QCOMPARE(test::firstDifference(exactResult(m_image, wanted.pipeline).crop(draft.rect),
                                           draft.picture),
                     std::string());
        }
    }

    void zoomedOutDraftIsReducedAndClose() {
        const Image large = test::makePhotograph(PixelFormat::Gray8, {2000, 1500});
        const auto source = pyramidOf(large);
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        RenderRequest wanted = request(1, source, chain({"gaussian_blur:sigma=8"}));
        wanted.interactive = true;
        wanted.viewport.zoom = 0.25;
        QVERIFY(finishes(worker, log, wanted));
        const DraftReady draft = log.all<DraftReady>().at(0);
        QVERIFY(!draft.exact);
        QCOMPARE(draft.scale, 0.25);
        QVERIFY((draft.picture.size() == Size{500, 375}));
        QVERIFY((draft.rect == Rect{0, 0, 2000, 1500}));
        // Blurred small is small of blurred, away from the border, to a few grey levels.
        const auto truth = buildPyramid(exactResult(large, wanted.pipeline), {});
        const auto a = truth->levels[2].view<std::uint8_t>();
        const auto b = draft.picture.view<std::uint8_t>();
        double sum = 0;
        for (int y = 10; y < 365; ++y)
            for (int x = 10; x < 490; ++x) sum += std::abs(int(a.row(y)[x]) - int(b.row(y)[x]));
        QVERIFY2(sum / (355.0 * 480.0) < 2.0, qPrintable(QString::number(sum / (355.0 * 480.0))));
    }

    void slowWorkIsPrecededByADraft() {
        const auto source = pyramidOf(test::makePhotograph(PixelFormat::Rgba8, {2400, 1800}));
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        RenderRequest wanted =
            request(1, source, chain({"gaussian_blur:sigma=2", "gaussian_blur:sigma=3"}));
        wanted.viewport = {{0, 0, 300, 200}, 1.0};
        QVERIFY(finishes(worker, log, wanted));
        const auto events = log.events();
        const auto picture = std::ranges::find_if(events, [](const RenderEvent& event) {
            return std::holds_alternative<DraftReady>(event) ||
                   std::holds_alternative<FullReady>(event);
        });
        QVERIFY(picture != events.end() && std::holds_alternative<DraftReady>(*picture));
        QVERIFY(log.has<FullReady>(1));
        const Rect seen{0, 0, 300, 200};
        const Image draft = log.all<DraftReady>()[0].picture;
        const Image full = log.all<FullReady>()[0].result->levels[0];
        QCOMPARE(test::firstDifference(full.crop(seen), draft), std::string());
    }

    // What was never timed is judged by what such steps cost elsewhere.
    void aSlowStepOnASmallImageIsPrecededByADraft() {
        const auto source = pyramidOf(test::makePhotograph(PixelFormat::Rgba8, {900, 600}));
        for (const bool slow : {false, true}) {
            EventLog log;
            RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
            RenderRequest wanted =
                request(1, source, chain({slow ? "nl_means:h=10" : "gaussian_blur:sigma=1"}));
            wanted.viewport = {{300, 200, 40, 30}, 1.0};
            QVERIFY(finishes(worker, log, wanted));
            QCOMPARE(log.all<DraftReady>().size(), std::size_t(slow));
            QVERIFY(log.has<FullReady>(1));
        }
    }

    void sameRequestAgainIsNotComputedAgain() {
        FakeSet fakes(false);
        EventLog log;
        RenderWorker worker([&] { return fakes.set(); }, log.sink(), kWorkerBudget);
        QVERIFY(finishes(worker, log, request(1, m_source, m_chain)));
        const int runs = fakes.cpu->runs;
        QVERIFY(finishes(worker, log, request(2, m_source, m_chain)));
        QCOMPARE(fakes.cpu->runs.load(), runs);
        const auto full = log.all<FullReady>();
        QCOMPARE(full.size(), std::size_t(2));
        QVERIFY(full[0].result == full[1].result);
        QCOMPARE(full[1].revision, std::uint64_t(2));
        QCOMPARE(log.all<HistogramsReady>().size(), std::size_t(2));
    }

    void regionLimitsCountsAndTimings() {
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        RenderRequest wanted = request(1, m_source, chain({"gaussian_blur"}));
        wanted.region = Rect{10, 20, 30, 5};
        wanted.compare = true;
        QVERIFY(finishes(worker, log, wanted));
        const auto counts = log.all<HistogramsReady>().at(0);
        QCOMPARE(counts.source.channels[0].total(), std::uint64_t(150));
        QCOMPARE(counts.result.channels[0].total(), std::uint64_t(150));
        QCOMPARE(counts.resultStatistics[0].count, std::uint64_t(150));
        const auto timings = log.all<TimingReady>();
        QCOMPARE(timings[0].timing.width, 30);
        QCOMPARE(timings[0].timing.height, 5);
        QVERIFY((log.all<FullReady>()[0].result->levels[0].size() == Size{160, 120}));
        // Without it: the whole image again.
        wanted.region.reset();
        wanted.revision = 2;
        wanted.compare = false;
        QVERIFY(finishes(worker, log, wanted));
        QCOMPARE(log.all<HistogramsReady>()[1].source.channels[0].total(),
                 std::uint64_t(160 * 120));
    }

    // Any analysis, of both images and of the region, and not done again while nothing changed.
    void analysisOfSourceAndResult() {
        EventLog log;
        RenderWorker worker([] { return realBackends(); }, log.sink(), kWorkerBudget);
        RenderRequest wanted = request(1, m_source, chain({"grayscale"}));
        wanted.analysis = *parseChoice("statistics");
        wanted.region = Rect{10, 20, 30, 5};
        QVERIFY(finishes(worker, log, wanted));
        wanted.revision = 2;
        QVERIFY(finishes(worker, log, wanted));
        wanted.revision = 3;
        wanted.region.reset();
        QVERIFY(finishes(worker, log, wanted));
        const auto found = log.all<AnalysisReady>();
        QCOMPARE(found.size(), std::size_t(3));
        const auto tableOf = [](const Image& image) {
            const Operation& statistics = *findOperation("statistics");
            const PlanPtr plan = planFor(statistics, {}, image.format(), image.size());
            return std::get<AnalysisTable>(*statistics.analyzeCpu(*plan, image, {}));
        };
        const Image result = exactResult(m_image, wanted.pipeline);
        for (std::size_t i = 0; i < 3; ++i) {
            const Rect part = i < 2 ? Rect{10, 20, 30, 5} : Rect{0, 0, 160, 120};
            QCOMPARE(found[i].revision, std::uint64_t(i + 1));
            QVERIFY(found[i].problem.empty());
            QVERIFY(std::get<AnalysisTable>(found[i].source) == tableOf(m_image.crop(part)));
            QVERIFY(std::get<AnalysisTable>(found[i].result) == tableOf(result.crop(part)));
            QCOMPARE(found[i].resultOn.backend, std::optional(BackendKind::Cpu));
        }
    }

    // What cannot be done is said, and the rest of the request goes on.
    void analysisThatCannotBeDone() {
        EventLog log;
        RenderWorker worker([] { return realBackends(); }, log.sink(), kWorkerBudget);
        RenderRequest wanted = request(1, m_source, {});
        wanted.analysis = Step{};
        wanted.analysis->operation = "no_such_thing";
        QVERIFY(finishes(worker, log, wanted));
        QVERIFY(log.all<AnalysisReady>().at(0).problem.find("no_such_thing") != std::string::npos);
        QVERIFY(log.has<Idle>(1));
        QVERIFY(!log.has<RenderFailed>(1));
    }

    void failureIsToldAndTheWorkerStaysReady() {
        FakeSet fakes(false);
        fakes.cpu->failure = {0, {ErrorCode::Internal, "something broke"}, true};
        EventLog log;
        RenderWorker worker([&] { return fakes.set(); }, log.sink(), kWorkerBudget);
        QVERIFY(finishes(worker, log, request(1, m_source, m_chain)));
        const auto failed = log.all<RenderFailed>();
        QCOMPARE(failed.size(), std::size_t(1));
        QVERIFY(QString::fromStdString(failed[0].error.message).contains("something broke"));

        RenderRequest other = request(2, m_source, m_chain);
        other.backend = BackendChoice::CpuSingle;
        QVERIFY(finishes(worker, log, other));
        QVERIFY(log.has<FullReady>(2));

        Pipeline wrong = m_chain;
        wrong.steps[0].operation = "no such thing";
        QVERIFY(finishes(worker, log, request(3, m_source, wrong)));
        QVERIFY(log.has<RenderFailed>(3));
    }

    void factoryThatThrowsLeavesTheCpu() {
        EventLog log;
        RenderWorker worker([]() -> BackendSet { throw std::runtime_error("the driver has gone"); },
                            log.sink(), kWorkerBudget);
        QVERIFY(finishes(worker, log, request(1, m_source, m_chain)));
        QCOMPARE(log.all<BackendsReady>()[0].backends.cudaUnavailable,
                 std::string("the driver has gone"));
        QVERIFY(log.has<FullReady>(1));
    }

    // A running request ends on the backends that it began with; what comes then has the new ones.
    void backendsAreMadeAnew() {
        test::Gate gate;
        std::vector<std::shared_ptr<FakeBackend>> made;
        EventLog log;
        {
            RenderWorker worker(
                [&] {
                    FakeSet fakes(true);
                    made.push_back(fakes.cuda);
                    if (made.size() == 1) fakes.cuda->duringRun = [&](int) { gate.pass(); };
                    return fakes.set();
                },
                log.sink(), kWorkerBudget);
            RenderRequest first = request(1, m_source, m_chain);
            first.backend = BackendChoice::Cuda;
            worker.submit(first);
            QVERIFY(gate.waitUntilReached());
            worker.remakeBackends();
            worker.remakeBackends();
            gate.open();
            QVERIFY(log.waitForIdle(1));
            RenderRequest second = request(2, m_source, m_chain);
            second.backend = BackendChoice::Cuda;
            QVERIFY(finishes(worker, log, second));
        }
        QVERIFY(log.has<FullReady>(1) && log.has<FullReady>(2));
        QCOMPARE(log.all<BackendsReady>().size(), std::size_t(2));
        QCOMPARE(made.size(), std::size_t(2));
        // Nothing of the first one's is taken for its own.
        QVERIFY(made[1]->uploads > 0 && made[1]->runs > 0);
        QVERIFY(log.oneThread());
    }

    void requestsWaitForTheBackends() {
        test::Gate gate;
        EventLog log;
        RenderWorker worker(
            [&] {
                gate.pass();
                return BackendSet::cpuOnly("");
            },
            log.sink(), kWorkerBudget);
        QVERIFY(gate.waitUntilReached());
        for (std::uint64_t i = 1; i <= 5; ++i) worker.submit(request(i, m_source, m_chain));
        QVERIFY(log.events().empty());
        gate.open();
        QVERIFY(log.waitForIdle(5));
        QVERIFY(std::holds_alternative<BackendsReady>(log.events()[0]));
        QCOMPARE(log.all<FullReady>().size(), std::size_t(1));
        QCOMPARE(log.all<FullReady>()[0].revision, std::uint64_t(5));
    }

    void longWorkReportsProgress() {
        FakeSet fakes(false);
        fakes.cpu->duringRun = [](int) { QTest::qSleep(180); };
        EventLog log;
        RenderWorker worker([&] { return fakes.set(); }, log.sink(), kWorkerBudget);
        QVERIFY(finishes(worker, log,
                         request(1, m_source,
                                 chain({"gaussian_blur:sigma=1", "gaussian_blur:sigma=2",
                                        "gaussian_blur:sigma=3", "gaussian_blur:sigma=4"}))));
        const auto progress = log.all<ProgressChanged>();
        QVERIFY(!progress.empty());
        double last = 0;
        for (const ProgressChanged& one : progress) {
            QCOMPARE(one.revision, std::uint64_t(1));
            QVERIFY(!one.what.empty());
            QVERIFY(one.fraction >= 0 && one.fraction <= 1);
            if (one.what == findOperation("gaussian_blur")->description().label) {
                QVERIFY(one.fraction >= last);
                last = one.fraction;
            }
        }
        QVERIFY(log.oneThread());
    }

    void shortWorkReportsNone() {
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        QVERIFY(finishes(worker, log,
                         request(1, pyramidOf(m_image.crop({0, 0, 8, 8})), chain({"grayscale"}))));
        QVERIFY(log.all<ProgressChanged>().empty());
    }

    void theHistogramIsTimedWhereAsked() {
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        RenderRequest asked = request(1, m_source, chain({}));
        asked.compare = asked.timeHistogram = true;
        QVERIFY(finishes(worker, log, asked));
        const auto alone = newest(log.all<TimingReady>());
        QCOMPARE(alone.size(), std::size_t(3));  // one thread, all cores, GPU
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(alone[i].stepIndex, kAnalysisStep);
            QCOMPARE(alone[i].timing.operation, std::string("histogram"));
            QCOMPARE(alone[i].last, i == 2);
        }
        QVERIFY(alone[0].timing.measured() && alone[1].timing.measured());
        QCOMPARE(alone[1].timing.agreement.verdict, Verdict::Identical);

        asked.revision = 2;
        asked.pipeline = chain({"grayscale"});
        QVERIFY(finishes(worker, log, asked));
        std::vector<TimingReady> both;
        for (const TimingReady& row : log.all<TimingReady>())
            if (row.revision == 2) both.push_back(row);
        both = newest(both);
        QCOMPARE(both.size(), std::size_t(6));
        QCOMPARE(both[2].stepIndex, std::size_t(0));
        QVERIFY(!both[2].last);
        QCOMPARE(both[3].stepIndex, kAnalysisStep);
        QCOMPARE(both[3].timing.format, PixelFormat::Gray8);  // of the result
        QVERIFY(both[5].last);
    }

    void memoryBudgetCanBeSetAtAnyTime() {
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        worker.setMemoryBudget(0);
        worker.submit(request(1, m_source, m_chain));
        worker.setMemoryBudget(1u << 20);
        QVERIFY(log.waitForIdle(1));
        worker.setMemoryBudget(kWorkerBudget);
        QVERIFY(finishes(worker, log, request(2, m_source, chain({"grayscale"}))));
        QVERIFY(log.has<FullReady>(2));
    }
};

WARPSCOPE_TEST(RenderWorkerTest)
#include "render_worker_test.moc"
