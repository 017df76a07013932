// Samples, what they are made of, and when a speedup is shown. The clock moves only when told.
#include <cmath>

#include "engine/measure/timing.h"
#include "engine/operations/analysis/histogram.h"
#include "engine/pipeline/pipeline.h"
#include "engine/report/text_table.h"
#include "pipeline/fake_backend.h"
#include "support/images.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

class TimingTest : public QObject {
    Q_OBJECT

    Image m_photo = test::makePhotograph(PixelFormat::Rgba8, {40, 30});
    Step m_step = *parseStep("gaussian_blur:sigma=2");
    PlanPtr m_plan = planFor(m_step, {40, 30});

    static PlanPtr planFor(const Step& step, Size size) {
        return *findOperation(step.operation)
                    ->plan({step.parameters, "automatic", PixelFormat::Rgba8, size});
    }

    MeasureRequest request(SamplingOptions sampling) const {
        MeasureRequest request;
        request.plan = m_plan;
        request.parameters = m_step.parameters;
        request.input = m_photo;
        request.sampling = sampling;
        return request;
    }

    Result<std::vector<StepTiming>> compare(const FakeSet& fakes, const FakeClock& clock,
                                            RunContext context = {}) const {
        return compareBackends(fakes.set(), m_plan, m_step.parameters, m_photo,
                               SamplingOptions{1, 5, 5, 0}, context, {}, clock);
    }

    static double factor(const std::vector<StepTiming>& rows, const std::string& subject,
                         const std::string& baseline) {
        for (const Speedup& speedup : speedups(rows))
            if (subjectText(speedup.subject) == subject &&
                threadsText(speedup.baselineThreads) == baseline)
                return speedup.factor;
        return 0;
    }

  private slots:
    void percentiles() {
        QCOMPARE(summarizeSamples({}).n, 0);
        auto one = summarizeSamples({7});
        QCOMPARE(one.n, 1);
        QCOMPARE(one.medianMs, 7.0);
        QCOMPARE(one.p10Ms, 7.0);
        QCOMPARE(one.p90Ms, 7.0);
        QCOMPARE(summarizeSamples({4, 1}).medianMs, 2.5);
        QCOMPARE(summarizeSamples({4, 1}).p10Ms, 1.3);
        const auto eleven = summarizeSamples({10, 0, 9, 1, 8, 2, 7, 3, 6, 4, 5});
        QCOMPARE(eleven.medianMs, 5.0);
        QCOMPARE(eleven.p10Ms, 1.0);
        QCOMPARE(eleven.p90Ms, 9.0);
        // One slow sample moves neither the median nor much else.
        QCOMPARE(summarizeSamples({1, 1, 1, 1, 1, 1, 1, 1, 1000}).medianMs, 1.0);
    }

    void cpuFigures() {
        FakeClock clock;
        FakeBackend backend(BackendKind::Cpu, &clock);
        // First call and warm-ups are slow, as they are in life; then 10, 11, 12, ...
        backend.kernelMs = [](int run) { return run < 3 ? 500.0 : 7.0 + run; };
        const auto measured = measureStep(backend, request({2, 5, 200, 0}), RunContext{}, clock);
        QVERIFY(measured);
        const StepTiming& timing = measured->timing;
        QCOMPARE(backend.runs.load(), 1 + 2 + 5);
        QCOMPARE(timing.time.n, 5);
        QCOMPARE(timing.time.medianMs, 12.0);
        QCOMPARE(timing.time.p10Ms, 10.4);
        QCOMPARE(timing.firstCallMs, 500.0);
        QCOMPARE(timing.endToEndMs, 12.0);
        QCOMPARE(timing.uploadMs, 0.0);
        QCOMPARE(timing.downloadMs, 0.0);
        QCOMPARE(timing.threads, 16);
        QCOMPARE(timing.backend, BackendKind::Cpu);
        QCOMPARE(timing.bytesMoved, m_plan->minimalBytes);
        QCOMPARE(timing.bytesMoved, std::uint64_t(2 * 40 * 30 * 4));
        QVERIFY(std::abs(timing.gbPerS - 9600 / 12e6) < 1e-12);
        QCOMPARE(timing.imageHash, contentHash(m_photo));
        QCOMPARE(timing.agreement.verdict, Verdict::NotCompared);
        QVERIFY(timing.measured());
        QVERIFY(!measured->output.isNull());
    }

