#include "engine/operations/smoothing/box_mean.h"

#include "engine/operations/smoothing/box_quotient.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"
#include "support/truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

Image mean(const Image& image, int radius, Threading threading = Threading::Single) {
    return runOn(box_mean_operation(), {{"radius", std::to_string(radius)}}, image, threading);
}

}  // namespace

class BoxMeanTest : public QObject {
    Q_OBJECT

  private slots:
    void equalsTruthOnEveryTarget() {
        for (const PixelFormat format : kIntegerFormats)
            for (const NamedImage& named : awkwardImages(format))
                for (const int radius : {0, 1, 3, 9}) {
                    const Image truth = truth::boxMean(named.image, radius);
                    forEachVectorTarget([&](const std::string& target) {
                        compareSamples(
                            truth, mean(named.image, radius),
                            target + ", " + named.name + ", radius " + std::to_string(radius));
                    });
                    if (QTest::currentTestFailed()) return;
                }
    }

    // The edge is repeated as often as the radius asks for, not only once.
    void windowsLargerThanTheImage() {
        for (const PixelFormat format : kIntegerFormats)
            for (const Size size : {Size{1, 1}, Size{2, 3}, Size{7, 1}, Size{1, 9}, Size{13, 5}})
                for (const int radius : {20, 41, 100}) {
                    const Image image = makeNoise(format, size, 4);
                    const Image truth = truth::boxMean(image, radius);
                    forEachVectorTarget([&](const std::string& target) {
                        compareSamples(truth, mean(image, radius), target);
                    });
                    if (QTest::currentTestFailed()) return;
                }
        const Image image = makeNoise(PixelFormat::Rgba16, {2, 3}, 4);
        compareSamples(truth::boxMean(image, 500), mean(image, 500), "radius 500");
    }

    void oneThreadAndAllCoresAgree() {
        for (const PixelFormat format : kIntegerFormats)
            for (const int radius : {1, 17, 127, 128, 500}) {
                const Image image = makePhotograph(format, {1301, 977});
                compareSamples(mean(image, radius), mean(image, radius, Threading::AllCores),
                               "threads");
                if (QTest::currentTestFailed()) return;
            }
    }

    // Trap: 32-bit sums of an integral image overflow at 4K; sums over squares stay right modulo
    // 2^32. A white image must stay white, noise must equal the same noise in a smaller image.
    void sumsThatWrap() {
        const Image white = makeConstant(PixelFormat::Gray8, {5000, 4000}, 255);
        for (const int radius : {1, 500})
            compareSamples(white, mean(white, radius, Threading::AllCores), "white");
        const Image noise = makeNoise(PixelFormat::Gray8, {5000, 3600}, 6);
        const Rect corner{4700, 3400, 300, 200};
        const Image part = mean(noise.crop(corner), 20).crop({20, 20, 280, 180});
        compareSamples(part, mean(noise, 20).crop({4720, 3420, 280, 180}), "far corner");
    }

    void whiteAndBlackStay() {
        for (const PixelFormat format : kIntegerFormats)
            for (const double value : {0.0, 1.0, 127.0, fullScale(format)})
                for (const int radius : {1, 40, 41, 127, 128, 255, 256, 500}) {
                    const Image image = makeConstant(format, {143, 21}, value);
                    forEachVectorTarget([&](const std::string& target) {
                        compareSamples(image, mean(image, radius), target);
                    });
                    if (QTest::currentTestFailed()) return;
                }
    }

    // Every sum that a square of ones and zeros can have: rounding half up at every quotient. n is
    // odd, so exact halves do not occur; just below and above them do.
    void everyRoundingOfSmallSquares() {
        for (int sum = 0; sum <= 9 * 255; ++sum) {
            std::vector<double> samples(9, sum / 9);
            for (int i = 0; i < sum % 9; ++i) samples[std::size_t(i)] += 1;
            const Image image = makeImage(PixelFormat::Gray8, {3, 3}, samples);
            QCOMPARE(int(mean(image, 1).view<std::uint8_t>().row(1)[1]), (2 * sum + 9) / 18);
        }
    }

