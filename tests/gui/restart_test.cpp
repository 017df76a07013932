// Closed and opened again with the same settings, the window's panels are as large as they were.
#include <QDockWidget>
#include <QMap>

#include "gui/app/grown_layout.h"
#include "support/test_case.h"
#include "window_fixture.h"

namespace warpscope::gui {
namespace {

// Of those that are in sight: one behind another tab is moved out of the window.
QMap<QString, QSize> panelSizes(const MainWindow& window) {
    QMap<QString, QSize> sizes;
    for (const auto* dock : window.findChildren<QDockWidget*>())
        if (dock->isVisible() &&
            window.rect().intersects({dock->mapTo(&window, QPoint()), dock->size()}))
            sizes.insert(dock->objectName(), dock->size());
    sizes.insert(QStringLiteral("canvas"), window.centralWidget()->size());
    return sizes;
}

QString inWords(const QMap<QString, QSize>& sizes) {
    QStringList words;
    for (auto it = sizes.begin(); it != sizes.end(); ++it)
        words << QStringLiteral("%1 %2x%3").arg(it.key()).arg(it->width()).arg(it->height());
    return words.join(QStringLiteral(", "));
}

// By the line between a panel and its neighbour.
void drag(MainWindow& window, const QPoint& line, const QPoint& by) {
    QWindow* handle = window.windowHandle();
    QTest::mousePress(handle, Qt::LeftButton, {}, line);
    QTest::mouseMove(handle, line + by / 2, 20);
    QTest::mouseMove(handle, line + by, 20);
    QTest::qWait(20);  // the line follows with the next turn of the event loop
    QTest::mouseRelease(handle, Qt::LeftButton, {}, line + by);
    QTest::qWait(50);
}

void dragThePanels(MainWindow& window) {
    const auto placeOf = [&](const char* name) {
        const auto* dock = window.findChild<QDockWidget*>(QLatin1String(name));
        return QRect(dock->mapTo(&window, QPoint()), dock->size());
    };
    const QRect steps = placeOf("stepsDock");
    drag(window, {steps.right() + 1, steps.center().y()}, {-30, 0});
    QVERIFY(placeOf("stepsDock").width() < steps.width());
    const QRect histogram = placeOf("histogramDock");
    drag(window, {histogram.left() - 1, histogram.center().y()}, {20, 0});
    QVERIFY(placeOf("histogramDock").width() < histogram.width());
    const QRect timings = placeOf("timingsDock");
    // Between the panel and the line is its row of tabs.
    const int above = window.centralWidget()->geometry().bottom() + 1;
    drag(window, {timings.center().x(), above}, {0, -24});
    QVERIFY(placeOf("timingsDock").height() > timings.height());
}

}  // namespace

class RestartTest : public QObject {
    Q_OBJECT

  private slots:
    void panelsKeepTheirSizes_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("dragged");
        QTest::addColumn<bool>("everything");
        for (const QSize size : {QSize(800, 500), QSize(784, 460), QSize(1024, 640)}) {
            const QString name = QStringLiteral("%1 x %2").arg(size.width()).arg(size.height());
            QTest::addRow("%s", qPrintable(name)) << size << false << false;
            QTest::addRow("%s, dragged", qPrintable(name)) << size << true << false;
            QTest::addRow("%s, every panel", qPrintable(name)) << size << false << true;
        }
    }
    void panelsKeepTheirSizes() {
        QFETCH(QSize, size);
        QFETCH(bool, dragged);
        QFETCH(bool, everything);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("settings.ini"));
        QMap<QString, QSize> before;
        for (int start = 0; start < 3; ++start) {
            Settings settings(path);
            MainWindow window(cpuBackends(), settings);
            // The screen of the platform without one is narrow, and windows are cut to it.
            if (start == 0 || size.width() > window.screen()->availableSize().width())
                window.resize(size);
            window.show();
            QVERIFY(QTest::qWaitForWindowExposed(&window));
            QTest::qWait(50);
            QCOMPARE(window.size(), size);
            if (start == 0 && dragged) dragThePanels(window);
            if (start == 0 && everything)
                for (auto* dock : window.findChildren<QDockWidget*>())
                    if (dock->isHidden()) dock->toggleViewAction()->trigger();
            QTest::qWait(50);
            const QMap<QString, QSize> sizes = panelSizes(window);
            if (start > 0)
                QVERIFY2(sizes == before, qPrintable(inWords(before) + "; then " + inWords(sizes)));
            before = sizes;
            QVERIFY(window.close());
        }
    }

    // Qt keeps what it restored of such a window until that has its size, and has lost the sizes of
    // panels then.
    void aMaximizedWindowComesBack_data() {
        QTest::addColumn<bool>("dragged");
        QTest::addColumn<bool>("everything");
        QTest::addRow("as it is at first") << false << false;
        QTest::addRow("dragged") << true << false;
        QTest::addRow("every panel") << false << true;
    }
    void aMaximizedWindowComesBack() {
        QFETCH(bool, dragged);
        QFETCH(bool, everything);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("settings.ini"));
        QMap<QString, QSize> before;
        for (int start = 0; start < 3; ++start) {
            Settings settings(path);
            MainWindow window(cpuBackends(), settings);
            if (start == 0) window.setWindowState(Qt::WindowMaximized);
            window.show();
            QVERIFY(QTest::qWaitForWindowExposed(&window));
            QVERIFY(window.isMaximized());
            QTest::qWait(50);
            if (start == 0 && dragged) dragThePanels(window);
            if (start == 0 && everything)
                for (auto* dock : window.findChildren<QDockWidget*>())
                    if (dock->isHidden()) dock->toggleViewAction()->trigger();
            QTest::qWait(50);
            if (start > 0)
                QTRY_VERIFY2(panelSizes(window) == before,
                             qPrintable(inWords(before) + "; then " + inWords(panelSizes(window))));
            before = panelSizes(window);
            QVERIFY(window.close());
        }
    }

    // Such as the strip of images, by a folder on the command line.
    void whatOpensMeanwhileStays() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("settings.ini"));
        for (int start = 0; start < 2; ++start) {
            Settings settings(path);
            MainWindow window(cpuBackends(), settings);
            if (start == 0) window.setWindowState(Qt::WindowMaximized);
            window.show();
            QVERIFY(QTest::qWaitForWindowExposed(&window));
            auto* scopes = window.findChild<QDockWidget*>(QStringLiteral("scopesDock"));
            auto* steps = window.findChild<QDockWidget*>(QStringLiteral("stepsDock"));
            if (start > 0)
                for (QDockWidget* dock : {scopes, steps}) dock->toggleViewAction()->trigger();
            QTRY_VERIFY(start == 0 || !window.findChild<GrownLayout*>());
            QCOMPARE(scopes->isHidden(), start == 0);
            QCOMPARE(steps->isHidden(), start > 0);
            QVERIFY(window.close());
        }
    }
};

}  // namespace warpscope::gui

using warpscope::gui::RestartTest;
WARPSCOPE_TEST(RestartTest)
#include "restart_test.moc"
