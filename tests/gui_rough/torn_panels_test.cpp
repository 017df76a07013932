// Panels that are dragged about: a window may go in the middle of it, and what is taken out of its
// place stays one panel in one window.
#include <malloc.h>

#include <QDockWidget>
#include <QPointer>
#include <QRandomGenerator>
#include <QTabBar>

#include "gui/window_fixture.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

QDockWidget* dockOf(WindowFixture& f, const char* name) {
    return f.window.findChild<QDockWidget*>(QLatin1String(name));
}

// Lets the mouse go that a window which is gone has left held.
void letGoElsewhere() {
    QWidget other;
    other.show();
    (void)QTest::qWaitForWindowExposed(&other);
    QTest::mouseRelease(other.windowHandle(), Qt::LeftButton);
}

// Takes the panel by its title, out of its place, to somewhere in the window. The button stays
// down.
void drag(WindowFixture& f, QDockWidget* dock, const QPoint& to) {
    QWindow* window = f.window.windowHandle();
    const QPoint from = dock->mapTo(&f.window, QPoint(12, 12));
    QTest::mousePress(window, Qt::LeftButton, {}, from);
    for (int i = 1; i < 6; ++i) QTest::mouseMove(window, from + 8 * i * QPoint(1, 1), 5);
    for (int i = 0; i < 4; ++i) QTest::mouseMove(window, to + QPoint(i, i), 5);
    QTest::qWait(30);
}

bool anyGroup() {
    for (const QWidget* top : QApplication::topLevelWidgets())
        if (top->inherits("QDockWidgetGroupWindow")) return true;
    return false;
}

