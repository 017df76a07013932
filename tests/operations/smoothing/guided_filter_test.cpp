#include "engine/operations/smoothing/guided_filter.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <random>

#include "engine/operations/smoothing/guided_filter_strips.h"
#include "engine/operations/tone/grayscale.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

struct Guided {
    int radius;
    double epsilon;
};

Image guided(const Image& image, const Guided& g, Threading threading = Threading::Single) {
    return runOn(guided_filter_operation(),
                 {{"radius", std::to_string(g.radius)}, {"epsilon", toText(ParamValue(g.epsilon))}},
                 image, threading);
}

Image byStrips(const Image& image, const Guided& g, Threading threading, const GuidedCut& cut) {
    const auto plan =
        planFor(guided_filter_operation(),
                {{"radius", std::to_string(g.radius)}, {"epsilon", toText(ParamValue(g.epsilon))}},
                image.format(), image.size());
    auto out = MutableImage::create(plan->output, plan->outputSize);
    CpuContext context;
    context.threading = threading;
    if (!out ||
        !runGuidedStrips(dynamic_cast<const GuidedFilterPlan&>(*plan), image, *out, context, cut))
        throw std::runtime_error("guided_filter failed");
    return std::move(*out).freezeLike(image);
}

std::string nameOf(const Guided& g, std::uint32_t seed) {
    return "radius " + std::to_string(g.radius) + ", epsilon " + std::to_string(g.epsilon) +
           ", seed " + std::to_string(seed);
}

using Plane = std::vector<long double>;

// Mean of every window, added up one value after the other.
Plane meansOf(const Plane& plane, Size size, int radius) {
    const auto along = [&](const Plane& from, bool rows) {
        Plane made;
        for (int y = 0; y < size.height; ++y)
            for (int x = 0; x < size.width; ++x) {
                long double sum = 0;
                for (int k = -radius; k <= radius; ++k) {
                    const int u = rows ? std::clamp(x + k, 0, size.width - 1) : x;
                    const int v = rows ? y : std::clamp(y + k, 0, size.height - 1);
                    sum += from[std::size_t(v * size.width + u)];
                }
                made.push_back(sum);
            }
        return made;
    };
    Plane sums = along(along(plane, true), false);
    for (long double& sum : sums) sum /= (2 * radius + 1) * (2 * radius + 1);
    return sums;
}

Plane product(const Plane& a, const Plane& b) {
    Plane made = a;
    for (std::size_t i = 0; i < made.size(); ++i) made[i] *= b[i];
    return made;
}

template <class T>
Plane planeOf(const View<const T>& in, int channel) {
    Plane made;
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x)
            made.push_back((long double)(in.row(y)[in.channels * x + channel]));
    return made;
}

template <class T>
Plane lumaOf(const View<const T>& in) {
    Plane made = planeOf(in, 0);
    if (in.channels == 1) return made;
    const Plane green = planeOf(in, 1), blue = planeOf(in, 2);
    for (std::size_t i = 0; i < made.size(); ++i) {
        const long double sum = 19595 * made[i] + 38470 * green[i] + 7471 * blue[i];
        if (std::is_floating_point_v<T>)
            made[i] = sum / 65536;
        else
            made[i] = std::floor((sum + 32768) / 65536);
    }
    return made;
}

