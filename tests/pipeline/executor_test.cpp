// What the executor decides: what is computed again, what is said, what is cancelled.
#include <limits>
#include <thread>

#include "engine/pipeline/executor.h"
#include "pipeline/chains.h"
#include "pipeline/fake_backend.h"
#include "support/images.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

constexpr std::uint64_t kBudget = 256u << 20;

ExecuteRequest requestFor(const Image& image, Pipeline pipeline,
                          BackendChoice backend = BackendChoice::Cpu) {
    ExecuteRequest request;
    request.source = image;
    request.pipeline = std::move(pipeline);
    request.backend = backend;
    return request;
}

// The chain without executor or cache: each step's own body, one after the other.
Image truth(const Image& image, const Pipeline& pipeline) {
    const auto backend = makeCpuBackend(Threading::Single);
    BufferPtr buffer = *backend->upload(image, {});
    for (const Step& step : pipeline.steps) {
        if (!step.enabled) continue;
        const auto plan =
            findOperation(step.operation)
                ->plan({step.parameters, step.variant, buffer->format(), buffer->size()});
        buffer = *backend->run(**plan, buffer, {});
    }
    return *backend->download(buffer, {});
}

Image withAlpha(const Image& image, bool hasAlpha) {
    ImageInfo info = image.info();
    info.hasAlpha = hasAlpha;
    return image.withInfo(info);
}

}  // namespace

class ExecutorTest : public QObject {
    Q_OBJECT

    Image m_photo = test::makePhotograph(PixelFormat::Rgba8, {67, 41});

  private slots:
    void runsTheChain() {
        const Pipeline pipeline = chain({"gaussian_blur:sigma=2", "equalize", "grayscale"});
        for (const auto choice :
             {BackendChoice::Auto, BackendChoice::Cpu, BackendChoice::CpuSingle}) {
            Executor executor(BackendSet::cpuOnly("no GPU here"), kBudget);
            const auto result = executor.run(requestFor(m_photo, pipeline, choice), {});
            QVERIFY(result);
            QCOMPARE(test::firstDifference(truth(m_photo, pipeline), result->image), std::string());
            QCOMPARE(result->steps.size(), std::size_t(3));
            for (std::size_t i = 0; i < 3; ++i) {
                QCOMPARE(result->steps[i].stepIndex, i);
                QCOMPARE(result->steps[i].fallbackReason, std::string());
                QVERIFY(!result->steps[i].fromCache);
            }
            QVERIFY(result->steps[2].output == PixelFormat::Gray8);
            QVERIFY(result->totalMs > 0);
        }
    }

    void nothingToDoGivesTheSource() {
        Executor executor(BackendSet::cpuOnly(""), kBudget);
        QCOMPARE(executor.run(requestFor(m_photo, {}), {})->image.id(), m_photo.id());
        Pipeline off = chain({"gaussian_blur"});
        off.steps[0].enabled = false;
        const auto result = executor.run(requestFor(m_photo, off), {});
        QCOMPARE(result->image.id(), m_photo.id());
        QVERIFY(result->steps.empty());
        QVERIFY(!executor.run(requestFor({}, {}), {}));
    }

    void lastSliderRerunsTheLastStepOnly() {
        FakeSet fakes(false);
        Executor executor(fakes.set(), kBudget);
        QVERIFY(executor.run(
            requestFor(m_photo, chain({"gaussian_blur:sigma=2", "equalize", "grayscale"})), {}));
        QCOMPARE(fakes.cpu->runs.load(), 3);
        const Pipeline changed =
            chain({"gaussian_blur:sigma=2", "equalize", "grayscale:method=average"});
        const auto result = executor.run(requestFor(m_photo, changed), {});
        QCOMPARE(fakes.cpu->runs.load(), 4);
        QCOMPARE(fakes.cpu->operations.back(), std::string("grayscale"));
        QVERIFY(result->steps[0].fromCache && result->steps[1].fromCache);
        QVERIFY(!result->steps[2].fromCache);
        QCOMPARE(test::firstDifference(truth(m_photo, changed), result->image), std::string());

        // The first slider reruns everything; going back reruns nothing.
        const Pipeline first = chain({"gaussian_blur:sigma=3", "equalize", "grayscale"});
        QVERIFY(executor.run(requestFor(m_photo, first), {}));
        QCOMPARE(fakes.cpu->runs.load(), 7);
        QVERIFY(executor.run(requestFor(m_photo, changed), {}));
        QCOMPARE(fakes.cpu->runs.load(), 7);
    }

