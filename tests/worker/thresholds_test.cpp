// The levels that thresholds find, as the worker tells them, against the engine's on what each step
// is given.
#include <cmath>
#include <random>
#include <set>

#include "operations/found_level.h"
#include "support/test_case.h"
#include "worker/worker_fixture.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

constexpr Size kThresholdSize{163, 117};

Image inputOf(const Image& source, const Pipeline& pipeline, std::size_t step) {
    Pipeline before = pipeline;
    before.steps.resize(step);
    return exactResult(source, before);
}

}  // namespace

class ThresholdsTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{freshSeed()};

    // Every one that is told; that they are those wanted is for the caller to say.
    void check(const ThresholdsReady& ready, const Image& source, const Pipeline& pipeline) {
        for (const ThresholdsReady::Found& found : ready.steps) {
            QVERIFY(found.stepIndex < pipeline.steps.size());
            const Step& step = pipeline.steps[found.stepIndex];
            QVERIFY(found.step == step);
            const Image input = inputOf(source, pipeline, found.stepIndex);
            QCOMPARE(found.input, input.format());
            QCOMPARE(found.level, levelFoundIn(input, step));
        }
    }

  private slots:
    void levelsAreThoseOfWhatTheStepsAreGiven() {
        const Pipeline chains[] = {
            chain({"threshold:method=otsu"}),
            chain({"gaussian_blur:sigma=2", "threshold:method=triangle"}),
            chain({"crop:x=21,y=13,width=97,height=71", "invert", "threshold:method=li",
                   "box_mean:radius=4", "threshold:method=isodata"}),
            chain(
                {"threshold:value=90", "gaussian_blur:sigma=3", "threshold:method=mean", "invert"}),
        };
        const std::vector<std::size_t> wanted[] = {{0}, {1}, {2, 4}, {2}};
        for (const PixelFormat format :
             {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Rgba16, PixelFormat::GrayF32}) {
            const Image image = makePhotograph(format, kThresholdSize, m_random());
            EventLog log;
            RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
            std::uint64_t revision = 0;
            for (std::size_t c = 0; c < std::size(chains); ++c) {
                QVERIFY(finishes(worker, log, request(++revision, pyramidOf(image), chains[c])));
                const auto all = log.all<ThresholdsReady>();
                QCOMPARE(all.size(), c + 1);
                QCOMPARE(all.back().revision, revision);
                std::vector<std::size_t> told;
                for (const auto& found : all.back().steps) told.push_back(found.stepIndex);
                QCOMPARE(told, wanted[c]);
                check(all.back(), image, chains[c]);
                if (QTest::currentTestFailed()) return;
            }
        }
    }

    // Objects are counted as the analysis does, behind other steps and before them.
    void objectsAreCounted() {
        const Image image = makePhotograph(PixelFormat::Gray8, kThresholdSize, m_random());
        const Pipeline steps =
            chain({"gaussian_blur:sigma=1.5", "threshold:method=otsu", "connected_components"});
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        QVERIFY(finishes(worker, log, request(1, pyramidOf(image), steps)));
        const auto all = log.all<ThresholdsReady>();
        QCOMPARE(all.size(), std::size_t(1));
        QCOMPARE(all.back().steps.size(), std::size_t(2));
        const ThresholdsReady::Found& found = all.back().steps.back();
        QCOMPARE(found.stepIndex, std::size_t(2));
        const Image labels = exactResult(image, steps);
        std::set<std::uint32_t> numbers;
        const auto view = labels.view<std::uint32_t>();
        for (int y = 0; y < view.height; ++y) numbers.insert(view.row(y), view.row(y) + view.width);
        numbers.erase(0);
        QCOMPARE(found.level, double(numbers.size()));
    }

    // What is above is white, and nothing else.
    void theResultIsCutThere() {
        for (const char* step : {"threshold:method=otsu", "threshold:method=li"}) {
            const Pipeline pipeline = chain({"median:radius=1", step});
            const Image image = makePhotograph(PixelFormat::Gray16, kThresholdSize, m_random());
            EventLog log;
            RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
            QVERIFY(finishes(worker, log, request(1, pyramidOf(image), pipeline)));
            const double level = log.all<ThresholdsReady>().front().steps.front().level;
            const Image input = inputOf(image, pipeline, 1);
            const Image result = log.all<FullReady>().back().result->levels.front();
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    QCOMPARE(result.view<std::uint16_t>().row(y)[x],
                             input.view<std::uint16_t>().row(y)[x] > level ? 65535 : 0);
        }
    }

    void levelsFollowTheStepsBeforeAndTheImage() {
        const Image image = makePhotograph(PixelFormat::Rgba8, kThresholdSize, m_random());
        const Image other = makePhotograph(PixelFormat::Rgba8, kThresholdSize, m_random());
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        const std::pair<Image, Pipeline> turns[] = {
            {image, chain({"gaussian_blur:sigma=1", "threshold:method=li"})},
            // Known from before; of steps behind it does not depend.
            {image, chain({"gaussian_blur:sigma=1", "threshold:method=li", "invert"})},
            {image, chain({"levels:black=60", "threshold:method=li"})},
            {image, chain({"levels:black=60", "threshold:method=otsu"})},
            {other, chain({"levels:black=60", "threshold:method=otsu"})},
            {image, chain({"gaussian_blur:sigma=1", "threshold:method=li"})},
        };
        std::uint64_t revision = 0;
        const PyramidPtr first = pyramidOf(image), second = pyramidOf(other);
        for (const auto& [source, pipeline] : turns) {
            const bool isOther = source.id() == other.id();
            QVERIFY(finishes(worker, log, request(++revision, isOther ? second : first, pipeline)));
            const auto all = log.all<ThresholdsReady>();
            QCOMPARE(all.size(), std::size_t(revision));
            QCOMPARE(all.back().steps.size(), std::size_t(1));
            check(all.back(), source, pipeline);
            if (QTest::currentTestFailed()) return;
        }
    }

    void nothingIsToldWhereNothingIsFound() {
        const Image image = makePhotograph(PixelFormat::Gray8, kThresholdSize, m_random());
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        Pipeline off = chain({"threshold:method=otsu", "invert"});
        off.steps[0].enabled = false;
        RenderRequest held = request(3, pyramidOf(image), chain({"threshold:method=otsu"}));
        held.interactive = true;
        QVERIFY(finishes(worker, log, request(1, held.source, chain({"threshold:value=70"}))));
        QVERIFY(finishes(worker, log, request(2, held.source, off)));
        QVERIFY(finishes(worker, log, held));
        QVERIFY(log.all<ThresholdsReady>().empty());
        // With a step that is passed over the others are told.
        const Pipeline broken = chain({"blend:with=second,mode=average", "threshold:method=mean"});
        QVERIFY(finishes(worker, log, request(4, held.source, broken)));
        const auto all = log.all<ThresholdsReady>();
        QCOMPARE(all.size(), std::size_t(1));
        QCOMPARE(all.front().steps.front().stepIndex, std::size_t(1));
        QCOMPARE(all.front().steps.front().level, levelFoundIn(image, broken.steps[1]));
    }
};

WARPSCOPE_TEST(ThresholdsTest)
#include "thresholds_test.moc"
