#include "engine/operations/smoothing/bilateral.h"

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

struct Sigmas {
    int radius;
    double space, range;
};

TextParameters textOf(const Sigmas& s) {
    return {{"radius", std::to_string(s.radius)},
            {"sigma_space", toText(ParamValue(s.space))},
            {"sigma_range", toText(ParamValue(s.range))}};
}

Image bilateral(const Image& image, const Sigmas& s, Threading threading = Threading::Single) {
    return runOn(bilateral_operation(), textOf(s), image, threading);
}

// Calls use(weight of the place, difference, pixel) for every neighbour.
template <class T, class Use>
void forNeighbours(const View<const T>& in, int x, int y, int radius, double sigma, Use&& use) {
    for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx) {
            if (dx * dx + dy * dy > radius * radius) continue;
            const T* pixel = in.row(std::clamp(y + dy, 0, in.height - 1)) +
                             in.channels * std::clamp(x + dx, 0, in.width - 1);
            const T* own = in.row(y) + in.channels * x;
            double difference = 0;
            for (int c = 0; c < std::min(3, in.channels); ++c)
                difference += std::abs(double(pixel[c]) - double(own[c]));
            use(std::exp(-(dx * dx + dy * dy) / (2 * sigma * sigma)), difference, pixel);
        }
}

template <class T>
std::vector<double> truthOf(const Image& image, const Sigmas& s) {
    const auto in = image.view<T>();
    std::vector<double> made;
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x)
            for (int c = 0; c < in.channels; ++c) {
                if (c == 3) {
                    made.push_back(double(in.row(y)[4 * x + 3]));
                    continue;
                }
                std::int64_t weights = 0, sum = 0;
                forNeighbours<T>(in, x, y, s.radius, s.space,
                                 [&](double near, double difference, const T* pixel) {
                                     double sigma = s.range;
                                     if (sizeof(T) == 2) {
                                         difference = 16 * std::floor((difference + 8) / 16);
                                         sigma *= 257;
                                     }
                                     const double alike =
                                         std::exp(-difference * difference / (2 * sigma * sigma));
                                     const auto space = std::int64_t(std::floor(256 * near + 0.5));
                                     const auto range = std::int64_t(std::floor(256 * alike + 0.5));
                                     const std::int64_t weight = (space * range + 128) / 256;
                                     weights += weight;
                                     sum += weight * std::int64_t(pixel[c]);
                                 });
                made.push_back(double((2 * sum + weights) / (2 * weights)));
            }
    return made;
}

Image truthOf(const Image& image, const Sigmas& s) {
    return makeImage(image.format(), image.size(),
                     bytesPerSample(image.format()) == 2 ? truthOf<std::uint16_t>(image, s)
                                                         : truthOf<std::uint8_t>(image, s));
}

std::string nameOf(const Sigmas& s) {
    return "radius " + std::to_string(s.radius) + ", sigmas " + std::to_string(s.space) + ", " +
           std::to_string(s.range);
}

}  // namespace

class BilateralTest : public QObject {
    Q_OBJECT

  private slots:
    void equalsTruthOnEveryTarget() {
        for (const PixelFormat format : kIntegerFormats)
            for (const NamedImage& named : awkwardImages(format)) {
                if (named.image.size().pixels() > 1500) continue;
                for (const Sigmas& s : {Sigmas{1, 3, 25}, Sigmas{4, 3, 25}, Sigmas{3, 100, 300}}) {
                    const Image truth = truthOf(named.image, s);
                    forEachVectorTarget([&](const std::string& target) {
                        compareSamples(truth, bilateral(named.image, s),
                                       target + ", " + named.name + ", " + nameOf(s));
                    });
                    if (QTest::currentTestFailed()) return;
                }
            }
    }

    // Many vectors wide, and cut into bands.
    void wideImages() {
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
            for (const auto& [size, s] : {std::pair{Size{600, 31}, Sigmas{9, 4, 40}},
                                          std::pair{Size{2500, 21}, Sigmas{4, 3, 25}}}) {
                const Image image = makeNoise(format, size, freshSeed());
                const Image truth = truthOf(image, s);
                forEachVectorTarget([&](const std::string& target) {
                    for (const Threading threading : {Threading::Single, Threading::AllCores})
                        compareSamples(truth, bilateral(image, s, threading),
                                       target + ", " + nameOf(s));
                });
            }
    }

