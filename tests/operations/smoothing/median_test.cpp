#include "engine/operations/smoothing/median.h"

#include <algorithm>
#include <random>

#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"
#include "support/truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

Image median(const Image& image, int radius, Threading threading = Threading::Single) {
    return runOn(median_operation(), {{"radius", std::to_string(radius)}}, image, threading);
}

}  // namespace

class MedianTest : public QObject {
    Q_OBJECT

  private slots:
    void equalsTruthOnEveryTarget() {
        for (const PixelFormat format : kIntegerFormats)
            for (const NamedImage& named : awkwardImages(format))
                for (const int radius : {1, 2, 3, 7}) {
                    if (radius > 2 && named.image.size().pixels() > 700) continue;
                    const Image truth = truth::median(named.image, radius);
                    forEachVectorTarget([&](const std::string& target) {
                        compareSamples(
                            truth, median(named.image, radius),
                            target + ", " + named.name + ", radius " + std::to_string(radius));
                    });
                    if (QTest::currentTestFailed()) return;
                }
    }

    void everyRadius() {
        for (const PixelFormat format : kIntegerFormats)
            for (int radius = 1; radius <= kMaxMedianRadius; ++radius)
                for (const Size size : {Size{1, 1}, Size{4, 3}, Size{61, 17}}) {
                    const Image image = makePhotograph(format, size);
                    const Image truth = truth::median(image, radius);
                    forEachVectorTarget([&](const std::string& target) {
                        compareSamples(truth, median(image, radius),
                                       target + ", radius " + std::to_string(radius));
                    });
                    if (QTest::currentTestFailed()) return;
                }
    }

    // Images wider than what histograms or bands take at a time.
    void widerThanAStripAndTallerThanABand() {
        for (const int radius : {1, 2, 3, 7})
            for (const Size size : {Size{1101, 41}, Size{37, 301}}) {
                const Image image = makePhotograph(PixelFormat::Rgba8, size);
                compareSamples(truth::median(image, radius),
                               median(image, radius, Threading::AllCores), std::to_string(radius));
            }
    }

    void oneThreadAndAllCoresAgree() {
        for (const PixelFormat format : kIntegerFormats)
            for (const int radius : {1, 2, 3, 5}) {
                const Image image = makePhotograph(format, {701, 477});
                compareSamples(median(image, radius), median(image, radius, Threading::AllCores),
                               std::to_string(radius));
            }
    }

    // A network of minima and maxima that is right for all zeros and ones is right for everything.
    // All 512 squares of radius 1; for radius 2 the squares with 12 and with 13 ones decide.
    void zerosAndOnesDecideNetworks() {
        for (int bits = 0; bits < 512; ++bits) {
            std::vector<double> samples;
            int ones = 0;
            for (int i = 0; i < 9; ++i) {
                samples.push_back(bits >> i & 1);
                ones += bits >> i & 1;
            }
            const Image image = makeImage(PixelFormat::Gray8, {3, 3}, samples);
            QCOMPARE(int(median(image, 1).view<std::uint8_t>().row(1)[1]), int(ones > 4));
        }
        // Squares beside and above each other share their work: each place among them decides.
        std::mt19937 random(3);
        std::vector<double> square(25);
        for (const int ones : {12, 13}) {
            std::fill(square.begin(), square.end(), 0.0);
            std::fill_n(square.begin(), ones, 1.0);
            for (int trial = 0; trial < 20000; ++trial) {
                std::shuffle(square.begin(), square.end(), random);
                const int left = trial % 2, top = trial / 2 % 2;
                std::vector<double> samples;
                for (int y = 0; y < 6; ++y)
                    for (int x = 0; x < 6; ++x) {
                        const int i = x - left, j = y - top;
                        const bool inside = i >= 0 && i < 5 && j >= 0 && j < 5;
                        samples.push_back(inside ? square[std::size_t(5 * j + i)]
                                                 : double(random() & 1));
                    }
                const Image image = makeImage(PixelFormat::Gray8, {6, 6}, samples);
                const Image result = median(image, 2);
                QCOMPARE(int(result.view<std::uint8_t>().row(2 + top)[2 + left]), int(ones > 12));
            }
        }
    }

    // Trap: 8-bit counters overflow at 256 equal samples. A square has at most 225.
    void constantSquares() {
        for (const PixelFormat format : kIntegerFormats)
            for (const double value : {0.0, 1.0, 128.0, fullScale(format)})
                for (int radius = 1; radius <= kMaxMedianRadius; ++radius) {
                    const Image image = makeConstant(format, {71, 23}, value);
                    forEachVectorTarget([&](const std::string& target) {
                        compareSamples(image, median(image, radius), target);
                    });
                    if (QTest::currentTestFailed()) return;
                }
    }

    // Values that differ in one bit only: each bit of a level decides alone.
    void neighbouringLevels() {
        for (int bit = 0; bit < 8; ++bit) {
            std::mt19937 random{std::uint32_t(bit)};
            std::vector<double> samples;
            for (int i = 0; i < 67 * 19; ++i)
                samples.push_back(double((1 << bit) - int(random() >> 31)));
            const Image image = makeImage(PixelFormat::Gray8, {67, 19}, samples);
            for (int radius = 1; radius <= kMaxMedianRadius; radius += 2)
                compareSamples(truth::median(image, radius), median(image, radius), "bit");
        }
    }

    void takesSaltAndPepperAway() {
        std::vector<double> samples(31 * 31, 90);
        samples[31 * 5 + 5] = 255;
        samples[31 * 20 + 9] = 0;
        samples[0] = 255;
        const Image image = makeImage(PixelFormat::Gray8, {31, 31}, samples);
        compareSamples(makeConstant(PixelFormat::Gray8, {31, 31}, 90), median(image, 2),
                       "single pixels");
    }
};

WARPSCOPE_TEST(MedianTest)
#include "median_test.moc"
