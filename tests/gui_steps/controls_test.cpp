// The controls made from descriptions: sliders and choices.
#include <QAbstractItemView>
#include <QAccessible>
#include <QComboBox>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "engine/image/synthetic.h"
#include "engine/pipeline/preset_fit.h"
#include "gui/widgets/segmented_control.h"
#include "panel_fixture.h"
#include "support/test_case.h"

namespace warpscope::gui {

class ControlsTest : public QObject {
    Q_OBJECT
  private slots:
    void wrongVariantsAreShownOnRequest() {
        PanelFixture f;
        f.addSteps({"grayscale"});
        // One variant is no choice.
        QVERIFY(!f.panel.findChild<QWidget*>("variant.choice"));
        f.panel.setWrongVariantsShown(true);
        auto* segments = f.find<SegmentedControl>("variant.choice");
        const auto& wrong = findOperation("grayscale")->description().wrongVariants;
        QCOMPARE(segments->findChildren<QAbstractButton*>().size(), qsizetype(1 + wrong.size()));
        segments->findChildren<QAbstractButton*>()[1]->click();
        const auto chosen = [&] { return f.document.pipeline().steps[0].variant; };
        QCOMPARE(chosen(), wrong[0].id);
        // Chosen, it is to be seen; afterwards not any more.
        f.panel.setWrongVariantsShown(false);
        segments = f.find<SegmentedControl>("variant.choice");
        segments->findChildren<QAbstractButton*>()[0]->click();
        QCOMPARE(chosen(), std::string(kAutomaticVariant));
        QVERIFY(!f.panel.findChild<QWidget*>("variant.choice"));

        f.addSteps({"gaussian_blur"});
        f.document.setCurrentStep(1);
        const auto& blur = findOperation("gaussian_blur")->description();
        const auto offered = [&] {
            auto* list = f.panel.findChild<QComboBox*>("variant.choice");
            return list ? std::size_t(list->count())
                        : std::size_t(f.find<SegmentedControl>("variant.choice")
                                          ->findChildren<QAbstractButton*>()
                                          .size());
        };
        QCOMPARE(offered(), blur.variants.size());
        f.panel.setWrongVariantsShown(true);
        QCOMPARE(offered(), blur.variants.size() + blur.wrongVariants.size());
    }

    // What a method found stands in the field and at the slider, and is a fixed level once it is
    // moved.
    void aFoundLevelIsShownAndFixedByADrag() {
        PanelFixture f;
        const Image scene = makeScene({400, 300}, true, 3, CpuContext{}).value();
        f.document.setSource(
            std::make_shared<const Pyramid>(buildPyramid(scene, CpuContext{}).value()), {}, "s");
        f.addSteps({"threshold"});
        f.document.setParameter(0, "method", ParamValue(std::string("otsu")), EditPhase::Single);
        QTRY_VERIFY(f.bridge.thresholds() && !f.bridge.thresholds()->steps.empty());
        const double found = f.bridge.thresholds()->steps.front().level;
        QTRY_COMPARE(f.edit("value.value").text().toDouble(), found);
        ValueSlider& slider = f.slider("value.slider");
        QCOMPARE(slider.value(), found);
        const auto method = [&] {
            return f.document.pipeline().steps[0].parameters.choice("method");
        };
        QCOMPARE(method(), std::string("otsu"));
        const int before = f.undoCount();
        f.click(slider, pointOf(slider, found > 128 ? 40 : 210));
        QCOMPARE(method(), std::string("fixed"));
        QVERIFY(std::abs(f.real(0, "value") - (found > 128 ? 40 : 210)) < 3);
        QCOMPARE(f.undoCount(), before + 1);
        f.document.undoStack().undo();
        QCOMPARE(method(), std::string("otsu"));
    }

