#include "engine/operations/tone/saturation.h"

#include <cmath>
#include <random>

#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// The definition for a colour, in wide integers.
std::int64_t moved(std::int64_t color, std::int64_t luma, double amount, std::int64_t white) {
    const auto q = std::int64_t(std::floor(256 * amount / 100 + 0.5));
    const std::int64_t product = q * (color - luma) + 128;
    // Rounded down, below 0 too.
    const std::int64_t step = product >= 0 ? product / 256 : -((-product + 255) / 256);
    return std::clamp<std::int64_t>(luma + step, 0, white);
}

Image truthOf(const Image& image, double amount) {
    std::vector<double> samples;
    const auto white = std::int64_t(fullScale(image.format()));
    visitSampleType(image.format(), [&]<class T>() {
        const auto in = image.view<T>();
        for (int y = 0; y < in.height; ++y)
            for (int x = 0; x < in.width; ++x) {
                const T* p = in.row(y) + 4 * x;
                const std::int64_t luma =
                    std::int64_t(19595.0 * double(p[0]) + 38470.0 * double(p[1]) +
                                 7471.0 * double(p[2]) + 32768) /
                    65536;
                for (int c = 0; c < 3; ++c)
                    samples.push_back(double(moved(std::int64_t(p[c]), luma, amount, white)));
                samples.push_back(double(p[3]));
            }
    });
    return makeImage(image.format(), image.size(), samples);
}

}  // namespace

class SaturationTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{warpscope::test::freshSeed()};

    TextParameters amountOf(double amount) { return {{"amount", toText(ParamValue(amount))}}; }

  private slots:
    void integersEqualTruth() {
        const double fresh = double(m_random() % 400'001) / 1000;
        for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::Rgba16})
            for (const double amount : {0.0, 0.2, 50.0, 99.9, 150.0, 400.0, fresh})
                for (const NamedImage& named : awkwardImages(format)) {
                    if (leftOut()) continue;
                    const Image truth = truthOf(named.image, amount);
                    forEachVectorTarget([&](const std::string& target) {
                        compareSamples(truth,
                                       runOn(saturation_operation(), amountOf(amount), named.image),
                                       named.name + " " + target + " " + std::to_string(amount));
                    });
                    if (QTest::currentTestFailed()) return;
                }
    }

    void floatsEqualTruth() {
        for (const double amount : {0.0, 37.3, 250.0, 400.0}) {
            const auto q = (long double)(std::lround(256 * amount / 100));
            const Image image = makeNoise(PixelFormat::RgbaF32, {67, 31}, m_random());
            const Image result = runOn(saturation_operation(), amountOf(amount), image);
            for (int y = 0; y < 31; ++y)
                for (int x = 0; x < 67; ++x) {
                    const float* p = image.view<float>().row(y) + 4 * x;
                    const float* got = result.view<float>().row(y) + 4 * x;
                    const long double luma =
                        (19595.0L * p[0] + 38470.0L * p[1] + 7471.0L * p[2]) / 65536;
                    for (int c = 0; c < 3; ++c) {
                        const long double exact = luma + q * (p[c] - luma) / 256;
                        QVERIFY2(
                            std::abs(got[c] - exact) < 2e-6L,
                            qPrintable(
                                QString("%1 and not %2").arg(double(got[c])).arg(double(exact))));
                    }
                    QCOMPARE(got[3], p[3]);
                }
        }
    }

    // By hand: luma of (200, 100, 50) is 124.2, 124 after rounding.
    void values() {
        const Image image = makeImage(PixelFormat::Rgba8, {1, 1}, {200, 100, 50, 7});
        const auto made = [&](double amount) {
            return runOn(saturation_operation(), amountOf(amount), image);
        };
        compareSamples(makeImage(PixelFormat::Rgba8, {1, 1}, {124, 124, 124, 7}), made(0), "gray");
        compareSamples(image, made(100), "unchanged");
        compareSamples(makeImage(PixelFormat::Rgba8, {1, 1}, {255, 76, 0, 7}), made(200), "twice");
        // 76 / 2, -24 / 2, -74 / 2
        compareSamples(makeImage(PixelFormat::Rgba8, {1, 1}, {162, 112, 87, 7}), made(50), "half");
    }

    void identities() {
        for (const PixelFormat format : kFilterFormats) {
            const auto changes = [&](double amount) {
                return !planFor(saturation_operation(), amountOf(amount), format, {3, 3})->identity;
            };
            QVERIFY(!changes(100) && !changes(100.1));
            QCOMPARE(changes(0), isColor(format));
            QCOMPARE(changes(100.3), isColor(format));
        }
    }
};

WARPSCOPE_TEST(SaturationTest)
#include "saturation_test.moc"
