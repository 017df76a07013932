// The demo's parts that need no threads: figures, moving pictures, chains, lists, texts.
#include <QTest>
#include <cmath>

#include "engine/image/synthetic.h"
#include "engine/pipeline/executor.h"
#include "gui/app/command_line.h"
#include "gui/showcase/chain.h"
#include "gui/showcase/frame_source.h"
#include "gui/showcase/frame_times.h"
#include "gui/showcase/screen_picture.h"
#include "gui/showcase/showcase_face.h"
#include "gui/showcase/showcase_items.h"
#include "gui/showcase/showcase_painter.h"
#include "pipeline/fake_backend.h"
#include "support/images.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

Image scene(Size size, bool color = true) {
    return makeScene(size, color, 3, CpuContext{}).value();
}

Pipeline chainOf(std::initializer_list<const char*> steps) {
    Pipeline pipeline;
    for (const char* step : steps) pipeline.steps.push_back(parseStep(step).value());
    return pipeline;
}

RunnerState runningState(Verdict verdict) {
    RunnerState state;
    state.phase = RunnerState::Phase::Running;
    state.work = 1;
    state.hasGpu = true;
    BackendInfo cpu{BackendKind::Cpu, "CPU, 16 threads", "a processor", 16, {}};
    BackendInfo gpu{BackendKind::Cuda, "a GPU", "a GPU", 0, {}};
    state.left = cpu;
    state.right = gpu;
    state.match.sides[0].backend = cpu;
    state.match.sides[1].backend = gpu;
    state.match.sides[0].times = {30, {40, 0, 0, 0}};
    state.match.sides[1].times = {300, {2, 0.5, 0.4, 0.8}};
    ChainAgreement agreement;
    agreement.agreement.verdict = verdict;
    agreement.agreement.differing = 12;
    agreement.agreement.maxDifference = 3;
    agreement.agreement.firstX = 4;
    agreement.agreement.firstY = 7;
    agreement.step = "step 1, median";
    state.match.agreement = agreement;
    return state;
}

}  // namespace

class PartsTest : public QObject {
    Q_OBJECT
  private slots:
    void mediansAreOfTheLastSecond();
    void longFramesKeepThree();
    void noFrameEqualsTheOneBefore();
    void imagesAreContinuedByTheirMirrorImage();
    void picturesFillTheirHalf_data();
    void picturesFillTheirHalf();
    void sumsAreShownOverTheirRange();
    void chainsAreRefusedByName();
    void chainsComputeWhatTheBackendDoes();
    void agreementIsStepByStep();
    void ownPipelineComesFirst();
    void startsAreFoundById();
    void speedupNeedsAgreement();
    void rates_data();
    void rates();
    void layoutFits_data();
    void layoutFits();
    void commandLine();
};

