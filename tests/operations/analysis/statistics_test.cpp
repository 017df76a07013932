// Figures of channels against sorted samples and sums in wide numbers.
#include "engine/operations/analysis/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "engine/image/statistics.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"
#include "support/truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

AnalysisTable tableOf(const Image& image, Threading threading = Threading::Single) {
    const PlanPtr plan = planFor(statistics_operation(), {}, image.format(), image.size());
    CpuContext context;
    context.threading = threading;
    auto found = statistics_operation().analyzeCpu(*plan, image, context);
    if (!found) throw std::runtime_error(found.error().message);
    return std::get<AnalysisTable>(*found);
}

const TableCell& cell(const AnalysisTable& table, const std::string& id, std::size_t row = 0) {
    for (const TableColumn& column : table.columns)
        if (column.id == id) return column.cells.at(row);
    throw std::runtime_error("no column " + id);
}

double number(const AnalysisTable& table, const std::string& id, std::size_t row = 0) {
    const TableCell& found = cell(table, id, row);
    if (const auto* whole = std::get_if<std::int64_t>(&found)) return double(*whole);
    return std::get<double>(found);
}

std::vector<std::string> channelsOf(const AnalysisTable& table) {
    std::vector<std::string> names;
    for (std::size_t row = 0; row < table.rows(); ++row)
        names.push_back(std::get<std::string>(cell(table, "channel", row)));
    return names;
}

// All samples of a channel, straight from the image.
std::vector<long double> samplesOf(const Image& image, const std::string& channel) {
    std::vector<long double> samples;
    visitSampleType(image.format(), [&]<class T>() {
        const auto view = image.view<T>();
        const std::vector<std::string> names = {"red", "green", "blue", "alpha"};
        const auto at = std::find(names.begin(), names.end(), channel) - names.begin();
        for (int y = 0; y < view.height; ++y)
            for (int x = 0; x < view.width; ++x) {
                const T* p = view.row(y) + std::ptrdiff_t(x) * view.channels;
                if (view.channels == 1) {
                    samples.push_back((long double)(p[0]));
                } else if (at < 4) {
                    samples.push_back((long double)(p[at]));
                } else {
                    const long double sum = 19595.0L * (long double)(p[0]) +
                                            38470.0L * (long double)(p[1]) +
                                            7471.0L * (long double)(p[2]);
                    // As grayscale does it: every step is rounded to float.
                    const float red = float(p[0]) * (19595.0f / 65536);
                    const float green = float(p[1]) * (38470.0f / 65536);
                    const float yellow = red + green;
                    const float blue = float(p[2]) * (7471.0f / 65536);
                    samples.push_back(isFloat(image.format()) ? (long double)(yellow + blue)
                                                              : std::floor((sum + 32768) / 65536));
                }
            }
    });
    return samples;
}

bool near(double value, long double expected, long double tolerance = 1e-12L) {
    return std::abs((long double)(value)-expected) <=
           tolerance * std::max(1.0L, std::abs(expected));
}

