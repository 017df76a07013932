#include <QFile>
#include <QTest>
#include <cstring>

#include "cli/cli_process.h"
#include "support/test_case.h"

using namespace warpscope::test;

class IntegralTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    QByteArray sums(const QByteArray& image, const QStringList& more = {}) {
        const QString input = writeFile(m_folder, "in.pgm", image);
        const QString output = m_folder.filePath("sums.npy");
        QFile::remove(output);
        const CliRun run = runCli(QStringList{"integral", input, "-o", output} + more);
        return run.exitCode == 0 ? readAll(output) : run.err;
    }

  private slots:
    void exactSums() {
        const QByteArray npy = sums("P2\n3 2\n255\n1 2 3\n4 5 6\n");
        QVERIFY2(npy.startsWith(QByteArray("\x93NUMPY\x01\x00", 8)), npy);
        QVERIFY(npy.contains("'descr': '<u4'"));
        QVERIFY(npy.contains("'shape': (2, 3)"));
        QCOMPARE((npy.size() - 24) % 64, qsizetype(0));
        const std::uint32_t wanted[] = {1, 3, 6, 5, 12, 21};
        QCOMPARE(npy.right(24), QByteArray(reinterpret_cast<const char*>(wanted), 24));
    }
    void variantsGiveTheSameFile() {
        QByteArray image("P5\n37 29\n255\n");
        for (int i = 0; i < 37 * 29; ++i) image += char(i * 7919 >> 3);
        const QByteArray automatic = sums(image);
        for (const char* variant : {"rows_then_columns", "blocked_4x4"})
            QCOMPARE(sums(image, {"--variant", variant}), automatic);
        QCOMPARE(sums(image, {"--backend", "cpu-single"}), automatic);
    }
    // A 32-bit table would wrap at 16.8 million white pixels.
    void whiteAbove32BitsNeeds64() {
        constexpr int kSide = 4112;
        const QByteArray npy =
            sums(QByteArray("P5\n4112 4112\n255\n") + QByteArray(kSide * kSide, char(255)));
        QVERIFY(npy.contains("'descr': '<u8'"));
        std::uint64_t last = 0;
        std::memcpy(&last, npy.constData() + npy.size() - 8, 8);
        QCOMPARE(last, std::uint64_t(255) * kSide * kSide);
    }
    void nameMustBeNpy() {
        const QString input = writeFile(m_folder, "in.pgm", "P2\n1 1\n255\n9\n");
        const CliRun run = runCli({"integral", input, "-o", m_folder.filePath("sums.png")});
        QCOMPARE(run.exitCode, 1);
        QCOMPARE(errorLines(run), 1);
    }
};

WARPSCOPE_TEST(IntegralTest)
#include "integral_test.moc"
