#include "engine/operations/geometry/resize.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

TextParameters sizeText(Size size, const std::string& method) {
    return {{"width", std::to_string(size.width)},
            {"height", std::to_string(size.height)},
            {"method", method}};
}

double shapeAt(const std::string& method, double t) {
    const double a = std::abs(t);
    const auto wave = [](double v) {
        return v == 0 ? 1.0 : std::sin(v * std::numbers::pi) / (v * std::numbers::pi);
    };
    if (method == "area") return t > -0.5 && t <= 0.5;
    if (method == "bilinear") return std::max(0.0, 1 - a);
    if (method == "lanczos3") return a < 3 ? wave(t) * wave(t / 3) : 0;
    if (a < 1) return 1.5 * a * a * a - 2.5 * a * a + 1;
    return a < 2 ? -0.5 * a * a * a + 2.5 * a * a - 4 * a + 2 : 0;
}

// Samples of one side along `step`, real weights and no rounding.
std::vector<double> lineOf(const std::vector<double>& given, int to, const std::string& method) {
    const int n = int(given.size());
    const double s = double(n) / to, f = std::max(1.0, s);
    const double reach = method == "area"       ? 0.5
                         : method == "bilinear" ? 1
                         : method == "bicubic"  ? 2
                                                : 3;
    std::vector<double> made;
    for (int x = 0; x < to; ++x) {
        if (method == "nearest") {
            made.push_back(given[std::size_t((2 * x + 1) * n / (2 * to))]);
            continue;
        }
        const double c = (x + 0.5) * s;
        double sum = 0, weights = 0;
        for (int i = std::max(0, int(c - reach * f + 0.5));
             i < std::min(n, int(c + reach * f + 0.5)); ++i) {
            const double w = shapeAt(method, (i + 0.5 - c) / f);
            weights += w;
            sum += w * given[std::size_t(i)];
        }
        made.push_back(sum / weights);
    }
    return made;
}

double sampleAt(const Image& image, int x, int y, int c) {
    return visitSampleType(image.format(), [&]<class T>() {
        return double(image.view<T>().row(y)[x * channelCount(image.format()) + c]);
    });
}

const char* const kMethods[] = {"nearest", "bilinear", "area", "bicubic", "lanczos3"};

}  // namespace

class ResizeTest : public QObject {
    Q_OBJECT

  private slots:
    void isTheDefinition() {
        const std::uint32_t seed = warpscope::test::freshSeed();
        std::mt19937 random(seed);
        for (const PixelFormat format : kFilterFormats)
            for (const char* method : kMethods)
                for (int trial = 0; trial < 4; ++trial) {
                    const Size from{1 + int(random() % 40), 1 + int(random() % 30)};
                    const Size to{1 + int(random() % 60), 1 + int(random() % 45)};
                    const Image image = makeNoise(format, from, seed + std::uint32_t(trial));
                    const Image made = runOn(resize_operation(), sizeText(to, method), image);
                    QCOMPARE(made.size(), to);
                    const double most = fullScale(format);
                    for (int c = 0; c < channelCount(format); ++c) {
                        std::vector<std::vector<double>> rows;
                        for (int y = 0; y < from.height; ++y) {
                            std::vector<double> row;
                            for (int x = 0; x < from.width; ++x)
                                row.push_back(sampleAt(image, x, y, c));
                            row = lineOf(row, to.width, method);
                            if (!isFloat(format))
                                for (double& value : row) value = std::clamp(value, 0.0, most);
                            rows.push_back(row);
                        }
                        for (int x = 0; x < to.width; ++x) {
                            std::vector<double> column;
                            for (const auto& row : rows) column.push_back(row[std::size_t(x)]);
                            column = lineOf(column, to.height, method);
                            for (int y = 0; y < to.height; ++y) {
                                double truth = column[std::size_t(y)];
                                if (!isFloat(format)) truth = std::clamp(truth, 0.0, most);
                                const double off = std::abs(sampleAt(made, x, y, c) - truth);
                                // Rounding, and fixed point.
                                const double allowed = isFloat(format) ? 1e-6 : 0.52;
                                QVERIFY2(off <= allowed,
                                         qPrintable(QString("%1, seed %2, off by %3")
                                                        .arg(method)
                                                        .arg(seed)
                                                        .arg(off)));
                            }
                        }
                    }
                }
    }

