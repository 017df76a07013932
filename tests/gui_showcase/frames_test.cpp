// What the demo computes and times: figures of frames, moving pictures, chains, pictures for the
// screen.
#include <QTest>
#include <cmath>

#include "engine/image/synthetic.h"
#include "engine/pipeline/executor.h"
#include "gui/display/display_settings.h"
#include "gui/showcase/busy_meter.h"
#include "gui/showcase/chain.h"
#include "gui/showcase/frame_source.h"
#include "gui/showcase/frame_times.h"
#include "gui/showcase/screen_picture.h"
#include "gui_showcase/chain_of.h"
#include "pipeline/fake_backend.h"
#include "support/images.h"
#include "support/random_seed.h"
#include "support/system_tree.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::gui;

namespace {

Image scene(Size size, bool color = true) {
    return makeScene(size, color, 3, CpuContext{}).value();
}

// Alpha left out.
int brightest(const Image& picture) {
    const auto view = picture.view<std::uint8_t>();
    int most = 0;
    for (int y = 0; y < view.height; ++y)
        for (int i = 0; i < view.samplesPerRow(); ++i)
            if (view.channels == 1 || i % 4 != 3) most = std::max(most, int(view.row(y)[i]));
    return most;
}

}  // namespace

class FramesTest : public QObject {
    Q_OBJECT
  private slots:
    void mediansAreOfTheLastSecond() {
        FrameStatistics statistics;
        QCOMPARE(statistics.summary().framesPerSecond(), 0.0);
        for (int i = 0; i < 200; ++i) statistics.add({50, 1, 2, 3});
        for (int i = 0; i < 100; ++i) statistics.add({10, 4, 5, 1});
        const auto summary = statistics.summary();
        QCOMPARE(summary.frames, std::size_t(100));  // exactly one second of them
        QCOMPARE(summary.median.totalMs, 10.0);
        QCOMPARE(summary.median.uploadMs, 4.0);
        QCOMPARE(summary.median.kernelMs, 5.0);
        QCOMPARE(summary.median.downloadMs, 1.0);
        QCOMPARE(summary.framesPerSecond(), 100.0);
        QCOMPARE(statistics.counted(), std::uint64_t(300));
    }

    // Turns are rounds: what differs from one to the next is how sure the figure is.
    void turnsGiveTheInterval() {
        FrameStatistics statistics;
        Samples rounds, kernels;
        for (int turn = 0; turn < 8; ++turn) {
            std::vector<double> ms;
            for (int frame = 0; frame < 3; ++frame) {
                ms.push_back(10 + turn + 0.1 * frame);
                statistics.add({ms.back(), 0, ms.back() / 4, 0}, frame == 0,
                               turn < 3     ? 2
                               : frame == 2 ? 0
                                            : 1);
            }
            rounds.addRound(ms);
            for (double& one : ms) one /= 4;
            kernels.addRound(ms);
        }
        const auto summary = statistics.summary();
        const SampleSummary truth = summarizeRounds(rounds);
        QVERIFY(truth.intervalKnown() && truth.noisy());
        QCOMPARE(summary.total.rounds, 8);
        QCOMPARE(summary.total.lowMs, truth.lowMs);
        QCOMPARE(summary.total.highMs, truth.highMs);
        QCOMPARE(summary.median.totalMs, truth.medianMs);
        QCOMPARE(summary.kernels.highMs, summarizeRounds(kernels).highMs);
        // 9 frames of two, 10 of one; those that nobody counted say nothing.
        QCOMPARE(summary.threadsWorked, 1);
        FrameStatistics one;
        for (int i = 0; i < 9; ++i) one.add({1.0 + i, 0, 0, 0}, i == 0);
        QVERIFY(!one.summary().total.intervalKnown());
        QCOMPARE(one.summary().threadsWorked, 0);
    }