    void disabledStepsDoNotSpoilTheCache() {
        FakeSet fakes(false);
        Executor executor(fakes.set(), kBudget);
        Pipeline pipeline = chain({"grayscale", "gaussian_blur:sigma=2"});
        QVERIFY(executor.run(requestFor(m_photo, pipeline), {}));
        pipeline.steps.insert(pipeline.steps.begin(), *makeStep("equalize"));
        pipeline.steps[0].enabled = false;
        const auto result = executor.run(requestFor(m_photo, pipeline), {});
        QCOMPARE(fakes.cpu->runs.load(), 2);
        QCOMPARE(result->steps.size(), std::size_t(2));
        QCOMPARE(result->steps[0].stepIndex, std::size_t(1));
        QCOMPARE(result->steps[1].stepIndex, std::size_t(2));
    }

    void whatMakesAKeyDifferent() {
        FakeSet fakes(false);
        Executor executor(fakes.set(), kBudget);
        ExecuteRequest request = requestFor(m_photo, chain({"gaussian_blur:sigma=2"}));
        QVERIFY(executor.run(request, {}));
        const auto runsMore = [&](const ExecuteRequest& changed, FakeBackend& backend) {
            const int before = backend.runs;
            return executor.run(changed, {}).has_value() && backend.runs == before + 1;
        };
        ExecuteRequest other = request;
        other.source = test::makePhotograph(PixelFormat::Rgba8, {67, 41});
        QVERIFY(runsMore(other, *fakes.cpu));
        other = request;
        other.place = Placement::reducedCopy({67, 41}, {134, 82}, 0.5);
        QVERIFY(runsMore(other, *fakes.cpu));
        other = request;
        other.backend = BackendChoice::CpuSingle;
        QVERIFY(runsMore(other, *fakes.cpuSingle));
        other = request;
        other.useCache = false;
        QVERIFY(runsMore(other, *fakes.cpu));
        QVERIFY(!runsMore(request, *fakes.cpu));
        executor.forgetImage(m_photo.id());
        QVERIFY(runsMore(request, *fakes.cpu));
        executor.clearCache();
        QCOMPARE(executor.cachedBytes(), std::uint64_t(0));
        QVERIFY(runsMore(request, *fakes.cpu));
    }

    void cacheStaysInItsBudget() {
        FakeSet fakes(false);
        const std::uint64_t one = *storageBytes(m_photo.format(), m_photo.size());
        Executor executor(fakes.set(), 2 * one + one / 2);
        for (int i = 1; i <= 8; ++i) {
            const std::string blur = "gaussian_blur:sigma=" + std::to_string(i);
            QVERIFY(executor.run(requestFor(m_photo, chain({blur, "equalize"})), {}));
            QVERIFY(executor.cachedBytes() <= 2 * one + one / 2);
            QVERIFY(executor.cachedBytes() > 0);
        }
        executor.setMemoryBudget(one);
        QVERIFY(executor.cachedBytes() <= one);
        executor.setMemoryBudget(0);
        QCOMPARE(executor.cachedBytes(), std::uint64_t(0));
        const auto result = executor.run(requestFor(m_photo, chain({"grayscale"})), {});
        QVERIFY(result);
        QCOMPARE(executor.cachedBytes(), std::uint64_t(0));
    }

