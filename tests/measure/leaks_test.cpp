// Durations are known and the clock is the test's: what must not be in a figure is put beside it,
// large, and must not show.
#include <cmath>

#include "engine/measure/timing.h"
#include "engine/operations/registry.h"
#include "measure/sleeping_backend.h"
#include "support/images.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

bool within5Percent(double found, double expected) {
    return std::abs(found - expected) <= 0.05 * expected;
}

}  // namespace

class LeaksTest : public QObject {
    Q_OBJECT

    static constexpr Size kSize{40, 30};
    Image m_photo = test::makePhotograph(PixelFormat::Gray8, kSize);

    MeasureRequest request(SamplingOptions sampling = {1, 9, 9, 0}) const {
        const Operation* median = findOperation("median");
        MeasureRequest request;
        request.parameters = *resolveParameters(median->description().parameters, {});
        request.plan = *median->plan({request.parameters, "automatic", PixelFormat::Gray8, kSize});
        request.input = m_photo;
        request.sampling = sampling;
        return request;
    }

    static StepTiming measure(SleepingBackend& backend, const MeasureRequest& request,
                              const Clock& clock) {
        auto measured = measureStep(backend, request, {}, clock);
        return measured ? measured->timing : StepTiming{};
    }

  private slots:
    // Durations that scatter, with one in nine many times as long.
    void knownDurationsComeOutRight() {
        for (const BackendKind kind :
             {BackendKind::CpuSingle, BackendKind::Cpu, BackendKind::Cuda}) {
            FakeClock clock;
            SleepingBackend backend(kind, clock);
            backend.kernelMs = [](int run) {
                return run % 9 == 4 ? 200.0 : 10.0 + 0.1 * (run % 5 - 2);
            };
            backend.uploadMs = kind == BackendKind::Cuda ? 6 : 0;
            backend.downloadMs = kind == BackendKind::Cuda ? 3 : 0;
            backend.asynchronous = kind == BackendKind::Cuda;
            const StepTiming timing = measure(backend, request({1, 45, 45, 0}), clock);
            QCOMPARE(timing.time.n, 45);
            QVERIFY(within5Percent(timing.time.medianMs, 10));
            QVERIFY(within5Percent(timing.kernelMs, 10));
            QVERIFY(within5Percent(timing.endToEndMs, kind == BackendKind::Cuda ? 19 : 10));
            if (kind != BackendKind::Cuda) continue;
            QVERIFY(within5Percent(timing.uploadMs, 6));
            QVERIFY(within5Percent(timing.downloadMs, 3));
        }
    }

    void firstCallDoesNotLeak() {
        for (const BackendKind kind : {BackendKind::Cpu, BackendKind::Cuda}) {
            FakeClock clock;
            SleepingBackend backend(kind, clock);
            backend.asynchronous = kind == BackendKind::Cuda;
            backend.kernelMs = [](int run) { return run == 0 ? 5000.0 : 2.0; };
            // One sample alone: a first call in it would be all of it.
            const StepTiming timing = measure(backend, request({0, 1, 1, 0}), clock);
            QCOMPARE(timing.firstCallMs, 5000.0);
            QCOMPARE(timing.time.medianMs, 2.0);
            QCOMPARE(timing.time.p90Ms, 2.0);
            QCOMPARE(timing.endToEndMs, 2.0);
        }
    }

    void warmUpsDoNotLeak() {
        FakeClock clock;
        SleepingBackend backend(BackendKind::Cpu, clock);
        backend.kernelMs = [](int run) { return run < 4 ? 700.0 : 2.0; };
        const StepTiming timing = measure(backend, request({3, 5, 5, 0}), clock);
        QCOMPARE(timing.time.n, 5);
        QCOMPARE(timing.time.p90Ms, 2.0);
    }

    void transferDoesNotLeak() {
        FakeClock clock;
        SleepingBackend backend(BackendKind::Cuda, clock);
        backend.asynchronous = true;
        backend.kernelMs = [](int) { return 1.0; };
        backend.uploadMs = 800;
        backend.downloadMs = 900;
        const StepTiming timing = measure(backend, request(), clock);
        QCOMPARE(timing.time.medianMs, 1.0);
        QCOMPARE(timing.time.p90Ms, 1.0);
        QCOMPARE(timing.kernelMs, 1.0);
        QCOMPARE(timing.uploadMs, 800.0);
        QCOMPARE(timing.downloadMs, 900.0);
        QCOMPARE(timing.endToEndMs, 1701.0);
    }

    // A call returns long before its work is done; and a call must not be charged for what an
    // earlier one left undone.
    void asynchronousCompletionDoesNotLeak() {
        for (const BackendKind kind : {BackendKind::Cpu, BackendKind::Cuda}) {
            FakeClock clock;
            SleepingBackend backend(kind, clock);
            backend.asynchronous = true;
            backend.launchMs = 0.001;
            backend.kernelMs = [](int run) { return run == 0 ? 300.0 : 30.0; };
            const StepTiming timing = measure(backend, request(), clock);
            QVERIFY(within5Percent(timing.time.medianMs, 30));
            QVERIFY(within5Percent(timing.time.p10Ms, 30));
            QVERIFY(within5Percent(timing.time.p90Ms, 30));
            QVERIFY(within5Percent(timing.endToEndMs, 30));
            QVERIFY(within5Percent(timing.firstCallMs, 300));
        }
    }

