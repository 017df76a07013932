// Screens of 800 x 500 (1600 x 1000 at scale 2) and 1024 x 640: with everything open the window
// fits, nothing of it lies outside or over something else, and the image keeps room.
#include <QAccessible>
#include <QDockWidget>
#include <QHelpEvent>
#include <QMenuBar>
#include <QStatusBar>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>
#include <QToolTip>

#include "gui/app/first_hints.h"
#include "gui/app/languages.h"
#include "gui/teststrip/strip_grid.h"
#include "gui/teststrip/test_strip.h"
#include "gui/widgets/elided_label.h"
#include "support/test_case.h"
#include "window_fixture.h"

namespace warpscope::gui {
namespace {

// What frame and panels of a desktop take.
constexpr QSize kDesktop{16, 40};

QDockWidget* dockOf(WindowFixture& f, const char* name) {
    return f.window.findChild<QDockWidget*>(QLatin1String(name));
}

// In the window, unless it lies behind another tab: such a dock is moved out of the window.
QRect placeOf(const WindowFixture& f, const QWidget* part) {
    const QRect place(part->mapTo(&f.window, QPoint()), part->size());
    return part->isVisible() && f.window.rect().intersects(place) ? place : QRect();
}

void fillTheWindow(WindowFixture& f) {
    for (int i = 0; i < 4; ++i) (void)f.scene(qPrintable(QStringLiteral("other %1.png").arg(i)));
    QVERIFY(f.open(f.scene("a photograph with a name that says much.png", {320, 240})));
    QVERIFY(f.addStep("gaussian_blur"));
    QVERIFY(f.addStep("median"));
    for (auto* dock : f.window.findChildren<QDockWidget*>())
        if (dock->isHidden()) dock->toggleViewAction()->trigger();
    f.window.canvas().setFocus();
    f.press(Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(f.window.testStrip().isVisible());
    f.window.findChild<MessageBar*>()->show(
        {.level = MessageBar::Level::Warning,
         .text = QStringLiteral("The settings file could not be read. It was kept as "
                                "/home/somebody/.config/warpscope/settings-1.ini, and the "
                                "defaults are used."),
         .actionText = QStringLiteral("Show the file"),
         .act = [] {}});
    f.window.status().beginWork(QStringLiteral("Saving or copying"));
    QTRY_VERIFY(f.window.status().showsProgress());
}

}  // namespace

class SmallScreenTest : public QObject {
    Q_OBJECT

