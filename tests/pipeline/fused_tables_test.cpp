// Neighbouring tables run as one in walks without cache: the same bits, and the reports say so.
#include <random>

#include "pipeline/chains.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

class FusedTablesTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{warpscope::test::freshSeed()};
    Executor m_executor{BackendSet::cpuOnly("none"), 1 << 28};

    ExecuteResult runOf(const Pipeline& pipeline, const Image& image, bool useCache) {
        ExecuteRequest request;
        request.source = image;
        request.pipeline = pipeline;
        request.useCache = useCache;
        auto result = m_executor.run(request, {});
        if (!result) throw std::runtime_error(result.error().message);
        return std::move(*result);
    }
    // For each enabled step the one that it ran with, or -1.
    static std::vector<int> fusedOf(const ExecuteResult& result) {
        std::vector<int> steps;
        for (const StepReport& report : result.steps)
            steps.push_back(report.fusedInto ? int(*report.fusedInto) : -1);
        return steps;
    }
    std::string anyTable() {
        const std::string a = std::to_string(m_random() % 120),
                          b = std::to_string(m_random() % 256);
        switch (m_random() % 7) {
            case 0:
                return "invert";
            case 1:
                return "curves:points=0:" + b + ";" + std::to_string(1 + m_random() % 254) + ":" +
                       a + ";255:255";
            case 2:
                return "levels:black=" + a + ",out_white=" + b + ",gamma=0.7";
            case 3:
                return "threshold:value=" + b;
            case 4:
                return "false_colour:map=" + std::string(m_random() % 3 ? "viridis" : "labels");
            case 5:
                return "levels:channels=" + std::string(m_random() % 2 ? "red" : "blue") +
                       ",gamma=1.7,out_black=" + a;
            default:
                return "levels:channels=green,white=" + std::to_string(130 + m_random() % 100);
        }
    }

  private slots:
    void sameBitsWhateverTheChain() {
        for (int round = 0; round < 400; ++round) {
            Pipeline pipeline;
            for (int i = 2 + int(m_random() % 5); i > 0; --i) {
                pipeline.steps.push_back(
                    *parseStep(m_random() % 6 ? anyTable() : "median:radius=1"));
                pipeline.steps.back().enabled = m_random() % 6 != 0;
            }
            const PixelFormat format = kFilterFormats[m_random() % std::size(kFilterFormats)];
            Image image = makeNoise(format, {37, 23}, m_random());
            if (m_random() % 3 == 0) {
                ImageInfo info = image.info();
                info.whiteLevel = 100;
                info.hasAlpha = isColor(format) && m_random() % 2;
                image = image.withInfo(info);
            }
            const ExecuteResult apart = runOf(pipeline, image, true);
            const ExecuteResult fused = runOf(pipeline, image, false);
            std::string name(formatName(format));
            for (const Step& step : pipeline.steps) name += " " + toText(step);
            compareSamples(apart.image, fused.image, name);
            QCOMPARE(fused.image.info().whiteLevel, apart.image.info().whiteLevel);
            QCOMPARE(fused.image.info().hasAlpha, apart.image.info().hasAlpha);
            QCOMPARE(fused.steps.size(), apart.steps.size());
            for (std::size_t i = 0; i < apart.steps.size(); ++i) {
                QCOMPARE(fused.steps[i].stepIndex, apart.steps[i].stepIndex);
                QCOMPARE(fused.steps[i].input, apart.steps[i].input);
                QCOMPARE(fused.steps[i].output, apart.steps[i].output);
                QVERIFY(fused.steps[i].backend == apart.steps[i].backend);
                QVERIFY(!apart.steps[i].fusedInto);
            }
            if (QTest::currentTestFailed()) return;
        }
    }

    void reportsSaySo() {
        const Pipeline pipeline = chain({"invert", "levels:gamma=2", "curves:points=0:9;255:255",
                                         "median:radius=1", "invert", "levels:black=3"});
        const Image image = makeNoise(PixelFormat::Rgba16, {61, 43}, 3);
        const ExecuteResult fused = runOf(pipeline, image, false);
        QCOMPARE(fusedOf(fused), (std::vector<int>{2, 2, -1, -1, 5, -1}));
        QCOMPARE(fused.steps[0].ms, 0.0);
        QVERIFY(fused.steps[2].ms > 0);
        // Two tables and the median.
        QCOMPARE(fused.events.size(), std::size_t(3));
        QCOMPARE(fusedOf(runOf(pipeline, image, true)), std::vector<int>(6, -1));
        // Float has no tables.
        QCOMPARE(fusedOf(runOf(pipeline, makeNoise(PixelFormat::GrayF32, {9, 9}, 1), false)),
                 std::vector<int>(6, -1));
    }

    // A colour alone has a table of its own.
    void coloursHaveTheirOwnTables() {
        const Pipeline pipeline =
            chain({"invert", "levels:channels=red,gamma=2", "levels:channels=blue,white=200",
                   "invert", "median:radius=1"});
        for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::Rgba16}) {
            const Image image = makeNoise(format, {31, 17}, 4);
            const ExecuteResult fused = runOf(pipeline, image, false);
            QCOMPARE(fusedOf(fused), (std::vector<int>{3, 3, 3, -1, -1}));
            compareSamples(runOf(pipeline, image, true).image, fused.image,
                           std::string(formatName(format)));
        }
    }

    // Of gray they are tables; of colours they look at luma.
    void thresholdAndFalseColour() {
        const Pipeline pipeline = chain({"levels:gamma=2", "threshold:value=90", "invert",
                                         "curves:points=0:30;255:200", "false_colour", "invert"});
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Gray16}) {
            const Image image = makeNoise(format, {31, 17}, 5);
            const ExecuteResult fused = runOf(pipeline, image, false);
            QCOMPARE(fusedOf(fused), (std::vector<int>{4, 4, 4, 4, -1, -1}));
            QCOMPARE(fused.steps[3].output, format);
            QCOMPARE(fused.steps[4].output, PixelFormat::Rgba8);
            QCOMPARE(fused.events.size(), std::size_t(2));
            compareSamples(runOf(pipeline, image, true).image, fused.image,
                           std::string(formatName(format)));
        }
        const Image color = makeNoise(PixelFormat::Rgba8, {31, 17}, 5);
        QCOMPARE(fusedOf(runOf(chain({"invert", "levels:gamma=2", "threshold:value=90", "invert"}),
                               color, false)),
                 (std::vector<int>{1, -1, -1, -1}));
        QCOMPARE(fusedOf(runOf(chain({"invert", "threshold:method=otsu", "invert"}),
                               makeNoise(PixelFormat::Gray8, {9, 9}, 1), false)),
                 std::vector<int>(3, -1));
    }

    void whatIsAskedForStaysApart() {
        const Image image = makeNoise(PixelFormat::Rgba8, {31, 17}, 4);
        const Pipeline asked = chain({"invert", "levels:gamma=2,name=here", "invert", "invert",
                                      "blend:with=step:here,mode=average"});
        const ExecuteResult fused = runOf(asked, image, false);
        QCOMPARE(fusedOf(fused), (std::vector<int>{1, -1, 3, -1, -1}));
        compareSamples(runOf(asked, image, true).image, fused.image, "asked for");
    }

    void errorsNameTheirStep() {
        ExecuteRequest request;
        request.source = makeNoise(PixelFormat::Gray8, {9, 9}, 1);
        request.pipeline = chain({"invert", "invert", "levels:black=9,white=9"});
        request.useCache = false;
        const auto result = m_executor.run(request, {});
        REQUIRE_FAILS(result, ErrorCode::InvalidArgument, "step 3, levels");
        QCOMPARE(m_executor.failedStep(), std::optional<std::size_t>(2));
    }
};

WARPSCOPE_TEST(FusedTablesTest)
#include "fused_tables_test.moc"
