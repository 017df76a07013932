// Steps and pipelines as values, as text and as JSON.
#include "engine/pipeline/strict_json.h"
#include "pipeline/chains.h"
#include "support/test_case.h"

using namespace warpscope;
using test::chain;

namespace {

QString message(const Result<Step>& step) {
    return step ? QStringLiteral("no error") : QString::fromStdString(step.error().message);
}

// A file with this text as its one step.
std::string withStep(const std::string& step) {
    return R"({"schema": "warpscope-pipeline/1", "steps": [)" + step + "]}";
}

}  // namespace

class StepsTest : public QObject {
    Q_OBJECT
    void refuses(const std::string& text, const char* part,
                 ErrorCode code = ErrorCode::InvalidArgument) {
        const auto read = pipelineFromJson(text);
        QVERIFY2(!read, part);
        QCOMPARE(read.error().code, code);
        const QString message = QString::fromStdString(read.error().message);
        QVERIFY2(message.contains(part), qPrintable(message));
        QVERIFY2(!message.contains('\n'), qPrintable(message));
        QVERIFY2(message.size() < 600, qPrintable(message));
        QVERIFY(findInvalidUtf8(read.error().message) == std::string::npos);
    }

  private slots:
    void defaultsAreResolved() {
        for (const Operation* operation : allOperations()) {
            const auto& description = operation->description();
            const auto step = makeStep(description.id);
            if (description.kind == OperationKind::Analysis) {
                REQUIRE_FAILS(step, ErrorCode::Unsupported, "");
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
        REQUIRE_FAILS(checked, ErrorCode::InvalidArgument, "");
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
        pipeline.steps.push_back({"gaussian_blur", "automatic", false, {}, {}});
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

    void emptyPipeline() {
        QCOMPARE(toJson(Pipeline{}),
                 std::string("{\n  \"schema\": \"warpscope-pipeline/1\",\n  \"steps\": []\n}\n"));
        QVERIFY(pipelineFromJson(toJson(Pipeline{})).value() == Pipeline{});
    }

    void everyOperationComesBack() {
        Pipeline all;
        for (const Operation* operation : allOperations()) {
            const auto& description = operation->description();
            if (description.kind != OperationKind::Filter) continue;
            for (const VariantSpec& variant : description.variants) {
                Step step = *makeStep(description.id);
                step.variant = variant.id;
                step.enabled = all.steps.size() % 2 == 0;
                all.steps.push_back(step);
            }
        }
        const std::string text = toJson(all);
        const auto read = pipelineFromJson(text);
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        QVERIFY(*read == all);
        QCOMPARE(toJson(*read), text);
    }

    void whatMayBeLeftOut() {
        const auto read = pipelineFromJson(withStep(R"({"operation": "gaussian_blur"})"));
        QVERIFY(read);
        QVERIFY(*read == chain({"gaussian_blur"}));
        // Whole numbers are fine for a real parameter.
        const auto sigma = pipelineFromJson(
            withStep(R"({"operation": "gaussian_blur", "parameters": {"sigma": 2}})"));
        QVERIFY(sigma);
        QVERIFY(*sigma == chain({"gaussian_blur:sigma=2"}));
    }

    void byteOrderMarkIsTaken() {
        QVERIFY(pipelineFromJson("\xEF\xBB\xBF" + toJson(chain({"grayscale"}))));
    }

    void wrongShapes() {
        refuses("", "line 1");
        refuses("{", "line 1");
        refuses("[]", "object");
        refuses("3", "object");
        refuses("null", "object");
        refuses("{}", "schema");
        refuses(R"({"schema": "warpscope-pipeline/1"})", "steps: is missing");
        refuses(R"({"schema": 1, "steps": []})", "schema");
        refuses(R"({"schema": "warpscope-timings/1", "steps": []})", "schema");
        refuses(R"({"schema": "warpscope-pipeline/", "steps": []})", "schema");
        refuses(R"({"schema": "warpscope-pipeline/0", "steps": []})", "schema");
        refuses(R"({"schema": "warpscope-pipeline/1.5", "steps": []})", "schema");
        refuses(R"({"schema": "warpscope-pipeline/1", "steps": {}})", "steps: must be a list");
        refuses(R"({"schema": "warpscope-pipeline/1", "steps": [], "more": 1})", "'more'");
        refuses(withStep("3"), "steps[0]");
        refuses(withStep("{}"), "steps[0]: operation is missing");
        refuses(withStep(R"({"operation": 5})"), "steps[0].operation");
        refuses(withStep(R"({"operation": "sharpen"})"), "steps[0].operation");
        refuses(withStep(R"({"operation": "histogram"})"), "steps[0].operation");
        refuses(withStep(R"({"operation": "grayscale", "colour": 1})"), "unknown key 'colour'");
        refuses(withStep(R"({"operation": "grayscale", "enabled": 1})"), "steps[0].enabled");
        refuses(withStep(R"({"operation": "grayscale", "variant": 1})"), "steps[0].variant");
        refuses(withStep(R"({"operation": "grayscale", "variant": "x"})"), "steps[0].variant");
        refuses(withStep(R"({"operation": "grayscale", "parameters": []})"), "steps[0].parameters");
        refuses(withStep("{\"operation\": \"grayscale\"},\n{\"operation\": \"no\"}"),
                "steps[1].operation");
        refuses(toJson(chain({"grayscale"})) + "x", "line");
    }

    void wrongValues() {
        const auto sigma = [](const std::string& value) {
            return withStep(R"({"operation": "gaussian_blur", "parameters": {"sigma": )" + value +
                            "}}");
        };
        for (const char* value : {"true", "null", "[]", "{}", "\"two\"", "900", "-1", "0",
                                  "1000000000", "18446744073709551615", "1e300"})
            refuses(sigma(value), "steps[0].parameters.sigma");
        refuses(sigma("1e999"), "line 1");
        refuses(sigma("NaN"), "line 1");
        refuses(sigma("0x10"), "line 1");
        refuses(withStep(R"({"operation": "gaussian_blur", "parameters": {"size": 2.5}})"),
                "steps[0].parameters.size");
        refuses(withStep(R"({"operation": "gaussian_blur", "parameters": {"size": 1000000000}})"),
                "steps[0].parameters.size");
        refuses(withStep(R"({"operation": "gaussian_blur", "parameters": {"radius": 1}})"),
                "no parameter 'radius'");
        refuses(withStep(R"({"operation": "grayscale", "parameters": {"method": "purple"}})"),
                "steps[0].parameters.method");
        refuses(withStep(R"({"operation": "grayscale", "parameters": {"method": 1}})"),
                "steps[0].parameters.method");
    }

    void newerVersionSaysSo() {
        refuses(R"({"schema": "warpscope-pipeline/2", "steps": [], "new": 1})", "newer",
                ErrorCode::Unsupported);
    }

    void twoEqualKeys() {
        refuses(R"({"schema": "warpscope-pipeline/1", "steps": [], "steps": []})",
                "steps is given twice");
        refuses(withStep(R"({"operation": "grayscale", "enabled": true, "enabled": false})"),
                "steps[0].enabled is given twice");
        refuses(withStep(R"({"operation": "grayscale"}, {"operation": "gaussian_blur",
                    "parameters": {"sigma": 1, "sigma": 2}})"),
                "steps[1].parameters.sigma is given twice");
    }

    void placeOfSyntaxErrors() {
        refuses("{\n  \"schema\": ?\n}", "line 2, column 13");
        refuses("{\n\n,", "line 3, column 1");
    }

    void hostile() {
        refuses(std::string(2000, '['), "deeper than 16");
        refuses(std::string(2'000'000, '['), "deeper than 16");
        std::string objects;
        for (int i = 0; i < 2000; ++i) objects += "{\"a\":";
        refuses(objects, "deeper than 16");
        std::string million = "{}";
        for (int i = 0; i < 1'000'000; ++i) million += ",{}";
        refuses(withStep(million), "256");
        refuses(std::string(5 << 20, ' '), "4 MiB");
        refuses(withStep("{\"operation\": \"gray\xFFscale\"}"), "not UTF-8 at byte");
        refuses(withStep("{\"operation\": \"\xC0\xAF\"}"), "not UTF-8");      // overlong
        refuses(withStep("{\"operation\": \"\xED\xA0\x80\"}"), "not UTF-8");  // surrogate
        refuses(std::string("\xFF\xFE{\0}\0", 6), "not UTF-8");
        refuses(std::string(100, '\0'), "line 1");
        refuses(withStep("{\"operation\": \"" + std::string(3'000'000, 'x') + "\"}"),
                "steps[0].operation");
        refuses(withStep("{\"" + std::string(1'000'000, 'k') + "\": 1}"), "unknown key");
        refuses(withStep("{\"operation\": \"a\\nb\\u0000\"}"), "steps[0].operation");
        refuses(std::string(1'000'000, '9'), "line 1");
        refuses("\"" + std::string(1'000'000, 'z'), "line 1");
    }

    void everyPrefixOfAFileIsRefused() {
        const std::string text = toJson(chain({"gaussian_blur:sigma=2", "grayscale"}));
        // The last character is the line feed, which may be missing.
        for (std::size_t length = 0; length + 2 <= text.size(); ++length)
            QVERIFY(!pipelineFromJson(text.substr(0, length)));
    }

    void everyChangedByteIsHandled() {
        const std::string text = toJson(chain({"gaussian_blur:sigma=2", "equalize"}));
        for (std::size_t i = 0; i < text.size(); ++i) {
            for (const char c : {'\0', '"', '{', ']', ',', '9', 'x', '\xFF', '\n'}) {
                std::string changed = text;
                changed[i] = c;
                const auto read = pipelineFromJson(changed);
                // Either a pipeline that can be used, or an error with words.
                if (read) {
                    QVERIFY(checkPipeline(*read));
                } else {
                    QVERIFY(!read.error().message.empty());
                }
            }
        }
    }
};

WARPSCOPE_TEST(StepsTest)
#include "steps_test.moc"
