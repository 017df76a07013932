// Values that are typed: on a slider, into its field, wrong ones, and those that mean "automatic".
#include <QContextMenuEvent>
#include <QTest>

#include "gui/widgets/wrap_label.h"
#include "panel_fixture.h"
#include "support/test_case.h"

namespace warpscope::gui {

class TypedValuesTest : public QObject {
    Q_OBJECT
  private slots:
    void rightClickAndEnterAskForTheExactValue() {
        PanelFixture f;
        f.addSteps({"gaussian_blur"});
        ValueSlider& slider = f.slider("sigma.slider");
        QLineEdit& edit = f.edit("sigma.value");
        QContextMenuEvent menu(QContextMenuEvent::Mouse, slider.rect().center(),
                               slider.mapToGlobal(slider.rect().center()));
        QApplication::sendEvent(&slider, &menu);
        QVERIFY(edit.hasFocus());
        QCOMPARE(edit.selectedText(), edit.text());
        QTest::keyClick(&edit, Qt::Key_Escape);
        QVERIFY(slider.hasFocus());
        // Letters are keys of the window.
        QTest::keyClicks(&slider, "x-");
        QVERIFY(slider.hasFocus());
        QTest::keyClick(&slider, Qt::Key_Return);
        QVERIFY(edit.hasFocus());
        QTest::keyClicks(&edit, "7.25");
        QTest::keyClick(&edit, Qt::Key_Return);
        QCOMPARE(f.real(0, "sigma"), 7.25);
        QVERIFY(edit.hasFocus());
    }

    void aNumberTypedOnASliderIsItsValue() {
        PanelFixture f;
        f.addSteps({"gaussian_blur"});
        ValueSlider& slider = f.slider("sigma.slider");
        QLineEdit& edit = f.edit("sigma.value");
        const auto type = [](const char* text) {
            for (const char c : std::string(text)) QTest::keyClick(QApplication::focusWidget(), c);
        };
        const auto enter = [] { QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return); };
        const int before = f.undoCount();
        slider.setFocus();
        type("3.3");
        QVERIFY(edit.hasFocus());
        QCOMPARE(edit.text(), QStringLiteral("3.3"));
        QCOMPARE(f.real(0, "sigma"), 1.0);  // not yet
        enter();
        QCOMPARE(f.real(0, "sigma"), 3.3);
        QCOMPARE(f.undoCount(), before + 1);
        // And on: the keys are the slider's again.
        QVERIFY(slider.hasFocus());
        type(".5");
        enter();
        QCOMPARE(f.real(0, "sigma"), 0.5);
        // A wrong one stays to be mended, Escape forgets it.
        type("900");
        enter();
        QVERIFY(edit.hasFocus());
        QTest::keyClick(&edit, Qt::Key_Escape);
        QVERIFY(slider.hasFocus());
        QCOMPARE(f.real(0, "sigma"), 0.5);
        QCOMPARE(edit.text(), QStringLiteral("0.5"));
    }

    void aWrongValueKeepsTheOldAndSaysWhy() {
        PanelFixture f;
        f.addSteps({"gaussian_blur"});
        QLineEdit& edit = f.edit("sigma.value");
        auto* error = f.find<WrapLabel>("sigma.error");
        const int before = f.undoCount();
        for (const char* wrong : {"900", "0", "abc", "", "1e999", "nan"}) {
            edit.setFocus();
            edit.selectAll();
            if (*wrong)
                QTest::keyClicks(&edit, QString::fromLatin1(wrong));
            else
                QTest::keyClick(&edit, Qt::Key_Delete);
            QTest::keyClick(&edit, Qt::Key_Return);
            QCOMPARE(f.real(0, "sigma"), 1.0);
            QVERIFY2(error->isVisible() && error->text().contains(QStringLiteral("sigma")), wrong);
            QCOMPARE(edit.text(), QString::fromLatin1(wrong));  // to be mended
        }
        QCOMPARE(f.undoCount(), before);
        // Leaving the field shows the value that holds; the reason stays readable.
        f.list().focusCurrent();
        QCOMPARE(edit.text(), QStringLiteral("1"));
        QVERIFY(error->isVisible());
        edit.setFocus();
        edit.selectAll();
        QTest::keyClicks(&edit, QStringLiteral("2,5"));  // a decimal comma
        QTest::keyClick(&edit, Qt::Key_Return);
        QCOMPARE(f.real(0, "sigma"), 2.5);
        QVERIFY(!error->isVisible());
    }