    void draggingDoesNotPileUpOutputs() {
        FakeSet fakes(false);
        Executor executor(fakes.set(), kBudget);
        const std::uint64_t one = *storageBytes(m_photo.format(), m_photo.size());
        for (int i = 0; i < 40; ++i) {
            const std::string blur = "gaussian_blur:sigma=" + std::to_string(1 + i * 0.1);
            QVERIFY(executor.run(requestFor(m_photo, chain({"equalize", blur})), {}));
        }
        QVERIFY(executor.cachedBytes() <= 6 * one);
        QCOMPARE(fakes.cpu->runs.load(), 41);
    }

    void floatsStayFloats() {
        Executor executor(BackendSet::cpuOnly(""), kBudget);
        const Image deep = test::makePhotograph(PixelFormat::RgbaF32, {33, 17});
        const Pipeline pipeline = chain({"equalize", "gaussian_blur:sigma=1", "grayscale"});
        for (int round = 0; round < 2; ++round) {  // the second one from the cache
            const auto result = executor.run(requestFor(deep, pipeline), {});
            QVERIFY(result);
            QCOMPARE(result->image.format(), PixelFormat::GrayF32);
            QVERIFY(result->steps[0].notices.empty() && result->steps[1].notices.empty());
            QCOMPARE(result->steps[0].fromCache, round == 1);
        }
        const auto inputs = executor.stepInputs(requestFor(deep, pipeline), {});
        QVERIFY(inputs);
        QCOMPARE(inputs->front().image.format(), PixelFormat::RgbaF32);
        QCOMPARE(inputs->back().plan->output, PixelFormat::GrayF32);
    }

    // What a step has no code for is refused by name, not converted.
    void otherSampleTypesAreRefused() {
        Executor executor(BackendSet::cpuOnly(""), kBudget);
        const Image deep = test::makePhotograph(PixelFormat::GrayF32, {33, 17});
        const auto refused =
            executor.run(requestFor(deep, chain({"gaussian_blur:sigma=1", "integral_image"})), {});
        REQUIRE_FAILS(refused, ErrorCode::Unsupported, "step 2, integral_image");
        QVERIFY(refused.error().message.find("float gray") != std::string::npos);
        QCOMPARE(executor.failedStep(), std::optional<std::size_t>(1));
    }

    void sixteenBitsStaySixteenBits() {
        Executor executor(BackendSet::cpuOnly(""), kBudget);
        const Image deep = test::makePhotograph(PixelFormat::Rgba16, {33, 17});
        const auto result = executor.run(
            requestFor(deep, chain({"equalize", "gaussian_blur:sigma=1", "grayscale"})), {});
        QVERIFY(result);
        QCOMPARE(result->image.format(), PixelFormat::Gray16);
        QVERIFY(result->steps[0].notices.empty() && result->steps[1].notices.empty());
    }

    void noticesSurviveAskingForInputsFirst() {
        Executor executor(BackendSet::cpuOnly(""), kBudget);
        const Image seeThrough = withAlpha(test::makePhotograph(PixelFormat::Rgba8, {9, 9}), true);
        const auto request = requestFor(seeThrough, chain({"grayscale", "gaussian_blur"}));
        QVERIFY(executor.stepInputs(request, {}));
        QCOMPARE(executor.run(request, {})->steps[0].notices.size(), std::size_t(1));
    }

    void droppedAlphaIsSaidOnce() {
        Executor executor(BackendSet::cpuOnly(""), kBudget);
        const Pipeline pipeline = chain({"gaussian_blur", "grayscale", "grayscale"});
        const Image seeThrough =
            withAlpha(test::makePhotograph(PixelFormat::Rgba8, {19, 11}), true);
        const Image noAlpha = withAlpha(test::makePhotograph(PixelFormat::Rgba8, {19, 11}), false);
        const auto result = executor.run(requestFor(seeThrough, pipeline), {});
        QVERIFY(result->steps[0].notices.empty());
        QCOMPARE(result->steps[1].notices, std::vector<std::string>{"alpha dropped"});
        QVERIFY(result->steps[2].notices.empty());
        const auto opaque = executor.run(requestFor(noAlpha, pipeline), {});
        QVERIFY(opaque->steps[1].notices.empty());
    }

