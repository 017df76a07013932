#include "engine/operations/morphology/morphology.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

const char* const kMorphologyOperations[] = {"erode",    "dilate",  "open",     "close",
                                             "gradient", "top_hat", "black_hat"};
const char* const kMorphologyShapes[] = {"square", "disk", "cross"};

bool isUnderShape(std::string_view shape, int dx, int dy, int r) {
    if (shape == "square") return true;
    if (shape == "cross") return dx == 0 || dy == 0;
    return dx * dx + dy * dy <= r * r;
}

// -0 is below 0, NaN above everything.
bool isBelowSample(double a, double b) {
    if (std::isnan(a)) return false;
    if (std::isnan(b)) return true;
    return a < b || (a == 0 && b == 0 && std::signbit(a) && !std::signbit(b));
}

struct ShapeSamples {
    Size size;
    int channels = 1;
    std::vector<double> at;

    explicit ShapeSamples(const Image& image)
        : size(image.size()), channels(channelCount(image.format())) {
        visitSampleType(image.format(), [&]<class T>() {
            for (int y = 0; y < size.height; ++y) {
                const T* row = image.view<T>().row(y);
                at.insert(at.end(), row, row + image.view<T>().samplesPerRow());
            }
        });
    }
    double& sample(int x, int y, int c) {
        return at[(std::size_t(y) * unsigned(size.width) + unsigned(x)) * unsigned(channels) +
                  unsigned(c)];
    }
};

ShapeSamples shapeExtremes(ShapeSamples in, const std::string& shape, int r, bool most) {
    ShapeSamples out = in;
    for (int y = 0; y < in.size.height; ++y)
        for (int x = 0; x < in.size.width; ++x)
            for (int c = 0; c < std::min(in.channels, 3); ++c) {
                double& best = out.sample(x, y, c);
                for (int dy = std::max(-r, -y); dy <= std::min(r, in.size.height - 1 - y); ++dy)
                    for (int dx = std::max(-r, -x); dx <= std::min(r, in.size.width - 1 - x);
                         ++dx) {
                        if (!isUnderShape(shape, dx, dy, r)) continue;
                        const double other = in.sample(x + dx, y + dy, c);
                        if (most ? isBelowSample(best, other) : isBelowSample(other, best))
                            best = other;
                    }
            }
    return out;
}

Image morphologyTruth(const Image& image, const std::string& operation, const std::string& shape,
                      int r) {
    const ShapeSamples in(image);
    const auto least = [&](const ShapeSamples& of) { return shapeExtremes(of, shape, r, false); };
    const auto most = [&](const ShapeSamples& of) { return shapeExtremes(of, shape, r, true); };
    const auto minus = [&](const ShapeSamples& a, const ShapeSamples& b) {
        ShapeSamples difference = a;
        for (std::size_t i = 0; i < a.at.size(); ++i)
            difference.at[i] = in.channels == 4 && i % 4 == 3
                                   ? in.at[i]
                                   : double(float(float(a.at[i]) - float(b.at[i])));
        return difference;
    };
    const ShapeSamples made = operation == "erode"      ? least(in)
                              : operation == "dilate"   ? most(in)
                              : operation == "open"     ? most(least(in))
                              : operation == "close"    ? least(most(in))
                              : operation == "gradient" ? minus(most(in), least(in))
                              : operation == "top_hat"  ? minus(in, most(least(in)))
                                                        : minus(least(most(in)), in);
    return makeImage(image.format(), image.size(), made.at);
}

Image runMorphology(const Image& image, const std::string& operation, const std::string& shape,
                    int r, Threading threading = Threading::Single) {
    return runOn(morphology_operation(),
                 {{"operation", operation}, {"shape", shape}, {"radius", std::to_string(r)}}, image,
                 threading);
}

}  // namespace

class MorphologyTest : public QObject {
    Q_OBJECT

  private slots:
    void equalsTruthOnEveryTarget() {
        for (const PixelFormat format : kFilterFormats)
            for (const NamedImage& named : awkwardImages(format)) {
                if (named.image.size().pixels() > 700 || leftOut()) continue;
                for (const char* shape : kMorphologyShapes)
                    for (const char* operation : kMorphologyOperations)
                        for (const int r : {1, 2, 5}) {
                            // Every operation is made of the same passes, but larger squares.
                            const bool square = r > 2 && std::string(shape) == "square";
                            if (r != 2 && !square && std::string(operation) != "gradient") continue;
                            const Image expected =
                                morphologyTruth(named.image, operation, shape, r);
                            const std::string name = named.name + ", " + operation + ", " + shape +
                                                     ", radius " + std::to_string(r);
                            if (std::string(operation) == "gradient")
                                forEachVectorTarget([&](const std::string& target) {
                                    compareSamples(expected,
                                                   runMorphology(named.image, operation, shape, r),
                                                   target + ", " + name);
                                });
                            else
                                compareSamples(expected,
                                               runMorphology(named.image, operation, shape, r),
                                               name);
                            if (QTest::currentTestFailed()) return;
                        }
            }
    }

