// Every shipped preset is a pipeline that runs on what people open.
#include "engine/pipeline/shipped_presets.h"

#include <algorithm>

#include "engine/pipeline/chain_shape.h"
#include "engine/pipeline/executor.h"
#include "pipeline/chains.h"
#include "support/images.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;

class ShippedPresetsTest : public QObject {
    Q_OBJECT
  private slots:
    void areThere() {
        QCOMPARE(shippedPresets().size(), std::size_t{5});
        for (const ShippedPreset& preset : shippedPresets()) {
            QVERIFY(!preset.label.empty() && !preset.summary.empty());
            QVERIFY(!preset.pipeline.steps.empty());
            const auto found = shippedPreset(preset.id);
            QVERIFY(found && *found == preset.pipeline);
            QVERIFY(*pipelineFromJson(toJson(preset.pipeline)) == preset.pipeline);
        }
        const auto none = shippedPreset("document-scam");
        REQUIRE_FAILS(none, ErrorCode::NotFound, "document-scan");
    }
    void runOnGrayColourAnd16Bits() {
        const std::uint32_t seed = test::freshSeed();
        Executor executor(BackendSet::cpuOnly(""), 64u << 20);
        for (const ShippedPreset& preset : shippedPresets())
            for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8,
                                             PixelFormat::Gray16, PixelFormat::Rgba16}) {
                const std::string what =
                    fmt::format("{} on {}, seed {}", preset.id, formatName(format), seed);
                const Size size{97, 61};
                const ChainShape shape = shapeOf(preset.pipeline, format, Placement::all(size));
                QVERIFY2(!shape.failure.has_value(), what.c_str());
                ExecuteRequest request;
                request.source = test::makePhotograph(format, size, seed);
                request.pipeline = preset.pipeline;
                request.backend = BackendChoice::Cpu;
                const auto result = executor.run(request, {});
                QVERIFY2(result.has_value(), what.c_str());
                QCOMPARE(result->image.size(), size);
                QCOMPARE(std::ptrdiff_t(result->steps.size()),
                         std::ranges::count_if(preset.pipeline.steps, &Step::enabled));
                // Something is done, and something is left to be seen.
                QVERIFY2(!test::firstDifference(test::makeConstant(result->image.format(), size, 0),
                                                result->image)
                              .empty(),
                         what.c_str());
                QVERIFY2(result->image.format() != format ||
                             !test::firstDifference(request.source, result->image).empty(),
                         what.c_str());
            }
    }
};

WARPSCOPE_TEST(ShippedPresetsTest)
#include "shipped_presets_test.moc"
