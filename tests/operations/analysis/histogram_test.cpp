#include "engine/operations/analysis/histogram.h"

#include <cmath>
#include <limits>

#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"
#include "support/truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

HistogramSet count(const Image& image, ChannelSet channels,
                   Threading threading = Threading::Single) {
    const auto plan = planHistogram(channels, image.format(), image.size());
    if (!plan) throw std::runtime_error(plan.error().message);
    CpuContext context;
    context.threading = threading;
    auto counts = countCpu(static_cast<const HistogramPlan&>(**plan), image, context);
    if (!counts) throw std::runtime_error(counts.error().message);
    return *counts;
}

void compareWithTruth(const Image& image, const std::string& name) {
    std::vector<ChannelSet> sets = {ChannelSet::all(), {false, true, true, true}};
    for (const HistogramChannel channel : kAllHistogramChannels)
        sets.push_back(ChannelSet::only(channel));
    for (const ChannelSet& channels : sets) {
        const HistogramSet counts = count(image, channels);
        QCOMPARE(counts.notFinite, std::uint64_t{0});
        QCOMPARE(counts.size, image.size());
        for (const Histogram& histogram : counts.channels)
            QVERIFY2(histogram.bins == truth::histogram(image, histogram.channel),
                     (name + " " + std::string(channelName(histogram.channel))).c_str());
        for (const HistogramChannel channel : kAllHistogramChannels) {
            const bool expected =
                isColor(image.format()) ? channels.has(channel) : channel == HistogramChannel::Luma;
            QCOMPARE(counts.find(channel) != nullptr, expected);
        }
    }
}

std::vector<std::string> published() {
    std::vector<std::string> ids;
    for (const VariantSpec& variant : histogram_operation().description().variants)
        if (variant.id != kAutomaticVariant) ids.push_back(variant.id);
    return ids;
}

HistogramSet countBy(const std::string& variant, const Image& image,
                     Threading threading = Threading::Single, const char* channel = "all") {
    const PlanPtr plan = planFor(histogram_operation(), {{"channel", channel}}, image.format(),
                                 image.size(), variant);
    CpuContext context;
    context.threading = threading;
    auto counts = countCpu(static_cast<const HistogramPlan&>(*plan), image, context);
    if (!counts) throw std::runtime_error(counts.error().message);
    return *counts;
}

bool sameCounts(const HistogramSet& a, const HistogramSet& b) {
    if (a.channels.size() != b.channels.size() || a.notFinite != b.notFinite) return false;
    for (std::size_t i = 0; i < a.channels.size(); ++i)
        if (a.channels[i].channel != b.channels[i].channel ||
            a.channels[i].bins != b.channels[i].bins)
            return false;
    return a.low == b.low && a.high == b.high;
}

}  // namespace

class HistogramTest : public QObject {
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

    void equalsTruthIn16Bits() {
        forEachVectorTarget([](const std::string& target) {
            for (const PixelFormat format : {PixelFormat::Gray16, PixelFormat::Rgba16})
                for (const Size size : {Size{1, 1}, Size{33, 13}, Size{15, 129}})
                    compareWithTruth(makeNoise(format, size, 4), target);
        });
    }

    void oneThreadAndAllCoresAgree() {
        for (const PixelFormat format : kAllPixelFormats) {
            const Image image = makeNoise(format, {1501, 733}, 11);
            const HistogramSet one = count(image, ChannelSet::all());
            QVERIFY(sameCounts(one, count(image, ChannelSet::all(), Threading::AllCores)));
            for (const Histogram& histogram : one.channels)
                QCOMPARE(histogram.total(), std::uint64_t(image.size().pixels()));
        }
    }

    // Counters of 8 bits in the source text's thread-private tables overflow when 256 pixels of a
    // thread are equal.
    void trap256EqualPixels() {
        for (const int width : {255, 256, 257, 8192, 65535, 65536, 70000}) {
            const Image image = makeConstant(PixelFormat::Gray8, {width, 3}, 93);
            QCOMPARE(count(image, {}).channels[0].bins[93], std::uint64_t(width) * 3);
        }
    }

