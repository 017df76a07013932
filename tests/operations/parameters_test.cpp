#include "engine/operations/parameters.h"

#include <clocale>
#include <cmath>
#include <limits>
#include <random>

#include "engine/operations/registry.h"
#include "engine/operations/smoothing/gaussian_blur.h"
#include "engine/operations/tone/grayscale.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

const ParamSpec& sigmaSpec() {
    return *gaussian_blur_operation().description().findParameter("sigma");
}
const ParamSpec& sizeSpec() {
    return *gaussian_blur_operation().description().findParameter("size");
}
const ParamSpec& methodSpec() {
    return *grayscale_operation().description().findParameter("method");
}

std::string errorOf(const Result<ParamValue>& result) {
    return result ? "" : result.error().message;
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

class ParametersTest : public QObject {
    Q_OBJECT

  private slots:
    void shortestText() {
        QCOMPARE(toText(ParamValue(1.5)), std::string("1.5"));
        QCOMPARE(toText(ParamValue(3.0)), std::string("3"));
        QCOMPARE(toText(ParamValue(0.1)), std::string("0.1"));
        QCOMPARE(toText(ParamValue(100000.0)), std::string("100000"));
        QCOMPARE(toText(ParamValue(std::int64_t{4294967295})), std::string("4294967295"));
        QCOMPARE(toText(ParamValue(std::string("weighted601"))), std::string("weighted601"));
    }

    void everyRealReadsBackAsItself() {
        std::mt19937_64 random(4);
        ParamSpec wide = sigmaSpec();
        wide.hardMin = -1e300;
        wide.hardMax = 1e300;
        for (int i = 0; i < 20000; ++i) {
            const double value = std::ldexp(double(random() >> 11), int(random() % 1900) - 1000);
            if (value > 1e300) continue;
            const auto read = parseParameter(wide, toText(ParamValue(value)));
            QVERIFY(read);
            QCOMPARE(std::get<double>(*read), value);
        }
    }

    void textKnowsNoLocale() {
        const char* had = std::setlocale(LC_ALL, "de_DE.UTF-8");
        if (!had) had = std::setlocale(LC_ALL, "");
        QCOMPARE(toText(ParamValue(2.25)), std::string("2.25"));
        QCOMPARE(std::get<double>(*parseParameter(sigmaSpec(), "2.25")), 2.25);
        QVERIFY(!parseParameter(sigmaSpec(), "2,25"));
        std::setlocale(LC_ALL, "C");
    }

    void readsNumbersAndChoices() {
        QCOMPARE(std::get<double>(*parseParameter(sigmaSpec(), " 1e1\t")), 10.0);
        QCOMPARE(std::get<double>(*parseParameter(sigmaSpec(), "+2")), 2.0);
        QCOMPARE(std::get<std::int64_t>(*parseParameter(sizeSpec(), "5")), std::int64_t{5});
        QCOMPARE(std::get<std::int64_t>(*parseParameter(sizeSpec(), "5.0")), std::int64_t{5});
        QCOMPARE(std::get<std::string>(*parseParameter(methodSpec(), "average")),
                 std::string("average"));
    }

    void errorsNameIdAndRange() {
        QCOMPARE(errorOf(parseParameter(sigmaSpec(), "900")),
                 std::string("sigma is 900, allowed are 0.3 to 100"));
        QCOMPARE(errorOf(parseParameter(sigmaSpec(), "abc")),
                 std::string("sigma: 'abc' is not a number"));
        for (const char* text : {"", " ", "1 2", "1x", "0x10", "nan", "--1", "+-1", "+"})
            QVERIFY2(contains(errorOf(parseParameter(sigmaSpec(), text)), "is not a number"), text);
        for (const char* text : {"1e999", "-1e999", "inf", "0.29999", "100.0001", "-5"}) {
            const std::string error = errorOf(parseParameter(sigmaSpec(), text));
            QVERIFY2(contains(error, "allowed are 0.3 to 100"), error.c_str());
            QVERIFY2(contains(error, "sigma is "), error.c_str());
        }
        for (const char* text : {"1003", "-1", "99999999999999999999", "1e30"}) {
            const std::string error = errorOf(parseParameter(sizeSpec(), text));
            QVERIFY2(contains(error, "size is ") && contains(error, "0 to 1001"), error.c_str());
        }
        QVERIFY(contains(errorOf(parseParameter(sizeSpec(), "2.5")), "whole number"));
        const std::string choice = errorOf(parseParameter(methodSpec(), "Average"));
        QVERIFY(contains(choice, "method is 'Average'"));
        QVERIFY(contains(choice, "weighted601, weighted709, average, maximum"));
    }

    void ruleOfASize() {
        for (int size = 0; size <= 1001; ++size)
            QCOMPARE(bool(checkParameter(sizeSpec(), std::int64_t{size})),
                     size == 0 || size % 2 == 1);
        QVERIFY(contains(errorOf(checkParameter(sizeSpec(), std::int64_t{4})), "odd"));
    }

    void kindsConvertWhereNothingIsLost() {
        QCOMPARE(std::get<double>(*checkParameter(sigmaSpec(), std::int64_t{3})), 3.0);
        QCOMPARE(std::get<std::int64_t>(*checkParameter(sizeSpec(), 7.0)), std::int64_t{7});
        QVERIFY(!checkParameter(sizeSpec(), 7.5));
        QVERIFY(!checkParameter(sizeSpec(), std::string("7")));
        QVERIFY(!checkParameter(sigmaSpec(), std::numeric_limits<double>::quiet_NaN()));
        QVERIFY(!checkParameter(methodSpec(), 1.0));
        ParamSpec zero = sigmaSpec();
        zero.hardMin = -1;
        QCOMPARE(toText(*checkParameter(zero, -0.0)), std::string("0"));
    }

    void bothEndsOfEveryRangeAreAllowed() {
        for (const Operation* operation : allOperations())
            for (const ParamSpec& spec : operation->description().parameters) {
                if (spec.kind == ParamKind::Choice || spec.kind == ParamKind::Image) continue;
                // Of a list: one with that number in it.
                const auto with = [&](double value) -> ParamValue {
                    if (spec.kind == ParamKind::Points)
                        return PointList{{spec.hardMin, value}, {spec.hardMax, spec.hardMin}};
                    if (spec.kind == ParamKind::Matrix) return IntMatrix{1, {int(value)}};
                    return value;
                };
                for (const double value :
                     {spec.hardMin, spec.hardMax, spec.sliderMin, spec.sliderMax})
                    QVERIFY2(checkParameter(spec, with(value)), spec.id.c_str());
                QVERIFY(!checkParameter(spec, with(spec.hardMin - 1)));
                QVERIFY(!checkParameter(spec, with(spec.hardMax + 1)));
            }
    }

    void resolvingFillsInDefaults() {
        const auto& specs = gaussian_blur_operation().description().parameters;
        ParamSet given;
        given.set("sigma", std::int64_t{2});
        const auto resolved = resolveParameters(specs, given);
        QVERIFY(resolved);
        QCOMPARE(resolved->real("sigma"), 2.0);
        QCOMPARE(resolved->integer("size"), std::int64_t{0});
        QCOMPARE(resolved->values().size(), std::size_t{2});
        QVERIFY(*resolveParameters(specs, *resolved) == *resolved);
    }

    void unknownParameterIsNamedWithTheKnownOnes() {
        ParamSet given;
        given.set("radius", 3.0);
        const auto resolved =
            resolveParameters(gaussian_blur_operation().description().parameters, given);
        REQUIRE_FAILS(resolved, ErrorCode::NotFound, "");
        QCOMPARE(resolved.error().message,
                 std::string("there is no parameter 'radius'; there are sigma, size"));
        QVERIFY(contains(resolveParameters({}, given).error().message, "has none"));
    }

    void scaledForADraft() {
        const auto& description = gaussian_blur_operation().description();
        ParamSet given;
        given.set("sigma", 8.0);
        given.set("size", std::int64_t{21});
        const ParamSet full = *resolveParameters(description.parameters, given);
        const ParamSet half = scaledParameters(description, full, 0.5);
        QCOMPARE(half.real("sigma"), 4.0);
        QCOMPARE(half.integer("size"), std::int64_t{11});
        QCOMPARE(scaledParameters(description, full, 0.001).real("sigma"), 0.3);
        // 0 is automatic: it stays, and a size that was given never becomes it.
        for (const std::int64_t size : {0, 1, 3, 5}) {
            given.set("size", size);
            const ParamSet small = *resolveParameters(description.parameters, given);
            for (const double scale : {0.5, 0.2, 0.01}) {
                const auto scaled = scaledParameters(description, small, scale).integer("size");
                QCOMPARE(scaled == 0, size == 0);
                QVERIFY(scaled == 0 || scaled % 2 == 1);
            }
        }
        for (int i = 1; i <= 100; ++i)
            QVERIFY(resolveParameters(description.parameters,
                                      scaledParameters(description, full, i / 100.0)));
    }
};

WARPSCOPE_TEST(ParametersTest)
#include "parameters_test.moc"
