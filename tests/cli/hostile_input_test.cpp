// One line, exit code 1, nothing written: for every file that is none. --memory: an image beyond it
// is refused by the header, naming the option; enough of it is taken.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include "cli/cli_process.h"
#include "support/test_case.h"
#include "tests/io/hostile_files.h"

using namespace warpscope::test;

class HostileInputTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    void expectRefused(const QStringList& arguments, const QByteArray& mention = {}) {
        const CliRun run = runCli(arguments, {}, 20'000);
        QVERIFY2(!run.crashed, run.err);
        QVERIFY2(run.exitCode == 1, run.err + " exit " + QByteArray::number(run.exitCode));
        QVERIFY2(errorLines(run) == 1, run.err);
        if (!mention.isEmpty()) QVERIFY2(run.err.contains(mention), run.err);
    }

    // 1,600 x 1,600 gray samples: 2.44 MiB, and the bytes of the file as many again.
    QString image() {
        return writeFile(m_folder, QStringLiteral("gray.pgm"),
                         "P5\n1600 1600\n255\n" + QByteArray(1600 * 1600, '\x50'));
    }

  private slots:
    void files_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("text") << QByteArray("hello, this is no image\n");
        QTest::newRow("png signature only") << QByteArray("\x89PNG\r\n\x1a\n", 8);
        QTest::newRow("jpeg start only") << QByteArray("\xff\xd8\xff\xe0", 4);
        QTest::newRow("pgm claims 99,999,999 squared") << QByteArray("P5 99999999 99999999 255 ");
        QTest::newRow("pgm claims 15,000 squared")
            << QByteArray("P2\n15000 15000\n255\n0 1 2 3 4 5 6 7");
        QTest::newRow("pgm without samples") << QByteArray("P5\n10 10\n255\n");
        QTest::newRow("pgm cut") << QByteArray("P5\n10 10\n255\n") + QByteArray(99, 'x');
        QTest::newRow("zero width") << QByteArray("P5\n0 10\n255\n");
        QTest::newRow("maxval 0") << QByteArray("P5\n1 1\n0\nx");
        QTest::newRow("maxval 65536") << QByteArray("P5\n1 1\n65536\nxx");
        QByteArray bmp = QByteArray("BM", 2) + QByteArray(24, '\0') + QByteArray(28, '\0');
        bmp[14] = 40;
        bmp[18] = 1;
        bmp[25] = char(0x80);  // height -2^31
        bmp[26] = 1;
        bmp[28] = 24;
        QTest::newRow("bmp height -2^31") << bmp;
    }
    void files() {
        QFETCH(QByteArray, bytes);
        const QString file = writeFile(m_folder, "hostile.png", bytes);
        expectRefused({"info", file}, "hostile.png");
        expectRefused({"apply", file, "-o", m_folder.filePath("o.png"), "--step", "grayscale"},
                      "hostile.png");
        QVERIFY(!QFile::exists(m_folder.filePath("o.png")));
    }
    void timeAndMemory_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("refusal");
        for (const auto& file : hostile::files())
            QTest::newRow(file.name) << file.bytes << QByteArray(file.refusal);
    }
    void timeAndMemory() {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, refusal);
        const QString file = writeFile(m_folder, "asks.much", bytes);
        QElapsedTimer timer;
        timer.start();
        if (refusal.isEmpty()) {
            const CliRun run = runCli({"info", file, "--memory", "64"}, {}, 20'000);
            QVERIFY2(run.exitCode == 0, run.err);
        } else {
            expectRefused({"info", file, "--memory", "4096"}, refusal);
            expectRefused({"info", file, "--memory", "64"}, "asks.much");
        }
        QVERIFY2(timer.elapsed() < 20'000 * kSlowdown, QByteArray::number(timer.elapsed()));
    }
    // Wherever in the reading it comes.
    void terminatedWhileReading_data() {
        QTest::addColumn<QByteArray>("bytes");
        for (const auto& file : hostile::files()) QTest::newRow(file.name) << file.bytes;
        QTest::newRow("large PNG") << hostile::png(8000, {});
        QTest::newRow("large BMP")
            << hostile::bmp(30'000, 30'000, QByteArray(60'000, '\0') + QByteArray("\0\1", 2));
        QTest::newRow("one large strip") << hostile::tiffStrip(16'000, 16'000);
    }
    void terminatedWhileReading() {
        QFETCH(QByteArray, bytes);
        const QString file = writeFile(m_folder, "asks.much", bytes);
        int whileReading = 0;
        for (const int signal : {SIGTERM, SIGINT}) {
            for (const int delayMs : {50, 150}) {
                QProcess process;
                process.start(cliProgram(), {"info", file, "--memory", "4096"});
                QVERIFY(process.waitForStarted());
                process.waitForFinished(delayMs);
                if (process.state() == QProcess::Running) {
                    ++whileReading;
                    ::kill(pid_t(process.processId()), signal);
                }
                QVERIFY(process.state() == QProcess::NotRunning || process.waitForFinished(20'000));
                const QByteArray said = errorsOf(process);
                QVERIFY2(said.count("cancelled") <= 1, said);
                if (said.contains("cancelled")) QCOMPARE(process.exitCode(), 128 + signal);
            }
        }
        if (qstrcmp(QTest::currentDataTag(), "large PNG") == 0) QVERIFY(whileReading > 0);
    }
    void notFiles() {
        expectRefused({"info", m_folder.path()});
        expectRefused({"info", m_folder.filePath("missing.png")}, "missing.png");
        expectRefused({"info", "/dev/zero"});
        const QByteArray fifo = QFile::encodeName(m_folder.filePath("fifo"));
        QCOMPARE(mkfifo(fifo.constData(), 0600), 0);
        expectRefused({"info", QString::fromLocal8Bit(fifo)});
    }
    void pipelines_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("not json") << QByteArray("steps: 3");
        QTest::newRow("nested 2,000 deep") << QByteArray(2000, '[') + QByteArray(2000, ']');
        QTest::newRow("1e999") << QByteArray(
            R"({"schema":"warpscope-pipeline/1","steps":[{"operation":"gaussian_blur","variant":"automatic","enabled":true,"parameters":{"sigma":1e999}}]})");
        QTest::newRow("wrong type")
            << QByteArray(R"({"schema":"warpscope-pipeline/1","steps":"all"})");
        QTest::newRow("unknown operation") << QByteArray(
            R"({"schema":"warpscope-pipeline/1","steps":[{"operation":"sharpen","variant":"automatic","enabled":true,"parameters":{}}]})");
        QTest::newRow("unknown key")
            << QByteArray(R"({"schema":"warpscope-pipeline/1","steps":[],"author":"me"})");
        QTest::newRow("newer") << QByteArray(R"({"schema":"warpscope-pipeline/2","steps":[]})");
        QTest::newRow("size 10^9") << QByteArray(
            R"({"schema":"warpscope-pipeline/1","steps":[{"operation":"gaussian_blur","variant":"automatic","enabled":true,"parameters":{"size":1000000001}}]})");
        QTest::newRow("not UTF-8")
            << QByteArray("{\"schema\":\"warpscope-pipeline/1\",\"steps\":[],\"\xff\xfe\":1}");
        QByteArray million = R"({"schema":"warpscope-pipeline/1","steps":[)";
        million += QByteArray("{},").repeated(999'999) + "{}]}";
        QTest::newRow("a million steps") << million;
    }
    void pipelines() {
        QFETCH(QByteArray, json);
        const QString image = writeFile(m_folder, "in.ppm", smallPpm());
        const QString file = writeFile(m_folder, "p.json", json);
        expectRefused({"apply", image, "-o", m_folder.filePath("p.png"), "--pipeline", file},
                      "p.json");
        QVERIFY(!QFile::exists(m_folder.filePath("p.png")));
    }
    void outputThatCannotBeWritten() {
        const QString image = writeFile(m_folder, "in.ppm", smallPpm());
        expectRefused({"apply", image, "-o", m_folder.filePath("no/such/folder/x.png")});
        expectRefused({"apply", image, "-o", m_folder.filePath(QString(300, 'n') + ".png")});
        const CliRun full = runCli({"info", image});
        QCOMPARE(full.exitCode, 0);
        QProcess process;
        process.setStandardOutputFile("/dev/full");
        process.start(cliProgram(), {"info", image});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 1);
    }
    // As in `warpscope-cli ops | head -0`: what nobody wants to read is no failure.
    void readerThatWentAway() {
        const QString image = writeFile(m_folder, "in.ppm", smallPpm());
        const QStringList runs[] = {{"ops"},
                                    {"info", image},
                                    {"--help"},
                                    {"scene", "-o", "-", "--size", "300"},
                                    {"apply", image, "-o", "-", "--step", "median"}};
        for (const QStringList& arguments : runs) {
            int ends[2];
            QCOMPARE(::pipe(ends), 0);
            ::close(ends[0]);
            QProcess process;
            process.setChildProcessModifier([&] {
                ::dup2(ends[1], STDOUT_FILENO);
                ::signal(SIGPIPE, SIG_DFL);
            });
            process.start(cliProgram(), arguments);
            QVERIFY(process.waitForFinished());
            ::close(ends[1]);
            QCOMPARE(process.exitStatus(), QProcess::NormalExit);
            const QByteArray said = errorsOf(process);
            QVERIFY2(process.exitCode() == 0, said);
            QVERIFY2(said.isEmpty(), said);
        }
    }

    void refusedAndAccepted_data() {
        QTest::addColumn<QStringList>("before");
        QTest::addColumn<QStringList>("after");
        QTest::newRow("info") << QStringList{"info"} << QStringList{};
        QTest::newRow("apply") << QStringList{"apply"}
                               << QStringList{"-o", m_folder.filePath("out.pgm")};
        QTest::newRow("histogram") << QStringList{"histogram"} << QStringList{"--backend", "cpu"};
        QTest::newRow("integral") << QStringList{"integral"}
                                  << QStringList{"-o", m_folder.filePath("sums.npy"), "--backend",
                                                 "cpu"};
        QTest::newRow("bench") << QStringList{"bench",      "--ops",       "grayscale",
                                              "--backends", "cpu-single",  "--repetitions",
                                              "1",          "--budget-ms", "1",
                                              "--image"}
                               << QStringList{};
    }
    void refusedAndAccepted() {
        QFETCH(QStringList, before);
        QFETCH(QStringList, after);
        const QStringList command = before + QStringList{image()} + after;
        const CliRun refused = runCli(command + QStringList{"--memory", "2"});
        QCOMPARE(refused.exitCode, 1);
        QCOMPARE(errorLines(refused), 1);
        QVERIFY2(refused.err.contains("more than the limit of 2 MiB"), refused.err);
        QVERIFY2(refused.err.contains("--memory MIB"), refused.err);
        QVERIFY2(refused.err.contains("1600 x 1600 pixels take 5 MiB"), refused.err);
        const CliRun pixels = runCli(command + QStringList{"--memory", "4"});
        QCOMPARE(pixels.exitCode, 1);
        QVERIFY2(pixels.err.contains("1600 x 1600 pixels take 5 MiB"), pixels.err);
        const CliRun accepted = runCli(command + QStringList{"--memory", "5"});
        QVERIFY2(accepted.exitCode == 0, accepted.err);
        const CliRun byDefault = runCli(command);
        QVERIFY2(byDefault.exitCode == 0, byDefault.err);
        QCOMPARE(byDefault.err, accepted.err);
    }

    // What the refusal names as needed is enough, whether the bytes of the file or the image with
    // them are too much.
    void theNamedAmountSuffices_data() {
        QTest::addColumn<QString>("extension");
        for (const char* extension : {"ppm", "bmp", "png", "jpg", "webp", "tif"})
            QTest::newRow(extension) << extension;
    }
    void theNamedAmountSuffices() {
        QFETCH(QString, extension);
        const QString file = m_folder.filePath("scene." + extension);
        QCOMPARE(runCli({"scene", "-o", file, "--size", "1500x1100"}).exitCode, 0);
        const qint64 bytes = QFileInfo(file).size();
        for (const qint64 memory : {qint64(1), (bytes >> 20) + 1}) {
            const CliRun refused = runCli({"info", file, "--memory", QString::number(memory)});
            QCOMPARE(refused.exitCode, 1);
            // Of a file that begins with its samples nothing else is known yet.
            if (refused.err.contains("of the file alone")) {
                QCOMPARE(extension, "tif");
                continue;
            }
            static const QRegularExpression kNeeded("take (\\d+) MiB in memory");
            const QString needed = kNeeded.match(refused.err).captured(1);
            QVERIFY2(!needed.isEmpty(), refused.err);
            const CliRun taken = runCli({"info", file, "--memory", needed});
            QVERIFY2(taken.exitCode == 0, taken.err);
        }
    }

    void moreThanTheDefaultCanBeAllowed() {
        // 9.3 GiB by its header; the samples are missing, which is found after the limit.
        const QString huge =
            writeFile(m_folder, QStringLiteral("huge.pgm"), "P5\n100000 100000\n255\nx");
        const CliRun refused = runCli({"info", huge});
        QCOMPARE(refused.exitCode, 1);
        QVERIFY2(refused.err.contains("--memory MIB"), refused.err);
        const CliRun allowed = runCli({"info", huge, "--memory", "10000"});
        QCOMPARE(allowed.exitCode, 1);
        QVERIFY2(!allowed.err.contains("--memory"), allowed.err);
    }

    // 20,000 squared in some 50 KB.
    void whatAFileBecomesCounts() {
        const QString small =
            writeFile(m_folder, QStringLiteral("small.png"), hostile::png(20'000, {}, {}, 1));
        QVERIFY(QFileInfo(small).size() < 400'000);
        const CliRun refused = runCli({"info", small, "--memory", "100"});
        QCOMPARE(refused.exitCode, 1);
        QCOMPARE(errorLines(refused), 1);
        QVERIFY2(refused.err.contains("small.png: 20000 x 20000 pixels take"), refused.err);
        QVERIFY2(refused.err.contains("limit of 100 MiB; --memory MIB"), refused.err);
        const CliRun taken = runCli({"info", small, "--memory", "400"});
        QVERIFY2(taken.exitCode == 0, taken.err);
    }

    void otherLimitsDoNotNameIt() {
        const QString wide =
            writeFile(m_folder, QStringLiteral("wide.pgm"), "P5\n9000000 1\n255\nx");
        const CliRun run = runCli({"info", wide, "--memory", "2"});
        QCOMPARE(run.exitCode, 1);
        QVERIFY2(run.err.contains("a side may have at most"), run.err);
        QVERIFY2(!run.err.contains("--memory"), run.err);
    }

    void whatIsNoAmountIsWrongUsage() {
        for (const char* amount : {"0", "-1", "much", "1048577", ""})
            QCOMPARE(runCli({"info", image(), "--memory", QLatin1String(amount)}).exitCode, 2);
    }
};

WARPSCOPE_TEST(HostileInputTest)
#include "hostile_input_test.moc"
