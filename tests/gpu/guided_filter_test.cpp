// The guided filter on the GPU gives the bits of the CPU, although it adds up in another order:
// what lies close to half a level is made again.
#include "kernel_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::cuda;

class GuidedFilterTest : public QObject {
    Q_OBJECT

  private:
    DeviceTraits m_traits;

    void compare(KernelRun& device, const Image& image, int radius, const std::string& epsilon) {
        const PlanPtr plan = planFor(*findOperation("guided_filter"),
                                     {{"radius", std::to_string(radius)}, {"epsilon", epsilon}},
                                     image.format(), image.size());
        const std::string difference = test::firstDifference(
            runPlan(*plan, image, Threading::AllCores), device.run(*plan, image));
        QVERIFY2(difference.empty(), ("radius " + std::to_string(radius) + ", epsilon " + epsilon +
                                      ", " + std::string(formatName(image.format())) + " " +
                                      std::to_string(image.size().width) + " x " +
                                      std::to_string(image.size().height) + ": " + difference)
                                         .c_str());
    }

  private slots:
    void initTestCase() { REQUIRE_DEVICE(m_traits); }

    // Radii around the limits of the kernels, sizes around the strips.
    void radiiAndSizes_data() { addDeviceRows(); }
    void radiiAndSizes() {
        KernelRun device(deviceOfRow(m_traits));
        std::mt19937 random(freshSeed());
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
            for (const int radius : {1, 2, 3, 4, 7, 8, 11, 12, 13, 14, 15, 16, 50, 100})
                for (const Size size : {Size{1, 1}, Size{int(1 + random() % 150), 3},
                                        Size{2, int(1 + random() % 300)},
                                        Size{int(90 + random() % 60), int(1 + random() % 200)},
                                        Size{int(280 + random() % 250), int(1 + random() % 90)}}) {
                    const Image image = random() % 2 ? makeNoise(format, size, random())
                                                     : makePhotograph(format, size, random());
                    compare(device, image, radius, random() % 2 ? "100" : "2.5");
                    if (QTest::currentTestFailed()) return;
                }
    }

    // A small epsilon lets a and b of colours become large, and results be known less well: some
    // hundred samples are made again.
    void closeToHalves() {
        KernelRun device(m_traits);
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
            for (const int radius : {1, 8, 40})
                for (const char* epsilon : {"0.1", "100", "10000"}) {
                    compare(device, makeNoise(format, {701, 503}, freshSeed()), radius, epsilon);
                    compare(device, makeConstant(format, {300, 200}, 255), radius, epsilon);
                    if (QTest::currentTestFailed()) return;
                }
    }
};

WARPSCOPE_TEST(GuidedFilterTest)
#include "guided_filter_test.moc"
