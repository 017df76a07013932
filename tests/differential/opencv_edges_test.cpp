// Edges and kernels against OpenCV: its sums are exact too, and what we make of them is done here
// in whole numbers. Its Canny is ours, to the bit.
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <random>

#include "differential/mat_of.h"
#include "engine/operations/edges/canny.h"
#include "engine/operations/edges/convolve.h"
#include "engine/operations/edges/gradient.h"
#include "engine/operations/edges/laplacian.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// OpenCV's sums, whole numbers in whatever it can make of this depth.
cv::Mat asDoubles(const cv::Mat& sums) {
    cv::Mat made;
    sums.convertTo(made, CV_64F);
    return made;
}

// The image of value(x, y).
template <class Value>
Image imageOf(const Image& like, const Value& value) {
    std::vector<double> samples;
    for (int y = 0; y < like.height(); ++y)
        for (int x = 0; x < like.width(); ++x) samples.push_back(double(value(x, y)));
    return makeImage(like.format(), like.size(), samples);
}

std::int64_t wholeRoot(std::int64_t of) {
    auto root = std::int64_t(std::sqrt(double(of)));
    while (root * root > of) --root;
    while ((root + 1) * (root + 1) <= of) ++root;
    return root;
}

std::int64_t floorDivide(std::int64_t a, std::int64_t b) {
    const std::int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

}  // namespace

class OpencvEdgesTest : public QObject {
    Q_OBJECT

    std::uint32_t m_seed = warpscope::test::freshSeed();
    std::mt19937 m_random{m_seed};

    int anyUpTo(int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(m_random);
    }
    std::vector<Image> images(PixelFormat format) {
        std::vector<Image> made;
        for (const Size size : {Size{1, 1}, Size{1, 57}, Size{61, 1}, Size{2, 2}, Size{127, 95},
                                Size{anyUpTo(1, 300), anyUpTo(1, 200)}, Size{701, 433}})
            for (const Image& image :
                 {makePhotograph(format, size, m_seed), makeNoise(format, size, m_seed)})
                made.push_back(image);
        return made;
    }
    std::string named(const Image& image) const {
        return std::to_string(image.width()) + " x " + std::to_string(image.height()) + ", seed " +
               std::to_string(m_seed);
    }

  private slots:
    void gradient() {
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Gray16})
            for (const Image& image : images(format))
                for (const bool scharr : {false, true}) {
                    const auto white = std::int64_t(fullScale(format));
                    const int depth = format == PixelFormat::Gray8 ? CV_16S : CV_32F;
                    cv::Mat x, y;
                    const int side = scharr ? cv::FILTER_SCHARR : 3;
                    cv::Sobel(matOf(image), x, depth, 1, 0, side, 1, 0, cv::BORDER_REPLICATE);
                    cv::Sobel(matOf(image), y, depth, 0, 1, side, 1, 0, cv::BORDER_REPLICATE);
                    const cv::Mat gx = asDoubles(x), gy = asDoubles(y);
                    const auto at = [](const cv::Mat& g, int column, int row) {
                        return std::int64_t(g.at<double>(row, column));
                    };
                    const auto run = [&](const char* output) {
                        return runOn(gradient_operation(),
                                     {{"kernel", scharr ? "scharr" : "sobel"}, {"output", output}},
                                     image);
                    };
                    const auto around = [&](std::int64_t g) {
                        return std::clamp((white + 1) / 2 + (g >> 1), std::int64_t(0), white);
                    };
                    compareSamples(imageOf(image,
                                           [&](int c, int r) {
                                               const auto h = at(gx, c, r), v = at(gy, c, r);
                                               return std::min(white, wholeRoot(h * h + v * v));
                                           }),
                                   run("magnitude"), named(image));
                    compareSamples(
                        imageOf(image, [&](int c, int r) { return around(at(gx, c, r)); }),
                        run("horizontal"), named(image));
                    compareSamples(
                        imageOf(image, [&](int c, int r) { return around(at(gy, c, r)); }),
                        run("vertical"), named(image));
                }
    }

    void laplacian() {
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Gray16})
            for (const Image& image : images(format)) {
                const auto white = std::int64_t(fullScale(format));
                cv::Mat sums;
                cv::Laplacian(matOf(image), sums, format == PixelFormat::Gray8 ? CV_16S : CV_32F, 1,
                              1, 0, cv::BORDER_REPLICATE);
                const cv::Mat s = asDoubles(sums);
                compareSamples(imageOf(image,
                                       [&](int x, int y) {
                                           return std::min(
                                               white, std::abs(std::int64_t(s.at<double>(y, x))));
                                       }),
                               runOn(laplacian_operation(), {}, image), named(image));
                compareSamples(imageOf(image,
                                       [&](int x, int y) {
                                           return std::clamp(
                                               (white + 1) / 2 + std::int64_t(s.at<double>(y, x)),
                                               std::int64_t(0), white);
                                       }),
                               runOn(laplacian_operation(), {{"output", "signed"}}, image),
                               named(image));
            }
    }

    void canny() {
        for (const Image& image : images(PixelFormat::Gray8))
            for (int trial = 0; trial < 6; ++trial) {
                const int low = trial == 0 ? 50 : anyUpTo(0, 600);
                const int high = trial == 0 ? 100 : anyUpTo(0, 1200);
                cv::Mat theirs;
                cv::Canny(matOf(image), theirs, low, high);
                const Image ours =
                    runOn(canny_operation(),
                          {{"low", std::to_string(low)}, {"high", std::to_string(high)}}, image,
                          trial % 2 ? Threading::AllCores : Threading::Single);
                compareSamples(
                    imageOf(image, [&](int x, int y) { return theirs.at<std::uint8_t>(y, x); }),
                    ours,
                    named(image) + ", " + std::to_string(low) + " to " + std::to_string(high));
            }
    }

    // From 11 x 11 on OpenCV goes by way of frequencies, whose sums are rounded here.
    void convolve() {
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Gray16})
            for (const Image& image : images(format)) {
                IntMatrix kernel;
                kernel.columns = 1 + 2 * anyUpTo(0, 7);
                const int rows = 1 + 2 * anyUpTo(0, 7);
                const int most = anyUpTo(0, 1) ? 5 : 30000;
                cv::Mat weights(rows, kernel.columns, CV_64F);
                for (int i = 0; i < rows * kernel.columns; ++i) {
                    kernel.values.push_back(anyUpTo(-most, most));
                    weights.at<double>(i / kernel.columns, i % kernel.columns) =
                        kernel.values.back();
                }
                const std::int64_t divisor = anyUpTo(1, 2 * most);
                const int offset = anyUpTo(-200, 200);
                cv::Mat sums;
                cv::filter2D(matOf(image), sums, CV_64F, weights, {-1, -1}, 0,
                             cv::BORDER_REPLICATE);
                const auto value = [&](int x, int y) {
                    const std::int64_t s = std::llround(sums.at<double>(y, x));
                    return std::clamp(floorDivide(2 * s + divisor, 2 * divisor) +
                                          offset * (format == PixelFormat::Gray8 ? 1 : 257),
                                      std::int64_t(0), std::int64_t(fullScale(format)));
                };
                compareSamples(imageOf(image, value),
                               runOn(convolve_operation(),
                                     {{"kernel", toText(ParamValue(kernel))},
                                      {"divisor", std::to_string(divisor)},
                                      {"offset", std::to_string(offset)}},
                                     image),
                               named(image));
            }
    }
};

WARPSCOPE_TEST(OpencvEdgesTest)
#include "opencv_edges_test.moc"