void PartsTest::mediansAreOfTheLastSecond() {
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

void PartsTest::longFramesKeepThree() {
    FrameStatistics statistics;
    for (const double ms : {9000.0, 7000.0, 5000.0, 6000.0}) statistics.add({ms, 0, 0, 0});
    QCOMPARE(statistics.summary().frames, FrameStatistics::kLeast);
    QCOMPARE(statistics.summary().median.totalMs, 6000.0);
}

void PartsTest::noFrameEqualsTheOneBefore() {
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
    QVERIFY(!sameSamples(source.frame(source.at(0)), source.frame(source.next(0, source.at(0)))));
}

void PartsTest::imagesAreContinuedByTheirMirrorImage() {
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

void PartsTest::picturesFillTheirHalf_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("shownWidth");
    QTest::addColumn<int>("shownHeight");
    QTest::newRow("wide") << 1920 << 1080 << 90 << 60;
    QTest::newRow("tall") << 300 << 2000 << 90 << 60;
    QTest::newRow("small stays small") << 40 << 40 << 40 << 27;
    QTest::newRow("one pixel") << 1 << 1 << 1 << 1;
}

void PartsTest::picturesFillTheirHalf() {
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

void PartsTest::sumsAreShownOverTheirRange() {
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

void PartsTest::chainsAreRefusedByName() {
    const Size size{32, 32};
    const auto none = planChain({}, PixelFormat::Rgba8, size);
    QVERIFY(!none);
    const auto sums = planChain(chainOf({"integral_image", "median"}), PixelFormat::Rgba8, size);
    QVERIFY(!sums);
    QCOMPARE(sums.error().code, ErrorCode::Unsupported);
    QVERIFY(QString::fromStdString(sums.error().message).contains("step 2, median"));
    const auto idle = planChain(chainOf({"grayscale"}), PixelFormat::Gray8, size);
    QVERIFY(!idle);
    Pipeline off = chainOf({"median", "grayscale"});
    off.steps[0].enabled = false;
    QCOMPARE(planChain(off, PixelFormat::Rgba8, size)->size(), std::size_t(1));
}

void PartsTest::chainsComputeWhatTheBackendDoes() {
    const auto backend = makeCpuBackend(Threading::AllCores);
    const Image image = scene({120, 90});
    const Pipeline pipeline = chainOf({"gaussian_blur:sigma=3", "median:radius=2", "grayscale"});
    const Chain chain = planChain(pipeline, image.format(), image.size()).value();
    double last = 0;
    std::vector<StepProbe> probes;
    const Image result =
        runChain(*backend, chain, image, {{}, [&](double part) { last = part; }}, &probes).value();
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

void PartsTest::agreementIsStepByStep() {
    const Image image = scene({96, 80});
    const Chain chain = planChain(chainOf({"nl_means:search_radius=2,patch_radius=1", "median"}),
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
    // One sample of nl_means off by one is within its rule; the median after it, run again from the
    // same input, must be the same bits and is not.
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

void PartsTest::ownPipelineComesFirst() {
    const auto without = showcaseOperations({});
    const auto with = showcaseOperations(chainOf({"median", "gaussian_blur:sigma=2"}));
    QCOMPARE(with.size(), without.size() + 1);
    QCOMPARE(with.front().id, QStringLiteral("pipeline"));
    QCOMPARE(with.front().pipeline.steps.size(), std::size_t(2));
    for (const ShowcaseOperation& operation : without) {
        QVERIFY(operation.id != QStringLiteral("histogram"));  // gives no picture
        QVERIFY(!operation.label.isEmpty());
    }
    Pipeline off = chainOf({"median"});
    off.steps[0].enabled = false;
    QCOMPARE(showcaseOperations(off).size(), without.size());
}

void PartsTest::startsAreFoundById() {
    const auto operations = showcaseOperations({});
    const auto sizes = showcaseSizes(scene({40, 30}), QStringLiteral("photo.png"));
    QCOMPARE(sizes.back().size, (Size{40, 30}));
    QCOMPARE(sizes.back().label, QStringLiteral("photo.png"));
    const ShowcaseStart usual = showcaseStart({}, operations, sizes);
    QCOMPARE(std::size_t(usual.size), sizes.size() - 1);
    const ShowcaseStart named = showcaseStart(QStringLiteral("4k, nl_means"), operations, sizes);
    QVERIFY(named.error.isEmpty());
    QCOMPARE(operations[std::size_t(named.operation)].id, QStringLiteral("nl_means"));
    QCOMPARE(sizes[std::size_t(named.size)].size, (Size{3840, 2160}));
    const ShowcaseStart wrong = showcaseStart(QStringLiteral("sharpest"), operations, sizes);
    QVERIFY(wrong.error.contains(QStringLiteral("'sharpest'")));
    QVERIFY(wrong.error.contains(QStringLiteral("nl_means")));
    QVERIFY(wrong.error.contains(QStringLiteral("8k")));
}

void PartsTest::speedupNeedsAgreement() {
    const auto operations = showcaseOperations({});
    const auto sizes = showcaseSizes({}, {});
    const RunnerState good = runningState(Verdict::Identical);
    QCOMPARE(speedupOf(good.match).endToEnd, 20.0);
    QCOMPARE(speedupOf(good.match).kernelsOnly, 100.0);
    const ShowcaseFace face = faceOf(good, 1, operations[0], sizes[0], false);
    QCOMPARE(face.factor, QStringLiteral("20×"));
    QVERIFY(face.factorSides.contains(QStringLiteral("16")));
    QVERIFY(face.factorMore.contains(QStringLiteral("100×")));
    QCOMPARE(face.sides[0].rate, QStringLiteral("25.0"));
    QCOMPARE(face.sides[1].rate, QStringLiteral("500"));

    const RunnerState bad = runningState(Verdict::Differs);
    const ShowcaseFace red = faceOf(bad, 1, operations[0], sizes[0], false);
    QCOMPARE(speedupOf(bad.match).endToEnd, 0.0);
    QVERIFY(red.factor.isEmpty() && red.factorMore.isEmpty());
    QVERIFY(red.differs);
    QVERIFY(red.agreement.contains(QStringLiteral("(4, 7)")));
    QVERIFY(red.agreement.contains(QStringLiteral("median")));

    RunnerState unknown = good;
    unknown.match.agreement.reset();
    QVERIFY(faceOf(unknown, 1, operations[0], sizes[0], false).factor.isEmpty());
    RunnerState failed = good;
    failed.match.sides[1].failure = "no memory left on the GPU";
    const ShowcaseFace alone = faceOf(failed, 1, operations[0], sizes[0], false);
    QVERIFY(alone.factor.isEmpty());
    QVERIFY(alone.sides[1].problem.contains(QStringLiteral("no memory")));
    QCOMPARE(alone.sides[0].rate, QStringLiteral("25.0"));
    // Figures of other work than what is asked for are not shown.
    QVERIFY(faceOf(good, 2, operations[0], sizes[0], false).sides[0].rate.isEmpty());
}

void PartsTest::rates_data() {
    QTest::addColumn<double>("rate");
    QTest::addColumn<QString>("text");
    QTest::newRow("nothing") << 0.0 << QString();
    QTest::newRow("slow") << 0.0123 << QStringLiteral("0.0123");
    QTest::newRow("one") << 1.234 << QStringLiteral("1.23");
    QTest::newRow("ten") << 12.34 << QStringLiteral("12.3");
    QTest::newRow("hundred") << 123.4 << QStringLiteral("123");
    QTest::newRow("rounds up") << 99.96 << QStringLiteral("100");
    QTest::newRow("thousands") << 12345.6 << QStringLiteral("12,346");
}

void PartsTest::rates() {
    QFETCH(double, rate);
    QFETCH(QString, text);
    QLocale::setDefault(QLocale::c());
    QCOMPARE(rateText(rate), text);
}

void PartsTest::layoutFits_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(640, 400), QSize(1280, 720), QSize(1920, 1080),
                             QSize(3840, 2160), QSize(1080, 1920), QSize(3440, 1440)})
        QTest::addRow("%dx%d", size.width(), size.height()) << size;
}

void PartsTest::layoutFits() {
    QFETCH(QSize, size);
    const ShowcaseLayout layout = layoutFor(size);
    const QRect all(QPoint(), size);
    for (std::size_t i = 0; i < 2; ++i) {
        for (const QRect& rect : {layout.names[i], layout.pictures[i], layout.figures[i]}) {
            QVERIFY(rect.isValid());
            QVERIFY(all.contains(rect));
            QVERIFY(!rect.intersects(layout.foot));
            QVERIFY(!rect.intersects(layout.head));
        }
        QVERIFY(!layout.pictures[i].intersects(layout.figures[i]));
        QVERIFY(!layout.figures[i].intersects(layout.factor));
    }
    QCOMPARE(layout.pictures[0].size(), layout.pictures[1].size());
    QVERIFY(!layout.pictures[0].intersects(layout.pictures[1]));
    QVERIFY(layout.pictures[0].height() * 5 > size.height());
}

void PartsTest::commandLine() {
    const auto of = [](const char* what) {
        return parseCommandLine(
            {QStringLiteral("warpscope"), QStringLiteral("--side-by-side"), QLatin1String(what)});
    };
    QCOMPARE(of("median,4k").sideBySide, std::optional<QString>(QStringLiteral("median,4k")));
    QCOMPARE(of("auto").sideBySide, std::optional<QString>(QString()));
    QVERIFY(!parseCommandLine({QStringLiteral("warpscope")}).sideBySide);
}

WARPSCOPE_TEST(PartsTest)
#include "parts_test.moc"