// The row of `channel` is what sorting and adding up gives.
void compareRow(const AnalysisTable& table, std::size_t row, const Image& image,
                const std::string& name) {
    const std::string channel = std::get<std::string>(cell(table, "channel", row));
    const auto check = [&](bool right, const std::string& what) {
        QVERIFY2(right, (name + ", " + channel + ": " + what).c_str());
    };
    std::vector<long double> v = samplesOf(image, channel);
    check(number(table, "pixels", row) == double(v.size()), "pixels");
    const auto nan = std::count_if(v.begin(), v.end(), [](auto s) { return std::isnan(s); });
    const auto infinite = std::count_if(v.begin(), v.end(), [](auto s) { return std::isinf(s); });
    check(number(table, "nan", row) == double(nan), "nan");
    check(number(table, "infinite", row) == double(infinite), "infinite");
    std::erase_if(v, [](auto s) { return !std::isfinite(s); });
    if (v.empty()) {
        for (const char* id : {"minimum", "median", "maximum", "mean", "entropy"})
            check(std::isnan(number(table, id, row)), id);
        return;
    }
    std::sort(v.begin(), v.end());
    const auto n = (long double)(v.size());
    const std::pair<const char*, int> percentiles[] = {
        {"percentile_1", 1},   {"percentile_5", 5},   {"percentile_25", 25}, {"median", 50},
        {"percentile_75", 75}, {"percentile_95", 95}, {"percentile_99", 99}};
    for (const auto& [id, percent] : percentiles) {
        std::size_t i = 0;
        while ((long double)(i + 1) * 100 < n * percent) ++i;
        check((long double)(number(table, id, row)) == v[i], id);
    }
    check((long double)(number(table, "minimum", row)) == v.front(), "minimum");
    check((long double)(number(table, "maximum", row)) == v.back(), "maximum");
    long double sum = 0, squares = 0;
    for (const long double s : v) sum += s;
    for (const long double s : v) squares += (s - sum / n) * (s - sum / n);
    const long double spread = v.back() - v.front();
    check(near(number(table, "mean", row), sum / n), "mean");
    check(std::abs((long double)(number(table, "standard_deviation", row)) -
                   std::sqrt(squares / n)) <= 1e-9L * std::max(1e-3L, spread),
          "standard deviation");
    const long double white = (long double)(fullScale(image.format()));
    check(number(table, "black", row) ==
              double(std::count_if(v.begin(), v.end(), [](auto s) { return s <= 0; })),
          "black");
    check(number(table, "white", row) ==
              double(std::count_if(v.begin(), v.end(), [&](auto s) { return s >= white; })),
          "white");
    std::map<long double, long double> counts;
    const bool bins = bytesPerSample(image.format()) > 2;
    for (const long double s : v) {
        const long double low = v.front();
        const long double at =
            std::floor((long double)((double(s) - double(low)) * 65536.0 / double(v.back() - low)));
        ++counts[!bins ? s : spread == 0 ? 0 : std::min(65535.0L, at)];
    }
    long double bits = 0;
    for (const auto& [level, count] : counts) bits -= count / n * std::log2(count / n);
    check(near(number(table, "entropy", row), bits, 1e-9L), "entropy");
}

void compareFigures(const Image& image, const std::string& name) {
    const AnalysisTable table = tableOf(image);
    QVERIFY(table.rows() == (isColor(image.format()) ? 5 : 1) ||
            (isColor(image.format()) && table.rows() == 4));
    for (std::size_t row = 0; row < table.rows(); ++row) compareRow(table, row, image, name);
    QVERIFY2(table == tableOf(image, Threading::AllCores) || std::isnan(number(table, "mean")),
             (name + ": all cores").c_str());
}

}  // namespace

class StatisticsTest : public QObject {
    Q_OBJECT

  private slots:
    void equalsTruth() {
        for (const PixelFormat format : kAllPixelFormats)
            for (const Size size : {Size{1, 1}, Size{1, 100}, Size{33, 13}, Size{211, 167}}) {
                const std::uint32_t seed = warpscope::test::freshSeed();
                const std::string name =
                    std::string(formatName(format)) + ", seed " + std::to_string(seed);
                compareFigures(makeNoise(format, size, seed), name);
                compareFigures(misaligned(makePhotograph(format, size, seed)), name);
                if (QTest::currentTestFailed()) return;
            }
    }

    void constantImages() {
        for (const PixelFormat format : kAllPixelFormats)
            for (const double share : {0.0, 0.25, 1.0}) {
                const double value =
                    isFloat(format) ? share : std::floor(share * (fullScale(format) / 2)) * 2;
                const Image image = makeConstant(format, {37, 5}, value);
                const AnalysisTable table = tableOf(image);
                QCOMPARE(number(table, "standard_deviation"), 0.0);
                QCOMPARE(number(table, "entropy"), 0.0);
                QVERIFY(!std::signbit(number(table, "entropy")));
                QCOMPARE(number(table, "mean"), number(table, "minimum"));
                compareRow(table, 0, image, std::string(formatName(format)));
            }
    }

    // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, deviation 2.
    void smallExampleByHand() {
        const AnalysisTable table =
            tableOf(makeImage(PixelFormat::Gray8, {4, 2}, {9, 4, 4, 2, 5, 4, 7, 5}));
        QCOMPARE(channelsOf(table), std::vector<std::string>{"gray"});
        QCOMPARE(cell(table, "pixels"), TableCell(std::int64_t(8)));
        QCOMPARE(cell(table, "minimum"), TableCell(std::int64_t(2)));
        QCOMPARE(cell(table, "percentile_25"), TableCell(std::int64_t(4)));
        QCOMPARE(cell(table, "median"), TableCell(std::int64_t(4)));
        QCOMPARE(cell(table, "percentile_75"), TableCell(std::int64_t(5)));
        QCOMPARE(cell(table, "percentile_95"), TableCell(std::int64_t(9)));
        QCOMPARE(cell(table, "maximum"), TableCell(std::int64_t(9)));
        QCOMPARE(cell(table, "mean"), TableCell(5.0));
        QCOMPARE(cell(table, "standard_deviation"), TableCell(2.0));
        // 1/8, 3/8, 2/8, 1/8, 1/8.
        QVERIFY(near(number(table, "entropy"), 3 * 0.375L + 0.375L * std::log2(8.0L / 3) + 0.5L));
        QCOMPARE(cell(table, "black"), TableCell(std::int64_t(0)));
        QCOMPARE(table.columns[4].unit, std::string("grey levels"));
    }

