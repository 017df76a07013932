#include "engine/operations/tone/false_colour.h"

#include <array>
#include <cmath>
#include <random>
#include <set>

#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

using Rgb = std::array<int, 3>;

Rgb rgbOf(std::uint32_t color) {
    return {int(color & 255), int(color >> 8 & 255), int(color >> 16)};
}

int bounded(int v) {
    return v < 0 ? 0 : v > 255 ? 255 : v;
}

// The maps that are formulas, once more; what matplotlib has is compared apart.
Rgb mapped(const std::string& map, int i) {
    const auto halfDown = [](int v) { return int(std::floor(v / 2.0)); };
    if (map == "jet")
        return {bounded(halfDown(766 - std::abs(8 * i - 1530))),
                bounded(halfDown(766 - std::abs(8 * i - 1020))),
                bounded(halfDown(766 - std::abs(8 * i - 510)))};
    if (map == "hot")
        return {bounded(halfDown(5 * i + 1)), bounded(halfDown(5 * i - 509)),
                bounded(5 * i - 1020)};
    if (map == "signed")
        return {std::min(255, 2 * i), 255 - std::abs(2 * i - 255), std::min(255, 510 - 2 * i)};
    if (map == "cyclic")
        return {bounded(std::abs(6 * i - 768) - 256), bounded(512 - std::abs(6 * i - 512)),
                bounded(512 - std::abs(6 * i - 1024))};
    if (map == "labels") {
        if (i == 0) return {0, 0, 0};
        Rgb color = mapped("cyclic", 157 * i % 256);
        for (int& c : color) c = i % 3 == 0 ? c : i % 3 == 1 ? (2 * c + 1) / 3 : (c + 255) / 2;
        return color;
    }
    return rgbOf(colorTable(map)[std::size_t(i)]);
}

// What a sample becomes: v, low and high in units of the format.
// In double, as the definition says: what lies on a half is decided there.
int indexOf(const std::string& map, double v, double low, double high) {
    if (map == "labels") {
        const double label = v >= 0.5 ? std::min(std::floor(v + 0.5), 4294967295.0) : 0;
        return label == 0 ? 0 : 1 + int(std::uint64_t(label - 1) % 255);
    }
    if (std::isnan(v)) return 0;
    const double i = std::floor(255 * (v - low) / (high - low) + 0.5);
    return i < 0 ? 0 : i > 255 ? 255 : int(i);
}

TextParameters chosen(const std::string& map, double low = 0, double high = 255) {
    return {{"map", map}, {"low", toText(ParamValue(low))}, {"high", toText(ParamValue(high))}};
}

std::vector<std::string> allMaps() {
    std::vector<std::string> ids;
    for (const ChoiceSpec& choice :
         false_colour_operation().description().findParameter("map")->choices)
        ids.push_back(choice.id);
    return ids;
}

}  // namespace

class FalseColourTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{warpscope::test::freshSeed()};

    template <class T>
    void compareWithTruth(const std::string& map, double low, double high, const Image& image) {
        constexpr bool kFloat = std::is_floating_point_v<T>;
        const double unit = sizeof(T) == 2 ? 257 : 1;
        const double from = kFloat ? low / 255 : low * unit;
        const double to = kFloat ? high / 255 : high * unit;
        const TextParameters parameters = chosen(map, low, high);
        forEachVectorTarget([&](const std::string& target) {
            for (const Threading threading : {Threading::Single, Threading::AllCores}) {
                const Image result = runOn(false_colour_operation(), parameters, image, threading);
                QCOMPARE(result.format(), PixelFormat::Rgba8);
                QCOMPARE(result.size(), image.size());
                const auto in = image.view<T>();
                for (int y = 0; y < in.height; ++y)
                    for (int x = 0; x < in.width; ++x) {
                        const T* p = in.row(y) + x * in.channels;
                        double v = double(p[0]);
                        int alpha = 255;
                        if (in.channels == 4) {
                            if constexpr (kFloat)
                                v = (float(p[0]) * (19595.0f / 65536) +
                                     float(p[1]) * (38470.0f / 65536)) +
                                    float(p[2]) * (7471.0f / 65536);
                            else
                                v = double((19595 * std::uint64_t(p[0]) +
                                            38470 * std::uint64_t(p[1]) +
                                            7471 * std::uint64_t(p[2]) + 32768) /
                                           65536);
                            if constexpr (kFloat)
                                alpha = std::isnan(p[3])
                                            ? 0
                                            : int(255.0f * std::clamp(p[3], 0.0f, 1.0f) + 0.5f);
                            else
                                alpha = int(std::floor(double(p[3]) / unit + 0.5));
                        }
                        const Rgb wanted = mapped(map, indexOf(map, v, from, to));
                        const std::uint8_t* got = result.view<std::uint8_t>().row(y) + 4 * x;
                        if (got[0] == wanted[0] && got[1] == wanted[1] && got[2] == wanted[2] &&
                            got[3] == alpha)
                            continue;
                        QVERIFY2(false,
                                 qPrintable(QString("%1 %2 from %3 to %4: %5 became %6 %7 %8 %9")
                                                .arg(target.c_str())
                                                .arg(map.c_str())
                                                .arg(low)
                                                .arg(high)
                                                .arg(double(v), 0, 'g', 12)
                                                .arg(got[0])
                                                .arg(got[1])
                                                .arg(got[2])
                                                .arg(got[3])));
                    }
            }
        });
    }

  private slots:
    void isItsDefinition_data() {
        QTest::addColumn<std::string>("map");
        for (const std::string& map : allMaps()) QTest::newRow(map.c_str()) << map;
    }
    void isItsDefinition() {
        QFETCH(std::string, map);
        for (const PixelFormat format : false_colour_operation().description().accepts)
            for (const Size size : {Size{1, 1}, Size{1, 37}, Size{131, 1}, Size{67, 23}}) {
                if (leftOut()) continue;
                double low = double(m_random() % 2550) / 10, high = double(m_random() % 2550) / 10;
                if (low > high) std::swap(low, high);
                if (low == high || m_random() % 2) low = 0, high = 255;
                Image image = makeNoise(format, size, m_random());
                if (isFloat(format) && m_random() % 2) image = makeWild(format, size, m_random());
                visitSampleType(format, [&]<class T>() {
                    if constexpr (sizeof(T) < 8) compareWithTruth<T>(map, low, high, image);
                });
                if (QTest::currentTestFailed()) return;
            }
    }

    // What matplotlib's entries come to, and one of them.
    void mapsAreThoseOfMatplotlib() {
        struct Known {
            const char* map;
            std::uint32_t hash;
            Rgb entry77;
        };
        const Known known[] = {
            {"viridis", 2209184586u, {52, 96, 141}}, {"inferno", 1699992586u, {108, 24, 110}},
            {"magma", 3897211487u, {101, 26, 128}},  {"plasma", 2520605217u, {145, 14, 163}},
            {"cividis", 1093081305u, {80, 87, 108}}, {"turbo", 3897350581u, {24, 215, 202}}};
        for (const Known& one : known) {
            std::uint32_t hash = 0;
            for (const std::uint32_t color : colorTable(one.map))
                for (const int part : rgbOf(color)) hash = hash * 31 + std::uint32_t(part);
            QVERIFY2(rgbOf(colorTable(one.map)[77]) == one.entry77, one.map);
            QCOMPARE(hash, one.hash);
        }
    }

    void ends() {
        const auto ends = [](const char* map) {
            const ColorTable table = colorTable(map);
            return std::pair(rgbOf(table[0]), rgbOf(table[255]));
        };
        QCOMPARE(ends("viridis"), std::pair(Rgb{68, 1, 84}, Rgb{253, 231, 37}));
        QCOMPARE(ends("hot"), std::pair(Rgb{0, 0, 0}, Rgb{255, 255, 255}));
        QCOMPARE(ends("jet"), std::pair(Rgb{0, 0, 128}, Rgb{128, 0, 0}));
        QCOMPARE(ends("signed"), std::pair(Rgb{0, 0, 255}, Rgb{255, 0, 0}));
        // The next one would be red again.
        QCOMPARE(ends("cyclic"), std::pair(Rgb{255, 0, 0}, Rgb{255, 0, 6}));
    }

    void noTwoLabelsAreAlike() {
        const ColorTable table = colorTable("labels");
        QCOMPARE(std::set<std::uint32_t>(table.begin(), table.end()).size(), std::size_t(256));
        QCOMPARE(table[0], 0u);
        const ColorTable circle = colorTable("cyclic");
        QCOMPARE(std::set<std::uint32_t>(circle.begin(), circle.end()).size(), std::size_t(256));
    }

    void labelsBeyondTheTable() {
        const Image image =
            makeImage(PixelFormat::Gray32, {6, 1}, {0, 1, 255, 256, 511, 4294967295.0});
        const Image result = runOn(false_colour_operation(), chosen("labels"), image);
        const int indices[] = {0, 1, 255, 1, 1, 255};
        for (int x = 0; x < 6; ++x) {
            const Rgb wanted = mapped("labels", indices[x]);
            for (int c = 0; c < 3; ++c)
                QCOMPARE(int(result.view<std::uint8_t>().row(0)[4 * x + c]),
                         wanted[std::size_t(c)]);
            QCOMPARE(int(result.view<std::uint8_t>().row(0)[4 * x + 3]), 255);
        }
    }

    void refusesLowAboveHigh() {
        const auto plan = [](const TextParameters& parameters) {
            return false_colour_operation().plan(
                requestFor(false_colour_operation(), parameters, PixelFormat::Gray8, {1, 1}));
        };
        REQUIRE_FAILS(plan(chosen("hot", 7, 7)), ErrorCode::InvalidArgument, "low must be below");
        REQUIRE_FAILS(plan(chosen("hot", 8, 7)), ErrorCode::InvalidArgument, "low must be below");
        QVERIFY(plan(chosen("hot", 6.5, 7)));
        // Labels have no use for them.
        QVERIFY(plan(chosen("labels", 8, 7)));
    }

    // A gray image has no alpha to keep; that of colour stays as it says.
    void whiteAndAlpha() {
        const auto plan = planFor(false_colour_operation(), {}, PixelFormat::Gray8, {1, 1});
        QVERIFY(plan->fillsRange && !plan->identity);
        ImageInfo info;
        info.whiteLevel = 100;
        QVERIFY(!outputInfo(*plan, info).hasAlpha);
        QCOMPARE(outputInfo(*plan, info).whiteLevel, 255.0);
    }
};

WARPSCOPE_TEST(FalseColourTest)
#include "false_colour_test.moc"
