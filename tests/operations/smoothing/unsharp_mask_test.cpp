// Unsharp mask, difference of Gaussians and despeckle: what they make of the blurs and medians that
// have tests of their own.
#include "engine/operations/smoothing/unsharp_mask.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/operations/registry.h"
#include "engine/operations/smoothing/despeckle.h"
#include "engine/operations/smoothing/difference_of_gaussians.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"
#include "support/truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// made(a, b, white) of the samples of two images, white 0 for float; alpha is that of `image`.
template <class Made>
Image madeOf(const Image& image, const Image& one, const Image& other, const Made& made) {
    std::vector<double> samples;
    visitSampleType(image.format(), [&]<class T>() {
        const double white = isFloat(image.format()) ? 0 : fullScale(image.format());
        for (int y = 0; y < image.height(); ++y)
            for (int i = 0; i < image.view<T>().samplesPerRow(); ++i)
                samples.push_back(isColor(image.format()) && i % 4 == 3
                                      ? double(image.view<T>().row(y)[i])
                                      : made(double(one.view<T>().row(y)[i]),
                                             double(other.view<T>().row(y)[i]), white));
    });
    return makeImage(image.format(), image.size(), samples);
}

// What the gaussian_blur and median tests compare with; of float the operations themselves.
Image blurOf(const Image& image, double sigma) {
    if (!isFloat(image.format()))
        return truth::gaussianBlur(image, sigma, truth::automaticGaussianSize(sigma));
    return runOn(*findOperation("gaussian_blur"), {{"sigma", toText(ParamValue(sigma))}}, image);
}
Image medianOf(const Image& image, int radius) {
    if (!isFloat(image.format())) return truth::median(image, radius);
    return runOn(*findOperation("median"), {{"radius", std::to_string(radius)}}, image);
}

double levelOf(int threshold, double white) {
    return white == 0 ? double(float(threshold / 255.0)) : threshold * (white == 255 ? 1 : 257);
}

double sharpened(double v, double blurred, double white, double amount, int threshold) {
    const double q = std::floor(256 * amount + 0.5);
    if (white == 0) {
        const float d = float(v) - float(blurred);
        if (std::fabs(d) <= float(threshold / 255.0)) return v;
        return double(float(v) + float(q) * d / 256.0f);
    }
    const double d = v - blurred;
    if (std::fabs(d) <= levelOf(threshold, white)) return v;
    return std::clamp(v + std::floor((q * d + 128) / 256), 0.0, white);
}

double aroundGray(double small, double large, double white, int gain) {
    if (white == 0) return double(0.5f + float(gain) * (float(small) - float(large)));
    return std::clamp((white + 1) / 2 + gain * (small - large), 0.0, white);
}

double despeckled(double v, double median, double white, int threshold, const std::string& which) {
    const double t = levelOf(threshold, white);
    const bool bright = white == 0 ? float(v) - float(median) > float(t) : v - median > t;
    const bool dark = white == 0 ? float(median) - float(v) > float(t) : median - v > t;
    return (bright && which != "dark") || (dark && which != "bright") ? median : v;
}

}  // namespace

class UnsharpMaskTest : public QObject {
    Q_OBJECT

    // Each image with its expected result, on every instruction set.
    template <class Expected>
    void compareOnAll(const Operation& operation, const TextParameters& parameters,
                      const Expected& expectedOf) {
        const std::uint32_t seed = warpscope::test::freshSeed();
        for (const PixelFormat format : kFilterFormats)
            for (const Size size : {Size{1, 1}, Size{1, 37}, Size{53, 1}, Size{41, 29}})
                for (const Image& image : {makeNoise(format, size, seed),
                                           misaligned(makePhotograph(format, size, seed))}) {
                    const Image expected = expectedOf(image);
                    forEachVectorTarget([&](const std::string& target) {
                        for (const Threading threading : {Threading::Single, Threading::AllCores})
                            compareSamples(expected, runOn(operation, parameters, image, threading),
                                           operation.description().id + ", " + target + ", seed " +
                                               std::to_string(seed));
                    });
                    if (QTest::currentTestFailed()) return;
                }
    }

