// The histogram's model: counts, scales, read-outs and texts, without a widget.
#include "gui/histogram/histogram_model.h"

#include <QRandomGenerator>
#include <QtTest>
#include <cmath>
#include <limits>

#include "gui_panels/panel_samples.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;
using test::colorSet;
using test::graySet;
using test::ramp;

namespace {
constexpr auto kSource = HistogramSide::Source;
constexpr auto kResult = HistogramSide::Result;
constexpr auto kLuma = HistogramChannel::Luma;

Image grayImage(PixelFormat format, std::vector<double> values) {
    MutableImage image = MutableImage::create(format, {int(values.size()), 1}).value();
    visitSampleType(format, [&]<class T>() {
        for (std::size_t i = 0; i < values.size(); ++i) image.view<T>().row(0)[i] = T(values[i]);
    });
    return std::move(image).freeze({});
}
}  // namespace

class HistogramModelTest : public QObject {
    Q_OBJECT
  private slots:
    void staircaseHasEveryCount() {
        const HistogramSet set = colorSet();
        HistogramModel model;
        model.setData(&set, 255, &set, 255);
        for (const HistogramChannel channel : kAllHistogramChannels) {
            const auto points = model.outline(kResult, channel, CountScale::Linear, 1e9);
            QCOMPARE(points.size(), qsizetype(2 * 256 + 2));
            QCOMPARE(points.first(), QPointF(-0.5, 0));
            QCOMPARE(points.last(), QPointF(255.5, 0));
            const auto& bins = set.find(channel)->bins;
            for (int i = 0; i < 256; ++i) {
                QCOMPARE(points[1 + 2 * i], QPointF(i - 0.5, double(bins[std::size_t(i)])));
                QCOMPARE(points[2 + 2 * i], QPointF(i + 0.5, double(bins[std::size_t(i)])));
            }
        }
    }

    void zeroCountsOnALogarithmicAxis() {
        QCOMPARE(scaledCount(1, CountScale::Logarithmic), 0.0);
        QCOMPARE(scaledCount(1000, CountScale::Logarithmic), 3.0);
        QVERIFY(scaledCount(0, CountScale::Logarithmic) < scaledCount(1, CountScale::Logarithmic));
        QVERIFY(std::isfinite(scaledCount(0, CountScale::Logarithmic)));
        std::vector<std::uint64_t> bins(256, 0);
        bins[10] = 1;
        bins[20] = 100000;
        const HistogramSet set = graySet(bins);
        HistogramModel model;
        model.setData(nullptr, 0, &set, 255);
        const auto points = model.outline(kResult, kLuma, CountScale::Logarithmic, 1e9);
        QCOMPARE(points[1].y(), kLogFloor);
        QCOMPARE(points[1 + 2 * 10].y(), 0.0);
        QCOMPARE(points[1 + 2 * 20].y(), 5.0);
        QVERIFY(model.verticalLimit(ChannelSet::all(), true, CountScale::Logarithmic) > 5.0);
    }

    void cumulativeEndsAtHundred() {
        std::vector<std::uint64_t> bins(256, 0);
        bins[0] = 1;
        bins[128] = 2;
        bins[255] = 1;
        const HistogramSet set = graySet(bins);
        HistogramModel model;
        model.setData(nullptr, 0, &set, 255);
        const auto points = model.cumulative(kResult, kLuma);
        QCOMPARE(points.size(), qsizetype(257));
        QCOMPARE(points[0], QPointF(-0.5, 0));
        QCOMPARE(points[1], QPointF(0.5, 25));
        QCOMPARE(points[128], QPointF(127.5, 25));
        QCOMPARE(points[129], QPointF(128.5, 75));
        QCOMPARE(points[256], QPointF(255.5, 100));
    }

