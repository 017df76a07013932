// Against OpenCV, which shares no line with us. It rounds in its own ways: within 1 where its
// definition differs, exact where it does not.
#include <QtTest>
#include <cstdlib>
#include <opencv2/imgproc.hpp>

#include "differential/opencv_images.h"
#include "engine/operations/analysis/histogram.h"
#include "engine/operations/smoothing/gaussian_blur.h"
#include "engine/operations/tone/equalize.h"
#include "engine/operations/tone/grayscale.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

struct Difference {
    int largest = 0;
    double share = 0;  // of the samples
};

Difference compare(const cv::Mat& theirs, const Image& ours, int channels) {
    Difference result;
    std::int64_t differing = 0;
    const int all = channelCount(ours.format());
    for (int y = 0; y < ours.height(); ++y)
        for (int x = 0; x < ours.width(); ++x)
            for (int c = 0; c < channels; ++c) {
                const int d = std::abs(int(theirs.ptr(y)[x * all + c]) -
                                       int(ours.view<std::uint8_t>().row(y)[x * all + c]));
                result.largest = std::max(result.largest, d);
                differing += d != 0;
            }
    result.share = double(differing) / (double(ours.size().pixels()) * channels);
    return result;
}

}  // namespace

class ToneAndBlurTest : public QObject {
    Q_OBJECT

  private slots:
    void grayscaleWithinOne() {
        for (const Size size : kComparedSizes)
            for (const Image& image : {makeNoise(PixelFormat::Rgba8, size, 3),
                                       makePhotograph(PixelFormat::Rgba8, size)}) {
                cv::Mat theirs;
                cv::cvtColor(matOf(image), theirs, cv::COLOR_RGBA2GRAY);
                const auto d = compare(theirs, runOn(grayscale_operation(), {}, image), 1);
                QVERIFY2(d.largest <= 1, qPrintable(QString("by %1").arg(d.largest)));
                if (size.pixels() > 4096) QVERIFY(d.share < 0.02);
            }
    }

    void gaussianWithinOne() {
        for (const Size size : kComparedSizes)
            for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
                for (const double sigma : {0.5, 1.0, 2.3, 5.0, 11.0}) {
                    const Image image = makePhotograph(format, size);
                    const int side = gaussianSize(sigma, 0);
                    cv::Mat theirs;
                    cv::GaussianBlur(matOf(image), theirs, {side, side}, sigma, sigma,
                                     cv::BORDER_REPLICATE);
                    const Image ours = runOn(gaussian_blur_operation(),
                                             {{"sigma", toText(ParamValue(sigma))}}, image);
                    const auto d = compare(theirs, ours, isColor(format) ? 3 : 1);
                    QVERIFY2(d.largest <= 2, qPrintable(QString("sigma %1, %2 x %3: by %4")
                                                            .arg(sigma)
                                                            .arg(size.width)
                                                            .arg(size.height)
                                                            .arg(d.largest)));
                    if (size.pixels() > 4096) QVERIFY(d.share < 0.2);
                }
    }

    void histogramExact() {
        for (const Size size : kComparedSizes) {
            const Image image = makePhotograph(PixelFormat::Rgba8, size);
            const auto plan = planHistogram(ChannelSet::all(), image.format(), image.size());
            const auto counts =
                *countCpu(static_cast<const HistogramPlan&>(**plan), image, CpuContext{});
            const int channels[] = {0, 1, 2};
            const HistogramChannel ours[] = {HistogramChannel::Red, HistogramChannel::Green,
                                             HistogramChannel::Blue};
            for (const int channel : channels) {
                const cv::Mat source = matOf(image);
                const int bins = 256;
                const float range[] = {0, 256};
                const float* ranges[] = {range};
                cv::Mat theirs;
                cv::calcHist(&source, 1, &channel, cv::Mat(), theirs, 1, &bins, ranges);
                for (int k = 0; k < 256; ++k)
                    QCOMPARE(std::uint64_t(theirs.at<float>(k)),
                             counts.find(ours[channel])->bins[std::size_t(k)]);
            }
        }
    }

    // OpenCV scales by 255 / (n - m) in float and rounds half to even: our `full`, within 1.
    void equalizeWithinOne() {
        for (const Size size : kComparedSizes) {
            const Image image = makePhotograph(PixelFormat::Gray8, size);
            cv::Mat theirs;
            cv::equalizeHist(matOf(image), theirs);
            const Image ours = runOn(equalize_operation(), {{"mapping", "full"}}, image);
            const auto d = compare(theirs, ours, 1);
            QVERIFY2(d.largest <= 1, qPrintable(QString("by %1").arg(d.largest)));
            if (size.pixels() > 4096) QVERIFY(d.share < 0.02);
        }
    }
};

WARPSCOPE_TEST(ToneAndBlurTest)
#include "tone_and_blur_test.moc"
