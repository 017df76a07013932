// A program that is stopped or killed while it saves leaves the old file.
#include <signal.h>

#include <unistd.h>

#include <QDir>
#include <QElapsedTimer>
#include <QRandomGenerator>
#include <random>

#include "cli_process.h"
#include "support/test_case.h"

using namespace warpscope::test;

class SavingSignalsTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    QString path(const QString& name) const { return m_folder.filePath(name); }
    QStringList hidden() const {
        return QDir(m_folder.path()).entryList({".*"}, QDir::Files | QDir::Hidden);
    }

  private slots:
    // Noise: encoders take their time over it.
    void initTestCase() {
        QByteArray noise(7680 * 8640, Qt::Uninitialized);
        QRandomGenerator random(freshSeed());
        random.fillRange(reinterpret_cast<quint32*>(noise.data()), noise.size() / 4);
        QVERIFY(!writeFile(m_folder, "large.pgm", "P5 7680 8640 255\n" + noise).isEmpty());
    }

    void stoppedWhileEncoding_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("signal");
        for (const char* name : {"out.png", "out.tif", "out.webp"})
            for (const int signal : {SIGINT, SIGTERM})
                QTest::addRow("%s, %d", name, signal) << QString(name) << signal;
    }
    void stoppedWhileEncoding() {
        QFETCH(QString, name);
        QFETCH(int, signal);
        writeFile(m_folder, name, "old");
        QProcess process;
        process.start(cliProgram(), {"apply", path("large.pgm"), "-o", path(name)});
        QVERIFY(process.waitForStarted());
        QVERIFY(waitedFor([&] { return listensFor(process, signal); }, 30'000));
        // Reading takes less, and encoding three times as long and more.
        QVERIFY(!process.waitForFinished(350));
        QElapsedTimer timer;
        timer.start();
        ::kill(pid_t(process.processId()), signal);
        QVERIFY(process.waitForFinished(60'000));
        qInfo("ended after %lld ms", (long long)timer.elapsed());
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 128 + signal);
        QCOMPARE(errorsOf(process).count('\n'), 1);
        QCOMPARE(readAll(path(name)), QByteArray("old"));
        QCOMPARE(hidden(), QStringList());
    }

    // By somebody who does not wait: the second ends it at once, wherever it is.
    void stoppedTwice_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("betweenMs");
        for (const char* name : {"out.png", "out.webp"})
            for (const int ms : {0, 20, 100})
                QTest::addRow("%s, %d ms", name, ms) << QString(name) << ms;
    }
    void stoppedTwice() {
        QFETCH(QString, name);
        QFETCH(int, betweenMs);
        writeFile(m_folder, name, "old");
        QProcess process;
        process.start(cliProgram(), {"apply", path("large.pgm"), "-o", path(name)});
        QVERIFY(process.waitForStarted());
        QVERIFY(waitedFor([&] { return listensFor(process, SIGINT); }, 30'000));
        QVERIFY(!process.waitForFinished(350));
        ::kill(pid_t(process.processId()), SIGINT);
        if (!process.waitForFinished(betweenMs)) ::kill(pid_t(process.processId()), SIGINT);
        QVERIFY(process.state() == QProcess::NotRunning || process.waitForFinished(60'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 128 + SIGINT);
        QVERIFY(errorsOf(process).count('\n') <= 1);
        QCOMPARE(readAll(path(name)), QByteArray("old"));
        QCOMPARE(hidden(), QStringList());
    }

    void killedAtAnyMoment() {
        QByteArray noise(2000 * 1000, Qt::Uninitialized);
        std::mt19937 random(freshSeed());
        for (char& sample : noise) sample = char(random());
        writeFile(m_folder, "small.pgm", "P5 2000 1000 255\n" + noise);
        const QStringList command{"apply", path("small.pgm"), "-o", path("killed.pgm")};
        QElapsedTimer timer;
        timer.start();
        const CliRun whole = runCli(command);
        const int wholeMs = int(timer.elapsed());
        QVERIFY2(whole.exitCode == 0, whole.err);
        const QByteArray saved = readAll(path("killed.pgm"));
        int killed = 0;
        for (int round = 0; round < 30; ++round) {
            writeFile(m_folder, "killed.pgm", "old");
            QProcess process;
            process.start(cliProgram(), command);
            QVERIFY(process.waitForStarted());
            process.waitForFinished(int(random() % unsigned(wholeMs + wholeMs / 2)));
            process.kill();
            process.waitForFinished(20'000);
            const QByteArray now = readAll(path("killed.pgm"));
            QVERIFY(now == saved || now == "old");
            killed += now == "old";
        }
        qInfo("%d of 30 were killed before they had saved", killed);
        // The next save into this folder tidies up.
        QCOMPARE(runCli(command).exitCode, 0);
        QCOMPARE(hidden(), QStringList());
        QVERIFY(readAll(path("killed.pgm")) == saved);
    }

    void hardLinksAreSaid() {
        writeFile(m_folder, "a.ppm", smallPpm());
        writeFile(m_folder, "b.ppm", "old");
        QVERIFY(::link(path("b.ppm").toUtf8(), path("c.ppm").toUtf8()) == 0);
        const CliRun run = runCli({"apply", path("a.ppm"), "-o", path("b.ppm")});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.err.contains("hard links"), run.err);
        QCOMPARE(readAll(path("c.ppm")), QByteArray("old"));
    }
};

WARPSCOPE_TEST(SavingSignalsTest)
#include "saving_signals_test.moc"