    // Tables that are full, and those that are nearly empty; sums of the widest disk.
    void extremes() {
        const std::uint32_t seed = warpscope::test::freshSeed();
        for (const PixelFormat format : kIntegerFormats)
            for (const Sigmas& s : {Sigmas{15, 100, 1000}, Sigmas{15, 0.1, 0.1}, Sigmas{8, 20, 60},
                                    Sigmas{7, 5, 74.9}, Sigmas{2, 100, 0.1}, Sigmas{5, 30, 80}})
                for (const Image& image :
                     {makeNoise(format, {71, 9}, seed), makePhotograph(format, {37, 11}, seed),
                      makeConstant(format, {19, 5}, fullScale(format))}) {
                    const Image truth = truthOf(image, s);
                    forEachVectorTarget([&](const std::string& target) {
                        compareSamples(
                            truth, bilateral(image, s),
                            target + ", seed " + std::to_string(seed) + ", " + nameOf(s));
                    });
                    if (QTest::currentTestFailed()) return;
                }
    }

    void floatIsTheFormula() {
        const std::uint32_t seed = warpscope::test::freshSeed();
        for (const PixelFormat format : {PixelFormat::GrayF32, PixelFormat::RgbaF32})
            for (const Sigmas& s : {Sigmas{4, 3, 25}, Sigmas{15, 8, 60}, Sigmas{2, 0.5, 500}}) {
                const Image image = makeNoise(format, {33, 17}, seed);
                const auto in = image.view<float>();
                const double sigma = s.range / 255;
                forEachVectorTarget([&](const std::string& target) {
                    const Image result = bilateral(image, s);
                    for (int y = 0; y < in.height; ++y)
                        for (int x = 0; x < in.width; ++x)
                            for (int c = 0; c < in.channels; ++c) {
                                double weights = 0, sum = 0, largest = 0;
                                forNeighbours<float>(
                                    in, x, y, s.radius, s.space,
                                    [&](double near, double d, const float* pixel) {
                                        const double w =
                                            near * std::exp(-d * d / (2 * sigma * sigma));
                                        weights += w;
                                        sum += w * double(pixel[c]);
                                        largest = std::max(largest, std::abs(double(pixel[c])));
                                    });
                                const double truth =
                                    c == 3 ? double(in.row(y)[4 * x + 3]) : sum / weights;
                                const double made =
                                    double(result.view<float>().row(y)[in.channels * x + c]);
                                QVERIFY2(std::abs(made - truth) <= 4 * std::ldexp(largest, -23),
                                         (target + ", seed " + std::to_string(seed) + ", " +
                                          nameOf(s) + ": " + std::to_string(made - truth))
                                             .c_str());
                            }
                });
                if (QTest::currentTestFailed()) return;
            }
    }

    void bandsAndThreadsAgree() {
        const Sigmas s{3, 2, 30};
        for (const PixelFormat format : kFilterFormats)
            for (const Size size : {Size{501, 333}, Size{3, 2001}}) {
                const Image image = makePhotograph(format, size);
                const Image once = bilateral(image, s);
                compareSamples(once, bilateral(image, s, Threading::AllCores), "threads");
                // Inside, a part gives the same as the whole.
                if (size.width < 100) continue;
                const Image part = bilateral(image.crop({100, 50, 200, 150}), s);
                compareSamples(once.crop({103, 53, 194, 144}), part.crop({3, 3, 194, 144}), "part");
            }
    }

    void keepsEdgesAndSmoothsAreas() {
        std::vector<double> samples;
        for (int y = 0; y < 21; ++y)
            for (int x = 0; x < 40; ++x)
                samples.push_back((x < 20 ? 40 : 200) + ((x + y) % 2 == 0 ? 4 : -4));
        const Image image = makeImage(PixelFormat::Gray8, {40, 21}, samples);
        const Image made = bilateral(image, {4, 3, 25});
        for (int x = 4; x < 36; ++x) {
            const int v = made.view<std::uint8_t>().row(10)[x];
            QVERIFY(std::abs(v - (x < 20 ? 40 : 200)) <= 1);
        }
    }
};

WARPSCOPE_TEST(BilateralTest)
#include "bilateral_test.moc"
