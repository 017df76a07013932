// Positions, snapping and stepping of slider values, without a widget.
#include "gui/widgets/param_scale.h"

#include <QTest>
#include <cmath>

#include "engine/operations/registry.h"
#include "support/test_case.h"

namespace warpscope::gui {

namespace {

ParamSpec realSpec() {
    ParamSpec spec;
    spec.id = "x";
    spec.kind = ParamKind::Real;
    spec.defaultValue = 1.0;
    spec.hardMin = 0;
    spec.hardMax = 100;
    spec.sliderMin = 0;
    spec.sliderMax = 10;
    spec.step = 0.1;
    return spec;
}

ParamSpec oddSpec() {
    ParamSpec spec;
    spec.id = "n";
    spec.kind = ParamKind::Integer;
    spec.defaultValue = std::int64_t{0};
    spec.hardMin = 0;
    spec.hardMax = 1001;
    spec.sliderMin = 0;
    spec.sliderMax = 31;
    spec.step = 1;
    spec.rule = [](double value) {
        return value == 0 || std::fmod(value, 2) == 1 ? "" : "must be 0 or odd";
    };
    return spec;
}

}  // namespace

class ParamScaleTest : public QObject {
    Q_OBJECT
  private slots:
    void linearPositionsGoBothWays() {
        const ParamScale scale(realSpec());
        QCOMPARE(scale.position(0), 0.0);
        QCOMPARE(scale.position(5), 0.5);
        QCOMPARE(scale.position(10), 1.0);
        QCOMPARE(scale.position(99), 1.0);
        QCOMPARE(scale.valueAt(0.5), 5.0);
        QCOMPARE(scale.valueAt(-3), 0.0);
        QCOMPARE(scale.valueAt(7), 10.0);
    }

    void logarithmicMiddleIsTheGeometricMean() {
        ParamSpec spec = realSpec();
        spec.logarithmic = true;
        spec.hardMin = spec.sliderMin = 0.1;
        const ParamScale scale(spec);
        QCOMPARE(scale.valueAt(0.5), 1.0);
        QVERIFY(std::abs(scale.position(1.0) - 0.5) < 1e-12);
        QCOMPARE(scale.valueAt(0), 0.1);
        QCOMPARE(scale.valueAt(1), 10.0);
    }

    void logarithmicFromZeroFallsBackToLinear() {
        ParamSpec spec = realSpec();
        spec.logarithmic = true;
        QCOMPARE(ParamScale(spec).valueAt(0.5), 5.0);
    }

    void draggedRealsHaveFewDigits() {
        const ParamScale scale(realSpec());
        for (int i = 0; i <= 997; ++i) {
            const double value = scale.valueAt(i / 997.0);
            QVERIFY2(toText(scale.param(value)).size() <= 4, toText(scale.param(value)).c_str());
        }
    }

    void steppingLeavesNoDust() {
        const ParamScale scale(realSpec());
        double value = 0;
        for (int i = 0; i < 30; ++i) value = scale.stepped(value, 1);
        QCOMPARE(QString::fromStdString(toText(value)), QStringLiteral("3"));
        QCOMPARE(scale.stepped(3, 10), 4.0);
        QCOMPARE(scale.stepped(3, 0.1), 3.01);
        QCOMPARE(scale.stepped(9.95, 1), 10.0);
        QCOMPARE(scale.stepped(10, 1), 10.0);
    }

    void aTypedValueOutsideOnlyComesNearer() {
        const ParamScale scale(realSpec());
        QCOMPARE(scale.stepped(50, 1), 50.0);
        QCOMPARE(scale.stepped(50, -1), 49.9);
        QVERIFY(!scale.onSlider(50));
    }

    void oddSizesSnap() {
        const ParamScale scale(oddSpec());
        for (int i = 0; i <= 500; ++i) {
            const double value = scale.valueAt(i / 500.0);
            QVERIFY2(value == 0 || std::fmod(value, 2) == 1, qPrintable(QString::number(value)));
        }
        QCOMPARE(scale.stepped(0, 1), 1.0);
        QCOMPARE(scale.stepped(1, 1), 3.0);
        QCOMPARE(scale.stepped(3, -1), 1.0);
        QCOMPARE(scale.stepped(1, -1), 0.0);
        QCOMPARE(scale.stepped(0, -1), 0.0);
        QCOMPARE(scale.stepped(5, 10), 15.0);
        QCOMPARE(scale.stepped(0, 10), 9.0);
        QCOMPARE(scale.stepped(5, 0.1), 7.0);
        QCOMPARE(scale.stepped(31, 1), 31.0);
        QCOMPARE(scale.stepped(101, -1), 99.0);
    }

    void everyParameterOfTheRegistryStaysAllowed() {
        int seen = 0;
        for (const Operation* operation : allOperations()) {
            for (const ParamSpec& spec : operation->description().parameters) {
                if (spec.kind != ParamKind::Integer && spec.kind != ParamKind::Real) continue;
                ++seen;
                const ParamScale scale(spec);
                for (int i = 0; i <= 200; ++i) {
                    const auto at = checkParameter(spec, scale.param(scale.valueAt(i / 200.0)));
                    QVERIFY2(at, at ? "" : at.error().message.c_str());
                }
                double value = scale.defaultValue();
                for (const double steps : {1.0, 10.0, 0.1, -0.1, -1.0, -10.0, -10.0, 1.0}) {
                    value = scale.stepped(value, steps);
                    const auto at = checkParameter(spec, scale.param(value));
                    QVERIFY2(at, at ? "" : at.error().message.c_str());
                }
            }
        }
        QVERIFY(seen > 0);
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::ParamScaleTest)
#include "param_scale_test.moc"
