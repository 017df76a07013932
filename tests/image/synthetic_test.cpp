#include "engine/image/synthetic.h"

#include <QTest>

#include "engine/image/statistics.h"
#include "support/test_case.h"

using namespace warpscope;

class SyntheticTest : public QObject {
    Q_OBJECT
  private slots:
    void sameBitsEverywhere() {
        // Pinned: figures and shipped results name this image by its hash.
        const Image scene = makeScene({320, 200}, true, 1, CpuContext{}).value();
        QCOMPARE(QString::number(contentHash(scene), 16), QStringLiteral("104a99593b76a637"));
    }
    void threadsDoNotMatter() {
        const Image one =
            makeScene({131, 77}, true, 3, CpuContext{Threading::Single, {}, {}}).value();
        const Image all =
            makeScene({131, 77}, true, 3, CpuContext{Threading::AllCores, {}, {}}).value();
        QVERIFY(sameSamples(one, all));
    }
    void seedsDiffer() {
        QVERIFY(!sameSamples(makeScene({64, 64}, true, 1, CpuContext{}).value(),
                             makeScene({64, 64}, true, 2, CpuContext{}).value()));
    }
    void grayIsTheLuminance() {
        const Image color = makeScene({65, 43}, true, 1, CpuContext{}).value();
        const Image gray = makeScene({65, 43}, false, 1, CpuContext{}).value();
        for (int y = 0; y < 43; ++y)
            for (int x = 0; x < 65; ++x) {
                const std::uint8_t* p = color.view<std::uint8_t>().row(y) + 4 * x;
                QCOMPARE(int(gray.view<std::uint8_t>().row(y)[x]),
                         int((19595u * p[0] + 38470u * p[1] + 7471u * p[2] + 32768u) >> 16));
                QCOMPARE(int(p[3]), 255);
            }
    }
    void exercisesTheTools() {
        const auto statistics =
            computeStatistics(makeScene({960, 640}, true, 1, CpuContext{}).value(), CpuContext{})
                .value();
        for (int c = 0; c < 3; ++c) {
            QVERIFY(statistics[std::size_t(c)].minimum <= 2);     // deep shadows
            QCOMPARE(statistics[std::size_t(c)].maximum, 255.0);  // clipped lights
            QVERIFY(statistics[std::size_t(c)].standardDeviation > 40);
        }
    }
    void smallestAndOddSizes() {
        for (const Size size : {Size{1, 1}, Size{1, 500}, Size{500, 1}, Size{37, 53}})
            QVERIFY(makeScene(size, true, 1, CpuContext{}));
        QVERIFY(!makeScene({0, 5}, true, 1, CpuContext{}));
    }
};

WARPSCOPE_TEST(SyntheticTest)
#include "synthetic_test.moc"
