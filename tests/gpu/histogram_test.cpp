// Counting on the GPU: every set of channels, the traps of the published ways, many launches.
#include "kernel_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::cuda;

class HistogramTest : public QObject {
    Q_OBJECT

  private:
    DeviceTraits m_traits;
    int m_compared = 0;

    void compareCounts(KernelRun& device, const Image& image, const std::string& name) {
        if (bytesPerSample(image.format()) > 1) return;
        const Operation& operation = *findOperation("histogram");
        for (const char* channel : {"luma", "red", "all"}) {
            const PlanPtr automatic =
                planFor(operation, {{"channel", channel}}, image.format(), image.size());
            const HistogramSet expected =
                orThrow(countCpu(static_cast<const HistogramPlan&>(*automatic), image,
                                 CpuContext{Threading::Single, {}, {}}));
            for (const std::string& variant : publishedVariants("histogram")) {
                const PlanPtr plan = planFor(operation, {{"channel", channel}}, image.format(),
                                             image.size(), variant);
                const auto bins = device.count(static_cast<const HistogramPlan&>(*plan), image,
                                               int(expected.channels.size()));
                auto at = bins.begin();
                for (const Histogram& histogram : expected.channels) {
                    const bool same = std::equal(histogram.bins.begin(), histogram.bins.end(), at);
                    QVERIFY2(same, (variant + ", " + channel + ", " + name).c_str());
                    at += 256;
                }
                ++m_compared;
            }
        }
    }

  private slots:
    void initTestCase() { REQUIRE_DEVICE(m_traits); }
    void cleanup() {
        if (m_compared) qInfo("%d comparisons", m_compared);
        m_compared = 0;
    }

    // Sets of channels that no single parameter asks for, too.
    void everyChannelSet_data() { addFormatRows(); }
    void everyChannelSet() {
        QFETCH(int, format);
        const auto gpu = requireBackend();
        std::vector<NamedImage> images = warpscope::test::awkwardImages(PixelFormat(format));
        for (const int width : {31, 257, 1023, 1040})
            images.push_back({"width " + std::to_string(width),
                              makeNoise(PixelFormat(format), {width, 67}, std::uint32_t(width))});
        images.push_back({"4K", makePhotograph(PixelFormat(format), {3840, 2160})});
        for (const NamedImage& named : images) {
            const BufferPtr buffer = orThrow(gpu->upload(named.image, {}));
            for (const ChannelSet channels :
                 {ChannelSet{}, ChannelSet::all(), ChannelSet{false, true, true, true},
                  ChannelSet::only(HistogramChannel::Red),
                  ChannelSet::only(HistogramChannel::Green),
                  ChannelSet::only(HistogramChannel::Blue), ChannelSet{true, false, true, false}}) {
                const PlanPtr plan =
                    orThrow(planHistogram(channels, named.image.format(), named.image.size()));
                const HistogramSet expected =
                    orThrow(countCpu(static_cast<const HistogramPlan&>(*plan), named.image,
                                     CpuContext{Threading::Single, {}, {}}));
                const std::string difference = test::firstDifference(
                    expected, std::get<HistogramSet>(orThrow(gpu->analyze(*plan, buffer, {}))));
                QVERIFY2(difference.empty(), (named.name + ": " + difference).c_str());
                ++m_compared;
            }
        }
    }

    // The texts merge the counts of blocks while other blocks still count, and read what another
    // block has not written yet; launches that follow each other must leave nothing out either.
    void trapBlocksThatRace() {
        KernelRun device(inLaunchesOf(m_traits, 50'000));
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
            compareCounts(device, makeNoise(format, {333, 217}, 3), "many launches");
    }

    // A thread of the OpenCL text's kernel has 8-bit counters: 256 equal pixels overflow them.
    void trap256EqualPixels() {
        KernelRun device(m_traits);
        for (const int width : {254, 255, 256, 257, 32639, 32640, 32641, 65280, 70000})
            compareCounts(device, makeConstant(PixelFormat::Gray8, {width, 3}, 93),
                          "constant, width " + std::to_string(width));
    }

    // The CUDA text counts whole blocks of 8,192 pixels.
    void trapSizesThatAreNotMultiplesOf8192() {
        KernelRun device(m_traits);
        for (const int width : {1, 63, 64, 8191, 8192, 8193, 16385})
            compareCounts(device, makeNoise(PixelFormat::Gray8, {width, 1}, 5),
                          "noise, width " + std::to_string(width));
    }

    void countingInManyLaunches() {
        KernelRun bench(inLaunchesOf(m_traits, 50'000));
        for (const PixelFormat format : kGpuFormats) {
            const Image image = makeNoise(format, {333, 217}, 3);
            const PlanPtr plan = orThrow(planHistogram(ChannelSet::all(), format, image.size()));
            const auto& counting = static_cast<const HistogramPlan&>(*plan);
            const HistogramSet expected =
                orThrow(countCpu(counting, image, CpuContext{Threading::Single, {}, {}}));
            const auto bins = bench.count(counting, image, int(expected.channels.size()));
            auto at = bins.begin();
            for (const Histogram& histogram : expected.channels) {
                const std::vector<std::uint64_t> part(at, at + counting.binCount);
                QVERIFY(part == histogram.bins);
                at += counting.binCount;
            }
        }
    }

    // Counters are cleared by the launch that hands them out; a count that was stopped half-way
    // must not show in the next one.
    void stoppedCountLeavesNothing() {
        KernelRun bench(inLaunchesOf(m_traits, 50'000));
        const Image image = makeNoise(PixelFormat::Gray8, {1000, 1000}, 3);
        const PlanPtr plan = orThrow(planHistogram({}, image.format(), image.size()));
        const auto& counting = static_cast<const HistogramPlan&>(*plan);
        StopAt stop(5);
        QVERIFY_THROWS_EXCEPTION(Stopped, bench.count(counting, image, 1, stop.context));
        QCOMPARE(stop.launches, 5);
        const HistogramSet expected =
            orThrow(countCpu(counting, image, CpuContext{Threading::Single, {}, {}}));
        QVERIFY(bench.count(counting, image, 1) == expected.channels.at(0).bins);
    }
};

WARPSCOPE_TEST(HistogramTest)
#include "histogram_test.moc"
