// The GPU gives the bits of one CPU thread.
#include "gpu_support.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

constexpr PixelFormat kFormats[] = {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16,
                                    PixelFormat::Rgba16};

}  // namespace

class ParityTest : public QObject {
    Q_OBJECT

  private:
    std::unique_ptr<Backend> m_gpu;

    // Empty if both backends agree on every case for this image.
    std::string disagreement(const Image& image, const std::string& name,
                             const std::vector<Case>& cases) {
        for (const Case& one : cases) {
            if (!one.operation->description().acceptsFormat(image.format())) continue;
            const PlanPtr plan =
                planFor(*one.operation, one.parameters, image.format(), image.size());
            if (const auto can = m_gpu->supports(*plan); !can)
                return name + ", " + one.name + " is refused: " + can.error().message;
            // All cores give the bits of one thread, which the tests of the CPU see to.
            const Image expected =
                plan->identity ? image : runPlan(*plan, image, Threading::AllCores);
            const std::string difference =
                test::firstDifference(expected, test::runOn(*m_gpu, *plan, image));
            if (!difference.empty()) return name + ", " + one.name + ": " + difference;
            ++m_compared;
        }
        if (bytesPerSample(image.format()) > 2) return {};
        for (const ChannelSet channels :
             {ChannelSet{}, ChannelSet::all(), ChannelSet{false, true, true, true},
              ChannelSet::only(HistogramChannel::Red), ChannelSet::only(HistogramChannel::Green),
              ChannelSet::only(HistogramChannel::Blue), ChannelSet{true, false, true, false}}) {
            const PlanPtr plan = orThrow(planHistogram(channels, image.format(), image.size()));
            const HistogramSet expected =
                orThrow(countCpu(static_cast<const HistogramPlan&>(*plan), image,
                                 CpuContext{Threading::Single, {}, {}}));
            const std::string difference =
                test::firstDifference(expected, countOn(*m_gpu, *plan, image));
            if (!difference.empty()) return name + ", histogram: " + difference;
            ++m_compared;
        }
        return {};
    }
    int m_compared = 0;

  private slots:
    void initTestCase() {
        REQUIRE_GPU();
        m_gpu = requireBackend();
    }
    void cleanup() {
        if (m_compared) qInfo("%d comparisons", m_compared);
        m_compared = 0;
    }

    // All 8 and 16-bit formats that an operation takes, whatever the variant.
    void nothingIsRefused() {
        int asked = 0;
        for (const Operation* operation : allOperations()) {
            const OperationDescription& description = operation->description();
            for (const PixelFormat format : kFormats) {
                if (!description.acceptsFormat(format)) continue;
                for (const VariantSpec& variant : description.variants) {
                    PlanRequest request;
                    request.parameters = orThrow(resolveParameters(description.parameters, {}));
                    request.variant = variant.id;
                    request.format = format;
                    request.size = {37, 23};
                    const auto plan = operation->plan(request);
                    if (!plan) continue;  // published histograms: not for these samples anywhere
                    const auto can = m_gpu->supports(**plan);
                    QVERIFY2(can, (description.id + ", " + variant.id + ", " +
                                   std::string(formatName(format)))
                                      .c_str());
                    ++asked;
                }
            }
        }
        QVERIFY(asked >= 4 * int(allOperations().size()));
    }

    void awkwardSizes_data() {
        QTest::addColumn<int>("format");
        for (const PixelFormat format : kFormats)
            QTest::newRow(std::string(formatName(format)).c_str()) << int(format);
    }
    void awkwardSizes() {
        QFETCH(int, format);
        for (const NamedImage& named : awkwardImages(PixelFormat(format))) {
            const std::string difference = disagreement(named.image, named.name, filterCases());
            QVERIFY2(difference.empty(), difference.c_str());
        }
        QVERIFY(m_compared > 0);
    }