// Every sample is the formula's value, a and b unrounded, rounded; but for what floats for a and b
// lose.
template <class T>
void compareWithFormula(const Image& image, const Image& result, const Guided& g,
                        const std::string& name) {
    const auto in = image.view<T>();
    const auto made = result.view<T>();
    const bool floats = std::is_floating_point_v<T>;
    const long double unit = floats ? 1 / 255.0L : sizeof(T) == 2 ? 257 : 1;
    const long double white = floats ? 1 : sizeof(T) == 2 ? 65535 : 255;
    const Plane luma = lumaOf(in);
    const auto means = [&](const Plane& plane) { return meansOf(plane, image.size(), g.radius); };
    const Plane lumaMean = means(luma), squareMean = means(product(luma, luma));
    for (int c = 0; c < in.channels; ++c) {
        const Plane color = in.channels == 1 ? luma : planeOf(in, c);
        const Plane colorMean = means(color), productMean = means(product(luma, color));
        Plane slope, offset;
        long double largest = white;
        for (std::size_t i = 0; i < luma.size(); ++i) {
            const long double variance = squareMean[i] - lumaMean[i] * lumaMean[i];
            const long double together = productMean[i] - lumaMean[i] * colorMean[i];
            slope.push_back(together / (variance + g.epsilon * unit * unit));
            offset.push_back(colorMean[i] - slope.back() * lumaMean[i]);
            largest = std::max({largest, std::abs(offset.back()), std::abs(slope.back()) * white});
        }
        const Plane slopeMean = means(slope), offsetMean = means(offset);
        // a and b are rounded to float, each by half a unit of the last place; for floats so are
        // the result and, by up to three halves, luma, which counts twice: in a and beside it. So
        // up to 4 units, as the operation promises.
        const long double lost = (floats ? 8 : 2) * std::ldexp(largest, -24);
        for (std::size_t i = 0; i < luma.size(); ++i) {
            const int x = int(i) % in.width, y = int(i) / in.width;
            const T got = made.row(y)[in.channels * x + c];
            long double truth = slopeMean[i] * luma[i] + offsetMean[i];
            if (!floats) truth = std::clamp(truth, 0.0L, white);
            if (c == 3) {
                QCOMPARE(got, in.row(y)[in.channels * x + c]);
                continue;
            }
            const long double away = (long double)(got)-truth;
            QVERIFY2(std::abs(away) <= (floats ? 0 : 0.5L) + lost,
                     (name + ", at " + std::to_string(x) + "," + std::to_string(y) + " channel " +
                      std::to_string(c) + ": off by " + std::to_string(double(away)))
                         .c_str());
        }
    }
}

void compareWithFormula(const Image& image, const Image& result, const Guided& g,
                        const std::string& name) {
    if (isFloat(image.format()))
        compareWithFormula<float>(image, result, g, name);
    else if (bytesPerSample(image.format()) == 2)
        compareWithFormula<std::uint16_t>(image, result, g, name);
    else
        compareWithFormula<std::uint8_t>(image, result, g, name);
}

// Of `length` values, a power of two: of halves.
double runSum(const std::vector<double>& values, std::size_t at, std::size_t length) {
    if (length == 1) return values[at];
    return runSum(values, at, length / 2) + runSum(values, at + length / 2, length / 2);
}

// The sum of each window in the order that the header promises: the runs of its side's binary
// digits, along rows, then along columns.
std::vector<double> orderedSums(const std::vector<double>& plane, Size size, int radius) {
    const auto side = std::size_t(2 * radius + 1);
    const auto along = [&](const std::vector<double>& from, bool rows) {
        std::vector<double> made, window(side);
        for (int y = 0; y < size.height; ++y)
            for (int x = 0; x < size.width; ++x) {
                for (int k = -radius; k <= radius; ++k) {
                    const int u = rows ? std::clamp(x + k, 0, size.width - 1) : x;
                    const int v = rows ? y : std::clamp(y + k, 0, size.height - 1);
                    window[std::size_t(k + radius)] = from[std::size_t(v * size.width + u)];
                }
                double sum = window[0];
                std::size_t taken = 1;
                for (std::size_t run = 2; run <= side; run *= 2) {
                    if (!(side & run)) continue;
                    sum += runSum(window, taken, run);
                    taken += run;
                }
                made.push_back(sum);
            }
        return made;
    };
    return along(along(plane, true), false);
}

template <class T>
std::vector<double> doublesOf(const View<const T>& in, int channel) {
    std::vector<double> made;
    for (const long double value : planeOf(in, channel)) made.push_back(double(value));
    return made;
}