    void readoutNamesCountShareAndPercentile() {
        std::vector<std::uint64_t> bins(256, 0);
        bins[3] = 10;
        bins[7] = 30;
        bins[9] = 60;
        const HistogramSet set = graySet(bins);
        HistogramModel model;
        model.setData(&set, 255, &set, 255);
        const auto lines = model.readout(7.3, ChannelSet::all(), true);
        QCOMPARE(lines.size(), std::size_t(2));
        QVERIFY(lines[0].side == kResult && lines[1].side == kSource);
        QCOMPARE(lines[0].lowValue, 7.0);
        QCOMPARE(lines[0].highValue, 7.0);
        QCOMPARE(lines[0].count, std::uint64_t(30));
        QCOMPARE(lines[0].percent, 30.0);
        QCOMPARE(lines[0].percentile, 40.0);
        QCOMPARE(model.readout(7.3, ChannelSet::all(), false).size(), std::size_t(1));
        QCOMPARE(model.readout(7.3, ChannelSet{false, true, true, true}, true).size(),
                 std::size_t(0));
        // Outside the axis: the bin at that end.
        QCOMPARE(model.readout(-50, ChannelSet::all(), false)[0].lowValue, 0.0);
        QCOMPARE(model.readout(999, ChannelSet::all(), false)[0].percentile, 100.0);
    }

    void rangeAddsItsBins() {
        const HistogramSet set = colorSet();
        HistogramModel model;
        model.setData(nullptr, 0, &set, 255);
        std::uint64_t expected = 0;
        for (std::size_t i = 50; i <= 60; ++i)
            expected += set.find(HistogramChannel::Green)->bins[i];
        for (const auto& [from, to] : {std::pair(50.0, 60.0), std::pair(60.0, 50.0)}) {
            const BinReadout range = model.rangeReadout(kResult, HistogramChannel::Green, from, to);
            QCOMPARE(range.count, expected);
            QCOMPARE(range.lowValue, 50.0);
            QCOMPARE(range.highValue, 60.0);
        }
    }

    void clippedEnds() {
        std::vector<std::uint64_t> bins(256, 1);
        bins[0] = 46;
        bins[255] = 100;
        const HistogramSet set = graySet(bins);  // 400 pixels
        HistogramModel model;
        model.setData(nullptr, 0, &set, 255);
        const auto clipping = model.clipping(kResult, kLuma);
        QVERIFY(clipping.has_value());
        QCOMPARE(clipping->low, 11.5);
        QCOMPARE(clipping->high, 25.0);
        QVERIFY(!model.clipping(kSource, kLuma));
        QVERIFY(!model.clipping(kResult, HistogramChannel::Red));
    }

    void clippedEndIsTheWhiteLevel() {
        std::vector<std::uint64_t> bins(256, 0);
        bins[50] = 3;
        bins[100] = 1;
        const HistogramSet set = graySet(bins);
        HistogramModel model;
        model.setData(&set, 100, nullptr, 0);
        QCOMPARE(model.axis().high, 100.0);
        QCOMPARE(model.binCount(kSource), 101);
        QCOMPARE(model.clipping(kSource, kLuma)->high, 25.0);
        QCOMPARE(model.clipping(kSource, kLuma)->low, 0.0);
    }

    void towersAtTheEndsDoNotFlattenTheRest() {
        std::vector<std::uint64_t> bins(256, 100);
        bins[0] = 1'000'000;
        const HistogramSet set = graySet(bins);
        HistogramModel model;
        model.setData(nullptr, 0, &set, 255);
        const double limit = model.verticalLimit(ChannelSet::all(), true, CountScale::Linear);
        QVERIFY(limit >= 100 && limit < 120);
        QCOMPARE(model.outline(kResult, kLuma, CountScale::Linear, limit)[1].y(), limit);
        // The read-out still says the truth.
        QCOMPARE(model.readout(0, ChannelSet::all(), true)[0].count, std::uint64_t(1'000'000));
        // Black and white alone: nothing inside to be flattened.
        std::vector<std::uint64_t> two(256, 0);
        two[0] = 500;
        two[255] = 700;
        const HistogramSet blackWhite = graySet(two);
        model.setData(nullptr, 0, &blackWhite, 255);
        QVERIFY(model.verticalLimit(ChannelSet::all(), true, CountScale::Linear) >= 700);
    }