  private slots:
    void unsharpIsItsDefinition() {
        for (const double sigma : {0.3, 1.0, 3.1})
            for (const double amount : {0.0, 0.3, 1.0, 5.0})
                for (const int threshold : {0, 9, 255}) {
                    compareOnAll(unsharp_mask_operation(),
                                 {{"sigma", toText(ParamValue(sigma))},
                                  {"amount", toText(ParamValue(amount))},
                                  {"threshold", std::to_string(threshold)}},
                                 [&](const Image& image) {
                                     return madeOf(image, image, blurOf(image, sigma),
                                                   [&](double v, double b, double white) {
                                                       return sharpened(v, b, white, amount,
                                                                        threshold);
                                                   });
                                 });
                    if (QTest::currentTestFailed()) return;
                }
    }

    void differenceOfGaussiansIsItsDefinition() {
        for (const auto& [small, large] :
             {std::pair{1.0, 1.6}, std::pair{0.3, 4.0}, std::pair{3.0, 1.0}})
            for (const int gain : {1, 5, 16}) {
                compareOnAll(difference_of_gaussians_operation(),
                             {{"sigma_small", toText(ParamValue(small))},
                              {"sigma_large", toText(ParamValue(large))},
                              {"gain", std::to_string(gain)}},
                             [&, one = small, other = large](const Image& image) {
                                 return madeOf(image, blurOf(image, one), blurOf(image, other),
                                               [&](double a, double b, double white) {
                                                   return aroundGray(a, b, white, gain);
                                               });
                             });
                if (QTest::currentTestFailed()) return;
            }
    }

    void despeckleIsItsDefinition() {
        for (const int radius : {1, 3})
            for (const int threshold : {0, 50, 255})
                for (const char* which : {"both", "bright", "dark"}) {
                    compareOnAll(despeckle_operation(),
                                 {{"radius", std::to_string(radius)},
                                  {"threshold", std::to_string(threshold)},
                                  {"which", which}},
                                 [&](const Image& image) {
                                     return madeOf(image, image, medianOf(image, radius),
                                                   [&](double v, double m, double white) {
                                                       return despeckled(v, m, white, threshold,
                                                                         which);
                                                   });
                                 });
                    if (QTest::currentTestFailed()) return;
                }
    }

    void onlyTheSpecksGo() {
        std::vector<double> samples;
        for (int i = 0; i < 31 * 31; ++i) samples.push_back(90 + i % 3);
        std::vector<double> speckled = samples;
        speckled[31 * 5 + 5] = 255;
        speckled[31 * 20 + 9] = 0;
        const auto image = [](const std::vector<double>& of) {
            return makeImage(PixelFormat::Gray8, {31, 31}, of);
        };
        const Image both = runOn(despeckle_operation(), {}, image(speckled));
        const Image bright = runOn(despeckle_operation(), {{"which", "bright"}}, image(speckled));
        for (int y = 0; y < 31; ++y)
            for (int x = 0; x < 31; ++x) {
                const int was = int(samples[std::size_t(31 * y + x)]);
                const int now = both.view<std::uint8_t>().row(y)[x];
                if ((x == 5 && y == 5) || (x == 9 && y == 20))
                    QVERIFY(now >= 90 && now <= 92);
                else
                    QCOMPARE(now, was);
            }
        QCOMPARE(int(bright.view<std::uint8_t>().row(20)[9]), 0);
        QVERIFY(bright.view<std::uint8_t>().row(5)[5] < 100);
    }

    void nanStaysWhereItIs() {
        std::vector<double> samples(19 * 11, 0.25);
        samples[19 * 5 + 8] = std::nan("");
        const Image image = makeImage(PixelFormat::GrayF32, {19, 11}, samples);
        compareSamples(image, runOn(despeckle_operation(), {{"threshold", "0"}}, image), "NaN");
    }
};

WARPSCOPE_TEST(UnsharpMaskTest)
#include "unsharp_mask_test.moc"
