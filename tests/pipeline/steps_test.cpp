// Steps as values and as text.
#include <QtTest>

#include "pipeline/chains.h"
#include "support/test_case.h"

using namespace warpscope;
using test::chain;

namespace {

QString message(const Result<Step>& step) {
    return step ? QStringLiteral("no error") : QString::fromStdString(step.error().message);
}

}  // namespace

class StepsTest : public QObject {
    Q_OBJECT
  private slots:
    void defaultsAreResolved() {
        for (const Operation* operation : allOperations()) {
            const auto& description = operation->description();
            const auto step = makeStep(description.id);
            if (description.kind == OperationKind::Analysis) {
                QVERIFY(!step);
                QCOMPARE(step.error().code, ErrorCode::Unsupported);
                continue;
            }
            QVERIFY2(step.has_value(), qPrintable(message(step)));
            QCOMPARE(step->parameters.values().size(), description.parameters.size());
            for (const ParamSpec& spec : description.parameters)
                QVERIFY(*step->parameters.find(spec.id) == spec.defaultValue);
            QCOMPARE(toText(*step), description.id);
        }
    }

    void unknownOperationNamesTheKnown() {
        const auto step = makeStep("sharpen");
        QCOMPARE(step.error().code, ErrorCode::NotFound);
        QVERIFY(message(step).contains("gaussian_blur"));
    }

    void textIsRead() {
        const auto step = parseStep("gaussian_blur:sigma=2,size=7");
        QVERIFY2(step.has_value(), qPrintable(message(step)));
        QCOMPARE(step->parameters.real("sigma"), 2.0);
        QCOMPARE(step->parameters.integer("size"), 7);
        QCOMPARE(step->variant, std::string("automatic"));
        QVERIFY(step->enabled);
        QCOMPARE(toText(*step), std::string("gaussian_blur:sigma=2,size=7"));
    }

    void everyVariantIsRead() {
        for (const Operation* operation : allOperations()) {
            const auto& description = operation->description();
            if (description.kind != OperationKind::Filter) continue;
            for (const VariantSpec& variant : description.variants) {
                const std::string text = description.id + ":variant=" + variant.id;
                const auto step = parseStep(text);
                QVERIFY2(step.has_value(), qPrintable(message(step)));
                QCOMPARE(step->variant, variant.id);
                const auto again = parseStep(toText(*step));
                QVERIFY(again && *again == *step);
            }
        }
    }

    void wrongTextIsRefused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("part");  // of the message
        const auto row = [](const char* text, const char* part) {
            QTest::newRow(text) << QString(text) << QString(part);
        };
        row("", "no operation");
        row(":", "no operation");
        row("gaussian_blur:", "name=value");
        row("gaussian_blur:sigma", "name=value");
        row("gaussian_blur:=2", "name=value");
        row("gaussian_blur:sigma=2,", "name=value");
        row("gaussian_blur:sigma=2,,size=3", "name=value");
        row("gaussian_blur:sigma=2,sigma=3", "sigma is given twice");
        row("gaussian_blur:variant=automatic,variant=automatic", "variant is given twice");
        row("gaussian_blur:variant=fastest", "fastest");
        row("gaussian_blur:radius=2", "no parameter 'radius'");
        row("gaussian_blur:sigma=900", "0.3");
        row("gaussian_blur:sigma=abc", "sigma");
        row("gaussian_blur:sigma=1e999", "sigma");
        row("gaussian_blur:sigma=nan", "sigma");
        row("gaussian_blur:size=4", "size");
        row("gaussian_blur:size=1000000000", "size");
        row("grayscale:method=purple", "method");
        row("histogram", "cannot be a step");
        row("gaussian_blur sigma=2", "no operation");
    }

    void wrongTextIsRefused() {
        QFETCH(QString, text);
        QFETCH(QString, part);
        const auto step = parseStep(text.toStdString());
        QVERIFY(!step);
        QVERIFY2(message(step).contains(part), qPrintable(message(step)));
        QVERIFY(!message(step).contains('\n'));
    }

    void checkNamesTheStep() {
        Pipeline pipeline = chain({"grayscale", "gaussian_blur"});
        pipeline.steps[1].parameters.set("sigma", 900.0);
        const auto checked = checkPipeline(pipeline);
        QVERIFY(!checked);
        QCOMPARE(checked.error().code, ErrorCode::InvalidArgument);
        QVERIFY(checked.error().message.starts_with("step 2, gaussian_blur: "));
    }

    void checkLimitsTheNumberOfSteps() {
        Pipeline pipeline;
        pipeline.steps.assign(kMaxSteps, *makeStep("grayscale"));
        QVERIFY(checkPipeline(pipeline));
        pipeline.steps.push_back(pipeline.steps.front());
        QCOMPARE(checkPipeline(pipeline).error().code, ErrorCode::LimitExceeded);
    }

    void checkFillsInDefaults() {
        Pipeline pipeline;
        pipeline.steps.push_back({"gaussian_blur", "automatic", false, {}});
        const auto checked = checkPipeline(pipeline);
        QVERIFY(checked);
        QVERIFY(checked->steps[0].parameters == makeStep("gaussian_blur")->parameters);
        QVERIFY(!checked->steps[0].enabled);
    }

    void hashCoversWhatMatters() {
        const Step step = *parseStep("gaussian_blur:sigma=2");
        Step other = step;
        QCOMPARE(hashStep(step), hashStep(other));
        other.enabled = false;
        QCOMPARE(hashStep(step), hashStep(other));
        other.parameters.set("sigma", 2.5);
        QVERIFY(hashStep(step) != hashStep(other));
        other = step;
        other.variant = "something";
        QVERIFY(hashStep(step) != hashStep(other));
        QVERIFY(hashStep(*makeStep("grayscale")) != hashStep(*makeStep("equalize")));
        // Not one run of letters: where a name ends counts.
        Step a = step, b = step;
        a.operation = "ab";
        a.variant = "c";
        b.operation = "a";
        b.variant = "bc";
        QVERIFY(hashStep(a) != hashStep(b));
    }
};

WARPSCOPE_TEST(StepsTest)
#include "steps_test.moc"
