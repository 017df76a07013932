// What CudaBackend promises beside its pixels.
#include <set>

#include "cuda_kernels/runtime/span_recorder.h"
#include "gpu_support.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

class BackendTest : public QObject {
    Q_OBJECT

  private:
    std::unique_ptr<Backend> m_gpu;
    Image m_image;
    PlanPtr m_blur;

  private slots:
    void initTestCase() {
        REQUIRE_GPU();
        m_gpu = requireBackend();
        m_image = makePhotograph(PixelFormat::Rgba8, {640, 481});
        m_blur = planFor(*findOperation("gaussian_blur"), {{"sigma", "3"}}, m_image.format(),
                         m_image.size());
    }

    void describesItself() {
        QCOMPARE(m_gpu->info().kind, BackendKind::Cuda);
        QCOMPARE(m_gpu->info().device, queryCuda().devices.at(0).name);
        QVERIFY(m_gpu->memoryAvailable() > 0);
    }

    void choosesByUuid() {
        const CudaReport report = queryCuda();
        QVERIFY(makeCudaBackend({report.devices.at(0).uuid}).has_value());
        QCOMPARE(makeCudaBackend({"GPU-none"}).error().code, ErrorCode::NotFound);
    }

    void uploadAndDownloadKeepSamplesAndInfo() {
        for (const PixelFormat format : kAllPixelFormats) {
            for (const Size size : {Size{1, 1}, Size{17, 5}, Size{1, 4000}, Size{4001, 1031}}) {
                ImageInfo info;
                info.whiteLevel = 100;
                info.hasAlpha = true;
                info.sourceFormat = "PNG";
                info.notices = {"one"};
                const Image image =
                    misaligned(makeNoise(format, size, 1)).withInfo(std::move(info));
                const Image back = orThrow(m_gpu->download(orThrow(m_gpu->upload(image, {})), {}));
                REQUIRE_SAME(test::firstDifference(image, back));
                QCOMPARE(back.info().whiteLevel, 100.0);
                QCOMPARE(back.info().sourceFormat, std::string("PNG"));
                QCOMPARE(back.info().notices, std::vector<std::string>{"one"});
                QVERIFY(back.info().hasAlpha);
            }
        }
    }

    void infoFollowsFormat() {
        ImageInfo info;
        info.whiteLevel = 100;
        info.hasAlpha = true;
        const Image image = m_image.withInfo(info);
        const PlanPtr gray = planFor(*findOperation("grayscale"), {}, image.format(), image.size());
        const Image back = test::runOn(*m_gpu, *gray, image);
        QCOMPARE(back.format(), PixelFormat::Gray8);
        // Gray of samples up to 100 goes up to 100; what equalize makes fills the range.
        QCOMPARE(back.info().whiteLevel, 100.0);
        QVERIFY(!back.info().hasAlpha);
        const PlanPtr equalize =
            planFor(*findOperation("equalize"), {}, image.format(), image.size());
        QCOMPARE(test::runOn(*m_gpu, *equalize, image).info().whiteLevel, 255.0);
        QCOMPARE(test::runOn(*m_gpu, *m_blur, image).info().whiteLevel, 100.0);
    }

    void refusesWhatIsNotItsOwn() {
        auto cpu = makeCpuBackend(Threading::Single);
        auto other = requireBackend();
        for (Backend* stranger : {cpu.get(), other.get()}) {
            const BufferPtr foreign = orThrow(stranger->upload(m_image, {}));
            QCOMPARE(m_gpu->run(*m_blur, foreign, {}).error().code, ErrorCode::Internal);
            QCOMPARE(m_gpu->download(foreign, {}).error().code, ErrorCode::Internal);
        }
        QCOMPARE(m_gpu->run(*m_blur, nullptr, {}).error().code, ErrorCode::Internal);
        QCOMPARE(m_gpu->upload({}, {}).error().code, ErrorCode::InvalidArgument);
        const BufferPtr small = orThrow(m_gpu->upload(makeNoise(m_image.format(), {5, 5}, 1), {}));
        QCOMPARE(m_gpu->run(*m_blur, small, {}).error().code, ErrorCode::Internal);
        const PlanPtr sums = orThrow(planHistogram({}, PixelFormat::GrayF32, {5, 5}));
        QCOMPARE(m_gpu->supports(*sums).error().code, ErrorCode::Unsupported);
        QVERIFY(m_gpu->supports(*m_blur).has_value());
    }