    void sixteenBitsAreGroupedWithTrueValues() {
        std::vector<std::uint64_t> bins = ramp(65536);
        const HistogramSet set = graySet(bins, PixelFormat::Gray16);
        HistogramModel model;
        model.setData(nullptr, 0, &set, 65535);
        QCOMPARE(model.binCount(kResult), 256);
        QCOMPARE(model.counts(kResult, kLuma), rebinned(set.channels[0], 256).bins);
        QCOMPARE(model.axis().low, 0.0);
        QCOMPARE(model.axis().high, 65535.0);
        const BinReadout line = model.readout(300, ChannelSet::all(), true).at(0);
        QCOMPARE(line.lowValue, 256.0);
        QCOMPARE(line.highValue, 511.0);
        QCOMPARE(model.valueText(256, 511, kResult), QString("256 to 511"));
        QVERIFY(model.caption().startsWith("65,536 levels in 256 bins, "));
    }

    void twelveBitsEndAtTheWhiteLevel() {
        std::vector<std::uint64_t> bins(65536, 0);
        bins[0] = 1;
        bins[4095] = 2;
        const HistogramSet set = graySet(bins, PixelFormat::Gray16);
        HistogramModel model;
        model.setData(nullptr, 0, &set, 4095);
        QCOMPARE(model.axis().high, 4095.0);
        QCOMPARE(model.axis().right, 4095.5);
        QCOMPARE(model.binCount(kResult), 256);
        QCOMPARE(model.counts(kResult, kLuma).back(), std::uint64_t(2));
        QCOMPARE(model.readout(4095, ChannelSet::all(), true)[0].lowValue, 4080.0);
    }

    void pixelsAboveTheWhiteLevelAreShown() {
        std::vector<std::uint64_t> bins(256, 0);
        bins[120] = 5;
        const HistogramSet set = graySet(bins);
        HistogramModel model;
        model.setData(nullptr, 0, &set, 100);
        QCOMPARE(model.axis().high, 120.0);
        QCOMPARE(model.counts(kResult, kLuma).back(), std::uint64_t(5));
        QCOMPARE(model.clipping(kResult, kLuma)->high, 100.0);
    }

    void floatAxisIsTheRange() {
        HistogramSet set = graySet(ramp(256), PixelFormat::GrayF32);
        set.low = -0.5;
        set.high = 1.5;
        set.notFinite = 12;
        HistogramModel model;
        model.setData(nullptr, 0, &set, 1.0);
        QVERIFY(!model.axis().integers);
        QCOMPARE(model.axis().left, -0.5);
        QCOMPARE(model.axis().right, 1.5);
        QCOMPARE(model.edge(kResult, 128), 0.5);
        QCOMPARE(model.binAt(kResult, 0.5), 128);
        QVERIFY(!model.clipping(kResult, kLuma));
        QVERIFY(model.caption().contains("12 samples not finite"));
        QCOMPARE(model.axisTitle(), QString("value (float)"));
    }

    void labelsAreNoSums() {
        HistogramSet set = graySet(ramp(256), PixelFormat::Gray32);
        HistogramModel model;
        HistogramZoom zoom;
        model.setData(nullptr, 0, &set, 255, zoom);
        QCOMPARE(model.axisTitle(), QString("sum (32 bits)"));
        zoom.labels = true;
        model.setData(nullptr, 0, &set, 255, zoom);
        QCOMPARE(model.axisTitle(), QString("label (32 bits)"));
        set.format = PixelFormat::Gray64;
        model.setData(nullptr, 0, &set, 255, zoom);
        QCOMPARE(model.axisTitle(), QString("sum (64 bits)"));
    }

    void constantFloatImage() {
        std::vector<std::uint64_t> bins(256, 0);
        bins[0] = 9;
        HistogramSet set = graySet(bins, PixelFormat::GrayF32);
        set.low = set.high = 0.25;
        HistogramModel model;
        model.setData(nullptr, 0, &set, 1.0);
        QVERIFY(model.axis().right > model.axis().left);
        QCOMPARE(model.readout(0.25, ChannelSet::all(), true)[0].count, std::uint64_t(9));
        QVERIFY(!model.valueTicks(4).empty());
    }