// Of the row that stands in the window, and where in it.
struct Tab {
    QTabBar* bar = nullptr;
    QPoint center;
};
Tab tabOf(WindowFixture& f, const QString& title) {
    for (QTabBar* bar : f.window.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
        for (int i = 0; bar->isVisible() && i < bar->count(); ++i)
            if (bar->tabText(i) == title) return {bar, bar->tabRect(i).center()};
    return {};
}

enum class End { Shown, Hidden, Closed };

// Takes panels by titles and tabs and lets them go anywhere, in all windows.
class Dragger {
  public:
    Dragger(WindowFixture& f, quint32 seed) : m_f(f), m_random(seed) {}

    void step() {
        if (m_held) {
            if (!m_in || !m_in->isVisible()) return letGo();
            const QPoint to = m_f.window.mapToGlobal(
                QPoint(below(m_f.window.width() + 200) - 100, below(m_f.window.height())));
            if (below(4) == 0) return release(m_in->mapFromGlobal(to));
            QTest::mouseMove(m_in, m_in->mapFromGlobal(to));
            return QTest::qWait(below(20));
        }
        QList<QWidget*> tops;
        for (QWidget* top : QApplication::topLevelWidgets())
            if (top->isVisible() && top->windowHandle()) tops << top;
        QWidget* top = below(2) || tops.isEmpty() ? &m_f.window : tops[below(int(tops.size()))];
        const QList<QPoint> grips = gripsIn(top);
        if (grips.isEmpty()) return;
        const QPoint at = grips[below(int(grips.size()))];
        m_in = top->windowHandle();
        if (below(5) == 0) return QTest::mouseDClick(m_in, Qt::LeftButton, {}, at);
        QTest::mousePress(m_in, Qt::LeftButton, {}, at);
        m_held = true;
        QTest::mouseMove(m_in, at + QPoint(10, 15));
        if (m_in) QTest::mouseMove(m_in, at + QPoint(25, 40));
    }
    bool held() const { return m_held; }

  private:
    int below(int end) { return int(m_random.bounded(end)); }
    void release(const QPoint& at) {
        m_held = false;
        QTest::mouseRelease(m_in, Qt::LeftButton, {}, at);
        QTest::qWait(5);
    }
    void letGo() {
        m_held = false;
        letGoElsewhere();
    }
    static QList<QPoint> gripsIn(QWidget* top) {
        QList<QPoint> grips;
        if (qobject_cast<QDockWidget*>(top)) grips << QPoint(12, 12);
        for (const auto* dock : top->findChildren<QDockWidget*>())
            if (dock->isVisible() && !dock->isFloating()) grips << dock->mapTo(top, QPoint(12, 12));
        for (const auto* bar : top->findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
            for (int i = 0; bar->isVisible() && i < bar->count(); ++i)
                grips << bar->mapTo(top, bar->tabRect(i).center());
        return grips;
    }

    WindowFixture& m_f;
    QRandomGenerator m_random;
    QPointer<QWindow> m_in;  // of which the mouse is while it is held
    bool m_held = false;
};

}  // namespace

class TornPanelsTest : public QObject {
    Q_OBJECT

  private slots:
    // What is freed is overwritten, so that reading it shows.
    void initTestCase() { ::mallopt(M_PERTURB, 165); }

    void theWindowGoesDuringADrag_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QPoint>("to");
        QTest::addColumn<int>("end");
        const std::pair<const char*, QPoint> places[] = {{"the middle", {640, 400}},
                                                         {"the left", {20, 400}},
                                                         {"the right", {1260, 400}},
                                                         {"the foot", {640, 780}},
                                                         {"the top", {640, 90}}};
        for (const char* name : {"stepsDock", "histogramDock", "inspectorDock"})
            for (const auto& [where, to] : places)
                for (const auto& [how, end] :
                     {std::pair{"shown", End::Shown}, std::pair{"hidden", End::Hidden},
                      std::pair{"closed", End::Closed}})
                    QTest::addRow("%s over %s, %s", name, where, how)
                        << QString::fromLatin1(name) << to << int(end);
    }
    void theWindowGoesDuringADrag() {
        QFETCH(QString, name);
        QFETCH(QPoint, to);
        QFETCH(int, end);
        {
            WindowFixture f;
            QDockWidget* dock = dockOf(f, qPrintable(name));
            QTRY_VERIFY(dock->isVisible() && f.window.isAncestorOf(dock));
            drag(f, dock, to);
            QVERIFY(dock->isFloating());
            if (End(end) == End::Hidden) f.window.hide();
            if (End(end) == End::Closed) f.window.close();
        }
        letGoElsewhere();
    }

    void panelsAreDraggedAbout() {
        QRandomGenerator seeds(test::freshSeed());
        for (int window = 0; window < 6; ++window) {
            bool held = false;
            {
                WindowFixture f;
                Dragger dragger(f, seeds.generate());
                for (int i = 0; i < 100; ++i) dragger.step();
                held = dragger.held();
                QVERIFY(!anyGroup());
                // None is lost.
                for (const char* name : {"stepsDock", "histogramDock", "logDock"}) {
                    QDockWidget* dock = dockOf(f, name);
                    QVERIFY(dock && (dock->isFloating() ||
                                     f.window.dockWidgetArea(dock) != Qt::NoDockWidgetArea));
                }
            }
            if (held) letGoElsewhere();
        }
    }

    void panelsInWindowsOfTheirOwnStayApart() {
        WindowFixture f;
        QDockWidget* steps = dockOf(f, "stepsDock");
        QDockWidget* inspector = dockOf(f, "inspectorDock");
        inspector->setFloating(true);
        inspector->move(f.window.mapToGlobal(QPoint(500, 300)));
        QTRY_VERIFY(inspector->isVisible());
        drag(f, steps, QPoint(620, 420));
        QTest::mouseRelease(f.window.windowHandle(), Qt::LeftButton, {}, QPoint(623, 423));
        QVERIFY(!anyGroup());
        QVERIFY(inspector->isFloating());
        QVERIFY(f.window.tabifiedDockWidgets(inspector).isEmpty());
    }

    void aTabIsTakenOut_data() {
        QTest::addColumn<bool>("byDragging");
        QTest::newRow("by a double click") << false;
        QTest::newRow("by dragging it") << true;
    }
    void aTabIsTakenOut() {
        QFETCH(bool, byDragging);
        WindowFixture f;
        QDockWidget* log = dockOf(f, "logDock");
        QTRY_VERIFY(tabOf(f, log->windowTitle()).bar);
        const Tab tab = tabOf(f, log->windowTitle());
        if (byDragging) {
            QTest::mousePress(tab.bar, Qt::LeftButton, {}, tab.center);
            // Along the row nothing comes out.
            QTest::mouseMove(tab.bar, tab.center + QPoint(6, 0));
            QTest::qWait(20);
            QVERIFY(!log->isFloating());
            for (int up = 10; up <= 90; up += 20)
                QTest::mouseMove(tab.bar, tab.center + QPoint(6, -up), 5);
        } else {
            QTest::mouseDClick(tab.bar, Qt::LeftButton, {}, tab.center);
        }
        QTRY_VERIFY(log->isFloating() && log->isVisible());
        if (byDragging) QTest::mouseRelease(f.window.windowHandle(), Qt::LeftButton);
        QVERIFY(!anyGroup());
        QVERIFY(!dockOf(f, "timingsDock")->isFloating());
        // Back among the tabs it is one of them.
        log->setFloating(false);
        QTRY_VERIFY(tabOf(f, log->windowTitle()).bar);
        QVERIFY(f.window.tabifiedDockWidgets(log).contains(dockOf(f, "timingsDock")));
    }

    void aTabFollowsTheMouseUntilItIsLetGo() {
        WindowFixture f;
        QDockWidget* log = dockOf(f, "logDock");
        QTRY_VERIFY(tabOf(f, log->windowTitle()).bar);
        const Tab tab = tabOf(f, log->windowTitle());
        QWindow* window = f.window.windowHandle();
        const QPoint from = tab.bar->mapTo(&f.window, tab.center);
        QTest::mousePress(window, Qt::LeftButton, {}, from);
        for (int up = 10; up <= 90; up += 20) QTest::mouseMove(window, from - QPoint(0, up), 5);
        QTRY_VERIFY(log->isFloating() && log->isVisible());
        // By the same place of its title all the way, over every part of the window.
        QPoint grip;
        for (int i = 0; i < 8; ++i) {
            const QPoint to(600 - 40 * i, 300 + 10 * i);
            QTest::mouseMove(window, to, 5);
            const QPoint held = f.window.mapToGlobal(to) - log->pos();
            QVERIFY(log->rect().contains(held));
            if (i == 0) grip = held;
            QCOMPARE(held, grip);
        }
        QTest::mouseRelease(window, Qt::LeftButton, {}, QPoint(320, 370));
        QVERIFY(log->isFloating());
        const QPoint left = log->pos();
        QTest::mouseMove(window, QPoint(500, 300), 5);
        QCOMPARE(log->pos(), left);
        QVERIFY(!QWidget::mouseGrabber());
    }

    // Let go where panels stand, it stands there.
    void aTabIsMovedToAnotherPlace() {
        WindowFixture f;
        QDockWidget* log = dockOf(f, "logDock");
        QTRY_VERIFY(tabOf(f, log->windowTitle()).bar);
        const Tab tab = tabOf(f, log->windowTitle());
        QWindow* window = f.window.windowHandle();
        const QPoint from = tab.bar->mapTo(&f.window, tab.center);
        QTest::mousePress(window, Qt::LeftButton, {}, from);
        for (int up = 10; up <= 90; up += 20) QTest::mouseMove(window, from - QPoint(0, up), 5);
        QTRY_VERIFY(log->isFloating() && log->isVisible());
        const QPoint right(f.window.width() - 4, f.window.height() / 2);
        for (int i = 20; i >= 0; i -= 2) QTest::mouseMove(window, right - QPoint(i, 0), 10);
        QTest::mouseRelease(window, Qt::LeftButton, {}, right);
        QTRY_VERIFY(!log->isFloating());
        QCOMPARE(f.window.dockWidgetArea(log), Qt::RightDockWidgetArea);
        QVERIFY(!anyGroup());
    }

    // One that an earlier version wrote could have windows of several panels.
    void layoutsOfBeforeAreNotTakenOver() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("settings.ini"));
        QByteArray kept, before;
        {
            WindowFixture f(path);
            dockOf(f, "inspectorDock")->setFloating(true);
            f.window.close();
            kept = f.settings.layout();
            before = f.window.saveState(1);
        }
        for (const auto& [layout, floats] : {std::pair{kept, true}, std::pair{before, false}}) {
            {
                Settings settings(path);
                settings.setLayout(layout);
            }
            WindowFixture f(path);
            QCOMPARE(dockOf(f, "inspectorDock")->isFloating(), floats);
            QTRY_VERIFY(dockOf(f, "inspectorDock")->isVisible());
        }
    }
};

WARPSCOPE_TEST(TornPanelsTest)
#include "torn_panels_test.moc"