    void stopsBeforeWork() {
        const BufferPtr input = orThrow(m_gpu->upload(m_image, {}));
        std::stop_source stop;
        stop.request_stop();
        RunContext context;
        context.stop = stop.get_token();
        QCOMPARE(m_gpu->upload(m_image, context).error().code, ErrorCode::Cancelled);
        QCOMPARE(m_gpu->run(*m_blur, input, context).error().code, ErrorCode::Cancelled);
        QCOMPARE(m_gpu->download(input, context).error().code, ErrorCode::Cancelled);
        const PlanPtr counts = orThrow(planHistogram({}, m_image.format(), m_image.size()));
        QCOMPARE(m_gpu->analyze(*counts, input, context).error().code, ErrorCode::Cancelled);
        QVERIFY(sameSamples(orThrow(m_gpu->download(input, {})), m_image));
    }

    // Stopped by its own progress in the middle of a copy of many chunks.
    void stopsBetweenChunks() {
        const Image large = makeNoise(PixelFormat::Rgba8, {4096, 4096}, 3);
        std::stop_source stop;
        int chunks = 0;
        RunContext context;
        context.stop = stop.get_token();
        context.progress = [&](double done) {
            QVERIFY(done > 0 && done <= 1);
            if (++chunks == 3) stop.request_stop();
        };
        QCOMPARE(m_gpu->upload(large, context).error().code, ErrorCode::Cancelled);
        QCOMPARE(chunks, 3);
        QVERIFY(
            sameSamples(orThrow(m_gpu->download(orThrow(m_gpu->upload(large, {})), {})), large));
    }

    void spansAreRecordedOnlyWhenOn() {
        m_gpu->setRecording(Recording::Off);
        static_cast<void>(test::runOn(*m_gpu, *m_blur, m_image));
        QVERIFY(orThrow(m_gpu->takeSpans()).empty());

        m_gpu->setRecording(Recording::Operations);
        static_cast<void>(test::runOn(*m_gpu, *m_blur, m_image));
        const std::vector<Span> spans = orThrow(m_gpu->takeSpans());
        QCOMPARE(spans.size(), std::size_t(3));
        QCOMPARE(spans[0].kind, SpanKind::Upload);
        QCOMPARE(spans[1].kind, SpanKind::Kernel);
        QCOMPARE(spans[2].kind, SpanKind::Download);
        QCOMPARE(spans[1].label, std::string("gaussian_blur"));
        QCOMPARE(spans[0].bytes, m_image.byteCount());
        QCOMPARE(spans[2].bytes, m_image.byteCount());
        QCOMPARE(spans[0].startMs, 0.0);
        for (const Span& span : spans) QVERIFY(span.ms > 0 && span.kernels.empty());
        QVERIFY(spans[1].startMs > 0 && spans[2].startMs > spans[1].startMs);
        QVERIFY(orThrow(m_gpu->takeSpans()).empty());
        m_gpu->setRecording(Recording::Off);
    }

