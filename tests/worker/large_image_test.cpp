// Images that are large: results in bands with the same pixels, nothing kept between steps but what
// takes long, figures and timings that need no second image beside the result.
#include "engine/worker/large_image.h"

#include "support/test_case.h"
#include "worker/worker_fixture.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// High, so that what bands need of their neighbours is little beside them.
constexpr Size kTallSize{64, 1200};

// Of images of that size these are large, and small ones else.
struct Lowered {
    explicit Lowered(bool lowered, std::uint64_t bytes = 70'000) {
        if (lowered) setLargeImageBytes(bytes);
    }
    ~Lowered() { setLargeImageBytes(0); }
};

const Pipeline kBandedChains[] = {
    chain({"gaussian_blur:sigma=2", "median:radius=2", "levels:gamma=1.4", "unsharp_mask",
           "saturation:amount=150"}),
    chain({"crop:x=21,y=113,width=30,height=871", "gaussian_blur:sigma=2"}),
    chain({"flip_rotate:operation=rotate_90", "median:radius=1", "add_noise:amount=0.3"}),
    chain({"levels:gamma=2", "curves", "invert", "box_mean:radius=4"}),
    chain({"gaussian_blur:sigma=2", "blend:with=source,mode=difference", "median:radius=1"}),
    chain({"invert:name=cut", "box_mean:radius=4", "blend:with=step:cut,mode=average"}),
    chain({"resize:width=233,height=311", "gaussian_blur:sigma=1"}),
    chain({"rotate:angle=11", "median:radius=1"}),
    chain({"grayscale", "threshold:method=fixed", "morphology"}),
    chain({"nl_means:search_radius=3,patch_radius=1", "bilateral:radius=2"}),
    chain({"equalize", "gaussian_blur:sigma=2"}),
    chain({"gaussian_blur:sigma=40", "invert"}),
    // Tables are taken from all of a step's input.
    chain({"gaussian_blur:sigma=2", "equalize", "median:radius=1"}),
    chain({"median:radius=1", "equalize:channels=each,mapping=full", "unsharp_mask", "equalize",
           "box_mean:radius=4"}),
    chain({"crop:x=21,y=113,width=30,height=871", "clahe:tiles_x=3,tiles_y=5", "invert"}),
    chain({"clahe:channels=each,tiles_x=1,tiles_y=2", "flip_rotate:operation=rotate_90",
           "clahe:tiles_x=2,tiles_y=2,clip=0"}),
    chain({"gaussian_blur:sigma=1", "threshold:method=otsu", "morphology"}),
    chain({"threshold:method=li"}),
    chain({"invert:name=cut", "equalize", "blend:with=step:cut,mode=average", "equalize"}),
};

std::size_t piecesOf(const FullReady& ready, std::size_t step) {
    return std::size_t(std::ranges::count_if(ready.events, [&](const RunEvent& event) {
        return event.kind == RunEvent::Kind::Compute && event.step == step;
    }));
}

}  // namespace

class LargeImageTest : public QObject {
    Q_OBJECT

    // A draft of little: one of all of the image would leave everything in the cache.
    static FullReady fullOf(RenderRequest wanted, bool large) {
        wanted.viewport = {{0, 600, 32, 24}, 1.0};
        const Lowered lowered(large);
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        if (!finishes(worker, log, wanted)) return {};
        const auto all = log.all<FullReady>();
        return all.empty() ? FullReady{} : all.back();
    }

  private slots:
    void samePixels() {
        for (const PixelFormat format :
             {PixelFormat::Rgba8, PixelFormat::Gray8, PixelFormat::Rgba16, PixelFormat::RgbaF32}) {
            const Image image = makePhotograph(format, kTallSize);
            for (const Pipeline& pipeline : kBandedChains) {
                const RenderRequest wanted = request(1, pyramidOf(image), pipeline);
                const FullReady whole = fullOf(wanted, false), bands = fullOf(wanted, true);
                QCOMPARE(bool(whole.result), bool(bands.result));
                if (!whole.result) continue;
                const std::string name =
                    fmt::format("{} {}", formatName(format), pipeline.steps.front().operation);
                compareSamples(whole.result->levels.front(), bands.result->levels.front(),
                               name.c_str());
                QCOMPARE(bands.result->levels.size(), whole.result->levels.size());
                QCOMPARE(bands.result->levels.front().info().whiteLevel,
                         whole.result->levels.front().info().whiteLevel);
                QCOMPARE(bands.place, whole.place);
                QCOMPARE(bands.steps.size(), whole.steps.size());
                for (std::size_t i = 0; i < whole.steps.size(); ++i) {
                    QCOMPARE(bands.steps[i].stepIndex, whole.steps[i].stepIndex);
                    QCOMPARE(bands.steps[i].output, whole.steps[i].output);
                    QCOMPARE(bands.steps[i].notices, whole.steps[i].notices);
                    QVERIFY(!bands.steps[i].fusedInto);
                }
            }
        }
    }