    // More pixels of one level than a float counts exactly.
    void trapCountsAbove2To24() {
        const Image image = makeConstant(PixelFormat::Gray8, {5001, 4001}, 17);
        QVERIFY(image.size().pixels() > (1 << 24));
        for (const Threading threading : {Threading::Single, Threading::AllCores})
            QCOMPARE(count(image, {}, threading).channels[0].bins[17], std::uint64_t(5001) * 4001);
    }

    // The source text's blocks take 64 pixels a thread, 8,192 a block, and count no remainder.
    void trapSizesThatAreNotMultiplesOf8192() {
        for (const int width : {8191, 8193, 16383, 12345}) {
            const Image image = makeNoise(PixelFormat::Gray8, {width, 1}, 5);
            QVERIFY(count(image, {}).channels[0].bins ==
                    truth::histogram(image, HistogramChannel::Luma));
        }
    }

    void floatsAreBinnedOverTheirRange() {
        const double inf = std::numeric_limits<double>::infinity();
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const Image image =
            makeImage(PixelFormat::GrayF32, {8, 1}, {-1, 3, nan, inf, -inf, 0, 1, 2.999});
        const HistogramSet counts = count(image, {});
        QCOMPARE(counts.low, -1.0);
        QCOMPARE(counts.high, 3.0);
        QCOMPARE(counts.notFinite, std::uint64_t{3});
        const auto& bins = counts.channels[0].bins;
        QCOMPARE(bins.size(), std::size_t{256});
        QCOMPARE(bins[0], std::uint64_t{1});
        QCOMPARE(bins[64], std::uint64_t{1});
        QCOMPARE(bins[128], std::uint64_t{1});
        QCOMPARE(bins[255], std::uint64_t{2});
        QCOMPARE(counts.channels[0].total() + counts.notFinite, std::uint64_t{8});
    }

    void nothingFinite() {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const HistogramSet counts =
            count(makeConstant(PixelFormat::RgbaF32, {5, 4}, nan), ChannelSet::all());
        QCOMPARE(counts.notFinite, std::uint64_t{20});
        QVERIFY(counts.low < counts.high);
        for (const Histogram& histogram : counts.channels)
            QCOMPARE(histogram.total(), std::uint64_t{0});
    }

    void aPixelWithNanInOneColourIsCountedApartOnce() {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const Image image =
            makeImage(PixelFormat::RgbaF32, {3, 1}, {0, nan, 0, 1, 0, 0.5, 1, nan, 1, 1, 1, 1});
        const HistogramSet counts = count(image, ChannelSet::all());
        QCOMPARE(counts.notFinite, std::uint64_t{1});  // NaN in alpha does not count
        for (const Histogram& histogram : counts.channels)
            QCOMPARE(histogram.total(), std::uint64_t{2});
        QCOMPARE(counts.find(HistogramChannel::Luma)->bins[255], std::uint64_t{1});
    }

    void constantFloatAndSums() {
        const HistogramSet flat = count(makeConstant(PixelFormat::GrayF32, {9, 9}, 0.25), {});
        QCOMPARE(flat.channels[0].bins[0], std::uint64_t{81});
        const HistogramSet sums = count(makeImage(PixelFormat::Gray32, {3, 1}, {10, 265, 266}), {});
        QCOMPARE(sums.low, 10.0);
        QCOMPARE(sums.high, 266.0);
        QCOMPARE(sums.channels[0].bins[0], std::uint64_t{1});
        QCOMPARE(sums.channels[0].bins[255], std::uint64_t{2});
        const HistogramSet large = count(makeImage(PixelFormat::Gray64, {2, 1}, {0, 1e18}), {});
        QCOMPARE(large.channels[0].bins[0] + large.channels[0].bins[255], std::uint64_t{2});
    }

    void planOfAGrayImageIsLumaAlone() {
        const auto plan = planHistogram({false, true, false, false}, PixelFormat::Gray16, {3, 3});
        QVERIFY(plan);
        const auto& histogram = static_cast<const HistogramPlan&>(**plan);
        QVERIFY(histogram.channels == ChannelSet{});
        QCOMPARE(histogram.binCount, 65536);
        QCOMPARE(histogram.minimalBytes, std::uint64_t{18});
        QVERIFY(!planHistogram({false, false, false, false}, PixelFormat::Rgba8, {3, 3}));
    }

