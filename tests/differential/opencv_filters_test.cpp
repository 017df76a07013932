// What is put together of blurs, medians, sums and two images, against the same put together of
// OpenCV's functions: to the bit where whole numbers are all there is, else within the rounding of
// our blurs, which OpenCV is asked for in double.
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <random>

#include "differential/mat_of.h"
#include "engine/operations/registry.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

constexpr Size kFilteredSizes[] = {{1, 1}, {1, 57}, {61, 1}, {127, 95}, {333, 201}};
// A blur is rounded, and its weights are.
constexpr double kBlurOff = 0.55;

cv::Mat blurInDouble(const Image& image, double sigma) {
    cv::Mat samples, made;
    matOf(image).convertTo(samples, CV_64F);
    const int side = 2 * int(std::ceil(3 * sigma)) + 1;
    cv::GaussianBlur(samples, made, {side, side}, sigma, sigma, cv::BORDER_REPLICATE);
    return made;
}

// Of gray samples.
double mostOff(const cv::Mat& truth, const Image& ours) {
    cv::Mat samples;
    matOf(ours).convertTo(samples, CV_64F);
    return cv::norm(cv::min(cv::max(truth, 0.0), 255.0), samples, cv::NORM_INF);
}

Image imageOfFiltered(const cv::Mat& mat, const Image& source) {
    std::vector<double> samples;
    const int channels = mat.channels();
    for (int y = 0; y < mat.rows; ++y)
        for (int k = 0; k < mat.cols * channels; ++k)
            samples.push_back(visitSampleType(source.format(), [&]<class T>() {
                return double(k % 4 == 3 && channels == 4 ? source.view<T>().row(y)[k]
                                                          : mat.ptr<T>(y)[k]);
            }));
    return makeImage(source.format(), source.size(), samples);
}

}  // namespace

class OpencvFiltersTest : public QObject {
    Q_OBJECT

    std::uint32_t m_seed = freshSeed();
    std::mt19937 m_random{m_seed};

    std::string named(const std::string& what) const {
        return what + ", seed " + std::to_string(m_seed);
    }

  private slots:
    void unsharpMask() {
        for (const Size size : kFilteredSizes)
            for (const char* sigma : {"0.8", "2", "5"})
                for (const char* amount : {"0.5", "1", "3"}) {
                    const Image image = makePhotograph(PixelFormat::Gray8, size, m_random());
                    const double by = std::stod(amount);
                    const cv::Mat blur = blurInDouble(image, std::stod(sigma));
                    cv::Mat samples;
                    matOf(image).convertTo(samples, CV_64F);
                    const double off =
                        mostOff((1 + by) * samples - by * blur,
                                runOn(*findOperation("unsharp_mask"),
                                      {{"sigma", sigma}, {"amount", amount}}, image));
                    QVERIFY2(off <= 0.5 + by * kBlurOff, qPrintable(QString::number(off)));
                }
    }

    void differenceOfGaussians() {
        for (const Size size : kFilteredSizes)
            for (const char* gain : {"1", "4"})
                for (const auto& [fine, coarse] : {std::pair("1", "1.6"), std::pair("2", "7")}) {
                    const Image image = makePhotograph(PixelFormat::Gray8, size, m_random());
                    const double by = std::stod(gain);
                    const cv::Mat truth = 128 + by * (blurInDouble(image, std::stod(fine)) -
                                                      blurInDouble(image, std::stod(coarse)));
                    const double off = mostOff(
                        truth,
                        runOn(*findOperation("difference_of_gaussians"),
                              {{"sigma_small", fine}, {"sigma_large", coarse}, {"gain", gain}},
                              image));
                    QVERIFY2(off <= 2 * by * kBlurOff, qPrintable(QString::number(off)));
                }
    }

    void despeckle() {
        for (const Size size : kFilteredSizes)
            for (const PixelFormat format :
                 {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16})
                for (const int radius : {1, 2, 5})
                    for (const char* which : {"both", "bright", "dark"}) {
                        // Of 16 bits it knows no larger ones.
                        if (format == PixelFormat::Gray16 && radius > 2) continue;
                        const Image image = makeNoise(format, size, m_random());
                        const int unit = format == PixelFormat::Gray16 ? 257 : 1;
                        const int threshold = int(m_random() % 120);
                        const cv::Mat in = matOf(image);
                        cv::Mat median, above, below, far;
                        cv::medianBlur(in, median, 2 * radius + 1);
                        cv::subtract(in, median, above);
                        cv::subtract(median, in, below);
                        const std::string_view asked = which;
                        const cv::Mat apart = asked == "bright" ? above
                                              : asked == "dark" ? below
                                                                : cv::max(above, below);
                        const cv::Mat limit(in.size(), in.type(),
                                            cv::Scalar::all(threshold * unit));
                        cv::compare(apart, limit, far, cv::CMP_GT);
                        cv::Mat theirs = in.clone();
                        for (int y = 0; y < in.rows; ++y)
                            for (int k = 0; k < in.cols * in.channels(); ++k)
                                if (far.ptr(y)[k] != 0) {
                                    if (unit == 1)
                                        theirs.ptr(y)[k] = median.ptr(y)[k];
                                    else
                                        theirs.ptr<std::uint16_t>(y)[k] =
                                            median.ptr<std::uint16_t>(y)[k];
                                }
                        compareSamples(imageOfFiltered(theirs, image),
                                       runOn(*findOperation("despeckle"),
                                             {{"radius", std::to_string(radius)},
                                              {"threshold", std::to_string(threshold)},
                                              {"which", which}},
                                             image),
                                       named(which));
                    }
    }

