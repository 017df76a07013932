// What it makes of the blur, which has a test of its own.
#include "engine/operations/smoothing/unsharp_mask.h"

#include <algorithm>
#include <cmath>

#include "operations/smoothing/two_rows_truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

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

}  // namespace

class UnsharpMaskTest : public QObject {
    Q_OBJECT

  private slots:
    void isItsDefinition() {
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

    void everyWayOfTheBlur() {
        compareOnBlurWays(unsharp_mask_operation(), "sigma", {{"amount", "2"}, {"threshold", "3"}},
                          [&](const Image& image, double sigma) {
                              return madeOf(image, image, blurred(image, sigma),
                                            [&](double v, double b, double white) {
                                                return sharpened(v, b, white, 2, 3);
                                            });
                          });
    }

    // A step keeps its place and grows by what the blur took from it, on both sides alike.
    void stepsOvershootAlike() {
        std::vector<double> samples;
        for (int x = 0; x < 40; ++x) samples.push_back(x < 20 ? 100 : 140);
        const Image image = makeImage(PixelFormat::Gray8, {40, 1}, samples);
        const Image made = runOn(unsharp_mask_operation(), {}, image);
        const std::uint8_t* row = made.view<std::uint8_t>().row(0);
        QVERIFY(row[19] < 95);
        QVERIFY(row[20] > 145);
        for (int i = 0; i < 20; ++i)
            QVERIFY2(std::abs(row[19 - i] + row[20 + i] - 240) <= 1,
                     qPrintable(QString::number(i)));
        QCOMPARE(int(row[0]), 100);
        QCOMPARE(int(row[39]), 140);
    }

    // As much as the threshold is left alone; a level more is sharpened in full.
    void thresholdIsNotReached() {
        std::vector<double> samples(21 * 21, 100);
        samples[21 * 10 + 10] = 120;
        const Image image = makeImage(PixelFormat::Gray8, {21, 21}, samples);
        const int apart = 120 - int(blurOf(image, 2).view<std::uint8_t>().row(10)[10]);
        const auto middle = [&](int threshold) {
            const Image made =
                runOn(unsharp_mask_operation(), {{"threshold", std::to_string(threshold)}}, image);
            return int(made.view<std::uint8_t>().row(10)[10]);
        };
        QVERIFY(apart > 1);
        QCOMPARE(middle(apart), 120);
        QCOMPARE(middle(apart - 1), 120 + apart);
    }
};

WARPSCOPE_TEST(UnsharpMaskTest)
#include "unsharp_mask_test.moc"
