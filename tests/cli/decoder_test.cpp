// A decoding process that crashes, hangs, lies or dies, as the person at the command line sees it:
// one line that names the file and the reason, exit code 1, nothing written.
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>

#include "cli/cli_process.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// What a person sees of a helper that a signal ends is one line. With a sanitizer the helper itself
// says more before that, and rightly; where a test makes the signal, that is left out.
CliRun withoutTheHelpersReport(CliRun run) {
    const QByteArray begin = "AddressSanitizer:DEADLYSIGNAL\n";
    const QByteArray end = "ABORTING\n";
    const qsizetype from = run.err.indexOf(begin);
    const qsizetype last = from < 0 ? -1 : run.err.indexOf(end, from);
    if (last >= 0) run.err.remove(from, last + end.size() - from);
    return run;
}

}  // namespace

class DecoderTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString m_image;

    // WARPSCOPE_DECODE names a program and gives it no arguments.
    void decodeWith(const QString& what) {
        const QString helper = QCoreApplication::applicationDirPath() + "/misbehaving-helper";
        const QString script = writeFile(
            m_folder, "decode-" + what,
            "#!/bin/sh\nexec '" + QFile::encodeName(helper) + "' " + what.toLatin1() + "\n");
        QVERIFY(QFile::setPermissions(script, QFile::ReadOwner | QFile::ExeOwner));
        qputenv("WARPSCOPE_DECODE", QFile::encodeName(script));
    }

  private slots:
    void init() { m_image = writeFile(m_folder, "in.ppm", smallPpm()); }
    void cleanup() {
        qunsetenv("WARPSCOPE_DECODE");
        qunsetenv("WARPSCOPE_DECODE_SECONDS");
        QCOMPARE(runCli({"info", m_image}).exitCode, 0);
    }

    void costsOneLine_data() {
        QTest::addColumn<QByteArray>("says");
        // A sanitizer takes the signal and ends the process by itself.
        QTest::newRow("crashes") << QByteArray(kSlowdown > 1 ? "gave up (status " : "SIGSEGV");
        QTest::newRow("exits") << QByteArray("gave up (status 7)");
        QTest::newRow("is-killed") << QByteArray("ended from outside");
        // Which limit it meets first depends on how busy the machine is.
        QTest::newRow("spins") << QByteArray("; --decode-seconds N sets another");
        QTest::newRow("hangs") << QByteArray(
            "longer than the limit of 2 seconds; --decode-seconds N sets another");
        for (const char* lie :
             {"garbage", "half-a-message", "another-id", "content-too-large", "impossible-size",
              "beyond-memory", "samples-cut", "pages-for-an-image"})
            QTest::newRow(lie) << QByteArray("an answer that makes no sense");
        QTest::newRow("terminal-codes") << QByteArray("in.ppm: [2J ]0;owned  not so");
    }
    void costsOneLine() {
        QFETCH(QByteArray, says);
        decodeWith(QLatin1String(QTest::currentDataTag()));
        const QString output = m_folder.filePath("out.png");
        const QStringList limits{"--decode-seconds", "1", "--memory", "1000"};
        for (const QStringList& command :
             {QStringList{"info", m_image}, QStringList{"histogram", m_image},
              QStringList{"apply", m_image, "-o", output, "--step", "invert"}}) {
            const CliRun run = withoutTheHelpersReport(runCli(command + limits));
            QVERIFY2(!run.crashed && run.exitCode == 1, run.err);
            QVERIFY2(errorLines(run) == 1, run.err);
            QVERIFY2(run.err.contains("in.ppm: "), run.err);
            QVERIFY2(run.err.contains(says), run.err);
            QVERIFY2(run.out.isEmpty(), run.out);
        }
        QVERIFY(!QFile::exists(output));
    }

    // A fuzzer found this file. LibRaw 0.20 reads where no memory is; other versions refuse it or
    // see nothing that they know: whichever, one line.
    void aFileThatKillsALibrary() {
        const QByteArray bytes = QByteArray::fromBase64(
            "SUkqAAgAAAAVAP4ABAABAAAAAAAAAAABBAABAAAAQgAAAAEBBAABAAAAMAAAAAIBAwABAAAAEAAAAAMBAwAB"
            "AAAAAQAAAAYBAwABAAAAI4AAAA8BAgAKAAAACgEAABABAgAIAAAAFAEAABEBBAABAAAAdgEAABIBAwABAAAA"
            "AQAAABUBAwABAAAAAQAAABYBBAABAAAAMAAAABcBBAABAAAAwBgAAI2CAwACAAAAAgACAI6CAQAkAAAAAAEB"
            "AhLGAQAEAAAAAQQAABTGAgASAAAAHAEAABrGBAABAAAAQAAAAB3GBAABAAAA/w8AACHGCgAJMgAALgEAAFrG"
            "AwABAABNb2RlbCA3AFdhcnBzY29wZSBNb2RlbCA3AAE=");
        for (const char* name : {"camera.dng", "camera.tif"}) {
            const CliRun run =
                withoutTheHelpersReport(runCli({"info", writeFile(m_folder, name, bytes)}));
            QVERIFY2(!run.crashed && run.exitCode == 1, run.err);
            QVERIFY2(errorLines(run) == 1, run.err);
            QVERIFY2(run.err.contains(name), run.err);
        }
    }

    // Of several files each has a process; the others are not lost with one.
    void isReplacedForTheNextFile() {
        decodeWith("exits");
        QTemporaryDir out;
        const QString other = writeFile(m_folder, "other.ppm", smallPpm());
        const CliRun run =
            runCli({"apply", m_image, other, "-o", out.filePath("made"), "--step", "invert"});
        QVERIFY2(!run.crashed && run.exitCode == 1, run.err);
        QVERIFY2(run.err.contains("in.ppm: ") && run.err.contains("other.ppm: "), run.err);
    }

    void withoutOneItIsSaid() {
        for (const char* what : {"dies-at-once", "greets-wrongly"}) {
            decodeWith(QLatin1String(what));
            const CliRun run = runCli({"info", m_image});
            QVERIFY2(run.exitCode == 0, run.err);
            QVERIFY2(errorLines(run) == 1 && run.err.contains("without protection"), run.err);
        }
    }

    void theEnvironmentSetsTheTimeToo() {
        // Of processor time, or twice as much of time.
        const auto within = [](const CliRun& run, int seconds) {
            const auto limit = [](int n) {
                return "the limit of " + QByteArray::number(n) + " seconds";
            };
            return run.exitCode == 1 &&
                   (run.err.contains("more than " + limit(seconds) + " of processor time") ||
                    run.err.contains("longer than " + limit(2 * seconds)));
        };
        decodeWith("spins");
        qputenv("WARPSCOPE_DECODE_SECONDS", "1");
        const CliRun run = runCli({"info", m_image});
        QVERIFY2(within(run, 1), run.err);
        // An option counts more.
        const CliRun two = runCli({"info", m_image, "--decode-seconds", "3"});
        QVERIFY2(within(two, 3), two.err);
        qunsetenv("WARPSCOPE_DECODE");
        for (const char* wrong : {"0", "-3", "much", "86401", "1.5"}) {
            qputenv("WARPSCOPE_DECODE_SECONDS", wrong);
            const CliRun ignored = runCli({"info", m_image});
            QVERIFY2(ignored.exitCode == 0, ignored.err);
            QVERIFY2(
                errorLines(ignored) == 1 && ignored.err.contains("no whole number from 1 to 86400"),
                ignored.err);
        }
    }

    void whatIsNoTimeIsWrongUsage() {
        for (const char* wrong : {"0", "-1", "much", "86401", ""}) {
            const CliRun run = runCli({"info", m_image, "--decode-seconds", QLatin1String(wrong)});
            QVERIFY2(run.exitCode == 2, wrong);
        }
    }
};

WARPSCOPE_TEST(DecoderTest)
#include "decoder_test.moc"
