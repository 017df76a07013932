// The list that chooses a step's second input, and what the cards say of it; curves through the
// document.
#include <QComboBox>
#include <QTest>

#include "engine/image/synthetic.h"
#include "gui/steps/curve_plot.h"
#include "panel_fixture.h"
#include "support/test_case.h"

namespace warpscope::gui {

namespace {
PyramidPtr pyramidOf(Size size, std::uint32_t seed) {
    const Image scene = makeScene(size, true, seed, CpuContext{}).value();
    return std::make_shared<const Pyramid>(buildPyramid(scene, CpuContext{}).value());
}
}  // namespace

class SecondInputsTest : public QObject {
    Q_OBJECT

    static std::string with(const PanelFixture& f, int step) {
        return f.document.pipeline().steps[std::size_t(step)].parameters.choice("with");
    }
    static void choose(QComboBox& combo, int index) {
        combo.setFocus();
        QTest::keyClick(&combo, Qt::Key_Home);
        for (int i = 0; i < index; ++i) QTest::keyClick(&combo, Qt::Key_Down);
    }

  private slots:
    void anEarlierStepGetsANameInTheSameEdit() {
        PanelFixture f;
        f.addSteps({"gaussian_blur", "invert", "blend"});
        // Naming a step selects it, and other controls take the place of these.
        const auto shown = [&] {
            f.document.setCurrentStep(2);
            return f.find<QComboBox>("with.image")->currentText();
        };
        auto& combo = *f.find<QComboBox>("with.image");
        QCOMPARE(combo.count(), 4);  // the source, two steps, the second image
        QCOMPARE(combo.currentText(), QStringLiteral("Source"));
        QVERIFY(combo.itemText(3).contains(QStringLiteral("none open")));
        const int before = f.undoCount();
        combo.setFocus();
        QTest::keyClick(&combo, Qt::Key_Down);
        QCOMPARE(f.undoCount(), before + 1);
        QCOMPARE(with(f, 2), std::string("step:gaussian_blur"));
        QCOMPARE(f.document.pipeline().steps[0].name, std::string("gaussian_blur"));
        QCOMPARE(f.card(0).title(), QStringLiteral("Gaussian blur · gaussian_blur"));
        QVERIFY(f.card(2).statusText().contains(QStringLiteral("with gaussian_blur")));
        // Another name is followed; while it is referred to, it cannot be taken away.
        f.document.setStepName(0, QStringLiteral("soft"));
        QCOMPARE(with(f, 2), std::string("step:soft"));
        QCOMPARE(shown(), QStringLiteral("1: Gaussian blur · soft"));
        f.document.setStepName(0, QString());
        QCOMPARE(f.document.pipeline().steps[0].name, std::string("soft"));
        f.document.undoStack().undo();
        f.document.undoStack().undo();
        QCOMPARE(f.document.pipeline().steps[0].name, std::string());
        QCOMPARE(with(f, 2), std::string("source"));
        QCOMPARE(shown(), QStringLiteral("Source"));
    }

    void whatIsMissingStaysChosenAndIsSaid() {
        PanelFixture f;
        f.document.setSource(pyramidOf({120, 80}, 3), {}, "s");
        f.addSteps({"gaussian_blur", "blend"});
        const auto combo = [&]() -> QComboBox& { return *f.find<QComboBox>("with.image"); };
        f.document.setStepName(0, QStringLiteral("soft"));
        f.document.setCurrentStep(1);
        choose(combo(), 1);
        QTRY_VERIFY(f.bridge.resultIsCurrent());
        QVERIFY(f.card(1).warningText().isEmpty());
        f.document.moveStep(0, 1);
        f.document.setCurrentStep(0);
        QVERIFY(combo().currentText().contains(QStringLiteral("not before")));
        f.document.removeStep(1);
        f.document.setCurrentStep(0);
        QCOMPARE(combo().currentText(), QStringLiteral("soft (missing)"));
        QCOMPARE(with(f, 0), std::string("step:soft"));
        QTRY_VERIFY2(f.card(0).warningText().contains(QStringLiteral("none of that name")),
                     qPrintable(f.card(0).warningText()));
        QVERIFY(f.bridge.resultIsCurrent());  // the rest is computed
        choose(combo(), 0);
        QTRY_VERIFY(f.card(0).warningText().isEmpty());
    }

    void theSecondImageIsComputedWith() {
        PanelFixture f;
        const PyramidPtr source = pyramidOf({120, 80}, 3), other = pyramidOf({120, 80}, 9);
        f.document.setSource(source, {}, "s");
        f.addSteps({"blend"});
        f.document.setParameter(0, "with", std::string("second"), EditPhase::Single);
        QTRY_VERIFY(!f.card(0).warningText().isEmpty());
        const Image without = f.bridge.result()->levels.front();
        QVERIFY(sameSamples(without, source->levels.front()));
        f.document.setSecond(other, {}, QStringLiteral("mask.png"));
        auto& combo = *f.find<QComboBox>("with.image");
        QCOMPARE(combo.currentText(), QStringLiteral("Second image: mask.png"));
        QTRY_VERIFY(f.bridge.resultIsCurrent() && f.card(0).warningText().isEmpty());
        QVERIFY(!sameSamples(f.bridge.result()->levels.front(), without));
        // Of another size: passed over, in words; closed: so too.
        f.document.setSecond(pyramidOf({60, 80}, 9), {}, QStringLiteral("small.png"));
        QTRY_VERIFY(f.card(0).warningText().contains(QStringLiteral("60 x 80")));
        f.document.closeSecond();
        QTRY_VERIFY(f.bridge.resultIsCurrent() &&
                    !f.card(0).warningText().contains(QStringLiteral("60 x 80")));
        QVERIFY(!f.card(0).warningText().isEmpty());
    }

    void aDragOfAPointIsOneUndoEntry() {
        PanelFixture f(QSize(280, 900));
        f.addSteps({"curves"});
        auto& plot = *f.find<CurvePlot>("points.editor");
        const int before = f.undoCount();
        f.press(plot, plot.positionOf({100, 100}).toPoint());
        QVERIFY(f.document.interacting());
        for (const double y : {140.0, 180.0, 60.0})
            f.move(plot, plot.positionOf({110, y}).toPoint());
        f.release(plot, plot.positionOf({110, 60}).toPoint());
        QVERIFY(!f.document.interacting());
        QCOMPARE(f.undoCount(), before + 1);
        QCOMPARE(f.document.pipeline().steps[0].parameters.points("points").size(), std::size_t(3));
        // The curve is the operation's: it bends with its other parameters.
        const QImage smooth = plot.grab().toImage();
        f.document.setParameter(0, "interpolation", std::string("linear"), EditPhase::Single);
        QVERIFY(plot.grab().toImage() != smooth);
        f.document.undoStack().undo();
        f.document.undoStack().undo();
        QCOMPARE(plot.points().size(), std::size_t(2));
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::SecondInputsTest)
#include "second_inputs_test.moc"
