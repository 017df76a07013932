#include "engine/image/statistics.h"
#include "support/test_case.h"

#include <QTest>
#include <cmath>
#include <limits>
#include <random>

using namespace warpscope;

class StatisticsTest : public QObject {
    Q_OBJECT
  private slots:
    void agreesWithTheFormula() {
        std::mt19937 random(5);
        MutableImage made = MutableImage::create(PixelFormat::Rgba16, {201, 333}).value();
        const auto view = made.view<std::uint16_t>();
        std::vector<long double> sum(4), squares(4);
        for (int y = 0; y < view.height; ++y)
            for (int i = 0; i < view.samplesPerRow(); ++i) {
                const auto v = std::uint16_t(random() % (1000 * unsigned(i % 4 + 1)));
                view.row(y)[i] = v;
                sum[std::size_t(i % 4)] += v;
                squares[std::size_t(i % 4)] += (long double)(v)*v;
            }
        const Image image = std::move(made).freeze({});
        const auto result = computeStatistics(image, CpuContext{}).value();
        QCOMPARE(result.size(), std::size_t(4));
        for (std::size_t c = 0; c < 4; ++c) {
            const long double n = 201.0L * 333.0L, mean = sum[c] / n;
            QCOMPARE(result[c].count, std::uint64_t(201 * 333));
            QVERIFY(std::abs(result[c].mean - double(mean)) < 1e-9);
            QVERIFY(std::abs(result[c].standardDeviation -
                             double(std::sqrt(squares[c] / n - mean * mean))) < 1e-6);
            QCOMPARE(result[c].minimum, 0.0);
        }
    }
    void threadsDoNotMatter() {
        std::mt19937 random(6);
        MutableImage made = MutableImage::create(PixelFormat::GrayF32, {100, 1000}).value();
        for (int y = 0; y < 1000; ++y)
            for (int x = 0; x < 100; ++x) made.view<float>().row(y)[x] = float(random()) * 1e-9f;
        const Image image = std::move(made).freeze({});
        const auto one = computeStatistics(image, CpuContext{Threading::Single, {}, {}}).value();
        const auto all = computeStatistics(image, CpuContext{Threading::AllCores, {}, {}}).value();
        QCOMPARE(one[0].mean, all[0].mean);
        QCOMPARE(one[0].standardDeviation, all[0].standardDeviation);
    }
    void notFiniteIsCountedApart() {
        MutableImage made = MutableImage::create(PixelFormat::GrayF32, {4, 1}).value();
        float* row = made.view<float>().row(0);
        row[0] = std::numeric_limits<float>::quiet_NaN();
        row[1] = -std::numeric_limits<float>::infinity();
        row[2] = 2.0f;
        row[3] = -4.0f;
        const auto result = computeStatistics(std::move(made).freeze({}), CpuContext{}).value();
        QCOMPARE(result[0].notFinite, std::uint64_t(2));
        QCOMPARE(result[0].count, std::uint64_t(2));
        QCOMPARE(result[0].minimum, -4.0);
        QCOMPARE(result[0].maximum, 2.0);
        QCOMPARE(result[0].mean, -1.0);
        QCOMPARE(result[0].standardDeviation, 3.0);
    }
    void onlyNan() {
        MutableImage made = MutableImage::create(PixelFormat::GrayF32, {1, 1}).value();
        made.view<float>().row(0)[0] = std::numeric_limits<float>::quiet_NaN();
        const auto result = computeStatistics(std::move(made).freeze({}), CpuContext{}).value();
        QCOMPARE(result[0].count, std::uint64_t(0));
        QCOMPARE(result[0].minimum, 0.0);
    }
};

WARPSCOPE_TEST(StatisticsTest)
#include "statistics_test.moc"
