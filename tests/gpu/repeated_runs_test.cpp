// Many runs between two events: every operation on a real device, as a graph or one by one, with
// the backend as good after it as before.
#include "cuda_kernels/runtime/cuda_api.h"
#include "cuda_kernels/runtime/resources.h"
#include "engine/measure/timing.h"
#include "gpu_support.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

class RepeatedRunsTest : public QObject {
    Q_OBJECT

    static PlanPtr planFor(const Operation& operation, const std::string& variant, Size size,
                           PixelFormat format) {
        return orThrow(
            operation.plan({operation.description().exampleParameters(), variant, format, size}));
    }

  private slots:
    void initTestCase() { REQUIRE_GPU(); }

    void everyOperation_data() {
        QTest::addColumn<const Operation*>("operation");
        QTest::addColumn<std::string>("variant");
        for (const Operation* operation : allOperations())
            for (const VariantSpec& variant : operation->description().variants)
                QTest::addRow("%s %s", operation->description().id.c_str(), variant.id.c_str())
                    << operation << variant.id;
    }
    void everyOperation() {
        QFETCH(const Operation*, operation);
        QFETCH(std::string, variant);
        const auto backend = requireBackend();
        const Size size{256, 200};
        const PlanPtr plan = planFor(*operation, variant, size, PixelFormat::Rgba8);
        const Image image = makePhotograph(PixelFormat::Rgba8, size);
        const bool analysis = operation->description().kind == OperationKind::Analysis;
        if (analysis && !backend->supports(*plan)) QSKIP("found by the CPU alone");
        const std::vector<StepBuffers> inputs(3, uploaded(*backend, *plan, image));
        const auto found = [&] { return orThrow(backend->analyze(*plan, inputs[0], {})); };
        const auto made = [&] { return contentHash(runOn(*backend, *plan, image)); };
        std::optional<AnalysisResult> foundBefore;
        if (analysis) foundBefore = found();
        const std::uint64_t madeBefore = analysis ? 0 : made();
        orThrow(backend->timeRepeated(*plan, inputs, 0, 10, {}));
        const cuda::LiveResources held = cuda::liveResources();
        for (int i = 0; i < 3; ++i) {
            const RepeatedRuns repeated =
                orThrow(backend->timeRepeated(*plan, inputs, std::size_t(i), 20, {}));
            QVERIFY(repeated.msPerRun > 0);
            QVERIFY(repeated.msPerRun < 1000);
            if (i == 0)
                qInfo("%s: %.4f ms a run, %s", QTest::currentDataTag(), repeated.msPerRun,
                      repeated.graph ? "graph" : "one by one");
        }
        QVERIFY(cuda::liveResources() == held);
        if (analysis)
            QCOMPARE(compareAnalyses(*foundBefore, found()).verdict, Verdict::Identical);
        else
            QCOMPARE(made(), madeBefore);
    }

    // Ten times the runs take about ten times as long: the figure is of the work and not of the
    // events. Wide limits, because clocks change.
    void figureIsPerRun() {
        const auto backend = requireBackend();
        const Size size{512, 512};
        const PlanPtr plan =
            planFor(*findOperation("gaussian_blur"), "automatic", size, PixelFormat::Gray8);
        const std::vector<StepBuffers> inputs = {
            orThrow(backend->upload(makePhotograph(PixelFormat::Gray8, size), {}))};
        orThrow(backend->timeRepeated(*plan, inputs, 0, 200, {}));
        const double few = orThrow(backend->timeRepeated(*plan, inputs, 0, 50, {})).msPerRun;
        const double many = orThrow(backend->timeRepeated(*plan, inputs, 0, 500, {})).msPerRun;
        QVERIFY2(many < 2 * few && few < 2 * many,
                 qPrintable(QString("%1 and %2 ms").arg(few).arg(many)));
    }

    void stoppedAndRefused() {
        const auto backend = requireBackend();
        const Size size{64, 64};
        const PlanPtr plan =
            planFor(*findOperation("median"), "automatic", size, PixelFormat::Gray8);
        const Image image = makePhotograph(PixelFormat::Gray8, size);
        const std::vector<StepBuffers> inputs = {orThrow(backend->upload(image, {}))};
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = backend->timeRepeated(*plan, inputs, 0, 10, {stop.get_token(), {}});
        QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
        QVERIFY(!backend->timeRepeated(*plan, {}, 0, 10, {}));
        const auto foreign = makeCpuBackend(Threading::Single);
        QVERIFY(!backend->timeRepeated(*plan, {orThrow(foreign->upload(image, {}))}, 0, 10, {}));
        runOn(*backend, *plan, image);  // goes on
    }