// To the bit, in double and float as the formula says, from sums in their order.
template <class T>
Image inOrder(const Image& image, const Guided& g) {
    const auto in = image.view<T>();
    const Size size = image.size();
    const Image gray = runOn(grayscale_operation(), {}, image);
    const double unit = std::is_floating_point_v<T> ? 1 / 255.0 : sizeof(T) == 2 ? 257 : 1;
    const double level = std::is_floating_point_v<T> ? 1.0 / (255.0 * 255.0) : unit * unit;
    const double white = std::is_floating_point_v<T> ? 1 : 255 * unit;
    const double count = double(2 * g.radius + 1) * (2 * g.radius + 1), share = 1 / count;
    const double softening = g.epsilon * level * count * count;
    const auto sumsOf = [&](const std::vector<double>& plane) {
        return orderedSums(plane, size, g.radius);
    };
    const auto times = [](std::vector<double> a, const std::vector<double>& b) {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] *= b[i];
        return a;
    };
    const std::vector<double> luma = doublesOf(gray.view<T>(), 0);
    const auto lumaSums = sumsOf(luma), squares = sumsOf(times(luma, luma));
    std::vector<double> made(std::size_t(in.samplesPerRow()) * std::size_t(size.height));
    for (int c = 0; c < in.channels; ++c) {
        const std::vector<double> color = doublesOf(in, c);
        const auto sums = sumsOf(color), products = sumsOf(times(color, luma));
        std::vector<double> a, b;
        for (std::size_t i = 0; i < luma.size(); ++i) {
            double spread = count * squares[i] - lumaSums[i] * lumaSums[i];
            spread = spread < 0 ? 0 : spread;
            const double together =
                in.channels == 1 ? spread : count * products[i] - lumaSums[i] * sums[i];
            a.push_back(float(together / (spread + softening)));
            b.push_back(float(sums[i] * share - a.back() * (lumaSums[i] * share)));
        }
        const auto aSums = sumsOf(a), bSums = sumsOf(b);
        for (std::size_t i = 0; i < luma.size(); ++i) {
            double v = aSums[i] * share * luma[i] + bSums[i] * share;
            if (!std::is_floating_point_v<T>) v = std::floor(std::clamp(v, 0.0, white) + 0.5);
            made[i * std::size_t(in.channels) + std::size_t(c)] = c == 3 ? color[i] : v;
        }
    }
    return makeImage(image.format(), size, made);
}

Image inOrder(const Image& image, const Guided& g) {
    if (isFloat(image.format())) return inOrder<float>(image, g);
    return bytesPerSample(image.format()) == 2 ? inOrder<std::uint16_t>(image, g)
                                               : inOrder<std::uint8_t>(image, g);
}

}  // namespace

class GuidedFilterTest : public QObject {
    Q_OBJECT

  private slots:
    void isTheFormulaOnEveryTarget() {
        const std::uint32_t seed = freshSeed();
        for (const PixelFormat format : kFilterFormats)
            for (const Size size :
                 {Size{1, 1}, Size{1, 37}, Size{53, 1}, Size{33, 17}, Size{16, 32}})
                for (const Guided& g : {Guided{1, 0.1}, Guided{8, 100}, Guided{3, 10000}}) {
                    for (const Image& image :
                         {makeNoise(format, size, seed), makePhotograph(format, size, seed)}) {
                        const Image first = guided(image, g);
                        compareWithFormula(image, first, g, nameOf(g, seed));
                        forEachVectorTarget([&](const std::string& target) {
                            compareSamples(first, guided(image, g),
                                           target + ", " + nameOf(g, seed));
                        });
                        if (QTest::currentTestFailed()) return;
                    }
                }
    }

    // Strips of 384 columns or more go down in blocks of 16 rows; windows that are larger than the
    // image, and such as end in its last rows.
    void isToTheBitTheSumsInTheirOrder() {
        const std::uint32_t seed = freshSeed();
        struct Case {
            Size size;
            Guided guided;
        };
        for (const PixelFormat format : kFilterFormats)
            for (const Case& c :
                 {Case{{391, 21}, {1, 0.1}}, Case{{37, 143}, {5, 20}}, Case{{403, 18}, {8, 100}},
                  Case{{771, 3}, {16, 5}}, Case{{9, 50}, {31, 1000}}, Case{{33, 7}, {100, 0.1}}}) {
                std::vector<Image> images = {makeNoise(format, c.size, seed),
                                             makePhotograph(format, c.size, seed),
                                             makeConstant(format, c.size, fullScale(format))};
                if (isFloat(format)) {
                    images.push_back(makeConstant(format, c.size, 3e17));
                    images.push_back(makeWild(format, c.size, seed));
                    images.push_back(makeWild(format, c.size, seed, Wild::AllMagnitudes));
                }
                for (const Image& image : images) {
                    const Image truth = inOrder(image, c.guided);
                    compareSamples(truth, guided(image, c.guided), nameOf(c.guided, seed));
                    compareSamples(truth, guided(misaligned(image), c.guided, Threading::AllCores),
                                   nameOf(c.guided, seed));
                    // The longest rings: all of a side's binary digits, and the largest window.
                    if (c.guided.radius > 30)
                        forEachVectorTarget([&](const std::string& target) {
                            compareSamples(truth, guided(image, c.guided),
                                           target + ", " + nameOf(c.guided, seed));
                        });
                    if (QTest::currentTestFailed()) return;
                }
            }
    }