    // Returns the span of the plan's run, with its kernels, which must be in order and within it,
    // and checks that the result is the one without recording.
    Span recordedKernels(const Plan& plan, const Image& image) {
        m_gpu->setRecording(Recording::Off);
        const Image expected = test::runOn(*m_gpu, plan, image);
        m_gpu->setRecording(Recording::Kernels);
        const Image result = test::runOn(*m_gpu, plan, image);
        const std::vector<Span> spans = orThrow(m_gpu->takeSpans());
        m_gpu->setRecording(Recording::Off);
        if (!sameSamples(result, expected)) throw std::runtime_error("recording changes samples");
        if (spans.size() != 3 || spans[1].kind != SpanKind::Kernel || !spans[0].kernels.empty() ||
            !spans[2].kernels.empty())
            throw std::runtime_error("not upload, run and download");
        const Span& run = spans[1];
        // Event times are multiples of half a microsecond.
        constexpr double kSlackMs = 0.005;
        double end = run.startMs;
        for (const KernelLaunches& kernel : run.kernels) {
            if (kernel.launches < 1 || kernel.ms < 0 || kernel.startMs < end - kSlackMs)
                throw std::runtime_error(kernel.name + " is out of order");
            end = kernel.startMs + kernel.ms;
        }
        if (end > run.startMs + run.ms + kSlackMs)
            throw std::runtime_error("kernels end after their operation");
        return run;
    }

    void kernelsAreToldApart() {
        const PlanPtr equalize =
            planFor(*findOperation("equalize"), {}, m_image.format(), m_image.size());
        const Span run = recordedKernels(*equalize, m_image);
        QCOMPARE(run.label, std::string("equalize"));
        QVERIFY(run.kernels.size() >= 2);
        std::set<std::string> names;
        for (std::size_t i = 0; i < run.kernels.size(); ++i) {
            QVERIFY(!run.kernels[i].name.empty());
            if (i > 0) QVERIFY(run.kernels[i].name != run.kernels[i - 1].name);
            names.insert(run.kernels[i].name);
        }
        QVERIFY(names.size() >= 2);

        // Counting has kernels too.
        m_gpu->setRecording(Recording::Kernels);
        const PlanPtr counts = orThrow(planHistogram({}, m_image.format(), m_image.size()));
        static_cast<void>(countOn(*m_gpu, *counts, m_image));
        const std::vector<Span> spans = orThrow(m_gpu->takeSpans());
        m_gpu->setRecording(Recording::Off);
        QCOMPARE(spans.size(), std::size_t(3));
        QVERIFY(!spans[1].kernels.empty());
    }

    // A published variant launches three kernels for each of 441 offsets: more than are told apart.
    void thousandsOfLaunchesAreBounded() {
        // Rows without padding, which would be copied along and never read, and of which
        // initcheck would speak.
        const Image image = makePhotograph(PixelFormat::Gray8, {128, 80});
        const Operation& operation = *findOperation("nl_means");
        std::size_t bounded = 0;
        for (const VariantSpec& variant : operation.description().variants) {
            const auto parameters = resolveParameters(operation.description().parameters, {});
            const PlanPtr plan = orThrow(
                operation.plan({orThrow(parameters), variant.id, image.format(), image.size()}));
            const Span run = recordedKernels(*plan, image);
            const cuda::LiveResources first = cuda::liveResources();
            QVERIFY(!run.kernels.empty());
            QVERIFY(run.kernels.size() <= cuda::SpanRecorder::kMostKernels + 1);
            // Only the last one may stand for the rest.
            for (std::size_t i = 0; i + 1 < run.kernels.size(); ++i)
                QVERIFY(!run.kernels[i].name.empty());
            if (run.kernels.back().name.empty()) {
                ++bounded;
                QCOMPARE(run.kernels.size(), cuda::SpanRecorder::kMostKernels + 1);
                QVERIFY(run.kernels.back().launches > 1000);
            }
            // Events are used again.
            const Span again = recordedKernels(*plan, image);
            QCOMPARE(again.kernels.size(), run.kernels.size());
            QCOMPARE(again.kernels.back().launches, run.kernels.back().launches);
            QCOMPARE(cuda::liveResources().events, first.events);
        }
        QVERIFY(bounded > 0);
    }

    void buffersOutliveTheirBackend() {
        BufferPtr kept;
        {
            auto backend = requireBackend();
            kept = orThrow(backend->run(*m_blur, orThrow(backend->upload(m_image, {})), {}));
        }
        QCOMPARE(kept->size(), m_image.size());
        QVERIFY(kept->byteCount() >= m_image.byteCount());
        kept.reset();
    }
};

WARPSCOPE_TEST(BackendTest)
#include "backend_test.moc"