    // Widths around the strips, tiles and vectors of the kernels.
    void widthsAroundTiles() {
        for (const PixelFormat format : kFormats) {
            for (const int width :
                 {15, 16, 17, 31, 32, 33, 63, 65, 97, 128, 255, 256, 257, 1023, 1025, 1040}) {
                const Image image = makeNoise(format, {width, 67}, std::uint32_t(width));
                const std::string difference =
                    disagreement(image, "noise, width " + std::to_string(width), filterCases());
                QVERIFY2(difference.empty(), difference.c_str());
            }
        }
    }

    void freshContents() {
        std::mt19937 random(freshSeed());
        for (int round = 0; round < 40; ++round) {
            const Size size{int(random() % 700 + 1), int(random() % 500 + 1)};
            const PixelFormat format = kFormats[round % 4];
            const Image image = makeNoise(format, size, random());
            const std::string name =
                "noise " + std::to_string(size.width) + " x " + std::to_string(size.height);
            const std::string difference = disagreement(image, name, filterCases());
            QVERIFY2(difference.empty(), difference.c_str());
        }
    }

    // A row each: what takes the CPU long must not count against one time limit.
    void extremeShapes_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("format");
        for (const Size size : {Size{1, kMaxSide}, Size{kMaxSide, 1}, Size{3, 300'001}})
            for (const PixelFormat format : kFormats)
                QTest::addRow("%d x %d %s", size.width, size.height,
                              std::string(formatName(format)).c_str())
                    << size.width << size.height << int(format);
    }
    void extremeShapes() {
        QFETCH(int, width);
        QFETCH(int, height);
        QFETCH(int, format);
        std::vector<Case> cases = filterCases();
        // The widest windows take the CPU long and are compared elsewhere.
        std::erase_if(cases, [](const Case& one) {
            return one.name.find("sigma=100") != std::string::npos ||
                   one.name.find("sigma=50") != std::string::npos;
        });
        // On the CPU a narrow row of 16-bit samples costs as much as one of 128 pixels.
        const bool wide = bytesPerSample(PixelFormat(format)) > 1;
        std::erase_if(cases, [&](const Case& one) {
            return wide && one.operation->description().id == "gaussian_blur" &&
                   one.parameters != TextParameters{{"sigma", "1"}} &&
                   one.parameters != TextParameters{{"sigma", "5"}};
        });
        const std::string difference = disagreement(
            makeNoise(PixelFormat(format), {width, height}, 5), "extreme shape", cases);
        QVERIFY2(difference.empty(), difference.c_str());
    }

    void fourK_data() {
        QTest::addColumn<int>("content");
        QTest::newRow("photograph") << 0;
        QTest::newRow("noise") << 1;
        QTest::newRow("black") << 2;
        QTest::newRow("white") << 3;
    }
    void fourK() {
        QFETCH(int, content);
        std::vector<Case> cases = filterCases();
        std::erase_if(cases, [](const Case& one) {
            return one.operation->description().id == "gaussian_blur" &&
                   one.parameters != TextParameters{{"sigma", "1"}} &&
                   one.parameters != TextParameters{{"sigma", "5"}} &&
                   one.parameters != TextParameters{{"sigma", "20"}};
        });
        for (const PixelFormat format : kFormats) {
            const Size size{3840, 2160};
            const Image image =
                content == 0   ? makePhotograph(format, size)
                : content == 1 ? makeNoise(format, size, freshSeed())
                               : makeConstant(format, size, content == 2 ? 0 : fullScale(format));
            const std::string difference = disagreement(image, "4K", cases);
            QVERIFY2(difference.empty(), difference.c_str());
        }
    }

    // What the definition treats apart: a single level, luma 0 in pixels that are not black,
    // colours that are scaled beyond white, two levels at the ends of the range.
    void equalizeAtItsLimits_data() {
        QTest::addColumn<int>("format");
        for (const PixelFormat format : kFormats)
            QTest::newRow(std::string(formatName(format)).c_str()) << int(format);
    }
    void equalizeAtItsLimits() {
        QFETCH(int, format);
        const PixelFormat wanted = PixelFormat(format);
        const Size size{61, 43};
        const double full = fullScale(wanted);
        std::vector<Case> cases = filterCases();
        std::erase_if(
            cases, [](const Case& one) { return one.operation->description().id != "equalize"; });
        QCOMPARE(cases.size(), std::size_t(4));
        const auto compare = [&](const Image& image, const std::string& name) {
            const std::string difference = disagreement(image, name, cases);
            QVERIFY2(difference.empty(), difference.c_str());
        };
        for (const double level : {0.0, 1.0, 2.0, std::floor(full / 2), full - 1, full})
            compare(makeConstant(wanted, size, level), "constant " + std::to_string(level));
        std::mt19937 random(3);
        const auto filled = [&](const std::function<double(int channel)>& sample) {
            const int channels = channelCount(wanted);
            std::vector<double> samples;
            for (std::int64_t i = 0; i < size.pixels(); ++i)
                for (int c = 0; c < channels; ++c) samples.push_back(sample(c));
            return makeImage(wanted, size, samples);
        };
        compare(filled([&](int c) { return c < 2 ? 0.0 : double(random() % 5); }), "luma 0");
        compare(filled([&](int) { return double(random() % 4); }), "dark");
        compare(filled([&](int) { return random() % 97 == 0 ? full : double(random() % 3); }),
                "dark and white");
        compare(filled([&](int) { return random() % 2 ? full : 0.0; }), "black and white");
        compare(filled([&](int c) { return c == 2 ? full : double(random() % 2); }), "blue");
        compare(filled([&](int) { return full - double(random() % 3); }), "bright");
    }

    // Tables taken from another image.
    void frozenTables() {
        const Operation& equalize = *findOperation("equalize");
        for (const PixelFormat format : kFormats) {
            const Image whole = makePhotograph(format, {301, 200});
            const Image part = makeNoise(format, {123, 77}, 3);
            for (const char* channels : {"luma", "each"}) {
                PlanRequest request;
                ParamSet given;
                given.set("channels", std::string(channels));
                request.parameters =
                    orThrow(resolveParameters(equalize.description().parameters, given));
                request.format = format;
                request.size = part.size();
                const PlanPtr plan = orThrow(equalize.freeze(request, whole, CpuContext{}));
                const std::string difference =
                    test::firstDifference(runPlan(*plan, part), test::runOn(*m_gpu, *plan, part));
                QVERIFY2(difference.empty(), difference.c_str());
            }
        }
    }

    // More than 2^31 bytes: 64-bit offsets, several launches.
    void hugeImage() {
        if (!qEnvironmentVariableIsSet("WARPSCOPE_HUGE_TESTS"))
            QSKIP("takes 15 GB of memory; set WARPSCOPE_HUGE_TESTS=1 to run it");
        const Image image = makeNoise(PixelFormat::Gray8, {50'021, 46'003}, freshSeed());
        CpuContext cores;
        const auto compare = [&](const char* id, const TextParameters& parameters) {
            const PlanPtr plan =
                planFor(*findOperation(id), parameters, image.format(), image.size());
            const Image expected = runPlan(*plan, image, Threading::AllCores);
            return test::firstDifference(expected, test::runOn(*m_gpu, *plan, image));
        };
        QCOMPARE(compare("gaussian_blur", {{"sigma", "2"}}), std::string());
        QCOMPARE(compare("equalize", {}), std::string());
        const PlanPtr plan = orThrow(planHistogram({}, image.format(), image.size()));
        QCOMPARE(test::firstDifference(
                     orThrow(countCpu(static_cast<const HistogramPlan&>(*plan), image, cores)),
                     countOn(*m_gpu, *plan, image)),
                 std::string());
    }
};

WARPSCOPE_TEST(ParityTest)
#include "parity_test.moc"