    void typingMayLeaveTheSliderWithinTheHardRange() {
        PanelFixture f;
        f.addSteps({"gaussian_blur"});
        QLineEdit& edit = f.edit("sigma.value");
        edit.setFocus();
        edit.selectAll();
        QTest::keyClicks(&edit, QStringLiteral("55"));
        QTest::keyClick(&edit, Qt::Key_Return);
        QCOMPARE(f.real(0, "sigma"), 55.0);
        ValueSlider& slider = f.slider("sigma.slider");
        QCOMPARE(slider.xOf(55), slider.xOf(20));
        // Taking the handle without moving it leaves the value alone.
        f.click(slider, pointOf(slider, 20));
        QCOMPARE(f.real(0, "sigma"), 55.0);
    }

    void rulesHold() {
        PanelFixture f;
        f.addSteps({"gaussian_blur"});
        ValueSlider& slider = f.slider("size.slider");
        f.press(slider, QPoint(8, 12));
        for (int x = 8; x < slider.width(); ++x) {
            f.move(slider, QPoint(x, 12));
            const auto size = f.integer(0, "size");
            QVERIFY2(size == 0 || size % 2 == 1, qPrintable(QString::number(size)));
        }
        f.release(slider, QPoint(slider.width() - 1, 12));
        QLineEdit& edit = f.edit("size.value");
        edit.setFocus();
        edit.selectAll();
        QTest::keyClicks(&edit, QStringLiteral("4"));
        QTest::keyClick(&edit, Qt::Key_Return);
        QVERIFY(f.find<WrapLabel>("size.error")->text().contains(QStringLiteral("odd")));
        QVERIFY(f.integer(0, "size") != 4);
    }

    void automaticSaysWhatItTakes() {
        PanelFixture f(QSize(240, 760));
        f.addSteps({"gaussian_blur"});
        QLineEdit& edit = f.edit("size.value");
        QVERIFY(edit.text().isEmpty());
        QCOMPARE(edit.placeholderText(), QStringLiteral("automatic (7 px)"));
        QCOMPARE(f.slider("size.slider").valueText(), QStringLiteral("automatic (7 px)"));
        f.document.setParameter(0, "sigma", 2.0, EditPhase::Single);
        QCOMPARE(edit.placeholderText(), QStringLiteral("automatic (13 px)"));
        // The longest it can become is not cut.
        f.document.setParameter(0, "sigma", 100.0, EditPhase::Single);
        QCOMPARE(edit.placeholderText(), QStringLiteral("automatic (601 px)"));
        f.settle();
        QVERIFY(edit.width() > edit.fontMetrics().horizontalAdvance(edit.placeholderText()));
        // A size of one's own, and back by leaving the field empty.
        edit.setFocus();
        QTest::keyClicks(&edit, QStringLiteral("9"));
        QTest::keyClick(&edit, Qt::Key_Return);
        QCOMPARE(f.integer(0, "size"), 9);
        QCOMPARE(edit.text(), QStringLiteral("9"));
        QTest::keyClick(&edit, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(&edit, Qt::Key_Delete);
        QTest::keyClick(&edit, Qt::Key_Return);
        QCOMPARE(f.integer(0, "size"), 0);
        QVERIFY(edit.text().isEmpty());
    }

    void typedTextDoesNotSpillIntoAnotherStep() {
        PanelFixture f;
        f.addSteps({"gaussian_blur", "gaussian_blur"});
        f.document.setCurrentStep(0);
        QLineEdit& edit = f.edit("sigma.value");
        edit.setFocus();
        edit.selectAll();
        QTest::keyClicks(&edit, QStringLiteral("6"));
        f.document.setCurrentStep(1);  // by program, without leaving the field
        f.list().focusCurrent();
        QCOMPARE(f.real(1, "sigma"), 1.0);
        // A click on a card leaves the field first: the value belongs to the step it was typed for.
        f.document.setCurrentStep(0);
        edit.setFocus();
        edit.selectAll();
        QTest::keyClicks(&edit, QStringLiteral("6"));
        f.click(f.card(1), QPoint(60, 30));
        QCOMPARE(f.document.currentStep(), 1);
        QCOMPARE(f.real(0, "sigma"), 6.0);
        QCOMPARE(f.real(1, "sigma"), 1.0);
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::TypedValuesTest)
#include "typed_values_test.moc"
