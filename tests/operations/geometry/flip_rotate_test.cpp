#include "engine/operations/geometry/flip_rotate.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <random>

#include "pipeline/chains.h"
#include "support/operation_run.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

struct Pixel {
    int x = 0;
    int y = 0;
};

// Where a pixel of an image that is `size` large goes.
struct Move {
    std::string id;
    std::function<Pixel(Size size, Pixel from)> target;
};

const Move kMoves[] = {
    {"rotate_90",
     [](Size s, Pixel p) {
         return Pixel{s.height - 1 - p.y, p.x};
     }},
    {"rotate_180",
     [](Size s, Pixel p) {
         return Pixel{s.width - 1 - p.x, s.height - 1 - p.y};
     }},
    {"rotate_270",
     [](Size s, Pixel p) {
         return Pixel{p.y, s.width - 1 - p.x};
     }},
    {"flip_horizontal",
     [](Size s, Pixel p) {
         return Pixel{s.width - 1 - p.x, p.y};
     }},
    {"flip_vertical",
     [](Size s, Pixel p) {
         return Pixel{p.x, s.height - 1 - p.y};
     }},
    {"transpose",
     [](Size, Pixel p) {
         return Pixel{p.y, p.x};
     }},
    {"transverse",
     [](Size s, Pixel p) {
         return Pixel{s.height - 1 - p.y, s.width - 1 - p.x};
     }},
};

Image truthOf(const Move& move, const Image& image) {
    const Pixel last = move.target(image.size(), {0, 0});
    const Pixel other = move.target(image.size(), {image.width() - 1, image.height() - 1});
    const Size size{std::abs(last.x - other.x) + 1, std::abs(last.y - other.y) + 1};
    const MutableImage out = MutableImage::create(image.format(), size).value();
    const auto bytes = std::size_t(bytesPerPixel(image.format()));
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const Pixel to = move.target(image.size(), {x, y});
            std::memcpy(out.rowBytes(to.y) + std::size_t(to.x) * bytes,
                        image.rowBytes(y) + std::size_t(x) * bytes, bytes);
        }
    return MutableImage(out).freezeLike(image);
}

Image turned(const std::string& operation, const Image& image,
             Threading threading = Threading::Single) {
    return runOn(flip_rotate_operation(), {{"operation", operation}}, image, threading);
}

Image gray(Size size, const std::vector<double>& samples) {
    return makeImage(PixelFormat::Gray8, size, samples);
}

std::vector<Size> freshSizes(std::mt19937& random) {
    const auto upTo = [&](unsigned most) { return 1 + int(random() % most); };
    return {{1, 1},
            {1, upTo(300)},
            {upTo(300), 1},
            {61, 67},
            {127, 131},
            {64, 32},
            {128, 128},
            {upTo(40), upTo(40)},
            {upTo(200), upTo(200)},
            {upTo(7), upTo(500)},
            {upTo(500), upTo(7)}};
}

}  // namespace

class FlipRotateTest : public QObject {
    Q_OBJECT

  private slots:
    // What the words mean.
    void asWrittenDown() {
        const Image image = gray({3, 2}, {1, 2, 3, 4, 5, 6});
        const auto check = [&](const char* id, Size size, const std::vector<double>& samples) {
            compareSamples(gray(size, samples), turned(id, image), id);
        };
        check("rotate_90", {2, 3}, {4, 1, 5, 2, 6, 3});
        check("rotate_180", {3, 2}, {6, 5, 4, 3, 2, 1});
        check("rotate_270", {2, 3}, {3, 6, 2, 5, 1, 4});
        check("flip_horizontal", {3, 2}, {3, 2, 1, 6, 5, 4});
        check("flip_vertical", {3, 2}, {4, 5, 6, 1, 2, 3});
        check("transpose", {2, 3}, {1, 4, 2, 5, 3, 6});
        check("transverse", {2, 3}, {6, 3, 5, 2, 4, 1});
    }

