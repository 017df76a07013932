#include "engine/operations/geometry/rotate.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/operations/geometry/flip_rotate.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

TextParameters turnText(double angle, const std::string& method, const std::string& canvas,
                        const std::string& outside) {
    return {{"angle", toText(ParamValue(angle))},
            {"method", method},
            {"canvas", canvas},
            {"outside", outside}};
}

// The definition, pixel by pixel, as `outside` says.
Image turned(const Image& image, double angle, bool nearest, bool expand,
             const std::string& outside) {
    const PixelFormat format = image.format();
    const int channels = channelCount(format);
    const int made = outside == "transparent" ? 4 : channels;
    const double white = fullScale(format);
    const double radians = angle * std::acos(-1.0) / 180;
    const std::int64_t c = std::llround(std::ldexp(std::cos(radians), 32));
    const std::int64_t s = std::llround(std::ldexp(std::sin(radians), 32));
    const std::int64_t one = std::int64_t(1) << 32;
    const std::int64_t w = image.width(), h = image.height();
    std::int64_t W = w, H = h;
    if (expand) {
        W = (w * std::abs(c) + h * std::abs(s) + one - 1) / one;
        H = (w * std::abs(s) + h * std::abs(c) + one - 1) / one;
    }
    const auto at = [&](std::int64_t x, std::int64_t y, int channel) -> double {
        const bool inside = x >= 0 && y >= 0 && x < w && y < h;
        if (!inside && outside != "edge") return channel == 3 && outside == "black" ? white : 0;
        x = std::clamp<std::int64_t>(x, 0, w - 1);
        y = std::clamp<std::int64_t>(y, 0, h - 1);
        if (channels == 1 && channel == 3) return white;
        return visitSampleType(format, [&]<class T>() {
            return double(
                image.view<T>().row(int(y))[x * channels + (channels == 1 ? 0 : channel)]);
        });
    };
    std::vector<double> samples;
    for (std::int64_t y = 0; y < H; ++y)
        for (std::int64_t x = 0; x < W; ++x) {
            const std::int64_t u = 2 * x + 1 - W, v = 2 * y + 1 - H;
            const std::int64_t X = (c * u + s * v + (w - 1) * one) >> 1;
            const std::int64_t Y = (c * v - s * u + (h - 1) * one) >> 1;
            const std::int64_t nearX = (X + one / 2) >> 32, nearY = (Y + one / 2) >> 32;
            const std::int64_t x8 = (X + (1 << 23)) >> 24, y8 = (Y + (1 << 23)) >> 24;
            const double a = double(x8 & 255), b = double(y8 & 255);
            for (int k = 0; k < made; ++k) {
                if (nearest) {
                    samples.push_back(at(nearX, nearY, k));
                    continue;
                }
                const double sum = at(x8 >> 8, y8 >> 8, k) * (256 - a) * (256 - b) +
                                   at((x8 >> 8) + 1, y8 >> 8, k) * a * (256 - b) +
                                   at(x8 >> 8, (y8 >> 8) + 1, k) * (256 - a) * b +
                                   at((x8 >> 8) + 1, (y8 >> 8) + 1, k) * a * b;
                samples.push_back(isFloat(format) ? sum / 65536 : std::floor(sum / 65536 + 0.5));
            }
        }
    return makeImage(made == 4 ? *withChannels(format, true) : format, {int(W), int(H)}, samples);
}

}  // namespace

class RotateTest : public QObject {
    Q_OBJECT

