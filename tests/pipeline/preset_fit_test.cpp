// What presets take from an image: where its levels begin and end, and how large it is.
#include "engine/pipeline/preset_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/pipeline/shipped_presets.h"
#include "support/images.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

class PresetFitTest : public QObject {
    Q_OBJECT
    std::mt19937 m_random{freshSeed()};

    // Share of the samples of one colour below and above two levels.
    template <class T>
    static std::pair<double, double> beyond(const Image& image, const LevelRange& range) {
        const View<const T> view = image.view<T>();
        double below = 0, above = 0;
        const int colors = isColor(image.format()) ? 3 : 1;
        std::pair<double, double> most{0, 0};
        for (int c = 0; c < colors; ++c) {
            below = above = 0;
            for (int y = 0; y < view.height; ++y)
                for (int x = 0; x < view.width; ++x) {
                    const double level = double(view.row(y)[x * view.channels + c]) /
                                         fullScale(image.format()) * 255;
                    below += level < range.black - 1e-3;
                    above += level > range.white + 1e-3;
                }
            most.first = std::max(most.first, below / double(image.size().pixels()));
            most.second = std::max(most.second, above / double(image.size().pixels()));
        }
        return most;
    }

  private slots:
    void littleIsGivenAwayAndNoMore() {
        for (int round = 0; round < 20; ++round)
            for (const PixelFormat format :
                 {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16, PixelFormat::Rgba16,
                  PixelFormat::GrayF32, PixelFormat::RgbaF32}) {
                const Size size{int(m_random() % 200 + 30), int(m_random() % 200 + 30)};
                const Image image = makePhotograph(format, size, m_random());
                const auto range = usedLevels(image);
                QVERIFY(range && range->black < range->white);
                const auto [below, above] = isFloat(format) ? beyond<float>(image, *range)
                                            : bytesPerSample(format) == 1
                                                ? beyond<std::uint8_t>(image, *range)
                                                : beyond<std::uint16_t>(image, *range);
                QVERIFY(below <= 0.0035 && above <= 0.0035);
                // A level further in would give away more, where values do not lie dense.
                const LevelRange tighter{range->black + 2, range->white - 2};
                const auto [more, mostly] = isFloat(format) ? beyond<float>(image, tighter)
                                            : bytesPerSample(format) == 1
                                                ? beyond<std::uint8_t>(image, tighter)
                                                : beyond<std::uint16_t>(image, tighter);
                const double one = 1.0 / double(size.pixels());
                QVERIFY(more >= 0.0035 - one || range->black == 0);
                QVERIFY(mostly >= 0.0035 - one || range->white == 255);
            }
    }

    void whatHasNoRangeIsLeftAlone() {
        QVERIFY(!usedLevels(makeConstant(PixelFormat::Gray8, {20, 10}, 77)));
        QVERIFY(!usedLevels(makeConstant(PixelFormat::Gray32, {20, 10}, 77)));
        const Image empty =
            makeConstant(PixelFormat::GrayF32, {20, 10}, std::numeric_limits<double>::quiet_NaN());
        QVERIFY(!usedLevels(empty));
        const Pipeline preset = shippedPreset("microscopy-contrast").value();
        QVERIFY(fittedTo(preset, empty) == preset);
    }

    // The same picture with other numbers of pixels: the same share of it.
    void radiusFollowsTheSize() {
        const Pipeline preset = shippedPreset("document-scan").value();
        const auto radius = [&](Size size) {
            const Pipeline fitted = fittedTo(preset, makeConstant(PixelFormat::Gray8, size, 200));
            return fitted.steps.front().parameters.integer("radius");
        };
        QCOMPARE(radius({100, 80}), std::int64_t(15));
        QCOMPARE(radius({1000, 1900}), std::int64_t(53));
        QCOMPARE(radius({1900, 1000}), std::int64_t(53));
        QCOMPARE(radius({4000, 4000}), std::int64_t(150));
        QVERIFY(checkPipeline(fittedTo(preset, makeConstant(PixelFormat::Gray8, {1, 1}, 3))));
    }

    void countsSayTheSameAsNearAsTheyCan() {
        HistogramSet counts;
        counts.format = PixelFormat::Gray8;
        counts.low = 0;
        counts.high = 256;
        Histogram luma{HistogramChannel::Luma, std::vector<std::uint64_t>(64, 0)};
        for (int i = 10; i < 40; ++i) luma.bins[std::size_t(i)] = 1000;
        luma.bins[2] = 10;  // given away
        counts.channels = {luma};
        const auto range = usedLevels(counts);
        QVERIFY(range);
        QVERIFY(std::abs(range->black - 40) < 0.5);
        QVERIFY(std::abs(range->white - 160) < 0.5);
    }
};

WARPSCOPE_TEST(PresetFitTest)
#include "preset_fit_test.moc"