    // Lines through finite samples lead beyond what a float holds.
    void resultsMayBeInfinite() {
        const std::uint32_t seed = freshSeed();
        std::mt19937 random(seed);
        const Size size{37, 29};
        std::vector<double> samples(std::size_t(4 * size.pixels()));
        for (double& sample : samples) sample = (random() % 2 == 0 ? 1 : -1) * 3.4e38;
        const Image image = makeImage(PixelFormat::RgbaF32, size, samples);
        const Guided g{1, 0.1};
        const Image truth = inOrder(image, g);
        const auto made = truth.view<float>();
        int infinite = 0;
        for (int y = 0; y < size.height; ++y)
            for (int i = 0; i < made.samplesPerRow(); ++i) infinite += std::isinf(made.row(y)[i]);
        QVERIFY(infinite > 0);
        forEachVectorTarget([&](const std::string& target) {
            compareSamples(truth, guided(image, g), target + ", " + nameOf(g, seed));
        });
    }

    // One strip or two, and many, on one thread and on all: each makes the margins of large windows
    // anew.
    void everyCutGivesTheSameBits() {
        const std::uint32_t seed = freshSeed();
        const Guided g{40, 100};
        for (const PixelFormat format : kFilterFormats)
            for (const Size size : {Size{40, 1400}, Size{700, 110}}) {
                std::vector<Image> images = {makePhotograph(format, size, seed)};
                if (isFloat(format))
                    images.push_back(makeWild(format, size, seed, Wild::AllMagnitudes));
                for (const Image& image : images) {
                    const GuidedCut whole = guidedCut(size, g.radius, 1);
                    const Image once = byStrips(image, g, Threading::Single, whole);
                    // Added up value by value, which takes long.
                    if (!isColor(format) && size.width == 40)
                        compareSamples(inOrder(image, g), once, nameOf(g, seed));
                    QVERIFY(whole.strips() <= 2);
                    for (const int threads : {2, 16, 100}) {
                        const GuidedCut cut = guidedCut(size, g.radius, threads);
                        const std::string name =
                            nameOf(g, seed) + ", " + std::to_string(cut.strips()) + " strips";
                        QVERIFY2(cut.strips() >= std::min(threads, 12), name.c_str());
                        compareSamples(once, byStrips(image, g, Threading::Single, cut), name);
                        compareSamples(once, byStrips(image, g, Threading::AllCores, cut), name);
                    }
                    if (QTest::currentTestFailed()) return;
                }
            }
    }

    void threadsShareLargeWindows() {
        const Size size{40, 1400};
        const Image image = makePhotograph(PixelFormat::Gray8, size, freshSeed());
        const auto plan =
            planFor(guided_filter_operation(), {{"radius", "40"}}, image.format(), size);
        auto out = MutableImage::create(plan->output, plan->outputSize);
        QVERIFY(out.has_value());
        std::atomic<int> steps{0};
        CpuContext context;
        context.progress = [&](double) { ++steps; };
        if (context.threadCount() == 1) QSKIP("one processor");
        QVERIFY(guided_filter_operation().runCpu(*plan, {image, {}}, *out, context).has_value());
        QVERIFY2(steps > 1, std::to_string(steps).c_str());
    }

    // Every pixel is in one strip, and few threads have nothing to do, whatever the radius.
    void stripsAreEnoughForAllThreads() {
        for (const Size size : {Size{1920, 1080}, Size{3840, 2160}, Size{700, 5000}})
            for (const int radius : {1, 8, 25, 50, 100})
                for (const int threads : {1, 2, 5, 16, 24}) {
                    const GuidedCut cut = guidedCut(size, radius, threads);
                    const std::string name =
                        std::to_string(size.width) + " columns, radius " + std::to_string(radius) +
                        ", " + std::to_string(threads) + " threads: " + std::to_string(cut.across) +
                        " x " + std::to_string(cut.down);
                    QVERIFY2(cut.columns * (cut.across - 1) < size.width, name.c_str());
                    QVERIFY2(cut.columns * cut.across >= size.width, name.c_str());
                    QVERIFY2(cut.rows * (cut.down - 1) < size.height, name.c_str());
                    QVERIFY2(cut.rows * cut.down >= size.height, name.c_str());
                    if (threads == 1) QCOMPARE(cut.down, 1);
                    const int rounds = (cut.strips() + threads - 1) / threads;
                    QVERIFY2(cut.strips() * 5 >= 4 * rounds * threads, name.c_str());
                }
    }

