// The window by real keys and mouse.
#include <QDialog>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTextBrowser>
#include <QToolButton>

#include "gui/app/help_windows.h"
#include "gui/app/screenshot.h"
#include "gui/widgets/theme.h"
#include "support/test_case.h"
#include "window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class MainWindowTest : public QObject {
    Q_OBJECT

    static int shownDocks(MainWindow& window) {
        int shown = 0;
        for (const QDockWidget* dock : window.findChildren<QDockWidget*>())
            shown += !dock->isHidden();
        return shown;
    }

  private slots:
    // At 1024 x 640 a menu of two columns hides half of the picture.
    void theViewMenuFitsASmallScreen() {
        WindowFixture f;
        for (QAction* title : f.window.menuBar()->actions()) {
            QMenu* menu = title->menu();
            int height = 0;
            for (QAction* action : menu->actions()) height += menu->actionGeometry(action).height();
            QVERIFY2(height < 600,
                     qPrintable(QStringLiteral("%1: %2").arg(title->text()).arg(height)));
        }
    }

    void undoAndRedoByKeys() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("gaussian_blur"));
        QVERIFY(f.addStep("grayscale"));
        f.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(1));
        f.press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(f.document().pipeline().steps.empty());
        QVERIFY(!f.window.actions().undo->isEnabled());
        f.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        f.press(Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(2));
    }

    // Steps that come back compute nothing: the list of their cards has its height again, and the
    // line above says that they were in the cache.
    void stepsThatComeBackHaveTheirPlace() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        for (const char* id : {"gaussian_blur", "grayscale", "median", "invert"})
            QVERIFY(f.addStep(id));
        const auto* list = f.window.findChild<QScrollArea*>(QStringLiteral("stepList"));
        const auto* chain = f.window.findChild<QLabel*>(QStringLiteral("chainTime"));
        QTRY_VERIFY2(chain->text().contains(QStringLiteral("\n3 of 4 steps kept")),
                     qPrintable(chain->text()));
        QTRY_VERIFY(f.bridge().timingsComplete());
        QTest::qWait(50);  // layouts settle
        const int height = list->height();
        for (int i = 0; i < 3; ++i) f.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(1));
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        for (int i = 0; i < 3; ++i) f.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(4));
        QTRY_VERIFY2(chain->text().endsWith(QStringLiteral("\nall 4 steps kept")),
                     qPrintable(chain->text()));
        QVERIFY2(chain->text().startsWith(QStringLiteral("chain ")), qPrintable(chain->text()));
        QTRY_COMPARE(list->height(), height);
    }

    void stepKeysActOnTheCanvasOnly() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("gaussian_blur"));
        f.press(Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(2));
        f.press(Qt::Key_Delete);
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(1));
        f.press(Qt::Key_P);
        QVERIFY(f.bridge().paused());
        f.press(Qt::Key_P);
        QVERIFY(!f.bridge().paused());

        QLineEdit elsewhere(&f.window);
        elsewhere.show();
        elsewhere.setFocus();
        for (const int key : {Qt::Key_Delete, Qt::Key_P, Qt::Key_A, Qt::Key_F}) f.press(key);
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(1));
        QVERIFY(!f.bridge().paused());
        QCOMPARE(elsewhere.text(), QStringLiteral("paf"));
    }

    void zoomAndViewKeys() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        f.press(Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(f.window.canvas().zoom(), 1.0);
        f.press(Qt::Key_Plus, Qt::ControlModifier);
        QVERIFY(f.window.canvas().zoom() > 1.0);
        f.press(Qt::Key_F);
        QVERIFY(f.window.canvas().isFitted());
        f.press(Qt::Key_3);
        QCOMPARE(f.window.canvas().viewMode(), ViewMode::SideBySide);
        QVERIFY(f.window.actions().viewSideBySide->isChecked());
        f.press(Qt::Key_4);
        QCOMPARE(f.window.canvas().viewMode(), ViewMode::Wipe);
        f.press(Qt::Key_1);
        QCOMPARE(f.window.canvas().viewMode(), ViewMode::Source);
    }

    void marksActWhereverTheFocusIs() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("gaussian_blur"));
        QTRY_VERIFY(f.bridge().timingsComplete());
        const auto named = [&](const char* name) {
            return f.window.findChild<QWidget*>(QLatin1String(name));
        };
        for (const char* name : {"sigma.slider", "addStep", "timingsTable", "timingsAgain",
                                 "statusDevice", "timingsCard"}) {
            QWidget* control = named(name);
            QVERIFY2(control, name);
            if (!control->isVisible()) {
                auto* chip = f.window.findChild<QAbstractButton*>(
                    name == std::string("timingsCard") ? QStringLiteral("timingsCardChip")
                                                       : QStringLiteral("timingsTableChip"));
                chip->click();
            }
            f.window.canvas().setViewMode(ViewMode::Result);
            control->setFocus();
            QVERIFY2(control->hasFocus(), name);
            if (name == std::string("sigma.slider")) continue;  // digits are its value
            f.press(Qt::Key_4);
            QVERIFY2(f.window.canvas().viewMode() == ViewMode::Wipe, name);
            f.press(Qt::Key_1);
            QVERIFY2(f.window.canvas().viewMode() == ViewMode::Source, name);
            f.press(Qt::Key_P);
            QVERIFY2(f.bridge().paused(), name);
            f.press(Qt::Key_P);
            QVERIFY2(!f.bridge().paused(), name);
        }
        QCOMPARE(f.document().pipeline().steps[0].parameters.real("sigma"), 1.0);
        f.press(Qt::Key_A);
        auto* search = f.window.findChild<QLineEdit*>(QStringLiteral("addStepSearch"));
        QVERIFY(search && search->isVisible());
        QTest::keyClick(search, Qt::Key_Escape);
        // While something is typed a 4 is a 4.
        auto* edit = qobject_cast<QLineEdit*>(named("sigma.value"));
        edit->setFocus();
        f.window.canvas().setViewMode(ViewMode::Result);
        f.press(Qt::Key_4);
        QCOMPARE(f.window.canvas().viewMode(), ViewMode::Result);
        QCOMPARE(edit->text(), QStringLiteral("4"));
    }

    void aChoiceOfBackendIsSaidAlsoAfterARestart() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("w.ini"));
        {
            WindowFixture f(path);
            auto* device = f.window.findChild<QToolButton*>(QStringLiteral("statusDevice"));
            QTRY_VERIFY2(device->text().startsWith(QStringLiteral("CPU")),
                         qPrintable(device->text()));
            f.window.actions().backendCpuSingle->trigger();
            QCOMPARE(device->text(), QStringLiteral("chosen: CPU, 1 thread"));
            f.window.close();
        }
        WindowFixture f(path);
        auto* device = f.window.findChild<QToolButton*>(QStringLiteral("statusDevice"));
        QTRY_COMPARE(device->text(), QStringLiteral("chosen: CPU, 1 thread"));
        QVERIFY(device->toolTip().contains(QStringLiteral("Automatic")));
        // A click brings the choices.
        QVERIFY(device->menu()->actions().contains(f.window.actions().backendAuto));
        QCOMPARE(device->popupMode(), QToolButton::InstantPopup);
        f.window.actions().backendAuto->trigger();
        QTRY_VERIFY(!device->text().startsWith(QStringLiteral("chosen")));
    }

    void aFullPipelineSaysSo() {
        WindowFixture f;
        Pipeline many;
        many.steps.assign(kMaxSteps, makeStep("grayscale").value());
        f.document().replacePipeline(many, QStringLiteral("Open"));
        f.press(Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(f.document().pipeline().steps.size(), kMaxSteps);
        QCOMPARE(f.window.messages().count(), 1);
        QVERIFY(f.window.messages().text().contains(QStringLiteral("256")));
        f.window.messages().dismiss();
        f.press(Qt::Key_A);
        QCOMPARE(f.window.messages().count(), 1);
    }

    void tabHidesAllDocksAndBringsThemBack() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        const int before = shownDocks(f.window);
        QCOMPARE(before, 5);
        auto* log = f.window.findChild<QDockWidget*>(QStringLiteral("logDock"));
        log->hide();
        f.press(Qt::Key_Tab);
        QCOMPARE(shownDocks(f.window), 0);
        QVERIFY(f.window.canvas().hasFocus());
        f.press(Qt::Key_Tab);
        QCOMPARE(shownDocks(f.window), before - 1);
        QVERIFY(log->isHidden());
    }

    void f6WalksThroughThePanes() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("gaussian_blur"));
        QTRY_VERIFY(f.bridge().histograms() && f.bridge().timingsComplete());
        QSet<QString> visited;
        for (int i = 0; i < 6; ++i) {
            f.press(Qt::Key_F6);
            // A ring shows which pane it is, and no other has one.
            int rings = 0;
            for (const QWidget* ring :
                 f.window.findChildren<QWidget*>(QStringLiteral("paneRing"))) {
                if (!ring->isVisible()) continue;
                ++rings;
                QVERIFY(ring->parentWidget()->isAncestorOf(QApplication::focusWidget()));
                QCOMPARE(ring->size(), ring->parentWidget()->size());
            }
            QCOMPARE(rings, f.window.canvas().hasFocus() ? 0 : 1);
            for (const QWidget* w = QApplication::focusWidget(); w; w = w->parentWidget())
                if (qobject_cast<const QDockWidget*>(w)) visited << w->objectName();
        }
        // All but the log, which stands behind another tab.
        QCOMPARE(visited,
                 (QSet<QString>{"stepsDock", "histogramDock", "inspectorDock", "timingsDock"}));
        for (int i = 0; i < 8 && !f.window.canvas().hasFocus(); ++i)
            f.press(Qt::Key_F6, Qt::ShiftModifier);
        QVERIFY(f.window.canvas().hasFocus());
    }

    void themesSwitchAndAreRemembered() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("s.ini"));
        {
            WindowFixture f(path);
            f.window.actions().themeLight->trigger();
            QCOMPARE(Theme::instance().choice(), ThemeChoice::Light);
            QVERIFY(QApplication::palette().color(QPalette::Window).lightness() > 200);
            f.window.close();
        }
        WindowFixture again(path);
        QCOMPARE(Theme::instance().choice(), ThemeChoice::Light);
        QVERIFY(again.window.actions().themeLight->isChecked());
        again.window.actions().themeDark->trigger();
        QVERIFY(QApplication::palette().color(QPalette::Window).lightness() < 80);
    }

    void layoutAndBackendAreRemembered() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("s.ini"));
        {
            WindowFixture f(path);
            f.window.findChild<QDockWidget*>(QStringLiteral("inspectorDock"))->hide();
            f.window.actions().backendCpuSingle->trigger();
            QCOMPARE(f.bridge().backend(), BackendChoice::CpuSingle);
            f.window.close();
        }
        WindowFixture again(path);
        QVERIFY(again.window.findChild<QDockWidget*>(QStringLiteral("inspectorDock"))->isHidden());
        QVERIFY(!again.window.findChild<QDockWidget*>(QStringLiteral("stepsDock"))->isHidden());
        QCOMPARE(again.bridge().backend(), BackendChoice::CpuSingle);
        QVERIFY(again.window.actions().backendCpuSingle->isChecked());
        again.window.actions().resetLayout->trigger();
        QCOMPARE(shownDocks(again.window), 5);
    }

    void aMissingGpuIsShownWithItsReason() {
        WindowFixture f;
        QTRY_VERIFY(f.bridge().backends().has_value());
        QAction* gpu = f.window.actions().backendCuda;
        QVERIFY(!gpu->isEnabled());
        QVERIFY(gpu->text().contains(QStringLiteral("no NVIDIA driver is installed")));
    }

    void theBackendCanBeChosen() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("gaussian_blur"));
        f.window.actions().backendCpuSingle->trigger();
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QCOMPARE(f.bridge().stepReports().at(0).backend, BackendKind::CpuSingle);
    }

    void everyCommandHasANameAndFitsItsMenu() {
        WindowFixture f;
        QSet<QString> texts, names, keys;
        for (const Actions::Entry& entry : f.window.actions().entries()) {
            const QString text = entry.menu + plainText(entry.action);
            QVERIFY2(!entry.menu.isEmpty(), qPrintable(text));
            QVERIFY2(!texts.contains(text), qPrintable(text));
            texts << text;
            QVERIFY(!names.contains(entry.action->objectName()));
            names << entry.action->objectName();
            for (const QKeySequence& key : entry.action->shortcuts()) {
                QVERIFY2(!keys.contains(key.toString()), qPrintable(key.toString()));
                keys << key.toString();
            }
        }
        for (const QToolButton* button : f.window.findChildren<QToolButton*>())
            if (button->parent()->objectName() == QStringLiteral("toolBar") &&
                button->defaultAction())
                QVERIFY2(!button->accessibleName().isEmpty(),
                         qPrintable(button->defaultAction()->text()));
    }

    void theCommandPaletteRunsWhatIsTyped() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        f.press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* palette = f.window.findChild<QDialog*>(QStringLiteral("commandPalette"));
        QVERIFY(palette->isVisible());
        auto* edit = palette->findChild<QLineEdit*>();
        QTest::keyClicks(edit, QStringLiteral("view side by"));
        QCOMPARE(palette->findChild<QListWidget*>()->count(), 1);
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(!palette->isVisible());
        QCOMPARE(f.window.canvas().viewMode(), ViewMode::SideBySide);
    }

    void helpIsMadeFromTheProgram() {
        WindowFixture f;
        for (const Operation* operation : allOperations())
            QVERIFY(
                operationHtml(operation->description())
                    .contains(
                        QString::fromStdString(operation->description().label).toHtmlEscaped()));
        QVERIFY(shortcutsHtml(f.window.actions()).contains(QStringLiteral("Ctrl+Shift+Z")));
        f.press(Qt::Key_F1);
        const QTextBrowser* text = nullptr;
        for (const QDialog* dialog : f.window.findChildren<QDialog*>())
            if (dialog->objectName().startsWith(QStringLiteral("help/")))
                text = dialog->findChild<QTextBrowser*>();
        QVERIFY(text && text->toPlainText().contains(QStringLiteral("Ctrl+Shift+Z")));
        QVERIFY(text->toPlainText().contains(
            QRegularExpression(QStringLiteral("Tab\\s+Hide all panels"))));
    }

    void worksInASmallWindow() {
        WindowFixture f;
        f.window.resize(1024, 640);
        QTRY_COMPARE(f.window.size(), QSize(1024, 640));
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("gaussian_blur"));
        QVERIFY2(f.window.canvas().width() >= 240 && f.window.canvas().height() >= 160,
                 qPrintable(QStringLiteral("%1x%2")
                                .arg(f.window.canvas().width())
                                .arg(f.window.canvas().height())));
        QVERIFY(f.window.minimumSizeHint().width() <= 1024);
        QVERIFY(f.window.minimumSizeHint().height() <= 640);
    }

    // A histogram of a few pixels' height is of no use to anybody.
    void lowWindowsHaveTabsInsteadOfLowPanels() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        auto* histogram = f.window.findChild<QDockWidget*>(QStringLiteral("histogramDock"));
        auto* inspector = f.window.findChild<QDockWidget*>(QStringLiteral("inspectorDock"));
        const auto together = [&] {
            return f.window.tabifiedDockWidgets(histogram).contains(inspector);
        };
        f.window.resize(1024, 640);
        QTRY_VERIFY(together());
        auto* plot = f.window.findChild<QWidget*>(QStringLiteral("histogramView"));
        QTRY_VERIFY2(plot->isVisible() && plot->height() >= 160,
                     qPrintable(QString::number(plot->height())));
        f.window.resize(1280, 900);
        QTRY_VERIFY(!together());
        QTRY_VERIFY(plot->height() >= 120);
        // Apart again they are as high as they were.
        QTest::qWait(50);
        const int first = histogram->height();
        f.window.resizeDocks({histogram, inspector}, {first + 90, inspector->height() - 90},
                             Qt::Vertical);
        QTRY_VERIFY2(histogram->height() > first + 40,
                     qPrintable(QString::number(histogram->height())));
        const int high = histogram->height();
        const int wide = histogram->width();
        f.window.resize(1280, 640);
        QTRY_VERIFY(together());
        f.window.resize(1280, 900);
        QTRY_VERIFY(!together());
        QTRY_COMPARE(histogram->height(), high);
        QTRY_COMPARE(histogram->width(), wide);
        // Tabs that somebody made stay tabs.
        f.window.tabifyDockWidget(histogram, inspector);
        f.window.resize(1280, 640);
        f.window.resize(1280, 940);
        QTest::qWait(50);
        QVERIFY(together());
    }

    void aWindowFromAnotherScreenComesBackIntoThisOne() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("settings.ini"));
        {
            WindowFixture f(path);
            f.window.move(9000, 7000);
            QTRY_COMPARE(f.window.pos(), QPoint(9000, 7000));
            f.window.close();
        }
        WindowFixture again(path);
        const QRect screen = again.window.screen()->availableGeometry();
        const QRect seen = screen & again.window.frameGeometry();
        QVERIFY2(seen.width() >= 200 && seen.height() >= 100,
                 qPrintable(QStringLiteral("%1,%2").arg(again.window.x()).arg(again.window.y())));
    }

    void aPictureOfTheWindow() {
        WindowFixture f;
        f.window.files().openFiles({f.scene("a.png")});
        const QString path = f.folder.filePath(QStringLiteral("shot.png"));
        // Wiped, although the image is not there yet.
        auto* shot = new Screenshot(f.window, path, true);
        QSignalSpy done(shot, &Screenshot::done);
        QVERIFY(done.wait(20000));
        QCOMPARE(done.at(0).at(0).toInt(), 0);
        QCOMPARE(QImage(path).size(), f.window.size() * f.window.devicePixelRatioF());
        QCOMPARE(f.window.canvas().viewMode(), ViewMode::Wipe);
    }

    void latencyIsMeasuredToThePaint() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("gaussian_blur"));
        const auto latencyShown = [&] {
            for (const QLabel* label : f.window.status().findChildren<QLabel*>())
                if (label->text().endsWith(QStringLiteral(" ms"))) return true;
            return false;
        };
        QTRY_VERIFY(latencyShown());
        // What is computed while the source is looked at is painted when somebody wants to see it.
        const auto* label = f.window.status().findChild<QLabel*>(QStringLiteral("statusLatency"));
        const QString before = label->text();
        f.window.canvas().setViewMode(ViewMode::Source);
        f.document().setStepEnabled(0, false);
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QTest::qWait(1500);
        f.window.canvas().setViewMode(ViewMode::Result);
        QTest::qWait(100);
        QCOMPARE(label->text(), before);
    }

    void closesInTheMiddleOfWork() {
        QElapsedTimer timer;
        {
            WindowFixture f;
            f.document().setSource(pyramidOf(sceneOf({4000, 3000})), {}, QStringLiteral("large"));
            Step step = makeStep("nl_means").value();
            step.parameters.set("search_radius", std::int64_t(20));
            f.document().insertStep(0, step);
            f.document().insertStep(1, step);
            f.window.files().openFiles({f.scene("a.png", {2000, 1500})});
            QTest::qWait(30);
            timer.start();
            f.window.close();
        }
        // The work would last minutes, also on a machine that has nothing else to do.
        QVERIFY2(timer.elapsed() < 20'000 * kSlowdown,
                 qPrintable(QString::number(timer.elapsed())));
    }
};

WARPSCOPE_TEST(MainWindowTest)
#include "main_window_test.moc"
