// The table of components.
#include "engine/operations/morphology/components.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "engine/operations/morphology/connected_components.h"
#include "engine/pipeline/pipeline.h"
#include "operations/morphology/component_images.h"
#include "support/random_seed.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

AnalysisTable analysed(const Image& image, const TextParameters& parameters,
                       Threading threading = Threading::Single) {
    const PlanPtr plan = planFor(components_operation(), parameters, image.format(), image.size());
    CpuContext context;
    context.threading = threading;
    auto found = components_operation().analyzeCpu(*plan, image, context);
    if (!found) throw std::runtime_error(found.error().message);
    return std::get<AnalysisTable>(*found);
}

// With the values of another image.
AnalysisTable measuredIn(const Image& source, const Image& image, int connectivity = 8,
                         std::size_t minArea = 1, Threading threading = Threading::Single) {
    PlanRequest request;
    request.parameters = parseStep(fmt::format("connected_components:connectivity={},min_area={}",
                                               connectivity, minArea))
                             .value()
                             .parameters;
    request.format = image.format();
    request.size = image.size();
    const auto plan = planComponents(request, source);
    if (!plan) throw std::runtime_error(plan.error().message);
    CpuContext context;
    context.threading = threading;
    auto found = components_operation().analyzeCpu(**plan, image, context);
    if (!found) throw std::runtime_error(found.error().message);
    return std::get<AnalysisTable>(*found);
}

std::string headOf(const AnalysisTable& table, const std::string& id) {
    for (const TableColumn& column : table.columns)
        if (column.id == id) return column.label + ", " + column.unit;
    throw std::runtime_error("no column " + id);
}

double cellOf(const AnalysisTable& table, const std::string& id, std::size_t row) {
    for (const TableColumn& column : table.columns)
        if (column.id == id) {
            const TableCell& cell = column.cells.at(row);
            const auto* whole = std::get_if<std::int64_t>(&cell);
            return whole ? double(*whole) : std::get<double>(cell);
        }
    throw std::runtime_error("no column " + id);
}

}  // namespace

class ComponentsTest : public QObject {
    Q_OBJECT

  private slots:
    void tableEqualsTruth_data() {
        addFilterFormats();
        QTest::newRow("labels") << PixelFormat::Gray32;
    }
    void tableEqualsTruth() {
        QFETCH(PixelFormat, format);
        for (const Size size : {Size{1, 1}, Size{1, 90}, Size{91, 1}, Size{131, 213}})
            for (const double share : {0.2, 0.5, 0.9})
                for (const int connectivity : {4, 8}) {
                    const std::uint32_t seed = freshSeed();
                    const Image image = speckle(format, size, share, seed);
                    const std::size_t minArea = 1 + seed % 4;
                    const AnalysisTable table =
                        analysed(image, componentRule(connectivity, minArea));
                    QVERIFY(table == analysed(image, componentRule(connectivity, minArea),
                                              Threading::AllCores) ||
                            isFloat(format));
                    compareTable(lumaOf(image), size, labelsOf(image, connectivity, minArea), table,
                                 "seed " + std::to_string(seed));
                    if (QTest::currentTestFailed()) return;
                }
    }

    // Found in a black and white image, as a threshold makes it, and measured in another of the
    // same size, whatever its format.
    void valuesOfTheSource_data() {
        addFilterFormats();
        QTest::newRow("labels") << PixelFormat::Gray32;
    }
    void valuesOfTheSource() {
        QFETCH(PixelFormat, format);
        for (const Size size : {Size{1, 1}, Size{91, 1}, Size{131, 213}})
            for (const int connectivity : {4, 8}) {
                const std::uint32_t seed = freshSeed();
                const std::size_t minArea = 1 + seed % 4;
                const Image source = speckle(format, size, 0.7, seed);
                std::vector<double> mask = lumaOf(speckle(PixelFormat::Gray8, size, 0.5, seed + 1));
                for (double& value : mask) value = value == 0 ? 0 : 255;
                const Image image = makeImage(PixelFormat::Gray8, size, mask);
                const AnalysisTable table = measuredIn(source, image, connectivity, minArea);
                QVERIFY(table ==
                            measuredIn(source, image, connectivity, minArea, Threading::AllCores) ||
                        isFloat(format));
                compareTable(lumaOf(source), size, labelsOf(image, connectivity, minArea), table,
                             "seed " + std::to_string(seed));
                if (QTest::currentTestFailed()) return;
                QCOMPARE(headOf(table, "mean"),
                         std::string(bytesPerSample(format) <= 2 ? "Source mean, grey levels"
                                                                 : "Source mean, "));
            }
    }

    // What does not lie beneath is not measured, and the table says so.
    void anotherSizeOrSumsAreNoSource() {
        const Image image = speckle(PixelFormat::Gray8, {40, 30}, 0.4, freshSeed());
        const AnalysisTable own = analysed(image, {});
        QCOMPARE(headOf(own, "mean"), std::string("Mean, grey levels"));
        QVERIFY(measuredIn({}, image) == own);
        QVERIFY(measuredIn(speckle(PixelFormat::Gray8, {30, 40}, 0.4, freshSeed()), image) == own);
        QVERIFY(measuredIn(makeConstant(PixelFormat::Gray64, {40, 30}, 7), image) == own);
        QCOMPARE(headOf(measuredIn(image, image), "minimum"),
                 std::string("Source minimum, grey levels"));
    }

