// The guided filter put together from OpenCV's box filters, in double: its own is in a module that
// few systems have.
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "differential/mat_of.h"
#include "engine/operations/smoothing/guided_filter.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

cv::Mat1d meanOf(const cv::Mat1d& plane, int radius) {
    cv::Mat1d mean;
    const int side = 2 * radius + 1;
    cv::boxFilter(plane, mean, CV_64F, {side, side}, {-1, -1}, true, cv::BORDER_REPLICATE);
    return mean;
}

std::vector<cv::Mat1d> planesOf(const Image& image) {
    cv::Mat samples;
    matOf(image).convertTo(samples, CV_64F);
    std::vector<cv::Mat1d> planes;
    cv::split(samples, planes);
    return planes;
}

// The guide: BT.601 in fixed point, rounded; of float not rounded.
cv::Mat1d lumaOf(const std::vector<cv::Mat1d>& planes, bool floats) {
    if (planes.size() == 1) return planes[0];
    cv::Mat1d luma = (19595 * planes[0] + 38470 * planes[1] + 7471 * planes[2]) / 65536;
    if (!floats)
        for (double& value : luma) value = std::floor(value + 0.5);
    return luma;
}

}  // namespace

class OpencvGuidedTest : public QObject {
    Q_OBJECT

  private slots:
    void fromBoxFilters_data() {
        QTest::addColumn<PixelFormat>("format");
        QTest::newRow("8 bits") << PixelFormat::Gray8;
        QTest::newRow("8 bits, colour") << PixelFormat::Rgba8;
        QTest::newRow("16 bits") << PixelFormat::Gray16;
        QTest::newRow("16 bits, colour") << PixelFormat::Rgba16;
        QTest::newRow("float") << PixelFormat::GrayF32;
        QTest::newRow("float, colour") << PixelFormat::RgbaF32;
    }
    void fromBoxFilters() {
        QFETCH(const PixelFormat, format);
        struct Case {
            Size size;
            int radius;
            double epsilon;
        };
        // The last one's squares are larger than the image.
        for (const Case& c : {Case{{201, 133}, 8, 100}, Case{{128, 97}, 1, 0.1},
                              Case{{90, 131}, 21, 5000}, Case{{37, 23}, 40, 400}})
            for (const bool photo : {true, false}) {
                const std::uint32_t seed = freshSeed();
                const Image image =
                    photo ? makePhotograph(format, c.size, seed) : makeNoise(format, c.size, seed);
                const Image made = runOn(guided_filter_operation(),
                                         {{"radius", std::to_string(c.radius)},
                                          {"epsilon", toText(ParamValue(c.epsilon))}},
                                         image);
                compare(image, made, c.radius, c.epsilon,
                        "radius " + std::to_string(c.radius) + ", seed " + std::to_string(seed));
                if (QTest::currentTestFailed()) return;
            }
    }

  private:
    // Integers are theirs rounded, but for the bits that ours loses where it keeps a and b as
    // float; of float the result and the luma lose as many.
    static void compare(const Image& image, const Image& made, int radius, double epsilon,
                        const std::string& name) {
        const bool floats = isFloat(image.format());
        const double unit = floats ? 1 / 255.0 : bytesPerSample(image.format()) == 2 ? 257 : 1;
        const double white = 255 * unit;
        const auto planes = planesOf(image), ours = planesOf(made);
        const cv::Mat1d luma = lumaOf(planes, floats);
        const cv::Mat1d lumaMean = meanOf(luma, radius);
        const cv::Mat1d variance = meanOf(luma.mul(luma), radius) - lumaMean.mul(lumaMean);
        const std::size_t colours = planes.size() == 1 ? 1 : 3;
        for (std::size_t c = 0; c < colours; ++c) {
            const cv::Mat1d mean = meanOf(planes[c], radius);
            const cv::Mat1d together = meanOf(luma.mul(planes[c]), radius) - lumaMean.mul(mean);
            const cv::Mat1d slope = together / (variance + epsilon * unit * unit);
            const cv::Mat1d offset = mean - slope.mul(lumaMean);
            cv::Mat1d theirs = meanOf(slope, radius).mul(luma) + meanOf(offset, radius);
            if (!floats) theirs = cv::min(cv::max(theirs, 0.0), white);
            const double largest = std::max(
                {white, cv::norm(offset, cv::NORM_INF), cv::norm(slope, cv::NORM_INF) * white});
            const double lost = (floats ? 8 : 2) * std::ldexp(largest, -24);
            const double most = lost + (floats ? 0.0 : 0.5);
            const double difference = cv::norm(theirs, ours[c], cv::NORM_INF);
            QVERIFY2(difference <= most,
                     qPrintable(QString("%1, channel %2: differs by %3, at most %4")
                                    .arg(QString::fromStdString(name))
                                    .arg(c)
                                    .arg(difference)
                                    .arg(most)));
        }
        if (colours == 3) QCOMPARE(cv::norm(planes[3], ours[3], cv::NORM_INF), 0.0);
    }
};

WARPSCOPE_TEST(OpencvGuidedTest)
#include "opencv_guided_test.moc"
