#include "engine/operations/tone/extract_channel.h"

#include <cmath>
#include <random>

#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

using Real = long double;
using Pixel = std::array<Real, 4>;

constexpr const char* kChannels[] = {"luma", "red",        "green", "blue",     "alpha",
                                     "hue",  "saturation", "value", "lightness"};

// The definitions, before lightness is rounded; integers in whole numbers, float as they are.
Real definition(const std::string& channel, const Pixel& p, bool isFloat, Real white) {
    const auto [r, g, b, a] = p;
    const auto floored = [&](Real v) { return isFloat ? v : std::floor(v); };
    if (channel == "luma")
        return floored((19595 * r + 38470 * g + 7471 * b + (isFloat ? 0 : 32768)) / 65536);
    if (channel == "red") return r;
    if (channel == "green") return g;
    if (channel == "blue") return b;
    if (channel == "alpha") return a;
    const Real most = std::max({r, g, b}), distance = most - std::min({r, g, b});
    if (channel == "value") return most;
    if (channel == "saturation") {
        if (most == 0) return 0;
        return isFloat ? distance / most : std::floor((2 * white * distance + most) / (2 * most));
    }
    if (channel == "hue") {
        if (distance == 0) return 0;
        const Real levels = isFloat ? 1 : white + 1;
        const Real d = most == r ? g - b : most == g ? b - r : r - g;
        const Real sector = most == r ? (d < 0 ? 6 : 0) : most == g ? 2 : 4;
        const Real turns = (sector * distance + d) / (6 * distance);
        if (isFloat) return turns >= 1 ? turns - 1 : turns;
        return std::fmod(
            std::floor((2 * levels * (sector * distance + d) + 6 * distance) / (12 * distance)),
            levels);
    }
    const auto light = [&](Real c) {
        c /= white;
        return c <= 0.04045L ? c / 12.92L : std::pow((c + 0.055L) / 1.055L, 2.4L);
    };
    const Real y = 0.2126L * light(r) + 0.7152L * light(g) + 0.0722L * light(b);
    const Real lightness = y > 216.0L / 24389 ? 116 * std::cbrt(y) - 16 : 24389.0L / 27 * y;
    return white * lightness / 100;
}

}  // namespace

class ExtractChannelTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{warpscope::test::freshSeed()};

    template <class T>
    void compareWithTruth(const std::string& channel, const Image& image, const Image& result,
                          const std::string& name) {
        constexpr bool kFloat = std::is_floating_point_v<T>;
        const Real white = fullScale(image.format());
        const auto in = image.view<T>(), out = result.view<T>();
        QCOMPARE(result.format(), *withChannels(image.format(), false));
        for (int y = 0; y < in.height; ++y)
            for (int x = 0; x < in.width; ++x) {
                const T* p = in.row(y) + x * in.channels;
                Pixel pixel{0, 0, 0, white};
                for (int c = 0; c < (in.channels == 4 ? 4 : 3); ++c)
                    pixel[std::size_t(c)] = Real(p[in.channels == 4 ? c : 0]);
                const Real exact = definition(channel, pixel, kFloat, white);
                const Real got = out.row(y)[x];
                // Lightness: a half that one rounds up and the other down.
                const Real allowed = kFloat ? 1e-6L * std::max<Real>(1, std::abs(exact))
                                     : channel == "lightness" ? (sizeof(T) == 1 ? 0.501L : 0.6L)
                                                              : 0;
                if (std::abs(got - exact) <= allowed) continue;
                QVERIFY2(false, qPrintable(QString("%1 %2 of %3 %4 %5: %6, not %7")
                                               .arg(name.c_str())
                                               .arg(channel.c_str())
                                               .arg(double(pixel[0]))
                                               .arg(double(pixel[1]))
                                               .arg(double(pixel[2]))
                                               .arg(double(got))
                                               .arg(double(exact))));
            }
    }

  private slots:
    void isItsDefinition_data() {
        QTest::addColumn<std::string>("channel");
        for (const char* channel : kChannels) QTest::newRow(channel) << std::string(channel);
    }
    void isItsDefinition() {
        QFETCH(std::string, channel);
        for (const PixelFormat format : kFilterFormats)
            for (const Size size : {Size{1, 1}, Size{1, 41}, Size{143, 1}, Size{83, 29}}) {
                if (leftOut()) continue;
                const std::uint32_t seed = m_random();
                for (const Image& image :
                     {makeNoise(format, size, seed), misaligned(makePhotograph(format, size, seed)),
                      makeRamp(format, size)})
                    forEachVectorTarget([&](const std::string& target) {
                        for (const Threading threading : {Threading::Single, Threading::AllCores}) {
                            const Image result = runOn(extract_channel_operation(),
                                                       {{"channel", channel}}, image, threading);
                            visitSampleType(format, [&]<class T>() {
                                compareWithTruth<T>(channel, image, result,
                                                    target + " seed " + std::to_string(seed));
                            });
                        }
                    });
                if (QTest::currentTestFailed()) return;
            }
    }

    // Few levels: equal channels, grays and ends of the circle are there by the thousand.
    void fewLevels() {
        for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::Rgba16})
            for (const char* channel : {"hue", "saturation", "value"}) {
                std::vector<double> samples;
                const double step = fullScale(format) / 255;
                for (int i = 0; i < 4 * 97 * 41; ++i) {
                    const double levels[] = {0, 1, 2, 127, 128, 253, 254, 255};
                    samples.push_back(levels[m_random() % 8] * step);
                }
                const Image image = makeImage(format, {97, 41}, samples);
                const Image result =
                    runOn(extract_channel_operation(), {{"channel", channel}}, image);
                visitSampleType(format, [&]<class T>() {
                    compareWithTruth<T>(channel, image, result, "few levels");
                });
            }
    }

    // By hand.
    void values() {
        const Image image = makeImage(PixelFormat::Rgba8, {4, 1},
                                      {255, 0, 0, 9, 0, 255, 0, 8, 0, 0, 255, 7, 200, 200, 100, 6});
        const auto is = [&](const char* channel, const std::vector<double>& wanted) {
            compareSamples(makeImage(PixelFormat::Gray8, {4, 1}, wanted),
                           runOn(extract_channel_operation(), {{"channel", channel}}, image),
                           channel);
        };
        is("hue", {0, 85, 171, 43});
        is("saturation", {255, 255, 255, 128});
        is("value", {255, 255, 255, 200});
        is("alpha", {9, 8, 7, 6});
        // 53.2, 87.7, 32.3 and 78.8 of 100.
        is("lightness", {136, 224, 82, 201});
        // Just before red the circle is full: 256 mod 256.
        compareSamples(makeImage(PixelFormat::Gray8, {1, 1}, {0}),
                       runOn(extract_channel_operation(), {{"channel", "hue"}},
                             makeImage(PixelFormat::Rgba8, {1, 1}, {255, 0, 1, 0})),
                       "full circle");
    }

    void grayAndWhite() {
        for (const PixelFormat format : kFilterFormats)
            for (const char* channel : kChannels) {
                const std::string id = channel;
                const bool stored =
                    id != "alpha" && id != "hue" && id != "saturation" && id != "lightness";
                const auto plan =
                    planFor(extract_channel_operation(), {{"channel", id}}, format, {3, 3});
                QCOMPARE(plan->identity, stored && !isColor(format));
                QCOMPARE(plan->fillsRange, !stored);
                if (isColor(format) || id != "lightness") continue;
                const double white = fullScale(format);
                const Image ends = makeImage(format, {2, 1}, {0, white});
                compareSamples(ends, runOn(extract_channel_operation(), {{"channel", id}}, ends),
                               id);
            }
    }

    void nanInAColour() {
        constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
        const Image image = makeImage(PixelFormat::RgbaF32, {2, 1}, {1, kNan, 0, 0.5, 1, 0, 0, 1});
        for (const char* channel : {"luma", "green", "hue", "saturation", "value", "lightness"}) {
            const Image result = runOn(extract_channel_operation(), {{"channel", channel}}, image);
            QVERIFY2(std::isnan(result.view<float>().row(0)[0]), channel);
            QVERIFY2(!std::isnan(result.view<float>().row(0)[1]), channel);
        }
    }
};

WARPSCOPE_TEST(ExtractChannelTest)
#include "extract_channel_test.moc"
