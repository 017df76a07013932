// CLAHE on the GPU: tiles of any number and size, those that reach beyond the image too.
#include "kernel_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::cuda;

class ClaheTest : public QObject {
    Q_OBJECT

  private:
    DeviceTraits m_traits;

    static int upTo(std::mt19937& random, int most) { return 1 + int(random() % unsigned(most)); }

  private slots:
    void initTestCase() { REQUIRE_DEVICE(m_traits); }

    void randomTiles_data() { addDeviceRows(); }
    void randomTiles() {
        KernelRun device(deviceOfRow(m_traits));
        std::mt19937 random(freshSeed());
        for (int trial = 0; trial < 60; ++trial) {
            const PixelFormat format = trial % 4 == 3   ? PixelFormat::Gray16
                                       : trial % 2 == 1 ? PixelFormat::Rgba8
                                                        : PixelFormat::Gray8;
            const Size size{upTo(random, 700), upTo(random, 400)};
            const int most = trial % 3 ? 12 : 64;
            const char* clips[] = {"0", "0.1", "2", "7.3", "40"};
            const PlanPtr plan = planFor(*findOperation("clahe"),
                                         {{"tiles_x", std::to_string(upTo(random, most))},
                                          {"tiles_y", std::to_string(upTo(random, most))},
                                          {"clip", clips[random() % std::size(clips)]},
                                          {"channels", trial % 5 ? "luma" : "each"}},
                                         format, size);
            const Image image = trial % 2 ? makePhotograph(format, size)
                                          : makeNoise(format, size, std::uint32_t(random()));
            const std::string difference = test::firstDifference(
                runPlan(*plan, image, Threading::AllCores), device.run(*plan, image));
            QVERIFY2(difference.empty(),
                     (std::string(formatName(format)) + " " + std::to_string(size.width) + " x " +
                      std::to_string(size.height) + ": " + difference)
                         .c_str());
        }
    }

    // A single tile, and flat images, which are one level.
    void flat() {
        KernelRun device(m_traits);
        const Size size{1031, 517};
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
            for (const double level : {0.0, 1.0, 128.0, 255.0})
                for (const char* tiles : {"1", "8"}) {
                    const Image image = makeConstant(format, size, level);
                    const PlanPtr plan =
                        planFor(*findOperation("clahe"), {{"tiles_x", tiles}, {"tiles_y", tiles}},
                                format, size);
                    REQUIRE_SAME(
                        test::firstDifference(runPlan(*plan, image), device.run(*plan, image)));
                }
    }
};

WARPSCOPE_TEST(ClaheTest)
#include "clahe_test.moc"