  private slots:
    void isTheDefinition() {
        const std::uint32_t seed = warpscope::test::freshSeed();
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> angles(-180, 180);
        for (const PixelFormat format : kFilterFormats)
            for (const char* outside : {"edge", "black", "transparent"})
                for (const bool expand : {false, true})
                    for (const bool nearest : {false, true}) {
                        const Size size{1 + int(random() % 50), 1 + int(random() % 40)};
                        const double angle = random() % 4 == 0 ? 90.0 : angles(random);
                        const Image image = makeNoise(format, size, random());
                        const Image truth = turned(image, angle, nearest, expand, outside);
                        const Image made = runOn(rotate_operation(),
                                                 turnText(angle, nearest ? "nearest" : "bilinear",
                                                          expand ? "expand" : "keep", outside),
                                                 image, Threading::AllCores);
                        const std::string name = "seed " + std::to_string(seed) + ", " + outside +
                                                 ", angle " + std::to_string(angle);
                        QCOMPARE(made.size(), truth.size());
                        QCOMPARE(made.format(), truth.format());
                        if (!isFloat(format)) {
                            compareSamples(truth, made, name);
                            if (QTest::currentTestFailed()) return;
                            continue;
                        }
                        const auto a = truth.view<float>(), b = made.view<float>();
                        for (int y = 0; y < a.height; ++y)
                            for (int i = 0; i < a.samplesPerRow(); ++i)
                                QVERIFY2(std::abs(a.row(y)[i] - b.row(y)[i]) < 5e-7f, name.c_str());
                    }
    }

    // Wide enough for vectors, at addresses that are multiples of nothing.
    void everyTargetAgrees() {
        auto& random = *freshRandom();
        for (const PixelFormat format : kIntegerFormats)
            for (const Size size : {Size{217, 93}, Size{64, 301}, Size{131, 2}, Size{2, 77}})
                for (const char* outside : {"edge", "black", "transparent"}) {
                    const Image image = makeNoise(format, size, freshSeed());
                    const double angle = random.bounded(3) == 0
                                             ? 90.0 * random.bounded(-1, 3)
                                             : double(random.bounded(36000)) / 100 - 180;
                    const bool expand = random.bounded(2) == 0;
                    const Image truth = turned(image, angle, false, expand, outside);
                    const TextParameters text =
                        turnText(angle, "bilinear", expand ? "expand" : "keep", outside);
                    const std::string name = std::string(outside) + ", " + std::to_string(angle);
                    forEachVectorTarget([&](const std::string& target) {
                        for (const Image& one : {image, misaligned(image)})
                            compareSamples(truth, runOn(rotate_operation(), text, one),
                                           target + ", " + name);
                    });
                    if (QTest::currentTestFailed()) return;
                }
    }

    void quarterTurnsAreExact() {
        for (const auto& [angle, operation] :
             {std::pair{90.0, "rotate_90"}, std::pair{180.0, "rotate_180"},
              std::pair{-90.0, "rotate_270"}})
            for (const char* method : {"nearest", "bilinear"}) {
                const Image image = makeNoise(PixelFormat::Rgba8, {37, 22}, 5);
                compareSamples(
                    runOn(flip_rotate_operation(), {{"operation", operation}}, image),
                    runOn(rotate_operation(), turnText(angle, method, "expand", "black"), image),
                    operation);
            }
    }

    void anyPartIsThatOfTheWhole() {
        const std::uint32_t seed = warpscope::test::freshSeed();
        std::mt19937 random(seed);
        const Image image = makePhotograph(PixelFormat::Rgba8, {90, 70});
        for (int trial = 0; trial < 60; ++trial) {
            const double angle = double(random() % 361) - 180;
            const TextParameters text =
                turnText(angle, "bilinear", trial % 2 == 0 ? "keep" : "expand",
                         trial % 3 == 0   ? "edge"
                         : trial % 3 == 1 ? "black"
                                          : "transparent");
            const PlanPtr whole = planFor(rotate_operation(), text, image.format(), image.size());
            if (whole->identity) continue;
            const Image all = runPlan(*whole, image);
            const Rect window{int(random() % unsigned(all.width() - 8)),
                              int(random() % unsigned(all.height() - 8)), 8, 8};
            const Rect needed = whole->neededInput(window);
            const PlanPtr part =
                planForPart(rotate_operation(), text, image.format(), needed, image.size());
            const Rect made = part->outputPlace.part;
            const std::string name = "seed " + std::to_string(seed) + ", " + std::to_string(angle);
            QVERIFY2(intersect(made, window) == window, name.c_str());
            compareSamples(all.crop(window),
                           runPlan(*part, image.crop(needed))
                               .crop({window.x - made.x, window.y - made.y, 8, 8}),
                           name);
        }
    }
};

WARPSCOPE_TEST(RotateTest)
#include "rotate_test.moc"
