// A GPU that is missing, cannot, has no memory or fails: the same result, and the reason is said.
#include "engine/operations/analysis/histogram.h"
#include "engine/pipeline/executor.h"
#include "engine/pipeline/span_times.h"
#include "pipeline/chains.h"
#include "pipeline/fake_backend.h"
#include "support/images.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

constexpr std::uint64_t kFallbackBudget = 256u << 20;
const Error kNoMemory{ErrorCode::OutOfMemory, "no device memory for 12 MiB"};
const Error kFault{ErrorCode::DeviceFault, "the GPU reported an illegal address"};

}  // namespace

class FallbackTest : public QObject {
    Q_OBJECT

    Image m_photo = test::makePhotograph(PixelFormat::Rgba8, {53, 37});
    Pipeline m_chain = chain({"gaussian_blur:sigma=2", "equalize", "grayscale"});

    ExecuteRequest request(BackendChoice backend) const {
        ExecuteRequest request;
        request.source = m_photo;
        request.pipeline = m_chain;
        request.backend = backend;
        return request;
    }
    Image truth() const {
        Executor executor(BackendSet::cpuOnly(""), kFallbackBudget);
        return executor.run(request(BackendChoice::CpuSingle), {})->image;
    }

  private slots:
    void missingGpu() {
        FakeSet fakes(false);
        Executor executor(fakes.set(), kFallbackBudget);
        const auto asked = executor.run(request(BackendChoice::Cuda), {});
        QVERIFY(asked);
        for (const StepReport& step : asked->steps) {
            QCOMPARE(step.backend, BackendKind::Cpu);
            QCOMPARE(step.fallbackReason, std::string("no NVIDIA driver is installed"));
        }
        // Nobody asked for it here, and the cache must not remember that somebody did.
        for (const auto choice : {BackendChoice::Auto, BackendChoice::Cpu}) {
            const auto automatic = executor.run(request(choice), {});
            for (const StepReport& step : automatic->steps)
                QCOMPARE(step.fallbackReason, std::string());
        }
    }

    void gpuRunsEverything() {
        FakeSet fakes(true);
        fakes.cuda->kernelMs = [](int run) { return 1.0 + run; };
        Executor executor(fakes.set(), kFallbackBudget);
        const auto result = executor.run(request(BackendChoice::Auto), {});
        QVERIFY(result);
        QCOMPARE(test::firstDifference(truth(), result->image), std::string());
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(result->steps[i].backend, BackendKind::Cuda);
            QCOMPARE(result->steps[i].ms, 1.0 + double(i));
        }
        QVERIFY(!result->events.empty());
        QVERIFY(!fakes.cuda->recording());
        QCOMPARE(fakes.cuda->uploads.load(), 1);
        QCOMPARE(fakes.cuda->downloads, 1);
        QCOMPARE(fakes.cpu->runs.load(), 0);

