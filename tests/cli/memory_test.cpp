// --memory: an image beyond it is refused by the header, naming the option; enough of it is taken.
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "cli_process.h"
#include "support/test_case.h"

using namespace warpscope::test;

class MemoryTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    // 1,600 x 1,600 gray samples: 2.44 MiB, and the bytes of the file as many again.
    QString image() {
        return writeFile(m_folder, QStringLiteral("gray.pgm"),
                         "P5\n1600 1600\n255\n" + QByteArray(1600 * 1600, '\x50'));
    }

  private slots:
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

WARPSCOPE_TEST(MemoryTest)
#include "memory_test.moc"
