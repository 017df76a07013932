// Against OpenCV, which shares no line with us: integral images and medians to the bit, box means
// within 1 (it rounds halves to even, we round them up; and it multiplies by a reciprocal).
#include <QtTest>
#include <cstdlib>
#include <cstring>
#include <opencv2/imgproc.hpp>

#include "differential/opencv_images.h"
#include "engine/operations/analysis/integral_image.h"
#include "engine/operations/smoothing/box_mean.h"
#include "engine/operations/smoothing/median.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

template <class T>
int largestDifference(const cv::Mat& theirs, const Image& ours) {
    const int all = channelCount(ours.format());
    int largest = 0;
    for (int y = 0; y < ours.height(); ++y)
        for (int i = 0; i < ours.width() * all; ++i)
            if (i % all < 3)
                largest = std::max(
                    largest, std::abs(int(theirs.ptr<T>(y)[i]) - int(ours.view<T>().row(y)[i])));
    return largest;
}

}  // namespace

class WindowsTest : public QObject {
    Q_OBJECT

  private slots:
    void integralExact() {
        for (const Size size : kComparedSizes)
            for (const std::string variant : {"automatic", "rows_then_columns", "blocked_4x4"}) {
                const Image image = makePhotograph(PixelFormat::Gray8, size);
                cv::Mat theirs;  // one row and column larger: sums of what lies strictly before
                cv::integral(matOf(image), theirs, CV_32S);
                const Image ours = runVariant(integral_image_operation(), variant, {}, image);
                for (int y = 0; y < size.height; ++y)
                    QVERIFY(std::memcmp(theirs.ptr<int>(y + 1) + 1,
                                        ours.view<std::uint32_t>().row(y),
                                        std::size_t(size.width) * 4) == 0);
            }
    }

    // In double precision, which holds these sums exactly.
    void integralBeyond32BitsExact() {
        const Size size{5100, 4003};
        const Image image = makeConstant(PixelFormat::Gray8, size, 253);
        cv::Mat theirs;
        cv::integral(matOf(image), theirs, CV_64F);
        const Image ours = runOn(integral_image_operation(), {}, image, Threading::AllCores);
        QCOMPARE(ours.format(), PixelFormat::Gray64);
        for (int y = 0; y < size.height; ++y)
            for (int x = 0; x < size.width; ++x)
                if (theirs.at<double>(y + 1, x + 1) != double(ours.view<std::uint64_t>().row(y)[x]))
                    QFAIL(qPrintable(QString("at %1, %2").arg(x).arg(y)));
    }

    // Its median repeats the border too.
    void medianExact() {
        for (const Size size : kComparedSizes)
            for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
                for (const int radius : {1, 2, 3, 5, 7}) {
                    const Image image = makePhotograph(format, size);
                    cv::Mat theirs;
                    cv::medianBlur(matOf(image), theirs, 2 * radius + 1);
                    const Image ours =
                        runOn(median_operation(), {{"radius", std::to_string(radius)}}, image);
                    QCOMPARE(largestDifference<std::uint8_t>(theirs, ours), 0);
                }
    }

    void median16Exact() {
        for (const Size size : kComparedSizes)
            for (const int radius : {1, 2}) {
                const Image image = makePhotograph(PixelFormat::Gray16, size);
                cv::Mat theirs;
                cv::medianBlur(matOf(image), theirs, 2 * radius + 1);
                const Image ours =
                    runOn(median_operation(), {{"radius", std::to_string(radius)}}, image);
                QCOMPARE(largestDifference<std::uint16_t>(theirs, ours), 0);
            }
    }

    void boxMeanWithinOne() {
        for (const Size size : kComparedSizes)
            for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
                for (const int radius : {1, 3, 20, 60}) {
                    const Image image = makePhotograph(format, size);
                    const int side = 2 * radius + 1;
                    cv::Mat theirs;
                    cv::boxFilter(matOf(image), theirs, -1, {side, side}, {-1, -1}, true,
                                  cv::BORDER_REPLICATE);
                    const Image ours =
                        runOn(box_mean_operation(), {{"radius", std::to_string(radius)}}, image);
                    const int largest = largestDifference<std::uint8_t>(theirs, ours);
                    QVERIFY2(largest <= 1, qPrintable(QString("by %1").arg(largest)));
                }
    }
};

WARPSCOPE_TEST(WindowsTest)
#include "windows_test.moc"
