// The hints of a first run, and the picture on the whole screen.
#include <QLabel>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QWheelEvent>

#include "engine/operations/operation.h"
#include "gui/app/first_hints.h"
#include "gui/app/picture_alone.h"
#include "support/test_case.h"
#include "window_fixture.h"

namespace warpscope::gui {

class FirstRunTest : public QObject {
    Q_OBJECT

    static void wheel(Canvas& canvas) {
        const QPointF at = canvas.rect().center();
        QWheelEvent event(at, canvas.mapToGlobal(at), {}, QPoint(0, 120), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&canvas, &event);
    }

  private slots:
    void fourHintsOnceAndNoMore() {
        QTemporaryDir kept;
        const QString file = kept.filePath(QStringLiteral("settings.ini"));
        {
            WindowFixture f(file);
            const FirstHints& hints = f.window.hints();
            QVERIFY(hints.text().isEmpty());
            QVERIFY(f.open(f.scene("a.png")));
            QTRY_VERIFY(hints.text().startsWith(QStringLiteral("A adds")));
            // Nothing of the picture is covered, and what it says is true.
            QVERIFY(f.window.status().findChild<QWidget*>(QStringLiteral("hintNote"))->isVisible());
            f.press(Qt::Key_A);
            QTRY_VERIFY(QApplication::activePopupWidget());
            QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("invert"));
            f.press(Qt::Key_Return);
            QTRY_COMPARE(f.document().pipeline().steps.size(), std::size_t(1));
            QVERIFY(hints.text().contains(QStringLiteral("wheel")));
            wheel(f.window.canvas());
            QVERIFY(hints.text().contains(QStringLiteral("Shift")));
            QVERIFY(waitedFor([&] { return f.bridge().histogramsAreCurrent(); }));
            f.window.activateWindow();
            QTRY_VERIFY(f.window.isActiveWindow());
            f.window.canvas().setFocus();
            QTRY_VERIFY(f.window.canvas().hasFocus());
            QTest::keyPress(&f.window.canvas(), Qt::Key_Shift);
            QTRY_VERIFY(f.window.canvas().showingHeldSource());
            QVERIFY(hints.text().contains(QStringLiteral("F11")));
            QVERIFY(!hints.text().contains(QStringLiteral("GPU")));
            QTest::keyRelease(&f.window.canvas(), Qt::Key_Shift);
        }
        {
            // What was done stays done.
            WindowFixture f(file);
            QVERIFY(f.open(f.scene("a.png")));
            QTRY_VERIFY(f.window.hints().text().contains(QStringLiteral("F11")));
            auto* never = f.window.status().findChild<QToolButton*>(QStringLiteral("hintsOff"));
            QVERIFY(never && never->isVisible());
            QTest::mouseClick(never, Qt::LeftButton);
            QVERIFY(f.window.hints().text().isEmpty());
        }
        WindowFixture f(file);
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.window.hints().text().isEmpty());
        QVERIFY(!f.window.status().findChild<QWidget*>(QStringLiteral("hintNote")));
    }

    void noneWithoutASettingsFile() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.window.hints().text().isEmpty());
        QVERIFY(!f.window.status().findChild<QWidget*>(QStringLiteral("hintNote")));
    }

    void thePictureOnTheWholeScreen() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        auto* bar = f.window.findChild<QToolBar*>(QStringLiteral("toolBar"));
        const auto everything = [&] {
            return f.window.menuBar()->isVisible() && bar->isVisible() &&
                   f.window.status().isVisible() && !f.window.docks().allHidden();
        };
        const auto nothing = [&] {
            return !f.window.menuBar()->isVisible() && !bar->isVisible() &&
                   !f.window.status().isVisible() && f.window.docks().allHidden();
        };
        QVERIFY(everything());
        f.press(Qt::Key_F10);
        QTRY_VERIFY(nothing());
        QVERIFY(f.window.isFullScreen());
        QVERIFY(f.window.canvas().hasFocus());
        f.press(Qt::Key_F10);
        QTRY_VERIFY(everything());
        QVERIFY(!f.window.isFullScreen());
        // Escape drops what lies on the image first.
        f.press(Qt::Key_F10);
        QTRY_VERIFY(nothing());
        f.press(Qt::Key_R);
        QVERIFY(f.document().region());
        f.press(Qt::Key_Escape);
        QVERIFY(!f.document().region());
        QVERIFY(nothing());
        f.press(Qt::Key_Escape);
        QTRY_VERIFY(everything());
        // Panels that were away stay away.
        f.press(Qt::Key_Tab);
        QVERIFY(f.window.docks().allHidden());
        f.press(Qt::Key_F10);
        QTRY_VERIFY(nothing());
        f.press(Qt::Key_F10);
        QTRY_VERIFY(f.window.menuBar()->isVisible());
        QVERIFY(f.window.docks().allHidden());
    }

    void closingOnTheWholeScreenKeepsTheLayout() {
        QTemporaryDir kept;
        const QString file = kept.filePath(QStringLiteral("settings.ini"));
        {
            WindowFixture f(file);
            f.press(Qt::Key_F10);
            QTRY_VERIFY(f.window.isFullScreen());
            QVERIFY(f.window.close());
        }
        WindowFixture f(file);
        QVERIFY(!f.window.isFullScreen());
        QVERIFY(f.window.findChild<QToolBar*>(QStringLiteral("toolBar"))->isVisible());
        QVERIFY(!f.window.docks().allHidden());
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::FirstRunTest)
#include "first_run_test.moc"
