// Labels against OpenCV, whose way of Wu numbers components in the order of their first pixels too;
// distances against its exact ones.
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "differential/mat_of.h"
#include "engine/operations/morphology/components.h"
#include "engine/operations/morphology/distance_transform.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

class OpencvComponentsTest : public QObject {
    Q_OBJECT

  private slots:
    void labelsAndFigures() {
        for (const unsigned share : {5u, 35u, 55u, 95u})
            for (const int connectivity : {4, 8}) {
                const std::uint32_t seed = freshSeed();
                std::mt19937 random(seed);
                const Size size{int(random() % 500 + 1), int(random() % 400 + 1)};
                std::vector<double> samples;
                for (std::int64_t i = 0; i < size.pixels(); ++i)
                    samples.push_back(random() % 100 < share ? 1 + random() % 255 : 0);
                const Image image = makeImage(PixelFormat::Gray8, size, samples);
                const std::string name = "seed " + std::to_string(seed);
                cv::Mat labels, stats, centroids;
                const int count = cv::connectedComponentsWithStats(
                    matOf(image), labels, stats, centroids, connectivity, CV_32S, cv::CCL_WU);
                std::vector<double> theirs;
                for (int y = 0; y < size.height; ++y)
                    for (int x = 0; x < size.width; ++x) theirs.push_back(labels.at<int>(y, x));
                const TextParameters rule{{"connectivity", std::to_string(connectivity)}};
                compareSamples(makeImage(PixelFormat::Gray32, size, theirs),
                               runOn(connected_components_operation(), rule, image), name);

                const PlanPtr plan = planFor(components_operation(), rule, image.format(), size);
                const auto table = std::get<AnalysisTable>(
                    components_operation().analyzeCpu(*plan, image, {}).value());
                QCOMPARE(int(table.rows()), count - 1);
                const std::pair<std::size_t, int> columns[] = {{1, cv::CC_STAT_AREA},
                                                               {2, cv::CC_STAT_LEFT},
                                                               {3, cv::CC_STAT_TOP},
                                                               {4, cv::CC_STAT_WIDTH},
                                                               {5, cv::CC_STAT_HEIGHT}};
                for (int label = 1; label < count; ++label) {
                    const auto row = std::size_t(label) - 1;
                    for (const auto& [column, what] : columns)
                        QCOMPARE(std::get<std::int64_t>(table.columns[column].cells[row]),
                                 std::int64_t(stats.at<int>(label, what)));
                    for (const int axis : {0, 1})
                        QCOMPARE(std::get<double>(table.columns[6 + unsigned(axis)].cells[row]),
                                 centroids.at<double>(label, axis));
                }
            }
    }

    // Its floats hold all squares of these sizes, so that ours come back.
    void distances() {
        for (const unsigned share : {1u, 20u, 300u, 9000u}) {
            const std::uint32_t seed = freshSeed();
            std::mt19937 random(seed);
            const Size size{int(random() % 500 + 1), int(random() % 400 + 1)};
            std::vector<double> samples;
            for (std::int64_t i = 0; i < size.pixels(); ++i)
                samples.push_back(random() % 10000 < share ? 0 : 1 + random() % 255);
            samples[random() % samples.size()] = 0;
            const Image image = makeImage(PixelFormat::Gray8, size, samples);
            cv::Mat found;
            cv::distanceTransform(matOf(image), found, cv::DIST_L2, cv::DIST_MASK_PRECISE, CV_32F);
            std::vector<double> squares;
            for (int y = 0; y < size.height; ++y)
                for (int x = 0; x < size.width; ++x)
                    squares.push_back(std::round(std::pow(double(found.at<float>(y, x)), 2)));
            compareSamples(makeImage(PixelFormat::Gray32, size, squares),
                           runOn(distance_transform_operation(), {}, image),
                           "seed " + std::to_string(seed));
        }
    }
};

WARPSCOPE_TEST(OpencvComponentsTest)
#include "opencv_components_test.moc"