    void samplingEndsWithTheBudgetOrTheCount() {
        FakeClock clock;
        FakeBackend backend(BackendKind::Cpu, &clock);
        backend.kernelMs = [](int) { return 10.0; };
        QCOMPARE(measureStep(backend, request({0, 5, 200, 95}), {}, clock)->timing.time.n, 10);
        QCOMPARE(measureStep(backend, request({0, 5, 7, 1e9}), {}, clock)->timing.time.n, 7);
        QCOMPARE(measureStep(backend, request({0, 5, 200, 0}), {}, clock)->timing.time.n, 5);
        QCOMPARE(measureStep(backend, request({0, 0, 0, 0}), {}, clock)->timing.time.n, 1);
    }

    void gpuFiguresComeApart() {
        FakeClock clock;
        FakeBackend backend(BackendKind::Cuda, &clock);
        backend.uploadMs = 3;
        backend.downloadMs = 5;
        backend.kernelMs = [](int run) { return run == 0 ? 300.0 : 2.0; };
        const auto measured = measureStep(backend, request({1, 5, 5, 0}), {}, clock);
        QVERIFY(measured);
        const StepTiming& timing = measured->timing;
        QCOMPARE(timing.firstCallMs, 308.0);
        QCOMPARE(timing.kernelMs, 2.0);
        QCOMPARE(timing.time.medianMs, 2.0);
        QCOMPARE(timing.uploadMs, 3.0);
        QCOMPARE(timing.downloadMs, 5.0);
        QCOMPARE(timing.endToEndMs, 10.0);
        QCOMPARE(timing.threads, 0);
        QVERIFY(!backend.recording());
    }

    void histogramIsTimedToo() {
        FakeClock clock;
        const auto plan = *planHistogram(ChannelSet::all(), PixelFormat::Rgba8, {40, 30});
        FakeSet fakes(true, &clock);
        for (auto& backend : {fakes.cpuSingle, fakes.cpu, fakes.cuda})
            backend->kernelMs = [](int) { return 4.0; };
        const SamplingOptions sampling{1, 5, 5, 0};
        auto rows = compareBackends(fakes.set(), plan, {}, m_photo, sampling, {}, {}, clock);
        QVERIFY(rows);
        for (const StepTiming& row : *rows) {
            QCOMPARE(row.operation, std::string("histogram"));
            QCOMPARE(row.agreement.verdict, Verdict::Identical);
        }
        fakes.cuda->wrongPixel = true;
        rows = compareBackends(fakes.set(), plan, {}, m_photo, sampling, {}, {}, clock);
        QCOMPARE((*rows)[2].agreement.verdict, Verdict::Differs);
        QCOMPARE((*rows)[2].agreement.firstX, 7);
        QCOMPARE(speedups(*rows).size(), std::size_t(1));
    }

    void threeRowsAndTheirSpeedups() {
        FakeClock clock;
        FakeSet fakes(true, &clock);
        fakes.cpuSingle->kernelMs = [](int) { return 100.0; };
        fakes.cpu->kernelMs = [](int) { return 10.0; };
        fakes.cuda->kernelMs = [](int) { return 0.5; };
        fakes.cuda->uploadMs = 2;
        fakes.cuda->downloadMs = 2.5;
        std::vector<Place> seen;
        const auto rows = compareBackends(
            fakes.set(), m_plan, m_step.parameters, m_photo, {1, 5, 5, 0}, {},
            [&](const StepTiming& row) { seen.push_back(row.backend); }, clock);
        QVERIFY(rows);
        QVERIFY((seen ==
                 std::vector<Place>{BackendKind::CpuSingle, BackendKind::Cpu, BackendKind::Cuda}));
        for (const StepTiming& row : *rows) {
            QVERIFY(row.measured());
            QCOMPARE(row.agreement.verdict, Verdict::Identical);
            QCOMPARE(row.agreement.samples, std::uint64_t(40 * 30 * 4));
        }
        QCOMPARE(factor(*rows, "all cores", "1 thread"), 10.0);
        QCOMPARE(factor(*rows, "GPU kernel only", "1 thread"), 200.0);
        QCOMPARE(factor(*rows, "GPU kernel only", "16 threads"), 20.0);
        QCOMPARE(factor(*rows, "GPU end to end", "1 thread"), 20.0);
        QCOMPARE(factor(*rows, "GPU end to end", "16 threads"), 2.0);
        QCOMPARE(speedups(*rows).size(), std::size_t(5));
    }