    // The share that is given away lies beyond black and white, and no more.
    void autoSetsLevelsToWhereTheImageEnds() {
        PanelFixture f;
        const Image image = makeScene({400, 300}, true, 5, CpuContext{}).value();
        f.document.setSource(
            std::make_shared<const Pyramid>(buildPyramid(image, CpuContext{}).value()), {}, "s");
        f.addSteps({"levels"});
        const int before = f.undoCount();
        auto* button = f.find<QPushButton>("levelsAuto");
        QTest::mouseClick(button, Qt::LeftButton);
        const auto range = usedLevels(image);
        QVERIFY(range);
        QCOMPARE(f.real(0, "black"), range->black);
        QCOMPARE(f.real(0, "white"), range->white);
        QCOMPARE(f.undoCount(), before + 1);
    }

    void clickSetsTheValueThere() {
        PanelFixture f;
        f.addSteps({"gaussian_blur"});
        ValueSlider& slider = f.slider("sigma.slider");
        const int before = f.undoCount();
        f.click(slider, pointOf(slider, 8));
        QVERIFY2(std::abs(f.real(0, "sigma") - 8) < 0.5,
                 qPrintable(QString::number(f.real(0, "sigma"))));
        QCOMPARE(f.undoCount(), before + 1);
        QVERIFY(!f.document.interacting());
        QCOMPARE(f.edit("sigma.value").text().toDouble(), f.real(0, "sigma"));
    }

    void aDragIsLiveAndOneUndoEntry() {
        PanelFixture f;
        f.addSteps({"gaussian_blur"});
        ValueSlider& slider = f.slider("sigma.slider");
        const int before = f.undoCount();
        QSignalSpy interaction(&f.document, &Document::interactionChanged);
        f.press(slider, pointOf(slider, 1));  // on the handle: nothing moves yet
        QCOMPARE(f.real(0, "sigma"), 1.0);
        QVERIFY(f.document.interacting());
        double last = 1;
        for (const double target : {1.5, 2.5, 4.0, 9.0}) {
            f.move(slider, pointOf(slider, target));
            QVERIFY(f.real(0, "sigma") > last);
            last = f.real(0, "sigma");
        }
        f.move(slider, QPoint(slider.width() + 300, -40));  // beyond the end
        QCOMPARE(f.real(0, "sigma"), 20.0);
        f.release(slider, QPoint(slider.width() + 300, -40));
        QVERIFY(!f.document.interacting());
        QCOMPARE(interaction.count(), 2);
        QCOMPARE(f.undoCount(), before + 1);
        f.document.undoStack().undo();
        QCOMPARE(f.real(0, "sigma"), 1.0);
        QCOMPARE(slider.value(), 1.0);
    }

    void escapeTakesADragBack() {
        PanelFixture f;
        f.addSteps({"gaussian_blur"});
        ValueSlider& slider = f.slider("sigma.slider");
        f.press(slider, pointOf(slider, 8));
        f.move(slider, pointOf(slider, 12));
        QTest::keyClick(&slider, Qt::Key_Escape);
        QCOMPARE(f.real(0, "sigma"), 1.0);
        QVERIFY(!f.document.interacting());
        f.move(slider, pointOf(slider, 15));
        QCOMPARE(f.real(0, "sigma"), 1.0);
        f.release(slider, pointOf(slider, 15));
    }

    void wheelStepsWithModifiers() {
        PanelFixture f;
        f.addSteps({"gaussian_blur"});
        ValueSlider& slider = f.slider("sigma.slider");
        slider.setFocus();
        const int before = f.undoCount();
        f.wheel(slider, 1);
        QCOMPARE(f.real(0, "sigma"), 1.1);
        f.wheel(slider, 1, Qt::ShiftModifier);
        QCOMPARE(f.real(0, "sigma"), 2.1);
        f.wheel(slider, -1, Qt::ControlModifier);
        QCOMPARE(f.real(0, "sigma"), 2.09);
        f.wheel(slider, -2);
        QCOMPARE(f.real(0, "sigma"), 1.89);
        QTRY_VERIFY(!f.document.interacting());  // the run of notches ends by itself
        QCOMPARE(f.undoCount(), before + 1);
    }

