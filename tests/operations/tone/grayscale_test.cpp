#include "engine/operations/tone/grayscale.h"

#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"
#include "support/truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

const std::vector<std::pair<std::string, GrayMethod>> kMethods = {
    {"weighted601", GrayMethod::Weighted601},
    {"weighted709", GrayMethod::Weighted709},
    {"average", GrayMethod::Average},
    {"maximum", GrayMethod::Maximum}};

void compareWithTruth(PixelFormat format) {
    for (const NamedImage& named : awkwardImages(format)) {
        for (const auto& [id, method] : kMethods) {
            const Image truth = truth::grayscale(named.image, method);
            const Image ours = runOn(grayscale_operation(), {{"method", id}}, named.image);
            compareSamples(truth, ours, named.name + ", " + id);
        }
    }
}

}  // namespace

class GrayscaleTest : public QObject {
    Q_OBJECT

  private slots:
    void equalsTruthOnEveryTarget() {
        forEachVectorTarget([](const std::string& name) {
            compareWithTruth(PixelFormat::Rgba8);
            if (QTest::currentTestFailed()) qWarning("target %s", name.c_str());
        });
    }

    void equalsTruthIn16BitsOnEveryTarget() {
        forEachVectorTarget([](const std::string& name) {
            compareWithTruth(PixelFormat::Rgba16);
            if (QTest::currentTestFailed()) qWarning("target %s", name.c_str());
        });
    }

    // Average is computed by a multiplication; every sum of three bytes must come out right.
    void everySumOfThreeBytes() {
        std::vector<double> samples;
        for (int sum = 0; sum <= 765; ++sum) {
            const int r = std::min(sum, 255), g = std::min(sum - r, 255), b = sum - r - g;
            samples.insert(samples.end(), {double(r), double(g), double(b), 0.0});
        }
        const Image image = makeImage(PixelFormat::Rgba8, {766, 1}, samples);
        const Image ours = runOn(grayscale_operation(), {{"method", "average"}}, image);
        for (int sum = 0; sum <= 765; ++sum)
            QCOMPARE(int(ours.view<std::uint8_t>().row(0)[sum]), (2 * sum + 3) / 6);
    }

    void everySumOfThree16BitSamples() {
        constexpr int kWidth = 65536;
        auto image = *MutableImage::create(PixelFormat::Rgba16, {kWidth, 3});
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < kWidth; ++x) {
                std::uint16_t* pixel = image.view<std::uint16_t>().row(y) + 4 * x;
                pixel[0] = std::uint16_t(y > 0 ? 65535 : x);
                pixel[1] = std::uint16_t(y > 1 ? 65535 : y == 1 ? x : 0);
                pixel[2] = std::uint16_t(y == 2 ? x : 0);
                pixel[3] = 1;
            }
        const Image frozen = std::move(image).freeze({});
        const Image ours = runOn(grayscale_operation(), {{"method", "average"}}, frozen);
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < kWidth; ++x) {
                const int sum = 65535 * y + x;
                if (int(ours.view<std::uint16_t>().row(y)[x]) != (2 * sum + 3) / 6)
                    QFAIL(qPrintable(QString("sum %1").arg(sum)));
            }
    }

    void whiteStaysWhiteAndBlackBlack() {
        for (const auto& [id, method] : kMethods) {
            for (const double level : {0.0, 255.0}) {
                const Image image = makeConstant(PixelFormat::Rgba8, {70, 2}, level);
                const Image ours = runOn(grayscale_operation(), {{"method", id}}, image);
                QVERIFY(sameSamples(ours, makeConstant(PixelFormat::Gray8, {70, 2}, level)));
            }
        }
    }

    // The source texts cut the fraction off: their 0.299 + 0.587 + 0.114 makes 254 of white.
    void trapTruncationInsteadOfRounding() {
        const Image image = makeImage(PixelFormat::Rgba8, {2, 1}, {0, 0, 5, 0, 3, 0, 0, 0});
        const Image ours = runOn(grayscale_operation(), {}, image);
        QCOMPARE(int(ours.view<std::uint8_t>().row(0)[0]), 1);  // 0.57 of blue
        QCOMPARE(int(ours.view<std::uint8_t>().row(0)[1]), 1);  // 0.897 of red
    }

    // The source texts give each thread four pixels and forget what is left.
    void trapSizesThatAreNotMultiplesOfFour() {
        for (int width = 1; width <= 300; ++width) {
            const Image image = makeNoise(PixelFormat::Rgba8, {width, 1}, std::uint32_t(width));
            QVERIFY(sameSamples(truth::grayscale(image, GrayMethod::Weighted601),
                                runOn(grayscale_operation(), {}, image)));
        }
    }

    void largeImageIsWrittenPastTheCache() {
        const Image image = makePhotograph(PixelFormat::Rgba8, {2113, 2011});
        const Image truth = truth::grayscale(image, GrayMethod::Weighted709);
        for (const Threading threading : {Threading::Single, Threading::AllCores}) {
            const Image ours =
                runOn(grayscale_operation(), {{"method", "weighted709"}}, image, threading);
            REQUIRE_SAME(firstDifference(truth, ours));
        }
    }

    void grayPassesUnchanged() {
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Gray16}) {
            const Image image = misaligned(makeNoise(format, {61, 9}, 3));
            const PlanPtr plan = planFor(grayscale_operation(), {}, format, image.size());
            QVERIFY(plan->identity);
            QVERIFY(sameSamples(image, runPlan(*plan, image)));
        }
    }

    void planSaysWhatMoves() {
        const PlanPtr plan = planFor(grayscale_operation(), {}, PixelFormat::Rgba8, {100, 10});
        QCOMPARE(plan->output, PixelFormat::Gray8);
        QCOMPARE(plan->minimalBytes, std::uint64_t(5000));
        QCOMPARE(kWeights601.red + kWeights601.green + kWeights601.blue, 65536u);
        QCOMPARE(kWeights709.red + kWeights709.green + kWeights709.blue, 65536u);
    }

    void resultHasNoAlphaToSave() {
        ImageInfo info;
        info.hasAlpha = true;
        const Image image = makeNoise(PixelFormat::Rgba8, {4, 4}, 1).withInfo(info);
        QVERIFY(!runOn(grayscale_operation(), {}, image).info().hasAlpha);
    }
};

WARPSCOPE_TEST(GrayscaleTest)
#include "grayscale_test.moc"
