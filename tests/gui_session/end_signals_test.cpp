// The program is asked to end by the system, and ends as if its window was closed.
#include <csignal>
#include <thread>

#include "engine/io/image_reader.h"
#include "engine/io/image_writer.h"
#include "gui/app/end_signals.h"
#include "gui/app/session_actions.h"
#include "gui/window_fixture.h"
#include "io/faulty_file_calls.h"
#include "random_session.h"
#include "real_program.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

constexpr const char* kSaves = "WARPSCOPE_TEST_SAVES";  // the file that is saved over and over
constexpr Size kSaved{400, 300};

// This executable once more: a window that saves, onto a disk that takes its time, until it ends.
int windowThatSaves(const QString& path) {
    const io_test::FaultyFileCalls slow(
        [](std::string_view name, int) {
            if (name == "write") std::this_thread::sleep_for(std::chrono::milliseconds(20));
            if (name == "fsync") std::this_thread::sleep_for(std::chrono::milliseconds(300));
            return 0;
        },
        32 << 10);
    WindowFixture f(QFileInfo(path).absolutePath() + QStringLiteral("/warpscope.ini"));
    f.window.session().begin();
    endOnSignals(f.window);
    f.document().setSource(pyramidOf(sceneOf(kSaved)), {}, QStringLiteral("made"));
    const auto save = [&] { f.window.files().saveResultTo(path); };
    QObject::connect(&f.window.files(), &FileController::saved, &f.window, save);
    save();
    return QApplication::exec();
}

}  // namespace

class EndSignalsTest : public QObject {
    Q_OBJECT

    static QStringList leftIn(const QTemporaryDir& folder) {
        return QDir(folder.path()).entryList({".warpscope*"}, QDir::Files | QDir::Hidden);
    }

  private slots:
    void initTestCase() {
        if (qEnvironmentVariableIsSet(kSaves))
            std::_Exit(windowThatSaves(qEnvironmentVariable(kSaves)));
    }

    // At any moment of a save there is the old file or the new one, and the window ends in order. A
    // second signal ends it where it stands: the next save sweeps what that leaves.
    void inTheMiddleOfASave_data() {
        QTest::addColumn<int>("times");
        QTest::addColumn<int>("afterMs");
        for (const int ms : {0, 200, 400}) QTest::addRow("%d ms after it began", ms) << 1 << ms;
        QTest::newRow("twice") << 2 << 0;
    }
    void inTheMiddleOfASave() {
        QFETCH(int, times);
        QFETCH(int, afterMs);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("saved.bmp"));
        QFile old(path);
        QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
        old.close();
        QProcess window;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QLatin1String(kSaves), path);
        window.setProcessEnvironment(environment);
        window.setProcessChannelMode(QProcess::ForwardedChannels);
        window.start(QCoreApplication::applicationFilePath(), {QStringLiteral("end_signals")});
        QVERIFY(waitedFor([&] { return !leftIn(folder).isEmpty(); }));
        QTest::qWait(afterMs);
        for (int i = 0; i < times; ++i) QCOMPARE(::kill(pid_t(window.processId()), SIGTERM), 0);
        QVERIFY(window.waitForFinished(kWaitMs));
        const bool killed = window.exitStatus() == QProcess::CrashExit;
        QVERIFY(!killed || times == 2);
        QCOMPARE(window.exitCode(), killed ? SIGTERM : 0);
        if (bytesOf(path) != "old") {
            const auto saved = readImage(path.toStdString());
            REQUIRE_OK(saved);
            QCOMPARE(saved->size(), kSaved);
        }
        if (killed) REQUIRE_OK(saveImage(sceneOf({8, 8}), path.toStdString()));
        QCOMPARE(leftIn(folder), QStringList());
        const QDir autosave(folder.filePath(QStringLiteral("autosave")));
        if (!killed) QCOMPARE(autosave.entryList(QDir::Files | QDir::Hidden), QStringList());
    }

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
