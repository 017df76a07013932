// The Gaussian on the GPU gives the bits of the CPU: radii that reach its different kernels, the
// published ways, older devices and many launches.
#include "cuda_kernels/smoothing/gaussian_blur_choice.h"
#include "kernel_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::cuda;

class GaussianBlurTest : public QObject {
    Q_OBJECT

  private:
    DeviceTraits m_traits;
    int m_compared = 0;

    void compareBlurs(KernelRun& device, const Image& image, const std::string& name) {
        const Operation& operation = *findOperation("gaussian_blur");
        for (const char* size : {"3", "9", "31", "0"}) {
            const TextParameters parameters = {{"sigma", size[0] == '0' ? "30" : "2"},
                                               {"size", size}};
            const PlanPtr automatic = planFor(operation, parameters, image.format(), image.size());
            const Image expected = runPlan(*automatic, image);
            for (const std::string& variant : publishedVariants("gaussian_blur")) {
                if (variant == "direct_2d" && size[0] == '0') continue;
                const PlanPtr plan =
                    planFor(operation, parameters, image.format(), image.size(), variant);
                const std::string difference =
                    test::firstDifference(expected, device.run(*plan, image));
                QVERIFY2(difference.empty(),
                         (variant + ", size " + size + ", " + name + ": " + difference).c_str());
                ++m_compared;
            }
        }
    }

    // Radii around the limits of the kernels.
    void compareRadii(KernelRun& device, const Image& image, const std::string& name,
                      const std::vector<const char*>& sigmas) {
        std::vector<TextParameters> sets;
        for (const char* sigma : sigmas) sets.push_back({{"sigma", sigma}});
        sets.push_back({{"sigma", "20"}, {"size", "3"}});
        if (sigmas.back() == kSigmas.back()) sets.push_back({{"sigma", "100"}, {"size", "1001"}});
        for (const TextParameters& set : sets) {
            const PlanPtr plan =
                planFor(*findOperation("gaussian_blur"), set, image.format(), image.size());
            if (plan->identity) continue;
            const std::string difference = test::firstDifference(
                runPlan(*plan, image, Threading::AllCores), device.run(*plan, image));
            QVERIFY2(difference.empty(),
                     (name + ", sigma " + set.front().second + ": " + difference).c_str());
            ++m_compared;
        }
    }
    inline static const std::vector<const char*> kSigmas = {
        "0.3", "0.8",  "1",    "1.6", "2.6", "2.7", "5",  "5.4",
        "8",   "10.5", "10.7", "15",  "20",  "33",  "50", "100"};

  private slots:
    void initTestCase() { REQUIRE_DEVICE(m_traits); }
    void cleanup() {
        if (m_compared) qInfo("%d comparisons", m_compared);
        m_compared = 0;
    }

    void awkwardImages_data() { addFormatRows(); }
    void awkwardImages() {
        QFETCH(int, format);
        KernelRun device(m_traits);
        for (const NamedImage& named : warpscope::test::awkwardImages(PixelFormat(format))) {
            compareBlurs(device, named.image, named.name);
            compareRadii(device, named.image, named.name, kSigmas);
            if (QTest::currentTestFailed()) return;
        }
    }

    // Widths around the strips, tiles and vectors of the kernels.
    void widthsAroundTiles_data() { addFormatRows(); }
    void widthsAroundTiles() {
        QFETCH(int, format);
        KernelRun device(m_traits);
        for (const int width :
             {15, 16, 17, 31, 32, 33, 63, 65, 97, 128, 255, 256, 257, 1023, 1025, 1040}) {
            compareRadii(device, makeNoise(PixelFormat(format), {width, 67}, std::uint32_t(width)),
                         "width " + std::to_string(width), kSigmas);
            if (QTest::currentTestFailed()) return;
        }
    }

    void olderDevices_data() { addDeviceRows(); }
    void olderDevices() {
        KernelRun device(deviceOfRow(m_traits));
        for (const PixelFormat format : kGpuFormats)
            for (const Size size : {Size{1, 1}, Size{333, 217}, Size{768, 256}, Size{5, 700}}) {
                const Image image = makeNoise(format, size, 11);
                const std::string name =
                    std::to_string(size.width) + " x " + std::to_string(size.height);
                compareRadii(device, image, name, kSigmas);
                compareBlurs(device, image, name);
                if (QTest::currentTestFailed()) return;
            }
    }

