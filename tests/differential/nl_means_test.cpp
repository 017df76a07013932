// nl_means against OpenCV's, which rounds distances down to a table of weights and knows no border
// but its own: alike, not equal.
#include <QtTest>
#include <cstdlib>
#include <opencv2/photo.hpp>

#include "differential/opencv_images.h"
#include "engine/operations/smoothing/nl_means.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

double meanDifference(const cv::Mat& a, const cv::Mat& b) {
    return cv::norm(a, b, cv::NORM_L1) / double(a.total());
}

}  // namespace

class NlMeansDifferentialTest : public QObject {
    Q_OBJECT

  private slots:
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

WARPSCOPE_TEST(NlMeansDifferentialTest)
#include "nl_means_test.moc"
