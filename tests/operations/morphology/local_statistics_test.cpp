#include "engine/operations/morphology/local_statistics.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// The definition; integers in 128 bits.
template <class T>
double statisticOf(const std::vector<T>& window, const std::string& what) {
    const auto [least, most] = std::minmax_element(window.begin(), window.end());
    if (what == "range") return double(*most) - double(*least);
    if constexpr (std::is_floating_point_v<T>) {
        long double sum = 0, squares = 0;
        for (const T v : window) sum += v;
        const long double mean = sum / window.size();
        for (const T v : window) squares += (v - mean) * (v - mean);
        const long double variance = squares / window.size();
        return double(what == "variance" ? variance : std::sqrt(variance));
    } else {
        __extension__ using Whole = __int128;
        Whole sum = 0, squares = 0;
        const Whole n = Whole(window.size());
        for (const T v : window) {
            sum += v;
            squares += Whole(v) * v;
        }
        const Whole variance = (n * squares - sum * sum) / (n * n);
        if (what == "variance")
            return double(std::min<Whole>(variance, std::numeric_limits<T>::max()));
        Whole root = 0;
        while ((root + 1) * (root + 1) <= variance) ++root;
        return double(root);
    }
}

Image statisticsTruth(const Image& image, const std::string& what, int r) {
    std::vector<double> samples;
    visitSampleType(image.format(), [&]<class T>() {
        const auto view = image.view<T>();
        std::vector<T> window;
        for (int y = 0; y < view.height; ++y)
            for (int x = 0; x < view.width; ++x)
                for (int c = 0; c < view.channels; ++c) {
                    if (c == 3) {
                        samples.push_back(double(view.row(y)[4 * x + 3]));
                        continue;
                    }
                    window.clear();
                    for (int j = y - r; j <= y + r; ++j)
                        for (int i = x - r; i <= x + r; ++i)
                            window.push_back(view.row(std::clamp(
                                j, 0,
                                view.height -
                                    1))[std::clamp(i, 0, view.width - 1) * view.channels + c]);
                    samples.push_back(statisticOf(window, what));
                }
    });
    return makeImage(image.format(), image.size(), samples);
}

Image statisticsOf(const Image& image, const std::string& what, int r,
                   Threading threading = Threading::Single) {
    return runOn(local_statistics_operation(), {{"what", what}, {"radius", std::to_string(r)}},
                 image, threading);
}

const char* const kStatistics[] = {"standard_deviation", "variance", "range"};
constexpr PixelFormat kFloats[] = {PixelFormat::GrayF32, PixelFormat::RgbaF32};

// Float: half a unit in the last place of the result, from the rounding to float, and a little.
void compareStatistics(const Image& expected, const Image& actual, const std::string& name) {
    if (!isFloat(expected.format())) return compareSamples(expected, actual, name);
    for (int y = 0; y < expected.height(); ++y)
        for (int i = 0; i < expected.view<float>().samplesPerRow(); ++i) {
            const float a = expected.view<float>().row(y)[i], b = actual.view<float>().row(y)[i];
            const bool fine = std::abs(a - b) <= 1e-6f * std::abs(a) + 1e-30f;
            QVERIFY2(fine, (name + ": " + std::to_string(a) + ", got " + std::to_string(b) +
                            " at " + std::to_string(i) + ", " + std::to_string(y))
                               .c_str());
        }
}

}  // namespace

class LocalStatisticsTest : public QObject {
    Q_OBJECT

  private slots:
    void equalsTruthOnEveryTarget() {
        const std::uint32_t seed = warpscope::test::freshSeed();
        for (const PixelFormat format : kFilterFormats)
            for (const Size size : awkwardSizes()) {
                if (size.pixels() > 700 || leftOut()) continue;
                for (const Image& image :
                     {makeNoise(format, size, seed), misaligned(makePhotograph(format, size))})
                    for (const char* what : kStatistics)
                        for (const int r : {1, 4}) {
                            const Image expected = statisticsTruth(image, what, r);
                            forEachVectorTarget([&](const std::string& target) {
                                compareStatistics(expected, statisticsOf(image, what, r),
                                                  target + ", " + what + ", radius " +
                                                      std::to_string(r) + ", " +
                                                      std::to_string(size.width) + " x " +
                                                      std::to_string(size.height) + ", seed " +
                                                      std::to_string(seed));
                            });
                            if (QTest::currentTestFailed()) return;
                        }
            }
    }

