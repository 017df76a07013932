// Histogram, statistics and scopes of regions that are no rectangles: what the same analyses say of
// an image that has these pixels and no others.
#include <cmath>

#include "engine/image/statistics.h"
#include "engine/operations/analysis/histogram_range.h"
#include "engine/operations/analysis/scopes.h"
#include "engine/operations/analysis/statistics.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/shapes.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

bool near(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b || std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

bool near(const TableCell& a, const TableCell& b) {
    const auto* first = std::get_if<double>(&a);
    const auto* second = std::get_if<double>(&b);
    return first && second ? near(*first, *second) : a == b;
}

}  // namespace

class ShapedTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{warpscope::test::freshSeed()};

    struct Case {
        Image image;
        RegionShape shape;
        // The shape's in its box, and the pixels one by one.
        Image part;
        RegionRows rows;
        Image pixels;
        CpuContext context;
    };

    Case anyCase(PixelFormat format) {
        const Size size{anyBetween(m_random, 1, 90), anyBetween(m_random, 1, 130)};
        const Image image = isFloat(format) && m_random() % 2 ? makeWild(format, size, m_random())
                                                              : makeNoise(format, size, m_random());
        const RegionShape shape = anyShape(m_random, size, m_random() % 2);
        const Rect box = intersect(shape.box(), {0, 0, size.width, size.height});
        CpuContext context;
        context.threading = m_random() % 2 ? Threading::Single : Threading::AllCores;
        return {image,  shape, image.crop(box), RegionRows(shape, box), pixelsOf(image, shape),
                context};
    }

    static AnalysisResult analysed(const Operation& operation, const Case& c) {
        const PlanPtr plan = planFor(operation, {}, c.part.format(), c.part.size());
        auto found = analyzeRows(*plan, c.part, c.rows, c.context);
        if (!found) throw std::runtime_error(found.error().message);
        return std::move(*found);
    }
    static AnalysisResult expected(const Operation& operation, const Image& image) {
        const PlanPtr plan = planFor(operation, {}, image.format(), image.size());
        auto found = operation.analyzeCpu(*plan, image, {});
        if (!found) throw std::runtime_error(found.error().message);
        return std::move(*found);
    }

    static void formats() {
        QTest::addColumn<PixelFormat>("format");
        for (const PixelFormat format : kAllPixelFormats)
            QTest::newRow(std::string(formatName(format)).c_str()) << format;
    }

  private slots:
    void histogram_data() { formats(); }
    void histogram() {
        QFETCH(PixelFormat, format);
        for (int i = 0; i < 12; ++i) {
            const Case c = anyCase(format);
            const auto plan =
                planFor(histogram_operation(), {{"channel", "all"}}, format, c.part.size());
            const auto found = analyzeRows(*plan, c.part, c.rows, c.context);
            REQUIRE_OK(found);
            const auto truthPlan =
                planFor(histogram_operation(), {{"channel", "all"}}, format, c.pixels.size());
            const auto truth =
                countCpu(static_cast<const HistogramPlan&>(*truthPlan), c.pixels, {});
            REQUIRE_OK(truth);
            const auto& set = std::get<HistogramSet>(*found);
            QCOMPARE(set.low, truth->low);
            QCOMPARE(set.high, truth->high);
            QCOMPARE(set.notFinite, truth->notFinite);
            QCOMPARE(set.channels.size(), truth->channels.size());
            for (std::size_t k = 0; k < set.channels.size(); ++k) {
                QCOMPARE(set.channels[k].bins, truth->channels[k].bins);
                QCOMPARE(set.channels[k].total() + set.notFinite, c.rows.pixels());
            }
        }
    }

    void statistics_data() { formats(); }
    void statistics() {
        QFETCH(PixelFormat, format);
        for (int i = 0; i < 6; ++i) {
            const Case c = anyCase(format);
            const auto found = std::get<AnalysisTable>(analysed(statistics_operation(), c));
            const auto truth = std::get<AnalysisTable>(expected(statistics_operation(), c.pixels));
            QCOMPARE(found.columns.size(), truth.columns.size());
            QCOMPARE(found.rows(), truth.rows());
            for (std::size_t k = 0; k < found.columns.size(); ++k)
                for (std::size_t row = 0; row < found.rows(); ++row)
                    QVERIFY2(near(found.columns[k].cells[row], truth.columns[k].cells[row]),
                             (found.columns[k].id + " of " + regionText(c.shape)).c_str());

            const auto moments = computeStatistics(c.part, c.context, &c.rows);
            const auto exact = computeStatistics(c.pixels, {});
            REQUIRE_OK(moments);
            for (std::size_t k = 0; k < exact->size(); ++k) {
                const ChannelStatistics &a = (*moments)[k], &b = (*exact)[k];
                QCOMPARE(a.count, b.count);
                QCOMPARE(a.notFinite, b.notFinite);
                QCOMPARE(a.notANumber, b.notANumber);
                QCOMPARE(a.minimum, b.minimum);
                QCOMPARE(a.maximum, b.maximum);
                QVERIFY(near(a.mean, b.mean));
                QVERIFY(near(a.standardDeviation, b.standardDeviation));
            }
        }
    }

    void range_data() { formats(); }
    void range() {
        QFETCH(PixelFormat, format);
        if (bytesPerSample(format) < 4) return;
        for (int i = 0; i < 6; ++i) {
            const Case c = anyCase(format);
            const double full = fullScale(format);
            const double low = full * anyBetween(m_random, 0, 50) / 100;
            const double high = low + full * anyBetween(m_random, 1, 60) / 100;
            const int bins = anyBetween(m_random, 1, 300);
            const auto found = countInRange(c.part, low, high, bins, c.context, &c.rows);
            const auto truth = countInRange(c.pixels, low, high, bins, {});
            REQUIRE_OK(found);
            REQUIRE_OK(truth);
            QCOMPARE(found->below, truth->below);
            QCOMPARE(found->above, truth->above);
            QCOMPARE(found->set.notFinite, truth->set.notFinite);
            for (std::size_t k = 0; k < truth->set.channels.size(); ++k)
                QCOMPARE(found->set.channels[k].bins, truth->set.channels[k].bins);
        }
    }

    // Column by column; a vectorscope has none.
    void scopes_data() { formats(); }
    void scopes() {
        QFETCH(PixelFormat, format);
        for (int i = 0; i < 6; ++i) {
            const Case c = anyCase(format);
            ScopeRequest request;
            request.high = fullScale(format);
            request.kind = ScopeKind(i % 3);
            request.columns = anyBetween(m_random, 1, 100);
            request.region = c.shape;
            const auto found = countScope(c.image, request, c.context);
            REQUIRE_OK(found);
            QCOMPARE(found->pixels, c.rows.pixels());
            QCOMPARE(found->size, c.part.size());
            if (request.kind == ScopeKind::Vectorscope) {
                request.region.reset();
                const auto truth = countScope(c.pixels, request, {});
                REQUIRE_OK(truth);
                QCOMPARE(found->grids, truth->grids);
                QCOMPARE(found->beside, truth->beside);
                QCOMPARE(found->notFinite, truth->notFinite);
                continue;
            }
            ScopeCounts sums = *found;
            for (auto& grid : sums.grids) std::ranges::fill(grid, 0u);
            sums.beside = {};
            sums.notFinite = 0;
            for (int x = 0; x < found->part.width; ++x) {
                const int px = found->part.x + x;
                const Image pixels = pixelsOf(c.image.crop({px, 0, 1, c.image.height()}),
                                              mapped(PixelMap{1, 0, double(-px)}, c.shape));
                if (pixels.isNull()) continue;
                ScopeRequest one = request;
                one.columns = 1;
                one.region.reset();
                const auto line = countScope(pixels, one, {});
                REQUIRE_OK(line);
                const int column = x * found->columns / found->part.width;
                sums.notFinite += line->notFinite;
                for (std::size_t g = 0; g < sums.grids.size(); ++g) {
                    sums.beside[g] += line->beside[g];
                    for (int level = 0; level < kScopeLevels; ++level)
                        sums.grids[g][std::size_t(level * found->columns + column)] +=
                            line->at(g, 0, level);
                }
            }
            QCOMPARE(found->grids, sums.grids);
            QCOMPARE(found->beside, sums.beside);
            QCOMPARE(found->notFinite, sums.notFinite);
        }
    }

    void variantsCountRectangles() {
        const Case c = anyCase(PixelFormat::Gray8);
        const PlanPtr plan = planFor(histogram_operation(), {}, PixelFormat::Gray8, c.part.size(),
                                     "shared_two_stage");
        REQUIRE_FAILS(analyzeRows(*plan, c.part, c.rows, {}), ErrorCode::Unsupported,
                      "rectangles only");
    }
};

WARPSCOPE_TEST(ShapedTest)
#include "shaped_test.moc"
