#include "engine/operations/morphology/connected_components.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "engine/operations/morphology/components.h"
#include "operations/edges/luma_truth.h"
#include "support/random_seed.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// Values of an image's luma, row by row; labels are their own.
std::vector<double> lumaOf(const Image& image) {
    std::vector<double> values;
    visitSampleType(image.format(), [&]<class T>() {
        const auto view = image.view<T>();
        for (int y = 0; y < view.height; ++y)
            for (int x = 0; x < view.width; ++x)
                if constexpr (std::is_same_v<T, std::uint32_t>)
                    values.push_back(double(view.row(y)[x]));
                else if constexpr (sizeof(T) <= 4)
                    values.push_back(double(lumaTruth(view, x, y)));
    });
    return values;
}

// The definition: from every pixel that has no label yet, in raster order, over all that touch.
std::vector<double> labelsOf(const Image& image, int connectivity, std::size_t minArea) {
    const std::vector<double> values = lumaOf(image);
    const int width = image.width(), height = image.height();
    std::vector<double> labels(values.size(), 0.0);
    std::vector<bool> seen(values.size());
    double count = 0;
    for (std::size_t start = 0; start < values.size(); ++start) {
        if (seen[start] || values[start] == 0) continue;
        std::vector<std::size_t> members{start};
        seen[start] = true;
        for (std::size_t k = 0; k < members.size(); ++k) {
            const int x = int(members[k]) % width, y = int(members[k]) / width;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    if (connectivity == 4 && dx != 0 && dy != 0) continue;
                    const int i = x + dx, j = y + dy;
                    if (i < 0 || j < 0 || i >= width || j >= height) continue;
                    const std::size_t next = std::size_t(j) * unsigned(width) + unsigned(i);
                    if (seen[next] || values[next] == 0) continue;
                    seen[next] = true;
                    members.push_back(next);
                }
        }
        if (members.size() < minArea) continue;
        ++count;
        for (const std::size_t member : members) labels[member] = count;
    }
    return labels;
}

TextParameters rule(int connectivity, std::size_t minArea) {
    return {{"connectivity", std::to_string(connectivity)}, {"min_area", std::to_string(minArea)}};
}

// About `share` of all pixels are not zero: of colour images all channels of the others are zero,
// and of float some are NaN, infinite, negative or the smallest that there is.
Image speckle(PixelFormat format, Size size, double share, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<double> samples;
    const int channels = channelCount(format);
    for (std::int64_t i = 0; i < size.pixels(); ++i) {
        const bool set = double(random() % 10000) < share * 10000;
        for (int c = 0; c < channels; ++c) {
            double value = set ? 1 + random() % unsigned(format == PixelFormat::Gray8 ||
                                                                 format == PixelFormat::Rgba8
                                                             ? 255
                                                             : 65535)
                               : 0;
            if (isFloat(format)) {
                value /= 65535;
                const unsigned kind = random() % 20;
                if (set && kind == 0) value = std::numeric_limits<double>::quiet_NaN();
                if (set && kind == 1) value = -value;
                if (set && kind == 2) value = std::numeric_limits<double>::infinity();
                if (set && kind == 3 && channels == 1)
                    value = double(std::numeric_limits<float>::denorm_min());
                if (!set && kind < 10) value = -0.0;
            }
            samples.push_back(c == 3 ? double(random() % 2) : value);
        }
    }
    return makeImage(format, size, samples);
}

// One line that winds from the corner through every other column, and one between its turns.
Image spirals(Size size) {
    std::vector<double> samples(std::size_t(size.pixels()), 0.0);
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
            const int ring = std::min({x, y, size.width - 1 - x, size.height - 1 - y});
            // Rings, each opened to the next one by a pixel.
            const bool opening = x == ring && y == ring + 1 && ring % 2 == 1;
            samples[std::size_t(y) * unsigned(size.width) + unsigned(x)] =
                ring % 2 == 0 || opening ? 200 : 0;
        }
    return makeImage(PixelFormat::Gray8, size, samples);
}

Image truthOf(const Image& image, int connectivity, std::size_t minArea) {
    return makeImage(PixelFormat::Gray32, image.size(), labelsOf(image, connectivity, minArea));
}

void compareAll(const Image& image, const std::string& name) {
    for (const int connectivity : {4, 8})
        for (const std::size_t minArea : {1, 2, 5, 40}) {
            const Image truth = truthOf(image, connectivity, minArea);
            for (const Threading threading : {Threading::Single, Threading::AllCores})
                compareSamples(
                    truth,
                    runOn(connected_components_operation(), rule(connectivity, minArea), image,
                          threading),
                    name + ", " + std::to_string(connectivity) + ", " + std::to_string(minArea));
        }
}