    void impossibleStepIsNamed() {
        Executor executor(BackendSet::cpuOnly(""), kBudget);
        Pipeline pipeline = chain({"grayscale", "gaussian_blur"});
        pipeline.steps[1].variant = "none such";
        const auto result = executor.run(requestFor(m_photo, pipeline), {});
        QVERIFY(!result);
        QVERIFY(result.error().message.starts_with("step 2, gaussian_blur: "));
    }

    void cancellation() {
        FakeSet fakes(false);
        Executor executor(fakes.set(), kBudget);
        const auto request =
            requestFor(m_photo, chain({"gaussian_blur:sigma=2", "equalize", "grayscale"}));
        std::stop_source before;
        before.request_stop();
        QCOMPARE(executor.run(request, {before.get_token(), {}}).error().code,
                 ErrorCode::Cancelled);
        QCOMPARE(fakes.cpu->runs.load(), 0);

        // In the middle: the steps that were done stay done.
        std::stop_source during;
        fakes.cpu->duringRun = [&](int run) {
            if (run == 1) during.request_stop();
        };
        QCOMPARE(executor.run(request, {during.get_token(), {}}).error().code,
                 ErrorCode::Cancelled);
        QCOMPARE(fakes.cpu->runs.load(), 2);
        fakes.cpu->duringRun = nullptr;
        QVERIFY(executor.run(request, {}));
        QCOMPARE(fakes.cpu->runs.load(), 4);
        QCOMPARE(
            executor.histogram(m_photo, BackendChoice::Cpu, {before.get_token(), {}}).error().code,
            ErrorCode::Cancelled);
    }

    void cancelledFromAnotherThread() {
        const Image large = test::makeNoise(PixelFormat::Rgba8, {1500, 1500}, 3);
        Executor executor(BackendSet::cpuOnly(""), kBudget);
        std::stop_source stop;
        std::jthread other([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            stop.request_stop();
        });
        const Stopwatch watch;
        Pipeline endless;
        for (int i = 0; i < 200; ++i)
            endless.steps.push_back(chain({"gaussian_blur:sigma=40"}).steps[0]);
        const auto result = executor.run(requestFor(large, endless), {stop.get_token(), {}});
        QCOMPARE(result.error().code, ErrorCode::Cancelled);
        QVERIFY2(watch.elapsedMs() < 1000 * kSlowdown, "one row band, not one chain");
    }

    void progressRises() {
        Executor executor(BackendSet::cpuOnly(""), kBudget);
        std::atomic<double> last = 0;
        std::atomic<bool> outside = false;
        RunContext context;
        context.progress = [&](double fraction) {
            if (fraction < 0 || fraction > 1) outside = true;
            last = fraction;
        };
        QVERIFY(executor.run(requestFor(m_photo, chain({"gaussian_blur", "equalize"})), context));
        QVERIFY(!outside);
        QCOMPARE(last.load(), 1.0);
    }

    void inputsOfSteps() {
        Executor executor(BackendSet::cpuOnly(""), kBudget);
        Pipeline pipeline =
            chain({"gaussian_blur:sigma=2", "grayscale", "equalize", "gaussian_blur:sigma=3"});
        pipeline.steps[2].enabled = false;
        const auto inputs = executor.stepInputs(requestFor(m_photo, pipeline), {});
        QVERIFY(inputs);
        QCOMPARE(inputs->size(), std::size_t(3));
        Pipeline before;
        for (const StepInput& input : *inputs) {
            QCOMPARE(test::firstDifference(truth(m_photo, before), input.image), std::string());
            QCOMPARE(input.plan->input, input.image.format());
            QVERIFY(input.plan->size == input.image.size());
            before.steps.assign(pipeline.steps.begin(),
                                pipeline.steps.begin() + std::ptrdiff_t(input.stepIndex) + 1);
        }
        QCOMPARE((*inputs)[2].stepIndex, std::size_t(3));
        QCOMPARE((*inputs)[2].parameters.real("sigma"), 3.0);
    }

