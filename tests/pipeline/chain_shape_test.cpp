// Sizes and formats along a chain, and which pixels a part of its result is made of, without
// computing any.
#include "pipeline/chains.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

constexpr Size kSize{200, 100};

ChainShape shape(const Pipeline& pipeline, PixelFormat format = PixelFormat::Rgba8) {
    return shapeOf(pipeline, format, Placement::all(kSize));
}

Pipeline named(Pipeline pipeline, std::initializer_list<const char*> names) {
    std::size_t i = 0;
    for (const char* name : names) pipeline.steps[i++].name = name;
    return pipeline;
}

std::string errorOf(const Pipeline& pipeline, std::size_t index, ErrorCode code) {
    const auto second = resolveSecondInput(pipeline, index);
    if (second) return "no error";
    return second.error().code == code ? second.error().message : "another code";
}

}  // namespace

class ChainShapeTest : public QObject {
    Q_OBJECT

  private slots:
    void anEmptyChainIsItsSource() {
        const ChainShape made = shape({}, PixelFormat::GrayF32);
        QVERIFY(made.steps.empty() && !made.failure);
        QCOMPARE(made.format, PixelFormat::GrayF32);
        QCOMPARE(made.place, Placement::all(kSize));
        QCOMPARE(made.sourceFromResult, PixelMap());
        QCOMPARE(neededFor(made, {3, 4, 5, 6}).source, (Rect{3, 4, 5, 6}));
        QVERIFY(neededFor(made, {3, 4, 5, 6}).second.empty());
        QCOMPARE(totalHalo(made), 0);
    }

    void sizesAndPlaces() {
        Pipeline pipeline = chain({"crop:x=30,y=10,width=101,height=67", "invert",
                                   "flip_rotate:operation=rotate_90", "grayscale", "crop:x=7,y=9"});
        pipeline.steps[1].enabled = false;
        const ChainShape made = shape(pipeline);
        QVERIFY(!made.failure);
        QCOMPARE(made.steps.size(), std::size_t(4));
        const std::size_t indices[] = {0, 2, 3, 4};
        const Size sizes[] = {{101, 67}, {67, 101}, {67, 101}, {60, 92}};
        for (std::size_t i = 0; i < 4; ++i) {
            QCOMPARE(made.steps[i].index, indices[i]);
            QCOMPARE(made.steps[i].plan->outputSize, sizes[i]);
            QCOMPARE(made.steps[i].plan->size, i ? sizes[i - 1] : kSize);
        }
        QCOMPARE(made.format, PixelFormat::Gray8);
        QCOMPARE(made.place, Placement::all(sizes[3]));
        // The result's first pixel: (7, 9) of the turned, (9, 66 - 7) of the first crop.
        QCOMPARE(made.sourceFromResult.mapX(0.5, 0.5), 30 + 9 + 0.5);
        QCOMPARE(made.sourceFromResult.mapY(0.5, 0.5), 10 + 59 + 0.5);
        QCOMPARE(made.steps[0].sourceFromInput, PixelMap());
        QCOMPARE(made.steps[1].sourceFromInput, (PixelMap{1, 0, 30, 0, 1, 10}));
        QCOMPARE(made.steps[3].sourceFromInput, made.steps[2].sourceFromInput);
        QCOMPARE(neededFor(made, {0, 0, 1, 1}).source, (Rect{39, 69, 1, 1}));
        QCOMPARE(neededFor(made, {0, 0, 60, 92}).source, (Rect{39, 10, 92, 60}));
    }

    void formatsThatAStepDoesNotTake() {
        const ChainShape made = shape(chain({"integral_image", "crop:x=1"}), PixelFormat::Gray8);
        QCOMPARE(made.steps[0].plan->input, PixelFormat::Gray8);
        QVERIFY(made.format == PixelFormat::Gray32 || made.format == PixelFormat::Gray64);
        QCOMPARE(made.steps[1].plan->input, made.format);
    }

    // A crop cuts the neighbourhoods of what follows, not of what comes before.
    void halosEndAtACrop() {
        const std::string_view blur = "box_mean:radius=5",
                               crop = "crop:x=20,y=30,width=60,height=40";
        const Rect corner{0, 0, 10, 10};
        QCOMPARE(neededFor(shape(chain({crop, blur})), corner).source, (Rect{20, 30, 15, 15}));
        QCOMPARE(neededFor(shape(chain({blur, crop})), corner).source, (Rect{15, 25, 20, 20}));
        QCOMPARE(neededFor(shape(chain({blur, crop, blur})), corner).source,
                 (Rect{15, 25, 25, 25}));
        QCOMPARE(neededFor(shape(chain({crop, blur})), {50, 30, 10, 10}).source,
                 (Rect{65, 55, 15, 15}));
        QCOMPARE(totalHalo(shape(chain({blur, crop, blur, "median:radius=2"}))), 12);
        // In a mirror, the other side; at the image's edge it ends too.
        const ChainShape mirrored =
            shape(chain({blur, "flip_rotate:operation=flip_horizontal", "median:radius=2"}));
        QCOMPARE(neededFor(mirrored, corner).source, (Rect{183, 0, 17, 17}));
    }

    void reducedCopies() {
        const Placement half = Placement::reducedCopy({100, 50}, kSize, 0.5);
        const ChainShape made =
            shapeOf(chain({"crop:x=40,y=20,width=100,height=60", "flip_rotate:operation=transpose",
                           "box_mean:radius=6"}),
                    PixelFormat::Rgba8, half);
        QVERIFY(!made.failure);
        QCOMPARE(made.place, Placement::reducedCopy({30, 50}, {60, 100}, 0.5));
        QCOMPARE(totalHalo(made), 3);
        QCOMPARE(neededFor(made, {0, 0, 1, 1}).source, (Rect{20, 10, 4, 4}));
    }

