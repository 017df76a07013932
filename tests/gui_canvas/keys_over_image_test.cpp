// Where keys go after a control was used, in the real window, by mouse and keyboard.
#include <QAbstractItemView>
#include <QComboBox>
#include <QSignalSpy>
#include <QToolButton>

#include "gui/inspector/pinned_list.h"
#include "gui/steps/step_list.h"
#include "gui/widgets/value_slider.h"
#include "gui/window_fixture.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

class KeysOverImageTest : public QObject {
    Q_OBJECT

    struct Window : WindowFixture {
        bool good = false;

        Window() {
            good = open(scene("a.png", {320, 240})) && open(scene("b.png", {320, 240}, 8)) &&
                   addStep("gaussian_blur");
        }
        Canvas& canvas() { return window.canvas(); }
        ValueSlider& slider() {
            return *window.findChild<ValueSlider*>(QStringLiteral("sigma.slider"));
        }
        double sigma() { return document().pipeline().steps[0].parameters.real("sigma"); }
        // As the platform reports it, without the cursor that is shared with others.
        void move(QWidget& over, const QPoint& at, Qt::MouseButtons held = Qt::NoButton) {
            QMouseEvent event(QEvent::MouseMove, at, over.mapToGlobal(at), Qt::NoButton, held, {});
            QApplication::sendEvent(&over, &event);
        }
        void leave(QWidget& widget) {
            QEvent event(QEvent::Leave);
            QApplication::sendEvent(&widget, &event);
        }
        void dragSlider() {
            const QPoint at(int(slider().xOf(slider().value())), slider().height() / 2);
            QTest::mousePress(&slider(), Qt::LeftButton, {}, at);
            move(slider(), at + QPoint(30, 0), Qt::LeftButton);
            QTest::mouseRelease(&slider(), Qt::LeftButton, {}, at + QPoint(30, 0));
            slider().setFocus(Qt::MouseFocusReason);
        }
        void overImage(const QPoint& by = {}) { move(canvas(), canvas().rect().center() + by); }
    };

  private slots:
    void viewKeysGoToTheImageUnderTheMouse() {
        Window f;
        QVERIFY(f.good);
        f.dragSlider();
        const double sigma = f.sigma();
        QVERIFY(sigma > 1.0);
        f.overImage();
        QVERIFY(f.slider().hasFocus());
        f.press(Qt::Key_4);
        QCOMPARE(f.canvas().viewMode(), ViewMode::Wipe);
        QVERIFY(f.canvas().hasFocus());
        f.dragSlider();
        f.overImage();
        f.press(Qt::Key_Plus);
        QVERIFY(!f.canvas().isFitted());
        f.dragSlider();
        f.overImage();
        f.press(Qt::Key_F);
        QVERIFY(f.canvas().isFitted());
        const double before = f.sigma();
        f.dragSlider();
        const double after = f.sigma();
        QVERIFY(after > before);
        f.overImage();
        f.press(Qt::Key_R);
        QVERIFY(f.document().region().has_value());
        f.dragSlider();
        f.overImage();
        const double dragged = f.sigma();
        f.press(Qt::Key_Escape);
        QVERIFY(!f.document().region().has_value());
        QVERIFY(f.canvas().hasFocus());
        // The keys of the focus stay with it.
        f.dragSlider();
        f.overImage();
        f.press(Qt::Key_Left);
        QVERIFY(f.slider().hasFocus());
        QVERIFY(f.sigma() > dragged);
    }

    void pageKeysOpenTheNextImage() {
        Window f;
        QVERIFY(f.good);
        f.window.files().openFiles({f.scene("c.png", {64, 48}), f.scene("d.png", {64, 48}, 9)});
        QTRY_VERIFY(f.document().filePath().endsWith(QStringLiteral("c.png")) &&
                    f.bridge().resultIsCurrent());
        f.dragSlider();
        const double sigma = f.sigma();
        f.overImage();
        f.press(Qt::Key_PageDown);
        QTRY_VERIFY(f.document().filePath().endsWith(QStringLiteral("d.png")));
        QCOMPARE(f.sigma(), sigma);
        // Away from the image the page keys are the slider's.
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        f.dragSlider();
        const double before = f.sigma();
        f.leave(f.canvas());
        f.press(Qt::Key_PageDown);
        QCOMPARE(f.sigma(), before - 1.0);
    }