    // A row or a column of pixels, and one alone.
    void cutsOfTheSmallestImages() {
        for (const Size size : {Size{1, 1}, Size{1, 70000}, Size{70000, 1}})
            for (const int threads : {1, 16, 200}) {
                const GuidedCut cut = guidedCut(size, kMaxGuidedRadius, threads);
                QVERIFY(cut.columns >= 1 && cut.columns * cut.across >= size.width);
                QVERIFY(cut.rows >= 1 && cut.rows * cut.down >= size.height);
            }
    }

    void largestWindows() {
        const std::uint32_t seed = freshSeed();
        for (const PixelFormat format : kFilterFormats)
            for (const Guided& g : {Guided{100, 0.1}, Guided{100, 10000}, Guided{63, 20}}) {
                const Image image = makeNoise(format, {29, 13}, seed);
                compareWithFormula(image, guided(image, g), g, nameOf(g, seed));
                const Image white = makeConstant(format, {9, 140}, fullScale(format));
                compareSamples(white, guided(white, g), "white");
                if (QTest::currentTestFailed()) return;
            }
    }

    // Several strips, several threads, a part: the same bits.
    void tilesThreadsAndPartsAgree() {
        const std::uint32_t seed = freshSeed();
        for (const PixelFormat format : kFilterFormats)
            for (const Guided& g : {Guided{2, 30}, Guided{9, 200}, Guided{40, 100}}) {
                const Image image = makePhotograph(format, {401, 397}, seed);
                const Image once = guided(image, g);
                compareSamples(once, guided(image, g, Threading::AllCores), nameOf(g, seed));
                if (g.radius == 9) compareWithFormula(image, once, g, nameOf(g, seed));
                const Image part = guided(image.crop({50, 30, 330, 320}), g);
                const int r = 2 * g.radius;
                compareSamples(once.crop({50 + r, 30 + r, 330 - 2 * r, 320 - 2 * r}),
                               part.crop({r, r, 330 - 2 * r, 320 - 2 * r}), nameOf(g, seed));
                if (QTest::currentTestFailed()) return;
            }
    }

    void nothingReachesFartherThanTwoRadii() {
        const Image image = makeNoise(PixelFormat::GrayF32, {60, 40}, freshSeed());
        std::vector<double> samples;
        for (int y = 0; y < 40; ++y)
            for (int x = 0; x < 60; ++x) samples.push_back(double(image.view<float>().row(y)[x]));
        samples[20 * 60 + 30] = std::nan("");
        const Guided g{3, 50};
        const Image once = guided(image, g);
        const Image made = guided(makeImage(PixelFormat::GrayF32, {60, 40}, samples), g);
        for (int y = 0; y < 40; ++y)
            for (int x = 0; x < 60; ++x) {
                const float v = made.view<float>().row(y)[x];
                const bool reached = std::abs(x - 30) <= 6 && std::abs(y - 20) <= 6;
                QVERIFY2(reached ? std::isnan(v) : v == once.view<float>().row(y)[x],
                         (std::to_string(x) + "," + std::to_string(y)).c_str());
            }
    }

    void keepsEdgesAndSmoothsAreas() {
        std::vector<double> samples;
        for (int y = 0; y < 21; ++y)
            for (int x = 0; x < 40; ++x)
                samples.push_back((x < 20 ? 40 : 200) + ((x + y) % 2 == 0 ? 4 : -4));
        const Image image = makeImage(PixelFormat::Gray8, {40, 21}, samples);
        const Image made = guided(image, {4, 400});
        for (int x = 0; x < 40; ++x) {
            const int v = made.view<std::uint8_t>().row(10)[x];
            QVERIFY(std::abs(v - (x < 20 ? 40 : 200)) <= 12);
            if (x < 12 || x > 27) QVERIFY(std::abs(v - (x < 20 ? 40 : 200)) <= 1);
        }
    }
};

WARPSCOPE_TEST(GuidedFilterTest)
#include "guided_filter_test.moc"