    // Trap: sums of squares that leave their integers. Black and white pixels have the largest
    // spread; white ones the largest sums.
    void largestRadiusOfTheLargestSamples() {
        std::mt19937 random(warpscope::test::freshSeed());
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Gray16})
            for (const unsigned share : {2u, 1000u}) {
                std::vector<double> samples;
                for (int i = 0; i < 13 * 9; ++i)
                    samples.push_back(random() % share ? fullScale(format) : 0);
                const Image image = makeImage(format, {13, 9}, samples);
                for (const char* what : kStatistics)
                    for (const int r : {60, kMaxStatisticsRadius}) {
                        const Image expected = statisticsTruth(image, what, r);
                        compareSamples(expected, statisticsOf(image, what, r), what);
                    }
            }
    }

    // Trap: roots that are found by an approximation. Few levels far apart have spreads of all
    // sizes, squares and the largest ones among them; up to radius 9 they fit 32 bits.
    void rootsOfSpreadsOfAllSizes() {
        const std::uint32_t seed = warpscope::test::freshSeed();
        std::mt19937 random(seed);
        for (const int r : {1, 2, 3, 9, 10})
            for (const double step : {1.0, 2.0, 17.0, 127.0, 255.0}) {
                std::vector<double> samples;
                const unsigned share = random() % 2 ? 2 : 2 + random() % 40;
                for (int i = 0; i < 67 * 45; ++i)
                    samples.push_back(random() % share ? 0 : step * (random() % 255 < step));
                for (int i = 0; i < 67 * 20; ++i)
                    samples[std::size_t(i)] = (i / 67 + i % 67) % 2 ? step : 0;
                const Image image = makeImage(PixelFormat::Gray8, {67, 45}, samples);
                const Image expected = statisticsTruth(image, "standard_deviation", r);
                forEachVectorTarget([&](const std::string& target) {
                    compareSamples(expected, statisticsOf(image, "standard_deviation", r),
                                   target + ", radius " + std::to_string(r) + ", seed " +
                                       std::to_string(seed));
                });
                if (QTest::currentTestFailed()) return;
            }
    }

    void manyBandsAndParts() {
        const std::uint32_t seed = warpscope::test::freshSeed();
        for (const auto& [format, size, r] : {std::tuple{PixelFormat::Gray8, Size{2111, 5}, 2},
                                              std::tuple{PixelFormat::RgbaF32, Size{4500, 3}, 2},
                                              std::tuple{PixelFormat::Rgba16, Size{41, 300}, 3},
                                              std::tuple{PixelFormat::GrayF32, Size{9, 700}, 2}}) {
            const Image image = makeNoise(format, size, seed);
            for (const char* what : kStatistics)
                for (const Threading threading : {Threading::Single, Threading::AllCores})
                    compareStatistics(statisticsTruth(image, what, r),
                                      statisticsOf(image, what, r, threading),
                                      std::string(what) + ", seed " + std::to_string(seed));
        }
    }

    // Also where sums of floats are not exact.
    void nothingVariesInAConstant() {
        for (const PixelFormat format : kFloats)
            for (const double value : {0.1, 1234567.0, -3e19}) {
                const Image flat = makeConstant(format, {37, 19}, value);
                for (const char* what : kStatistics)
                    for (const int r : {1, 7, 100}) {
                        const Image result = statisticsOf(flat, what, r);
                        for (int i = 0; i < result.view<float>().samplesPerRow(); ++i)
                            QCOMPARE(result.view<float>().row(9)[i],
                                     i % 4 == 3 && isColor(format) ? float(value) : 0.0f);
                    }
            }
    }

    // A crop has the bits of the whole.
    void cropsHaveTheSameBits() {
        const std::uint32_t seed = warpscope::test::freshSeed();
        for (const PixelFormat format : kFilterFormats) {
            const Image image = makeNoise(format, {120, 90}, seed);
            for (const char* what : kStatistics) {
                const Image whole = statisticsOf(image, what, 6);
                const Image part = statisticsOf(image.crop({20, 30, 61, 40}), what, 6);
                compareSamples(whole.crop({26, 36, 49, 28}), part.crop({6, 6, 49, 28}),
                               std::string(what) + ", seed " + std::to_string(seed));
            }
        }
    }
};

WARPSCOPE_TEST(LocalStatisticsTest)
#include "local_statistics_test.moc"
