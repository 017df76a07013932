// Kernels whose rows are too much for one launch on a device that takes little: blocks of them in
// several launches give the bits of the CPU, and a stop takes effect between them.
#include <algorithm>

#include "kernel_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::cuda;

namespace {

struct Run {
    const char* operation;
    TextParameters parameters;
    const char* variant = "automatic";
};

// A kernel of that many samples on a side, which none of the small ones takes.
std::string largeKernel(int side) {
    std::string text;
    for (int i = 0; i < side * side; ++i) {
        if (i) text += i % side ? " " : ";";
        text += std::to_string(i * 37 % 25 - 9);
    }
    return text;
}

std::vector<Run> runs() {
    std::vector<Run> made;
    for (const char* sigma : {"2", "4", "12"})
        for (const char* variant : {"automatic", "separable_constant", "direct_2d"})
            if (variant != std::string("direct_2d") || sigma != std::string("12"))
                made.push_back({"gaussian_blur", {{"sigma", sigma}}, variant});
    made.push_back({"unsharp_mask", {{"sigma", "9"}}});
    for (const char* radius : {"2", "3", "7"}) made.push_back({"median", {{"radius", radius}}});
    for (const char* radius : {"3", "8"}) {
        made.push_back({"bilateral", {{"radius", radius}}});
        made.push_back({"bilateral", {{"radius", radius}, {"sigma_space", "100"}}});
    }
    for (const char* radius : {"4", "20"}) made.push_back({"guided_filter", {{"radius", radius}}});
    for (const char* radius : {"9", "45", "120"}) {
        made.push_back({"box_mean", {{"radius", radius}}});
        made.push_back({"adaptive_threshold", {{"radius", radius}}});
    }
    made.push_back({"convolve", {{"kernel", largeKernel(9)}, {"divisor", "31"}}});
    made.push_back({"convolve", {{"kernel", largeKernel(13)}}});
    for (const char* shape : {"disk", "square", "cross"})
        for (const char* radius : {"6", "17", "31"})
            made.push_back(
                {"morphology", {{"operation", "gradient"}, {"shape", shape}, {"radius", radius}}});
    for (const char* radius : {"9", "30"})
        made.push_back({"local_statistics", {{"radius", radius}}});
    for (const char* percent : {"40", "170"})
        made.push_back({"resize", {{"method", "lanczos3"}, {"percent", percent}}});
    return made;
}

}  // namespace

class LaunchPiecesTest : public QObject {
    Q_OBJECT

  private:
    DeviceTraits m_traits;

    // `steps`: how often progress was heard of, which is once a piece where there are some.
    static std::string compare(KernelRun& device, const Plan& plan, const Image& image,
                               int& steps) {
        RunContext context;
        context.progress = [&](double) { ++steps; };
        return resultDifference(plan, runPlan(plan, image, Threading::AllCores),
                                device.run(plan, image, context));
    }

  private slots:
    void initTestCase() { REQUIRE_DEVICE(m_traits); }

    void bits_data() {
        QTest::addColumn<int>("major");
        QTest::addColumn<int>("sharedKiB");
        QTest::addColumn<bool>("pools");
        QTest::addColumn<int>("bytesPerLaunch");
        QTest::addColumn<int>("multiprocessors");
        QTest::addColumn<int>("multiplications");
        QTest::newRow("few bytes") << 0 << 0 << true << 2'000 << 0 << 0;
        QTest::newRow("little work") << 0 << 0 << true << 0 << 0 << 40'000;
        QTest::newRow("little work, no tensor units") << 7 << 64 << true << 0 << 0 << 40'000;
        QTest::newRow("little work, one multiprocessor") << 0 << 0 << true << 0 << 1 << 40'000;
    }
    void bits() {
        QFETCH(int, multiplications);
        KernelRun device(inLaunchesOf(deviceOfRow(m_traits), 0, multiplications));
        std::mt19937 random(freshSeed());
        for (const Run& run : runs()) {
            const Operation& operation = *findOperation(run.operation);
            if (!isAskedFor(operation.description())) continue;
            for (const PixelFormat format : kFilterFormats) {
                // Of 8 bits it has kernels of its own, of which a launch may take all.
                if (run.operation == std::string("resize") && bytesPerSample(format) == 1) continue;
                const Size size{int(200 + random() % 200), int(24 + random() % 24)};
                const auto planned = operation.plan(
                    requestFor(operation, run.parameters, format, size, run.variant));
                if (!planned || (*planned)->identity) continue;
                const Image image = makeNoise(format, size, random());
                int steps = 0;
                const std::string difference = compare(device, **planned, image, steps);
                const std::string name =
                    std::string(run.operation) + " " + run.variant + " " +
                    run.parameters.back().second + ", " + std::string(formatName(format)) + " " +
                    std::to_string(size.width) + " x " + std::to_string(size.height) + ": ";
                QVERIFY2(difference.empty(), (name + difference).c_str());
                QVERIFY2(steps > 1, (name + "in one launch").c_str());
            }
        }
    }