    void sourceOfAnotherDepthIsScaled() {
        std::vector<std::uint64_t> wide(65536, 0);
        wide[65535] = 4;
        wide[0] = 4;
        const HistogramSet source = graySet(wide, PixelFormat::Gray16);
        std::vector<std::uint64_t> narrow(256, 0);
        narrow[255] = 8;
        const HistogramSet result = graySet(narrow);
        HistogramModel model;
        model.setData(&source, 65535, &result, 255);
        QVERIFY(model.onAxis(kSource));
        QCOMPARE(model.axis().high, 255.0);
        QVERIFY(qAbs(model.edge(kSource, 256) - 255.0) < 0.01);
        QCOMPARE(model.binAt(kSource, 255.0), 255);
        QCOMPARE(model.toAxis(kSource, 65535), 255.0);
        const auto lines = model.readout(255, ChannelSet::all(), true);
        QCOMPARE(lines.at(1).count, std::uint64_t(4));
        QCOMPARE(lines.at(1).highValue, 65535.0);
        QVERIFY(model.caption().contains("source scaled from 16 bits"));
    }

    void sumsHaveAnAxisOfTheirOwn() {
        const HistogramSet source = graySet(ramp(256));
        HistogramSet result = graySet(ramp(256), PixelFormat::Gray32);
        result.high = 1e6;
        HistogramModel model;
        model.setData(&source, 255, &result, 1e6);
        QVERIFY(!model.onAxis(kSource));
        QVERIFY(model.onAxis(kResult));
        QCOMPARE(model.axis().right, 1e6);
        QVERIFY(model.caption().contains("source not on this axis"));
        QCOMPARE(model.readout(5, ChannelSet::all(), true).size(), std::size_t(1));
    }

    void captionNamesBothCountsWhereTheyDiffer() {
        HistogramSet source = graySet(ramp(256)), result = graySet(ramp(256));
        source.size = {640, 480};
        result.size = {31, 20};
        HistogramModel model;
        model.setData(&source, 255, &result, 255);
        QVERIFY2(model.caption().contains("307,200 pixels of the source, 620 of the result"),
                 qPrintable(model.caption()));
        result.size = source.size;
        model.setData(&source, 255, &result, 255);
        QVERIFY(model.caption().contains(", 307,200 pixels"));
        QVERIFY(!model.caption().contains("of the"));
    }

    void captionSaysWhatWasCounted() {
        HistogramSet set = colorSet();
        set.size = {1920, 1280};
        HistogramModel model;
        model.setData(&set, 255, &set, 255);
        QCOMPARE(model.caption(),
                 QString("256 bins, 2,457,600 pixels, luma 0.299/0.587/0.114 (BT.601)"));
        HistogramSet gray = graySet(ramp(256));
        gray.size = {10, 10};
        model.setData(&gray, 255, &gray, 255);
        QCOMPARE(model.caption(), QString("256 bins, 100 pixels"));
    }

    void ticksEndAtTheHighestValue() {
        const HistogramSet set = graySet(ramp(256));
        HistogramModel model;
        model.setData(nullptr, 0, &set, 255);
        QStringList labels;
        for (const HistogramTick& tick : model.valueTicks(4)) labels << tick.label;
        QCOMPARE(labels, QStringList({"0", "64", "128", "192", "255"}));
        const HistogramSet deep = graySet(ramp(65536), PixelFormat::Gray16);
        model.setData(nullptr, 0, &deep, 65535);
        labels.clear();
        for (const HistogramTick& tick : model.valueTicks(4)) labels << tick.label;
        QCOMPARE(labels, QStringList({"0", "16,384", "32,768", "49,152", "65,535"}));
    }