    // A step that needs all of the image is done at once, and so is one whose bands would be the
    // same rows again and again.
    void bands() {
        const PyramidPtr image = pyramidOf(makePhotograph(PixelFormat::Rgba8, kTallSize));
        const FullReady five = fullOf(request(1, image, kBandedChains[0]), true);
        for (std::size_t step = 0; step < 5; ++step) QVERIFY(piecesOf(five, step) >= 4);
        for (const StepReport& step : five.steps) QVERIFY(step.ms > 0);
        QCOMPARE(piecesOf(fullOf(request(1, image, kBandedChains[0]), false), 0), std::size_t(1));
        for (const Pipeline& pipeline :
             {chain({"canny", "gaussian_blur:sigma=2"}), chain({"gaussian_blur:sigma=100"})})
            QCOMPARE(piecesOf(fullOf(request(1, image, pipeline), true), 0), std::size_t(1));
    }

    // Steps that take tables from all of their input, of 16 bits of clahe where these are not as
    // large as the image.
    void bandsBehindTables() {
        for (const PixelFormat format :
             {PixelFormat::Rgba8, PixelFormat::Gray16, PixelFormat::RgbaF32}) {
            const PyramidPtr image = pyramidOf(makePhotograph(format, kTallSize));
            for (const char* step : {"equalize", "threshold:method=otsu", "threshold:method=fixed",
                                     "clahe:tiles_x=2,tiles_y=2"}) {
                const bool isClahe = std::string_view(step).starts_with("clahe");
                if (isClahe && isFloat(format)) continue;
                const FullReady made =
                    fullOf(request(1, image, chain({"median:radius=1", step, "invert"})), true);
                const bool oneByOne = isClahe && bytesPerSample(format) == 2;
                QCOMPARE(piecesOf(made, 1) >= 4, !oneByOne);
                if (oneByOne) continue;
                for (const StepReport& report : made.steps) QVERIFY(report.ms > 0);
            }
        }
    }

    // Of 16 bits, one of a whole image: 128 KiB, less than an eighth of it.
    void largeTables() {
        const PyramidPtr image = pyramidOf(makePhotograph(PixelFormat::Rgba16, {64, 2400}));
        for (const char* step : {"clahe:tiles_x=1,tiles_y=1", "clahe:tiles_x=2,tiles_y=1"}) {
            const RenderRequest wanted =
                request(1, image, chain({"median:radius=1", step, "invert"}));
            const FullReady whole = fullOf(wanted, false), bands = fullOf(wanted, true);
            QCOMPARE(piecesOf(whole, 1), std::size_t(1));
            QCOMPARE(piecesOf(bands, 1) >= 4,
                     std::string_view(step).find("tiles_x=1") != std::string_view::npos);
            compareSamples(whole.result->levels.front(), bands.result->levels.front(), step);
        }
    }

    // Steps that take long are not computed twice.
    void longStepsComeOnce() {
        const PyramidPtr image = pyramidOf(makePhotograph(PixelFormat::Rgba8, kTallSize));
        const auto piecesBehind = [&](const char* first) {
            return piecesOf(fullOf(request(1, image, chain({first, "equalize", "invert"})), true),
                            2);
        };
        QVERIFY(piecesBehind("median:radius=1") >= 4);
        QCOMPARE(piecesBehind("nl_means:search_radius=20,patch_radius=1"), std::size_t(1));
    }

