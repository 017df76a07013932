// Kernels and bands that this machine's GPU would not choose by itself: as an older device sees
// them, and cut into many launches.
#include "cuda_kernels/runtime/runner.h"
#include "cuda_kernels/runtime/transfers.h"
#include "gpu_support.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::cuda;

namespace {

// Runs kernels without a backend, on a device context of its own making.
class Bench {
  public:
    explicit Bench(const DeviceTraits& traits)
        : m_device(std::make_shared<DeviceContext>(traits)), m_transfers(*m_device) {}

    Image run(const Plan& plan, const Image& image, const RunContext& context = {}) {
        const auto info = std::make_shared<const ImageInfo>();
        const DeviceBuffer in(m_device, image.format(), image.size(), info);
        const DeviceBuffer out(m_device, plan.output, plan.size, info);
        // What a kernel forgets to write shows.
        WARPSCOPE_CUDA(
            cudaMemsetAsync(out.image().data, 0xa5, out.byteCount(), m_device->stream()));
        m_transfers.upload(image, in.image(), {}, {});
        KernelContext kernels(*m_device, context);
        findRunner(plan.operation->description().id)->run(kernels, plan, in.image(), out.image());
        MutableImage result = orThrow(MutableImage::create(plan.output, plan.size));
        m_transfers.download(out.image(), result, {}, {});
        return std::move(result).freeze({});
    }

    std::vector<std::uint64_t> count(const HistogramPlan& plan, const Image& image, int channels,
                                     const RunContext& context = {}) {
        const auto info = std::make_shared<const ImageInfo>();
        const DeviceBuffer in(m_device, image.format(), image.size(), info);
        m_transfers.upload(image, in.image(), {}, {});
        KernelContext kernels(*m_device, context);
        std::vector<std::uint64_t> bins(std::size_t(channels * plan.binCount));
        const DeviceMemory device = kernels.allocate(bins.size() * 8);
        findRunner("histogram")->count(kernels, plan, in.image(), device.as<unsigned long long>());
        m_transfers.downloadBytes(device.as<void>(), bins.data(), bins.size() * 8, {});
        return bins;
    }

  private:
    std::shared_ptr<DeviceContext> m_device;
    Transfers m_transfers;
};

}  // namespace

class PathsTest : public QObject {
    Q_OBJECT

  private:
    DeviceTraits m_traits;

  private slots:
    void initTestCase() {
        REQUIRE_GPU();
        WARPSCOPE_CUDA(cudaSetDevice(0));
        m_traits = DeviceTraits::query(0);
    }

    void filters_data() {
        QTest::addColumn<int>("major");
        QTest::addColumn<int>("sharedKiB");
        QTest::addColumn<bool>("pools");
        QTest::addColumn<int>("bytesPerLaunch");
        QTest::newRow("as it is") << 0 << 0 << true << 0;
        QTest::newRow("no tensor units, own pool") << 7 << 64 << false << 0;
        QTest::newRow("little shared memory") << 8 << 99 << true << 0;
        QTest::newRow("many launches") << 0 << 0 << true << 60'000;
        QTest::newRow("many launches, no tensor units") << 7 << 64 << true << 60'000;
    }
    void filters() {
        QFETCH(int, major);
        QFETCH(int, sharedKiB);
        QFETCH(bool, pools);
        QFETCH(int, bytesPerLaunch);
        DeviceTraits traits = m_traits;
        if (major) traits.major = std::min(major, traits.major);
        if (sharedKiB)
            traits.sharedPerBlock =
                std::min<std::size_t>(traits.sharedPerBlock, std::size_t(sharedKiB) << 10);
        traits.driverPools = traits.driverPools && pools;
        if (bytesPerLaunch) traits.bytesPerLaunch = bytesPerLaunch;
        Bench bench(traits);
        for (const PixelFormat format :
             {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16, PixelFormat::Rgba16}) {
            for (const Size size : {Size{1, 1}, Size{333, 217}, Size{768, 256}, Size{5, 700}}) {
                const Image image = makeNoise(format, size, 11);
                for (const Case& one : filterCases()) {
                    const PlanPtr plan =
                        planFor(*one.operation, one.parameters, format, image.size());
                    if (plan->identity) continue;
                    const std::string difference =
                        test::firstDifference(runPlan(*plan, image), bench.run(*plan, image));
                    QVERIFY2(difference.empty(), (one.name + ": " + difference).c_str());
                }
            }
        }
    }

