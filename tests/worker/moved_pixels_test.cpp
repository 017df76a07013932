// Drafts and regions through steps that move pixels: crops, quarter turns, mirrors.
#include <cmath>
#include <cstring>
#include <map>
#include <random>

#include "engine/operations/analysis/histogram.h"
#include "engine/operations/analysis/statistics.h"
#include "support/shapes.h"
#include "support/test_case.h"
#include "worker/worker_fixture.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

constexpr Size kMovedSize{160, 120};

const Pipeline kMovedChains[] = {
    chain({"crop:x=21,y=13,width=97,height=71", "gaussian_blur:sigma=2"}),
    chain({"gaussian_blur:sigma=2", "crop:x=21,y=13,width=97,height=71"}),
    chain({"flip_rotate:operation=rotate_90", "gaussian_blur:sigma=2"}),
    chain({"median:radius=2", "flip_rotate:operation=transverse", "crop:x=5,y=50,width=80",
           "gaussian_blur:sigma=1.5"}),
    chain({"crop:x=60,y=20", "box_mean:radius=4", "flip_rotate:operation=flip_horizontal",
           "median:radius=1", "crop:x=33,y=4,width=50,height=60"}),
    chain({"flip_rotate:operation=rotate_270", "add_noise:amount=0.3",
           "flip_rotate:operation=rotate_180", "box_mean:radius=3"}),
    chain({"crop:x=40,y=30,width=80,height=60", "equalize", "flip_rotate:operation=transpose"}),
    chain({"gaussian_blur:sigma=2", "blend:with=source,mode=difference",
           "flip_rotate:operation=rotate_90", "median:radius=1"}),
    chain({"crop:x=21,y=13,width=97,height=71", "invert:name=cut", "box_mean:radius=4",
           "blend:with=step:cut,mode=average", "flip_rotate:operation=transverse"}),
    chain({"flip_rotate:operation=rotate_180,name=turned", "gaussian_blur:sigma=1.5",
           "flip_rotate:operation=flip_horizontal", "blend:with=step:turned,mode=average",
           "crop:x=60,y=20"}),
};

// The pixels of the result that were made from what is seen, by their centres; all of them where
// there are none.
Rect seenOf(const ChainShape& shape, const Rect& visible) {
    const Size size = shape.place.whole;
    int left = size.width, top = size.height, right = -1, bottom = -1;
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
            const int fromX = int(std::floor(shape.sourceFromResult.mapX(x + 0.5, y + 0.5)));
            const int fromY = int(std::floor(shape.sourceFromResult.mapY(x + 0.5, y + 0.5)));
            if (!contains(visible, {fromX, fromY, 1, 1})) continue;
            left = std::min(left, x), right = std::max(right, x);
            top = std::min(top, y), bottom = std::max(bottom, y);
        }
    if (right < 0) return {0, 0, size.width, size.height};
    return {left, top, right - left + 1, bottom - top + 1};
}

Image gradient(Size size) {
    const MutableImage image = MutableImage::create(PixelFormat::Gray16, size).value();
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x)
            image.view<std::uint16_t>().row(y)[x] = std::uint16_t(31 * x + 17 * y);
    return MutableImage(image).freeze({});
}

}  // namespace

class MovedPixelsTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{warpscope::test::freshSeed()};
    Image m_image = makePhotograph(PixelFormat::Rgba8, kMovedSize, m_random());
    PyramidPtr m_source = pyramidOf(m_image);

    // Of the last request, which must not have failed.
    template <class Event>
    static Event last(const EventLog& log) {
        const auto failed = log.all<RenderFailed>();
        if (!failed.empty()) throw std::runtime_error(failed.front().error.message);
        return log.all<Event>().back();
    }

    static HistogramSet countedIn(const Image& pixels) {
        const PlanPtr plan =
            planHistogram(ChannelSet::all(), pixels.format(), pixels.size()).value();
        return countCpu(static_cast<const HistogramPlan&>(*plan), pixels, {}).value();
    }

  private slots:
    // One worker for all, so that parts of the source are kept from one draft to the next.
    void draftsAreThatPartOfTheResult() {
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        std::uint64_t revision = 0;
        for (const Pipeline& pipeline : kMovedChains) {
            const ChainShape shape =
                shapeOf(pipeline, m_image.format(), Placement::all(m_image.size()));
            const Image whole = exactResult(m_image, pipeline);
            for (int i = 0; i < 12; ++i) {
                RenderRequest wanted = request(++revision, m_source, pipeline);
                wanted.interactive = true;
                wanted.viewport = {anyRect(m_random, kMovedSize), 1.0 + i % 3};
                QVERIFY(finishes(worker, log, wanted));
                const auto draft = last<DraftReady>(log);
                QCOMPARE(draft.revision, revision);
                QVERIFY(draft.exact);
                QCOMPARE(draft.scale, 1.0);
                QCOMPARE(draft.place.size, whole.size());
                QCOMPARE(draft.place.sourceFromResult, shape.sourceFromResult);
                QCOMPARE(draft.rect, seenOf(shape, wanted.viewport.visible));
                compareSamples(whole.crop(draft.rect), draft.picture, toText(pipeline.steps[0]));
                if (QTest::currentTestFailed()) return;
            }
        }
    }

    void aViewBesideTheCropShowsAllOfIt() {
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        const Pipeline pipeline =
            chain({"gaussian_blur:sigma=2", "crop:x=100,y=80", "flip_rotate:operation=rotate_90"});
        RenderRequest wanted = request(1, m_source, pipeline);
        wanted.interactive = true;
        wanted.viewport = {{3, 4, 50, 40}, 2.0};
        QVERIFY(finishes(worker, log, wanted));
        const auto draft = last<DraftReady>(log);
        QCOMPARE(draft.rect, (Rect{0, 0, 40, 60}));
        compareSamples(exactResult(m_image, pipeline), draft.picture, "beside");
    }

    // Within a pixel of the reduced copy, whose last pixels reach beyond the image.
    void zoomedOutDraftsLieWhereTheyShould() {
        const Size size{1203, 901};
        const Image image = gradient(size);
        const PyramidPtr source = pyramidOf(image);
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        std::uint64_t revision = 0;
        for (const double zoom : {0.5, 0.25, 0.125})
            for (const Pipeline& pipeline :
                 {chain({"crop:x=101,y=203,width=777,height=555"}),
                  chain({"flip_rotate:operation=rotate_90", "crop:x=33,y=44,width=700"}),
                  chain({"flip_rotate:operation=transverse", "gaussian_blur:sigma=8"}),
                  chain({"crop:x=300,y=100", "flip_rotate:operation=flip_horizontal",
                         "flip_rotate:operation=transpose"})}) {
                const ChainShape shape =
                    shapeOf(pipeline, image.format(), Placement::all(image.size()));
                const Image whole = exactResult(image, pipeline);
                for (int i = 0; i < 4; ++i) {
                    RenderRequest wanted = request(++revision, source, pipeline);
                    wanted.interactive = true;
                    wanted.viewport = {{int(m_random() % 600), int(m_random() % 400), 601, 501},
                                       zoom};
                    QVERIFY(finishes(worker, log, wanted));
                    const auto draft = last<DraftReady>(log);
                    QCOMPARE(draft.scale, zoom);
                    QVERIFY(!draft.exact);
                    QCOMPARE(draft.place.size, whole.size());
                    QCOMPARE(draft.place.sourceFromResult, shape.sourceFromResult);
                    const int step = int(1 / zoom);
                    const Rect seen = seenOf(shape, wanted.viewport.visible);
                    // A side may lie a pixel of the copy too far out, and be rounded from there.
                    const auto close = [&](int wantedSide, int side) {
                        return std::abs(wantedSide - side) <= 2 * step;
                    };
                    QVERIFY(close(seen.x, draft.rect.x) && close(seen.y, draft.rect.y));
                    QVERIFY(close(seen.x + seen.width, draft.rect.x + draft.rect.width));
                    QVERIFY(close(seen.y + seen.height, draft.rect.y + draft.rect.height));
                    QVERIFY(contains({0, 0, whole.width(), whole.height()}, draft.rect));
                    QCOMPARE(draft.picture.width(), (draft.rect.width + step - 1) / step);
                    QCOMPARE(draft.picture.height(), (draft.rect.height + step - 1) / step);
                    // The blur repeats the edge, beyond which the gradient goes on.
                    const int edge = pipeline.steps.back().operation == "gaussian_blur" ? 26 : 0;
                    const double most = (31 + 17) * 1.5 * step + 1;
                    for (int y = edge / step; y < draft.picture.height() - edge / step; ++y)
                        for (int x = edge / step; x < draft.picture.width() - edge / step; ++x) {
                            const int atX =
                                std::min(draft.rect.x + x * step + step / 2, whole.width() - 1);
                            const int atY =
                                std::min(draft.rect.y + y * step + step / 2, whole.height() - 1);
                            const int expected = whole.view<std::uint16_t>().row(atY)[atX];
                            const int actual = draft.picture.view<std::uint16_t>().row(y)[x];
                            QVERIFY2(std::abs(expected - actual) <= most,
                                     qPrintable(QString("zoom %1, %2 instead of %3 at %4, %5")
                                                    .arg(zoom)
                                                    .arg(actual)
                                                    .arg(expected)
                                                    .arg(x)
                                                    .arg(y)));
                        }
                }
            }
    }

    void aRegionIsWhatBecameOfIt() {
        for (const Pipeline& pipeline : kMovedChains) {
            const ChainShape shape =
                shapeOf(pipeline, m_image.format(), Placement::all(m_image.size()));
            EventLog log;
            RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
            RenderRequest wanted = request(1, m_source, pipeline);
            // Some of it lies in every crop.
            wanted.region = Rect{55 + int(m_random() % 10), 25 + int(m_random() % 10), 40, 50};
            QVERIFY(finishes(worker, log, wanted));
            const auto counts = last<HistogramsReady>(log);
            const Rect inResult = seenOf(shape, wanted.region->box());
            QVERIFY(inResult.size() != shape.place.whole);
            const Image part = exactResult(m_image, pipeline).crop(inResult);
            const PlanPtr plan =
                planHistogram(ChannelSet::all(), part.format(), part.size()).value();
            const HistogramSet expected =
                countCpu(static_cast<const HistogramPlan&>(*plan), part, {}).value();
            QCOMPARE(counts.result.channels.size(), expected.channels.size());
            for (std::size_t c = 0; c < expected.channels.size(); ++c)
                QVERIFY(counts.result.channels[c].bins == expected.channels[c].bins);
            QCOMPARE(counts.source.channels[0].total(), std::uint64_t(40 * 50));
        }
    }

    // An ellipse or a polygon: of the result the pixels that were made from one of its own count,
    // and no others.
    void aShapeIsWhatBecameOfIt() {
        for (int i = 0; i < 3 * int(std::size(kMovedChains)); ++i) {
            const Pipeline& pipeline = kMovedChains[i % int(std::size(kMovedChains))];
            const ChainShape shape =
                shapeOf(pipeline, m_image.format(), Placement::all(m_image.size()));
            const RegionShape region = anyShape(m_random, kMovedSize);
            std::vector<std::pair<int, int>> left;
            const Size size = shape.place.whole;
            for (int y = 0; y < size.height; ++y)
                for (int x = 0; x < size.width; ++x) {
                    const PixelMap& map = shape.sourceFromResult;
                    if (belongs(region, int(std::floor(map.mapX(x + 0.5, y + 0.5))),
                                int(std::floor(map.mapY(x + 0.5, y + 0.5)))))
                        left.emplace_back(x, y);
                }
            EventLog log;
            RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
            RenderRequest wanted = request(1, m_source, pipeline);
            wanted.region = region;
            wanted.analysis.emplace().operation = "statistics";
            wanted.backend = i % 2 ? BackendChoice::Cuda : BackendChoice::CpuSingle;
            QVERIFY(finishes(worker, log, wanted));
            const auto counts = last<HistogramsReady>(log);
            QCOMPARE(counts.regionOutside, left.empty());
            QCOMPARE(counts.sourceOn.backend.value(),
                     i % 2 ? BackendKind::Cpu : BackendKind::CpuSingle);
            QCOMPARE(counts.sourceOn.fallbackReason.empty(), i % 2 == 0);
            const auto ofSource = countedIn(pixelsOf(m_image, region));
            for (std::size_t c = 0; c < ofSource.channels.size(); ++c)
                QCOMPARE(counts.source.channels[c].bins, ofSource.channels[c].bins);
            const auto analysis = last<AnalysisReady>(log);
            QCOMPARE(analysis.problem.empty(), !left.empty());
            if (left.empty()) continue;
            const Image result = exactResult(m_image, pipeline);
            auto made = MutableImage::create(result.format(), {1, int(left.size())}).value();
            const int bytes = bytesPerPixel(result.format());
            visitSampleType(result.format(), [&]<class T>() {
                const auto from = result.view<T>();
                for (int k = 0; k < int(left.size()); ++k)
                    std::memcpy(made.view<T>().row(k),
                                from.row(left[std::size_t(k)].second) +
                                    std::ptrdiff_t(left[std::size_t(k)].first) * from.channels,
                                std::size_t(bytes));
            });
            const Image pixels = std::move(made).freeze({});
            const auto ofResult = countedIn(pixels);
            for (std::size_t c = 0; c < ofResult.channels.size(); ++c)
                QCOMPARE(counts.result.channels[c].bins, ofResult.channels[c].bins);
            QCOMPARE(counts.resultStatistics[0].count, std::uint64_t(left.size()));
            PlanRequest plan;
            plan.format = pixels.format();
            plan.size = pixels.size();
            const auto truth =
                statistics_operation().analyzeCpu(**statistics_operation().plan(plan), pixels, {});
            QVERIFY(std::get<AnalysisTable>(analysis.result) == std::get<AnalysisTable>(*truth));
        }
    }

    // Timings of a step see what of its input the region became.
    void aRegionInTheInputsOfSteps() {
        FakeSet fakes(false);
        std::vector<std::pair<std::string, Placement>> seen;
        fakes.cpu->onPlan = [&](const Plan& plan) {
            seen.emplace_back(plan.operation->description().id, plan.place);
        };
        const auto placesOf = [&](const Rect& region) {
            EventLog log;
            RenderWorker worker([&] { return fakes.set(); }, log.sink(), kWorkerBudget);
            RenderRequest wanted =
                request(1, m_source,
                        chain({"crop:x=20,y=10,width=100,height=80",
                               "flip_rotate:operation=rotate_90", "box_mean:radius=2"}));
            wanted.region = region;
            wanted.compare = true;
            seen.clear();
            if (!finishes(worker, log, wanted)) throw std::runtime_error("never idle");
            for (const RenderFailed& failed : log.all<RenderFailed>())
                throw std::runtime_error(failed.error.message);
            std::map<std::string, Placement> last;
            for (const auto& [id, place] : seen) last[id] = place;
            return last;
        };
        auto places = placesOf({50, 30, 40, 20});
        QCOMPARE(places["crop"], Placement::partOf(kMovedSize, {50, 30, 40, 20}));
        QCOMPARE(places["flip_rotate"], Placement::partOf({100, 80}, {30, 20, 40, 20}));
        // Rows 20 to 39 of 80 are columns 40 to 59.
        QCOMPARE(places["box_mean"], Placement::partOf({80, 100}, {40, 30, 20, 40}));
        // Nothing of it is left after the crop: all is, as in the histogram.
        places = placesOf({125, 95, 30, 20});
        QCOMPARE(places["crop"], Placement::all(kMovedSize));
        QCOMPARE(places["flip_rotate"], Placement::all({100, 80}));
        QCOMPARE(places["box_mean"], Placement::all({80, 100}));
    }
};

WARPSCOPE_TEST(MovedPixelsTest)
#include "moved_pixels_test.moc"