    void workLeftByOthersDoesNotLeak() {
        FakeClock clock;
        SleepingBackend backend(BackendKind::Cuda, clock);
        backend.asynchronous = true;
        backend.kernelMs = [](int run) { return run == 0 ? 9000.0 : 2.0; };
        const MeasureRequest request = this->request();
        const auto input = *backend.upload(m_photo, {});
        QVERIFY(backend.run(*request.plan, input, {}));  // nobody waits for it
        const StepTiming timing = measure(backend, request, clock);
        QCOMPARE(timing.firstCallMs, 2.0);
        QCOMPARE(timing.endToEndMs, 2.0);
    }

    // Stopped at any run: no figure at all, also when the stop comes in the very last one.
    void cancelledRunsDoNotLeak() {
        int all = 0;
        {
            FakeClock clock;
            SleepingBackend backend(BackendKind::Cuda, clock);
            backend.kernelMs = [](int) { return 1.0; };
            measure(backend, request(), clock);
            all = backend.runs;
        }
        QVERIFY(all > 18);
        for (int at = 0; at < all; ++at) {
            FakeClock clock;
            SleepingBackend backend(BackendKind::Cuda, clock);
            backend.kernelMs = [](int) { return 1.0; };
            std::stop_source stop;
            backend.duringRun = [&](int run) {
                if (run == at) stop.request_stop();
            };
            const auto measured = measureStep(backend, request(), {stop.get_token(), {}}, clock);
            REQUIRE_FAILS(measured, ErrorCode::Cancelled, "");
            QVERIFY(backend.runs <= at + 1);
        }
    }

    void warmAndColdAreTwoFigures() {
        for (const BackendKind kind : {BackendKind::Cpu, BackendKind::Cuda}) {
            FakeClock clock;
            SleepingBackend backend(kind, clock);
            backend.cache = 20'000;  // 1,200 bytes of an image fit in many times
            backend.coldFactor = 3;
            backend.kernelMs = [](int) { return 2.0; };
            MeasureRequest request = this->request();
            StepTiming timing = measure(backend, request, clock);
            QVERIFY(!timing.cold);
            QCOMPARE(timing.inputs, 1);
            QCOMPARE(timing.time.medianMs, 2.0);
            if (kind == BackendKind::Cuda) continue;  // its host needs thousands of copies
            request.cold = true;
            timing = measure(backend, request, clock);
            QVERIFY(timing.cold);
            QVERIFY(std::uint64_t(timing.inputs) * 1200 > backend.cache);
            QCOMPARE(timing.time.medianMs, 6.0);
            QCOMPARE(timing.time.p10Ms, 6.0);
        }
    }

    void tooSmallToBeCold() {
        FakeClock clock;
        SleepingBackend backend(BackendKind::Cpu, clock);
        backend.cache = std::uint64_t(1) << 40;
        backend.kernelMs = [](int) { return 2.0; };
        MeasureRequest request = this->request();
        request.cold = true;
        const auto measured = measureStep(backend, request, {}, clock);
        REQUIRE_FAILS(measured, ErrorCode::Unsupported, "too small");
    }

    // Events cost 8 us around a kernel of 4: only many kernels between two events tell the truth.
    void shortKernelsAreMeasuredTogether() {
        FakeClock clock;
        SleepingBackend backend(BackendKind::Cuda, clock);
        backend.kernelMs = [](int) { return 0.004; };
        backend.eventMs = 0.008;
        StepTiming timing = measure(backend, request(), clock);
        QCOMPARE(timing.method, std::string("single"));
        QVERIFY(std::abs(timing.time.medianMs - 0.012) < 1e-9);

        backend.canRepeat = true;
        timing = measure(backend, request(), clock);
        QCOMPARE(timing.method, std::string("graph"));
        QVERIFY(timing.launches >= 10);
        QVERIFY(within5Percent(timing.time.medianMs, 0.004));
        QVERIFY(within5Percent(timing.kernelMs, 0.004));
        QCOMPARE(timing.time.n, 9);

        // Long enough for events: left as it is.
        backend.kernelMs = [](int) { return 0.5; };
        backend.repeatedRuns = 0;
        timing = measure(backend, request(), clock);
        QCOMPARE(timing.method, std::string("single"));
        QCOMPARE(timing.launches, 1);
        QCOMPARE(backend.repeatedRuns, 0);
    }

    // Right the first time and wrong later, as work that races is.
    void theLastResultCountsToo() {
        FakeClock clock;
        SleepingBackend backend(BackendKind::Cpu, clock);
        backend.kernelMs = [](int) { return 2.0; };
        MeasureRequest request = this->request();
        const Image reference = measureStep(backend, request, {}, clock)->output;
        request.reference = &reference;
        QCOMPARE(measure(backend, request, clock).agreement.verdict, Verdict::Identical);
        const int before = backend.runs;
        backend.duringRun = [&](int run) { backend.wrongPixel = run > before; };
        QCOMPARE(measure(backend, request, clock).agreement.verdict, Verdict::Differs);
    }
};

WARPSCOPE_TEST(LeaksTest)
#include "leaks_test.moc"
