// Counting over a chosen range against a walk over all pixels.
#include "engine/operations/analysis/histogram_range.h"

#include <QRandomGenerator>
#include <QtTest>
#include <cmath>
#include <limits>

#include "support/test_case.h"

using namespace warpscope;

namespace {

Image randomImage(PixelFormat format, Size size) {
    auto* random = warpscope::test::freshRandom();
    auto image = MutableImage::create(format, size).value();
    visitSampleType(format, [&]<class T>() {
        const auto view = image.view<T>();
        for (int y = 0; y < size.height; ++y)
            for (int i = 0; i < view.samplesPerRow(); ++i) {
                T& sample = view.row(y)[i];
                if constexpr (std::is_floating_point_v<T>) {
                    const T odd[] = {std::numeric_limits<T>::quiet_NaN(),
                                     std::numeric_limits<T>::infinity(), T(1e30), T(-1e30),
                                     T(0.25)};
                    const int which = random->bounded(60);
                    sample = which < 5 ? odd[which] : T(random->generateDouble() * 3 - 1);
                } else {
                    sample = T(random->bounded(1000));
                }
            }
    });
    return std::move(image).freeze({});
}

}  // namespace

class HistogramRangeTest : public QObject {
    Q_OBJECT
  private slots:
    void countsAreThoseOfAWalk() {
        auto* random = warpscope::test::freshRandom();
        for (const PixelFormat format :
             {PixelFormat::GrayF32, PixelFormat::RgbaF32, PixelFormat::Gray32, PixelFormat::Gray64})
            for (int round = 0; round < 8; ++round) {
                const Image image =
                    randomImage(format, {1 + random->bounded(97), 1 + random->bounded(53)});
                const double scale = isFloat(format) ? 1 : 500;
                const double low = (random->generateDouble() - 0.5) * scale;
                const double high = low + (0.001 + random->generateDouble()) * scale;
                const int bins = 1 + random->bounded(300);
                const CpuContext context{
                    round % 2 ? Threading::AllCores : Threading::Single, {}, {}};
                const auto counted = countInRange(image, low, high, bins, context);
                QVERIFY(counted);
                QCOMPARE(counted->set.channels.size(), std::size_t(isColor(format) ? 4 : 1));
                visitSampleType(format, [&]<class T>() {
                    for (const Histogram& histogram : counted->set.channels) {
                        std::vector<std::uint64_t> truth(std::size_t(bins), 0);
                        std::uint64_t below = 0, above = 0, none = 0;
                        const auto view = image.view<T>();
                        for (int y = 0; y < view.height; ++y)
                            for (int x = 0; x < view.width; ++x) {
                                const T* p = view.row(y) + std::ptrdiff_t(x) * view.channels;
                                double v = double(p[0]);
                                bool finite = std::isfinite(v);
                                if (view.channels == 4) {
                                    for (int c = 1; c < 3; ++c)
                                        finite = finite && std::isfinite(double(p[c]));
                                    const int color = int(histogram.channel) - 1;
                                    v = color >= 0
                                            ? double(p[color])
                                            : (19595.0 * double(p[0]) + 38470.0 * double(p[1]) +
                                               7471.0 * double(p[2])) /
                                                  65536.0;
                                }
                                if (!finite)
                                    ++none;
                                else if (v < low)
                                    ++below;
                                else if (v > high)
                                    ++above;
                                else
                                    ++truth[std::size_t(std::min(
                                        bins - 1, int((v - low) * (bins / (high - low)))))];
                            }
                        QCOMPARE(histogram.bins, truth);
                        QCOMPARE(counted->below[std::size_t(histogram.channel)], below);
                        QCOMPARE(counted->above[std::size_t(histogram.channel)], above);
                        QCOMPARE(counted->set.notFinite, none);
                    }
                });
            }
    }

    void refusesWhatIsNoRange() {
        const Image real = randomImage(PixelFormat::GrayF32, {4, 4});
        const auto fails = [](const Image& image, double low, double high, int bins) {
            const auto counted = countInRange(image, low, high, bins, CpuContext{});
            return !counted && counted.error().code == ErrorCode::InvalidArgument;
        };
        QVERIFY(fails(real, 1, 1, 8));
        QVERIFY(fails(real, 2, 1, 8));
        QVERIFY(fails(real, 0, std::numeric_limits<double>::infinity(), 8));
        QVERIFY(fails(real, std::nan(""), 1, 8));
        QVERIFY(fails(real, 0, 1, 0));
        QVERIFY(fails(Image(), 0, 1, 8));
        QVERIFY(fails(randomImage(PixelFormat::Gray16, {4, 4}), 0, 1, 8));
    }
};

WARPSCOPE_TEST(HistogramRangeTest)
#include "histogram_range_test.moc"
