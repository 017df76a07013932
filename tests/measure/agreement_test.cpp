// How far two results are apart, over all formats.
#include <cmath>
#include <limits>

#include "engine/measure/agreement.h"
#include "support/images.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

// A copy in which one sample has become `value`.
template <class T>
Image changed(const Image& image, int x, int y, int channel, T value) {
    auto copy = MutableImage::create(image.format(), image.size());
    const std::size_t row = std::size_t(image.width() * bytesPerPixel(image.format()));
    for (int line = 0; line < image.height(); ++line)
        std::copy_n(image.rowBytes(line), row, copy->rowBytes(line));
    copy->view<T>().row(y)[x * channelCount(image.format()) + channel] = value;
    return std::move(*copy).freezeLike(image);
}

}  // namespace

class AgreementTest : public QObject {
    Q_OBJECT
  private slots:
    void identicalInEveryFormat() {
        for (const PixelFormat format : kAllPixelFormats) {
            for (const Size size : {Size{1, 1}, Size{1, 31}, Size{37, 1}, Size{70, 41}}) {
                const Image image = test::makeNoise(format, size, 5);
                const auto found = compareImages(image, test::misaligned(image), {});
                QCOMPARE(found.verdict, Verdict::Identical);
                QCOMPARE(found.differing, std::uint64_t(0));
                QCOMPARE(found.samples, std::uint64_t(size.pixels() * channelCount(format)));
                QVERIFY(std::isinf(found.psnrDb));
                QCOMPARE(found.firstX, -1);
                QVERIFY(found.allowsSpeedup());
                QCOMPARE(describe(found), std::string("identical"));
            }
        }
    }

    void oneSampleOffInEveryFormat() {
        for (const PixelFormat format : kAllPixelFormats) {
            visitSampleType(format, [&]<class T>() {
                const Image image =
                    test::makeConstant(format, {70, 41}, isFloat(format) ? 0.5 : 100);
                const T value = isFloat(format) ? T(0.75) : T(103);
                const int channel = isColor(format) ? 2 : 0;
                const auto found =
                    compareImages(image, changed<T>(image, 69, 40, channel, value), {});
                QCOMPARE(found.verdict, Verdict::Differs);
                QCOMPARE(found.differing, std::uint64_t(1));
                QCOMPARE(found.maxDifference, isFloat(format) ? 0.25 : 3.0);
                QCOMPARE(found.firstX, 69);
                QCOMPARE(found.firstY, 40);
                QVERIFY(!found.allowsSpeedup());
                // Alpha is no part of it.
                const int colors = isColor(format) ? 3 : 1;
                const double mse = found.maxDifference * found.maxDifference / (70.0 * 41 * colors);
                const double peak = fullScale(format);
                QVERIFY(std::abs(found.psnrDb - 10 * std::log10(peak * peak / mse)) < 1e-9);
            });
        }
    }

    // Of opaque pictures alpha is the same everywhere: counted, it would lift the figure.
    void alphaIsNoPartOfTheNoise() {
        const Image image = test::makeConstant(PixelFormat::Rgba8, {10, 10}, 100);
        Image other = image;
        for (int c = 0; c < 3; ++c) other = changed<std::uint8_t>(other, 4, 4, c, 110);
        const auto found = compareImages(image, other, {});
        QCOMPARE(found.samples, std::uint64_t(400));
        QVERIFY(std::abs(found.psnrDb - 10 * std::log10(255.0 * 255 * 300 / 300)) < 1e-9);
        // A difference of alpha alone is one, and no noise of the colours.
        const auto alpha = compareImages(image, changed<std::uint8_t>(image, 1, 2, 3, 7), {});
        QCOMPARE(alpha.verdict, Verdict::Differs);
        QVERIFY(std::isinf(alpha.psnrDb));
        QCOMPARE(describe(alpha), std::string("differs in 1 sample, at most by 93, at (1, 2)"));
    }

    void differencesHaveNoSign() {
        const Image image = test::makeConstant(PixelFormat::Gray8, {9, 9}, 255);
        QCOMPARE(compareImages(image, changed<std::uint8_t>(image, 0, 0, 0, 0), {}).maxDifference,
                 255.0);
        const Image sums = test::makeConstant(PixelFormat::Gray64, {2, 2}, 0);
        const auto most = std::numeric_limits<std::uint64_t>::max();
        QCOMPARE(compareImages(sums, changed<std::uint64_t>(sums, 1, 1, 0, most), {}).maxDifference,
                 double(most));
    }

    void firstOfTheLargest() {
        // Large enough for several bands: which of them ends first must not matter.
        Image image = test::makeConstant(PixelFormat::Gray8, {600, 3000}, 10);
        Image other = changed<std::uint8_t>(image, 599, 2999, 0, 90);
        other = changed<std::uint8_t>(other, 300, 2, 0, 90);
        other = changed<std::uint8_t>(other, 299, 1, 0, 20);
        other = changed<std::uint8_t>(other, 301, 2, 0, 90);
        for (int round = 0; round < 20; ++round) {
            const auto found = compareImages(image, other, {});
            QCOMPARE(found.differing, std::uint64_t(4));
            QCOMPARE(found.maxDifference, 80.0);
            QCOMPARE(found.firstX, 300);
            QCOMPARE(found.firstY, 2);
            QCOMPARE(describe(found),
                     std::string("differs in 4 samples, at most by 80, at (300, 2), PSNR 67.8 dB"));
        }
    }