    void rowsOfColors() {
        const std::vector<std::string> opaque = {"luma", "red", "green", "blue"};
        std::vector<std::string> all = opaque;
        all.push_back("alpha");
        for (const PixelFormat format :
             {PixelFormat::Rgba8, PixelFormat::Rgba16, PixelFormat::RgbaF32}) {
            const double white = fullScale(format);
            std::vector<double> samples = {0, 0, 0, white, white, 0, 0, white};
            QCOMPARE(channelsOf(tableOf(makeImage(format, {2, 1}, samples))), opaque);
            samples.back() = 0;
            const AnalysisTable table = tableOf(makeImage(format, {2, 1}, samples));
            QCOMPARE(channelsOf(table), all);
            QCOMPARE(number(table, "white", 1), 1.0);
            QCOMPARE(number(table, "black", 2), 2.0);
            QCOMPARE(number(table, "white", 4), 1.0);
        }
    }

    void notFiniteIsCountedApart() {
        constexpr float kInf = std::numeric_limits<float>::infinity();
        constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
        const Image image =
            makeImage(PixelFormat::GrayF32, {7, 1}, {kNan, -kInf, 3, -1, kInf, kNan, -0.0});
        const AnalysisTable table = tableOf(image);
        compareRow(table, 0, image, "NaN");
        QCOMPARE(number(table, "pixels"), 7.0);
        QCOMPARE(number(table, "median"), 0.0);
        QVERIFY(!std::signbit(number(table, "median")));
        const Image none = makeImage(PixelFormat::GrayF32, {2, 1}, {kNan, kInf});
        compareRow(tableOf(none), 0, none, "nothing finite");
        // A colour that is NaN makes luma NaN, and no other colour.
        const AnalysisTable color = tableOf(
            makeImage(PixelFormat::RgbaF32, {2, 1}, {kNan, 0.5, 1, 1, 0.25, 0.25, 0.25, 1}));
        QCOMPARE(number(color, "nan", 0), 1.0);
        QCOMPARE(number(color, "nan", 1), 1.0);
        QCOMPARE(number(color, "nan", 2), 0.0);
        QCOMPARE(number(color, "mean", 2), 0.375);
    }

    // Negative, tiny, huge: bit patterns in all orders.
    void floatsOfAllMagnitudes() {
        std::mt19937 random(warpscope::test::freshSeed());
        auto made = *MutableImage::create(PixelFormat::GrayF32, {173, 91});
        for (int y = 0; y < 91; ++y)
            for (int x = 0; x < 173; ++x) {
                const double magnitude = std::exp2(double(random() % 160) - 140);
                made.view<float>().row(y)[x] =
                    float(magnitude * (double(random()) / 2147483648.0 - 1));
            }
        const Image image = std::move(made).freeze({});
        compareFigures(image, "magnitudes");
    }

    // Labels and sums beyond 2^31 and beyond what a double holds.
    void largeWholeNumbers() {
        const Image labels =
            makeImage(PixelFormat::Gray32, {3, 1}, {4294967295.0, 4294967294.0, 4294967295.0});
        const AnalysisTable table = tableOf(labels);
        QCOMPARE(cell(table, "minimum"), TableCell(std::int64_t(4294967294)));
        QCOMPARE(cell(table, "median"), TableCell(std::int64_t(4294967295)));
        QVERIFY(near(number(table, "standard_deviation"), std::sqrt(2.0L) / 3));
        QCOMPARE(number(table, "white"), 2.0);
        auto made = *MutableImage::create(PixelFormat::Gray64, {3, 1});
        const std::uint64_t values[] = {9007199254740993, 9007199254740995, 9007199254740994};
        std::copy(values, values + 3, made.view<std::uint64_t>().row(0));
        const AnalysisTable sums = tableOf(std::move(made).freeze({}));
        QCOMPARE(cell(sums, "minimum"), TableCell(std::int64_t(9007199254740993)));
        QCOMPARE(cell(sums, "median"), TableCell(std::int64_t(9007199254740994)));
        QCOMPARE(cell(sums, "maximum"), TableCell(std::int64_t(9007199254740995)));
    }

