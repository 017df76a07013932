// Black and white and local equalization against OpenCV. Fixed thresholds agree to the bit; Otsu's
// parts the levels as well as theirs, whatever either rounds; adaptive thresholds differ where
// their rounded mean does, which is at most where a pixel lies within half a level of it; CLAHE
// within 1. With 16 bits it is one level more for about one sample of a million: our weights are
// whole 65536ths, which between tables that differ by all levels is worth up to half a level, and
// theirs are float.
#include <cstdlib>
#include <opencv2/imgproc.hpp>
#include <random>

#include "differential/mat_of.h"
#include "engine/operations/tone/adaptive_threshold.h"
#include "engine/operations/tone/clahe.h"
#include "engine/operations/tone/threshold.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

constexpr Size kThresholdSizes[] = {{1, 1}, {1, 57}, {61, 1}, {127, 95}, {512, 384}, {333, 201}};

// Samples that are more than a level apart.
std::int64_t farSamples(const cv::Mat& theirs, const Image& ours) {
    std::int64_t far = 0;
    for (int y = 0; y < ours.height(); ++y)
        for (int x = 0; x < ours.width(); ++x)
            far += std::abs(int(theirs.ptr<std::uint16_t>(y)[x]) -
                            int(ours.view<std::uint16_t>().row(y)[x])) > 1;
    return far;
}

template <class T>
int mostApart(const cv::Mat& theirs, const Image& ours) {
    int most = 0;
    for (int y = 0; y < ours.height(); ++y)
        for (int x = 0; x < ours.width(); ++x)
            most =
                std::max(most, std::abs(int(theirs.ptr<T>(y)[x]) - int(ours.view<T>().row(y)[x])));
    return most;
}

}  // namespace

class OpencvThresholdTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{warpscope::test::freshSeed()};

  private slots:
    void fixedIsExact() {
        for (const Size size : kThresholdSizes)
            for (const int value : {0, 1, 77, 128, 254, 255}) {
                const Image image = makePhotograph(PixelFormat::Gray8, size, m_random());
                cv::Mat theirs;
                cv::threshold(matOf(image), theirs, value, 255, cv::THRESH_BINARY);
                const Image ours =
                    runOn(threshold_operation(), {{"value", std::to_string(value)}}, image);
                QCOMPARE(mostApart<std::uint8_t>(theirs, ours), 0);
            }
    }

    void otsuIsAsGood() {
        for (int round = 0; round < 20; ++round) {
            const Image image = makePhotograph(PixelFormat::Gray8, {211, 97}, m_random());
            cv::Mat made;
            const int theirs =
                int(cv::threshold(matOf(image), made, 0, 255, cv::THRESH_BINARY | cv::THRESH_OTSU));
            LevelsBelow all, below[256];
            std::vector<std::uint64_t> counts(256);
            for (int y = 0; y < 97; ++y)
                for (int x = 0; x < 211; ++x) ++counts[image.view<std::uint8_t>().row(y)[x]];
            for (int k = 0; k < 256; ++k) {
                all.add(std::uint64_t(k), counts[std::size_t(k)]);
                below[k] = all;
            }
            const ThresholdCut ours = cutOfCounts(counts, ThresholdMethod::Otsu);
            const double best = otsuSpread(below[theirs], all);
            QVERIFY(std::abs(otsuSpread(below[ours.level], all) - best) <= 1e-9 * best);
        }
    }

    void adaptiveUpToTheRounding() {
        for (const Size size : kThresholdSizes)
            for (const int radius : {1, 5, 20}) {
                const Image image = makePhotograph(PixelFormat::Gray8, size, m_random());
                const int side = 2 * radius + 1;
                cv::Mat theirs, mean;
                cv::adaptiveThreshold(matOf(image), theirs, 255, cv::ADAPTIVE_THRESH_MEAN_C,
                                      cv::THRESH_BINARY, side, 4);
                cv::boxFilter(matOf(image), mean, CV_64F, {side, side}, {-1, -1}, true,
                              cv::BORDER_REPLICATE | cv::BORDER_ISOLATED);
                const Image ours =
                    runOn(adaptive_threshold_operation(),
                          {{"radius", std::to_string(radius)}, {"offset", "4"}}, image);
                for (int y = 0; y < size.height; ++y)
                    for (int x = 0; x < size.width; ++x) {
                        const int v = image.view<std::uint8_t>().row(y)[x];
                        if (std::abs(v + 4 - mean.at<double>(y, x)) > 0.5001)
                            QCOMPARE(int(ours.view<std::uint8_t>().row(y)[x]),
                                     int(theirs.at<std::uint8_t>(y, x)));
                    }
            }
    }

    void claheWithinOne() {
        std::int64_t far = 0, all = 0;
        for (const Size size : {Size{127, 95}, Size{512, 384}, Size{333, 201}, Size{64, 64}})
            for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Gray16})
                for (const double clip : {0.0, 0.5, 2.0, 40.0}) {
                    const int across = 1 + int(m_random() % 9), down = 1 + int(m_random() % 9);
                    const Image image = makePhotograph(format, size, m_random());
                    cv::Mat theirs;
                    cv::createCLAHE(clip, {across, down})->apply(matOf(image), theirs);
                    const Image ours = runOn(clahe_operation(),
                                             {{"tiles_x", std::to_string(across)},
                                              {"tiles_y", std::to_string(down)},
                                              {"clip", toText(ParamValue(clip))}},
                                             image);
                    if (format == PixelFormat::Gray16) {
                        far += farSamples(theirs, ours);
                        all += size.pixels();
                    }
                    const int most = format == PixelFormat::Gray8
                                         ? mostApart<std::uint8_t>(theirs, ours)
                                         : mostApart<std::uint16_t>(theirs, ours);
                    QVERIFY2(most <= (format == PixelFormat::Gray8 ? 1 : 2),
                             qPrintable(QString("%1 x %2 tiles, clip %3, %4 x %5: by %6")
                                            .arg(across)
                                            .arg(down)
                                            .arg(clip)
                                            .arg(size.width)
                                            .arg(size.height)
                                            .arg(most)));
                }
        QVERIFY2(far * 10'000 <= all,
                 qPrintable(QString("%1 of %2 samples by 2").arg(far).arg(all)));
    }
};

WARPSCOPE_TEST(OpencvThresholdTest)
#include "threshold_test.moc"