    void pixelValuesAreWhatTheHistogramCounts() {
        MutableImage image = MutableImage::create(PixelFormat::Rgba8, {2, 1}).value();
        const std::uint8_t samples[] = {10, 200, 30, 255, 255, 255, 255, 0};
        std::copy(std::begin(samples), std::end(samples), image.view<std::uint8_t>().row(0));
        const Image frozen = std::move(image).freeze({});
        const PixelValues v = pixelValues(frozen, {0, 0});
        // (19595 * 10 + 38470 * 200 + 7471 * 30 + 32768) >> 16 = 8146898 >> 16 = 124
        QCOMPARE(v.values[0], std::optional<double>(124));
        QCOMPARE(v.values[1], std::optional<double>(10));
        QCOMPARE(v.values[2], std::optional<double>(200));
        QCOMPARE(v.values[3], std::optional<double>(30));
        QCOMPARE(pixelValues(frozen, {1, 0}).values[0], std::optional<double>(255));
        for (const QPoint outside : {QPoint(-1, -1), QPoint(2, 0), QPoint(0, 1)})
            QVERIFY(!pixelValues(frozen, outside).any());
        QVERIFY(!pixelValues(Image(), {0, 0}).any());
        const Image deep = grayImage(PixelFormat::Gray16, {40000});
        QCOMPARE(pixelValues(deep, {0, 0}).values[0], std::optional<double>(40000));
        const Image real =
            grayImage(PixelFormat::GrayF32, {0.5, std::numeric_limits<double>::quiet_NaN()});
        QCOMPARE(pixelValues(real, {0, 0}).values[0], std::optional<double>(0.5));
        QVERIFY(!pixelValues(real, {1, 0}).any());
    }

    // Random counts, windows of all widths: every shown bin is the sum of the stored ones that it
    // names, and what is beside them is said.
    void zoomShowsTheStoredBins() {
        auto* random = warpscope::test::freshRandom();
        std::vector<std::uint64_t> a(65536), b(65536);
        for (auto* bins : {&a, &b})
            for (auto& bin : *bins) bin = random->bounded(1000);
        const HistogramSet source = graySet(a, PixelFormat::Gray16);
        const HistogramSet result = graySet(b, PixelFormat::Gray16);
        const std::uint64_t total = result.channels[0].total();
        for (int round = 0; round < 50; ++round) {
            const int width = 1 << random->bounded(17);
            const int low = random->bounded(65536 - width + 1);
            HistogramZoom zoom;
            zoom.window = AxisWindow{low - 0.5, low + width - 0.5};
            HistogramModel model;
            model.setData(&source, 65535, &result, 65535, zoom);
            QVERIFY(model.axis().left <= low - 0.5 && model.axis().right >= low + width - 0.5);
            const int group = (width + 255) / 256;
            QVERIFY(model.axis().right - model.axis().left < width + 2 * group);
            std::uint64_t inside = 0;
            for (int bin = 0; bin < model.binCount(kResult); ++bin) {
                const int first = int(std::lround(model.edge(kResult, bin) + 0.5));
                const int end = int(std::lround(model.edge(kResult, bin + 1) + 0.5));
                QCOMPARE(end - first, group);
                const auto sum = [&](const std::vector<std::uint64_t>& bins) {
                    std::uint64_t counted = 0;
                    for (int v = first; v < std::min(end, 65536); ++v)
                        counted += bins[std::size_t(v)];
                    return counted;
                };
                inside += sum(b);
                QCOMPARE(model.counts(kResult, kLuma)[std::size_t(bin)], sum(b));
                QCOMPARE(model.counts(kSource, kLuma)[std::size_t(bin)], sum(a));
            }
            QCOMPARE(inside + model.below(kResult, kLuma) + model.above(kResult, kLuma), total);
            const double middle = (model.axis().left + model.axis().right) / 2;
            const BinReadout r = model.readout(middle, ChannelSet::all(), false)[0];
            std::uint64_t upTo = 0;
            for (int v = 0; v <= int(r.highValue); ++v) upTo += b[std::size_t(v)];
            QCOMPARE(r.percentile, 100.0 * double(upTo) / double(total));
        }
        // Four values on the whole plot: each has its own bin.
        HistogramZoom zoom;
        zoom.window = AxisWindow{4999.5, 5003.5};
        HistogramModel model;
        model.setData(nullptr, 0, &result, 65535, zoom);
        QCOMPARE(model.binCount(kResult), 4);
        QCOMPARE(model.counts(kResult, kLuma)[2], b[5002]);
        QVERIFY2(model.caption().contains("zoomed to 5,000 to 5,003 of 0 to 65,535"),
                 qPrintable(model.caption()));
        // The clipped ends are those of all values.
        QCOMPARE(model.clippedAt().high, 65535.0);
    }

