#include "engine/operations/tone/adaptive_threshold.h"

#include <algorithm>
#include <random>

#include "engine/operations/smoothing/box_mean.h"
#include "engine/operations/tone/grayscale.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

template <class T>
Image truthOf(const Image& image, int radius, std::int64_t offset) {
    const auto view = image.view<T>();
    const auto luma = [&](int x, int y) -> std::int64_t {
        const T* row = view.row(std::clamp(y, 0, view.height - 1));
        x = std::clamp(x, 0, view.width - 1);
        if (view.channels == 1) return row[x];
        return std::int64_t((19595ull * row[4 * x] + 38470ull * row[4 * x + 1] +
                             7471ull * row[4 * x + 2] + 32768) >>
                            16);
    };
    const std::int64_t n = std::int64_t(2 * radius + 1) * (2 * radius + 1);
    auto made = *MutableImage::create(*withChannels(image.format(), false), image.size());
    for (int y = 0; y < view.height; ++y)
        for (int x = 0; x < view.width; ++x) {
            std::int64_t sum = 0;
            for (int dy = -radius; dy <= radius; ++dy)
                for (int dx = -radius; dx <= radius; ++dx) sum += luma(x + dx, y + dy);
            const std::int64_t white = std::numeric_limits<T>::max();
            const std::int64_t own = luma(x, y) + offset * (white == 255 ? 1 : 257);
            made.view<T>().row(y)[x] = own * n > sum ? T(white) : T(0);
        }
    return std::move(made).freeze({});
}

TextParameters parametersOf(int radius, int offset) {
    return {{"radius", std::to_string(radius)}, {"offset", std::to_string(offset)}};
}

}  // namespace

class AdaptiveThresholdTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{warpscope::test::freshSeed()};

  private slots:
    // Sums of 16 bits up to radius 127 and beyond, and levels and offsets that leave the range.
    void sumsOf32And64Bits() {
        for (const PixelFormat format : {PixelFormat::Gray16, PixelFormat::Rgba16})
            for (const int radius : {3, 126, 127, 128}) {
                const Size size = radius == 3 ? Size{333, 9} : Size{85, 3};
                const Image image = m_random() % 2 ? makeNoise(format, size, m_random())
                                                   : makeConstant(format, size, 65535);
                for (const int offset : {-255, -1, 0, 1, 255}) {
                    const Image expected = truthOf<std::uint16_t>(image, radius, offset);
                    forEachVectorTarget([&](const std::string& target) {
                        compareSamples(expected,
                                       runOn(adaptive_threshold_operation(),
                                             parametersOf(radius, offset), image),
                                       target + ", radius " + std::to_string(radius) + ", offset " +
                                           std::to_string(offset));
                    });
                    if (QTest::currentTestFailed()) return;
                }
            }
    }

    void integersEqualTruth() {
        const Operation& operation = adaptive_threshold_operation();
        for (const PixelFormat format :
             {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16, PixelFormat::Rgba16})
            for (const Size size :
                 {Size{1, 1}, Size{1, 61}, Size{67, 1}, Size{7, 43}, Size{91, 37}})
                for (const int radius : {1, 2, 10, 33}) {
                    const int offset = int(m_random() % 41) - 20;
                    const std::uint32_t seed = m_random();
                    const Image image = m_random() % 2 ? makeNoise(format, size, seed)
                                                       : makePhotograph(format, size, seed);
                    for (const int given : {0, offset, radius == 2 ? 255 : -255}) {
                        const Image expected = bytesPerSample(format) == 1
                                                   ? truthOf<std::uint8_t>(image, radius, given)
                                                   : truthOf<std::uint16_t>(image, radius, given);
                        for (const Threading threading : {Threading::Single, Threading::AllCores})
                            compareSamples(
                                expected,
                                runOn(operation, parametersOf(radius, given), image, threading),
                                "radius " + std::to_string(radius) + ", offset " +
                                    std::to_string(given) + ", seed " + std::to_string(seed));
                        if (QTest::currentTestFailed()) return;
                    }
                }
    }

    // Sums of the largest square of white need every bit there is.
    void largestRadius() {
        for (const PixelFormat format :
             {PixelFormat::Gray8, PixelFormat::Gray16, PixelFormat::Rgba16})
            for (const int offset : {0, 1, -1}) {
                const Image image =
                    makeConstant(format, {41, 23}, bytesPerSample(format) == 1 ? 255 : 65535);
                const Image result =
                    runOn(adaptive_threshold_operation(), parametersOf(500, offset), image);
                const double white = bytesPerSample(format) == 1 ? 255 : 65535;
                compareSamples(
                    makeConstant(*withChannels(format, false), {41, 23}, offset > 0 ? white : 0),
                    result, "offset " + std::to_string(offset));
            }
    }

    void everyTargetAgrees() {
        for (const PixelFormat format : kFilterFormats) {
            const Image image = makePhotograph(format, {201, 60}, m_random());
            const Image expected = runOn(adaptive_threshold_operation(), {}, image);
            forEachVectorTarget([&](const std::string& target) {
                compareSamples(expected, runOn(adaptive_threshold_operation(), {}, image), target);
            });
        }
    }

    void floatsFollowTheBoxMean() {
        for (const PixelFormat format : {PixelFormat::GrayF32, PixelFormat::RgbaF32})
            for (const int radius : {1, 4, 17})
                for (const int offset : {0, 5, -30}) {
                    const std::uint32_t seed = m_random();
                    const Size size{1 + int(m_random() % 70), 1 + int(m_random() % 50)};
                    const Image image = radius == 4 ? makePhotograph(format, size, seed)
                                                    : makeWild(format, size, seed);
                    const Image luma =
                        isColor(format) ? runOn(grayscale_operation(), {}, image) : image;
                    const Image mean =
                        runOn(box_mean_operation(), {{"radius", std::to_string(radius)}}, luma);
                    auto expected = *MutableImage::create(PixelFormat::GrayF32, size);
                    for (int y = 0; y < size.height; ++y)
                        for (int x = 0; x < size.width; ++x) {
                            const float v = luma.view<float>().row(y)[x] + float(offset / 255.0);
                            expected.view<float>().row(y)[x] =
                                v > mean.view<float>().row(y)[x] ? 1.0f : 0.0f;
                        }
                    compareSamples(
                        std::move(expected).freeze({}),
                        runOn(adaptive_threshold_operation(), parametersOf(radius, offset), image),
                        "seed " + std::to_string(seed));
                }
    }

    // An even area is white with a positive offset and black without.
    void evenAreas() {
        for (const PixelFormat format : kFilterFormats) {
            const double level = isFloat(format) ? 0.3 : 90;
            const Image image = makeConstant(format, {50, 40}, level);
            const PixelFormat gray = *withChannels(format, false);
            compareSamples(makeConstant(gray, {50, 40}, fullScale(gray)),
                           runOn(adaptive_threshold_operation(), parametersOf(7, 5), image),
                           "white");
            if (!isColor(format))
                compareSamples(makeConstant(gray, {50, 40}, 0),
                               runOn(adaptive_threshold_operation(), parametersOf(7, 0), image),
                               "black");
        }
    }
};

WARPSCOPE_TEST(AdaptiveThresholdTest)
#include "adaptive_threshold_test.moc"