    void aPassingWheelChangesNothing() {
        PanelFixture f;
        f.addSteps({"gaussian_blur"});
        ValueSlider& slider = f.slider("sigma.slider");
        f.move(f.card(0), QPoint(5, 5));
        f.list().focusCurrent();
        f.move(slider, slider.rect().center());
        f.wheel(slider, 1);
        QCOMPARE(f.real(0, "sigma"), 1.0);
        QTest::qWait(300);
        f.wheel(slider, 1);  // still scrolling: the wait begins anew
        QTest::qWait(300);
        f.wheel(slider, 1);
        QCOMPARE(f.real(0, "sigma"), 1.0);
        QTest::qWait(650);  // rested
        f.wheel(slider, 1);
        QCOMPARE(f.real(0, "sigma"), 1.1);
    }

    void aWheelOverAnUnfocusedSliderScrollsThePanel() {
        PanelFixture f(QSize(240, 300));
        f.addSteps({"gaussian_blur"});
        auto* area = f.find<QScrollArea>("stepControls");
        QVERIFY(area->verticalScrollBar()->maximum() > 0);
        area->ensureWidgetVisible(&f.slider("sigma.slider"));
        const int before = area->verticalScrollBar()->value();
        f.list().focusCurrent();
        f.wheel(f.slider("sigma.slider"), -1);
        QVERIFY(area->verticalScrollBar()->value() > before);
        QCOMPARE(f.real(0, "sigma"), 1.0);
    }

    void doubleClickResets() {
        PanelFixture f;
        f.addSteps({"gaussian_blur"});
        f.document.setParameter(0, "sigma", 9.0, EditPhase::Single);
        ValueSlider& slider = f.slider("sigma.slider");
        const QPoint at = pointOf(slider, 5);
        QTest::mouseDClick(f.panel.windowHandle(), Qt::LeftButton, {}, f.inWindow(slider, at));
        QCOMPARE(f.real(0, "sigma"), 1.0);
        QVERIFY(!f.document.interacting());
    }

    void arrowKeysPagesAndEnds() {
        PanelFixture f;
        f.addSteps({"gaussian_blur"});
        ValueSlider& slider = f.slider("sigma.slider");
        slider.setFocus();
        QTest::keyClick(&slider, Qt::Key_Right);
        QCOMPARE(f.real(0, "sigma"), 1.1);
        QTest::keyClick(&slider, Qt::Key_Down);
        QCOMPARE(f.real(0, "sigma"), 1.0);
        QTest::keyClick(&slider, Qt::Key_PageUp);
        QCOMPARE(f.real(0, "sigma"), 2.0);
        QTest::keyClick(&slider, Qt::Key_End);
        QCOMPARE(f.real(0, "sigma"), 20.0);
        QTest::keyClick(&slider, Qt::Key_Home);
        QCOMPARE(f.real(0, "sigma"), 0.3);
        QTest::keyClick(&slider, Qt::Key_Up, Qt::ControlModifier);
        QCOMPARE(f.real(0, "sigma"), 0.31);
    }

    void choicesByMouseAndKeyboard() {
        PanelFixture f;
        f.addSteps({"equalize", "grayscale"});
        f.document.setCurrentStep(0);
        f.settle();
        auto* segments = f.find<SegmentedControl>("channels.choice");
        const auto channels = [&f] {
            return f.document.pipeline().steps[0].parameters.choice("channels");
        };
        QCOMPARE(channels(), std::string("luma"));
        f.click(*segments->button(1), segments->button(1)->rect().center());
        QCOMPARE(channels(), std::string("each"));
        QTest::keyClick(segments->button(1), Qt::Key_Left);
        QCOMPARE(channels(), std::string("luma"));
        f.document.undoStack().undo();
        QCOMPARE(segments->current(), 1);

        f.document.setCurrentStep(1);
        f.settle();
        auto* combo = f.find<QComboBox>("method.choice");
        combo->setFocus();
        QTest::keyClick(combo, Qt::Key_Down);
        QCOMPARE(f.document.pipeline().steps[1].parameters.choice("method"),
                 std::string("weighted709"));
        f.list().focusCurrent();
        f.wheel(*combo, -1);
        QCOMPARE(combo->currentIndex(), 1);
    }