    void everyFormatAndSize() {
        std::mt19937 random(warpscope::test::freshSeed());
        const std::vector<Size> sizes = freshSizes(random);
        forEachVectorTarget([&](const std::string& target) {
            for (const PixelFormat format : kAllPixelFormats)
                for (const Size size : sizes) {
                    const Image image = makeNoise(format, size, random());
                    const Image apart = misaligned(image);
                    for (const Move& move : kMoves) {
                        const std::string name =
                            target + " " + move.id + " " + std::string(formatName(format)) + " " +
                            std::to_string(size.width) + " x " + std::to_string(size.height);
                        const Image expected = truthOf(move, image);
                        compareSamples(expected, turned(move.id, image), name);
                        compareSamples(expected, turned(move.id, apart, Threading::AllCores),
                                       name + " misaligned");
                    }
                    if (QTest::currentTestFailed()) return;
                }
        });
    }

    // Large enough for all cores.
    void bandsMeet() {
        std::mt19937 random(warpscope::test::freshSeed());
        for (const PixelFormat format :
             {PixelFormat::Gray8, PixelFormat::Gray16, PixelFormat::Rgba8, PixelFormat::RgbaF32}) {
            const Size size{1000 + int(random() % 300), 900 + int(random() % 300)};
            const Image image = makeNoise(format, size, random());
            for (const Move& move : kMoves)
                compareSamples(truthOf(move, image), turned(move.id, image, Threading::AllCores),
                               move.id);
        }
    }

    // Large enough for results to be written past the cache.
    void pastTheCache() {
        const struct {
            PixelFormat format;
            Size size;
        } cases[] = {{PixelFormat::Gray8, {2050, 2061}},
                     {PixelFormat::Gray16, {1453, 1461}},
                     {PixelFormat::Rgba8, {1029, 1031}},
                     {PixelFormat::Rgba16, {727, 731}},
                     {PixelFormat::RgbaF32, {517, 523}}};
        for (const auto& one : cases) {
            const Image image = makeNoise(one.format, one.size, warpscope::test::freshSeed());
            for (const Move& move : kMoves) {
                const std::uint64_t expected = contentHash(truthOf(move, image));
                forEachVectorTarget([&](const std::string& target) {
                    QVERIFY2(contentHash(turned(move.id, image)) == expected,
                             (target + " " + move.id).c_str());
                });
            }
        }
    }

    // Two steps are one, or none, as the pixels of a small image say.
    void everyCompositionLaw() {
        std::mt19937 random(warpscope::test::freshSeed());
        const Image small = gray({3, 2}, {1, 2, 3, 4, 5, 6});
        const Image image = makeNoise(PixelFormat::Rgba16, {37, 53}, random());
        int identities = 0;
        for (const Move& first : kMoves)
            for (const Move& second : kMoves) {
                const Image both = truthOf(second, truthOf(first, small));
                const Image result = turned(second.id, turned(first.id, image));
                const std::string name = first.id + ", " + second.id;
                int found = 0;
                if (sameSamples(both, small)) {
                    compareSamples(image, result, name);
                    ++identities;
                    ++found;
                }
                for (const Move& one : kMoves)
                    if (sameSamples(both, truthOf(one, small))) {
                        compareSamples(turned(one.id, image), result, name + " is " + one.id);
                        ++found;
                    }
                QCOMPARE(found, 1);
            }
        // Each undoes itself, but for the quarter turns, which undo each other.
        QCOMPARE(identities, 7);
        Image round = image;
        for (int i = 0; i < 4; ++i) round = turned("rotate_90", round);
        compareSamples(image, round, "four quarters");
        compareSamples(turned("transverse", image),
                       turned("rotate_180", turned("transpose", image)), "transverse");
    }

    // What follows and precedes sees whole neighbourhoods, also in a part.
    void partsOfAChainAreThoseOfTheWhole() {
        std::mt19937 random(warpscope::test::freshSeed());
        const Image image = makePhotograph(PixelFormat::Rgba8, {150, 110}, random());
        const std::string_view blur = "gaussian_blur:sigma=2", median = "median:radius=2";
        for (const Move& move : kMoves) {
            const std::string step = "flip_rotate:operation=" + move.id;
            for (const Pipeline& pipeline :
                 {chain({step}), chain({step, blur}), chain({blur, step}),
                  chain({median, step, "crop:x=11,y=23,width=70,height=61", blur}),
                  chain({"crop:x=21,y=13,width=97,height=71", step, median, step, "crop:x=5,y=7"}),
                  chain({step, "add_noise:amount=0.3", "flip_rotate:operation=transverse", blur})})
                compareParts(pipeline, image, random, 6);
            if (QTest::currentTestFailed()) return;
        }
    }

