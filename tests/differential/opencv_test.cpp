// Against OpenCV, which shares no line with us and rounds in its own ways. Integral images, medians
// and morphology agree to the bit; box means within 1 (it rounds halves to even, we round them up;
// and it multiplies by a reciprocal); tone and Gaussian within 1 where its definition differs,
// exactly where it does not. nl_means rounds distances down to a table of weights there and knows
// no border but its own: alike, not equal.
#include <cstdlib>
#include <cstring>
#include <opencv2/imgproc.hpp>
#include <opencv2/photo.hpp>
#include <random>

#include "differential/mat_of.h"
#include "engine/operations/analysis/histogram.h"
#include "engine/operations/analysis/integral_image.h"
#include "engine/operations/morphology/morphology.h"
#include "engine/operations/registry.h"
#include "engine/operations/smoothing/box_mean.h"
#include "engine/operations/smoothing/gaussian_blur.h"
#include "engine/operations/smoothing/median.h"
#include "engine/operations/smoothing/nl_means.h"
#include "engine/operations/tone/equalize.h"
#include "engine/operations/tone/extract_channel.h"
#include "engine/operations/tone/false_colour.h"
#include "engine/operations/tone/grayscale.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// One pixel, one column, one row, odd and even ones.
constexpr Size kComparedSizes[] = {{1, 1}, {1, 57}, {61, 1}, {127, 95}, {512, 384}, {1001, 333}};

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

double meanDifference(const cv::Mat& a, const cv::Mat& b) {
    return cv::norm(a, b, cv::NORM_L1) / double(a.total());
}

}  // namespace

class OpencvTest : public QObject {
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

    // Hue of 256 levels (FULL) and saturation are rounded in fixed point there, L* in another one.
    void extractedChannels() {
        for (const Size size : kComparedSizes)
            for (const Image& image : {makeNoise(PixelFormat::Rgba8, size, 5),
                                       makePhotograph(PixelFormat::Rgba8, size)}) {
                const auto ours = [&](const char* channel) {
                    return runOn(extract_channel_operation(), {{"channel", channel}}, image);
                };
                const char* const stored[] = {"red", "green", "blue", "alpha"};
                for (int c = 0; c < 4; ++c) {
                    cv::Mat theirs;
                    cv::extractChannel(matOf(image), theirs, c);
                    QCOMPARE(compare(theirs, ours(stored[c]), 1).largest, 0);
                }
                cv::Mat rgb, hsv, lab, theirs;
                cv::cvtColor(matOf(image), rgb, cv::COLOR_RGBA2RGB);
                cv::cvtColor(rgb, hsv, cv::COLOR_RGB2HSV_FULL);
                cv::cvtColor(rgb, lab, cv::COLOR_RGB2Lab);
                cv::extractChannel(hsv, theirs, 2);
                QCOMPARE(compare(theirs, ours("value"), 1).largest, 0);
                cv::extractChannel(hsv, theirs, 1);
                QVERIFY(compare(theirs, ours("saturation"), 1).largest <= 1);
                cv::extractChannel(lab, theirs, 0);
                QVERIFY(compare(theirs, ours("lightness"), 1).largest <= 1);
                cv::extractChannel(hsv, theirs, 0);
                const Image hue = ours("hue");
                for (int y = 0; y < size.height; ++y)
                    for (int x = 0; x < size.width; ++x) {
                        const int d = int(theirs.ptr(y)[x]) - hue.view<std::uint8_t>().row(y)[x];
                        // Around a circle of 256.
                        QVERIFY(std::abs(std::int8_t(std::uint8_t(d))) <= 1);
                    }
            }
    }

    // The same colours, rounded in another way; their hot and jet are others.
    void falseColoursWithinOne() {
        const std::pair<const char*, int> maps[] = {
            {"viridis", cv::COLORMAP_VIRIDIS}, {"inferno", cv::COLORMAP_INFERNO},
            {"magma", cv::COLORMAP_MAGMA},     {"plasma", cv::COLORMAP_PLASMA},
            {"cividis", cv::COLORMAP_CIVIDIS}, {"turbo", cv::COLORMAP_TURBO}};
        const Image image = makeRamp(PixelFormat::Gray8, {311, 97});
        for (const auto& [id, number] : maps) {
            cv::Mat bgr, theirs;
            cv::applyColorMap(matOf(image), bgr, number);
            cv::cvtColor(bgr, theirs, cv::COLOR_BGR2RGBA);
            const auto d =
                compare(theirs, runOn(false_colour_operation(), {{"map", id}}, image), 4);
            QVERIFY2(d.largest <= 1, qPrintable(QString("%1: %2").arg(id).arg(d.largest)));
        }
    }

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