    // Rows of its own are for sides beyond those of small images.
    void nearestColumns() {
        if (!isAskedFor(findOperation("distance_transform")->description())) QSKIP("not asked for");
        KernelRun device(inLaunchesOf(m_traits, 0, 20'000'000));
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::RgbaF32}) {
            const Size size{16'500, 5};
            const PlanPtr plan = planFor(*findOperation("distance_transform"), {}, format, size);
            // Many zeros, and so few that whole rows are looked at.
            for (const Image& image : {makeNoise(format, size, freshSeed()),
                                       makeConstant(format, size, fullScale(format))}) {
                int steps = 0;
                REQUIRE_SAME(compare(device, *plan, image, steps));
                QVERIFY(steps > size.height);
            }
        }
    }

    // Rows in shared memory by squares, by distances where those are too many, or not at all.
    void rowsOfEachLength() {
        if (!isAskedFor(findOperation("distance_transform")->description())) QSKIP("not asked for");
        KernelRun device(inLaunchesOf(m_traits, 0, 20'000'000));
        for (const int width : {11'775, 11'776, 11'777, 16'384, 16'385}) {
            const Size size{width, 67};
            MutableImage few = orThrow(MutableImage::create(PixelFormat::Gray8, size));
            const auto view = few.view<std::uint8_t>();
            for (int y = 0; y < size.height; ++y) std::fill_n(view.row(y), width, 9);
            for (const int x : {3, width / 3, width - 1}) view.row(x % size.height)[x] = 0;
            const Image image = std::move(few).freeze({});
            for (const char* output : {"squared", "distance"}) {
                const PlanPtr plan = planFor(*findOperation("distance_transform"),
                                             {{"output", output}}, image.format(), size);
                int steps = 0;
                REQUIRE_SAME(compare(device, *plan, image, steps));
            }
        }
    }

    // Luma is the same everywhere, so that blue becomes its mean over a board of 100 and 101,
    // within a millionth of half a level: samples are made once more, in far more than one launch.
    void ties() {
        const Operation& operation = *findOperation("guided_filter");
        if (!isAskedFor(operation.description())) QSKIP("not asked for");
        const Size size{203, 95};
        MutableImage board = orThrow(MutableImage::create(PixelFormat::Rgba8, size));
        const auto view = board.view<std::uint8_t>();
        for (int y = 0; y < size.height; ++y)
            for (int x = 0; x < size.width; ++x)
                for (int c = 0; c < 4; ++c)
                    view.row(y)[4 * x + c] = std::uint8_t(c == 2 ? 100 + (x + y) % 2 : 100);
        const Image image = std::move(board).freeze({});
        for (const int multiplications : {0, 3'000'000}) {
            KernelRun device(inLaunchesOf(m_traits, 0, multiplications));
            for (const char* radius : {"20", "30"}) {
                const PlanPtr plan = planFor(operation, {{"radius", radius}}, image.format(), size);
                int steps = 0;
                REQUIRE_SAME(compare(device, *plan, image, steps));
            }
        }
    }

    void stopsBetweenPieces() {
        KernelRun device(inLaunchesOf(m_traits, 0, 40'000));
        // A single row of blocks: bands alone would be one launch.
        const Image image = makeNoise(PixelFormat::Gray16, {2000, 1}, 3);
        for (const Run& run :
             {Run{"median", {{"radius", "5"}}}, Run{"bilateral", {{"radius", "9"}}},
              Run{"morphology", {{"shape", "disk"}, {"radius", "20"}}}}) {
            const PlanPtr plan = planFor(*findOperation(run.operation), run.parameters,
                                         image.format(), image.size());
            StopAt stop(2);
            QVERIFY_THROWS_EXCEPTION(Stopped, device.run(*plan, image, stop.context));
            QCOMPARE(stop.launches, 2);
        }
    }
};

WARPSCOPE_TEST(LaunchPiecesTest)
#include "launch_pieces_test.moc"