    // The labels that the operation paints are those of the table.
    void tableOfLabelsHasTheSameRows() {
        const Image image = speckle(PixelFormat::Gray8, {90, 70}, 0.4, freshSeed());
        const AnalysisTable direct = analysed(image, componentRule(8, 3));
        const AnalysisTable labels =
            analysed(runOn(connected_components_operation(), componentRule(8, 3), image), {});
        QCOMPARE(direct.rows(), labels.rows());
        for (std::size_t row = 0; row < direct.rows(); ++row) {
            for (const char* id : {"label", "area", "x", "y", "centroid_x", "centroid_y"})
                QCOMPARE(cellOf(direct, id, row), cellOf(labels, id, row));
            QCOMPARE(cellOf(labels, "minimum", row), double(row + 1));
            QCOMPARE(cellOf(labels, "mean", row), double(row + 1));
        }
    }

    // Which one is at a pixel, beside the image too.
    void labelsAtPixels() {
        for (const Size size : {Size{1, 1}, Size{67, 1}, Size{93, 150}})
            for (const int connectivity : {4, 8}) {
                const Image image = speckle(PixelFormat::Gray16, size, 0.5, freshSeed());
                const PlanPtr plan = planFor(components_operation(), componentRule(connectivity, 2),
                                             image.format(), image.size());
                const auto found =
                    componentsCpu(static_cast<const ComponentsPlan&>(*plan), image, {});
                QVERIFY(found.has_value());
                const std::vector<double> labels = labelsOf(image, connectivity, 2);
                for (int y = -1; y <= size.height; ++y)
                    for (int x = -1; x <= size.width; ++x) {
                        const bool inside = x >= 0 && y >= 0 && x < size.width && y < size.height;
                        const std::size_t at = std::size_t(y) * unsigned(size.width) + unsigned(x);
                        QCOMPARE(double(found->labelAt(x, y)), inside ? labels[at] : 0.0);
                    }
            }
    }

    void tooManyAreRefused() {
        std::vector<double> dots;
        const Size size{1300, 700};
        for (int y = 0; y < size.height; ++y)
            for (int x = 0; x < size.width; ++x) dots.push_back(x % 2 == 0 && y % 2 == 0);
        const Image image = makeImage(PixelFormat::Gray8, size, dots);
        const PlanPtr plan = planFor(components_operation(), {}, image.format(), size);
        const auto found = components_operation().analyzeCpu(*plan, image, {});
        QVERIFY(!found);
        QCOMPARE(found.error().code, ErrorCode::LimitExceeded);
        QVERIFY(found.error().message.find("227500") != std::string::npos);
        QCOMPARE(analysed(image, componentRule(8, 2)).rows(), std::size_t(0));
        QCOMPARE(analysed(image, componentRule(8, 2)).columns.size(), std::size_t(11));
    }

    // Joined by the last row alone.
    void aCombIsOne() {
        std::vector<double> teeth;
        for (int y = 0; y < 700; ++y)
            for (int x = 0; x < 101; ++x) teeth.push_back(x % 2 == 0 || y == 699 ? 1 : 0);
        const Image comb = makeImage(PixelFormat::Gray8, {101, 700}, teeth);
        for (const Threading threading : {Threading::Single, Threading::AllCores}) {
            const AnalysisTable table = analysed(comb, {}, threading);
            QCOMPARE(table.rows(), std::size_t(1));
            QCOMPARE(cellOf(table, "area", 0), 51.0 * 699 + 101);
        }
    }

  private:
    static void compareTable(const std::vector<double>& values, Size size,
                             const std::vector<double>& labels, const AnalysisTable& table,
                             const std::string& name) {
        struct Truth {
            double area = 0, x = 1e9, y = 1e9, right = -1, bottom = -1, columns = 0, rows = 0;
            double low = std::numeric_limits<double>::infinity(), high = -low, sum = 0, finite = 0;
            double largest = 0;
        };
        std::map<double, Truth> truths;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            if (labels[i] == 0) continue;
            Truth& truth = truths[labels[i]];
            const auto x = double(i % unsigned(size.width));
            const auto y = double(i / unsigned(size.width));
            truth.area += 1;
            truth.x = std::min(truth.x, x);
            truth.y = std::min(truth.y, y);
            truth.right = std::max(truth.right, x);
            truth.bottom = std::max(truth.bottom, y);
            truth.columns += x;
            truth.rows += y;
            if (!std::isfinite(values[i])) continue;
            truth.low = std::min(truth.low, values[i]);
            truth.high = std::max(truth.high, values[i]);
            truth.sum += values[i];
            truth.finite += 1;
            truth.largest = std::max(truth.largest, std::abs(values[i]));
        }
        QVERIFY2(table.rows() == truths.size(), name.c_str());
        for (const auto& [label, truth] : truths) {
            const auto row = std::size_t(label) - 1;
            const auto is = [&](const char* id, double expected) {
                const double found = cellOf(table, id, row);
                if (std::isnan(expected) ? std::isnan(found) : found == expected) return;
                QFAIL((name + ", " + id + " of " + std::to_string(label) + ": " +
                       std::to_string(found) + " for " + std::to_string(expected))
                          .c_str());
            };
            is("label", label);
            is("area", truth.area);
            is("x", truth.x);
            is("y", truth.y);
            is("width", truth.right - truth.x + 1);
            is("height", truth.bottom - truth.y + 1);
            is("centroid_x", truth.columns / truth.area);
            is("centroid_y", truth.rows / truth.area);
            const double none = std::numeric_limits<double>::quiet_NaN();
            is("minimum", truth.finite > 0 ? truth.low : none);
            is("maximum", truth.finite > 0 ? truth.high : none);
            const double mean = cellOf(table, "mean", row);
            if (truth.finite == 0)
                QVERIFY2(std::isnan(mean), name.c_str());
            else
                QVERIFY2(std::abs(mean - truth.sum / truth.finite) <= 1e-12 * truth.largest,
                         name.c_str());
        }
    }
};

WARPSCOPE_TEST(ComponentsTest)
#include "components_test.moc"