    void binsOfAnotherWidthAreLeftOut() {
        const HistogramSet source = graySet(ramp(256));
        const HistogramSet result = graySet(ramp(65536), PixelFormat::Gray16);
        HistogramModel model;
        model.setData(&source, 255, &result, 65535);
        QVERIFY(model.onAxis(kSource) && !model.binsDiffer());
        // 512 values are two each to a bin: those of 8 bits are 257 apart.
        HistogramZoom zoom;
        zoom.window = AxisWindow{999.5, 1511.5};
        model.setData(&source, 255, &result, 65535, zoom);
        QVERIFY(!model.onAxis(kSource) && model.binsDiffer());
        QVERIFY2(model.caption().contains("its bins are 129 times as wide"),
                 qPrintable(model.caption()));
        QCOMPARE(model.readout(1200, ChannelSet::all(), true).size(), std::size_t(1));
        // 12 bits are put into bins as wide as those of 8.
        std::vector<std::uint64_t> twelve(65536);
        for (std::size_t i = 0; i < 4096; ++i) twelve[i] = i % 5;
        const HistogramSet fine = graySet(twelve, PixelFormat::Gray16);
        model.setData(&fine, 4095, &source, 255);
        QVERIFY(model.onAxis(kSource));
        QVERIFY(std::abs(model.edge(kSource, 1) - model.edge(kSource, 0) - 1) < 0.01);
        // Float over different ranges.
        HistogramSet one = graySet(ramp(256), PixelFormat::GrayF32), two = one;
        one.low = two.low = 0;
        one.high = 1;
        two.high = 3;
        model.setData(&one, 1, &two, 1);
        QVERIFY(model.binsDiffer());
        two.high = 1;
        model.setData(&one, 1, &two, 1);
        QVERIFY(!model.binsDiffer() && model.onAxis(kSource));
    }

    void pixelsBesideACountedRange() {
        std::vector<std::uint64_t> bins(256, 1);
        HistogramSet set = graySet(bins, PixelFormat::GrayF32);
        set.low = 10;
        set.high = 20;
        HistogramZoom zoom;
        zoom.window = AxisWindow{10, 20};
        zoom.whole = AxisWindow{0, 1e30};
        zoom.below[1][0] = 100;
        zoom.above[1][0] = 44;
        HistogramModel model;
        model.setData(nullptr, 0, &set, 1, zoom);
        QVERIFY(model.isZoomed());
        QVERIFY2(model.caption().contains("pixels beside it: 100 below, 44 above"),
                 qPrintable(model.caption()));
        const auto points = model.cumulative(kResult, kLuma);
        QCOMPARE(points.first().y(), 25.0);
        QCOMPARE(points.last().y(), 89.0);
        QCOMPARE(model.readout(20, ChannelSet::all(), false)[0].percentile, 89.0);
    }

    void emptyModel() {
        HistogramModel model;
        QVERIFY(model.isEmpty());
        QVERIFY(model.caption().isEmpty());
        QVERIFY(model.outline(kResult, kLuma, CountScale::Linear, 1).isEmpty());
        QVERIFY(model.readout(0, ChannelSet::all(), true).empty());
        QVERIFY(model.valueTicks(4).empty());
        HistogramSet none;
        model.setData(&none, 255, nullptr, 255);
        QVERIFY(model.isEmpty());
    }
};

WARPSCOPE_TEST(HistogramModelTest)
#include "histogram_model_test.moc"
