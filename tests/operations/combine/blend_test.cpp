#include "engine/operations/combine/blend.h"

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

const char* const kModes[] = {"difference", "signed_difference", "add",     "subtract", "multiply",
                              "screen",     "minimum",           "maximum", "average",  "normal",
                              "mask"};

using Whole = std::int64_t;

// The definition, in whole numbers that hold everything.
Whole made(const std::string& mode, Whole a, Whole b, Whole white) {
    const auto clamped = [&](Whole v) { return std::clamp<Whole>(v, 0, white); };
    if (mode == "difference") return a > b ? a - b : b - a;
    if (mode == "signed_difference") return clamped((white + 1) / 2 + a - b);
    if (mode == "add") return clamped(a + b);
    if (mode == "subtract") return clamped(a - b);
    if (mode == "multiply") return (2 * a * b + white) / (2 * white);
    if (mode == "screen") return white - (2 * (white - a) * (white - b) + white) / (2 * white);
    if (mode == "minimum") return std::min(a, b);
    if (mode == "maximum") return std::max(a, b);
    if (mode == "average") return (a + b + 1) >> 1;
    if (mode == "normal") return b;
    return 2 * b > white ? a : 0;
}

// In the order of the definition, each result rounded to float.
float made(const std::string& mode, float a, float b) {
    if (mode == "difference") return std::fabs(a - b);
    if (mode == "signed_difference") {
        const float raised = 0.5f + a;
        return raised - b;
    }
    if (mode == "add") return a + b;
    if (mode == "subtract") return a - b;
    if (mode == "multiply") return a * b;
    if (mode == "screen") {
        const float product = (1.0f - a) * (1.0f - b);
        return 1.0f - product;
    }
    if (mode == "minimum" || mode == "maximum") {
        if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<float>::quiet_NaN();
        return mode == "minimum" ? std::min(a, b) : std::max(a, b);
    }
    if (mode == "average") return (a + b) / 2;
    if (mode == "normal") return b;
    return b > 0.5f ? a : 0.0f;
}

template <class T>
T blended(const std::string& mode, T a, T b, Whole weight) {
    if constexpr (std::is_floating_point_v<T>) {
        const float m = made(mode, a, b);
        if (weight == 256) return m;
        const float ofMade = m * float(weight), ofInput = a * float(256 - weight);
        return (ofMade + ofInput) / 256;
    } else {
        const Whole m = made(mode, Whole(a), Whole(b), std::numeric_limits<T>::max());
        return T((m * weight + a * (256 - weight) + 128) >> 8);
    }
}

Image truth(const Image& image, const Image& second, const std::string& mode, double opacity) {
    const auto weight = Whole(std::floor(256 * opacity / 100 + 0.5));
    std::vector<double> samples;
    visitSampleType(image.format(), [&]<class T>() {
        const auto a = image.view<T>();
        const auto b = second.view<T>();
        for (int y = 0; y < a.height; ++y)
            for (int i = 0; i < a.samplesPerRow(); ++i)
                samples.push_back(
                    double(a.channels == 4 && i % 4 == 3
                               ? a.row(y)[i]
                               : T(blended<T>(mode, a.row(y)[i], b.row(y)[i], weight))));
    });
    return makeImage(image.format(), image.size(), samples);
}

Image blend(const Image& image, const Image& second, const std::string& mode, double opacity,
            Threading threading = Threading::Single) {
    const PlanPtr plan =
        planFor(blend_operation(), {{"mode", mode}, {"opacity", toText(ParamValue(opacity))}},
                image.format(), image.size());
    return runPlan(*plan, image, threading, second);
}

void addFormats() {
    QTest::addColumn<PixelFormat>("format");
    for (const PixelFormat format : kFilterFormats)
        QTest::newRow(std::string(formatName(format)).c_str()) << format;
}

}  // namespace

class BlendTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{warpscope::test::freshSeed()};

    double anyOpacity() { return 0.2 + double(m_random() % 9980) / 100.0; }
    Image anyImage(PixelFormat format, Size size) {
        return isFloat(format) && m_random() % 2 ? makeWild(format, size, m_random())
                                                 : makeNoise(format, size, m_random());
    }

  private slots:
    void equalsTruth_data() { addFormats(); }
    void equalsTruth() {
        QFETCH(PixelFormat, format);
        for (const NamedImage& named : awkwardImages(format)) {
            const Image second = anyImage(format, named.image.size());
            for (const char* mode : kModes)
                for (const double opacity : {100.0, anyOpacity()})
                    compareSamples(truth(named.image, second, mode, opacity),
                                   blend(named.image, second, mode, opacity),
                                   named.name + " " + mode + " " + std::to_string(opacity));
        }
    }

    void everyInstructionSet_data() { addFormats(); }
    void everyInstructionSet() {
        QFETCH(PixelFormat, format);
        for (const Size size : {Size{1, 1}, Size{61, 7}, Size{67, 41}, Size{300, 90}}) {
            const Image image = misaligned(anyImage(format, size));
            const Image second = misaligned(anyImage(format, size));
            for (const char* mode : kModes) {
                const double opacity = m_random() % 2 ? 100.0 : anyOpacity();
                const Image expected = truth(image, second, mode, opacity);
                forEachVectorTarget([&](const std::string& target) {
                    for (const Threading threading : {Threading::Single, Threading::AllCores})
                        compareSamples(expected, blend(image, second, mode, opacity, threading),
                                       target + " " + mode);
                });
            }
        }
    }

    // Large enough for results to be written past the cache.
    void pastTheCache() {
        const struct {
            PixelFormat format;
            Size size;
            const char* mode;
            double opacity;
        } cases[] = {{PixelFormat::Gray8, {2050, 2061}, "difference", 100},
                     {PixelFormat::Gray8, {2061, 2050}, "multiply", 100},
                     {PixelFormat::Rgba8, {1029, 1031}, "add", anyOpacity()},
                     {PixelFormat::Gray16, {1453, 1461}, "average", 100},
                     {PixelFormat::GrayF32, {1031, 1029}, "subtract", 100}};
        for (const auto& one : cases) {
            const Image image = anyImage(one.format, one.size);
            const Image second = anyImage(one.format, one.size);
            const Image expected = truth(image, second, one.mode, one.opacity);
            forEachVectorTarget([&](const std::string& target) {
                compareSamples(expected, blend(image, second, one.mode, one.opacity),
                               target + " " + one.mode);
            });
        }
    }

    // Every pair of 8-bit samples.
    void everyPair() {
        std::vector<double> across, down;
        for (int y = 0; y < 256; ++y)
            for (int x = 0; x < 256; ++x) across.push_back(x), down.push_back(y);
        const Image a = makeImage(PixelFormat::Gray8, {256, 256}, across);
        const Image b = makeImage(PixelFormat::Gray8, {256, 256}, down);
        for (const char* mode : kModes)
            for (const double opacity : {100.0, 50.0, anyOpacity()})
                compareSamples(truth(a, b, mode, opacity), blend(a, b, mode, opacity), mode);
    }

    // Written down by hand: (0, 0), (0, M), (M, 0), (M, M) at full and at half opacity.
    void extremes() {
        const double w = -1, h = -2, k = -3;  // M, L / 2, (M 128 + 128) >> 8
        struct Row {
            const char* mode;
            std::array<double, 4> full, half;
        };
        const Row rows[] = {
            {"difference", {0, w, w, 0}, {0, h, w, k}},
            {"signed_difference", {h, 0, w, h}, {0, 0, w, 0}},
            {"add", {0, w, w, w}, {0, h, w, w}},
            {"subtract", {0, 0, w, 0}, {0, 0, w, k}},
            {"multiply", {0, 0, 0, w}, {0, 0, k, w}},
            {"screen", {0, w, w, w}, {0, h, w, w}},
            {"minimum", {0, 0, 0, w}, {0, 0, k, w}},
            {"maximum", {0, w, w, w}, {0, h, w, w}},
            {"average", {0, h, h, w}, {0, 0, 0, w}},
            {"normal", {0, w, 0, w}, {0, h, k, w}},
            {"mask", {0, 0, 0, w}, {0, 0, k, w}},
        };
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Gray16}) {
            const double white = fullScale(format), half = (white + 1) / 2;
            const Image a = makeImage(format, {4, 1}, {0, 0, white, white});
            const Image b = makeImage(format, {4, 1}, {0, white, 0, white});
            const auto valuesOf = [&](const std::array<double, 4>& row) {
                std::vector<double> values;
                for (const double v : row)
                    values.push_back(v == w ? white : v == h || v == k ? half : v);
                return makeImage(format, {4, 1}, values);
            };
            for (const Row& row : rows) {
                compareSamples(valuesOf(row.full), blend(a, b, row.mode, 100), row.mode);
                // What is half of L / 2, or between it and M, is for the truth.
                if (std::string(row.mode) == "signed_difference" ||
                    std::string(row.mode) == "average")
                    continue;
                compareSamples(valuesOf(row.half), blend(a, b, row.mode, 50), row.mode);
            }
        }
    }

    void maskIsBrightBeyondTheMiddle() {
        const Image a = makeImage(PixelFormat::Rgba8, {1, 1}, {10, 20, 30, 40});
        const Image b = makeImage(PixelFormat::Rgba8, {1, 1}, {127, 128, 255, 0});
        compareSamples(makeImage(PixelFormat::Rgba8, {1, 1}, {0, 20, 30, 40}),
                       blend(a, b, "mask", 100), "8 bits");
        const Image deep = makeImage(PixelFormat::Gray16, {2, 1}, {5, 6});
        compareSamples(
            makeImage(PixelFormat::Gray16, {2, 1}, {0, 6}),
            blend(deep, makeImage(PixelFormat::Gray16, {2, 1}, {32767, 32768}), "mask", 100),
            "16 bits");
    }

    // Beyond white and below black, and what is no number.
    void floatsAreNotClamped() {
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        const auto image = [](const std::vector<double>& v) {
            return makeImage(PixelFormat::GrayF32, {int(v.size()), 1}, v);
        };
        const Image a = image({0.75, 0.25, 2, kInfinity});
        const Image b = image({0.5, 0.75, 4, 1});
        const auto check = [&](const char* mode, const std::vector<double>& expected) {
            compareSamples(image(expected), blend(a, b, mode, 100), mode);
        };
        check("add", {1.25, 1, 6, kInfinity});
        check("subtract", {0.25, -0.5, -2, kInfinity});
        check("signed_difference", {0.75, 0, -1.5, kInfinity});
        check("multiply", {0.375, 0.1875, 8, kInfinity});
        check("normal", {0.5, 0.75, 4, 1});
        check("mask", {0, 0.25, 2, kInfinity});
        const double nan = std::numeric_limits<double>::quiet_NaN();
        compareSamples(image({nan, nan, -1}),
                       blend(image({nan, 1, 1}), image({1, nan, -1}), "minimum", 100), "minimum");
    }

    void noOpacityIsTheInput() {
        for (const PixelFormat format : kFilterFormats)
            for (const char* mode : kModes)
                QVERIFY(
                    planFor(blend_operation(), {{"mode", mode}, {"opacity", "0"}}, format, {5, 5})
                        ->identity);
        QVERIFY(!planFor(blend_operation(), {{"opacity", "0.2"}}, PixelFormat::Gray8, {5, 5})
                     ->identity);
    }

    void countsBothInputs() {
        const PlanPtr plan = planFor(blend_operation(), {}, PixelFormat::Rgba8, {10, 10});
        QVERIFY(plan->takesSecond);
        QCOMPARE(plan->minimalBytes, std::uint64_t(1200));
    }
};

WARPSCOPE_TEST(BlendTest)
#include "blend_test.moc"