  private slots:
    void everythingFits_data() {
        QTest::addColumn<QSize>("screen");
        QTest::addColumn<QString>("language");
        QTest::addColumn<int>("imageHeight");
        for (const char* language : {"en", "zh_CN"}) {
            QTest::addRow("800 x 500, %s", language)
                << QSize(800, 500) << QString::fromLatin1(language) << 120;
            QTest::addRow("1024 x 640, %s", language)
                << QSize(1024, 640) << QString::fromLatin1(language) << 120;
        }
    }
    void everythingFits() {
        QFETCH(QSize, screen);
        QFETCH(QString, language);
        QFETCH(int, imageHeight);
        installLanguage(language);
        {
            WindowFixture f;
            const QSize room = screen - kDesktop;
            f.window.resize(room);
            f.window.actions().resetLayout->trigger();
            QTRY_COMPARE(f.window.size(), room);
            fillTheWindow(f);
            QTest::qWait(100);
            const QSize least = f.window.minimumSizeHint();
            QVERIFY2(least.width() <= room.width() && least.height() <= room.height(),
                     qPrintable(QStringLiteral("%1 x %2").arg(least.width()).arg(least.height())));
            QCOMPARE(f.window.size(), room);
            QList<QWidget*> parts{f.window.menuBar(), f.window.findChild<QToolBar*>(),
                                  f.window.statusBar(), f.window.centralWidget()};
            for (auto* dock : f.window.findChildren<QDockWidget*>()) parts << dock;
            QRegion taken;
            for (const QWidget* part : parts) {
                const QRect place = placeOf(f, part);
                QVERIFY2(f.window.rect().contains(place) || place.isEmpty(),
                         qPrintable(part->objectName()));
                QVERIFY2(!taken.intersects(place), qPrintable(part->objectName()));
                taken += place;
            }
            const Canvas& canvas = f.window.canvas();
            QVERIFY2(
                canvas.height() >= imageHeight && canvas.width() >= 200,
                qPrintable(QStringLiteral("%1 x %2").arg(canvas.width()).arg(canvas.height())));
            QVERIFY(f.window.centralWidget()->rect().contains(canvas.geometry()));
            // In their bars, too.
            for (const QWidget* bar : {static_cast<QWidget*>(f.window.statusBar()),
                                       static_cast<QWidget*>(f.window.findChild<MessageBar*>())})
                for (const auto* part : bar->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
                    QVERIFY2(!part->isVisible() || bar->rect().contains(part->geometry()),
                             qPrintable(part->objectName()));
        }
        installLanguage(QStringLiteral("en"));
    }

    void stripAndMessageLeaveTheImageRoom() {
        WindowFixture f;
        f.window.resize(QSize(1024, 640) - kDesktop);
        f.window.actions().resetLayout->trigger();
        QVERIFY(f.open(f.scene("a.png", {320, 240})));
        QVERIFY(f.addStep("gaussian_blur"));
        f.window.canvas().setFocus();
        f.press(Qt::Key_T, Qt::ControlModifier);
        QTRY_VERIFY(f.window.testStrip().isVisible());
        QTest::qWait(100);
        f.window.findChild<MessageBar*>()->show(
            {MessageBar::Level::Warning,
             QStringLiteral("The file could not be read: it ends in the middle of its pixels.")});
        QTest::qWait(50);
        QVERIFY2(f.window.canvas().height() >= 180,
                 qPrintable(QString::number(f.window.canvas().height())));
        // Pictures that show something.
        const auto& cells = f.window.testStrip().grid().cells();
        QTRY_VERIFY(!cells.empty() && !cells.front()->picture().isNull());
        QVERIFY2(cells.front()->pictureRect().height() >= 28,
                 qPrintable(QString::number(cells.front()->pictureRect().height())));
    }

    // The hint of a first run, beside work, is shortened in words; all of them are said when asked.
    void theHintLeavesTheImageItsName() {
        QTemporaryDir kept;
        const QString file = kept.filePath(QStringLiteral("settings.ini"));
        {
            Settings settings(file);
            for (int done = 0; done < 3; ++done)  // the last one is the longest
                settings.setSwitched(QStringLiteral("hintDone%1").arg(done), true);
        }
        WindowFixture f(file);
        f.window.resize(QSize(800, 500) - kDesktop);
        QVERIFY(f.open(f.scene("a photograph.png", {320, 240})));
        QTRY_VERIFY_WITH_TIMEOUT(!f.bridge().busy(), 20000);
        f.window.status().beginWork(QStringLiteral("Saving or copying"));
        QTRY_VERIFY(f.window.status().showsProgress());
        QCOMPARE(f.window.width(), 800 - kDesktop.width());
        auto* hint = f.window.status().findChild<ElidedLabel*>(QStringLiteral("hintText"));
        QVERIFY(hint && hint->isVisible());
        QTRY_VERIFY(hint->shownText() != hint->text());
        QVERIFY(hint->shownText().startsWith(QStringLiteral("F11")));
        const QAccessibleInterface* said = QAccessible::queryAccessibleInterface(hint);
        QCOMPARE(said->text(QAccessible::Name), f.window.hints().text());
        QHelpEvent asked(QEvent::ToolTip, hint->rect().center(),
                         hint->mapToGlobal(hint->rect().center()));
        QApplication::sendEvent(hint, &asked);
        QCOMPARE(QToolTip::text(), f.window.hints().text());
        QToolTip::hideText();
        const auto* never = f.window.findChild<QToolButton*>(QStringLiteral("hintsOff"));
        QVERIFY(never->width() >= never->sizeHint().width());
        QRegion taken;
        for (const auto* part :
             f.window.status().findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
            if (part->isHidden()) continue;
            QVERIFY(f.window.status().rect().contains(part->geometry()));
            QVERIFY(!taken.intersects(part->geometry()));
            taken += part->geometry();
            if (const auto* image = qobject_cast<const ElidedLabel*>(part))
                QVERIFY2(image->shownText().startsWith(QStringLiteral("a photo")),
                         qPrintable(image->shownText()));
        }
    }

    void theStripOfImagesBecomesATab() {
        WindowFixture f;
        (void)f.scene("b.png");
        f.window.resize(1024, 640);
        f.window.actions().resetLayout->trigger();
        QVERIFY(f.open(f.scene("a.png")));
        QDockWidget* images = dockOf(f, "imagesDock");
        if (images->isHidden()) images->toggleViewAction()->trigger();
        const auto isTab = [&] {
            return f.window.tabifiedDockWidgets(images).contains(dockOf(f, "timingsDock"));
        };
        QTest::qWait(50);
        QVERIFY(!isTab());
        f.window.resize(800, 460);
        QTRY_VERIFY(isTab());
        QTRY_VERIFY(!images->visibleRegion().isEmpty());
        f.window.resize(1024, 640);
        QTRY_VERIFY(!isTab());
        QCOMPARE(f.window.dockWidgetArea(images), Qt::TopDockWidgetArea);
    }

    // Asked for in a low window it comes as that tab, in front, and the window gets no higher.
    void theStripOfImagesIsOpenedInALowWindow() {
        WindowFixture f;
        (void)f.scene("b.png");
        f.window.resize(784, 460);
        f.window.actions().resetLayout->trigger();
        QVERIFY(f.open(f.scene("a.png")));
        QDockWidget* images = dockOf(f, "imagesDock");
        if (!images->isHidden()) images->toggleViewAction()->trigger();
        QTRY_COMPARE(f.window.dockWidgetArea(images), Qt::BottomDockWidgetArea);
        QVERIFY(images->isHidden());
        images->toggleViewAction()->trigger();
        QTest::qWait(50);
        QVERIFY(!placeOf(f, images).isEmpty());
        QCOMPARE(f.window.size(), QSize(784, 460));
        // Closed meanwhile, it goes back above the image and stays closed.
        images->toggleViewAction()->trigger();
        f.window.resize(1024, 640);
        QTRY_COMPARE(f.window.dockWidgetArea(images), Qt::TopDockWidgetArea);
        QTest::qWait(50);
        QVERIFY(images->isHidden());
    }

    // A bar that has no room for a name of a device shortens it, and says it when asked.
    void theDeviceIsShortened() {
        WindowFixture f;
        f.window.resize(1280, 460);
        QTRY_VERIFY(f.bridge().backends());
        auto* device = f.window.findChild<QToolButton*>(QStringLiteral("statusDevice"));
        BackendSet set = BackendSet::cpuOnly("test");
        QTRY_VERIFY(!device->text().isEmpty());
        f.window.status().showDevice(set, BackendChoice::Cuda);
        const QString whole = device->text();
        f.window.resize(680, 460);
        QTRY_COMPARE(f.window.width(), 680);
        QTRY_VERIFY(device->text() != whole);
        QVERIFY(device->text().endsWith(QChar(0x2026)));
        QVERIFY(device->accessibleName().contains(whole));
        QVERIFY(f.window.status().rect().contains(device->geometry()));
        f.window.resize(1280, 460);
        QTRY_COMPARE(device->text(), whole);
    }
};

}  // namespace warpscope::gui

using warpscope::gui::SmallScreenTest;
WARPSCOPE_TEST(SmallScreenTest)
#include "small_screen_test.moc"