    void draftsUseTheWholeImage() {
        Executor executor(BackendSet::cpuOnly(""), kBudget);
        const Pipeline pipeline = chain({"gaussian_blur:sigma=1", "equalize", "grayscale"});
        const Image full = executor.run(requestFor(m_photo, pipeline), {})->image;
        const int halo = haloOf(pipeline, 1.0);
        QVERIFY(halo >= 3);
        const Rect visible{20, 12, 16, 9};
        const Rect needed = intersect(grown(visible, halo), {0, 0, 67, 41});
        ExecuteRequest draft = requestFor(m_photo.crop(needed), pipeline);
        draft.whole = m_photo;
        for (int round = 0; round < 2; ++round) {
            const auto part = executor.run(draft, {});
            QVERIFY(part);
            const Image shown = part->image.crop(
                {visible.x - needed.x, visible.y - needed.y, visible.width, visible.height});
            QCOMPARE(test::firstDifference(full.crop(visible), shown), std::string());
            QCOMPARE(part->steps[1].fromCache, round == 1);
        }
        draft.whole = {};
        draft.useCache = false;
        const Image own = executor.run(draft, {})->image.crop(
            {visible.x - needed.x, visible.y - needed.y, visible.width, visible.height});
        QVERIFY2(!sameSamples(own, full.crop(visible)), "statistics of the crop are others");
    }

    void wholeIsComputedOnce() {
        FakeSet fakes(false);
        Executor executor(fakes.set(), kBudget);
        ExecuteRequest draft =
            requestFor(m_photo.crop({10, 10, 20, 20}),
                       chain({"gaussian_blur:sigma=1", "equalize", "gaussian_blur:sigma=2"}));
        draft.whole = m_photo;
        QVERIFY(executor.run(draft, {}));
        QCOMPARE(fakes.cpu->runs.load(), 4);  // three steps, and the first on the whole image
        draft.pipeline.steps[2].parameters.set("sigma", 3.0);
        QVERIFY(executor.run(draft, {}));
        QCOMPARE(fakes.cpu->runs.load(), 5);
        draft.source = m_photo.crop({11, 10, 20, 20});  // another window, the same statistics
        QVERIFY(executor.run(draft, {}));
        QCOMPARE(fakes.cpu->runs.load(), 8);
    }

    void haloAddsUp() {
        const int two = haloOf(chain({"gaussian_blur:sigma=2"}), 1.0);
        const int three = haloOf(chain({"gaussian_blur:sigma=3"}), 1.0);
        QCOMPARE(two, 6);
        QCOMPARE(three, 9);
        Pipeline both = chain({"gaussian_blur:sigma=2", "grayscale", "gaussian_blur:sigma=3"});
        QCOMPARE(haloOf(both, 1.0), 15);
        QVERIFY(haloOf(both, 0.5) < 15);
        both.steps[2].enabled = false;
        QCOMPARE(haloOf(both, 1.0), 6);
        QCOMPARE(haloOf(Pipeline(), 1.0), 0);
    }

    void histogramOnEachBackend() {
        Executor executor(BackendSet::cpuOnly(""), kBudget);
        const auto one = executor.histogram(m_photo, BackendChoice::CpuSingle, {});
        const auto all = executor.histogram(m_photo, BackendChoice::Cpu, {});
        QVERIFY(one && all);
        QCOMPARE(one->channels.size(), std::size_t(4));
        for (std::size_t c = 0; c < 4; ++c) {
            QVERIFY(one->channels[c].bins == all->channels[c].bins);
            QCOMPARE(one->channels[c].total(), std::uint64_t(67 * 41));
        }
    }

    void budgetOfThisMachine() {
        QVERIFY(defaultMemoryBudget() > 0);
        QVERIFY(defaultMemoryBudget() <= 8ull << 30);
    }
};

WARPSCOPE_TEST(ExecutorTest)
#include "executor_test.moc"