    // Also those larger than the image.
    void everyRadius() {
        const std::uint32_t seed = warpscope::test::freshSeed();
        for (int r = 1; r <= kMaxMorphologyRadius; r += r < 12 ? 1 : 11)
            for (const char* shape : kMorphologyShapes)
                for (const PixelFormat format : kFilterFormats) {
                    // Squares of each format are made of other vectors.
                    if (std::string(shape) != "square" && format != PixelFormat::Gray8 &&
                        format != PixelFormat::Rgba16)
                        continue;
                    const Image image = makeNoise(format, {37 + r / 4, 17 + r / 3}, seed);
                    const std::string name = std::string(shape) + ", radius " + std::to_string(r) +
                                             ", seed " + std::to_string(seed);
                    compareSamples(morphologyTruth(image, "dilate", shape, r),
                                   runMorphology(image, "dilate", shape, r), name);
                    if (QTest::currentTestFailed()) return;
                }
    }

    // Vectors that begin before the row, lie in it and end beyond it, in any number.
    void everyWidthOnEveryTarget() {
        const std::uint32_t seed = warpscope::test::freshSeed();
        for (const PixelFormat format : kFilterFormats)
            for (const int r : {3, 10})
                for (int width = 17; width < 200; width += 1 + width / 16) {
                    const Size size{width, 5};
                    const Image image = isFloat(format) ? makeWild(format, size, seed)
                                                        : makeNoise(format, size, seed);
                    const Image least = morphologyTruth(image, "erode", "square", r);
                    const Image most = morphologyTruth(image, "dilate", "square", r);
                    forEachVectorTarget([&](const std::string& target) {
                        const std::string name = target + ", width " + std::to_string(width) +
                                                 ", radius " + std::to_string(r) + ", seed " +
                                                 std::to_string(seed);
                        compareSamples(least, runMorphology(image, "erode", "square", r), name);
                        compareSamples(most, runMorphology(image, "dilate", "square", r), name);
                    });
                    if (QTest::currentTestFailed()) return;
                }
    }