    void heldShiftShowsTheSource() {
        Window f;
        QVERIFY(f.good);
        f.dragSlider();
        f.overImage();
        QTest::keyPress(&f.slider(), Qt::Key_Shift);
        QTRY_VERIFY(f.canvas().showingHeldSource());
        QVERIFY(f.slider().hasFocus());
        QTest::keyRelease(&f.slider(), Qt::Key_Shift);
        QVERIFY(!f.canvas().showingHeldSource());
        // Nothing is left of it when the focus goes while it is held.
        QTest::keyPress(&f.slider(), Qt::Key_Shift);
        QTRY_VERIFY(f.canvas().showingHeldSource());
        f.window.findChild<StepList*>()->setFocus();
        QVERIFY(!f.canvas().showingHeldSource());
        // Away from the image it shows nothing.
        f.dragSlider();
        f.leave(f.canvas());
        QTest::keyPress(&f.slider(), Qt::Key_Shift);
        QTest::qWait(300);
        QVERIFY(!f.canvas().showingHeldSource());
        QTest::keyRelease(&f.slider(), Qt::Key_Shift);
    }

    void whatTheKeyboardChoseKeepsItsKeys() {
        Window f;
        QVERIFY(f.good);
        f.overImage();
        f.slider().setFocus(Qt::TabFocusReason);
        f.press(Qt::Key_3);
        QCOMPARE(f.canvas().viewMode(), ViewMode::Result);
        auto* edit = f.window.findChild<QLineEdit*>(QStringLiteral("sigma.value"));
        QVERIFY(edit->hasFocus());
        QCOMPARE(edit->text(), QStringLiteral("3"));
        // Text stays text, whatever the mouse does.
        f.overImage({5, 5});
        f.press(Qt::Key_4);
        QCOMPARE(edit->text(), QStringLiteral("34"));
        QCOMPARE(f.canvas().viewMode(), ViewMode::Result);
        f.press(Qt::Key_Escape);
        QVERIFY(f.slider().hasFocus());
        f.press(Qt::Key_PageUp);
        QVERIFY(f.slider().hasFocus());
        QCOMPARE(f.sigma(), 2.0);
    }