    // Pixel p of the output is pixel inputFromOutput(p) of the input, counted in the image that
    // each is a part of.
    void theMapIsWhatHappens() {
        std::mt19937 random(warpscope::test::freshSeed());
        for (const Move& move : kMoves)
            for (int round = 0; round < 6; ++round) {
                const Size whole{1 + int(random() % 90), 1 + int(random() % 90)};
                const Image image = makeNoise(PixelFormat::Gray32, whole, random());
                const Rect part =
                    round ? anyRect(random, whole) : Rect{{}, {}, whole.width, whole.height};
                const PlanPtr plan = planForPart(flip_rotate_operation(), {{"operation", move.id}},
                                                 image.format(), part, whole);
                const PixelMap map = plan->inputFromOutput();
                QVERIFY(map.keepsPixels());
                QVERIFY(plan->movesPixels());
                const Rect made = plan->outputPlace.part;
                QCOMPARE(made.size(), plan->outputSize);
                QVERIFY(contains(
                    {0, 0, plan->outputPlace.whole.width, plan->outputPlace.whole.height}, made));
                QCOMPARE(plan->neededInput(made), part);
                const Image out = runPlan(*plan, image.crop(part));
                for (int y = 0; y < out.height(); ++y)
                    for (int x = 0; x < out.width(); ++x) {
                        const double atX = made.x + x + 0.5, atY = made.y + y + 0.5;
                        QCOMPARE(out.view<std::uint32_t>().row(y)[x],
                                 image.view<std::uint32_t>().row(
                                     int(map.mapY(atX, atY)))[int(map.mapX(atX, atY))]);
                    }
            }
    }

    void aReducedCopyIsTurnedAlike() {
        for (const Move& move : kMoves) {
            PlanRequest request = requestFor(flip_rotate_operation(), {{"operation", move.id}},
                                             PixelFormat::Gray8, {38, 28});
            request.place = Placement::reducedCopy(request.size, {150, 110}, 0.25);
            const PlanPtr plan = flip_rotate_operation().plan(request).value();
            const Image image = makeNoise(PixelFormat::Gray8, request.size, 4);
            const Image out = runPlan(*plan, image);
            compareSamples(truthOf(move, image), out, move.id);
            const bool upright = out.size() == request.size;
            QCOMPARE(plan->outputPlace,
                     Placement::reducedCopy(out.size(), upright ? Size{150, 110} : Size{110, 150},
                                            0.25));
        }
    }

    // The stored samples beside an image (CMYK) stay where they were.
    void storedSamplesAreNotShownElsewhere() {
        ImageInfo info;
        info.rawLabel = "CMYK";
        info.sourceFormat = "JPEG";
        info.raw = std::make_shared<const Image>(makeNoise(PixelFormat::Rgba8, {20, 20}, 2));
        const Image image = makeNoise(PixelFormat::Rgba8, {20, 20}, 1).withInfo(info);
        Executor executor(BackendSet::cpuOnly("none"), 1 << 28);
        const auto infoAfter = [&](const std::string& step) {
            ExecuteRequest request;
            request.source = image;
            request.pipeline = chain({step});
            return executor.run(request, {}).value().image.info();
        };
        QVERIFY(infoAfter("invert").raw);
        QVERIFY(infoAfter("crop").raw);
        QVERIFY(!infoAfter("crop:x=1").raw);
        for (const Move& move : kMoves) {
            const ImageInfo after = infoAfter("flip_rotate:operation=" + move.id);
            QVERIFY2(!after.raw && after.rawLabel.empty(), move.id.c_str());
            QCOMPARE(after.sourceFormat, info.sourceFormat);
        }
    }
};

WARPSCOPE_TEST(FlipRotateTest)
#include "flip_rotate_test.moc"
