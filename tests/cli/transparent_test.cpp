// The colour of fully transparent pixels is stored, counted, computed with and saved like any
// other.
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include "cli/cli_process.h"
#include "support/test_case.h"

using namespace warpscope::test;

namespace {

QByteArray pam(const QByteArray& pixels) {
    return "P7\nWIDTH 2\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n" + pixels;
}

// One that nobody sees, and one that everybody does.
const QByteArray kPixels("\xC8\x64\x32\x00\x0A\x14\x1E\xFF", 8);

}  // namespace

class TransparentTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

  private slots:
    void isCounted() {
        const QString file = writeFile(m_folder, "in.pam", pam(kPixels));
        const CliRun run = runCli({"info", file, "--format", "json"});
        QVERIFY2(run.exitCode == 0, run.err);
        const QJsonObject statistics =
            QJsonDocument::fromJson(run.out).object()["statistics"].toObject();
        const std::pair<const char*, std::pair<double, double>> channels[] = {
            {"red", {10, 200}}, {"green", {20, 100}}, {"blue", {30, 50}}, {"alpha", {0, 255}}};
        for (const auto& [channel, range] : channels) {
            const QJsonObject values = statistics[channel].toObject();
            QCOMPARE(values["minimum"].toDouble(-1), range.first);
            QCOMPARE(values["maximum"].toDouble(-1), range.second);
            QCOMPARE(values["count"].toInt(), 2);
        }
    }

    void isKept_data() {
        QTest::addColumn<QString>("extension");
        for (const char* extension : {"png", "tif", "webp", "npy", "pam", "bmp"})
            QTest::newRow(extension) << extension;
    }
    void isKept() {
        QFETCH(QString, extension);
        const QString file = writeFile(m_folder, "in.pam", pam(kPixels));
        const QString saved = m_folder.filePath("saved." + extension);
        const QString back = m_folder.filePath("back.pam");
        CliRun run = runCli({"apply", file, "-o", saved});
        QVERIFY2(run.exitCode == 0, run.err);
        run = runCli({"apply", saved, "-o", back});
        QVERIFY2(run.exitCode == 0, run.err);
        QCOMPARE(readAll(back).right(8), kPixels);
        // And a step works on it: all but alpha.
        run = runCli({"apply", saved, "-o", back, "--step", "invert"});
        QVERIFY2(run.exitCode == 0, run.err);
        QCOMPARE(readAll(back).right(8), QByteArray("\x37\x9B\xCD\x00\xF5\xEB\xE1\xFF", 8));
    }
    void sixteenBitsAreKept() {
        const QByteArray pixels =
            QByteArray::fromHex("c801 6402 3203 0000") + QByteArray::fromHex("0a04 1405 1e06 ffff");
        QByteArray bytes = pam(pixels);
        bytes.replace("MAXVAL 255", "MAXVAL 65535");
        const QString file = writeFile(m_folder, "in16.pam", bytes);
        const QString back = m_folder.filePath("back16.pam");
        for (const char* extension : {"png", "tif", "npy", "pam"}) {
            const QString saved = m_folder.filePath(QStringLiteral("saved16.") + extension);
            for (const auto& [from, to] : {std::pair(file, saved), std::pair(saved, back)}) {
                const CliRun run = runCli({"apply", from, "-o", to});
                QVERIFY2(run.exitCode == 0, run.err);
            }
            QVERIFY2(readAll(back).right(16) == pixels, extension);
        }
    }
};

WARPSCOPE_TEST(TransparentTest)
#include "transparent_test.moc"
