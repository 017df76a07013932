// Steps that nobody saved, from one start of the window to the next.
#include <QPushButton>
#include <QSignalSpy>

#include "gui/app/kept_steps.h"
#include "support/test_case.h"
#include "window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class KeptStepsTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    QString settingsFile(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    static Pipeline chain() {
        Pipeline pipeline;
        pipeline.steps = {makeStep("gaussian_blur").value(), makeStep("invert").value()};
        pipeline.steps[0].parameters.set("sigma", 4.5);
        return pipeline;
    }

  private slots:
    void unsavedStepsComeBackAndSaySo() {
        const QString path = settingsFile("kept.ini");
        {
            WindowFixture f(path);
            f.document().replacePipeline(chain(), QStringLiteral("steps"));
            QVERIFY(f.window.close());
            QCOMPARE(f.window.messages().count(), 0);
        }
        {
            WindowFixture f(path);
            f.window.keptSteps().restore();
            QCOMPARE(f.document().pipeline(), chain());
            QCOMPARE(f.window.messages().count(), 1);
            QVERIFY(f.window.messages().text().endsWith(QStringLiteral("again: 2.")));
            // An image that opens meanwhile does not hide it.
            QVERIFY(f.open(f.scene("a.png")));
            QCOMPARE(f.window.messages().count(), 1);
            // Still nobody has saved them; other steps make the message old.
            f.document().removeStep(1);
            QCOMPARE(f.window.messages().count(), 0);
            QVERIFY(f.window.close());
        }
        WindowFixture f(path);
        f.window.keptSteps().restore();
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(1));
        auto* remove = f.window.findChild<QPushButton*>(QStringLiteral("messageAction"));
        QTest::mouseClick(remove, Qt::LeftButton);
        QVERIFY(f.document().pipeline().steps.empty());
        QCOMPARE(f.window.messages().count(), 0);
        f.document().undoStack().undo();
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(1));
        f.document().undoStack().redo();
        QVERIFY(f.window.close());
        QVERIFY(f.settings.keptSteps().isEmpty());
    }

    void savedStepsAreNotKept() {
        const QString path = settingsFile("saved.ini");
        WindowFixture f(path);
        f.document().replacePipeline(chain(), QStringLiteral("steps"));
        const QString file = m_folder.filePath(QStringLiteral("p.json"));
        QSignalSpy saved(&f.window.files(), &FileController::saved);
        f.window.files().savePipelineTo(file);
        QTRY_COMPARE(saved.count(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(!f.window.files().busy(), 30000);
        QVERIFY(f.window.close());
        QVERIFY(f.settings.keptSteps().isEmpty());
        // Nor those that a file has, until they are changed.
        WindowFixture g(path);
        g.window.files().openPipelineFrom(file);
        QVERIFY(g.window.close());
        QVERIFY(g.settings.keptSteps().isEmpty());
        WindowFixture h(path);
        h.window.files().openPipelineFrom(file);
        h.document().setParameter(0, "sigma", 5.0, EditPhase::Single);
        QVERIFY(h.window.close());
        QVERIFY(!h.settings.keptSteps().isEmpty());
    }

    void closingAsksOnceWhereNothingIsKept() {
        const QString path = settingsFile("asked.ini");
        {
            WindowFixture f(path);
            QVERIFY(f.window.actions().keepSteps->isChecked());
            f.window.actions().keepSteps->trigger();
            QVERIFY(f.window.close());
        }
        WindowFixture f(path);
        QVERIFY(!f.window.actions().keepSteps->isChecked());
        f.document().replacePipeline(chain(), QStringLiteral("steps"));
        QVERIFY(!f.window.close());
        QCOMPARE(f.window.messages().count(), 1);
        QVERIFY(f.window.close());
        QVERIFY(f.settings.keptSteps().isEmpty());
    }

    void whatIsNoChainIsLeftAlone() {
        WindowFixture f(settingsFile("odd.ini"));
        f.settings.setKeptSteps(QStringLiteral("{\"schema\":\"warpscope-pipeline/9\"}"));
        f.window.keptSteps().restore();
        QVERIFY(f.document().pipeline().steps.empty());
        QCOMPARE(f.window.messages().count(), 0);
    }
};

WARPSCOPE_TEST(KeptStepsTest)
#include "kept_steps_test.moc"