        // The source stays on the device, and so does the result that is counted.
        m_chain.steps[0].parameters.set("sigma", 3.0);
        const auto again = executor.run(request(BackendChoice::Cuda), {});
        QVERIFY(executor.histogram(again->image, BackendChoice::Cuda, {}));
        QVERIFY(executor.histogram(m_photo, BackendChoice::Cuda, {}));
        QCOMPARE(fakes.cuda->uploads.load(), 1);
        m_chain.steps[0].parameters.set("sigma", 2.0);
    }

    void unsupportedStepAloneMoves() {
        for (const std::string id : {"gaussian_blur", "equalize", "grayscale"}) {
            FakeSet fakes(true);
            fakes.cuda->unsupported = id;
            Executor executor(fakes.set(), kFallbackBudget);
            for (int round = 0; round < 2; ++round) {
                const auto result = executor.run(request(BackendChoice::Cuda), {});
                QVERIFY(result);
                QCOMPARE(test::firstDifference(truth(), result->image), std::string());
                for (std::size_t i = 0; i < 3; ++i) {
                    const bool moved = m_chain.steps[i].operation == id;
                    QCOMPARE(result->steps[i].backend,
                             moved ? BackendKind::Cpu : BackendKind::Cuda);
                    QCOMPARE(result->steps[i].fallbackReason,
                             moved ? id + " has no fake kernel" : std::string());
                }
            }
            QCOMPARE(fakes.cpu->runs.load(), 1);
            QCOMPARE(fakes.cuda->runs.load(), 2);
        }
    }

    void unsupportedHistogramIsCountedOnTheCpu() {
        FakeSet fakes(true);
        fakes.cuda->unsupported = "histogram";
        Executor executor(fakes.set(), kFallbackBudget);
        QVERIFY(executor.histogram(m_photo, BackendChoice::Cuda, {}));
        QCOMPARE(fakes.cpu->runs.load(), 1);
    }

    void outOfMemoryOnceIsRetried() {
        FakeSet fakes(true);
        fakes.cuda->failure = {2, kNoMemory, false};
        Executor executor(fakes.set(), kFallbackBudget);
        const auto result = executor.run(request(BackendChoice::Cuda), {});
        QVERIFY(result);
        QCOMPARE(fakes.cuda->trims, 1);
        for (const StepReport& step : result->steps) {
            QCOMPARE(step.backend, BackendKind::Cuda);
            QCOMPARE(step.fallbackReason, std::string());
        }
        QCOMPARE(test::firstDifference(truth(), result->image), std::string());
    }

    void outOfMemoryTwiceFallsBackForThisJobOnly() {
        FakeSet fakes(true);
        fakes.cuda->failure = {1, kNoMemory, true};
        Executor executor(fakes.set(), kFallbackBudget);
        const auto result = executor.run(request(BackendChoice::Cuda), {});
        QVERIFY(result);
        // Once before the second try, once before bands.
        QCOMPARE(fakes.cuda->trims, 2);
        for (const StepReport& step : result->steps) {
            QCOMPARE(step.backend, BackendKind::Cpu);
            QVERIFY(QString::fromStdString(step.fallbackReason).contains("12 MiB"));
            QVERIFY(!QString::fromStdString(step.fallbackReason).contains("restart"));
        }
        QCOMPARE(test::firstDifference(truth(), result->image), std::string());
        fakes.cuda->failure.reset();
        QCOMPARE(executor.run(request(BackendChoice::Cuda), {})->steps[0].backend,
                 BackendKind::Cuda);
    }

    // The whole walk, at every call that there is.
    void faultAtEveryCall() {
        const Image expected = truth();
        int calls = 0;
        {
            FakeSet fakes(true);
            Executor executor(fakes.set(), kFallbackBudget);
            QVERIFY(executor.run(request(BackendChoice::Auto), {}));
            calls = fakes.cuda->calls;
            QVERIFY(calls >= 5);
        }
        for (int n = 0; n < calls; ++n) {
            FakeSet fakes(true);
            fakes.cuda->failure = {n, kFault, true};
            Executor executor(fakes.set(), kFallbackBudget);
            for (int round = 0; round < 2; ++round) {
                const auto result = executor.run(request(BackendChoice::Auto), {});
                QVERIFY(result);
                QCOMPARE(test::firstDifference(expected, result->image), std::string());
                for (const StepReport& step : result->steps) {
                    QCOMPARE(step.backend, BackendKind::Cpu);
                    const auto reason = QString::fromStdString(step.fallbackReason);
                    QVERIFY2(reason.contains("illegal address"), qPrintable(reason));
                    QVERIFY2(reason.endsWith("restart to use the GPU again"), qPrintable(reason));
                }
            }
            // Not asked again, neither for images nor for counts.
            QCOMPARE(fakes.cuda->calls, n + 1);
            QVERIFY(executor.histogram(m_photo, BackendChoice::Auto, {}));
            QVERIFY(executor.stepInputs(request(BackendChoice::Cuda), {}));
            QCOMPARE(fakes.cuda->calls, n + 1);
        }
    }

    void faultWhileCounting() {
        FakeSet fakes(true);
        fakes.cuda->failure = {0, kFault, true};
        Executor executor(fakes.set(), kFallbackBudget);
        QVERIFY(executor.histogram(m_photo, BackendChoice::Cuda, {}));
        const auto result = executor.run(request(BackendChoice::Cuda), {});
        QCOMPARE(result->steps[0].backend, BackendKind::Cpu);
        QCOMPARE(fakes.cuda->calls, 1);
    }

    void countsSayWhereTheyWereMade() {
        const PlanPtr plan =
            planHistogram(ChannelSet::all(), m_photo.format(), m_photo.size()).value();
        FakeSet fakes(true);
        Executor executor(fakes.set(), kFallbackBudget);
        auto counted = executor.analyze(m_photo, plan, BackendChoice::Auto, {});
        QCOMPARE(counted->backend, BackendKind::Cuda);
        QCOMPARE(counted->fallbackReason, std::string());
        fakes.cuda->unsupported = "histogram";
        const auto fallen = executor.analyze(m_photo, plan, BackendChoice::Cuda, {});
        QCOMPARE(fallen->backend, BackendKind::Cpu);
        QCOMPARE(fallen->fallbackReason, std::string("histogram has no fake kernel"));
        QVERIFY(std::get<HistogramSet>(fallen->found).channels.front().bins ==
                std::get<HistogramSet>(counted->found).channels.front().bins);

        FakeSet none(false);
        Executor without(none.set(), kFallbackBudget);
        counted = without.analyze(m_photo, plan, BackendChoice::Cuda, {});
        QCOMPARE(counted->backend, BackendKind::Cpu);
        QCOMPARE(counted->fallbackReason, std::string("no NVIDIA driver is installed"));
        QCOMPARE(without.analyze(m_photo, plan, BackendChoice::CpuSingle, {})->backend,
                 BackendKind::CpuSingle);
    }

    // What came in is gone by then: nothing is tried again, and the first reason stays.
    void outOfMemoryAfterTheSourceWasGivenUp() {
        for (const bool named : {false, true}) {
            FakeSet fakes(false);
            Executor executor(fakes.set(), kFallbackBudget);
            ExecuteRequest request =
                requestFor(m_photo, chain({named ? "invert:name=first" : "invert", "box_mean",
                                           named ? "blend:with=source" : "invert"}));
            request.useCache = false;
            const Image expected = executor.run(request, {}).value().image;
            compareSamples(expected, executor.run(ExecuteRequest(request), {}).value().image,
                           "moved");
            fakes.cpu->runs = 0;
            fakes.cpu->duringRun = [&](int number) {
                if (number == 1) fakes.cpu->failure = {0, kNoMemory, true};
            };
            const auto result = executor.run(std::move(request), {});
            REQUIRE_FAILS(result, ErrorCode::OutOfMemory, kNoMemory.message);
            QCOMPARE(fakes.cpu->runs.load(), 2);
        }
    }

    void everyoneOutOfMemoryIsAnError() {
        FakeSet fakes(false);
        fakes.cpu->failure = {1, kNoMemory, true};
        Executor executor(fakes.set(), kFallbackBudget);
        const auto result = executor.run(request(BackendChoice::Cpu), {});
        QCOMPARE(result.error().code, ErrorCode::OutOfMemory);
        QVERIFY(result.error().message.starts_with("step 1, gaussian_blur: "));
    }

    void cancelledIsNoReasonToFallBack() {
        FakeSet fakes(true);
        std::stop_source stop;
        fakes.cuda->duringRun = [&](int) { stop.request_stop(); };
        Executor executor(fakes.set(), kFallbackBudget);
        const auto result = executor.run(request(BackendChoice::Cuda), {stop.get_token(), {}});
        QCOMPARE(result.error().code, ErrorCode::Cancelled);
        QCOMPARE(fakes.cpu->runs.load(), 0);
    }

    void deviceCacheHeedsWhatTheDeviceHas() {
        FakeSet fakes(true);
        fakes.cuda->available = 3 * m_photo.byteCount();
        Executor executor(fakes.set(), kFallbackBudget);
        for (int i = 1; i < 6; ++i) {
            m_chain.steps[0].parameters.set("sigma", double(i));
            QVERIFY(executor.run(request(BackendChoice::Cuda), {}));
        }
        m_chain.steps[0].parameters.set("sigma", 2.0);
        QVERIFY(executor.cachedBytes() > 0);
    }

    void spansFindTheirSteps() {
        const auto kernel = [](const char* label, double ms) {
            return Span{SpanKind::Kernel, label, 0, ms, 0};
        };
        const std::vector<RunRecord> runs = {{"a", 0}, {"b", 1}, {"b", 2}, {"c", 3}};
        const Span upload{SpanKind::Upload, "upload", 0, 9, 0};
        // One a run.
        QVERIFY((
            kernelMsOfRuns({upload, kernel("a", 1), kernel("b", 2), kernel("b", 3), kernel("c", 4)},
                           runs) == std::vector<double>{1, 2, 3, 4}));
        // Two a run for b.
        QVERIFY((kernelMsOfRuns({kernel("a", 1), kernel("b", 2), kernel("b", 3), kernel("b", 2),
                                 kernel("b", 3), kernel("c", 4)},
                                runs) == std::vector<double>{1, 5, 5, 4}));
        // None at all.
        QVERIFY((kernelMsOfRuns({}, runs) == std::vector<double>{0, 0, 0, 0}));
    }
};

WARPSCOPE_TEST(FallbackTest)
#include "fallback_test.moc"