    // The Gaussian of 16-bit samples: radii around its groups of eight taps, sizes around segments
    // and tiles; strips of columns, bands and launches of a few rows.
    void wideGaussian_data() {
        QTest::addColumn<int>("format");
        QTest::addColumn<int>("bytesPerLaunch");
        QTest::addColumn<int>("multiplicationsPerLaunch");
        for (const PixelFormat format : {PixelFormat::Gray16, PixelFormat::Rgba16}) {
            const std::string name(formatName(format));
            QTest::newRow((name + ", at once").c_str()) << int(format) << 0 << 0;
            QTest::newRow((name + ", strips and bands").c_str()) << int(format) << 60'000 << 0;
            QTest::newRow((name + ", strips").c_str()) << int(format) << 4'000'000 << 0;
            QTest::newRow((name + ", little work a launch").c_str())
                << int(format) << 0 << 1'000'000;
        }
    }
    void wideGaussian() {
        QFETCH(int, format);
        QFETCH(int, bytesPerLaunch);
        QFETCH(int, multiplicationsPerLaunch);
        DeviceTraits traits = m_traits;
        if (bytesPerLaunch) traits.bytesPerLaunch = bytesPerLaunch;
        if (multiplicationsPerLaunch) traits.multiplicationsPerLaunch = multiplicationsPerLaunch;
        Bench bench(traits);
        const Operation& operation = *findOperation("gaussian_blur");
        const auto compare = [&](Size size, const TextParameters& parameters) {
            const Image image = makeNoise(PixelFormat(format), size, 17);
            const PlanPtr plan = planFor(operation, parameters, image.format(), size);
            double done = 0;
            bool forwards = true;
            RunContext context;
            context.progress = [&](double now) {
                forwards = forwards && now > done;
                done = now;
            };
            const std::string difference =
                test::firstDifference(runPlan(*plan, image), bench.run(*plan, image, context));
            const std::string name = std::to_string(size.width) + " x " +
                                     std::to_string(size.height) + ", size " +
                                     parameters.back().second + ": ";
            QVERIFY2(difference.empty(), (name + difference).c_str());
            QVERIFY2(forwards && done == 1.0, (name + "progress").c_str());
        };
        for (const char* taps : {"3", "15", "17", "19", "31", "33", "35", "49"})
            for (const Size size : {Size{1, 1}, Size{1, 90}, Size{90, 1}, Size{31, 63},
                                    Size{33, 65}, Size{257, 129}, Size{520, 8}})
                compare(size, {{"sigma", "9"}, {"size", taps}});
        for (const int width : {7, 8, 9, 32, 255, 256, 258, 511, 512, 513})
            compare({width, 66}, {{"sigma", "2"}, {"size", "9"}});
        for (const int height : {7, 8, 9, 63, 64, 65, 127, 128, 129, 700})
            compare({35, height}, {{"sigma", "2"}, {"size", "9"}});
        compare({300, 150}, {{"sigma", "100"}, {"size", "1001"}});
    }

    // Both kinds of pool keep what is released, hand it out again and give it back on demand.
    void pools() {
        for (const bool driver : {false, true}) {
            if (driver && !m_traits.driverPools) continue;
            const Stream stream = Stream::create();
            DevicePool pool(m_traits.index, stream.get(), driver);
            constexpr std::size_t kBytes = std::size_t(64) << 20;
            {
                const DeviceMemory memory(pool, kBytes);
                QCOMPARE(pool.liveBytes(), std::uint64_t(kBytes));
                QVERIFY(memory.as<void>() != nullptr);
                QVERIFY(pool.pooledBytes() < kBytes);
            }
            WARPSCOPE_CUDA(cudaStreamSynchronize(stream.get()));
            QCOMPARE(pool.liveBytes(), std::uint64_t(0));
            QVERIFY(pool.pooledBytes() >= kBytes);
            { const DeviceMemory again(pool, kBytes - 1000); }
            WARPSCOPE_CUDA(cudaStreamSynchronize(stream.get()));
            QVERIFY(pool.pooledBytes() < 2 * kBytes);
            pool.trim();
            QCOMPARE(pool.pooledBytes(), std::uint64_t(0));
        }
    }

    void countingInManyLaunches() {
        DeviceTraits traits = m_traits;
        traits.bytesPerLaunch = 50'000;
        Bench bench(traits);
        for (const PixelFormat format :
             {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16, PixelFormat::Rgba16}) {
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
        DeviceTraits traits = m_traits;
        traits.bytesPerLaunch = 50'000;
        Bench bench(traits);
        const Image image = makeNoise(PixelFormat::Gray8, {1000, 1000}, 3);
        const PlanPtr plan = orThrow(planHistogram({}, image.format(), image.size()));
        const auto& counting = static_cast<const HistogramPlan&>(*plan);
        std::stop_source stop;
        RunContext context;
        context.stop = stop.get_token();
        int launches = 0;
        context.progress = [&](double) {
            if (++launches == 5) stop.request_stop();
        };
        QVERIFY_THROWS_EXCEPTION(Stopped, bench.count(counting, image, 1, context));
        QCOMPARE(launches, 5);
        const HistogramSet expected =
            orThrow(countCpu(counting, image, CpuContext{Threading::Single, {}, {}}));
        QVERIFY(bench.count(counting, image, 1) == expected.channels.at(0).bins);
    }
};

WARPSCOPE_TEST(PathsTest)
#include "paths_test.moc"
