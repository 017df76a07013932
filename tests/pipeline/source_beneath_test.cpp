// What objects are measured in: the source, moved as the chain moves it and not changed otherwise.
#include "engine/pipeline/source_beneath.h"

#include "pipeline/chains.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

Result<Image> beneath(const Image& image, const Pipeline& pipeline) {
    Executor executor(BackendSet::cpuOnly("none"), 1 << 28);
    ExecuteRequest request;
    request.source = image;
    request.pipeline =
        computablePart(pipeline, image.format(), Placement::all(image.size())).pipeline;
    const auto whole = executor.run(request, {});
    if (!whole) return fail(whole.error());
    request.pipeline = pipeline;
    return sourceBeneath(executor, request, whole->image.size(), {});
}

Image after(const Image& image, const Pipeline& pipeline) {
    Executor executor(BackendSet::cpuOnly("none"), 1 << 28);
    ExecuteRequest request;
    request.source = image;
    request.pipeline = pipeline;
    return executor.run(request, {}).value().image;
}

}  // namespace

class SourceBeneathTest : public QObject {
    Q_OBJECT

  private slots:
    // No copy where nothing is moved.
    void theSourceItself() {
        const Image image = makePhotograph(PixelFormat::Rgba8, {67, 41}, freshSeed());
        for (const Pipeline& pipeline :
             {chain({}), chain({"gaussian_blur:sigma=2", "threshold:method=otsu"}),
              chain({"rotate:angle=0", "grayscale"})}) {
            const auto found = beneath(image, pipeline);
            REQUIRE_OK(found);
            QCOMPARE(found->id(), image.id());
        }
    }

    void movedAsTheChainMoves_data() {
        QTest::addColumn<PixelFormat>("format");
        QTest::newRow("8 bits") << PixelFormat::Gray8;
        QTest::newRow("colour") << PixelFormat::Rgba8;
        QTest::newRow("16 bits") << PixelFormat::Gray16;
        QTest::newRow("float") << PixelFormat::GrayF32;
    }
    void movedAsTheChainMoves() {
        QFETCH(const PixelFormat, format);
        const Image image = makePhotograph(format, {67, 67}, freshSeed());
        // Of the same size though moved, too.
        for (const char* move :
             {"flip_rotate:operation=flip_horizontal", "flip_rotate:operation=rotate_90",
              "crop:x=5,y=7,width=40,height=31", "resize:percent=50,method=area",
              "rotate:angle=20,canvas=expand,outside=black"}) {
            const auto found =
                beneath(image, chain({"gaussian_blur:sigma=1", move, "threshold:method=otsu"}));
            REQUIRE_OK(found);
            compareSamples(after(image, chain({move})), *found, move);
        }
    }

    // Switched off, or refused by what it is given: it moves nothing.
    void stepsThatDoNotRunMoveNothing() {
        const Image image = makePhotograph(PixelFormat::Gray8, {67, 41}, freshSeed());
        Pipeline pipeline = chain({"flip_rotate:operation=transpose", "threshold"});
        pipeline.steps.front().enabled = false;
        QVERIFY(movingSteps(pipeline, image.format(), image.size()).steps.empty());
        pipeline = chain({"crop:x=60,width=20", "flip_rotate:operation=flip_vertical"});
        const Pipeline moving = movingSteps(pipeline, image.format(), image.size());
        QCOMPARE(moving.steps.size(), std::size_t(1));
        QVERIFY(moving.steps.front() == pipeline.steps.back());
        const auto found = beneath(image, pipeline);
        REQUIRE_OK(found);
        compareSamples(after(image, moving), *found, "flipped");
    }

    void stops() {
        const Image image = makePhotograph(PixelFormat::Gray8, {67, 41}, freshSeed());
        Executor executor(BackendSet::cpuOnly("none"), 1 << 28);
        ExecuteRequest request;
        request.source = image;
        request.pipeline = chain({"flip_rotate:operation=transpose"});
        std::stop_source stop;
        stop.request_stop();
        const auto found = sourceBeneath(executor, request, {41, 67}, {stop.get_token(), {}});
        QVERIFY(!found);
        QCOMPARE(found.error().code, ErrorCode::Cancelled);
    }

    void anotherSizeIsNothing() {
        const Image image = makePhotograph(PixelFormat::Gray8, {67, 41}, freshSeed());
        Executor executor(BackendSet::cpuOnly("none"), 1 << 28);
        ExecuteRequest request;
        request.source = image;
        const auto found = sourceBeneath(executor, request, {41, 67}, {});
        REQUIRE_OK(found);
        QVERIFY(found->isNull());
    }
};

WARPSCOPE_TEST(SourceBeneathTest)
#include "source_beneath_test.moc"
