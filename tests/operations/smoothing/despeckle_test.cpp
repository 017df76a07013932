// What it makes of the median, which has a test of its own.
#include "engine/operations/smoothing/despeckle.h"

#include <algorithm>
#include <cmath>

#include "operations/smoothing/two_rows_truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

double despeckled(double v, double median, double white, int threshold, const std::string& which) {
    const double t = levelOf(threshold, white);
    const bool bright = white == 0 ? float(v) - float(median) > float(t) : v - median > t;
    const bool dark = white == 0 ? float(median) - float(v) > float(t) : median - v > t;
    return (bright && which != "dark") || (dark && which != "bright") ? median : v;
}

}  // namespace

class DespeckleTest : public QObject {
    Q_OBJECT

  private slots:
    void isItsDefinition() {
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
    // Exactly as far as the threshold is no speck; a level more is. Of 16 bits a level is 257.
    void thresholdIsNotReached() {
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Gray16}) {
            const double unit = format == PixelFormat::Gray8 ? 1 : 257;
            for (const int sign : {1, -1})
                for (const int more : {0, 1}) {
                    std::vector<double> samples(25, 100 * unit);
                    samples[12] += sign * (50 * unit + more);
                    const Image image = makeImage(format, {5, 5}, samples);
                    const Image made = runOn(despeckle_operation(), {}, image);
                    const double expected = more ? 100 * unit : samples[12];
                    visitSampleType(format, [&]<class T>() {
                        QCOMPARE(double(made.view<T>().row(2)[2]), expected);
                    });
                }
        }
    }
};

WARPSCOPE_TEST(DespeckleTest)
#include "despeckle_test.moc"
