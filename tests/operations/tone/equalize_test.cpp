#include "engine/operations/tone/equalize.h"

#include <atomic>
#include <numeric>

#include "engine/operations/analysis/histogram.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"
#include "support/truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

struct Case {
    std::string channels, mapping;
    EqualizeChannels channelsValue;
    EqualizeMapping mappingValue;
};
const Case kCases[] = {{"luma", "classic", EqualizeChannels::Luma, EqualizeMapping::Classic},
                       {"luma", "full", EqualizeChannels::Luma, EqualizeMapping::Full},
                       {"each", "classic", EqualizeChannels::Each, EqualizeMapping::Classic},
                       {"each", "full", EqualizeChannels::Each, EqualizeMapping::Full}};

TextParameters parametersOf(const Case& c) {
    return {{"channels", c.channels}, {"mapping", c.mapping}};
}

void compareWithTruth(const Image& image, const std::string& name) {
    for (const Case& c : kCases) {
        compareSamples(truth::equalize(image, c.channelsValue, c.mappingValue),
                       runOn(equalize_operation(), parametersOf(c), image),
                       name + ", " + c.channels + " " + c.mapping);
    }
}

std::vector<int> asInts(const std::vector<std::uint8_t>& table) {
    return {table.begin(), table.end()};
}

}  // namespace

class EqualizeTest : public QObject {
    Q_OBJECT

  private slots:
    void equalsTruthOnEveryTarget() {
        forEachVectorTarget([](const std::string& target) {
            for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
                for (const NamedImage& named : awkwardImages(format)) {
                    compareWithTruth(named.image, target + ", " + named.name);
                    if (QTest::currentTestFailed()) return;
                }
        });
    }

    void sixteenBitsEqualTruth() {
        for (const PixelFormat format : {PixelFormat::Gray16, PixelFormat::Rgba16}) {
            const auto images = awkwardImages(format);
            for (std::size_t i = 0; i < images.size(); i += 5) {
                compareWithTruth(images[i].image, images[i].name);
                if (QTest::currentTestFailed()) return;
            }
            compareWithTruth(makePhotograph(format, {301, 199}), "photograph");
            compareWithTruth(makeNoise(format, {301, 199}, 11), "noise");
        }
    }

    // 16-bit colours are divided in floating point too: around every quotient that is nearly whole.
    void sixteenBitQuotients() {
        std::vector<std::uint16_t> rgba(4), luma(1), mapped(1), out(4);
        std::uint64_t random = 88172645463325252;
        const auto next = [&] {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            return std::uint32_t(random >> 32);
        };
        for (int i = 0; i < 2000000; ++i) {
            const int y = int(next() % 65536), t = int(next() % 65536);
            luma[0] = std::uint16_t(y);
            mapped[0] = std::uint16_t(t);
            rgba = {std::uint16_t(next()), std::uint16_t(y), 65535, 7};
            // A value whose quotient with the half lies as near to a whole number as any.
            if (i % 2 && t > 0)
                rgba[0] = std::uint16_t(
                    std::min<std::uint64_t>(65535, (2 * std::uint64_t(next() % 65536) + 1) *
                                                       std::uint64_t(y) / (2 * std::uint64_t(t))));
            scaleByLuma(rgba.data(), luma.data(), mapped.data(), out.data(), 1);
            for (std::size_t c = 0; c < 4; ++c) {
                const int expected = c == 3 ? 7 : truth::equalizedSample(rgba[c], t, y, 65535);
                if (int(out[c]) != expected)
                    QFAIL(qPrintable(QString("value %1, t %2, luma %3 gives %4")
                                         .arg(rgba[c])
                                         .arg(t)
                                         .arg(y)
                                         .arg(out[c])));
            }
        }
    }

    void oneThreadAndAllCoresAgree() {
        for (const PixelFormat format :
             {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16, PixelFormat::Rgba16}) {
            const Image image = makePhotograph(format, {1301, 977});
            for (const Case& c : kCases) {
                const Image one = runOn(equalize_operation(), parametersOf(c), image);
                const Image all =
                    runOn(equalize_operation(), parametersOf(c), image, Threading::AllCores);
                QVERIFY(sameSamples(one, all));
            }
        }
    }

