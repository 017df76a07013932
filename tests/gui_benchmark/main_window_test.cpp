// The benchmark window beside the main window: what stands still, what goes on, what closes.
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include "gui/app/benchmark_controller.h"
#include "gui/benchmark/benchmark_choices.h"
#include "gui/benchmark/benchmark_window.h"
#include "support/test_case.h"
#include "tests/gui/window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class MainWindowTest : public QObject {
    Q_OBJECT

    static BenchmarkPlan shortPlan() {
        BenchmarkPlan plan;
        plan.operations = {"grayscale"};
        plan.sizes = {{64, 64}};
        plan.sampling.budgetMs = 200;
        return plan;
    }

  private slots:
    void theMainWindowStandsStillWhileItRuns() {
        WindowFixture w;
        QVERIFY(w.open(w.scene("a.png")));
        w.press(Qt::Key_B, Qt::ControlModifier);
        BenchmarkWindow* bench = w.window.benchmark().window();
        QVERIFY(bench && bench->isVisible());
        BenchmarkPlan plan;
        plan.operations = {"grayscale"};
        plan.sizes = {{64, 64}};
        plan.sampling.budgetMs = 10;
        bench->choices().setPlan(plan);
        bench->start();
        QVERIFY(w.bridge().paused());
        QVERIFY(!w.window.actions().pause->isEnabled());
        QVERIFY(!w.window.actions().measureTimings->isEnabled());
        QVERIFY(w.window.messages().text().contains(QStringLiteral("benchmark window measures")));
        QTRY_VERIFY_WITH_TIMEOUT(!bench->thread().running(), 60000);
        QVERIFY(!w.bridge().paused());
        QVERIFY(w.window.actions().pause->isEnabled());
        QVERIFY(!w.window.messages().text().contains(QStringLiteral("benchmark window measures")));
        // What was paused before stays paused.
        w.window.actions().pause->setChecked(true);
        bench->start();
        QTRY_VERIFY_WITH_TIMEOUT(!bench->thread().running(), 60000);
        QVERIFY(w.bridge().paused());
    }

    void nothingElseComputesWhileItRuns() {
        WindowFixture w;
        QVERIFY(w.open(w.scene("a.png")));
        w.window.benchmark().open();
        BenchmarkWindow* bench = w.window.benchmark().window();
        bench->choices().setPlan(shortPlan());
        bench->start();
        // Whatever else could compute: other ways to ask, and images that would be decoded.
        QSignalSpy refused(&w.bridge(), &EngineBridge::failed);
        QSignalSpy notOpened(&w.bridge(), &EngineBridge::openFailed);
        w.bridge().requestTimings();
        w.bridge().requestDifference(0, BackendKind::Cpu);
        w.window.files().openFiles({w.scene("b.png", {64, 64}, 9)});
        w.bridge().openSampleScene();
        w.document().insertStep(0, makeStep("median").value());
        QCOMPARE(refused.count(), 2);
        QCOMPARE(notOpened.count(), 2);
        QVERIFY(!w.bridge().busy() && !w.bridge().opening());
        w.window.actions().pause->setChecked(false);  // as a demo does that was asked for
        QVERIFY(!w.bridge().busy());
        QTRY_VERIFY_WITH_TIMEOUT(!bench->thread().running(), 60000);
        QTRY_VERIFY(w.bridge().resultIsCurrent());  // what was changed meanwhile
        QCOMPARE(w.document().filePath(), w.folder.filePath(QStringLiteral("a.png")));
    }

    void closingTheMainWindowEndsTheRun() {
        QElapsedTimer timer;
        {
            WindowFixture w;
            w.window.benchmark().open();
            BenchmarkWindow* bench = w.window.benchmark().window();
            BenchmarkPlan plan;
            plan.operations = {"nl_means"};
            plan.sizes = {{1024, 1024}};
            plan.sampling.budgetMs = 60000;
            bench->choices().setPlan(plan);
            bench->start();
            QTRY_VERIFY_WITH_TIMEOUT(!bench->reports().entries().empty(), 60000);
            w.window.close();  // asks first: a run may have taken long
            QVERIFY(w.window.isVisible() && bench->thread().running());
            QVERIFY(w.window.messages().text().contains(QStringLiteral("Close again")));
            timer.start();
            w.window.close();
            QVERIFY(!w.window.isVisible());
            QVERIFY(!bench->isVisible());  // or the program would go on without its window
        }
        // The run would last minutes.
        QVERIFY2(timer.elapsed() < 60000, qPrintable(QString::number(timer.elapsed())));
    }

    // What the run interrupts is made up for after it: timings, and what a region changes.
    void whatItInterruptsIsDoneAfterIt() {
        WindowFixture w;
        QVERIFY(w.open(w.scene("a.png")));
        QVERIFY(w.addStep("median"));
        w.window.benchmark().open();
        BenchmarkWindow* bench = w.window.benchmark().window();
        bench->choices().setPlan(shortPlan());
        w.bridge().requestTimings();
        QVERIFY(!w.bridge().timingsComplete());
        bench->start();
        w.document().setRegion(Rect{8, 8, 40, 30});
        QVERIFY(!w.bridge().busy());
        QTRY_VERIFY_WITH_TIMEOUT(!bench->thread().running(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(w.bridge().timingsComplete(), 30000);
        QVERIFY(w.bridge().histogramsAreCurrent());
        QCOMPARE(w.bridge().timingsProblem(), QString());
    }

    // An image on its way when the run starts is not opened, and that is said, once.
    void anImageOnItsWayIsSaid() {
        WindowFixture w;
        w.window.benchmark().open();
        BenchmarkWindow* bench = w.window.benchmark().window();
        bench->choices().setPlan(shortPlan());
        QStringList many;
        for (int i = 0; i < 40; ++i)
            many << w.scene(qPrintable(QString("%1.png").arg(i)), {64, 64});
        QSignalSpy notOpened(&w.bridge(), &EngineBridge::openFailed);
        w.window.files().openFiles(many);
        QVERIFY(w.bridge().opening());
        bench->start();
        QCOMPARE(notOpened.count(), 1);
        QVERIFY(w.window.messages().text().contains(QStringLiteral("0.png was not opened")));
        w.window.files().openFiles(many);
        QCOMPARE(notOpened.count(), 2);
        QTRY_VERIFY_WITH_TIMEOUT(!bench->thread().running(), 60000);
        QVERIFY(w.document().image().isNull());
    }
};

WARPSCOPE_TEST(MainWindowTest)
#include "main_window_test.moc"