    // The widest windows take the CPU long and are compared elsewhere; so does on the CPU a narrow
    // row of 16-bit samples.
    void extremeShapes_data() { addFormatRows(); }
    void extremeShapes() {
        QFETCH(int, format);
        KernelRun device(m_traits);
        std::vector<const char*> sigmas = {"1", "5"};
        if (bytesPerSample(PixelFormat(format)) == 1)
            sigmas.assign(kSigmas.begin(), kSigmas.end() - 2);
        for (const Size size : {Size{1, kMaxSide}, Size{kMaxSide, 1}, Size{3, 300'001}}) {
            compareRadii(device, makeNoise(PixelFormat(format), size, 5),
                         std::to_string(size.width) + " wide", sigmas);
            if (QTest::currentTestFailed()) return;
        }
    }

    // Blocks whose shares go on in the next strip (blur_shares.h): few multiprocessors, a last
    // strip that reaches over the edge, in one band and in several.
    void sharesAcrossStrips_data() {
        QTest::addColumn<int>("multiprocessors");
        QTest::addColumn<int>("bytesPerLaunch");
        QTest::newRow("5 multiprocessors") << 5 << 0;
        QTest::newRow("7 multiprocessors") << 7 << 0;
        QTest::newRow("5 multiprocessors, bands") << 5 << 600'000;
    }
    void sharesAcrossStrips() {
        QFETCH(int, multiprocessors);
        QFETCH(int, bytesPerLaunch);
        DeviceTraits traits = inLaunchesOf(m_traits, bytesPerLaunch);
        traits.multiprocessors = multiprocessors;
        KernelRun device(traits);
        for (const Size size : {Size{203, 701}, Size{256, 1500}, Size{321, 640}}) {
            const Image image = makeNoise(PixelFormat::Rgba8, size, freshSeed());
            for (const char* operation : {"gaussian_blur", "unsharp_mask"})
                for (const char* sigma : {"5.4", "8", "10.7", "15", "20"}) {
                    const PlanPtr plan = planFor(*findOperation(operation), {{"sigma", sigma}},
                                                 image.format(), size);
                    const std::string difference = test::firstDifference(
                        runPlan(*plan, image, Threading::AllCores), device.run(*plan, image));
                    QVERIFY2(difference.empty(),
                             (std::string(operation) + ", sigma " + sigma + ", " +
                              std::to_string(size.width) + " wide: " + difference)
                                 .c_str());
                    ++m_compared;
                }
        }
    }

    // On a device of one multiprocessor images are large that have 120,000 pixels.
    void fiveByFive_data() {
        QTest::addColumn<int>("bytesPerLaunch");
        QTest::newRow("at once") << 0;
        QTest::newRow("bands") << 200'000;
    }
    void fiveByFive() {
        QFETCH(int, bytesPerLaunch);
        DeviceTraits traits = inLaunchesOf(m_traits, bytesPerLaunch);
        traits.multiprocessors = 1;
        KernelRun device(traits);
        for (const Size size : {Size{16, 7501}, Size{32, 3750}, Size{480, 251}, Size{1040, 117},
                                Size{7680, 16}, Size{120'000, 1}})
            for (const char* sigma : {"0.5", "0.6", "2"}) {
                const Image image = makeNoise(PixelFormat::Gray8, size, freshSeed());
                const PlanPtr plan =
                    planFor(*findOperation("gaussian_blur"), {{"sigma", sigma}, {"size", "5"}},
                            image.format(), size);
                QVERIFY(cuda::prefersGaussianFive(static_cast<const GaussianBlurPlan&>(*plan), size,
                                                  traits.multiprocessors));
                const std::string difference = test::firstDifference(
                    runPlan(*plan, image, Threading::AllCores), device.run(*plan, image));
                QVERIFY2(difference.empty(),
                         (std::to_string(size.width) + " wide, sigma " + sigma + ": " + difference)
                             .c_str());
                ++m_compared;
            }
    }

    void wholeImages_data() { addFormatRows(); }
    void wholeImages() {
        QFETCH(int, format);
        KernelRun device(m_traits);
        const auto as = PixelFormat(format);
        compareBlurs(device, makePhotograph(as, {1280, 1024}), "1280 x 1024");
        for (const Image& image :
             {makePhotograph(as, {3840, 2160}), makeNoise(as, {3840, 2160}, freshSeed()),
              makeConstant(as, {3840, 2160}, 0), makeConstant(as, {3840, 2160}, fullScale(as))})
            compareRadii(device, image, "4K", {"1", "5", "20"});
    }

    // The Gaussian of 16-bit samples: radii around its groups of eight taps, sizes around segments
    // and tiles; strips of columns, bands and launches of a few rows.
    void sixteenBits_data() {
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
    void sixteenBits() {
        QFETCH(int, format);
        QFETCH(int, bytesPerLaunch);
        QFETCH(int, multiplicationsPerLaunch);
        KernelRun bench(inLaunchesOf(m_traits, bytesPerLaunch, multiplicationsPerLaunch));
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
};

WARPSCOPE_TEST(GaussianBlurTest)
#include "gaussian_blur_test.moc"