    void isNoStepOfAPipeline() {
        QCOMPARE(histogram_operation().description().kind, OperationKind::Analysis);
        const PlanPtr plan =
            planFor(histogram_operation(), {{"channel", "all"}}, PixelFormat::Rgba8, {2, 2});
        const Image image = makeNoise(PixelFormat::Rgba8, {2, 2}, 1);
        auto out = *MutableImage::create(PixelFormat::Rgba8, {2, 2});
        const auto ran = histogram_operation().runCpu(*plan, image, out, CpuContext{});
        REQUIRE_FAILS(ran, ErrorCode::Unsupported, "");
    }

    void stopsWhenAsked() {
        std::stop_source stop;
        stop.request_stop();
        const Image image = makeNoise(PixelFormat::Rgba8, {64, 64}, 1);
        CpuContext context;
        context.stop = stop.get_token();
        for (const VariantSpec& variant : histogram_operation().description().variants) {
            const PlanPtr plan =
                planFor(histogram_operation(), {}, image.format(), image.size(), variant.id);
            const auto counts = countCpu(static_cast<const HistogramPlan&>(*plan), image, context);
            REQUIRE_FAILS(counts, ErrorCode::Cancelled, "");
        }
    }

    void variantsOnAwkwardImages() {
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
            for (const NamedImage& named : awkwardImages(format)) {
                const HistogramSet expected = count(named.image, ChannelSet::all());
                for (const std::string& variant : published())
                    for (const Threading threading : {Threading::Single, Threading::AllCores})
                        QVERIFY2(sameCounts(expected, countBy(variant, named.image, threading)),
                                 (variant + ", " + named.name).c_str());
            }
    }

    void variantsOfOneChannel() {
        const Image image = makePhotograph(PixelFormat::Rgba8, {301, 97});
        for (const char* channel : {"luma", "red", "green", "blue"})
            for (const std::string& variant : published())
                QVERIFY(sameCounts(countBy("automatic", image, Threading::Single, channel),
                                   countBy(variant, image, Threading::AllCores, channel)));
    }

    // The OpenCL text's 8-bit counters overflow when a thread meets 256 equal pixels.
    void trap256EqualPixelsInVariants() {
        for (const int width : {254, 255, 256, 257, 510, 511, 8192, 32640, 32641, 70000}) {
            const Image image = makeConstant(PixelFormat::Gray8, {width, 3}, 93);
            for (const std::string& variant : published())
                QCOMPARE(countBy(variant, image).channels[0].bins[93], std::uint64_t(width) * 3);
        }
    }

    // The CUDA text's blocks take 8,192 pixels and leave the remainder out. Launches have 256
    // threads: sizes on both sides of their multiples, and a remainder that is padded by itself
    // instead of by what is missing.
    void trapSizesBesideMultiplesInVariants() {
        for (const Size size :
             {Size{1, 1}, Size{63, 1}, Size{8191, 1}, Size{8192, 1}, Size{8193, 1}, Size{16385, 1},
              Size{255, 1}, Size{257, 1}, Size{16, 17}, Size{100, 100}, Size{511, 3}, Size{769, 5}})
            for (const std::uint32_t seed : {5u, 11u}) {
                const Image image = makeNoise(PixelFormat::Gray8, size, seed);
                for (const std::string& variant : published())
                    QVERIFY(countBy(variant, image).channels[0].bins ==
                            truth::histogram(image, HistogramChannel::Luma));
            }
    }

    void variantsTakeEightBits() {
        for (const PixelFormat format : {PixelFormat::Gray16, PixelFormat::GrayF32})
            for (const std::string& variant : published()) {
                const auto plan = histogram_operation().plan(
                    requestFor(histogram_operation(), {}, format, {4, 4}, variant));
                REQUIRE_FAILS(plan, ErrorCode::Unsupported, "");
            }
    }
};

WARPSCOPE_TEST(HistogramTest)
#include "histogram_test.moc"
