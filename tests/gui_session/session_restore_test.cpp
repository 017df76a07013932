// What a window that ended unexpectedly has left: written while it works, offered again, restored.
#include <QPushButton>

#include "gui/app/session_actions.h"
#include "gui/display/display_settings.h"
#include "gui/session/session_file.h"
#include "gui/window_fixture.h"
#include "random_session.h"
#include "real_program.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

class SessionRestoreTest : public QObject {
    Q_OBJECT
    static constexpr Size kSize{200, 150};

    static bool settled(WindowFixture& f, const QString& shown) {
        return waitedFor([&] {
            return !f.window.session().busy() && f.document().filePath() == shown &&
                   !f.bridge().openingSecond() && f.bridge().resultIsCurrent();
        });
    }
    static QPushButton* button(WindowFixture& f, const char* name) {
        return f.window.findChild<QPushButton*>(QLatin1String(name));
    }
    static QStringList autosaves(const QString& settings) {
        const QDir folder(QFileInfo(settings).absolutePath() + QStringLiteral("/autosave"));
        return folder.entryList({QStringLiteral("*.warpscope-session")}, QDir::Files);
    }

  private slots:
    void aKilledProgramIsOfferedAgain() {
        QTemporaryDir folder;
        const QString image = writeScene(folder.path(), QStringLiteral("a.png"), kSize, 3);
        Chance chance;
        const Pipeline chain = randomChain(chance);
        RealProgram program(folder.path());
        QVERIFY(program.start(image, chain));
        // No sooner than docs/window.md says.
        QVERIFY(program.started.elapsed() >= 3000);
        const QString settings = program.settings();
        const QDir autosave = program.autosave();
        {
            // A second window beside it sees nothing to restore.
            WindowFixture beside(settings);
            beside.window.session().begin();
            QCOMPARE(beside.window.messages().count(), 0);
            QVERIFY(beside.window.close());
        }
        QCOMPARE(autosaves(settings).size(), 1);
        program.process.kill();
        QVERIFY(program.process.waitForFinished());
        QCOMPARE(autosaves(settings).size(), 1);
        {
            WindowFixture f(settings);
            f.window.session().begin();
            QCOMPARE(f.window.messages().count(), 1);
            const QString offer = f.window.messages().text();
            QVERIFY(offer.contains(QStringLiteral("ended unexpectedly")));
            // What would come back.
            const auto steps = chain.steps.size();
            const QString counted = steps == 1   ? QStringLiteral("one step")
                                    : steps == 0 ? QStringLiteral("a.png.")
                                                 : QStringLiteral("%1 steps").arg(steps);
            QVERIFY2(offer.contains(QStringLiteral("a.png")) && offer.contains(counted),
                     qPrintable(offer));
            QVERIFY(button(f, "messageAction")->isVisible());
            QVERIFY(button(f, "messageOther")->isVisible());
            // Opening something does not hide it; and nobody else is offered the same.
            WindowFixture beside(settings);
            beside.window.session().begin();
            QCOMPARE(beside.window.messages().count(), 0);
            QTest::mouseClick(button(f, "messageAction"), Qt::LeftButton);
            QVERIFY(settled(f, image));
            QCOMPARE(f.document().pipeline(), chain);
            QVERIFY(!f.document().undoStack().isClean());
            QTRY_COMPARE(autosaves(settings).size(), 1);  // its own
            QVERIFY(beside.window.close());
            QVERIFY(f.window.close());
        }
        QCOMPARE(autosave.entryList(QDir::Files | QDir::Hidden), QStringList());
        // Kept, but not offered again.
        const auto aside =
            readSession(autosave.filePath(QStringLiteral("restored/last.warpscope-session")));
        QVERIFY(aside && aside->session.pipeline == chain);
        WindowFixture g(settings);
        g.window.session().begin();
        QCOMPARE(g.window.messages().count(), 0);
    }

    void whatIsDiscardedIsGone() {
        QTemporaryDir folder;
        const QString settings = folder.filePath(QStringLiteral("warpscope.ini"));
        QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("autosave")));
        Chance chance;
        for (const char* name : {"a", "b"})
            QVERIFY(writeSession(
                randomSession(chance),
                folder.filePath(
                    QStringLiteral("autosave/%1.warpscope-session").arg(QLatin1String(name))),
                false));
        WindowFixture f(settings);
        f.window.session().begin();
        QCOMPARE(autosaves(settings).size(), 2);
        QTest::mouseClick(button(f, "messageOther"), Qt::LeftButton);
        QCOMPARE(autosaves(settings).size(), 1);
        QCOMPARE(f.window.messages().count(), 1);  // the other one
        QTest::mouseClick(button(f, "messageOther"), Qt::LeftButton);
        QCOMPARE(autosaves(settings).size(), 0);
        QCOMPARE(f.window.messages().count(), 0);
        QVERIFY(f.document().pipeline().steps.empty());
    }

    void changesAreWrittenAndACleanEndLeavesNothing() {
        QTemporaryDir folder;
        const QString settings = folder.filePath(QStringLiteral("warpscope.ini"));
        const QDir autosave(folder.filePath(QStringLiteral("autosave")));
        {
            WindowFixture f(settings);
            QCOMPARE(f.window.session().autosaveDelay(), 3000);
            f.window.session().setAutosaveDelay(20);
            f.window.session().begin();
            f.window.canvas().setViewMode(ViewMode::Wipe);
            f.window.display().setLogarithmic(true);
            QTest::qWait(100);
            QCOMPARE(autosaves(settings), QStringList());  // nothing is open
            QVERIFY(f.open(f.scene("a.png")));
            QTRY_COMPARE(autosaves(settings).size(), 1);
            const QString file = f.window.session().autosave().file();
            const auto step = [&]() -> double {
                const auto found = readSession(file);
                if (!found || found->session.pipeline.steps.empty()) return -1;
                return found->session.pipeline.steps[0].parameters.real("sigma");
            };
            QVERIFY(f.addStep("gaussian_blur"));
            QTRY_COMPARE(step(), 1.0);
            // Not put off by changes that never end.
            f.window.session().setAutosaveDelay(100);
            double sigma = 1;
            const auto later = [&] {
                if (step() > 1) return true;
                f.document().setParameter(0, "sigma", sigma += 0.01, EditPhase::Single);
                return false;
            };
            QTRY_VERIFY(later());
            QTRY_COMPARE(step(), sigma);
            f.window.session().setAutosaveDelay(20);
            const double before = step();
            // Not while a slider is held.
            f.document().beginInteraction();
            f.document().setParameter(0, "sigma", 7.0, EditPhase::Drag);
            QTest::qWait(200);
            QCOMPARE(step(), before);
            f.document().endInteraction();
            QTRY_COMPARE(step(), 7.0);
            f.window.canvas().setFocus();
            f.press(Qt::Key_BracketRight);
            QTRY_COMPARE(readSession(file)->session.wipe.at(), 0.52);
            QVERIFY(f.window.close());
        }
        QCOMPARE(autosave.entryList(QDir::Files | QDir::Hidden), QStringList());
    }
};

WARPSCOPE_TEST(SessionRestoreTest)
#include "session_restore_test.moc"