    void otherProgramsAreSeen() {
        const SystemTree tree;
        const auto put = [&](int own, int busy, int idle) {
            tree.put("proc/self/stat",
                     fmt::format("12 (a) S 1 2 3 4 5 6 7 8 9 10 {} 0 0 0 20 0\n", own));
            tree.put("proc/stat", fmt::format("cpu  {} 0 0 {} 0 0 0 0 0 0\n", busy, idle));
        };
        FakeClock clock;
        BusyMeter meter(tree.folders, clock);
        put(100, 1000, 5000);
        meter.look();
        QVERIFY(!meter.otherWork());
        clock.advanceMs(BusyMeter::kEveryMs / 2);
        put(100, 1900, 5000);
        meter.look();  // too soon
        QVERIFY(!meter.otherWork());
        clock.advanceMs(BusyMeter::kEveryMs);
        put(150, 1150, 5050);  // 150 busy, of these 50 ours, of 200
        meter.look();
        QCOMPARE(meter.otherWork().value(), 0.5);
        // What was long ago is forgotten.
        for (int i = 1; i <= 8; ++i) {
            clock.advanceMs(BusyMeter::kEveryMs);
            put(150 + 100 * i, 1150 + 100 * i, 5050);
            meter.look();
        }
        QCOMPARE(meter.otherWork().value(), 0.0);
    }

    void longFramesKeepThree() {
        FrameStatistics statistics;
        for (const double ms : {9000.0, 7000.0, 5000.0, 6000.0}) statistics.add({ms, 0, 0, 0});
        QCOMPARE(statistics.summary().frames, FrameStatistics::kLeast);
        QCOMPARE(statistics.summary().median.totalMs, 6000.0);
    }

    void noFrameEqualsTheOneBefore() {
        const FrameSource source = FrameSource::ofScene({64, 48}, {}).value();
        QCOMPARE(source.frameSize(), (Size{64, 48}));
        Rect last;
        bool moved = false;
        for (int i = 0; i < 3000; ++i) {
            const double seconds = i * 0.01;
            const Rect rect = source.next(seconds, last);
            QVERIFY(!(rect == last));
            // At the place of that time, or one pixel beside it: both sides see the same scene.
            const Rect place = source.at(seconds);
            QVERIFY(rect.y == place.y && std::abs(rect.x - place.x) <= 1);
            moved = moved || std::abs(rect.x - source.at(0).x) > 2;
            const Image frame = source.frame(rect);  // inside the stage, or crop would be refused
            QCOMPARE(frame.size(), (Size{64, 48}));
            last = rect;
        }
        QVERIFY(moved);
        QVERIFY(
            !sameSamples(source.frame(source.at(0)), source.frame(source.next(0, source.at(0)))));
    }

    void imagesAreContinuedByTheirMirrorImage() {
        const Image image = scene({30, 12});
        const FrameSource source = FrameSource::ofImage(image, {}).value();
        QCOMPARE(source.frameSize(), image.size());
        QVERIFY(sameSamples(source.frame({0, 0, 30, 12}), image));
        const Image right = source.frame({1, 0, 30, 12});
        QVERIFY(sameSamples(right.crop({29, 0, 1, 12}), image.crop({29, 0, 1, 12})));
        const Image below = source.frame({0, 2, 30, 12});
        QVERIFY(sameSamples(below.crop({0, 10, 30, 1}), image.crop({0, 11, 30, 1})));
        QVERIFY(sameSamples(below.crop({0, 11, 30, 1}), image.crop({0, 10, 30, 1})));
        // The smallest image there is has room to move as well.
        const FrameSource tiny = FrameSource::ofImage(image.crop({0, 0, 1, 1}), {}).value();
        QVERIFY(!(tiny.next(1, tiny.at(1)) == tiny.at(1)));
    }

