#include "engine/operations/tone/curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

using Real = long double;

// The definition once more: Hermite's basis instead of what bends away from the line.
class Truth {
  public:
    Truth(PointList points, bool monotone) : m_points(std::move(points)), m_monotone(monotone) {
        const std::size_t n = m_points.size();
        std::vector<Real> d;
        for (std::size_t k = 0; k + 1 < n; ++k)
            d.push_back((Real(m_points[k + 1].y) - m_points[k].y) /
                        (Real(m_points[k + 1].x) - m_points[k].x));
        m_slopes.assign(n, 0);
        m_slopes[0] = d[0];
        m_slopes[n - 1] = d[n - 2];
        for (std::size_t k = 1; k + 1 < n; ++k)
            if (d[k - 1] * d[k] > 0) m_slopes[k] = (d[k - 1] + d[k]) / 2;
        for (std::size_t k = 0; k + 1 < n; ++k) {
            if (d[k] == 0) {
                m_slopes[k] = m_slopes[k + 1] = 0;
                continue;
            }
            const Real a = m_slopes[k] / d[k], b = m_slopes[k + 1] / d[k];
            const Real squares = a * a + b * b;
            if (squares <= 9) continue;
            m_slopes[k] = 3 * a * d[k] / std::sqrt(squares);
            m_slopes[k + 1] = 3 * b * d[k] / std::sqrt(squares);
        }
    }

    // Levels of 8 bits on both axes.
    Real at(Real x) const {
        if (x <= m_points.front().x) return m_points.front().y;
        if (x >= m_points.back().x) return m_points.back().y;
        std::size_t k = 0;
        while (x >= m_points[k + 1].x) ++k;
        const CurvePoint &p = m_points[k], &q = m_points[k + 1];
        const Real h = Real(q.x) - p.x, t = (x - p.x) / h;
        if (!m_monotone) return p.y + (Real(q.y) - p.y) * t;
        const Real s = 1 - t;
        return p.y * (1 + 2 * t) * s * s + m_slopes[k] * h * t * s * s + q.y * t * t * (3 - 2 * t) -
               m_slopes[k + 1] * h * t * t * s;
    }

  private:
    PointList m_points;
    bool m_monotone;
    std::vector<Real> m_slopes;
};

TextParameters curve(const PointList& points, bool monotone) {
    return {{"points", toText(ParamValue(points))},
            {"interpolation", monotone ? "monotone" : "linear"}};
}
TextParameters curve(const char* points, const char* interpolation = "monotone") {
    return {{"points", points}, {"interpolation", interpolation}};
}

std::shared_ptr<const CurvesPlan> planOf(const TextParameters& parameters, PixelFormat format) {
    return std::dynamic_pointer_cast<const CurvesPlan>(
        planFor(curves_operation(), parameters, format, {8, 8}));
}

std::vector<double> tableOf(const TextParameters& parameters, PixelFormat format) {
    const auto plan = planOf(parameters, format);
    if (bytesPerSample(format) == 1) return {plan->table.begin(), plan->table.end()};
    return {plan->table16.begin(), plan->table16.end()};
}

}  // namespace

class CurvesTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{warpscope::test::freshSeed()};

    // Whole levels and others; rising, or as they come.
    PointList anyPoints(bool rising) {
        const bool whole = m_random() % 2;
        const auto number = [&] {
            return whole ? double(m_random() % 256) : double(m_random() % 255'001) / 1000;
        };
        const std::size_t count = 2 + m_random() % 15;
        std::vector<double> x, y;
        while (x.size() < count) {
            x.push_back(number());
            std::sort(x.begin(), x.end());
            x.erase(std::unique(x.begin(), x.end()), x.end());
        }
        for (std::size_t i = 0; i < count; ++i) y.push_back(number());
        if (rising) std::sort(y.begin(), y.end());
        PointList points;
        for (std::size_t i = 0; i < count; ++i) points.push_back({x[i], y[i]});
        return points;
    }

  private slots:
    void tablesEqualTruth() {
        for (int round = 0; round < 60; ++round) {
            if (leftOut()) continue;
            const bool monotone = round % 2;
            const PointList points = anyPoints(round % 3 == 0);
            const Truth truth(points, monotone);
            for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Gray16}) {
                const std::vector<double> table = tableOf(curve(points, monotone), format);
                const Real white = fullScale(format), unit = white / 255;
                QCOMPARE(Real(table.size()), white + 1);
                for (std::size_t v = 0; v < table.size(); ++v) {
                    const Real exact = std::clamp(truth.at(Real(v) / unit) * unit, Real(0), white);
                    // Halves are rounded up, but for what double cannot tell from a half.
                    const Real off = Real(table[v]) - exact;
                    QVERIFY2(off <= 0.5L + 1e-9L && off >= -0.5L - 1e-9L,
                             qPrintable(QString("level %1 of %2: %3, not %4")
                                            .arg(v)
                                            .arg(toText(ParamValue(points)).c_str())
                                            .arg(table[v])
                                            .arg(double(exact))));
                }
            }
        }
    }

    void imagesGoThroughTheTable_data() {
        QTest::addColumn<PixelFormat>("format");
        for (const PixelFormat format : kIntegerFormats)
            QTest::newRow(std::string(formatName(format)).c_str()) << format;
    }
    void imagesGoThroughTheTable() {
        QFETCH(PixelFormat, format);
        const TextParameters parameters = curve(anyPoints(false), true);
        const std::vector<double> table = tableOf(parameters, format);
        for (const NamedImage& named : awkwardImages(format)) {
            std::vector<double> samples;
            visitSampleType(format, [&]<class T>() {
                const auto in = named.image.view<T>();
                for (int y = 0; y < in.height; ++y)
                    for (int i = 0; i < in.samplesPerRow(); ++i)
                        samples.push_back(in.channels == 4 && i % 4 == 3
                                              ? double(in.row(y)[i])
                                              : table[std::size_t(in.row(y)[i])]);
            });
            const Image truth = makeImage(format, named.image.size(), samples);
            forEachVectorTarget([&](const std::string& target) {
                for (const Threading threading : {Threading::Single, Threading::AllCores})
                    compareSamples(truth,
                                   runOn(curves_operation(), parameters, named.image, threading),
                                   named.name + " " + target);
            });
        }
    }

    // Rising points give a rising table that stays between them.
    void monotonePointsGiveAMonotoneTable() {
        for (int round = 0; round < 50; ++round) {
            const PointList points = anyPoints(true);
            for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Gray16}) {
                const std::vector<double> table = tableOf(curve(points, true), format);
                const std::string text = toText(ParamValue(points));
                QVERIFY2(std::is_sorted(table.begin(), table.end()), text.c_str());
                const double unit = fullScale(format) / 255;
                const auto rounded = [&](double y) { return std::floor(y * unit + 0.5); };
                QCOMPARE(table.front(), rounded(points.front().y));
                QCOMPARE(table.back(), rounded(points.back().y));
                for (std::size_t k = 0; k + 1 < points.size(); ++k)
                    for (auto v = std::size_t(std::ceil(points[k].x * unit));
                         double(v) <= points[k + 1].x * unit; ++v)
                        QVERIFY2(table[v] >= rounded(points[k].y) &&
                                     table[v] <= rounded(points[k + 1].y),
                                 text.c_str());
            }
        }
    }

    void exactAtWholePoints() {
        for (int round = 0; round < 50; ++round) {
            PointList points = anyPoints(false);
            for (CurvePoint& point : points) point = {std::floor(point.x), std::floor(point.y)};
            points.erase(
                std::unique(points.begin(), points.end(),
                            [](const CurvePoint& a, const CurvePoint& b) { return a.x == b.x; }),
                points.end());
            if (points.size() < 2) continue;
            for (const bool monotone : {false, true}) {
                const TextParameters parameters = curve(points, monotone);
                const std::vector<double> table = tableOf(parameters, PixelFormat::Gray8);
                const std::vector<double> deep = tableOf(parameters, PixelFormat::Gray16);
                for (const CurvePoint& point : points) {
                    QCOMPARE(table[std::size_t(point.x)], point.y);
                    QCOMPARE(deep[std::size_t(257 * point.x)], 257 * point.y);
                }
            }
        }
    }

    // By hand.
    void values() {
        auto table = tableOf(curve("0:0;128:140;255:255", "linear"), PixelFormat::Gray8);
        QCOMPARE(table[0], 0.0);
        QCOMPARE(table[64], 70.0);
        QCOMPARE(table[128], 140.0);
        // 140 + 115 / 127
        QCOMPARE(table[129], 141.0);
        QCOMPARE(table[255], 255.0);
        // Constant outside the points; half way up from 10 to 201 is 105.5.
        table = tableOf(curve("64:10;192:201", "linear"), PixelFormat::Gray8);
        QCOMPARE(table[0], 10.0);
        QCOMPARE(table[63], 10.0);
        QCOMPARE(table[128], 106.0);
        QCOMPARE(table[193], 201.0);
        QCOMPARE(table[255], 201.0);
        // Slopes 1, 0, 0: 100 (3/4 - 2/8) + 100 (1/2) (1/4) = 62.5 in the middle, then flat.
        table = tableOf(curve("0:0;100:100;255:100"), PixelFormat::Gray8);
        QCOMPARE(table[50], 63.0);
        QCOMPARE(table[180], 100.0);
        // Falling, upside down.
        table = tableOf(curve("0:255;255:0"), PixelFormat::Gray16);
        QCOMPARE(table[0], 65535.0);
        QCOMPARE(table[1], 65534.0);
        QCOMPARE(table[65535], 0.0);
    }

    void floatsEqualTruth() {
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        for (int round = 0; round < 60; ++round) {
            const bool monotone = round % 2;
            const PointList points = anyPoints(round % 3 == 0);
            const Truth truth(points, monotone);
            const PixelFormat format = round % 4 < 2 ? PixelFormat::GrayF32 : PixelFormat::RgbaF32;
            const Image image = makeWild(format, {61, 17}, m_random());
            const Image result = runOn(curves_operation(), curve(points, monotone), image,
                                       round % 5 ? Threading::Single : Threading::AllCores);
            const auto in = image.view<float>(), out = result.view<float>();
            for (int y = 0; y < in.height; ++y)
                for (int i = 0; i < in.samplesPerRow(); ++i) {
                    const float v = in.row(y)[i], got = out.row(y)[i];
                    if (std::isnan(v) || (in.channels == 4 && i % 4 == 3)) {
                        QVERIFY(got == v || (std::isnan(got) && std::isnan(v)));
                        continue;
                    }
                    const Real exact = truth.at(255 * Real(v)) / 255;
                    const auto near = float(exact);
                    QVERIFY2(got >= std::nextafter(near, -kInfinity) &&
                                 got <= std::nextafter(near, kInfinity),
                             qPrintable(QString("%1 of %2: %3, not %4")
                                            .arg(double(v))
                                            .arg(toText(ParamValue(points)).c_str())
                                            .arg(double(got))
                                            .arg(double(exact))));
                }
        }
    }

    void beyondThePointsFloatsAreConstant() {
        const double inf = std::numeric_limits<double>::infinity();
        const Image image = makeImage(PixelFormat::GrayF32, {6, 1}, {-inf, -1, 0, 1, 2, inf});
        compareSamples(makeImage(PixelFormat::GrayF32, {6, 1}, {1, 1, 1, 0, 0, 0}),
                       runOn(curves_operation(), curve("0:255;255:0"), image), "turned round");
    }

    void identities() {
        for (const PixelFormat format : kFilterFormats) {
            QVERIFY(planOf({}, format)->identity);
            QVERIFY(planOf(curve("0:0;255:255", "linear"), format)->identity);
            // A curve of samples ends at its points, and these are others.
            QCOMPARE(planOf(curve("0:0;80:80;255:255"), format)->identity, !isFloat(format));
            QVERIFY(!planOf(curve("0:0;254:255"), format)->identity);
        }
        // Levels that are off by less than half a step.
        QVERIFY(planOf(curve("0:0.4;255:255"), PixelFormat::Gray8)->identity);
        QVERIFY(!planOf(curve("0:0.4;255:255"), PixelFormat::Gray16)->identity);
    }

    void curveOfTheHistogram() {
        for (const PixelFormat format : kFilterFormats) {
            const auto plan = planOf(curve("0:255;255:0"), format);
            QVERIFY(plan->fillsRange);
            const auto curves = curves_operation().toneCurves(*plan);
            QCOMPARE(curves.size(), std::size_t(1));
            QCOMPARE(curves[0].channel, HistogramChannel::Luma);
            QCOMPARE(curves[0].outputs.size(),
                     std::size_t(bytesPerSample(format) == 2 ? 65536 : 256));
            QCOMPARE(curves[0].outputs.front(), 1.0);
            QCOMPARE(curves[0].outputs.back(), 0.0);
        }
    }

    void refusesOtherPoints() {
        std::string many = "0:0";
        for (int i = 1; i < 17; ++i) many += ";" + std::to_string(i) + ":0";
        for (const std::string& points :
             {std::string("5:5"), std::string("5:5;5:6"), std::string("6:5;5:6"),
              std::string("0:0;256:1"), std::string("0:-1;9:9"), many})
            QVERIFY_THROWS_EXCEPTION(
                std::runtime_error,
                planFor(curves_operation(), curve(points.c_str()), PixelFormat::Gray8, {1, 1}));
    }
};

WARPSCOPE_TEST(CurvesTest)
#include "curves_test.moc"