    // Tables of before serve where a later step changes, and only there.
    void tablesFollowTheirInput() {
        const PyramidPtr image = pyramidOf(makePhotograph(PixelFormat::Rgba8, kTallSize));
        const Lowered lowered(true);
        EventLog log;
        RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
        std::vector<Image> results;
        const char* const middles[] = {"invert", "gaussian_blur:sigma=1", "median:radius=2",
                                       "median:radius=2"};
        for (std::uint64_t i = 0; i < 4; ++i) {
            // The last one changes what comes before.
            RenderRequest wanted = request(
                i + 1, image,
                chain({i < 3 ? "box_mean:radius=2" : "box_mean:radius=5", "equalize", middles[i]}));
            wanted.viewport = {{0, 600, 32, 24}, 1.0};
            QVERIFY(finishes(worker, log, wanted));
            const auto all = log.all<FullReady>();
            QCOMPARE(all.size(), std::size_t(i + 1));
            setLargeImageBytes(0);
            const FullReady whole = fullOf(wanted, false);
            QCOMPARE(piecesOf(whole, 2), std::size_t(1));
            setLargeImageBytes(70'000);
            compareSamples(whole.result->levels.front(), all.back().result->levels.front(),
                           middles[i]);
        }
    }

    // Of a small image the steps before the one that changes are not computed again, of a large one
    // they are, unless they take long.
    void whatIsKept() {
        const PyramidPtr image = pyramidOf(makePhotograph(PixelFormat::Rgba8, kTallSize));
        const auto keeps = [&](const char* first, bool large) {
            const Lowered lowered(large, 200'000);
            EventLog log;
            RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
            bool good = true;
            for (std::uint64_t i = 1; i <= 3; ++i) {
                const std::string last = fmt::format("levels:gamma={}", 1.0 + 0.1 * double(i));
                RenderRequest wanted = request(i, image, chain({first, last}));
                wanted.viewport = {{0, 600, 32, 24}, 1.0};
                good = good && finishes(worker, log, wanted);
            }
            const auto all = log.all<FullReady>();
            return good && all.size() == 3 && all.back().steps.front().fromCache;
        };
        QVERIFY(keeps("invert", false));
        QVERIFY(!keeps("invert", true));
        QVERIFY(keeps("nl_means:search_radius=20,patch_radius=1", true));
    }

    // However quick the chain is: the last result is let go when the draft is there.
    void draftComesFirst() {
        const PyramidPtr image = pyramidOf(makePhotograph(PixelFormat::Rgba8, kTallSize));
        for (const bool large : {false, true}) {
            const Lowered lowered(large);
            EventLog log;
            RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
            QVERIFY(finishes(worker, log, request(1, image, chain({"invert"}))));
            QCOMPARE(log.has<DraftReady>(1), large);
            QVERIFY(log.has<FullReady>(1));
        }
    }

    void sameCountsOfSteps() {
        RenderRequest wanted =
            request(1, pyramidOf(makePhotograph(PixelFormat::Rgba8, kTallSize)), kBandedChains[0]);
        wanted.stepHistograms = true;
        std::vector<StepHistogramsReady> found;
        for (const bool large : {false, true}) {
            const Lowered lowered(large);
            EventLog log;
            RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
            QVERIFY(finishes(worker, log, wanted));
            QCOMPARE(log.all<StepHistogramsReady>().size(), std::size_t(1));
            found.push_back(log.all<StepHistogramsReady>().back());
        }
        QCOMPARE(found[1].steps.size(), std::size_t(5));
        QCOMPARE(found[0].steps.size(), found[1].steps.size());
        for (std::size_t i = 0; i < 5; ++i) {
            const HistogramSet& a = found[0].steps[i].counts;
            const HistogramSet& b = found[1].steps[i].counts;
            QCOMPARE(b.size, a.size);
            QCOMPARE(b.channels.size(), a.channels.size());
            for (std::size_t c = 0; c < a.channels.size(); ++c)
                QCOMPARE(b.channels[c].bins, a.channels[c].bins);
        }
    }

    // Rows in the middle, of the region's rows if there is one, and the row says how many.
    void timedOnAPart() {
        RenderRequest wanted =
            request(1, pyramidOf(makePhotograph(PixelFormat::Rgba8, {160, 120})),
                    chain({"flip_rotate:operation=rotate_90", "crop:x=3,y=5", "median:radius=1"}));
        wanted.compare = true;
        // The last one is timed whole.
        const Rect small{40, 30, 20, 10};
        for (const Rect& region : {Rect{}, Rect{40, 30, 50, 60}, small}) {
            if (!region.empty()) wanted.region = RegionShape(region);
            const Lowered lowered(true);
            EventLog log;
            RenderWorker worker(realBackends, log.sink(), kWorkerBudget);
            QVERIFY(finishes(worker, log, wanted));
            const auto rows = log.all<TimingReady>();
            QVERIFY(!rows.empty() && rows.back().last);
            QCOMPARE(rows.back().stepIndex, std::size_t(2));
            for (const TimingReady& row : rows) {
                QCOMPARE(row.ofPart, region.width != small.width);
                QVERIFY(row.timing.width > 0 && row.timing.height > 0);
                QVERIFY(row.timing.width * row.timing.height <= 160 * 120 / 8);
                if (row.timing.measured())
                    QVERIFY(row.timing.agreement.verdict == Verdict::Identical);
            }
        }
    }
};

WARPSCOPE_TEST(LargeImageTest)
#include "large_image_test.moc"
