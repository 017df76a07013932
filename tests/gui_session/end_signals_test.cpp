// The program is asked to end by the system, and ends as if its window was closed.
#include <csignal>

#include "gui/app/session_actions.h"
#include "gui/window_fixture.h"
#include "random_session.h"
#include "real_program.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

class EndSignalsTest : public QObject {
    Q_OBJECT

  private slots:
    void aSignalClosesTheWindow_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGHUP") << SIGHUP;
    }
    void aSignalClosesTheWindow() {
        QFETCH(int, signal);
        QTemporaryDir folder;
        const QString image = writeScene(folder.path(), QStringLiteral("a.png"), {80, 60}, 3);
        Chance chance;
        const Pipeline chain = randomChain(chance);
        RealProgram program(folder.path());
        QVERIFY(program.start(image, chain));
        QCOMPARE(::kill(pid_t(program.process.processId()), signal), 0);
        QVERIFY(program.process.waitForFinished(60000));
        QCOMPARE(program.process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.process.exitCode(), 0);
        QCOMPARE(program.autosave().entryList(QDir::Files | QDir::Hidden), QStringList());
        // The next start has nothing to offer, and the settings that closing writes.
        QVERIFY(QFile::exists(program.settings()));
        WindowFixture f(program.settings());
        QVERIFY(!f.settings.geometry().isEmpty());
        f.window.session().begin();
        QCOMPARE(f.window.messages().count(), 0);
    }
};

WARPSCOPE_TEST(EndSignalsTest)
#include "end_signals_test.moc"