    // More pixels than memory: from counts alone, as a device hands them over.
    void exactNearTwoToThe31() {
        const PlanPtr plan =
            planFor(statistics_operation(), {}, PixelFormat::Gray16, {46340, 46341});
        const auto figures = [&](const std::map<std::size_t, std::uint64_t>& counts) {
            std::vector<std::uint64_t> words(plan->resultWords);
            for (const auto& [level, count] : counts) words[level] = count;
            return std::get<AnalysisTable>(*statistics_operation().resultFrom(*plan, words));
        };
        constexpr std::uint64_t kPixels = (std::uint64_t{1} << 31) - 1;
        // One pixel of 2^31 differs by one level: the deviation is sqrt(n - 1) / n.
        const AnalysisTable one = figures({{65535, kPixels - 1}, {65534, 1}});
        const auto n = (long double)(kPixels);
        QVERIFY(near(number(one, "standard_deviation") * 1e4L, std::sqrt(n - 1) / n * 1e4L));
        QCOMPARE(number(one, "mean"), double(65535 - 1 / n));
        QCOMPARE(cell(one, "white"), TableCell(std::int64_t(kPixels - 1)));
        QCOMPARE(number(one, "percentile_1"), 65535.0);
        const AnalysisTable flat = figures({{65535, kPixels}});
        QCOMPARE(number(flat, "standard_deviation"), 0.0);
        QCOMPARE(number(flat, "mean"), 65535.0);
        const AnalysisTable halves = figures({{0, kPixels + 1}, {65535, kPixels + 1}});
        QCOMPARE(number(halves, "standard_deviation"), 32767.5);
        QCOMPARE(number(halves, "entropy"), 1.0);
        QCOMPARE(number(halves, "median"), 0.0);
        QCOMPARE(number(halves, "percentile_75"), 65535.0);
        // 2^40 pixels, the most that there can be.
        const AnalysisTable most = figures({{1, 1ull << 39}, {65535, 1ull << 39}});
        QCOMPARE(number(most, "standard_deviation"), 32767.0);
        std::vector<std::uint64_t> fewer(plan->resultWords - 1);
        QVERIFY(!statistics_operation().resultFrom(*plan, fewer));
    }

    void regionIsTheCrop() {
        const Image image = makeNoise(PixelFormat::Rgba16, {97, 61}, 3);
        const Image part = image.crop({13, 7, 41, 29});
        auto copy = *MutableImage::create(part.format(), part.size());
        for (int y = 0; y < part.height(); ++y)
            std::copy_n(part.rowBytes(y), 41 * 8, copy.rowBytes(y));
        const AnalysisTable table = tableOf(part);
        QVERIFY(table == tableOf(std::move(copy).freeze({})));
        QVERIFY(table != tableOf(image));
    }

    // What the inspector and `info` show is what the table says.
    void oneDefinitionOfMeanAndDeviation() {
        for (const PixelFormat format : kAllPixelFormats) {
            const Image image = makePhotograph(format, {131, 77});
            const auto channels = computeStatistics(image, CpuContext{}).value();
            const AnalysisTable table = tableOf(image);
            for (std::size_t c = 0; c < channels.size(); ++c) {
                const std::size_t row = c + (isColor(format) ? 1 : 0);
                QCOMPARE(number(table, "mean", row), channels[c].mean);
                QCOMPARE(number(table, "standard_deviation", row), channels[c].standardDeviation);
                QCOMPARE(number(table, "minimum", row), channels[c].minimum);
                QCOMPARE(number(table, "maximum", row), channels[c].maximum);
            }
        }
    }

    void stopIsHeard() {
        std::stop_source stop;
        stop.request_stop();
        for (const PixelFormat format : kAllPixelFormats) {
            const Image image = makeConstant(format, {64, 64}, 1);
            const PlanPtr plan = planFor(statistics_operation(), {}, format, image.size());
            CpuContext context;
            context.stop = stop.get_token();
            const auto found = statistics_operation().analyzeCpu(*plan, image, context);
            QVERIFY(!found);
            QCOMPARE(found.error().code, ErrorCode::Cancelled);
        }
    }
};

WARPSCOPE_TEST(StatisticsTest)
#include "statistics_test.moc"
