#include "engine/operations/smoothing/gaussian_blur.h"

#include <numeric>

#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"
#include "support/truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

std::string textOf(double sigma) {
    return toText(ParamValue(sigma));
}

TextParameters parametersOf(double sigma, int size) {
    return {{"sigma", textOf(sigma)}, {"size", std::to_string(size)}};
}

Image blur(const Image& image, double sigma, int size, Threading threading = Threading::Single,
           const std::string& variant = std::string(kAutomaticVariant)) {
    return runVariant(gaussian_blur_operation(), variant, parametersOf(sigma, size), image,
                      threading);
}

// True if all published variants give the bits of `automatic`.
bool variantsAgree(const Image& image, double sigma, int size, Threading threading) {
    const Image expected = blur(image, sigma, size);
    return sameSamples(expected, blur(image, sigma, size, threading, "direct_2d")) &&
           sameSamples(expected, blur(image, sigma, size, threading, "separable_constant"));
}

void compareWithTruth(const Image& image, double sigma, int size, const std::string& name) {
    const int side = size ? size : truth::automaticGaussianSize(sigma);
    compareSamples(truth::gaussianBlur(image, sigma, side), blur(image, sigma, size),
                   name + ", sigma " + textOf(sigma) + ", size " + std::to_string(size));
}

}  // namespace

class GaussianBlurTest : public QObject {
    Q_OBJECT

  private slots:
    void equalsTruthOnAwkwardImages() {
        for (const PixelFormat format : kIntegerFormats)
            for (const NamedImage& named : awkwardImages(format)) {
                compareWithTruth(named.image, 1.0, 0, named.name);
                compareWithTruth(named.image, 0.45, 3, named.name);
                if (QTest::currentTestFailed()) return;
            }
    }

    void equalsTruthOnEveryTarget() {
        const double sigmas[] = {0.3, 0.5, 0.62, 0.7, 0.8, 1.0, 1.7, 2.5, 4.0};
        forEachVectorTarget([&](const std::string& name) {
            for (const PixelFormat format : kIntegerFormats) {
                for (const double sigma : sigmas) {
                    if (leftOut()) continue;
                    compareWithTruth(makeNoise(format, {83, 23}, 5), sigma, 0, name);
                    compareWithTruth(makePhotograph(format, {33, 41}), sigma, 5, name);
                    compareWithTruth(misaligned(makeNoise(format, {15, 9}, 6)), sigma, 7, name);
                    if (QTest::currentTestFailed()) return;
                }
            }
        });
    }

    void largeRadiusOnEveryTarget() {
        forEachVectorTarget([&](const std::string& name) {
            compareWithTruth(makeNoise(PixelFormat::Gray8, {97, 61}, 8), 9.3, 0, name);
            compareWithTruth(makePhotograph(PixelFormat::Rgba8, {47, 37}), 20.0, 0, name);
            compareWithTruth(makeNoise(PixelFormat::Gray16, {97, 61}, 8), 9.3, 0, name);
            compareWithTruth(makePhotograph(PixelFormat::Rgba16, {47, 37}), 20.0, 0, name);
        });
    }

    // Several blocks of a row, kernels whose weights stay in registers and the smallest beyond
    // them, with centres on both sides of what a signed factor of 16 bits holds.
    void smallKernelsOnEveryTarget() {
        forEachVectorTarget([&](const std::string& name) {
            for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
                for (const int size : {3, 5, 7, 9})
                    for (const double sigma : {0.5, 0.7, 1.0, 3.0}) {
                        if (leftOut()) continue;
                        compareWithTruth(misaligned(makeNoise(format, {393, 6}, 7)), sigma, size,
                                         name);
                        if (QTest::currentTestFailed()) return;
                    }
        });
    }

    void radiusBeyondTheImage() {
        for (const Size size : {Size{1, 1}, Size{1, 9}, Size{9, 1}, Size{5, 4}, Size{17, 3}})
            for (const PixelFormat format : kIntegerFormats) {
                compareWithTruth(makeNoise(format, size, 4), 20, 0, "small");
                compareWithTruth(makeNoise(format, size, 4), 100, 301, "small");
            }
    }