    void resetPutsDefaultsBack() {
        PanelFixture f;
        f.addSteps({"gaussian_blur"});
        auto* reset = f.find<QToolButton>("resetStep");
        QVERIFY(!reset->isEnabled());
        f.document.setParameter(0, "sigma", 3.0, EditPhase::Single);
        f.document.setParameter(0, "size", std::int64_t{5}, EditPhase::Single);
        QVERIFY(reset->isEnabled());
        f.click(*reset, reset->rect().center());
        QCOMPARE(f.real(0, "sigma"), 1.0);
        QCOMPARE(f.integer(0, "size"), std::int64_t{0});
    }

    void slidersTellScreenReaders() {
        PanelFixture f;
        f.addSteps({"gaussian_blur"});
        auto* face = QAccessible::queryAccessibleInterface(&f.slider("sigma.slider"));
        QVERIFY(face);
        QCOMPARE(face->role(), QAccessible::Slider);
        QCOMPARE(face->text(QAccessible::Name), QStringLiteral("Sigma"));
        QCOMPARE(face->text(QAccessible::Value), QStringLiteral("1 px"));
        QVERIFY(face->valueInterface());
        QCOMPARE(face->valueInterface()->maximumValue().toDouble(), 20.0);
        face->valueInterface()->setCurrentValue(4.0);
        QCOMPARE(f.real(0, "sigma"), 4.0);
    }

    // A new operation gets its controls without a line here.
    void everyOperationHasWorkingControls() {
        PanelFixture f;
        int controls = 0;
        for (const Operation* operation : allOperations()) {
            const OperationDescription& description = operation->description();
            if (description.kind != OperationKind::Filter) continue;
            f.document.replacePipeline(Pipeline(), QString());
            f.addSteps({description.id.c_str()});
            for (const ParamSpec& spec : description.parameters) {
                const Pipeline before = f.document.pipeline();
                // Lists and images have tests of their own (list_rows, second_inputs).
                if (spec.kind != ParamKind::Choice && spec.kind != ParamKind::Integer &&
                    spec.kind != ParamKind::Real)
                    continue;
                const std::string name =
                    spec.id + (spec.kind == ParamKind::Choice ? ".choice" : ".slider");
                auto* control = f.panel.findChild<QWidget*>(QString::fromStdString(name));
                QVERIFY2(control && control->isVisible(), name.c_str());
                QVERIFY2(!control->accessibleName().isEmpty(), name.c_str());
                if (auto* slider = qobject_cast<ValueSlider*>(control)) {
                    slider->setFocus();
                    const bool atEnd =
                        slider->scale().shown(slider->value()) >= slider->scale().high();
                    QTest::keyClick(slider, atEnd ? Qt::Key_Home : Qt::Key_End);
                } else if (auto* combo = qobject_cast<QComboBox*>(control)) {
                    combo->setFocus();
                    QTest::keyClick(combo, combo->currentIndex() == 0 ? Qt::Key_Down : Qt::Key_Up);
                } else if (auto* segments = qobject_cast<SegmentedControl*>(control)) {
                    auto* other = segments->button(segments->current() == 0 ? 1 : 0);
                    f.click(*other, other->rect().center());
                }
                QVERIFY2(!(before == f.document.pipeline()), name.c_str());
                ++controls;
            }
        }
        QVERIFY(controls > 0);
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::ControlsTest)
#include "controls_test.moc"