    // A step that was added by its key gets the focus; the mouse, which rests on the image, means
    // the image.
    void addingAStepLeavesTheKeysToTheImage() {
        Window f;
        QVERIFY(f.good);
        f.canvas().setFocus();
        f.overImage();
        f.press(Qt::Key_A);
        QTRY_VERIFY(QApplication::activePopupWidget());
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("gauss"));
        f.press(Qt::Key_Return);
        QTRY_COMPARE(f.document().pipeline().steps.size(), std::size_t(2));
        QTRY_VERIFY(!f.canvas().hasFocus() && !QApplication::activePopupWidget());
        f.press(Qt::Key_3);
        QCOMPARE(f.canvas().viewMode(), ViewMode::SideBySide);
        QVERIFY(f.canvas().hasFocus());
        QCOMPARE(f.document().pipeline().steps[1].parameters.real("sigma"),
                 makeStep("gaussian_blur")->parameters.real("sigma"));
    }

    // The read-out, too, without the mouse's being moved.
    void aListThatClosesGivesTheReadoutBack() {
        Window f;
        QVERIFY(f.good);
        const QPoint at = f.canvas().rect().center();
        QSignalSpy told(&f.canvas(), &Canvas::cursorPixelChanged);
        const auto readOut = [&] { return told.isEmpty() ? kNoPixel : told.last()[0].toPoint(); };
        const auto lists = {std::pair{Qt::Key_A, Qt::KeyboardModifiers()},
                            std::pair{Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier}};
        for (const auto& [key, modifiers] : lists) {
            QCursor::setPos(f.canvas().mapToGlobal(at));
            f.overImage();
            const QPoint shown = readOut();
            QVERIFY(shown != kNoPixel);
            f.canvas().setFocus();
            f.press(key, modifiers);
            QTRY_VERIFY(QApplication::activePopupWidget());
            f.leave(f.canvas());  // as the platform tells it
            QCOMPARE(readOut(), kNoPixel);
            f.press(Qt::Key_Escape);
            QTRY_VERIFY(!QApplication::activePopupWidget());
            QTRY_COMPARE(readOut(), shown);
        }
        // Back from elsewhere the mouse says so itself.
        QCursor::setPos(f.canvas().mapToGlobal(QPoint(-20, -20)));
        f.leave(f.canvas());
        f.window.activateWindow();
        f.canvas().setFocus();
        QTest::qWait(50);
        QCOMPARE(readOut(), kNoPixel);
        const QPointF place(at);
        QEnterEvent entered(place, place, f.canvas().mapToGlobal(place));
        QApplication::sendEvent(&f.canvas(), &entered);
        QVERIFY(readOut() != kNoPixel);
    }

    void anOpenListKeepsItsKeys() {
        Window f;
        QVERIFY(f.good);
        auto* combo = f.window.findChild<QComboBox*>(QStringLiteral("levelsChoice"));
        combo->setFocus(Qt::MouseFocusReason);
        combo->showPopup();
        QTRY_VERIFY(QApplication::activePopupWidget());
        f.overImage();
        QTest::keyClick(combo->view(), Qt::Key_4);
        QTest::keyClick(combo->view(), Qt::Key_Shift);
        QCOMPARE(f.canvas().viewMode(), ViewMode::Result);
        QTest::keyClick(combo->view(), Qt::Key_Escape);
        QTRY_VERIFY(!QApplication::activePopupWidget());
        // Closed, it gives way.
        combo->setFocus(Qt::MouseFocusReason);
        f.overImage();
        f.press(Qt::Key_4);
        QCOMPARE(f.canvas().viewMode(), ViewMode::Wipe);
    }

    void escapeReturnsToTheImage() {
        Window f;
        QVERIFY(f.good);
        for (const char* name : {"sigma.slider", "addStep", "statusDevice"}) {
            auto* control = f.window.findChild<QWidget*>(QLatin1String(name));
            control->setFocus();
            QVERIFY2(control->hasFocus(), name);
            f.press(Qt::Key_Escape);
            QVERIFY2(f.canvas().hasFocus(), name);
        }
        // From the field over the slider.
        f.slider().setFocus();
        f.press(Qt::Key_7);
        f.press(Qt::Key_Escape);
        f.press(Qt::Key_Escape);
        QVERIFY(f.canvas().hasFocus());
        QCOMPARE(f.sigma(), 1.0);
    }

    // The inspector says that a click pins, whatever had the focus; what is pinned is not lost by
    // it.
    void aClickThatBringsTheFocusBackPinsAndTakesNoPinAway() {
        Window f;
        QVERIFY(f.good);
        auto* pins = f.window.findChild<PinnedList*>();
        QSignalSpy clicked(&f.canvas(), &Canvas::pixelClicked);
        const auto click = [&] {
            // The platform gives the focus before the press.
            f.canvas().setFocus(Qt::MouseFocusReason);
            QTest::mouseClick(&f.canvas(), Qt::LeftButton, {}, f.canvas().rect().center());
            QTest::qWait(QApplication::doubleClickInterval() + 100);
        };
        for (int times = 0; times < 2; ++times) {
            f.slider().setFocus();
            click();
            QVERIFY(f.canvas().hasFocus());
            QCOMPARE(clicked.count(), 1);
            QCOMPARE(pins->pixels().size(), std::size_t(1));
        }
        // With the focus it takes the pin away.
        click();
        QCOMPARE(clicked.count(), 2);
        QVERIFY(pins->pixels().empty());
    }
};

WARPSCOPE_TEST(KeysOverImageTest)
#include "keys_over_image_test.moc"