    // Means of blocks, halves rounded up; a row of the slope between two levels.
    void knownResults() {
        const Image blocks = makeImage(PixelFormat::Gray8, {4, 2}, {1, 2, 10, 20, 2, 2, 30, 41});
        compareSamples(makeImage(PixelFormat::Gray8, {2, 1}, {2, 25}),
                       runOn(resize_operation(), sizeText({2, 1}, "area"), blocks), "area");
        const Image pair = makeImage(PixelFormat::Gray16, {2, 1}, {0, 40000});
        compareSamples(makeImage(PixelFormat::Gray16, {4, 1}, {0, 10000, 30000, 40000}),
                       runOn(resize_operation(), sizeText({4, 1}, "bilinear"), pair), "bilinear");
        compareSamples(makeImage(PixelFormat::Gray8, {3, 1}, {1, 10, 20}),
                       runOn(resize_operation(), sizeText({3, 1}, "nearest"),
                             makeImage(PixelFormat::Gray8, {4, 1}, {1, 2, 10, 20})),
                       "nearest");
    }

    void constantsStay() {
        for (const PixelFormat format : kIntegerFormats)
            for (const char* method : kMethods)
                for (const Size to : {Size{1, 1}, Size{7, 90}, Size{200, 3}}) {
                    const double level = fullScale(format) - 1;
                    compareSamples(makeConstant(format, to, level),
                                   runOn(resize_operation(), sizeText(to, method),
                                         makeConstant(format, {61, 37}, level)),
                                   method);
                }
    }

    void sidesFollow() {
        const auto sizeOf = [](const TextParameters& given) {
            return planFor(resize_operation(), given, PixelFormat::Gray8, {301, 200})->outputSize;
        };
        QCOMPARE(sizeOf({}), (Size{151, 100}));
        QCOMPARE(sizeOf({{"width", "100"}}), (Size{100, 66}));
        QCOMPARE(sizeOf({{"height", "100"}}), (Size{151, 100}));
        QCOMPARE(sizeOf({{"width", "1"}}), (Size{1, 1}));
        QCOMPARE(sizeOf({{"percent", "0.01"}}), (Size{1, 1}));
        QVERIFY(planFor(resize_operation(), {{"percent", "100"}}, PixelFormat::Gray8, {31, 9})
                    ->identity);
        QVERIFY(!resize_operation().plan(requestFor(resize_operation(), {{"percent", "10000"}},
                                                    PixelFormat::Gray8, {300000, 2})));
    }

    void bandsAndThreadsAgree() {
        for (const PixelFormat format : kFilterFormats)
            for (const char* percent : {"37", "180"}) {
                const Image image = makePhotograph(format, {401, 333});
                compareSamples(
                    runOn(resize_operation(), {{"percent", percent}}, image),
                    runOn(resize_operation(), {{"percent", percent}}, image, Threading::AllCores),
                    percent);
            }
    }

    void aReducedCopyIsScaledAlike() {
        PlanRequest request;
        request.parameters = requestFor(resize_operation(), {{"width", "300"}, {"height", "110"}},
                                        PixelFormat::Gray8, {38, 28})
                                 .parameters;
        request.size = {38, 28};
        request.place = Placement::reducedCopy(request.size, {150, 110}, 0.25);
        const PlanPtr plan = resize_operation().plan(request).value();
        QCOMPARE(plan->outputPlace.whole, (Size{300, 110}));
        QCOMPARE(plan->outputSize, (Size{75, 28}));
        QCOMPARE(plan->outputPlace.scale, 0.25);
    }
};

WARPSCOPE_TEST(ResizeTest)
#include "resize_test.moc"