    void picturesFillTheirHalf_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("shownWidth");
        QTest::addColumn<int>("shownHeight");
        QTest::newRow("wide") << 1920 << 1080 << 90 << 60;
        QTest::newRow("tall") << 300 << 2000 << 90 << 60;
        QTest::newRow("small stays small") << 40 << 40 << 40 << 27;
        QTest::newRow("one pixel") << 1 << 1 << 1 << 1;
    }

    void picturesFillTheirHalf() {
        QFETCH(int, width);
        QFETCH(int, height);
        QFETCH(int, shownWidth);
        QFETCH(int, shownHeight);
        auto flat = MutableImage::create(PixelFormat::Gray8, {width, height});
        for (int y = 0; y < height; ++y)
            std::fill_n(flat->view<std::uint8_t>().row(y), width,
                        std::uint8_t(y < height / 2 ? 10 : 90));
        const Image picture = screenPicture(std::move(*flat).freeze({}), {90, 60}).value();
        QCOMPARE(picture.size(), (Size{shownWidth, shownHeight}));
        if (height < 2) return;
        QCOMPARE(picture.view<const std::uint8_t>().data != nullptr, true);
        QCOMPARE(int(picture.view<std::uint8_t>().row(0)[0]), 10);
        QCOMPARE(int(picture.view<std::uint8_t>().row(shownHeight - 1)[shownWidth - 1]), 90);
    }

    void sumsAreShownOverTheirRange() {
        const auto backend = makeCpuBackend(Threading::Single);
        const Image image = scene({400, 300});
        const Chain chain =
            planChain(chainOf({"integral_image"}), image.format(), image.size()).value();
        const Image sums = runChain(*backend, chain, image, {}).value();
        QCOMPARE(sums.format(), PixelFormat::Gray32);
        const Image picture = screenPicture(sums, {100, 75}).value();
        QCOMPARE(picture.format(), PixelFormat::Gray8);
        const auto view = picture.view<std::uint8_t>();
        QVERIFY(view.row(0)[0] < 5);
        QVERIFY(view.row(picture.height() - 1)[picture.width() - 1] > 240);
    }

    // 16 bits of which a person sees nothing over the full range; 8 bits stay as they are.
    void picturesHaveTheLookOfTheWindow() {
        for (const bool color : {false, true}) {
            const Image bright = makeScene({301, 203}, color, freshSeed(), CpuContext{}).value();
            const Image dark = darkened(bright);
            DisplaySettings display;
            const StillLook still = display.stillLookFor(dark);
            QVERIFY(still.words.contains(QStringLiteral("percentiles")));
            const auto range = percentilesOf(dark);
            QCOMPARE(still.look.range->low, range->low);
            QCOMPARE(still.look.range->high, range->high);
            const Image before = screenPicture(dark, {90, 60}).value();
            const Image after = screenPicture(dark, {90, 60}, {still.look, dark.format()}).value();
            QVERIFY(brightest(before) < 8);
            QVERIFY(brightest(after) > 200);
            QCOMPARE(isColor(after.format()), color);

            const StillLook plain = display.stillLookFor(bright);
            QVERIFY(plain.words.isEmpty() && plain.look == DisplayLook{});
            QVERIFY(sameSamples(
                screenPicture(bright, {90, 60}).value(),
                screenPicture(bright, {90, 60}, {plain.look, bright.format()}).value()));
            // What has other samples is over its own range.
            const Chain chain =
                planChain(chainOf({"integral_image"}), dark.format(), dark.size()).value();
            const auto backend = makeCpuBackend(Threading::Single);
            const Image sums = runChain(*backend, chain, dark, {}).value();
            QVERIFY(
                sameSamples(screenPicture(sums, {90, 60}).value(),
                            screenPicture(sums, {90, 60}, {still.look, dark.format()}).value()));
            QVERIFY(brightest(screenPicture(sums, {90, 60}).value()) > 200);

            // What a person chose stays, and is known at once.
            display.setManual(dark, {0, 20'000});
            QCOMPARE(display.stillLookFor(dark).look.range->high, 20'000.0);
            display.setChoice(RangeChoice::MinMax);
            QCOMPARE(display.stillLookFor(dark).look.range->high, extremesOf(dark)->high);
            display.setChoice(RangeChoice::Natural);
            display.setView({ViewChannel::All, ColorMap::None, 5, 1, true});
            QVERIFY(!display.stillLookFor(dark).look.range);
            QVERIFY(!display.stillLookFor(dark).look.view.zebra);
            QCOMPARE(display.stillLookFor(dark).look.view.stops, 5.0);
        }
    }

    // A file of 8 bits whose white is 100 is as bright as in the window.
    void whiteLevelsAreWhite() {
        auto flat = MutableImage::create(PixelFormat::Gray8, {64, 48});
        for (int y = 0; y < 48; ++y)
            std::fill_n(flat->view<std::uint8_t>().row(y), 64, std::uint8_t(100));
        ImageInfo info;
        info.whiteLevel = 100;
        QCOMPARE(brightest(screenPicture(std::move(*flat).freeze(info), {32, 24}).value()), 255);
    }

    void chainsAreRefusedByName() {
        const Size size{32, 32};
        const auto none = planChain({}, PixelFormat::Rgba8, size);
        QVERIFY(!none);
        const auto sums =
            planChain(chainOf({"integral_image", "median"}), PixelFormat::Rgba8, size);
        QVERIFY(!sums);
        QCOMPARE(sums.error().code, ErrorCode::Unsupported);
        QVERIFY(QString::fromStdString(sums.error().message).contains("step 2, median"));
        const auto idle = planChain(chainOf({"grayscale"}), PixelFormat::Gray8, size);
        QVERIFY(!idle);
        Pipeline off = chainOf({"median", "grayscale"});
        off.steps[0].enabled = false;
        QCOMPARE(planChain(off, PixelFormat::Rgba8, size)->size(), std::size_t(1));
    }

    void chainsComputeWhatTheBackendDoes() {
        const auto backend = makeCpuBackend(Threading::AllCores);
        const Image image = scene({120, 90});
        const Pipeline pipeline =
            chainOf({"gaussian_blur:sigma=3", "median:radius=2", "grayscale"});
        const Chain chain = planChain(pipeline, image.format(), image.size()).value();
        double last = 0;
        std::vector<StepProbe> probes;
        const Image result =
            runChain(*backend, chain, image, {{}, [&](double part) { last = part; }}, &probes)
                .value();
        QCOMPARE(last, 1.0);
        QCOMPARE(probes.size(), std::size_t(3));
        QVERIFY(sameSamples(probes[0].input, image));
        QVERIFY(sameSamples(probes[1].input, probes[0].output));
        QVERIFY(sameSamples(probes[2].output, result));
        Executor executor(BackendSet::cpuOnly("not here"), 0);
        ExecuteRequest request;
        request.source = image;
        request.pipeline = pipeline;
        QVERIFY(sameSamples(executor.run(request, {})->image, result));
    }

    void chainsMayChangeTheSize() {
        const auto backend = makeCpuBackend(Threading::AllCores);
        const Image image = scene({121, 93});
        const Chain chain =
            planChain(chainOf({"crop:x=17,y=9,width=51,height=71", "median:radius=2"}),
                      image.format(), image.size())
                .value();
        std::vector<StepProbe> probes;
        const Image result = runChain(*backend, chain, image, {}, &probes).value();
        QCOMPARE(result.size(), (Size{51, 71}));
        QVERIFY(sameSamples(probes[1].input, image.crop({17, 9, 51, 71})));
        QCOMPARE(screenPicture(result, {300, 200})->size(), (Size{51, 34}));
        const auto agreed = compareProbes(*backend, chain, probes, probes, {});
        QVERIFY(agreed && agreed->agreement.verdict == Verdict::Identical);
    }

    void agreementIsStepByStep() {
        const Image image = scene({96, 80});
        const Chain chain =
            planChain(chainOf({"nl_means:search_radius=2,patch_radius=1", "median"}),
                      image.format(), image.size())
                .value();
        test::FakeBackend good(BackendKind::Cuda);
        test::FakeBackend bad(BackendKind::Cuda);
        bad.wrongPixel = true;
        std::vector<StepProbe> reference, same, off;
        QVERIFY(runChain(good, chain, image, {}, &reference));
        QVERIFY(runChain(good, chain, image, {}, &same));
        QVERIFY(runChain(bad, chain, image, {}, &off));
        const auto identical = compareProbes(good, chain, reference, same, {});
        QCOMPARE(identical->agreement.verdict, Verdict::Identical);
        // One sample of nl_means off by one is within its rule; the median after it, run again from
        // the same input, must be the same bits and is not.
        const auto differs = compareProbes(bad, chain, reference, off, {});
        QCOMPARE(differs->agreement.verdict, Verdict::Differs);
        QCOMPARE(differs->step, std::string("step 2, median"));
        // The same probes, but a median that is right from the right input: within the rule.
        off[1].output = reference[1].output;
        const auto within = compareProbes(good, chain, reference, off, {});
        QCOMPARE(within->agreement.verdict, Verdict::WithinRule);
        QCOMPARE(within->agreement.differing, std::uint64_t(1));
        QCOMPARE(within->step, std::string("step 1, nl_means"));
    }
};

WARPSCOPE_TEST(FramesTest)
#include "frames_test.moc"
