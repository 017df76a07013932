#include "engine/operations/analysis/integral_image.h"

#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"
#include "support/truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

std::vector<std::string> variants() {
    std::vector<std::string> ids;
    for (const VariantSpec& variant : integral_image_operation().description().variants)
        ids.push_back(variant.id);
    return ids;
}

Image integrate(const Image& image, const std::string& variant = "automatic",
                Threading threading = Threading::Single) {
    return runVariant(integral_image_operation(), variant, {}, image, threading);
}

void compare(const Image& truth, const Image& sums, const std::string& name) {
    compareSamples(truth, sums, name);
}

// S(x, y) of an image that is `value` everywhere.
void compareWithConstant(const Image& sums, std::uint64_t value, const std::string& name) {
    QCOMPARE(sums.format(), PixelFormat::Gray64);
    for (int y = 0; y < sums.height(); ++y) {
        const std::uint64_t* row = sums.view<std::uint64_t>().row(y);
        for (int x = 0; x < sums.width(); ++x)
            if (row[x] != value * std::uint64_t(x + 1) * std::uint64_t(y + 1))
                QFAIL(qPrintable(
                    QString("%1: S(%2, %3) is %4").arg(name.c_str()).arg(x).arg(y).arg(row[x])));
    }
}

}  // namespace

class IntegralImageTest : public QObject {
    Q_OBJECT

  private slots:
    void equalsTruthOnEveryTarget() {
        for (const PixelFormat format : kIntegerFormats)
            for (const NamedImage& named : awkwardImages(format)) {
                const Image truth = truth::integralImage(named.image);
                forEachVectorTarget([&](const std::string& target) {
                    compare(truth, integrate(named.image), target + ", " + named.name);
                });
                if (QTest::currentTestFailed()) return;
            }
    }

    void variantsEqualTruth() {
        for (const PixelFormat format : kIntegerFormats)
            for (const NamedImage& named : awkwardImages(format)) {
                const Image truth = truth::integralImage(named.image);
                for (const std::string& variant : variants())
                    compare(truth, integrate(named.image, variant), variant + ", " + named.name);
                if (QTest::currentTestFailed()) return;
            }
    }

    // Several bands and threads, heights that no number of bands divides.
    void oneThreadAndAllCoresAgree() {
        for (const PixelFormat format : kIntegerFormats)
            for (const Size size :
                 {Size{1301, 977}, Size{2999, 811}, Size{70001, 37}, Size{3, 99991}}) {
                const Image image = makePhotograph(format, size);
                const Image one = integrate(image);
                for (const std::string& variant : variants())
                    compare(one, integrate(image, variant, Threading::AllCores), variant);
                if (QTest::currentTestFailed()) return;
            }
    }

    void formatsFollowTheLargestSum() {
        // 255 x 16,843,009 is 2^32 - 1; 65,535 x 65,537 is 2^32 - 1.
        QCOMPARE(integralFormat(PixelFormat::Gray8, {16843009 / 257, 257}), PixelFormat::Gray32);
        QCOMPARE(integralFormat(PixelFormat::Rgba8, {65538, 257}), PixelFormat::Gray64);
        QCOMPARE(integralFormat(PixelFormat::Gray16, {65537, 1}), PixelFormat::Gray32);
        QCOMPARE(integralFormat(PixelFormat::Gray16, {65538, 1}), PixelFormat::Gray64);
        QCOMPARE(integralFormat(PixelFormat::Gray8, {kMaxSide, kMaxSide}), PixelFormat::Gray64);
    }

    // Trap: unsigned 32 bits overflow above 16.8 million white pixels.
    void whiteBeyond32Bits() {
        const Image white = makeConstant(PixelFormat::Gray8, {4200, 4100}, 255);
        for (const std::string& variant : variants())
            for (const Threading threading : {Threading::Single, Threading::AllCores}) {
                compareWithConstant(integrate(white, variant, threading), 255, variant);
                if (QTest::currentTestFailed()) return;
            }
        forEachVectorTarget(
            [&](const std::string& target) { compareWithConstant(integrate(white), 255, target); });
    }

    // One row of 16-bit samples can overflow 32 bits by itself.
    void whiteRowsBeyond32Bits() {
        for (const Size size : {Size{100003, 5}, Size{5, 100003}}) {
            const Image white = makeConstant(PixelFormat::Gray16, size, 65535);
            for (const std::string& variant : variants())
                compareWithConstant(integrate(white, variant), 65535, variant);
            forEachVectorTarget([&](const std::string& target) {
                compareWithConstant(integrate(white), 65535, target);
            });
        }
    }

    // Trap: single-precision sums lose their last bits above 2^24. An odd sum above it shows it.
    void trapFloatSumsLoseBitsAbove2To24() {
        const Image image = makeConstant(PixelFormat::Gray8, {3001, 2999}, 1);
        std::vector<double> samples(1, 0);
        for (const std::string& variant : variants()) {
            const Image sums =
                integrate(makeConstant(PixelFormat::Gray8, {601, 599}, 255), variant);
            const std::uint32_t last = sums.view<std::uint32_t>().row(598)[600];
            QCOMPARE(last, 255u * 601u * 599u);
            QVERIFY(last > (1u << 24) && last % 2 == 1);
            QVERIFY(std::uint32_t(float(last)) != last);
            const Image ones = integrate(image, variant);
            QCOMPARE(ones.view<std::uint32_t>().row(2998)[3000], 3001u * 2999u);
        }
    }

    // Trap: the text's sums need one block for the whole image, and its four-by-four blocks sizes
    // that four divides.
    void trapSizesThatFourDoesNotDivide() {
        for (int width = 1; width <= 21; ++width)
            for (int height = 1; height <= 21; ++height) {
                const Image image = makeNoise(PixelFormat::Gray8, {width, height}, 77);
                const Image truth = truth::integralImage(image);
                for (const std::string& variant : variants())
                    compare(truth, integrate(image, variant), variant);
                if (QTest::currentTestFailed()) return;
            }
    }
    // Trap: sums of one block only; the blocks of a larger image need each other's.
    void trapOneBlockForTheWholeImage() {
        const Image image = makeNoise(PixelFormat::Gray8, {5003, 1031}, 5);
        const Image truth = truth::integralImage(image);
        for (const std::string& variant : variants())
            compare(truth, integrate(image, variant, Threading::AllCores), variant);
    }

    // What integral images are for: four look-ups are the sum of a rectangle, modulo 2^32 too.
    void rectanglesFromFourSums() {
        const Image image = makeNoise(PixelFormat::Gray8, {97, 61}, 8);
        const Image sums = integrate(image);
        const auto at = [&](int x, int y) {
            return x < 0 || y < 0 ? 0u : sums.view<std::uint32_t>().row(y)[x];
        };
        for (const Rect& r : {Rect{0, 0, 97, 61}, Rect{3, 5, 1, 1}, Rect{20, 0, 30, 61}}) {
            std::uint32_t sum = 0;
            for (int y = r.y; y < r.y + r.height; ++y)
                for (int x = r.x; x < r.x + r.width; ++x)
                    sum += image.view<std::uint8_t>().row(y)[x];
            const int right = r.x + r.width - 1, bottom = r.y + r.height - 1;
            QCOMPARE(
                at(right, bottom) - at(r.x - 1, bottom) - at(right, r.y - 1) + at(r.x - 1, r.y - 1),
                sum);
        }
    }
};

WARPSCOPE_TEST(IntegralImageTest)
#include "integral_image_test.moc"
