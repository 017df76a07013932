// Variants that are wrong on purpose do on the GPU what they do on the CPU; the one without a
// barrier loses pixels, which ones nobody knows.
#include "engine/operations/analysis/histogram.h"
#include "gpu_support.h"
#include "kernel_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::cuda;

class WrongOnPurposeTest : public QObject {
    Q_OBJECT

  private:
    DeviceTraits m_traits;

    static constexpr Size kSizes[] = {{1, 1},    {31, 33},  {32, 64},  {97, 95},
                                      {1025, 7}, {2049, 3}, {4097, 2}, {33, 700}};

    void compare(KernelRun& device, const Operation& operation, const std::string& variant,
                 const Image& image) {
        const PlanPtr plan = planFor(operation, {}, image.format(), image.size(), variant);
        if (plan->identity) return;
        compareSamples(runPlan(*plan, image), device.run(*plan, image),
                       operation.description().id + " " + variant);
    }

  private slots:
    void initTestCase() { REQUIRE_DEVICE(m_traits); }

    void filtersEqualTheCpu_data() { addDeviceRows(); }
    void filtersEqualTheCpu() {
        KernelRun device(deviceOfRow(m_traits));
        const std::uint32_t seed = freshSeed();
        for (const Operation* operation : allOperations()) {
            const OperationDescription& d = operation->description();
            if (d.kind != OperationKind::Filter) continue;
            for (const VariantSpec& variant : d.wrongVariants)
                for (const PixelFormat format : kGpuFormats)
                    for (const Size size : kSizes) {
                        compare(device, *operation, variant.id, makeNoise(format, size, seed));
                        if (QTest::currentTestFailed()) return;
                    }
        }
    }

    void countersOverflowAsOnTheCpu_data() { addDeviceRows(); }
    void countersOverflowAsOnTheCpu() {
        const Operation& operation = *findOperation("histogram");
        KernelRun device(deviceOfRow(m_traits));
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
            for (const Size size : kSizes)
                for (const Image& image : {makeConstant(format, size, 9), makeRamp(format, size)}) {
                    const PlanPtr plan = planFor(operation, {{"channel", "all"}}, format, size,
                                                 "wrong_8bit_counters");
                    const auto& counting = static_cast<const HistogramPlan&>(*plan);
                    const HistogramSet expected =
                        orThrow(countCpu(counting, image, CpuContext{Threading::Single, {}, {}}));
                    const auto bins = device.count(counting, image, int(expected.channels.size()));
                    auto at = bins.begin();
                    for (const Histogram& histogram : expected.channels) {
                        QVERIFY(std::equal(histogram.bins.begin(), histogram.bins.end(), at));
                        at += 256;
                    }
                }
    }

    // At most what is there, and less of it.
    void withoutABarrierPixelsAreLost() {
        const Operation& operation = *findOperation("histogram");
        KernelRun device(m_traits);
        const Image image = makeNoise(PixelFormat::Gray8, {4096, 64}, freshSeed());
        const auto binsOf = [&](const char* variant) {
            const PlanPtr plan = planFor(operation, {}, image.format(), image.size(), variant);
            return device.count(static_cast<const HistogramPlan&>(*plan), image, 1);
        };
        const auto right = binsOf("automatic"), wrong = binsOf("wrong_missing_barrier");
        std::uint64_t counted = 0;
        for (std::size_t k = 0; k < 256; ++k) {
            QVERIFY(wrong[k] <= right[k]);
            counted += wrong[k];
        }
        QVERIFY(counted < std::uint64_t(image.size().pixels()));
    }

    void arithmeticPeak() {
        const auto backend = requireBackend();
        const ArithmeticPeak peak = orThrow(backend->arithmeticPeak({}));
        QVERIFY(peak.floatGops > 0);
        qInfo("%.0f Gop/s", peak.floatGops);
        std::stop_source stopped;
        stopped.request_stop();
        RunContext context;
        context.stop = stopped.get_token();
        const auto none = backend->arithmeticPeak(context);
        QVERIFY(!none && none.error().code == ErrorCode::Cancelled);
    }
};

WARPSCOPE_TEST(WrongOnPurposeTest)
#include "wrong_on_purpose_test.moc"