    // Rows are read in blocks, in place or from a copy with the edge repeated; narrow ones, and
    // radii up to 64 and beyond, each have a way of their own.
    void everyWayThroughARow() {
        for (const int width : {40, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 320,
                                383, 384, 385, 449, 641})
            for (const int size : {3, 5, 31, 127, 129, 131}) {
                const Image image =
                    misaligned(makeNoise(PixelFormat::Gray8, {width, 5}, unsigned(width)));
                compareWithTruth(image, size / 6.0, size, "width " + std::to_string(width));
                if (QTest::currentTestFailed()) return;
            }
    }

    // Images that are too wide for the rows between the passes to stay in the cache are made in
    // strips, which need their neighbours' columns.
    void wideImagesInStrips() {
        const struct {
            PixelFormat format;
            int width;
        } wide[] = {{PixelFormat::Gray8, 4300},
                    {PixelFormat::Rgba8, 2901},
                    {PixelFormat::Gray16, 2201},
                    {PixelFormat::Rgba16, 1501}};
        for (const auto& [format, width] : wide) {
            const Image image = makeNoise(format, {width, 130}, 11);
            QVERIFY(sameSamples(blur(image, 20, 0),
                                blur(image, 20, 0, Threading::Single, "separable_constant")));
        }
        const Image wider = makeNoise(PixelFormat::Rgba8, {22'000, 12}, 12);
        QVERIFY(sameSamples(blur(wider, 1, 5),
                            blur(wider, 1, 5, Threading::Single, "separable_constant")));
    }

    // Weights that no signed 16-bit factor holds: the centre of a narrow kernel.
    void heavyCentre() {
        for (const double sigma : {0.3, 0.35, 0.4, 0.5, 0.55, 0.6, 0.65}) {
            const auto taps = gaussianTaps(sigma, gaussianSize(sigma, 0));
            if (sigma < 0.55) QVERIFY(taps[taps.size() / 2] > 32767);
            compareWithTruth(makeNoise(PixelFormat::Gray8, {131, 17}, 2), sigma, 0, "noise");
            compareWithTruth(makeConstant(PixelFormat::Gray8, {70, 5}, 255), sigma, 0, "white");
        }
    }

    void oneThreadAllCoresAndEveryTargetAgree() {
        for (const PixelFormat format : kIntegerFormats)
            for (const double sigma : {0.8, 2.0, 7.0, 31.0}) {
                const Image image = makePhotograph(format, {641, 487});
                const Image best = blur(image, sigma, 0);
                QVERIFY(sameSamples(best, blur(image, sigma, 0, Threading::AllCores)));
                if (sigma > 10) continue;  // slow where there are no vectors
                forEachVectorTarget([&](const std::string& name) {
                    QVERIFY2(sameSamples(best, blur(image, sigma, 0, Threading::AllCores)),
                             name.c_str());
                });
            }
    }

    void tapsEqualTruth() {
        for (double sigma = 0.3; sigma <= 100; sigma *= 1.13) {
            const int automatic = gaussianSize(sigma, 0);
            QCOMPARE(automatic, truth::automaticGaussianSize(sigma));
            for (const int size : {1, 3, 5, automatic, 31, 1001})
                QVERIFY(gaussianTaps(sigma, size) == truth::gaussianTaps(sigma, size));
        }
    }

    void tapsSumToOneAndAreSymmetric() {
        for (double sigma = 0.3; sigma <= 100; sigma *= 1.021) {
            for (int size = 1; size <= kMaxGaussianSize; size += size < 99 ? 2 : 100) {
                const auto taps = gaussianTaps(sigma, size);
                QCOMPARE(std::accumulate(taps.begin(), taps.end(), std::uint64_t{0}),
                         std::uint64_t{65536});
                QVERIFY(std::equal(taps.begin(), taps.end(), taps.rbegin()));
                // Rounding errors that go to the centre never eat it up.
                QVERIFY(taps[taps.size() / 2] > 0 && taps[taps.size() / 2] <= 65536);
            }
        }
    }

    void singleTapIsTheIdentity() {
        const Image image = makeNoise(PixelFormat::Rgba8, {37, 11}, 9);
        const PlanPtr plan =
            planFor(gaussian_blur_operation(), {{"size", "1"}}, PixelFormat::Rgba8, image.size());
        QVERIFY(plan->identity);
        QCOMPARE(plan->halo, 0);
        QVERIFY(sameSamples(image, runPlan(*plan, image)));
    }

    void weightsOfZeroWidenNoHalo() {
        const PlanPtr plan = planFor(gaussian_blur_operation(), {{"sigma", "1"}, {"size", "1001"}},
                                     PixelFormat::Gray8, {20, 20});
        QVERIFY(plan->halo < 8);
        compareWithTruth(makeNoise(PixelFormat::Gray8, {20, 6}, 3), 1.0, 101, "trimmed");
    }

    // Sums of the largest 16-bit samples need all of 32 bits in each part.
    void largestSumsOfSixteenBits() {
        for (const double sigma : {0.3, 0.9, 5.0, 60.0})
            for (const double level : {65535.0, 65534.0, 65281.0, 255.0, 1.0}) {
                const Image image = makeConstant(PixelFormat::Rgba16, {67, 40}, level);
                QVERIFY(sameSamples(image, blur(image, sigma, 0)));
            }
    }

    void constantStaysConstant() {
        for (const double level : {0.0, 1.0, 100.0, 254.0, 255.0})
            for (const double sigma : {0.3, 1.0, 6.3, 40.0}) {
                const Image image = makeConstant(PixelFormat::Rgba8, {67, 40}, level);
                QVERIFY(sameSamples(image, blur(image, sigma, 0)));
            }
    }

    void evenSizesAreRefused() {
        const auto& specs = gaussian_blur_operation().description().parameters;
        ParamSet given;
        given.set("size", std::int64_t{4});
        const auto resolved = resolveParameters(specs, given);
        REQUIRE_FAILS(resolved, ErrorCode::InvalidArgument, "size is 4");
    }

    // The source texts pad an image to the next multiple by the remainder instead of by what is
    // missing, and run blocks of 16 x 16 without a guard.
    void trapPaddingByTheRemainder() {
        for (int width = 14; width <= 35; ++width)
            compareWithTruth(makeNoise(PixelFormat::Gray8, {width, width - 11}, 5), 1.4, 0,
                             "width " + std::to_string(width));
    }

    void aTallThinAndAWideFlatImage() {
        for (const Size size : {Size{1, 20000}, Size{20000, 1}}) {
            const Image image = makeNoise(PixelFormat::Gray8, size, 12);
            compareWithTruth(image, 1.5, 0, "line");
            QVERIFY(sameSamples(blur(image, 12, 0), blur(image, 12, 0, Threading::AllCores)));
        }
    }

    void variantsOnAwkwardImages() {
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
            for (const NamedImage& named : awkwardImages(format))
                for (const double sigma : {0.8, 2.3})
                    QVERIFY2(variantsAgree(named.image, sigma, 0, Threading::AllCores),
                             named.name.c_str());
    }

    // Windows larger than the image, the largest direct size, and a size that cuts the bell.
    void variantsOfAllSizes() {
        const Image image = makeNoise(PixelFormat::Rgba8, {37, 11}, 3);
        for (const int size : {1, 3, 5, 29, 31})
            QVERIFY(variantsAgree(image, 5, size, Threading::Single));
        QCOMPARE(firstDifference(blur(image, 50, 0),
                                 blur(image, 50, 0, Threading::Single, "separable_constant")),
                 std::string());
    }

    // Rows that are not rounded before the column pass give other bits: the direct variant
    // must round where the definition does.
    void trapDirectSumWithoutRoundedRows() {
        const Image image = makeNoise(PixelFormat::Gray8, {64, 64}, 9);
        QCOMPARE(firstDifference(truth::gaussianBlur(image, 1.5, 9),
                                 blur(image, 1.5, 9, Threading::Single, "direct_2d")),
                 std::string());
    }

    void directRefusesLargeSizes() {
        PlanRequest request;
        request.size = {8, 8};
        const auto plan = [&](double sigma, int size, const char* variant) {
            request.parameters.set("sigma", sigma);
            request.parameters.set("size", std::int64_t(size));
            request.variant = variant;
            return gaussian_blur_operation().plan(request);
        };
        QVERIFY(plan(5, 31, "direct_2d"));
        for (const int size : {33, 1001}) {
            const auto refused = plan(5, size, "direct_2d");
            REQUIRE_FAILS(refused, ErrorCode::Unsupported, "");
            QVERIFY(refused.error().message.find(std::to_string(size)) != std::string::npos);
        }
        QVERIFY(!plan(50, 0, "direct_2d"));
        QVERIFY(plan(50, 0, "separable_constant"));
    }
};

WARPSCOPE_TEST(GaussianBlurTest)
#include "gaussian_blur_test.moc"
