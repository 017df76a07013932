#include "engine/image/pyramid.h"

#include <algorithm>
#include <atomic>
#include <random>

#include "engine/image/convert.h"
#include "engine/image/largest_sum.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

Image noise(PixelFormat format, Size size, unsigned seed) {
    std::mt19937 random(seed);
    MutableImage made = MutableImage::create(format, size).value();
    visitSampleType(format, [&]<class T>() {
        const auto view = made.view<T>();
        for (int y = 0; y < size.height; ++y)
            for (int i = 0; i < view.samplesPerRow(); ++i)
                view.row(y)[i] =
                    std::is_floating_point_v<T> ? T(random() % 1000) / T(999) : T(random());
    });
    return std::move(made).freeze({});
}

// The definition, sample by sample: mean over the samples there are, rounded half up.
template <class T>
void compareWithDefinition(const Image& above, const Image& below) {
    const auto in = above.view<T>();
    const auto out = below.view<T>();
    QCOMPARE(out.width, (in.width + 1) / 2);
    QCOMPARE(out.height, (in.height + 1) / 2);
    for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x)
            for (int c = 0; c < in.channels; ++c) {
                double sum = 0;
                int count = 0;
                for (int dy = 0; dy < 2; ++dy)
                    for (int dx = 0; dx < 2; ++dx)
                        if (2 * y + dy < in.height && 2 * x + dx < in.width) {
                            sum += double(in.row(2 * y + dy)[(2 * x + dx) * in.channels + c]);
                            ++count;
                        }
                const double mean = sum / count;
                const double got = double(out.row(y)[x * in.channels + c]);
                if constexpr (std::is_floating_point_v<T>)
                    QVERIFY(std::abs(got - mean) < 1e-6);
                else
                    QCOMPARE(got, std::floor(mean + 0.5));
            }
}

}  // namespace

class PyramidTest : public QObject {
    Q_OBJECT
  private slots:
    void levelsAreRoundedMeans_data() {
        QTest::addColumn<int>("format");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        for (const PixelFormat format :
             {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16, PixelFormat::Rgba16,
              PixelFormat::GrayF32, PixelFormat::RgbaF32})
            for (const Size size : {Size{65, 1}, Size{1, 65}, Size{129, 67}, Size{131, 2},
                                    Size{200, 111}, Size{257, 129}})
                QTest::addRow("%s %dx%d", formatName(format).data(), size.width, size.height)
                    << int(format) << size.width << size.height;
    }
    void levelsAreRoundedMeans() {
        QFETCH(int, format);
        QFETCH(int, width);
        QFETCH(int, height);
        const Image image = noise(PixelFormat(format), {width, height}, 7);
        const Pyramid pyramid = buildPyramid(image, CpuContext{}).value();
        QVERIFY(pyramid.levels.size() >= 2);
        for (std::size_t k = 1; k < pyramid.levels.size(); ++k)
            visitSampleType(PixelFormat(format), [&]<class T>() {
                compareWithDefinition<T>(pyramid.levels[k - 1], pyramid.levels[k]);
            });
    }
    void endsAtSmallSides() {
        QCOMPARE(buildPyramid(noise(PixelFormat::Gray8, {64, 64}, 1), CpuContext{})
                     .value()
                     .levels.size(),
                 std::size_t(1));
        const Pyramid pyramid =
            buildPyramid(noise(PixelFormat::Gray8, {1000, 3}, 1), CpuContext{}).value();
        QVERIFY(std::max(pyramid.levels.back().width(), pyramid.levels.back().height()) <= 64);
    }
    void levelForZoom() {
        Pyramid pyramid;
        pyramid.levels.resize(4);
        QCOMPARE(pyramid.levelFor(1.0), 0);
        QCOMPARE(pyramid.levelFor(8.0), 0);
        QCOMPARE(pyramid.levelFor(0.51), 0);
        QCOMPARE(pyramid.levelFor(0.5), 1);
        QCOMPARE(pyramid.levelFor(0.2), 2);
        QCOMPARE(pyramid.levelFor(0.001), 3);
    }
    void sumsBecomeGray() {
        const Pyramid pyramid =
            buildPyramid(noise(PixelFormat::Gray64, {100, 100}, 3), CpuContext{}).value();
        QCOMPARE(pyramid.levels[0].format(), PixelFormat::Gray64);
        QCOMPARE(pyramid.levels[1].format(), PixelFormat::Gray8);
    }
    // All samples are looked at, and a stop is heard on the way.
    void theLargestSum() {
        for (const PixelFormat format : {PixelFormat::Gray32, PixelFormat::Gray64})
            for (const Threading threading : {Threading::Single, Threading::AllCores}) {
                const Image image = noise(format, {701, 3001}, 5);
                std::stop_source stop;
                CpuContext context{threading, stop.get_token(), {}};
                std::atomic<int> bands = 0;
                context.progress = [&](double) {
                    ++bands;
                    stop.request_stop();
                };
                REQUIRE_FAILS(largestSum(image, context), ErrorCode::Cancelled, "");
                QVERIFY(bands >= 1);
                const int before = bands;
                context.stop = {};
                const double largest = largestSum(image, context).value();
                QVERIFY(bands > before);
                QCOMPARE(largest, naturalRange(noise(format, {701, 3001}, 5)).high);
                // Who asks next has it at once, as long as it is one of the last.
                const int then = bands;
                QCOMPARE(largestSum(image, context).value(), largest);
                QCOMPARE(naturalRange(image).high, largest);
                QCOMPARE(bands, then);
            }
    }
    void cancels() {
        std::stop_source source;
        source.request_stop();
        const auto made = buildPyramid(noise(PixelFormat::Gray8, {500, 500}, 1),
                                       CpuContext{Threading::AllCores, source.get_token(), {}});
        REQUIRE_FAILS(made, ErrorCode::Cancelled, "");
    }
};

WARPSCOPE_TEST(PyramidTest)
#include "pyramid_test.moc"
