// One pixel after every step, and small histograms of what the steps give, against each step's full
// result.
#include <cmath>
#include <random>

#include "engine/image/histogram.h"
#include "engine/worker/large_image.h"
#include "support/test_case.h"
#include "worker/worker_fixture.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

const Pipeline kMeasuredChains[] = {
    chain({"gaussian_blur:sigma=2", "crop:x=21,y=13,width=97,height=71", "invert"}),
    chain({"median:radius=2", "flip_rotate:operation=transverse", "crop:x=5,y=50,width=80"}),
    chain({"crop:x=40,y=30,width=80,height=60", "equalize", "flip_rotate:operation=transpose"}),
    chain({"gaussian_blur:sigma=2", "equalize", "blend:with=source,mode=difference"}),
    chain({"crop:x=21,y=13,width=97,height=71", "invert:name=cut", "box_mean:radius=4",
           "blend:with=step:cut,mode=average", "flip_rotate:operation=transverse"}),
    chain({"blend:with=second,mode=average", "add_noise:amount=0.3",
           "flip_rotate:operation=rotate_180"}),
    chain({"median:radius=1", "clahe:tiles_x=2,tiles_y=1", "threshold:method=otsu"}),
    chain({"invert", "threshold:method=fixed", "box_mean:radius=2"}),
};

Pipeline upTo(const Pipeline& pipeline, std::size_t index) {
    Pipeline chain = pipeline;
    chain.steps.resize(index + 1);
    return chain;
}

Image resultOf(const Image& image, const Image& second, const Pipeline& pipeline) {
    Executor executor(BackendSet::cpuOnly(""), kWorkerBudget);
    ExecuteRequest wanted;
    wanted.source = image;
    wanted.second = second;
    wanted.pipeline = pipeline;
    wanted.backend = BackendChoice::Cpu;
    return executor.run(wanted, {}).value().image;
}

}  // namespace

class StepFiguresTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{warpscope::test::freshSeed()};

    static std::optional<ProbeReady> answer(const EventLog& log, std::uint64_t number) {
        for (const ProbeReady& ready : log.all<ProbeReady>())
            if (ready.number == number) return ready;
        return {};
    }
    static bool waitForProbe(EventLog& log, std::uint64_t number) {
        return log.waitFor([=](const RenderEvent& event) {
            const auto* ready = std::get_if<ProbeReady>(&event);
            return ready && ready->number == number;
        });
    }

  private slots:
    void cleanup() { setLargeImageBytes(0); }

    // Of a large image too, whose steps leave no outputs behind.
    void aPixelAfterEveryStepIsThatOfTheFullResult_data() {
        QTest::addColumn<bool>("large");
        QTest::newRow("small") << false;
        QTest::newRow("large") << true;
    }
    void aPixelAfterEveryStepIsThatOfTheFullResult() {
        QFETCH(bool, large);
        setLargeImageBytes(large ? 35'000 : 0);
        for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::Gray16}) {
            const Image image = makePhotograph(format, {161, 119}, m_random());
            const Image second = makePhotograph(format, {161, 119}, m_random());
            EventLog log;
            RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
            std::uint64_t number = 0, revision = 0;
            for (const Pipeline& pipeline : kMeasuredChains) {
                RenderRequest full = request(++revision, pyramidOf(image), pipeline);
                full.second = pyramidOf(second);
                QVERIFY(finishes(worker, log, full));
                QVERIFY(log.all<RenderFailed>().empty());
                for (int i = 0; i < 12; ++i) {
                    const double x = double(m_random() % 161u) + 0.5;
                    const double y = double(m_random() % 119u) + 0.5;
                    worker.probe(
                        {++number, full.source, full.second, pipeline, BackendChoice::Cpu, x, y});
                    QVERIFY(waitForProbe(log, number));
                    const auto found = answer(log, number);
                    QCOMPARE(found->values.size(), pipeline.steps.size());
                    for (const ProbeReady::Value& value : found->values) {
                        const Pipeline part = upTo(pipeline, value.stepIndex);
                        const PixelMap map = inverse(
                            shapeOf(part, format, Placement::all(image.size())).sourceFromResult);
                        const Image whole = resultOf(image, second, part);
                        const int px = int(std::floor(map.mapX(x, y)));
                        const int py = int(std::floor(map.mapY(x, y)));
                        const bool inside =
                            px >= 0 && py >= 0 && px < whole.width() && py < whole.height();
                        QCOMPARE(!value.pixel.isNull(), inside);
                        if (inside)
                            compareSamples(whole.crop({px, py, 1, 1}), value.pixel,
                                           toText(part.steps.back()));
                        if (QTest::currentTestFailed()) return;
                    }
                }
            }
        }
    }

    // Which also says that a probe is answered while timings are taken, and stops none of them.
    void aProbeDuringTimingsIsAnsweredAndEndsNothing() {
        const Image image = makePhotograph(PixelFormat::Rgba8, {161, 119}, m_random());
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        RenderRequest full = request(1, pyramidOf(image), kMeasuredChains[0]);
        full.compare = true;
        worker.submit(full);
        QVERIFY(log.waitFor<TimingReady>(1));
        worker.probe({7, full.source, {}, full.pipeline, BackendChoice::Cpu, 50.5, 50.5});
        QVERIFY(waitForProbe(log, 7));
        QVERIFY(log.waitForIdle(1));
        QVERIFY(log.all<TimingReady>().back().last);
    }

    void stepsThatAreOffOrBrokenHaveNoValues() {
        const Image image = makePhotograph(PixelFormat::Rgba8, {60, 50}, m_random());
        Pipeline pipeline = chain({"invert", "blend:with=second,mode=average", "invert"});
        pipeline.steps[0].enabled = false;
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        const RenderRequest full = request(1, pyramidOf(image), pipeline);
        QVERIFY(finishes(worker, log, full));
        worker.probe({1, full.source, {}, pipeline, BackendChoice::Cpu, 3.5, 4.5});
        QVERIFY(waitForProbe(log, 1));
        const auto found = answer(log, 1);
        // Where the second image is missing the step hands on what it is given.
        QCOMPARE(found->values.back().stepIndex, std::size_t(2));
        compareSamples(exactResult(image, chain({"invert"})).crop({3, 4, 1, 1}),
                       found->values.back().pixel, "after the broken step");
        QVERIFY(found->values.front().stepIndex != 0);
    }

    void aProbeOfAnotherImageIsNotAnswered() {
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        const RenderRequest full = request(
            1, pyramidOf(makePhotograph(PixelFormat::Gray8, {60, 50}, 1)), kMeasuredChains[0]);
        const PyramidPtr other = pyramidOf(makePhotograph(PixelFormat::Gray8, {60, 50}, 2));
        QVERIFY(finishes(worker, log, full));
        worker.probe({1, other, {}, full.pipeline, BackendChoice::Cpu, 3.5, 4.5});
        QVERIFY(finishes(worker, log, request(2, full.source, chain({"invert"}))));
        QVERIFY(log.all<ProbeReady>().empty());
    }

    void histogramsAreThoseOfTheSteps() {
        const Image image = makePhotograph(PixelFormat::Rgba8, {161, 119}, m_random());
        const Pipeline pipeline =
            chain({"gaussian_blur:sigma=2", "crop:x=21,y=13,width=97,height=71", "invert"});
        for (const auto& region : {std::optional<Rect>(), std::optional<Rect>({30, 20, 41, 37})}) {
            EventLog log;
            RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
            RenderRequest wanted = request(1, pyramidOf(image), pipeline);
            wanted.region = region;
            QVERIFY(finishes(worker, log, wanted));
            QVERIFY(log.all<StepHistogramsReady>().empty());
            wanted.revision = 2;
            wanted.stepHistograms = true;
            QVERIFY(finishes(worker, log, wanted));
            const auto ready = log.all<StepHistogramsReady>().back();
            QCOMPARE(ready.revision, 2u);
            QCOMPARE(ready.steps.size(), pipeline.steps.size());
            Executor executor(BackendSet::cpuOnly(""), kWorkerBudget);
            for (const StepHistogram& step : ready.steps) {
                const Pipeline part = upTo(pipeline, step.stepIndex);
                const ChainShape shape =
                    shapeOf(part, image.format(), Placement::all(image.size()));
                Image whole = exactResult(image, part);
                if (region)
                    whole = whole.crop(intersect(mapped(inverse(shape.sourceFromResult), *region),
                                                 {0, 0, whole.width(), whole.height()}));
                const auto counts = executor.histogram(whole, BackendChoice::Cpu, {});
                REQUIRE_OK(counts);
                QCOMPARE(step.counts.channels.size(), counts->channels.size());
                for (std::size_t c = 0; c < counts->channels.size(); ++c)
                    QCOMPARE(step.counts.channels[c].bins,
                             rebinned(counts->channels[c], kStepHistogramBins).bins);
            }
        }
    }

    // 12 bits in 16: the bars reach over what there can be.
    void barsEndAtTheWhiteLevel() {
        const MutableImage samples = MutableImage::create(PixelFormat::Gray16, {64, 64}).value();
        for (int y = 0; y < 64; ++y)
            for (int x = 0; x < 64; ++x)
                samples.view<std::uint16_t>().row(y)[x] = std::uint16_t(64 * y + x);
        ImageInfo info;
        info.whiteLevel = 4095;
        const Image image = MutableImage(samples).freeze(info);
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        RenderRequest wanted =
            request(1, pyramidOf(image), chain({"flip_rotate:operation=rotate_90"}));
        wanted.stepHistograms = true;
        QVERIFY(finishes(worker, log, wanted));
        const auto ready = log.all<StepHistogramsReady>();
        QCOMPARE(ready.size(), std::size_t(1));
        const HistogramSet& counts = ready.front().steps.front().counts;
        QCOMPARE(counts.high, 4095.0);
        QCOMPARE(counts.channels.front().bins, std::vector<std::uint64_t>(64, 64));
    }

    void aChangedStepIsCountedAnew() {
        const Image image = makePhotograph(PixelFormat::Rgba8, {161, 119}, m_random());
        Pipeline pipeline = chain({"gaussian_blur:sigma=2", "invert", "median:radius=2"});
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        RenderRequest wanted = request(1, pyramidOf(image), pipeline);
        wanted.stepHistograms = true;
        QVERIFY(finishes(worker, log, wanted));
        wanted.revision = 2;
        wanted.pipeline.steps[2] = parseStep("median:radius=3").value();
        QVERIFY(finishes(worker, log, wanted));
        const auto ready = log.all<StepHistogramsReady>();
        QCOMPARE(ready.size(), std::size_t(2));
        for (const std::size_t same : {0u, 1u})
            QCOMPARE(ready[0].steps[same].counts.channels.front().bins,
                     ready[1].steps[same].counts.channels.front().bins);
        Executor executor(BackendSet::cpuOnly(""), kWorkerBudget);
        const auto last =
            executor.histogram(exactResult(image, wanted.pipeline), BackendChoice::Cpu, {});
        REQUIRE_OK(last);
        for (std::size_t c = 0; c < last->channels.size(); ++c)
            QCOMPARE(ready[1].steps[2].counts.channels[c].bins,
                     rebinned(last->channels[c], kStepHistogramBins).bins);
    }
};

WARPSCOPE_TEST(StepFiguresTest)
#include "step_figures_test.moc"