    // Beyond the border nothing counts there either.
    void morphologyExact() {
        constexpr std::pair<const char*, int> kOperations[] = {
            {"erode", cv::MORPH_ERODE},       {"dilate", cv::MORPH_DILATE},
            {"open", cv::MORPH_OPEN},         {"close", cv::MORPH_CLOSE},
            {"gradient", cv::MORPH_GRADIENT}, {"top_hat", cv::MORPH_TOPHAT},
            {"black_hat", cv::MORPH_BLACKHAT}};
        const std::uint32_t seed = warpscope::test::freshSeed();
        for (const Size size : kComparedSizes)
            for (const PixelFormat format : kIntegerFormats)
                for (const std::string shape : {"square", "disk", "cross"})
                    for (const int radius : {1, 2, 3, 9, 10, 37}) {
                        if (size.pixels() > 20'000 && radius > 10) continue;
                        cv::Mat element(2 * radius + 1, 2 * radius + 1, CV_8U, cv::Scalar(0));
                        for (int y = -radius; y <= radius; ++y)
                            for (int x = -radius; x <= radius; ++x)
                                element.at<unsigned char>(y + radius, x + radius) =
                                    shape == "square"  ? 1
                                    : shape == "cross" ? x == 0 || y == 0
                                                       : x * x + y * y <= radius * radius;
                        const Image image = makeNoise(format, size, seed);
                        const auto& [name, code] =
                            kOperations[(seed + unsigned(radius)) % std::size(kOperations)];
                        cv::Mat theirs;
                        cv::morphologyEx(matOf(image), theirs, code, element);
                        const Image ours = runOn(morphology_operation(),
                                                 {{"operation", name},
                                                  {"shape", shape},
                                                  {"radius", std::to_string(radius)}},
                                                 image);
                        const int apart = bytesPerSample(format) == 1
                                              ? largestDifference<std::uint8_t>(theirs, ours)
                                              : largestDifference<std::uint16_t>(theirs, ours);
                        QVERIFY2(apart == 0, qPrintable(QString("%1, %2, radius %3, %4 x %5, seed "
                                                                "%6: by %7")
                                                            .arg(name)
                                                            .arg(shape.c_str())
                                                            .arg(radius)
                                                            .arg(size.width)
                                                            .arg(size.height)
                                                            .arg(seed)
                                                            .arg(apart)));
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

    // Weights are rounded to 1/256 here and are float there.
    void bilateralWithinOne() {
        for (const Size size : kComparedSizes)
            for (const int radius : {1, 4, 7}) {
                const Image image = makePhotograph(PixelFormat::Gray8, size);
                cv::Mat theirs;
                cv::bilateralFilter(matOf(image), theirs, 2 * radius + 1, 25, 3,
                                    cv::BORDER_REPLICATE);
                const Image ours =
                    runOn(*findOperation("bilateral"), {{"radius", std::to_string(radius)}}, image);
                QVERIFY(largestDifference<std::uint8_t>(theirs, ours) <= 1);
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

    void denoisesAlike() {
        for (const int h : {6, 10, 25})
            for (const int patch : {1, 3})
                for (const int search : {5, 10}) {
                    const Image image = makePhotograph(PixelFormat::Gray8, {243, 187});
                    cv::Mat theirs;
                    cv::fastNlMeansDenoising(matOf(image), theirs, float(h), 2 * patch + 1,
                                             2 * search + 1);
                    const Image ours = runOn(nl_means_operation(),
                                             {{"h", std::to_string(h)},
                                              {"patch_radius", std::to_string(patch)},
                                              {"search_radius", std::to_string(search)}},
                                             image);
                    const double apart = meanDifference(theirs, matOf(ours));
                    const double moved = meanDifference(matOf(image), matOf(ours));
                    qInfo("h %d, patch %d, search %d: apart by %.3f, moved by %.3f", h, patch,
                          search, apart, moved);
                    QVERIFY2(apart < 0.1, qPrintable(QString::number(apart)));
                    // Both did something, and more than they differ by.
                    QVERIFY(moved > 20 * apart);
                }
    }
};

WARPSCOPE_TEST(OpencvTest)
#include "opencv_test.moc"
