// Pipeline files: what is written is read back, and what is wrong is refused with its place.
#include <QtTest>

#include "engine/pipeline/strict_json.h"
#include "pipeline/chains.h"
#include "support/test_case.h"

using namespace warpscope;
using test::chain;

namespace {

// A file with this text as its one step.
std::string withStep(const std::string& step) {
    return R"({"schema": "warpscope-pipeline/1", "steps": [)" + step + "]}";
}

}  // namespace

class JsonTest : public QObject {
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

WARPSCOPE_TEST(JsonTest)
#include "json_test.moc"
