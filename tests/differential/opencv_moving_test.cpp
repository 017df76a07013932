// Pixels that move, against OpenCV: to the bit.
#include <cmath>
#include <cstring>
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

constexpr Size kMovedSizes[] = {{1, 1}, {1, 57}, {61, 1}, {17, 16}, {127, 95}, {333, 201}};

Image imageOfMoved(const cv::Mat& mat, PixelFormat format) {
    std::vector<double> samples;
    for (int y = 0; y < mat.rows; ++y)
        for (int k = 0; k < mat.cols * mat.channels(); ++k)
            samples.push_back(
                visitSampleType(format, [&]<class T>() { return double(mat.ptr<T>(y)[k]); }));
    return makeImage(format, {mat.cols, mat.rows}, samples);
}

}  // namespace

class OpencvMovingTest : public QObject {
    Q_OBJECT

    std::uint32_t m_seed = freshSeed();
    std::mt19937 m_random{m_seed};

    std::string named(const std::string& what) const {
        return what + ", seed " + std::to_string(m_seed);
    }

  private slots:
    void turnsAndMirrors() {
        using Turn = void (*)(const cv::Mat& in, cv::Mat& out);
        const std::pair<const char*, Turn> turns[] = {
            {"rotate_90", [](const cv::Mat& in, cv::Mat& out) { cv::rotate(in, out, 0); }},
            {"rotate_180", [](const cv::Mat& in, cv::Mat& out) { cv::rotate(in, out, 1); }},
            {"rotate_270", [](const cv::Mat& in, cv::Mat& out) { cv::rotate(in, out, 2); }},
            {"flip_horizontal", [](const cv::Mat& in, cv::Mat& out) { cv::flip(in, out, 1); }},
            {"flip_vertical", [](const cv::Mat& in, cv::Mat& out) { cv::flip(in, out, 0); }},
            {"transpose", [](const cv::Mat& in, cv::Mat& out) { cv::transpose(in, out); }},
            {"transverse", [](const cv::Mat& in, cv::Mat& out) {
                 cv::Mat turned;
                 cv::rotate(in, turned, cv::ROTATE_180);
                 cv::transpose(turned, out);
             }}};
        for (const Size size : kMovedSizes)
            for (const PixelFormat format : kIntegerFormats)
                for (const auto& [id, turn] : turns) {
                    const Image image = makeNoise(format, size, m_random());
                    cv::Mat theirs;
                    turn(matOf(image), theirs);
                    compareSamples(imageOfMoved(theirs, format),
                                   runOn(*findOperation("flip_rotate"), {{"operation", id}}, image),
                                   named(id));
                }
    }

    void crop() {
        for (const Size size : kMovedSizes)
            for (const PixelFormat format : kIntegerFormats) {
                const Image image = makeNoise(format, size, m_random());
                const cv::Rect window(int(m_random() % unsigned(size.width)),
                                      int(m_random() % unsigned(size.height)), 1, 1);
                cv::Rect all = window;
                all.width += int(m_random() % unsigned(size.width - window.x));
                all.height += int(m_random() % unsigned(size.height - window.y));
                compareSamples(imageOfMoved(matOf(image)(all), format),
                               runOn(*findOperation("crop"),
                                     {{"x", std::to_string(all.x)},
                                      {"y", std::to_string(all.y)},
                                      {"width", std::to_string(all.width)},
                                      {"height", std::to_string(all.height)}},
                                     image),
                               named("crop"));
            }
    }

    void quarterTurns() {
        const std::pair<const char*, int> turns[] = {{"90", cv::ROTATE_90_CLOCKWISE},
                                                     {"180", cv::ROTATE_180},
                                                     {"-90", cv::ROTATE_90_COUNTERCLOCKWISE}};
        for (const Size size : kMovedSizes)
            for (const PixelFormat format : kIntegerFormats)
                for (const auto& [angle, turn] : turns)
                    for (const char* method : {"nearest", "bilinear"}) {
                        const Image image = makeNoise(format, size, m_random());
                        cv::Mat theirs;
                        cv::rotate(matOf(image), theirs, turn);
                        compareSamples(
                            imageOfMoved(theirs, format),
                            runOn(*findOperation("rotate"),
                                  {{"angle", angle}, {"method", method}, {"canvas", "expand"}},
                                  image),
                            named(angle));
                    }
    }

    // Places are given to OpenCV; those that lie in the middle between two pixels are either's.
    void anyAngle() {
        for (const Size size : kMovedSizes)
            for (const PixelFormat format : kIntegerFormats)
                for (const int degrees : {3, -29, 45, 117}) {
                    const Image image = makeNoise(format, size, m_random());
                    const double angle = degrees * 3.14159265358979323846 / 180;
                    cv::Mat columns(size.height, size.width, CV_32F), rows = columns.clone();
                    cv::Mat isClear(size.height, size.width, CV_8U);
                    for (int y = 0; y < size.height; ++y)
                        for (int x = 0; x < size.width; ++x) {
                            const double u = x - (size.width - 1) / 2.0;
                            const double v = y - (size.height - 1) / 2.0;
                            const double fromX =
                                std::cos(angle) * u + std::sin(angle) * v + (size.width - 1) / 2.0;
                            const double fromY =
                                std::cos(angle) * v - std::sin(angle) * u + (size.height - 1) / 2.0;
                            columns.at<float>(y, x) = float(fromX);
                            rows.at<float>(y, x) = float(fromY);
                            const auto isMiddle = [](double at) {
                                return std::abs(at - std::floor(at) - 0.5) < 1e-3;
                            };
                            isClear.at<std::uint8_t>(y, x) = !isMiddle(fromX) && !isMiddle(fromY);
                        }
                    cv::Mat theirs;
                    cv::remap(matOf(image), theirs, columns, rows, cv::INTER_NEAREST,
                              cv::BORDER_REPLICATE);
                    const Image ours =
                        runOn(*findOperation("rotate"),
                              {{"angle", std::to_string(degrees)}, {"method", "nearest"}}, image);
                    QCOMPARE(ours.size(), size);
                    const auto pixelBytes = std::size_t(bytesPerPixel(format));
                    for (int y = 0; y < size.height; ++y)
                        for (int x = 0; x < size.width; ++x)
                            if (isClear.at<std::uint8_t>(y, x) &&
                                std::memcmp(theirs.ptr(y) + std::size_t(x) * pixelBytes,
                                            ours.rowBytes(y) + std::size_t(x) * pixelBytes,
                                            pixelBytes) != 0)
                                QFAIL(qPrintable(
                                    QString("%1 degrees, %2, %3").arg(degrees).arg(x).arg(y)));
                }
    }
};

WARPSCOPE_TEST(OpencvMovingTest)
#include "opencv_moving_test.moc"