    void whatCannotBePlannedIsLeftOut() {
        const Pipeline pipeline = chain({"crop:x=4000", "flip_rotate:operation=transpose",
                                         "crop:x=90,width=30,height=2", "grayscale"});
        const Placement source = Placement::all(kSize);
        const ComputablePart part = computablePart(pipeline, PixelFormat::Rgba8, source);
        // The second one is too wide for what the turn has made.
        Pipeline rest = pipeline;
        rest.steps[0].enabled = rest.steps[2].enabled = false;
        QCOMPARE(part.passedOver.size(), std::size_t(2));
        QCOMPARE(part.passedOver[1].step, std::size_t(2));
        QCOMPARE(part.passedOver[0].step, std::size_t(0));
        QCOMPARE(part.passedOver[0].error.code, ErrorCode::InvalidArgument);
        QVERIFY(part.pipeline == rest);
        QVERIFY(!part.shape.failure);
        const ChainShape expected = shapeOf(rest, PixelFormat::Rgba8, source);
        QCOMPARE(part.shape.place.whole, expected.place.whole);
        QCOMPARE(part.shape.format, PixelFormat::Gray8);
        // Where all can be planned, nothing is left out.
        const Pipeline good = chain({"invert", "grayscale"});
        const ComputablePart all = computablePart(good, PixelFormat::Rgba8, source);
        QVERIFY(all.pipeline == good && all.passedOver.empty());
    }

    void whereItEnds() {
        const ChainShape made =
            shape(chain({"crop:x=10,width=50", "crop:x=20,width=50", "invert"}));
        QVERIFY(made.failure.has_value());
        QCOMPARE(made.failure->step, std::size_t(1));
        QCOMPARE(made.failure->error.code, ErrorCode::InvalidArgument);
        QVERIFY(made.failure->error.message.find("50 x 100") != std::string::npos);
        QCOMPARE(made.steps.size(), std::size_t(1));
        QCOMPARE(made.place, Placement::all({50, 100}));
    }

    void whatASecondInputNames() {
        if (!findOperation("blend")) QSKIP("no operation with two inputs is in the list");
        const Pipeline pipeline =
            named(chain({"invert", "median", "blend:with=source", "blend:with=second",
                         "blend:with=step:first", "blend:with=step:off", "blend:with=step:nowhere",
                         "blend:with=step:last", "blend:with=step:last"}),
                  {"first", "off", "", "", "", "", "", "last", "end"});
        Pipeline given = pipeline;
        given.steps[1].enabled = false;
        const auto resolved = [&](std::size_t i) { return resolveSecondInput(given, i).value(); };
        QVERIFY(!resolved(0));
        QVERIFY(resolved(2)->from == SecondInput::From::Chain);
        QCOMPARE(resolved(2)->depth, std::size_t(0));
        QVERIFY(resolved(3)->from == SecondInput::From::SecondImage);
        QCOMPARE(resolved(4)->depth, std::size_t(1));
        // What is switched off gives what it is given; switched on it is one deeper.
        QCOMPARE(resolved(5)->depth, std::size_t(1));
        QCOMPARE(resolveSecondInput(pipeline, 5).value()->depth, std::size_t(2));
        QVERIFY(errorOf(given, 6, ErrorCode::NotFound).find("'nowhere'") != std::string::npos);
        QVERIFY(errorOf(given, 7, ErrorCode::InvalidArgument).find("is itself") !=
                std::string::npos);
        QCOMPARE(resolved(8)->depth, std::size_t(7));
        given.steps[7].name = "";
        given.steps[8].name = "last";
        QVERIFY(errorOf(given, 7, ErrorCode::InvalidArgument).find("comes later") !=
                std::string::npos);
        // The shape passes over what has none and goes on.
        const ChainShape made = shape(given);
        QVERIFY(!made.failure);
        QCOMPARE(made.steps.size(), std::size_t(8));
        for (const ShapedStep& step : made.steps)
            QCOMPARE(!step.plan, step.index == 6 || step.index == 7 || step.index == 8);
        QVERIFY(!neededFor(made, {5, 5, 2, 2}).source.empty());
    }

    void secondInputsAreUnited() {
        if (!findOperation("blend")) QSKIP("no operation with two inputs is in the list");
        const Rect wanted{50, 40, 10, 10};
        const auto needed = [&](const Pipeline& pipeline) {
            return neededFor(shape(pipeline), wanted);
        };
        const std::string_view mirror = "flip_rotate:operation=flip_horizontal";
        // The result wants columns 50 to 59 of the mirrored source, and mirrored twice the same.
        const NeededParts twice =
            needed(named(chain({mirror, mirror, "blend:with=step:mirrored"}), {"mirrored"}));
        QCOMPARE(twice.source, (Rect{50, 40, 100, 10}));
        QVERIFY(twice.second.empty());
        // The source beside its blurred copy; the other image under a blur.
        QCOMPARE(needed(chain({"box_mean:radius=5", "blend:with=source"})).source,
                 grown(wanted, 5));
        const NeededParts other = needed(chain({"blend:with=second", "box_mean:radius=3"}));
        QCOMPARE(other.source, grown(wanted, 3));
        QCOMPARE(other.second, grown(wanted, 3));
        // Both through a step that neither depends on.
        QCOMPARE(needed(chain({mirror, "blend:with=second", mirror})).second,
                 (Rect{140, 40, 10, 10}));
        QCOMPARE(needed(named(chain({"median:radius=2", "box_mean:radius=5", mirror,
                                     "blend:with=step:soft"}),
                              {"soft"}))
                     .source,
                 (Rect{48, 33, 109, 24}));
    }
};

WARPSCOPE_TEST(ChainShapeTest)
#include "chain_shape_test.moc"
