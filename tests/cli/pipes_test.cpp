// Images on standard input and output, signals, --quiet and --require-backend.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <QDir>
#include <QTest>
#include <cstring>
#include <random>

#include "cli/cli_process.h"
#include "support/test_case.h"

using namespace warpscope::test;

namespace {

QByteArray randomBytes(qsizetype count) {
    static std::mt19937 random{warpscope::test::freshSeed()};
    QByteArray bytes;
    for (qsizetype i = 0; i < count; ++i) bytes += char(random());
    return bytes;
}

QByteArray npyOf(const QByteArray& type, const QByteArray& shape, const QByteArray& samples) {
    QByteArray text =
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    text += QByteArray(117 - text.size(), ' ') + "\n";
    return QByteArray("\x93NUMPY\x01\x00\x76\x00", 10) + text + samples;
}

}  // namespace

class PipesTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

  private slots:
    // Through the program and back, to the byte.
    void roundTrips_data() {
        QTest::addColumn<QByteArray>("image");
        QTest::addColumn<QStringList>("to");
        const auto add = [](const char* name, const QByteArray& image, const QStringList& to = {}) {
            QTest::newRow(name) << image << to;
        };
        add("8 bits gray", "P5\n17 5\n255\n" + randomBytes(85));
        add("8 bits RGB", "P6\n7 5\n255\n" + randomBytes(105));
        add("16 bits gray", "P5\n17 5\n65535\n" + randomBytes(170));
        add("16 bits RGB", "P6\n3 5\n65535\n" + randomBytes(90));
        add("RGBA", "P7\nWIDTH 3\nHEIGHT 5\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n" +
                        randomBytes(60));
        // Every pattern of bits, NaN and infinities among them.
        add("float gray", "Pf\n9 5\n-1.0\n" + randomBytes(180));
        add("float RGB", "PF\n3 5\n-1.0\n" + randomBytes(180));
        add("float RGBA", npyOf("<f4", "5, 3, 4", randomBytes(240)));
        add("sums", npyOf("<u4", "5, 9", randomBytes(180)));
        add("large sums", npyOf("<u8", "5, 9", randomBytes(360)));
        add("named", npyOf("|u1", "5, 9", randomBytes(45)), {"--to", "npy"});
        add("larger than a pipe", "P5\n700 300\n255\n" + randomBytes(210'000));
    }
    void roundTrips() {
        QFETCH(QByteArray, image);
        QFETCH(QStringList, to);
        const CliRun run = runPiped(image, QStringList{"apply", "-", "-o", "-"} + to);
        QVERIFY2(run.exitCode == 0, run.err);
        QVERIFY2(run.err.isEmpty(), run.err);
        QCOMPARE(run.out, image);
    }

    // Big-endian and upside down: what other programs may send.
    void otherOrders() {
        const float values[] = {0.5f, -2.0f};
        QByteArray little(reinterpret_cast<const char*>(values), 8), big;
        for (int i = 0; i < 8; ++i) big += little[i / 4 * 4 + 3 - i % 4];
        const QByteArray upward = little.mid(4, 4) + little.left(4);
        // NumPy begins with the upper row, PFM with the lower one.
        const QByteArray wanted = "Pf\n1 2\n-1.0\n" + upward;
        QCOMPARE(runPiped(npyOf(">f4", "2, 1", big), {"apply", "-", "-o", "-"}).out, wanted);
        QCOMPARE(
            runPiped("Pf\n1 2\n1.0\n" + big.mid(4, 4) + big.left(4), {"apply", "-", "-o", "-"}).out,
            wanted);
        const QByteArray npy = runPiped("Pf\n1 2\n3.5\n" + big.mid(4, 4) + big.left(4),
                                        {"apply", "-", "-o", "-", "--to", "npy"})
                                   .out;
        QVERIFY(npy.startsWith(QByteArray("\x93NUMPY", 6)));
        QCOMPARE(npy.right(8), little);
    }

    void everyFormatComesIn() {
        const CliRun scene = runCli({"scene", "-o", "-", "--size", "40x30"});
        QCOMPARE(scene.exitCode, 0);
        QVERIFY(scene.out.startsWith("P6\n40 30\n255\n"));
        for (const char* format : {"png", "tif", "bmp", "webp", "npy", "ppm", "pam"}) {
            const CliRun made = runPiped(scene.out, {"apply", "-", "-o", "-", "--to", format});
            QVERIFY2(made.exitCode == 0, made.err);
            QCOMPARE(runPiped(made.out, {"apply", "-", "-o", "-"}).out, scene.out);
        }
    }

    void otherCommands() {
        const QByteArray image = "P2\n3 2\n255\n1 2 3\n4 5 6\n";
        QVERIFY(runPiped(image, {"info", "-"}).out.contains("3 x 2 pixels"));
        QVERIFY(runPiped(image, {"histogram", "-", "--format", "csv"}).out.contains("\n6,1\n"));
        const CliRun sums = runPiped(image, {"integral", "-", "-o", "-"});
        QVERIFY2(sums.exitCode == 0, sums.err);
        const std::uint32_t wanted[] = {1, 3, 6, 5, 12, 21};
        QCOMPARE(sums.out.right(24), QByteArray(reinterpret_cast<const char*>(wanted), 24));
        const QString file = m_folder.filePath("sums.npy");
        QCOMPARE(runPiped(image, {"integral", "-", "-o", file}).exitCode, 0);
        QCOMPARE(readAll(file), sums.out);
    }

    void refused() {
        const auto expect = [](const CliRun& run, int code, const char* part) {
            QVERIFY2(run.exitCode == code, run.err);
            QVERIFY2(errorLines(run) == 1 && run.err.contains(part), run.err);
            QVERIFY(run.out.isEmpty());
        };
        expect(runPiped("", {"info", "-"}), 1, "standard input: ");
        expect(runPiped("hello, no image", {"apply", "-", "-o", "-"}), 1, "it is text");
        expect(runPiped("P5\n9 9\n255\nxyz", {"apply", "-", "-o", "-"}), 1, "damaged");
        expect(runPiped("P5\n3000 3000\n255\n" + QByteArray(9'000'000, 'x'),
                        {"info", "-", "--memory", "8"}),
               1, "--memory MIB");
        const QByteArray image = "P5\n1 1\n255\nx";
        expect(runPiped(image, {"apply", "-", "-o", "-", "--to", "gif"}), 2, "gif");
        expect(runPiped(image, {"apply", "-", "-o", "-", "--timings", "json"}), 2, "--timings");
        expect(runPiped(image, {"apply", "-", "-o", m_folder.filePath("x.png"), "--to", "tif"}), 2,
               "--to");
        expect(runPiped(image, {"apply", "-", m_folder.path(), "-o", "-"}), 2, "one image");
        expect(runPiped("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
                        "abcd",
                        {"apply", "-", "-o", "-", "--to", "jpg"}),
               1, "no alpha");
    }

    // What is said goes to standard error and never between the samples.
    void noticesStayOutOfTheData() {
        const QByteArray image = "P5\n2 1\n255\nab and more";
        const CliRun run =
            runPiped(image, {"apply", "-", "-o", "-", "--step", "median", "--backend", "cpu"});
        QCOMPARE(run.exitCode, 0);
        QVERIFY(run.err.contains("standard input: 9 bytes after"));
        QCOMPARE(run.out, QByteArray("P5\n2 1\n255\nab"));
        const CliRun quiet = runPiped(
            image, {"apply", "-", "-o", "-", "--step", "median", "--backend", "cpu", "--quiet"});
        QCOMPARE(quiet.exitCode, 0);
        QVERIFY2(quiet.err.isEmpty(), quiet.err);
        QCOMPARE(quiet.out, run.out);
        // Failures stay.
        QCOMPARE(errorLines(runPiped("x", {"info", "-", "-q"})), 1);
        QCOMPARE(errorLines(runCli({"apply", "-q"})), 1);
    }

    void backendThatIsRequired() {
        // The runtime then sees no device, on a machine that has one too.
        const auto before = qgetenv("CUDA_VISIBLE_DEVICES");
        qputenv("CUDA_VISIBLE_DEVICES", "");
        const auto restore = qScopeGuard([&] {
            before.isNull() ? qunsetenv("CUDA_VISIBLE_DEVICES")
                            : qputenv("CUDA_VISIBLE_DEVICES", before);
        });
        const QString input = writeFile(m_folder, "in.ppm", smallPpm());
        const QString output = m_folder.filePath("required.png");
        const QList<QStringList> commands{{"apply", input, "-o", output, "--step", "median"},
                                          {"apply", input, input, "-o", output + "/{n}.png"},
                                          {"histogram", input},
                                          {"integral", input, "-o", m_folder.filePath("r.npy")}};
        for (const QStringList& command : commands) {
            const CliRun run =
                runCli(command + QStringList{"--backend", "cuda", "--require-backend"});
            QVERIFY2(run.exitCode == 1, run.err);
            QVERIFY2(errorLines(run) == 1, run.err);
            QVERIFY2(run.err.contains("--require-backend: no cuda"), run.err);
            QVERIFY(run.out.isEmpty());
            for (const char* backend : {"cpu", "cpu-single", "auto"}) {
                const CliRun there =
                    runCli(command + QStringList{"--backend", backend, "--require-backend"});
                QVERIFY2(there.exitCode == 0, there.err);
            }
            QFile::remove(output);
            QDir(output).removeRecursively();
        }
    }

    // 128 and the number of the signal, whatever the program is at.
    void stoppedBySignals_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<QStringList>("command");
        const QString input = m_folder.filePath("large.pgm");
        writeFile(m_folder, "large.pgm", "P5\n2000 2000\n255\n" + randomBytes(4'000'000));
        const QString output = m_folder.filePath("never.png");
        for (const int signal : {SIGINT, SIGTERM}) {
            const auto add = [&](const char* what, const QStringList& command) {
                QTest::addRow("%s, %d", what, signal) << signal << command;
            };
            add("computing", {"apply", input, "-o", output, "--backend", "cpu-single", "--step",
                              "nl_means:search_radius=20"});
            add("waiting for an image", {"apply", "-", "-o", output});
            add("many", {"apply", "@" + writeFile(m_folder, "list", input.toUtf8() + "\n"), "-o",
                         output, "--backend", "cpu-single", "--step", "nl_means"});
        }
    }
    void stoppedBySignals() {
        QFETCH(int, signal);
        QFETCH(QStringList, command);
        QProcess process;
        process.start(cliProgram(), command);
        QVERIFY(process.waitForStarted());
        QVERIFY(waitedFor([&] { return listensFor(process, signal); }, 30'000));
        QTest::qWait(400);
        QCOMPARE(process.state(), QProcess::Running);
        ::kill(pid_t(process.processId()), signal);
        // The work would last minutes.
        QVERIFY(process.waitForFinished(30'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 128 + signal);
        QCOMPARE(errorsOf(process).count('\n'), 1);
        QVERIFY(!QFile::exists(m_folder.filePath("never.png")));
        QVERIFY(QDir(m_folder.path())
                    .entryList({".warpscope*.tmp"}, QDir::Files | QDir::Hidden)
                    .isEmpty());
    }

    // A reader that does not read holds nobody up.
    void signalWhileNobodyReads() {
        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        QProcess process;
        process.setChildProcessModifier([&] { ::dup2(ends[1], STDOUT_FILENO); });
        process.start(cliProgram(), {"scene", "-o", "-", "--size", "1000"});
        QVERIFY(process.waitForStarted());
        QVERIFY(waitedFor([&] { return listensFor(process, SIGINT); }, 30'000));
        QTest::qWait(600);
        QCOMPARE(process.state(), QProcess::Running);
        ::kill(pid_t(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(kWaitMs));
        QCOMPARE(process.exitCode(), 130);
        ::close(ends[0]);
        ::close(ends[1]);
    }
};

WARPSCOPE_TEST(PipesTest)
#include "pipes_test.moc"
