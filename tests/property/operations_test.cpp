// Laws that hold for every input, on inputs that nobody chose.
#include <rapidcheck.h>

#include <QtTest>
#include <numeric>

#include "engine/operations/analysis/histogram.h"
#include "engine/operations/smoothing/gaussian_blur.h"
#include "engine/operations/tone/equalize.h"
#include "engine/operations/tone/grayscale.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"
#include "support/truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

Size anySize() {
    return {*rc::gen::inRange(1, 90), *rc::gen::inRange(1, 40)};
}

double anySigma() {
    return double(*rc::gen::inRange(30, 1200)) / 100.0;
}

Image anyImage(PixelFormat format) {
    const Size size = anySize();
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    switch (*rc::gen::inRange(0, 3)) {
        case 0:
            return makeNoise(format, size, seed);
        case 1:
            return misaligned(makePhotograph(format, size, seed));
        default:
            return makeConstant(format, size, double(seed % 256));
    }
}

PixelFormat anyFormat() {
    return *rc::gen::element(PixelFormat::Gray8, PixelFormat::Rgba8);
}

HistogramSet countAll(const Image& image) {
    const auto plan = planHistogram(ChannelSet::all(), image.format(), image.size());
    return *countCpu(static_cast<const HistogramPlan&>(**plan), image, CpuContext{});
}

TextParameters sigmaOf(double sigma) {
    return {{"sigma", toText(ParamValue(sigma))}};
}

}  // namespace

class PropertiesTest : public QObject {
    Q_OBJECT

  private slots:
    void equalizationTablesRise() {
        QVERIFY(rc::check("tables rise and end at white", [] {
            auto counts = *rc::gen::container<std::vector<std::uint64_t>>(
                256, rc::gen::inRange<std::uint64_t>(0, 1ull << 32));
            ++counts[*rc::gen::inRange<std::size_t>(0, 256)];  // no image has no pixel
            for (const auto mapping : {EqualizeMapping::Classic, EqualizeMapping::Full}) {
                const auto table = equalizeTable(counts, mapping);
                RC_ASSERT(std::is_sorted(table.begin(), table.end()));
                RC_ASSERT(int(table.back()) == 255);
                const std::vector<int> wide(table.begin(), table.end());
                RC_ASSERT(wide == truth::levelTable(counts, mapping));
            }
        }));
    }

    void everyPixelIsCountedOnce() {
        QVERIFY(rc::check("counts sum to the pixels", [] {
            const Image image = anyImage(anyFormat());
            for (const Histogram& histogram : countAll(image).channels)
                RC_ASSERT(histogram.total() == std::uint64_t(image.size().pixels()));
        }));
    }

    void weightsSumToOne() {
        QVERIFY(rc::check("taps", [] {
            const double sigma = double(*rc::gen::inRange(300, 100001)) / 1000.0;
            const int size = gaussianSize(sigma, *rc::gen::inRange(0, 501) * 2 + 1);
            const auto taps = gaussianTaps(sigma, size);
            RC_ASSERT(int(taps.size()) == size);
            RC_ASSERT(std::accumulate(taps.begin(), taps.end(), 0u) == 65536u);
            RC_ASSERT(std::equal(taps.begin(), taps.end(), taps.rbegin()));
            RC_ASSERT(std::is_sorted(taps.begin(), taps.begin() + size / 2));
        }));
    }

    void constantImagesStayUnderGaussian() {
        QVERIFY(rc::check("constant", [] {
            const Image image =
                makeConstant(anyFormat(), anySize(), double(*rc::gen::inRange(0, 256)));
            RC_ASSERT(
                sameSamples(image, runOn(gaussian_blur_operation(), sigmaOf(anySigma()), image)));
        }));
    }

    void gaussianStaysWithinTheRangeOfItsInput() {
        QVERIFY(rc::check("no overshoot", [] {
            const Image image = anyImage(PixelFormat::Gray8);
            const Image result = runOn(gaussian_blur_operation(), sigmaOf(anySigma()), image);
            const auto range = [](const Image& of) {
                std::uint8_t low = 255, high = 0;
                for (int y = 0; y < of.height(); ++y)
                    for (int x = 0; x < of.width(); ++x) {
                        low = std::min(low, of.view<std::uint8_t>().row(y)[x]);
                        high = std::max(high, of.view<std::uint8_t>().row(y)[x]);
                    }
                return std::pair(low, high);
            };
            RC_ASSERT(range(image).first <= range(result).first);
            RC_ASSERT(range(result).second <= range(image).second);
        }));
    }

    void everyTargetAndThreadCountAgrees() {
        QVERIFY(rc::check("targets agree", [] {
            const Image image = anyImage(anyFormat());
            const TextParameters sigma = sigmaOf(anySigma());
            std::vector<Image> first;
            forEachVectorTarget([&](const std::string&) {
                for (const Threading threading : {Threading::Single, Threading::AllCores}) {
                    const std::vector<Image> results = {
                        runOn(gaussian_blur_operation(), sigma, image, threading),
                        runOn(equalize_operation(), {}, image, threading),
                        runOn(equalize_operation(), {{"channels", "each"}}, image, threading),
                        runOn(grayscale_operation(), {}, image, threading)};
                    if (first.empty()) first = results;
                    for (std::size_t i = 0; i < results.size(); ++i)
                        RC_ASSERT(sameSamples(first[i], results[i]));
                }
            });
        }));
    }

    void blurEqualsTruth() {
        QVERIFY(rc::check("blur is its definition", [] {
            const Image image = anyImage(anyFormat());
            const double sigma = double(*rc::gen::inRange(30, 250)) / 100.0;
            const Image truth =
                truth::gaussianBlur(image, sigma, truth::automaticGaussianSize(sigma));
            RC_ASSERT(firstDifference(
                          truth, runOn(gaussian_blur_operation(), sigmaOf(sigma), image)) == "");
        }));
    }
};

WARPSCOPE_TEST(PropertiesTest)
#include "operations_test.moc"
