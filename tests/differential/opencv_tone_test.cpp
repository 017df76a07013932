// Tables of levels against OpenCV's LUT, and saturation against its matrix over colours: there luma
// is not rounded, so that results differ by 1 at most.
#include <cmath>
#include <functional>
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

constexpr Size kToneSizes[] = {{1, 1}, {1, 57}, {61, 1}, {127, 95}, {333, 201}};

// Of colours the alpha of `source`, which passes through.
Image imageOfMat(const cv::Mat& mat, const Image& source) {
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

// Rounded half up.
cv::Mat tableOf(const std::function<double(double)>& curve) {
    cv::Mat table(1, 256, CV_8U);
    for (int v = 0; v < 256; ++v)
        table.at<std::uint8_t>(0, v) =
            std::uint8_t(std::clamp(std::floor(curve(v) + 0.5), 0.0, 255.0));
    return table;
}

}  // namespace

class OpencvToneTest : public QObject {
    Q_OBJECT

    std::uint32_t m_seed = freshSeed();
    std::mt19937 m_random{m_seed};

    int anyUpTo(int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(m_random);
    }
    std::string seedText() const { return "seed " + std::to_string(m_seed); }

    void compareTables(const std::string& operation, const TextParameters& parameters,
                       const std::function<double(double)>& curve) {
        for (const Size size : kToneSizes)
            for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8}) {
                const Image image = makeNoise(format, size, m_random());
                cv::Mat theirs;
                cv::LUT(matOf(image), tableOf(curve), theirs);
                compareSamples(imageOfMat(theirs, image),
                               runOn(*findOperation(operation), parameters, image), seedText());
            }
    }

  private slots:
    void invert() {
        for (const Size size : kToneSizes)
            for (const PixelFormat format : kIntegerFormats) {
                const Image image = makeNoise(format, size, m_random());
                cv::Mat theirs;
                cv::bitwise_not(matOf(image), theirs);
                compareSamples(imageOfMat(theirs, image),
                               runOn(*findOperation("invert"), {}, image), seedText());
            }
    }

    void levels() {
        for (int trial = 0; trial < 6; ++trial) {
            const int black = anyUpTo(0, 120), white = anyUpTo(130, 255);
            const int low = anyUpTo(0, 255), high = anyUpTo(0, 255);
            // Powers of two, whose roots no library rounds differently.
            const double gamma = trial % 2 ? 0.5 : 1;
            compareTables("levels",
                          {{"black", std::to_string(black)},
                           {"white", std::to_string(white)},
                           {"gamma", trial % 2 ? "0.5" : "1"},
                           {"out_black", std::to_string(low)},
                           {"out_white", std::to_string(high)}},
                          [&](double v) {
                              const double t = std::clamp((v - black) / (white - black), 0.0, 1.0);
                              return low + (high - low) * std::pow(t, 1 / gamma);
                          });
        }
    }

    void curves() {
        for (int trial = 0; trial < 6; ++trial) {
            const int x = anyUpTo(40, 90), y = anyUpTo(0, 255);
            const int farX = anyUpTo(120, 200), farY = anyUpTo(0, 255);
            const std::string points = "20:10;" + std::to_string(x) + ":" + std::to_string(y) +
                                       ";" + std::to_string(farX) + ":" + std::to_string(farY);
            const auto between = [](double v, double x0, double y0, double x1, double y1) {
                return y0 + (v - x0) * (y1 - y0) / (x1 - x0);
            };
            compareTables("curves", {{"points", points}, {"interpolation", "linear"}},
                          [&](double v) {
                              if (v <= 20) return 10.0;
                              if (v <= x) return between(v, 20, 10, x, y);
                              if (v <= farX) return between(v, x, y, farX, farY);
                              return double(farY);
                          });
        }
    }

    // Amounts that 256ths hold. Above 200 % the rounding of luma counts for more than a level.
    void saturationWithinOne() {
        for (const Size size : kToneSizes)
            for (const int amount : {0, 25, 50, 150, 200}) {
                const Image image = makePhotograph(PixelFormat::Rgba8, size, m_random());
                const double a = amount / 100.0;
                const double luma[3] = {19595 / 65536.0, 38470 / 65536.0, 7471 / 65536.0};
                cv::Mat matrix = cv::Mat::zeros(4, 4, CV_64F);
                for (int row = 0; row < 3; ++row)
                    for (int column = 0; column < 3; ++column)
                        matrix.at<double>(row, column) =
                            (1 - a) * luma[column] + (row == column ? a : 0);
                matrix.at<double>(3, 3) = 1;
                cv::Mat theirs;
                cv::transform(matOf(image), theirs, matrix);
                const Image ours = runOn(*findOperation("saturation"),
                                         {{"amount", std::to_string(amount)}}, image);
                const double most = cv::norm(theirs, matOf(ours), cv::NORM_INF);
                QVERIFY2(most <= 1, qPrintable(QString("%1 %: by %2").arg(amount).arg(most)));
            }
    }
};

WARPSCOPE_TEST(OpencvToneTest)
#include "opencv_tone_test.moc"