    void blend() {
        using Mix = void (*)(const cv::Mat& a, const cv::Mat& b, cv::Mat& out);
        const std::pair<const char*, Mix> modes[] = {
            {"difference", [](auto& a, auto& b, auto& out) { cv::absdiff(a, b, out); }},
            {"add", [](auto& a, auto& b, auto& out) { cv::add(a, b, out); }},
            {"subtract", [](auto& a, auto& b, auto& out) { cv::subtract(a, b, out); }},
            {"minimum", [](auto& a, auto& b, auto& out) { cv::min(a, b, out); }},
            {"maximum", [](auto& a, auto& b, auto& out) { cv::max(a, b, out); }}};
        for (const Size size : kFilteredSizes)
            for (const PixelFormat format : kIntegerFormats)
                for (const auto& [mode, mix] : modes) {
                    const Image image = makeNoise(format, size, m_random());
                    const PlanPtr plan =
                        planFor(*findOperation("blend"), {{"with", "second"}, {"mode", mode}},
                                format, size);
                    const Image second = makeNoise(format, size, m_random());
                    cv::Mat theirs;
                    mix(matOf(image), matOf(second), theirs);
                    compareSamples(imageOfFiltered(theirs, image),
                                   runPlan(*plan, image, Threading::Single, second), named(mode));
                }
    }

    // A product over 255 is never half a level.
    void blendProducts() {
        for (const Size size : kFilteredSizes)
            for (const bool screen : {false, true}) {
                const Image image = makeNoise(PixelFormat::Gray8, size, m_random());
                const Image second = makeNoise(PixelFormat::Gray8, size, m_random());
                cv::Mat a = matOf(image).clone(), b = matOf(second).clone(), theirs;
                if (screen) {
                    cv::bitwise_not(a, a);
                    cv::bitwise_not(b, b);
                }
                cv::multiply(a, b, theirs, 1 / 255.0);
                if (screen) cv::bitwise_not(theirs, theirs);
                const PlanPtr plan =
                    planFor(*findOperation("blend"),
                            {{"with", "second"}, {"mode", screen ? "screen" : "multiply"}},
                            image.format(), size);
                compareSamples(imageOfFiltered(theirs, image),
                               runPlan(*plan, image, Threading::Single, second),
                               named(screen ? "screen" : "multiply"));
            }
    }

    // Sums of samples and of their squares, whole numbers in double.
    void localStatistics() {
        for (const Size size : kFilteredSizes)
            for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Gray16})
                for (const int radius : {1, 3, 9}) {
                    const Image image = makePhotograph(format, size, m_random());
                    const int side = 2 * radius + 1;
                    const auto n = std::int64_t(side) * side;
                    cv::Mat samples, sums, squares;
                    matOf(image).convertTo(samples, CV_64F);
                    cv::boxFilter(samples, sums, CV_64F, {side, side}, {-1, -1}, false,
                                  cv::BORDER_REPLICATE);
                    cv::sqrBoxFilter(samples, squares, CV_64F, {side, side}, {-1, -1}, false,
                                     cv::BORDER_REPLICATE);
                    const double white = fullScale(format);
                    std::vector<double> variances, deviations;
                    for (int y = 0; y < size.height; ++y)
                        for (int x = 0; x < size.width; ++x) {
                            const auto sum = std::int64_t(std::llround(sums.at<double>(y, x)));
                            const auto square =
                                std::int64_t(std::llround(squares.at<double>(y, x)));
                            const std::int64_t variance = (n * square - sum * sum) / (n * n);
                            variances.push_back(std::min(white, double(variance)));
                            deviations.push_back(std::floor(std::sqrt(double(variance))));
                        }
                    const auto run = [&](const char* what) {
                        return runOn(*findOperation("local_statistics"),
                                     {{"what", what}, {"radius", std::to_string(radius)}}, image);
                    };
                    compareSamples(makeImage(format, size, variances), run("variance"),
                                   named("variance"));
                    compareSamples(makeImage(format, size, deviations), run("standard_deviation"),
                                   named("standard deviation"));
                    cv::Mat most, least, range;
                    const cv::Mat square = cv::Mat::ones(side, side, CV_8U);
                    cv::dilate(matOf(image), most, square);
                    cv::erode(matOf(image), least, square);
                    cv::subtract(most, least, range);
                    compareSamples(imageOfFiltered(range, image), run("range"), named("range"));
                }
    }
};

WARPSCOPE_TEST(OpencvFiltersTest)
#include "opencv_filters_test.moc"
