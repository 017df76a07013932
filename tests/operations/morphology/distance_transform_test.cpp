#include "engine/operations/morphology/distance_transform.h"

#include <cmath>
#include <limits>
#include <random>

#include "operations/edges/luma_truth.h"
#include "support/random_seed.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// The definition: all zero pixels for each pixel.
Image distancesOf(const Image& image, bool squared) {
    std::vector<std::pair<std::int64_t, std::int64_t>> zeros;
    std::vector<bool> isZero;
    visitSampleType(image.format(), [&]<class T>() {
        if constexpr (sizeof(T) <= 2 || std::is_floating_point_v<T>)
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) {
                    isZero.push_back(lumaTruth(image.view<T>(), x, y) == 0);
                    if (isZero.back()) zeros.emplace_back(x, y);
                }
    });
    std::vector<double> made;
    for (std::size_t i = 0; i < isZero.size(); ++i) {
        const auto x = std::int64_t(i) % image.width(), y = std::int64_t(i) / image.width();
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        if (isZero[i]) least = 0;
        for (const auto& [zx, zy] : zeros) {
            if (least == 0) break;
            least = std::min(least, (x - zx) * (x - zx) + (y - zy) * (y - zy));
        }
        if (zeros.empty())
            made.push_back(squared ? 4294967295.0 : double(std::numeric_limits<float>::max()));
        else
            made.push_back(squared ? double(least) : double(float(std::sqrt(double(least)))));
    }
    return makeImage(squared ? PixelFormat::Gray32 : PixelFormat::GrayF32, image.size(), made);
}

TextParameters outputOf(bool squared) {
    return {{"output", squared ? "squared" : "distance"}};
}

// `zeros` pixels of black, alpha aside, in what is not.
Image withZeros(PixelFormat format, Size size, int zeros, std::uint32_t seed) {
    std::mt19937 random(seed);
    const int channels = channelCount(format);
    const double white = isFloat(format) ? 1 : 255;
    std::vector<double> samples(std::size_t(size.pixels() * channels), white);
    for (int i = 0; i < zeros; ++i) {
        const std::size_t pixel = random() % std::size_t(size.pixels());
        for (int c = 0; c < channels; ++c)
            samples[pixel * unsigned(channels) + unsigned(c)] =
                c == 3 ? white : (isFloat(format) && random() % 2 ? -0.0 : 0.0);
    }
    return makeImage(format, size, samples);
}

}  // namespace

class DistanceTransformTest : public QObject {
    Q_OBJECT

  private slots:
    void equalsTruth_data() { addFilterFormats(); }
    void equalsTruth() {
        QFETCH(PixelFormat, format);
        for (const Size size : {Size{1, 1}, Size{1, 70}, Size{71, 1}, Size{33, 129}, Size{263, 41}})
            for (const int zeros : {0, 1, 2, 3, 17, 900}) {
                const std::uint32_t seed = freshSeed();
                const Image image = misaligned(withZeros(format, size, zeros, seed));
                for (const bool squared : {true, false}) {
                    const Image truth = distancesOf(image, squared);
                    forEachVectorTarget([&](const std::string& target) {
                        for (const Threading threading : {Threading::Single, Threading::AllCores})
                            compareSamples(truth,
                                           runOn(distance_transform_operation(), outputOf(squared),
                                                 image, threading),
                                           target + ", " + std::to_string(zeros) + " zeros, seed " +
                                               std::to_string(seed));
                    });
                    if (QTest::currentTestFailed()) return;
                }
            }
    }

    // NaN, infinities and denormals are no zeros.
    void wildFloats() {
        for (const PixelFormat format : {PixelFormat::GrayF32, PixelFormat::RgbaF32})
            for (const Wild wild : {Wild::AroundWhite, Wild::AllMagnitudes}) {
                const std::uint32_t seed = freshSeed();
                const Image image = makeWild(format, {67, 45}, seed, wild);
                forEachVectorTarget([&](const std::string& target) {
                    compareSamples(distancesOf(image, true),
                                   runOn(distance_transform_operation(), {}, image),
                                   target + ", seed " + std::to_string(seed));
                });
            }
    }

    // The square is beyond 32 bits; the root is not.
    void farAway() {
        const Size size{70'000, 2};
        std::vector<double> samples(std::size_t(size.pixels()), 9.0);
        samples[0] = 0;
        const Image image = makeImage(PixelFormat::Gray8, size, samples);
        const Image squares = runOn(distance_transform_operation(), {}, image);
        const Image roots = runOn(distance_transform_operation(), outputOf(false), image);
        for (const int x : {1, 65'535, 65'536, 69'999})
            for (const int y : {0, 1}) {
                const auto exact = std::int64_t(x) * x + y;
                QCOMPARE(squares.view<std::uint32_t>().row(y)[x],
                         std::uint32_t(std::min<std::int64_t>(exact, 4294967295)));
                QCOMPARE(roots.view<float>().row(y)[x], float(std::sqrt(double(exact))));
            }
    }

    // A draft of a reduced copy shows the distances of the whole.
    void reducedCopies() {
        const Image image = withZeros(PixelFormat::Gray8, {40, 30}, 4, freshSeed());
        PlanRequest request = requestFor(distance_transform_operation(), outputOf(false),
                                         image.format(), image.size());
        const Image plain = runPlan(*distance_transform_operation().plan(request).value(), image);
        request.place = Placement::reducedCopy({40, 30}, {160, 120}, 0.25);
        const Image draft = runPlan(*distance_transform_operation().plan(request).value(), image);
        for (int y = 0; y < 30; ++y)
            for (int x = 0; x < 40; ++x)
                QCOMPARE(draft.view<float>().row(y)[x], 4 * plain.view<float>().row(y)[x]);
    }
};

WARPSCOPE_TEST(DistanceTransformTest)
#include "distance_transform_test.moc"
