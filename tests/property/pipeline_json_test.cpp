// Any pipeline that can be built survives being written and read, as JSON and as step text.
#include <QtTest>

#include "engine/pipeline/pipeline.h"
#include "property/any.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

Step anyStep() {
    std::vector<const Operation*> filters;
    for (const Operation* operation : allOperations())
        if (operation->description().kind == OperationKind::Filter) filters.push_back(operation);
    const auto& description =
        filters[*rc::gen::inRange<std::size_t>(0, filters.size())]->description();
    Step step = *makeStep(description.id);
    const auto& variants = description.variants;
    step.variant = variants[*rc::gen::inRange<std::size_t>(0, variants.size())].id;
    step.enabled = *rc::gen::arbitrary<bool>();
    for (const ParamSpec& spec : description.parameters)
        step.parameters.set(spec.id, anyValue(spec));
    return step;
}

}  // namespace

class JsonPropertyTest : public QObject {
    Q_OBJECT
  private slots:
    void pipelinesComeBack() {
        const bool held = rc::check("JSON round trip", [] {
            Pipeline pipeline;
            const int count = *rc::gen::inRange(0, 12);
            for (int i = 0; i < count; ++i) pipeline.steps.push_back(anyStep());
            const auto read = pipelineFromJson(toJson(pipeline));
            RC_ASSERT(read.has_value());
            RC_ASSERT(*read == pipeline);
            RC_ASSERT(toJson(*read) == toJson(pipeline));
        });
        QVERIFY(held);
    }

    void stepTextComesBack() {
        const bool held = rc::check("step text round trip", [] {
            Step step = anyStep();
            step.enabled = true;  // text has no word for it
            const auto read = parseStep(toText(step));
            RC_ASSERT(read.has_value());
            RC_ASSERT(*read == step);
            RC_ASSERT(hashStep(*read) == hashStep(step));
        });
        QVERIFY(held);
    }
};

WARPSCOPE_TEST(JsonPropertyTest)
#include "pipeline_json_test.moc"