    // Wider than a strip of columns, taller than a band; one thread and all cores.
    void manyStripsAndBands() {
        const std::uint32_t seed = warpscope::test::freshSeed();
        for (const char* shape : kMorphologyShapes)
            for (const auto& [format, size, r] :
                 {std::tuple{PixelFormat::Gray8, Size{2111, 19}, 9},
                  std::tuple{PixelFormat::RgbaF32, Size{701, 9}, 4},
                  std::tuple{PixelFormat::Gray16, Size{23, 1501}, 3},
                  // Small shapes have strips of their own; the second would be a few samples wide.
                  std::tuple{PixelFormat::Gray8, Size{39'325, 6}, 2},
                  std::tuple{PixelFormat::Rgba16, Size{8195, 7}, 1},
                  std::tuple{PixelFormat::Rgba8, Size{67, 31}, 2},
                  std::tuple{PixelFormat::Rgba8, Size{2503, 5}, 10},
                  std::tuple{PixelFormat::GrayF32, Size{2601, 7}, 3},
                  std::tuple{PixelFormat::Rgba8, Size{29, 907}, 6}}) {
                const Image image = makeNoise(format, size, seed);
                for (const char* operation : {"erode", "gradient", "black_hat"}) {
                    const Image expected = morphologyTruth(image, operation, shape, r);
                    for (const Threading threading : {Threading::Single, Threading::AllCores})
                        compareSamples(expected,
                                       runMorphology(image, operation, shape, r, threading),
                                       std::string(operation) + ", " + shape + ", seed " +
                                           std::to_string(seed));
                }
            }
    }

    // Large enough for results to be written past the cache; halves of it are not.
    void pastTheCache() {
        constexpr int kRadius = 3;
        for (const auto& [format, size, operation] :
             {std::tuple{PixelFormat::Gray8, Size{2050, 2062}, "gradient"},
              std::tuple{PixelFormat::Rgba8, Size{1029, 1032}, "erode"},
              std::tuple{PixelFormat::RgbaF32, Size{515, 514}, "gradient"},
              std::tuple{PixelFormat::Rgba8, Size{1031, 1030}, "black_hat"},
              std::tuple{PixelFormat::Gray16, Size{1453, 1462}, "top_hat"}}) {
            const Image image = makeNoise(format, size, warpscope::test::freshSeed());
            const int w = size.width, half = size.height / 2, halo = 4 * kRadius;
            const auto made = [&, operation = operation](const Image& of) {
                return runMorphology(of, operation, "square", kRadius);
            };
            forEachVectorTarget([&](const std::string& target) {
                const Image whole = made(image);
                const Image above = made(image.crop({0, 0, w, half + halo}));
                const Image below = made(image.crop({0, half - halo, w, half + halo}));
                QVERIFY2(contentHash(whole.crop({0, 0, w, half})) ==
                                 contentHash(above.crop({0, 0, w, half})) &&
                             contentHash(whole.crop({0, half, w, half})) ==
                                 contentHash(below.crop({0, halo, w, half})),
                         target.c_str());
            });
        }
    }

    // What lies between two passes is kept for a few rows at a time where an image is large; of a
    // part of it, for all.
    void fewRowsBetweenTwoPasses() {
        for (const auto& [format, size, radius] :
             {std::tuple{PixelFormat::Gray8, Size{2050, 1040}, 2},
              // No room beside the rows, and more than a strip.
              std::tuple{PixelFormat::Gray8, Size{2048, 1100}, 9},
              std::tuple{PixelFormat::Rgba8, Size{2051, 302}, 2},
              std::tuple{PixelFormat::RgbaF32, Size{1027, 203}, 2},
              std::tuple{PixelFormat::Gray16, Size{2111, 519}, 2}})
            for (const char* shape : kMorphologyShapes)
                for (const char* operation : {"open", "gradient", "top_hat", "black_hat"}) {
                    const int halo = 4 * radius, part = 128;
                    const Image image = makeNoise(format, size, warpscope::test::freshSeed());
                    const int w = size.width, h = size.height;
                    const Image whole = runMorphology(image, operation, shape, radius);
                    for (int y = halo; y + part + halo <= h; y += part) {
                        const Image made =
                            runMorphology(image.crop({0, y - halo, w, part + 2 * halo}), operation,
                                          shape, radius);
                        QVERIFY2(contentHash(whole.crop({0, y, w, part})) ==
                                     contentHash(made.crop({0, halo, w, part})),
                                 operation);
                    }
                }
    }

    // Erosion is dilation of the negative.
    void whiteIsBlackTurnedRound() {
        const Image image = makeNoise(PixelFormat::Gray8, {301, 207}, warpscope::test::freshSeed());
        const auto negative = [](const Image& of) {
            std::vector<double> samples;
            for (int y = 0; y < of.height(); ++y)
                for (int x = 0; x < of.width(); ++x)
                    samples.push_back(255 - of.view<std::uint8_t>().row(y)[x]);
            return makeImage(of.format(), of.size(), samples);
        };
        for (const char* shape : kMorphologyShapes)
            for (const int r : {3, 40, 100})
                compareSamples(negative(runMorphology(image, "erode", shape, r)),
                               runMorphology(negative(image), "dilate", shape, r), shape);
    }

    void aPointBecomesTheShape() {
        std::vector<double> samples(41 * 41, 7);
        samples[41 * 20 + 20] = 200;
        const Image image = makeImage(PixelFormat::Gray8, {41, 41}, samples);
        for (const char* shape : kMorphologyShapes)
            for (const int r : {1, 2, 7, 19}) {
                const Image grown = runMorphology(image, "dilate", shape, r);
                for (int y = 0; y < 41; ++y)
                    for (int x = 0; x < 41; ++x) {
                        const int dx = x - 20, dy = y - 20;
                        const bool under = std::abs(dx) <= r && std::abs(dy) <= r &&
                                           isUnderShape(shape, dx, dy, r);
                        QCOMPARE(int(grown.view<std::uint8_t>().row(y)[x]), under ? 200 : 7);
                    }
                compareSamples(image, runMorphology(grown, "erode", shape, r), shape);
                compareSamples(makeConstant(PixelFormat::Gray8, {41, 41}, 7),
                               runMorphology(image, "open", shape, r), shape);
            }
    }
};

WARPSCOPE_TEST(MorphologyTest)
#include "morphology_test.moc"
