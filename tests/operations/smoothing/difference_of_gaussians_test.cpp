// What it makes of the blurs, which have a test of their own.
#include "engine/operations/smoothing/difference_of_gaussians.h"

#include <algorithm>
#include <cmath>

#include "operations/smoothing/two_rows_truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

double aroundGray(double small, double large, double white, int gain) {
    if (white == 0) return double(0.5f + float(gain) * (float(small) - float(large)));
    return std::clamp((white + 1) / 2 + gain * (small - large), 0.0, white);
}

}  // namespace

class DifferenceOfGaussiansTest : public QObject {
    Q_OBJECT

  private slots:
    void isItsDefinition() {
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

    void everyWayOfTheBlur() {
        compareOnBlurWays(
            difference_of_gaussians_operation(), "sigma_small",
            {{"sigma_large", "1.6"}, {"gain", "3"}}, [&](const Image& image, double sigma) {
                return madeOf(
                    image, blurred(image, sigma), blurred(image, 1.6),
                    [&](double a, double b, double white) { return aroundGray(a, b, white, 3); });
            });
    }

    // Even areas are middle gray, whatever their level; a bright dot is brighter and has a dark
    // ring.
    void evenAreasAreGray() {
        for (const PixelFormat format : kIntegerFormats)
            for (const double level : {0.0, 77.0, fullScale(format)}) {
                const Image made = runOn(difference_of_gaussians_operation(), {},
                                         makeConstant(format, {33, 17}, level));
                const double gray = (fullScale(format) + 1) / 2;
                visitSampleType(format, [&]<class T>() {
                    for (int i = 0; i < made.view<T>().samplesPerRow(); ++i)
                        QCOMPARE(double(made.view<T>().row(8)[i]),
                                 isColor(format) && i % 4 == 3 ? level : gray);
                });
            }
        std::vector<double> samples(31 * 31, 50);
        samples[31 * 15 + 15] = 250;
        const Image made = runOn(difference_of_gaussians_operation(), {{"gain", "4"}},
                                 makeImage(PixelFormat::Gray8, {31, 31}, samples));
        QVERIFY(made.view<std::uint8_t>().row(15)[15] > 160);
        QVERIFY(made.view<std::uint8_t>().row(15)[18] < 128);
        QCOMPARE(int(made.view<std::uint8_t>().row(0)[0]), 128);
    }

    // The other way round it is the negative, around middle gray.
    void exchangedItIsTheNegative() {
        const Image image = makePhotograph(PixelFormat::Gray8, {71, 43});
        const Image one = runOn(difference_of_gaussians_operation(),
                                {{"sigma_small", "1"}, {"sigma_large", "3"}}, image);
        const Image other = runOn(difference_of_gaussians_operation(),
                                  {{"sigma_small", "3"}, {"sigma_large", "1"}}, image);
        for (int y = 0; y < 43; ++y)
            for (int x = 0; x < 71; ++x) {
                const int a = one.view<std::uint8_t>().row(y)[x];
                const int b = other.view<std::uint8_t>().row(y)[x];
                QVERIFY(a + b == 256 || a == 0 || a == 255 || b == 0 || b == 255);
            }
    }
};

WARPSCOPE_TEST(DifferenceOfGaussiansTest)
#include "difference_of_gaussians_test.moc"
