// The median of 3 x 3 where rows are whole pieces of a thread's pixels: rows of one piece, whose
// thread is at both edges, and of a few, in bands and at once. On a device of one multiprocessor
// images of 56 pieces are large enough for that.
#include "kernel_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::cuda;

class MedianTest : public QObject {
    Q_OBJECT

  private:
    DeviceTraits m_traits;

  private slots:
    void initTestCase() { REQUIRE_DEVICE(m_traits); }

    void wholePieces_data() {
        QTest::addColumn<int>("bytesPerLaunch");
        QTest::addColumn<int>("multiprocessors");
        QTest::newRow("at once") << 0 << 1;
        QTest::newRow("bands") << 20'000 << 1;
        QTest::newRow("more room than blocks") << 0 << 20;
    }
    void wholePieces() {
        QFETCH(int, bytesPerLaunch);
        QFETCH(int, multiprocessors);
        DeviceTraits traits = inLaunchesOf(m_traits, bytesPerLaunch);
        traits.multiprocessors = multiprocessors;
        KernelRun device(traits);
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Gray16})
            for (const Size size : {Size{8, 911}, Size{16, 449}, Size{24, 403}, Size{32, 1201},
                                    Size{48, 701}, Size{400, 1}, Size{640, 483}, Size{1040, 2}})
                for (const char* operation : {"median", "despeckle"}) {
                    const Image image = makeNoise(format, size, freshSeed());
                    const PlanPtr plan =
                        planFor(*findOperation(operation), {{"radius", "1"}}, format, size);
                    const std::string difference = test::firstDifference(
                        runPlan(*plan, image, Threading::AllCores), device.run(*plan, image));
                    QVERIFY2(difference.empty(),
                             (std::string(operation) + ", " + std::string(formatName(format)) +
                              ", " + std::to_string(size.width) + " wide: " + difference)
                                 .c_str());
                }
    }
};

WARPSCOPE_TEST(MedianTest)
#include "median_test.moc"