    void ruleWithAFraction() {
        const AgreementRule rule{1.0, 0.999, 0};
        const Image image = test::makeConstant(PixelFormat::Gray8, {100, 100}, 10);
        Image other = image;
        for (int i = 0; i < 10; ++i) other = changed<std::uint8_t>(other, i, 5, 0, 11);
        auto found = compareImages(image, other, rule);  // 99.9% the same
        QCOMPARE(found.verdict, Verdict::WithinRule);
        QVERIFY(found.allowsSpeedup());
        QCOMPARE(describe(found), std::string("within 1, PSNR 78.1 dB"));
        other = changed<std::uint8_t>(other, 99, 99, 0, 9);
        QCOMPARE(compareImages(image, other, rule).verdict, Verdict::Differs);
        // Too few samples for a fraction to mean anything.
        const Image small = test::makeConstant(PixelFormat::Gray8, {60, 60}, 10);
        Image smallOther = small;
        for (int i = 0; i < 60; ++i) smallOther = changed<std::uint8_t>(smallOther, i, 7, 0, 11);
        QCOMPARE(compareImages(small, smallOther, rule).verdict, Verdict::WithinRule);
        smallOther = changed<std::uint8_t>(smallOther, 0, 0, 0, 12);
        QCOMPARE(compareImages(small, smallOther, rule).verdict, Verdict::Differs);
    }

    void ulpRule() {
        const AgreementRule rule{0, 1.0, 4};
        const Image image = test::makeConstant(PixelFormat::GrayF32, {80, 80}, 0.75);
        const float ulp = std::nextafter(0.75f, 1.0f) - 0.75f;
        const auto verdict = [&](float value) {
            return compareImages(image, changed<float>(image, 3, 3, 0, value), rule).verdict;
        };
        QCOMPARE(verdict(0.75f + 4 * ulp), Verdict::WithinRule);
        QCOMPARE(verdict(0.75f - 4 * ulp), Verdict::WithinRule);
        QCOMPARE(verdict(0.75f + 5 * ulp), Verdict::Differs);
        QCOMPARE(verdict(std::numeric_limits<float>::quiet_NaN()), Verdict::Differs);
        QCOMPARE(verdict(std::numeric_limits<float>::infinity()), Verdict::Differs);
    }

    void notANumberEqualsItself() {
        Image image = test::makeConstant(PixelFormat::GrayF32, {4, 4}, 0.5);
        image = changed<float>(image, 1, 1, 0, std::numeric_limits<float>::quiet_NaN());
        image = changed<float>(image, 2, 1, 0, -std::numeric_limits<float>::infinity());
        const Image other = changed<float>(image, 1, 1, 0, -std::nanf("7"));
        QCOMPARE(compareImages(image, other, {}).verdict, Verdict::Identical);
        // Zero has two signs and one value.
        const Image zero = test::makeConstant(PixelFormat::GrayF32, {4, 4}, 0);
        QCOMPARE(compareImages(zero, changed<float>(zero, 0, 0, 0, -0.0f), {}).verdict,
                 Verdict::Identical);
    }

    void otherShapes() {
        const Image image = test::makeConstant(PixelFormat::Gray8, {8, 8}, 1);
        const AgreementRule generous{1e9, 0, 1e9};
        for (const Image& other : {test::makeConstant(PixelFormat::Gray8, {8, 9}, 1),
                                   test::makeConstant(PixelFormat::Rgba8, {8, 8}, 1),
                                   test::makeConstant(PixelFormat::Gray16, {8, 8}, 1)}) {
            const auto found = compareImages(image, other, generous);
            QCOMPARE(found.verdict, Verdict::Differs);
            QCOMPARE(found.differing, std::uint64_t(64));
            QVERIFY(!describe(found).empty());
        }
        QCOMPARE(compareImages(image, {}, generous).verdict, Verdict::NotCompared);
        QVERIFY(!compareImages(image, {}, generous).allowsSpeedup());
    }

    void histograms() {
        HistogramSet a;
        a.size = {10, 10};
        a.channels = {{HistogramChannel::Luma, std::vector<std::uint64_t>(256, 3)},
                      {HistogramChannel::Red, std::vector<std::uint64_t>(256, 4)}};
        QCOMPARE(compareHistograms(a, a).verdict, Verdict::Identical);
        HistogramSet b = a;
        b.channels[1].bins[200] = 6;
        b.channels[1].bins[9] = 5;
        const auto found = compareHistograms(a, b);
        QCOMPARE(found.verdict, Verdict::Differs);
        QCOMPARE(found.differing, std::uint64_t(2));
        QCOMPARE(found.maxDifference, 2.0);
        QCOMPARE(found.firstX, 200);
        b = a;
        b.high = 1.0;
        QCOMPARE(compareHistograms(a, b).verdict, Verdict::Differs);
        b = a;
        b.channels.pop_back();
        QCOMPARE(compareHistograms(a, b).verdict, Verdict::Differs);
    }
};

WARPSCOPE_TEST(AgreementTest)
#include "agreement_test.moc"
