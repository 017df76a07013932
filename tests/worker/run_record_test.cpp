// What a request says about how it went: where time was spent, where counts were made, at which
// stage it failed.
#include "engine/operations/noise/add_noise.h"
#include "support/test_case.h"
#include "worker/worker_fixture.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {
constexpr std::uint64_t kRunRecordBudget = 256u << 20;

// Nothing is seen, so that no draft comes first, however slow the runs before were.
RenderRequest unseen(std::uint64_t revision, PyramidPtr source, Pipeline pipeline) {
    RenderRequest wanted = request(revision, std::move(source), std::move(pipeline));
    wanted.viewport = {};
    return wanted;
}

}  // namespace

class RunRecordTest : public QObject {
    Q_OBJECT

    PyramidPtr m_source = pyramidOf(test::makePhotograph(PixelFormat::Rgba8, {160, 120}));

  private slots:
    void cpuStepsFollowEachOther() {
        EventLog log;
        RenderWorker worker([] { return BackendSet::cpuOnly(""); }, log.sink(), kRunRecordBudget);
        QVERIFY(finishes(worker, log,
                         request(1, m_source, chain({"gaussian_blur:sigma=3", "equalize"}))));
        const FullReady full = log.all<FullReady>().at(0);
        QCOMPARE(full.events.size(), std::size_t(3));
        QCOMPARE(full.events[0].label, std::string("gaussian_blur"));
        QCOMPARE(full.events[1].label, std::string("equalize"));
        QVERIFY(full.events[2].kind == RunEvent::Kind::Reduce);
        double end = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            const RunEvent& event = full.events[i];
            QCOMPARE(event.backend, BackendKind::Cpu);
            QVERIFY(event.startMs >= end && event.ms > 0);
            end = event.startMs + event.ms;
            if (i < 2) QCOMPARE(event.step.value(), i);
            if (i < 2) QCOMPARE(event.ms, full.steps[i].ms);
        }
        // The steps lie within the run, what the screen needs comes after it.
        QVERIFY(full.events[1].startMs + full.events[1].ms <= full.ms);
        QVERIFY(full.events[2].startMs >= full.ms * 0.99);
        QVERIFY(full.begunNs > 0 && full.begunNs <= steadyClock().nowNs());
        QVERIFY(!full.again);
    }

    void onlyWhatRanIsThere() {
        EventLog log;
        RenderWorker worker([] { return BackendSet::cpuOnly(""); }, log.sink(), kRunRecordBudget);
        QVERIFY(finishes(worker, log, unseen(1, m_source, chain({"gaussian_blur", "equalize"}))));
        QVERIFY(finishes(worker, log,
                         unseen(2, m_source, chain({"gaussian_blur", "equalize:mapping=full"}))));
        const FullReady second = log.all<FullReady>().at(1);
        QCOMPARE(second.events.size(), std::size_t(2));  // and the reduced copies
        QCOMPARE(second.events[0].step.value(), std::size_t(1));
        QVERIFY(finishes(worker, log,
                         unseen(3, m_source, chain({"gaussian_blur", "equalize:mapping=full"}))));
        QVERIFY(log.all<FullReady>().at(2).again);
    }

    void deviceEventsComeApart() {
        test::FakeClock clock;
        FakeSet fakes(true, &clock);
        fakes.cuda->uploadMs = 2;
        fakes.cuda->kernelMs = [](int run) { return run == 0 ? 5.0 : 7.0; };
        fakes.cuda->downloadMs = 3;
        EventLog log;
        RenderWorker worker([&] { return fakes.set(); }, log.sink(), kRunRecordBudget);
        RenderRequest wanted = request(1, m_source, chain({"gaussian_blur", "equalize"}));
        wanted.backend = BackendChoice::Cuda;
        QVERIFY(finishes(worker, log, wanted));
        const FullReady full = log.all<FullReady>().at(0);
        QCOMPARE(full.events.size(), std::size_t(5));
        const double first = full.events[0].startMs;
        const struct {
            RunEvent::Kind kind;
            int step;
            double start, ms;
        } expected[] = {{RunEvent::Kind::Upload, -1, 0, 2},
                        {RunEvent::Kind::Compute, 0, 2, 5},
                        {RunEvent::Kind::Compute, 1, 7, 7},
                        {RunEvent::Kind::Download, -1, 14, 3}};
        for (std::size_t i = 0; i < 4; ++i) {
            const RunEvent& event = full.events[i];
            QVERIFY(event.kind == expected[i].kind);
            QCOMPARE(event.backend, BackendKind::Cuda);
            QCOMPARE(event.step ? int(*event.step) : -1, expected[i].step);
            QVERIFY(std::abs(event.startMs - first - expected[i].start) < 1e-9);
            QCOMPARE(event.ms, expected[i].ms);
        }
        QCOMPARE(full.steps[1].ms, 7.0);
    }

    // The full run tells the kernels apart; reports stay sums of operations.
    void kernelsOfAnOperationComeApart() {
        test::FakeClock clock;
        FakeSet fakes(true, &clock);
        fakes.cuda->uploadMs = 2;
        fakes.cuda->kernelMs = [](int run) { return run == 0 ? 5.0 : 7.0; };
        fakes.cuda->kernels = {{"count", 0.5, 1, 1}, {"table", 1.5, 0.25, 1}, {"apply", 2, 2, 9}};
        EventLog log;
        RenderWorker worker([&] { return fakes.set(); }, log.sink(), kRunRecordBudget);
        RenderRequest wanted = request(1, m_source, chain({"equalize", "equalize"}));
        wanted.backend = BackendChoice::Cuda;
        QVERIFY(finishes(worker, log, wanted));
        const FullReady full = log.all<FullReady>().at(0);
        QCOMPARE(full.events.size(), std::size_t(5));
        QVERIFY(full.events[0].kernels.empty() && full.events[3].kernels.empty());
        for (const std::size_t step : {0u, 1u}) {
            const RunEvent& event = full.events[1 + step];
            QCOMPARE(event.step.value(), step);
            QCOMPARE(event.ms, step == 0 ? 5.0 : 7.0);
            QCOMPARE(full.steps[step].ms, event.ms);
            QCOMPARE(event.kernels.size(), std::size_t(3));
            for (std::size_t i = 0; i < 3; ++i) {
                const KernelLaunches& given = fakes.cuda->kernels[i];
                QCOMPARE(event.kernels[i].name, given.name);
                QVERIFY(std::abs(event.kernels[i].startMs - event.startMs - given.startMs) < 1e-9);
                QCOMPARE(event.kernels[i].ms, given.ms);
                QCOMPARE(event.kernels[i].launches, given.launches);
            }
        }
    }

    void countsSayWhereTheyWereMade() {
        FakeSet fakes(true);
        EventLog log;
        RenderWorker worker([&] { return fakes.set(); }, log.sink(), kRunRecordBudget);
        RenderRequest wanted = request(1, m_source, chain({"gaussian_blur"}));
        wanted.backend = BackendChoice::CpuSingle;
        QVERIFY(finishes(worker, log, wanted));
        QCOMPARE(log.all<HistogramsReady>()[0].resultOn.backend, BackendKind::CpuSingle);
        fakes.cuda->unsupported = "histogram";
        wanted.backend = BackendChoice::Cuda;
        wanted.pipeline = chain({"gaussian_blur:sigma=2"});
        wanted.revision = 2;
        QVERIFY(finishes(worker, log, wanted));
        const HistogramsReady second = log.all<HistogramsReady>()[1];
        // The source was counted before, and not again.
        QCOMPARE(second.sourceOn.backend, BackendKind::CpuSingle);
        QCOMPARE(second.resultOn.backend, BackendKind::Cpu);
        QVERIFY(!second.resultOn.fallbackReason.empty());
    }

    void aFailureNamesItsStage() {
        FakeSet fakes(false);
        EventLog log;
        RenderWorker worker([&] { return fakes.set(); }, log.sink(), kRunRecordBudget);
        RenderRequest wanted = unseen(1, m_source, chain({"gaussian_blur"}));
        QVERIFY(finishes(worker, log, wanted));
        QVERIFY(log.all<RenderFailed>().empty());
        // The result is computed, the counting of it fails.
        wanted.revision = 2;
        wanted.pipeline = chain({"gaussian_blur:sigma=3"});
        fakes.cpu->duringRun = [&](int) {
            fakes.cpu->failure = {fakes.cpu->calls + 2, {ErrorCode::Internal, "broken"}, true};
        };
        QVERIFY(finishes(worker, log, wanted));
        QVERIFY(log.has<FullReady>(2));
        QVERIFY(!log.has<HistogramsReady>(2));
        const auto failed = log.all<RenderFailed>();
        QCOMPARE(failed.size(), std::size_t(1));
        QVERIFY(failed[0].stage == RenderStage::Histogram);
        QVERIFY(!failed[0].stepIndex);
        // Nothing at all.
        wanted.revision = 3;
        wanted.pipeline = chain({"gaussian_blur:sigma=4"});
        QVERIFY(finishes(worker, log, wanted));
        QVERIFY(log.all<RenderFailed>()[1].stage == RenderStage::Result);
        QCOMPARE(log.all<RenderFailed>()[1].stepIndex.value(), std::size_t(0));
    }

    void aRegionKnowsItsPlaceInTheImage() {
        FakeSet fakes(false);
        std::vector<AddNoisePlan> seen;
        fakes.cpu->onPlan = [&](const Plan& plan) {
            if (const auto* noise = dynamic_cast<const AddNoisePlan*>(&plan))
                seen.push_back(*noise);
        };
        EventLog log;
        RenderWorker worker([&] { return fakes.set(); }, log.sink(), kRunRecordBudget);
        RenderRequest wanted = request(1, m_source, chain({"add_noise"}));
        wanted.region = Rect{40, 30, 50, 20};
        wanted.compare = true;
        QVERIFY(finishes(worker, log, wanted));
        QVERIFY(seen.size() > 2);
        QCOMPARE(seen.front().originX, 0);  // the result: the whole image
        QCOMPARE(seen.back().size, (Size{50, 20}));
        QCOMPARE(seen.back().originX, 40);
        QCOMPARE(seen.back().originY, 30);
        QCOMPARE(seen.back().wholeWidth, std::int64_t(160));
    }

    void aDifferenceIsShownAsItIs() {
        FakeSet fakes(false);
        fakes.cpu->wrongPixel = true;
        EventLog log;
        RenderWorker worker([&] { return fakes.set(); }, log.sink(), kRunRecordBudget);
        RenderRequest wanted = request(1, m_source, chain({"grayscale", "gaussian_blur"}));
        wanted.backend = BackendChoice::CpuSingle;
        wanted.difference = RenderRequest::StepOn{1, BackendKind::Cpu};
        QVERIFY(finishes(worker, log, wanted));
        const auto difference = log.all<DifferenceReady>();
        QCOMPARE(difference.size(), std::size_t(1));
        QCOMPARE(difference[0].stepIndex, std::size_t(1));
        QCOMPARE(difference[0].backend, BackendKind::Cpu);
        const Agreement agreement =
            compareImages(difference[0].reference, difference[0].other, AgreementRule{});
        QCOMPARE(agreement.differing, std::uint64_t(1));
        QCOMPARE(test::firstDifference(log.all<FullReady>()[0].result->levels[0],
                                       difference[0].reference),
                 std::string());
    }

    void copyBandwidthIsMeasuredOnce() {
        EventLog log;
        RenderWorker worker([] { return BackendSet::cpuOnly(""); }, log.sink(), kRunRecordBudget);
        RenderRequest wanted = request(1, m_source, chain({"grayscale"}));
        wanted.compare = wanted.copyBandwidth = true;
        QVERIFY(finishes(worker, log, wanted));
        const auto copied = log.all<CopyBandwidthReady>();
        QCOMPARE(copied.size(), std::size_t(1));
        QVERIFY(copied[0].cpuSingle > 0 && copied[0].cpu > 0);
        QCOMPARE(copied[0].gpu, 0.0);
        wanted.revision = 2;
        wanted.pipeline = chain({"equalize"});
        QVERIFY(finishes(worker, log, wanted));
        QCOMPARE(log.all<CopyBandwidthReady>().size(), std::size_t(1));
    }
};

WARPSCOPE_TEST(RunRecordTest)
#include "run_record_test.moc"
