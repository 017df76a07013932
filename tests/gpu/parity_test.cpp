// The GPU gives what the CPU gives: every operation of the list, with all its choices and variants,
// in 8 and 16 bits and, of filters, in float.
#include "gpu_support.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

class ParityTest : public QObject {
    Q_OBJECT

  private:
    enum class Variants { Automatic, All };

    std::unique_ptr<Backend> m_gpu;
    // All cores give the bits of one thread, which the tests of the CPU see to.
    std::unique_ptr<Backend> m_cpu = makeCpuBackend(Threading::AllCores);
    int m_compared = 0;

    // "" if the GPU refuses this plan or gives what is expected.
    std::string compareOne(const Plan& plan, const Image& image, const StepBuffers& onGpu,
                           const Image& expected) {
        if (const auto can = m_gpu->supports(plan); !can) return "refused: " + can.error().message;
        const Image actual = orThrow(m_gpu->download(orThrow(m_gpu->run(plan, onGpu, {})), {}));
        ++m_compared;
        return resultDifference(plan, plan.identity ? image : expected, actual);
    }

    // Empty if both backends agree on every case for this image.
    std::string disagreement(const Image& image, const std::string& name,
                             const std::vector<Case>& cases, Variants which) {
        const BufferPtr onGpu = orThrow(m_gpu->upload(image, {}));
        const BufferPtr onCpu = orThrow(m_cpu->upload(image, {}));
        for (const Case& one : cases) {
            const OperationDescription& description = one.operation->description();
            if (!description.acceptsFormat(image.format())) continue;
            const PlanPtr plan = variantOf(one, image, std::string(kAutomaticVariant));
            if (!plan) continue;  // a rectangle beyond the image
            // A column enlarged until it is as wide as may be.
            if (plan->outputSize.pixels() > std::max<std::int64_t>(1 << 18, image.size().pixels()))
                continue;
            StepBuffers cpuInput(onCpu), gpuInput(onGpu);
            if (plan->takesSecond) {
                const Image second = imagesFor(*plan, image).second;
                cpuInput.second = orThrow(m_cpu->upload(second, {}));
                gpuInput.second = orThrow(m_gpu->upload(second, {}));
            }
            const bool counts = description.kind == OperationKind::Analysis;
            if (counts && !m_gpu->supports(*plan)) continue;  // found by the CPU alone
            Image expected;
            std::optional<AnalysisResult> expectedCounts;
            if (counts)
                expectedCounts = orThrow(m_cpu->analyze(*plan, cpuInput, {}));
            else if (!plan->identity)
                expected = orThrow(m_cpu->download(orThrow(m_cpu->run(*plan, cpuInput, {})), {}));
            for (const VariantSpec& variant : description.variants) {
                const bool automatic = variant.id == kAutomaticVariant;
                if (!automatic && which == Variants::Automatic) break;
                const PlanPtr other = automatic ? plan : variantOf(one, image, variant.id);
                if (!other) continue;
                std::string difference;
                if (counts) {
                    const auto found = orThrow(m_gpu->analyze(*other, gpuInput, {}));
                    const Agreement agreement = compareAnalyses(*expectedCounts, found);
                    if (agreement.verdict != Verdict::Identical) difference = describe(agreement);
                    ++m_compared;
                } else {
                    difference = compareOne(*other, image, gpuInput, expected);
                }
                if (!difference.empty())
                    return name + ", " + one.name + ", " + variant.id + ": " + difference;
            }
        }
        return {};
    }

    // Null where the variant cannot do this anywhere.
    static PlanPtr variantOf(const Case& one, const Image& image, const std::string& variant) {
        try {
            return planFor(*one.operation, one.parameters, image.format(), image.size(), variant);
        } catch (const std::runtime_error&) {
            return nullptr;
        }
    }

    static std::vector<Case> allCases(Numbers numbers) {
        std::vector<Case> cases = casesFromTheList(OperationKind::Filter, numbers);
        for (Case& one : casesFromTheList(OperationKind::Analysis, numbers))
            cases.push_back(std::move(one));
        return cases;
    }

  private slots:
    void initTestCase() {
        REQUIRE_GPU();
        m_gpu = requireBackend();
    }
    void cleanup() {
        if (m_compared) qInfo("%d comparisons", m_compared);
        m_compared = 0;
    }