    void wrongResultHasNoSpeedup() {
        FakeClock clock;
        FakeSet fakes(true, &clock);
        fakes.cpuSingle->kernelMs = fakes.cpu->kernelMs = [](int) { return 10.0; };
        fakes.cuda->kernelMs = [](int) { return 0.001; };
        fakes.cuda->wrongPixel = true;
        auto rows = compare(fakes, clock);
        QCOMPARE((*rows)[2].agreement.verdict, Verdict::Differs);
        QCOMPARE((*rows)[2].agreement.differing, std::uint64_t(1));
        QVERIFY((*rows)[2].measured());
        QCOMPARE(speedups(*rows).size(), std::size_t(1));
        QCOMPARE(subjectText(speedups(*rows)[0].subject), std::string("all cores"));

        // Wrong cores: nothing may be compared with them either.
        fakes.cuda->wrongPixel = false;
        fakes.cpu->wrongPixel = true;
        rows = compare(fakes, clock);
        for (const Speedup& speedup : speedups(*rows)) {
            QVERIFY(speedup.ofGpu());
            QCOMPARE(threadsText(speedup.baselineThreads), std::string("1 thread"));
        }
        QCOMPARE(speedups(*rows).size(), std::size_t(2));
    }

    void missingGpuIsARow() {
        FakeClock clock;
        FakeSet fakes(false, &clock);
        fakes.cpuSingle->kernelMs = fakes.cpu->kernelMs = [](int) { return 1.0; };
        const auto rows = compare(fakes, clock);
        QCOMPARE(rows->size(), std::size_t(3));
        QCOMPARE((*rows)[2].backendRequested, BackendKind::Cuda);
        QVERIFY((*rows)[2].backend.empty());
        QCOMPARE((*rows)[2].error, std::string("skipped: no NVIDIA driver is installed"));
        QVERIFY(!(*rows)[2].measured());
        QCOMPARE((*rows)[2].imageHash, contentHash(m_photo));
        QCOMPARE(speedups(*rows).size(), std::size_t(1));
    }

    void failureAtAnyCallIsARow() {
        FakeClock clock;
        int calls = 0;
        {
            FakeSet fakes(true, &clock);
            QVERIFY(compare(fakes, clock));
            calls = fakes.cuda->calls;
        }
        for (int n = 0; n < calls; ++n) {
            FakeSet fakes(true, &clock);
            fakes.cuda->failure = {n, {ErrorCode::DeviceFault, "the GPU is gone"}, true};
            const auto rows = compare(fakes, clock);
            QVERIFY(rows);
            QCOMPARE((*rows)[2].error, std::string("skipped: the GPU is gone"));
            QVERIFY((*rows)[1].measured());
            QVERIFY(!fakes.cuda->recording());
        }
    }

    void unsupportedIsARow() {
        FakeClock clock;
        FakeSet fakes(true, &clock);
        fakes.cuda->unsupported = "gaussian_blur";
        QVERIFY((*compare(fakes, clock))[2].error.starts_with("skipped: gaussian_blur"));
        QCOMPARE(fakes.cuda->runs.load(), 0);
    }

    void cancellation() {
        FakeClock clock;
        FakeSet fakes(true, &clock);
        std::stop_source stop;
        fakes.cpu->duringRun = [&](int run) {
            if (run == 3) stop.request_stop();
        };
        const auto rows = compare(fakes, clock, {stop.get_token(), {}});
        QCOMPARE(rows.error().code, ErrorCode::Cancelled);
        QCOMPARE(fakes.cpu->runs.load(), 4);
        QCOMPARE(fakes.cuda->runs.load(), 0);
    }

    void realBackendsAgree() {
        const auto rows = compareBackends(BackendSet::cpuOnly("none"), m_plan, m_step.parameters,
                                          m_photo, {1, 5, 10, 5}, {});
        QVERIFY(rows);
        for (std::size_t i = 0; i < 2; ++i) {
            QVERIFY((*rows)[i].measured());
            QVERIFY((*rows)[i].time.n >= 5);
            QVERIFY((*rows)[i].time.medianMs > 0);
            QVERIFY((*rows)[i].time.p10Ms <= (*rows)[i].time.medianMs);
            QVERIFY((*rows)[i].time.medianMs <= (*rows)[i].time.p90Ms);
            QCOMPARE((*rows)[i].agreement.verdict, Verdict::Identical);
        }
    }

    void clockRuns() {
        const std::int64_t first = steadyClock().nowNs();
        const Stopwatch watch;
        QTest::qSleep(5);
        QVERIFY(watch.elapsedMs() >= 5);
        QVERIFY(steadyClock().nowNs() > first);
    }
};

WARPSCOPE_TEST(TimingTest)
#include "timing_test.moc"
