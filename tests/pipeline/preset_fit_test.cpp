// What presets take from an image: where its levels begin and end, and how large it is.
#include "engine/pipeline/preset_fit.h"

#include <fmt/format.h>

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
                QVERIFY2(below <= 0.0035 && above <= 0.0035,
                         fmt::format("{} {}x{}: {} {}, {} to {}", formatName(format), size.width,
                                     size.height, below, above, range->black, range->white)
                             .c_str());
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

    // A micrograph in a round field, 60 to 180, with a surround that is black or white, with the
    // few levels beside it that a JPEG makes, or none.
    void anEvenSurroundIsNotCounted() {
        for (const PixelFormat format :
             {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16, PixelFormat::RgbaF32})
            for (const bool bright : {false, true})
                for (const int foot : {0, 2}) {
                    const Size size{151 + int(m_random() % 50), 140};
                    const double full = fullScale(format), unit = isFloat(format) ? 1 : full;
                    const int samples = isColor(format) ? 4 : 1;
                    std::vector<double> values;
                    for (int y = 0; y < size.height; ++y)
                        for (int x = 0; x < size.width; ++x) {
                            const bool inside = std::hypot(x - size.width / 2, y - 70) < 62;
                            double level = inside ? 60 + double(m_random() % 121)
                                                  : double(m_random() % unsigned(foot + 1));
                            if (!inside && bright) level = 255 - level;
                            for (int c = 0; c < samples; ++c)
                                values.push_back(isFloat(format) ? level / 255
                                                                 : std::round(level / 255 * unit));
                        }
                    const auto range = usedLevels(makeImage(format, size, values));
                    const std::string what =
                        fmt::format("{} {} {}", formatName(format), bright, foot);
                    QVERIFY2(range, what.c_str());
                    QVERIFY2(std::abs(range->black - 60) < 3 && std::abs(range->white - 180) < 3,
                             fmt::format("{}: {} {}", what, range->black, range->white).c_str());
                }
    }
    // Dark ground is no surround where levels go on from it; nor is an image of two levels.
    void groundIsCounted() {
        std::vector<double> values;
        for (int i = 0; i < 100 * 100; ++i)
            values.push_back(i % 10 < 7 ? double(m_random() % 12) : 12 + double(m_random() % 90));
        const auto ground = usedLevels(makeImage(PixelFormat::Gray8, {100, 100}, values));
        QVERIFY(ground && ground->black <= 1);
        for (double& value : values) value = value < 20 ? 0 : 255;
        const auto two = usedLevels(makeImage(PixelFormat::Gray8, {100, 100}, values));
        QVERIFY(two && two->black == 0 && two->white == 255);
    }
    // Discs on an uneven ground; also where they cover more of it than is left.
    void objectsAreThoseThatTheFrameDoesNotShow() {
        const Pipeline preset = shippedPreset("count-cells").value();
        for (const PixelFormat format :
             {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16, PixelFormat::GrayF32})
            for (const bool dark : {false, true})
                for (const int radius : {9, 19}) {
                    const int samples = isColor(format) ? 4 : 1;
                    std::vector<double> values;
                    for (int y = 0; y < 200; ++y)
                        for (int x = 0; x < 200; ++x) {
                            const int dx = (x + 1) % 40 - 20, dy = (y + 1) % 40 - 20;
                            const bool object = dx * dx + dy * dy < radius * radius;
                            const double level =
                                (object == dark ? 50 : 170) + double(m_random() % 20) + x / 10;
                            for (int c = 0; c < samples; ++c)
                                values.push_back(isFloat(format) ? level / 255
                                                 : samples == 4 || format == PixelFormat::Gray8
                                                     ? level
                                                     : level * 257);
                        }
                    const Pipeline fitted = fittedTo(preset, makeImage(format, {200, 200}, values));
                    QCOMPARE(fitted.steps[2].operation, std::string("invert"));
                    QVERIFY2(fitted.steps[2].enabled == dark,
                             fmt::format("{} {} {}", formatName(format), dark, radius).c_str());
                }
        // Elsewhere it is a step like others.
        const Pipeline edges = shippedPreset("edges-for-print").value();
        QVERIFY(fittedTo(edges, makeConstant(PixelFormat::Gray8, {30, 30}, 0)) == edges);
    }
    // In levels as they are after `levels`; a picture without noise keeps its detail.
    void strengthFollowsTheNoise() {
        const Pipeline preset = shippedPreset("night-photo").value();
        std::normal_distribution<double> normal(0, 3);
        std::vector<double> even, noisy;
        for (int y = 0; y < 200; ++y)
            for (int x = 0; x < 200; ++x) {
                const double level = 20 + x / 5;
                even.push_back(level);
                noisy.push_back(std::clamp(std::round(level + normal(m_random)), 0.0, 255.0));
            }
        const auto strength = [&](const std::vector<double>& values) {
            const Image image = makeImage(PixelFormat::Gray8, {200, 200}, values);
            const Pipeline fitted = fittedTo(preset, image);
            const ParamSet& levels = fitted.steps.front().parameters;
            const double gain = 255 / (levels.real("white") - levels.real("black"));
            return std::pair(fitted.steps.back().parameters.real("h"), gain);
        };
        QCOMPARE(strength(even).first, 4.0);
        const auto [h, gain] = strength(noisy);
        QVERIFY2(std::abs(h - 2.2 * 3 * gain) < 0.2 * h, fmt::format("{} {}", h, gain).c_str());
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
        for (const bool surrounded : {false, true}) {
            if (surrounded) luma.bins.front() = luma.bins.back() = 9000;
            counts.channels = {luma};
            const auto range = usedLevels(counts);
            QVERIFY(range);
            QVERIFY(std::abs(range->black - 40) < 0.5);
            QVERIFY(std::abs(range->white - 160) < 0.5);
        }
    }
};

WARPSCOPE_TEST(PresetFitTest)
#include "preset_fit_test.moc"