    // Rows of a benchmark take turns: what a step keeps on the device for its next runs has been
    // replaced by other steps' when its turn comes again.
    void othersRunInBetween() {
        const auto backend = requireBackend();
        const Size size{512, 300};
        const Image image = makePhotograph(PixelFormat::Gray8, size);
        const std::vector<StepBuffers> inputs = {orThrow(backend->upload(image, {}))};
        const Operation& levels = *findOperation("levels");
        const auto planOf = [&](double gamma) {
            ParamSet given = levels.description().exampleParameters();
            given.set("gamma", gamma);
            return orThrow(levels.plan({given, "automatic", PixelFormat::Gray8, size}));
        };
        const PlanPtr plan = planOf(2.0);
        const std::uint64_t before = contentHash(runOn(*backend, *plan, image));
        for (int round = 0; round < 3; ++round) {
            for (int i = 1; i <= 20; ++i) runOn(*backend, *planOf(2.0 + 0.1 * i), image);
            const auto repeated = orThrow(backend->timeRepeated(*plan, inputs, 0, 10, {}));
            QVERIFY(repeated.graph);
            QCOMPARE(contentHash(runOn(*backend, *plan, image)), before);
        }
        const auto cpu = makeCpuBackend(Threading::Single);
        QCOMPARE(contentHash(runOn(*cpu, *plan, image)), before);
    }

    // What breaks a graph does not break the run: it is repeated without one, and the device stays.
    void brokenGraphsAreReplaced_data() {
        QTest::addColumn<QString>("call");
        QTest::addColumn<int>("code");
        for (const char* call :
             {"cudaStreamBeginCapture", "cudaStreamEndCapture", "cudaGraphInstantiate"})
            for (int code = cudaErrorStreamCaptureUnsupported;
                 code <= cudaErrorStreamCaptureWrongThread; ++code)
                QTest::addRow("%s %d", call, code) << call << code;
    }
    void brokenGraphsAreReplaced() {
        QFETCH(QString, call);
        QFETCH(int, code);
        const auto backend = requireBackend();
        const Size size{64, 64};
        const PlanPtr plan =
            planFor(*findOperation("median"), "automatic", size, PixelFormat::Gray8);
        const Image image = makePhotograph(PixelFormat::Gray8, size);
        const std::uint64_t before = contentHash(runOn(*backend, *plan, image));
        const std::vector<StepBuffers> inputs = {orThrow(backend->upload(image, {}))};
        int failed = 0;
        cuda::setCallHook([&](const cuda::CallSite& site) {
            if (!std::string_view(site.call).starts_with(call.toStdString())) return cudaSuccess;
            ++failed;
            return cudaError_t(code);
        });
        const auto repeated = backend->timeRepeated(*plan, inputs, 0, 10, {});
        cuda::setCallHook({});
        QCOMPARE(failed, 1);
        REQUIRE_OK(repeated);
        QVERIFY(!repeated->graph && repeated->msPerRun > 0);
        QCOMPARE(contentHash(runOn(*backend, *plan, image)), before);
        QVERIFY(orThrow(backend->timeRepeated(*plan, inputs, 0, 10, {})).graph);
    }

    void copies() {
        const auto backend = requireBackend();
        QVERIFY(backend->cacheBytes() > 0);
        const auto times = orThrow(backend->copyMs(64u << 20, 5, {}));
        QCOMPARE(times.size(), std::size_t(5));
        for (const double ms : times) QVERIFY(ms > 0);
        const double median = summarizeSamples(times).medianMs;
        qInfo("%.0f GB/s read and written", 2 * double(64u << 20) / (median * 1e6));
    }

    void shortKernelsSayTheirMethod() {
        const auto backend = requireBackend();
        MeasureRequest request;
        request.plan =
            planFor(*findOperation("median"), "automatic", {256, 256}, PixelFormat::Gray8);
        request.input = makePhotograph(PixelFormat::Gray8, {256, 256});
        for (const bool cold : {false, true}) {
            request.cold = cold;
            const auto measured = orThrow(measureStep(*backend, request, {}));
            const StepTiming& timing = measured.timing;
            qInfo("%s: %.4f ms, %s of %d, %d inputs", cold ? "cold" : "warm", timing.time.medianMs,
                  timing.method.c_str(), timing.launches, timing.inputs);
            QVERIFY(timing.method == "graph" || timing.method == "repeated" ||
                    timing.time.medianMs >= kCoarseKernelMs);
            QCOMPARE(timing.inputs > 1, cold);
        }
    }
};

WARPSCOPE_TEST(RepeatedRunsTest)
#include "repeated_runs_test.moc"