    // The vector code divides in floating point: sums just below and at the step from one mean to
    // the next, for every radius, in a row wide enough for vectors.
    void stepsFromOneMeanToTheNext() {
        for (const int radius : {1, 2, 7, 39, 40, 41, 100, 255, 499, 500}) {
            const std::int64_t n = std::int64_t(2 * radius + 1) * (2 * radius + 1);
            const int side = 2 * radius + 1;
            for (const int level : {1, 128, 254}) {
                // `ones` pixels of the first square are one level brighter.
                for (const std::int64_t ones : {n / 2, n / 2 + 1}) {
                    std::vector<double> samples;
                    for (std::int64_t i = 0; i < n; ++i)
                        samples.push_back(double(i < ones ? level + 1 : level));
                    const Image image = makeImage(PixelFormat::Gray8, {side, side}, samples);
                    const int expected = int((2 * (level * n + ones) + n) / (2 * n));
                    QCOMPARE(int(mean(image, radius).view<std::uint8_t>().row(radius)[radius]),
                             expected);
                }
                if (radius > 100) break;
            }
        }
    }

    // The same with 16 bits and sums of 64, whose means are products of doubles.
    void stepsOf64BitSums() {
        for (const int radius : {128, 255, 499, 500}) {
            const int side = 2 * radius + 1;
            const std::int64_t n = std::int64_t(side) * side;
            for (const int level : {0, 32767, 65534})
                for (const std::int64_t ones : {n / 2, n / 2 + 1}) {
                    std::vector<double> samples(std::size_t(n), level);
                    std::fill_n(samples.begin(), ones, level + 1);
                    const Image image = makeImage(PixelFormat::Gray16, {side, side}, samples);
                    const int expected = int((2 * (level * n + ones) + n) / (2 * n));
                    forEachVectorTarget([&](const std::string&) {
                        QCOMPARE(int(mean(image, radius).view<std::uint16_t>().row(radius)[radius]),
                                 expected);
                    });
                    if (QTest::currentTestFailed()) return;
                }
        }
    }

    // 16 bits, by products: sums around every step from one mean to the next, for every radius that
    // is computed so.
    void everyQuotient() {
        for (std::uint32_t radius = 1; radius <= 127; ++radius) {
            const std::uint32_t n = (2 * radius + 1) * (2 * radius + 1);
            const auto quotient = BoxQuotient::of16(n);
            QVERIFY2(quotient, std::to_string(radius).c_str());
            const std::int64_t most = std::int64_t(65535) * n;
            for (std::int64_t mean = 0; mean <= 65536; ++mean)
                for (std::int64_t sum = mean * n - n / 2 - 1; sum <= mean * n - n / 2 + 1; ++sum)
                    if (sum >= 0 && sum <= most &&
                        quotient->of(std::uint32_t(sum)) != (sum + n / 2) / n)
                        QFAIL(("radius " + std::to_string(radius) + ", sum " + std::to_string(sum))
                                  .c_str());
        }
        QVERIFY(!BoxQuotient::of16(1));
        QVERIFY(!BoxQuotient::of16(256));
        QVERIFY(!BoxQuotient::of16(257 * 257));
    }

    // The same through images, noise that covers all levels, on every target and both sides of the
    // radius from which sums need 64 bits.
    void largestSquaresOf32Bits() {
        for (const PixelFormat format : {PixelFormat::Gray16, PixelFormat::Rgba16})
            for (const int radius : {126, 127, 128}) {
                const Image image = makeNoise(format, {83, 4}, 11);
                const Image truth = truth::boxMean(image, radius);
                forEachVectorTarget([&](const std::string& target) {
                    compareSamples(truth, mean(image, radius),
                                   target + ", " + std::to_string(radius));
                });
                if (QTest::currentTestFailed()) return;
            }
    }

    void planIsTheDefinition() {
        const auto plan = std::static_pointer_cast<const BoxMeanPlan>(
            planFor(box_mean_operation(), {{"radius", "500"}}, PixelFormat::Gray8, {9, 9}));
        QCOMPARE(plan->count, 1002001u);
        QCOMPARE(plan->halo, 500);
        QVERIFY(
            planFor(box_mean_operation(), {{"radius", "0"}}, PixelFormat::Gray8, {9, 9})->identity);
        const TextParameters tooLarge = {{"radius", "501"}};
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, planFor(box_mean_operation(), tooLarge,
                                                             PixelFormat::Gray8, Size{9, 9}));
    }
};

WARPSCOPE_TEST(BoxMeanTest)
#include "box_mean_test.moc"
