// Kernels, bands and memory that this machine's GPU would not choose by itself: as an older device
// sees them, and cut into many launches.
#include "kernel_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::cuda;

class OtherDevicesTest : public QObject {
    Q_OBJECT

  private:
    DeviceTraits m_traits;

  private slots:
    void initTestCase() { REQUIRE_DEVICE(m_traits); }

    void filters_data() { addDeviceRows(); }
    void filters() {
        KernelRun device(deviceOfRow(m_traits));
        const std::vector<Case> cases = casesFromTheList(OperationKind::Filter, Numbers::AsTheyAre);
        for (const PixelFormat format : kFilterFormats) {
            for (const Size size : {Size{1, 1}, Size{333, 217}, Size{768, 256}, Size{5, 700}}) {
                const Image image = makeNoise(format, size, 11);
                for (const Case& one : cases) {
                    if (!one.operation->description().acceptsFormat(format)) continue;
                    const auto planned = one.operation->plan(
                        requestFor(*one.operation, one.parameters, format, size));
                    if (!planned) continue;  // a rectangle beyond the image
                    const PlanPtr plan = *planned;
                    if (plan->identity) continue;
                    const std::string difference =
                        resultDifference(*plan, runPlan(*plan, image, Threading::AllCores),
                                         device.run(*plan, image));
                    QVERIFY2(difference.empty(), (one.name + ": " + difference).c_str());
                }
            }
        }
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
};

WARPSCOPE_TEST(OtherDevicesTest)
#include "other_devices_test.moc"
