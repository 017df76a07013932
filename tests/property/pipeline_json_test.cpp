// Any pipeline that can be built survives being written and read, as JSON and as step text.
#include <rapidcheck.h>

#include <QtTest>
#include <cmath>

#include "engine/pipeline/pipeline.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

ParamValue anyValue(const ParamSpec& spec) {
    while (true) {
        ParamValue value;
        switch (spec.kind) {
            case ParamKind::Choice:
                return spec.choices[*rc::gen::inRange<std::size_t>(0, spec.choices.size())].id;
            case ParamKind::Integer:
                value = *rc::gen::inRange<std::int64_t>(std::int64_t(spec.hardMin),
                                                        std::int64_t(spec.hardMax) + 1);
                break;
            case ParamKind::Real: {
                const double t = double(*rc::gen::inRange<std::int64_t>(0, 1'000'000'001)) * 1e-9;
                value = std::lerp(spec.hardMin, spec.hardMax, t);
                break;
            }
        }
        if (checkParameter(spec, value)) return value;
    }
}

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