    // All formats that an operation takes, whatever the variant.
    void nothingIsRefused() {
        int asked = 0;
        for (const Operation* operation : allOperations()) {
            const OperationDescription& description = operation->description();
            for (const PixelFormat format : kFilterFormats) {
                if (!description.acceptsFormat(format)) continue;
                if (description.kind == OperationKind::Analysis && isFloat(format)) continue;
                if (description.id == "components") continue;  // found by the CPU alone
                for (const VariantSpec& variant : description.variants) {
                    const auto plan =
                        operation->plan(requestFor(*operation, {}, format, {37, 23}, variant.id));
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

    void awkwardSizes_data() { addFormatRows(kFilterFormats); }
    void awkwardSizes() {
        QFETCH(int, format);
        const std::vector<Case> plain = allCases(Numbers::AsTheyAre);
        const std::vector<Case> ends = allCases(Numbers::AtTheirEnds);
        for (const NamedImage& named : awkwardImages(PixelFormat(format))) {
            // Numbers at their ends: on noise, which nothing escapes.
            std::string difference = disagreement(named.image, named.name, plain, Variants::All);
            if (difference.empty() && named.name.starts_with("noise"))
                difference = disagreement(named.image, named.name, ends, Variants::Automatic);
            QVERIFY2(difference.empty(), difference.c_str());
        }
        if (qEnvironmentVariableIsEmpty("WARPSCOPE_ONLY")) QVERIFY(m_compared > 0);
    }

    // What the sanitizers get through in time: every kernel that a small image reaches.
    void oneSmallImage_data() { addFormatRows(kFilterFormats); }
    void oneSmallImage() {
        QFETCH(int, format);
        const std::string difference =
            disagreement(makePhotograph(PixelFormat(format), {131, 37}), "131 x 37",
                         allCases(Numbers::AtTheirEnds), Variants::All);
        QVERIFY2(difference.empty(), difference.c_str());
    }

    // Rows without padding, which kernels may read whatever it holds: initcheck has nothing to say
    // of these but what is wrong. Few cases, for racecheck.
    void rowsWithoutPadding_data() { addFormatRows(kFilterFormats); }
    void rowsWithoutPadding() {
        QFETCH(int, format);
        const std::string difference =
            disagreement(makePhotograph(PixelFormat(format), {192, 45}), "192 x 45",
                         allCases(Numbers::AsTheyAre), Variants::All);
        QVERIFY2(difference.empty(), difference.c_str());
    }

    // Widths around the strips, tiles and vectors of the kernels.
    void widthsAroundTiles_data() { addFormatRows(kFilterFormats); }
    void widthsAroundTiles() {
        QFETCH(int, format);
        const std::vector<Case> cases = allCases(Numbers::AtTheirEnds);
        for (const int width :
             {15, 16, 17, 31, 32, 33, 63, 65, 97, 128, 255, 256, 257, 1023, 1025, 1040}) {
            const Image image = makeNoise(PixelFormat(format), {width, 67}, std::uint32_t(width));
            REQUIRE_SAME(disagreement(image, "noise, width " + std::to_string(width), cases,
                                      Variants::Automatic));
        }
    }

    void freshContents() {
        std::mt19937 random(freshSeed());
        const std::vector<Case> cases = allCases(Numbers::AsTheyAre);
        for (int round = 0; round < 40; ++round) {
            const Size size{int(random() % 700 + 1), int(random() % 500 + 1)};
            const PixelFormat format =
                kFilterFormats[std::size_t(round) % std::size(kFilterFormats)];
            const Image image = isFloat(format) ? makeWild(format, size, random())
                                                : makeNoise(format, size, random());
            const std::string name =
                "noise " + std::to_string(size.width) + " x " + std::to_string(size.height);
            REQUIRE_SAME(disagreement(image, name, cases, Variants::Automatic));
        }
    }

    void wholeImages_data() { addFormatRows(kFilterFormats); }
    void wholeImages() {
        QFETCH(int, format);
        const Image image = makePhotograph(PixelFormat(format), {1280, 1024});
        REQUIRE_SAME(
            disagreement(image, "1280 x 1024", allCases(Numbers::AsTheyAre), Variants::All));
    }

    // A row each: what takes the CPU long must not count against one time limit.
    void extremeShapes_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("format");
        for (const Size size : {Size{1, kMaxSide}, Size{kMaxSide, 1}, Size{3, 300'001}})
            for (const PixelFormat format : kFilterFormats)
                QTest::addRow("%d x %d %s", size.width, size.height,
                              std::string(formatName(format)).c_str())
                    << size.width << size.height << int(format);
    }
    void extremeShapes() {
        QFETCH(int, width);
        QFETCH(int, height);
        QFETCH(int, format);
        const std::string difference =
            disagreement(makeNoise(PixelFormat(format), {width, height}, 5), "extreme shape",
                         allCases(Numbers::AsTheyAre), Variants::Automatic);
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
        for (const PixelFormat format : kFilterFormats) {
            const Size size{3840, 2160};
            const Image image =
                content == 0   ? makePhotograph(format, size)
                : content == 1 ? makeNoise(format, size, freshSeed())
                               : makeConstant(format, size, content == 2 ? 0 : fullScale(format));
            REQUIRE_SAME(
                disagreement(image, "4K", allCases(Numbers::AsTheyAre), Variants::Automatic));
        }
    }

    // The same operations in the same order, rounded one by one: not a bit of a float differs, in
    // NaN alone. What sums of weights is left out.
    void floatsAreIdentical_data() {
        QTest::addColumn<int>("format");
        for (const PixelFormat format : {PixelFormat::GrayF32, PixelFormat::RgbaF32})
            QTest::newRow(std::string(formatName(format)).c_str()) << int(format);
    }
    void floatsAreIdentical() {
        QFETCH(int, format);
        const std::uint32_t seed = freshSeed();
        for (const Case& one : casesFromTheList(OperationKind::Filter, Numbers::AtTheirEnds)) {
            const OperationDescription& description = one.operation->description();
            if (!description.acceptsFormat(PixelFormat(format)) || description.id == "nl_means")
                continue;
            for (const Size size : {Size{1, 1}, Size{157, 83}, Size{1, 301}, Size{301, 1}})
                for (const Wild wild : {Wild::AroundWhite, Wild::AllMagnitudes}) {
                    const Image image = makeWild(PixelFormat(format), size, seed, wild);
                    const PlanPtr plan = variantOf(one, image, std::string(kAutomaticVariant));
                    if (!plan || plan->identity) continue;
                    // By chance a side of 65,536: 50 GB of colours to compare.
                    if (plan->outputSize.pixels() > (1 << 22)) continue;
                    const std::string difference =
                        test::firstDifference(runPlan(*plan, image, Threading::AllCores),
                                              test::runOn(*m_gpu, *plan, image));
                    QVERIFY2(difference.empty(), (one.name + ": " + difference).c_str());
                    ++m_compared;
                }
        }
    }

    // Labels and sums of 32 bits, which the formats of pictures do not reach.
    void labelsAsColours() {
        const Operation& operation = *findOperation("false_colour");
        for (const char* map : {"viridis", "labels"})
            for (const Size size : {Size{1, 1}, Size{1, 301}, Size{301, 1}, Size{157, 83}}) {
                const Image image = makeNoise(PixelFormat::Gray32, size, freshSeed());
                const PlanPtr plan =
                    planFor(operation, {{"map", map}}, image.format(), image.size());
                const std::string difference =
                    test::firstDifference(runPlan(*plan, image), test::runOn(*m_gpu, *plan, image));
                QVERIFY2(difference.empty(), difference.c_str());
                ++m_compared;
            }
    }

    // What depends on the whole image, with what it needs taken from another one.
    void frozenPlans() {
        int frozen = 0;
        for (const Case& one : casesFromTheList(OperationKind::Filter, Numbers::AsTheyAre)) {
            if (!one.operation->description().dependsOnWholeImage) continue;
            for (const PixelFormat format : kFilterFormats) {
                if (!one.operation->description().acceptsFormat(format)) continue;
                const Image whole = makePhotograph(format, {301, 200});
                const Image part = makeNoise(format, {123, 77}, 3);
                const PlanPtr plan = orThrow(one.operation->freeze(
                    requestFor(*one.operation, one.parameters, format, part.size()), whole,
                    CpuContext{}));
                const std::string difference =
                    resultDifference(*plan, runPlan(*plan, part), test::runOn(*m_gpu, *plan, part));
                QVERIFY2(difference.empty(), (one.name + ": " + difference).c_str());
                ++frozen;
            }
        }
        if (qEnvironmentVariableIsEmpty("WARPSCOPE_ONLY")) QVERIFY(frozen > 0);
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