AnalysisTable analysed(const Image& image, const TextParameters& parameters,
                       Threading threading = Threading::Single) {
    const PlanPtr plan = planFor(components_operation(), parameters, image.format(), image.size());
    CpuContext context;
    context.threading = threading;
    auto found = components_operation().analyzeCpu(*plan, image, context);
    if (!found) throw std::runtime_error(found.error().message);
    return std::get<AnalysisTable>(*found);
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

class ConnectedComponentsTest : public QObject {
    Q_OBJECT

  private slots:
    void equalsTruth_data() { addFilterFormats(); }
    void equalsTruth() {
        QFETCH(PixelFormat, format);
        for (const auto& [connectivity, minArea] : {std::pair{8, 1}, std::pair{4, 3}})
            compareWithTruth(connected_components_operation(),
                             rule(connectivity, std::size_t(minArea)), format,
                             [&](const Image& image) {
                                 return truthOf(image, connectivity, std::size_t(minArea));
                             });
    }

    void speckles_data() { addFilterFormats(); }
    void speckles() {
        QFETCH(PixelFormat, format);
        for (const double share : {0.02, 0.3, 0.5, 0.6, 0.98})
            for (const Size size : {Size{1, 1}, Size{1, 300}, Size{301, 1}, Size{64, 64},
                                    Size{129, 257}, Size{63, 5}}) {
                const std::uint32_t seed = freshSeed();
                compareAll(misaligned(speckle(format, size, share, seed)),
                           std::to_string(share) + ", " + std::to_string(size.width) + " x " +
                               std::to_string(size.height) + ", seed " + std::to_string(seed));
            }
    }

    // Components that cross every seam between bands, there and back.
    void spiralsAndCombs() {
        for (const Size size : {Size{301, 299}, Size{130, 514}, Size{67, 1025}})
            compareAll(spirals(size), "rings");
        std::vector<double> teeth;
        for (int y = 0; y < 700; ++y)
            for (int x = 0; x < 101; ++x) teeth.push_back(x % 2 == 0 || y == 699 ? 1 : 0);
        const Image comb = makeImage(PixelFormat::Gray8, {101, 700}, teeth);
        compareAll(comb, "comb");
        QCOMPARE(analysed(comb, {}).rows(), std::size_t(1));
    }

    // Numbers come after small ones are left out, and a threshold on area is exact.
    void smallOnesAreLeftOut() {
        const Image image = makeImage(PixelFormat::Gray8, {7, 2},
                                      {9, 0, 9, 9, 0, 9, 9,  //
                                       0, 0, 9, 0, 0, 0, 0});
        const auto run = [&](std::size_t minArea) {
            return runOn(connected_components_operation(), rule(8, minArea), image);
        };
        compareSamples(
            makeImage(PixelFormat::Gray32, {7, 2}, {1, 0, 2, 2, 0, 3, 3, 0, 0, 2, 0, 0, 0, 0}),
            run(1), "all");
        compareSamples(
            makeImage(PixelFormat::Gray32, {7, 2}, {0, 0, 1, 1, 0, 2, 2, 0, 0, 1, 0, 0, 0, 0}),
            run(2), "from 2 on");
        compareSamples(
            makeImage(PixelFormat::Gray32, {7, 2}, {0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}),
            run(3), "from 3 on");
        compareSamples(makeConstant(PixelFormat::Gray32, {7, 2}, 0), run(4), "none");
    }

    // A reduced copy has fewer pixels for the same area.
    void areaFollowsTheScale() {
        PlanRequest request = requestFor(connected_components_operation(), rule(8, 100),
                                         PixelFormat::Gray8, {50, 40});
        const auto areaOf = [&] {
            const PlanPtr plan = connected_components_operation().plan(request).value();
            return static_cast<const ConnectedComponentsPlan&>(*plan).rule.minArea;
        };
        QCOMPARE(areaOf(), std::uint64_t(100));
        request.place = Placement::reducedCopy({50, 40}, {200, 160}, 0.25);
        QCOMPARE(areaOf(), std::uint64_t(6));
        request.place = Placement::reducedCopy({50, 40}, {3200, 2560}, 1 / 64.0);
        QCOMPARE(areaOf(), std::uint64_t(1));
    }

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
                    const AnalysisTable table = analysed(image, rule(connectivity, minArea));
                    QVERIFY(table ==
                                analysed(image, rule(connectivity, minArea), Threading::AllCores) ||
                            isFloat(format));
                    compareTable(image, labelsOf(image, connectivity, minArea), table,
                                 "seed " + std::to_string(seed));
                    if (QTest::currentTestFailed()) return;
                }
    }

    // The labels that the operation paints are those of the table.
    void tableOfLabelsHasTheSameRows() {
        const Image image = speckle(PixelFormat::Gray8, {90, 70}, 0.4, freshSeed());
        const AnalysisTable direct = analysed(image, rule(8, 3));
        const AnalysisTable labels =
            analysed(runOn(connected_components_operation(), rule(8, 3), image), {});
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
                const PlanPtr plan = planFor(components_operation(), rule(connectivity, 2),
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
        QCOMPARE(analysed(image, rule(8, 2)).rows(), std::size_t(0));
        QCOMPARE(analysed(image, rule(8, 2)).columns.size(), std::size_t(11));
    }

  private:
    static void compareTable(const Image& image, const std::vector<double>& labels,
                             const AnalysisTable& table, const std::string& name) {
        struct Truth {
            double area = 0, x = 1e9, y = 1e9, right = -1, bottom = -1, columns = 0, rows = 0;
            double low = std::numeric_limits<double>::infinity(), high = -low, sum = 0, finite = 0;
            double largest = 0;
        };
        std::map<double, Truth> truths;
        const std::vector<double> values = lumaOf(image);
        for (std::size_t i = 0; i < labels.size(); ++i) {
            if (labels[i] == 0) continue;
            Truth& truth = truths[labels[i]];
            const auto x = double(i % unsigned(image.width()));
            const auto y = double(i / unsigned(image.width()));
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

WARPSCOPE_TEST(ConnectedComponentsTest)
#include "connected_components_test.moc"