    // Tables of 65,536 levels are cleared and added up once a band, which must cost less than the
    // pixels: the narrowest image has as few bands as a square one, and gives the same.
    void aSingleColumnIsNoMoreWork() {
        constexpr Size kSquare{1024, 1024}, kColumn{1, 1024 * 1024}, kRow{1024 * 1024, 1};
        for (const PixelFormat format : {PixelFormat::Gray16, PixelFormat::Rgba16}) {
            const Image square = makePhotograph(format, kSquare);
            const Image made = runOn(equalize_operation(), {}, square, Threading::AllCores);
            int ofSquare = 0;
            for (const Size size : {kSquare, kColumn, kRow}) {
                auto other = *MutableImage::create(format, size);
                auto to = other.view<std::uint16_t>();
                auto expected = *MutableImage::create(format, size);
                auto wanted = expected.view<std::uint16_t>();
                const auto from = square.view<std::uint16_t>(), equal = made.view<std::uint16_t>();
                const int channels = from.channels;
                for (int i = 0; i < 1024 * 1024; ++i)
                    for (int c = 0; c < channels; ++c) {
                        const int at = channels * (i % 1024) + c;
                        const int there = channels * (i % size.width) + c;
                        to.row(i / size.width)[there] = from.row(i / 1024)[at];
                        wanted.row(i / size.width)[there] = equal.row(i / 1024)[at];
                    }
                const Image image = std::move(other).freezeLike(square);
                std::atomic<int> bands = 0;
                const auto plan = planHistogram({}, format, size);
                REQUIRE_OK(plan);
                const CpuContext context{Threading::AllCores, {}, [&](double) { ++bands; }};
                REQUIRE_OK(countCpu(static_cast<const HistogramPlan&>(**plan), image, context));
                if (size == kSquare) ofSquare = bands;
                QVERIFY2(bands * 65'536 <= size.pixels(), QByteArray::number(bands.load()));
                QVERIFY2(bands <= 2 * ofSquare, QByteArray::number(bands.load()));
                QVERIFY(sameSamples(runOn(equalize_operation(), {}, image, Threading::AllCores),
                                    std::move(expected).freezeLike(square)));
            }
        }
    }

    // The vector code divides in floating point: here is every value over every luma for every
    // table entry, on every instruction set.
    void everyValueTableEntryAndLuma() {
        std::vector<std::uint8_t> rgba(4 * 256), luma(256), mapped(256), out(4 * 256);
        for (int v = 0; v < 256; ++v) {
            rgba[std::size_t(4 * v)] = std::uint8_t(v);
            rgba[std::size_t(4 * v + 1)] = std::uint8_t(255 - v);
            rgba[std::size_t(4 * v + 2)] = std::uint8_t(v ^ 0x55);
            rgba[std::size_t(4 * v + 3)] = std::uint8_t(v * 7);
        }
        forEachVectorTarget([&](const std::string& name) {
            for (int y = 0; y < 256; ++y)
                for (int t = 0; t < 256; ++t) {
                    std::fill(luma.begin(), luma.end(), std::uint8_t(y));
                    std::fill(mapped.begin(), mapped.end(), std::uint8_t(t));
                    scaleByLuma(rgba.data(), luma.data(), mapped.data(), out.data(), 256);
                    for (std::size_t i = 0; i < out.size(); ++i) {
                        const int expected =
                            i % 4 == 3 ? rgba[i] : truth::equalizedSample(rgba[i], t, y);
                        if (int(out[i]) != expected)
                            QFAIL(qPrintable(QString("%1: value %2, t %3, luma %4 gives %5")
                                                 .arg(name.c_str())
                                                 .arg(rgba[i])
                                                 .arg(t)
                                                 .arg(y)
                                                 .arg(out[i])));
                    }
                }
        });
    }

    void tablesEqualTruth() {
        std::vector<std::vector<std::uint64_t>> all;
        for (std::uint32_t seed = 0; seed < 40; ++seed)
            all.push_back(
                truth::histogram(makePhotograph(PixelFormat::Gray8, {int(seed) + 1, 17}, seed),
                                 HistogramChannel::Luma));
        std::vector<std::uint64_t> single(256);
        single[77] = 9;
        all.push_back(single);
        std::vector<std::uint64_t> ends(256);
        ends[0] = 1;
        ends[255] = 1;
        all.push_back(ends);
        for (const auto& counts : all)
            for (const auto mapping : {EqualizeMapping::Classic, EqualizeMapping::Full})
                QVERIFY(asInts(equalizeTable(counts, mapping)) ==
                        truth::levelTable(counts, mapping));
    }

    // Counts as of an image of 2^40 pixels: no 32-bit, and no float, holds them.
    void trapCountsAbove2To24And2To32() {
        std::vector<std::uint64_t> counts(256, 1);
        counts[10] = (1ull << 24) + 1;
        counts[11] = 1ull << 33;
        counts[200] = 1ull << 39;
        for (const auto mapping : {EqualizeMapping::Classic, EqualizeMapping::Full})
            QVERIFY(asInts(equalizeTable(counts, mapping)) == truth::levelTable(counts, mapping));
    }

    // The source texts cut (L-1) C / n off instead of rounding it.
    void trapTruncationInsteadOfRounding() {
        std::vector<std::uint64_t> counts(256);
        counts[0] = 1;
        counts[1] = 2;
        const auto table = equalizeTable(counts, EqualizeMapping::Classic);
        QCOMPARE(int(table[0]), 85);
        counts[1] = 3;
        QCOMPARE(int(equalizeTable(counts, EqualizeMapping::Classic)[0]), 64);  // 63.75
    }

    void oneLevel() {
        const Image image = makeConstant(PixelFormat::Gray8, {40, 30}, 90);
        const Image full = runOn(equalize_operation(), {{"mapping", "full"}}, image);
        QVERIFY(sameSamples(full, image));  // the identity
        const Image classic = runOn(equalize_operation(), {}, image);
        QVERIFY(sameSamples(classic, makeConstant(PixelFormat::Gray8, {40, 30}, 255)));
    }

    void blackPixelsOfColourStay() {
        const Image image =
            makeImage(PixelFormat::Rgba8, {3, 1}, {0, 0, 0, 7, 0, 0, 1, 8, 200, 100, 50, 9});
        const Image result = runOn(equalize_operation(), {}, image);
        const std::uint8_t* row = result.view<std::uint8_t>().row(0);
        QCOMPARE(int(row[0]) + row[1] + row[2], 0);
        QCOMPARE(int(row[3]), 7);
        QCOMPARE(int(row[6]), 1);  // luma 0 with a little blue: unchanged
    }

    void frozenTablesWorkOnCrops() {
        for (const PixelFormat format :
             {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16, PixelFormat::Rgba16})
            for (const Case& c : kCases) {
                const Image whole = makePhotograph(format, {211, 157});
                const Rect window{31, 17, 101, 67};
                const auto plan = equalize_operation().freeze(
                    requestFor(equalize_operation(), parametersOf(c), format, window.size()), whole,
                    CpuContext{});
                QVERIFY(plan);
                const Image expected =
                    runOn(equalize_operation(), parametersOf(c), whole).crop(window);
                REQUIRE_SAME(firstDifference(expected, runPlan(**plan, whole.crop(window))));
            }
    }

    void freezeRefusesAnotherFormat() {
        const Image colour = makeNoise(PixelFormat::Rgba8, {4, 4}, 1);
        const auto plan = equalize_operation().freeze(
            requestFor(equalize_operation(), {}, PixelFormat::Gray8, {4, 4}), colour, CpuContext{});
        REQUIRE_FAILS(plan, ErrorCode::InvalidArgument, "");
    }
};

WARPSCOPE_TEST(EqualizeTest)
#include "equalize_test.moc"
