// warpscope-cli compare: figures of two images in every form.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <cmath>

#include "cli/cli_process.h"
#include "support/test_case.h"

using namespace warpscope::test;

static QByteArray pgm(int width, int height, const QByteArray& samples) {
    return QByteArrayLiteral("P5\n") + QByteArray::number(width) + ' ' +
           QByteArray::number(height) + "\n255\n" + samples;
}

class CompareTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QByteArray m_samples[2];
    QString m_first, m_second;

    static QJsonObject rowOf(const QStringList& arguments) {
        const CliRun run =
            runCli(QStringList{"compare"} + arguments + QStringList{"--format", "json"});
        if (run.exitCode != 0) qWarning("%s", run.err.constData());
        return QJsonDocument::fromJson(run.out).object()["rows"].toArray()[0].toObject();
    }
    double rmseIn(int x, int y, int width, int height) const {
        double squares = 0;
        for (int row = y; row < y + height; ++row)
            for (int column = x; column < x + width; ++column) {
                const double apart = double(quint8(m_samples[0][row * 17 + column])) -
                                     double(quint8(m_samples[1][row * 17 + column]));
                squares += apart * apart;
            }
        return std::sqrt(squares / (width * height));
    }

  private slots:
    void initTestCase() {
        for (QByteArray& samples : m_samples)
            for (int i = 0; i < 17 * 13; ++i)
                samples += char(warpscope::test::freshRandom()->bounded(256));
        m_first = writeFile(m_folder, "a.pgm", pgm(17, 13, m_samples[0]));
        m_second = writeFile(m_folder, "b.pgm", pgm(17, 13, m_samples[1]));
    }
    void asJson() {
        const QJsonObject row = rowOf({m_first, m_second});
        const double rmse = rmseIn(0, 0, 17, 13);
        QCOMPARE(row["channel"].toString(), QString("gray"));
        QCOMPARE(row["samples"].toInt(), 17 * 13);
        QVERIFY(std::abs(row["rmse"].toDouble() - rmse) < 1e-9);
        QVERIFY(std::abs(row["psnr"].toDouble() - 20 * std::log10(255 / rmse)) < 1e-9);
        QVERIFY(row["ssim"].isDouble() && std::abs(row["ssim"].toDouble()) < 0.9);
    }
    void region() {
        const QJsonObject row = rowOf({m_first, m_second, "--region", "3,2,5,7"});
        QCOMPARE(row["samples"].toInt(), 35);
        QVERIFY(std::abs(row["rmse"].toDouble() - rmseIn(3, 2, 5, 7)) < 1e-9);
        // Smaller than the window.
        QVERIFY(row["ssim"].isNull());
    }
    void identical() {
        const QJsonObject row = rowOf({m_first, m_first});
        QCOMPARE(row["maximum"].toDouble(), 0.0);
        QVERIFY(row["psnr"].isNull());
        QVERIFY(std::abs(row["ssim"].toDouble() - 1) < 1e-9);
    }
    void tableAndCsv() {
        const CliRun table = runCli({"compare", m_first, m_second});
        QVERIFY2(table.exitCode == 0, table.err);
        QVERIFY2(table.out.contains("SSIM") && table.out.contains("PSNR (dB)"), table.out);
        const QString file = m_folder.filePath("found.csv");
        const CliRun csv = runCli({"compare", m_first, m_second, "--format", "csv", "-o", file});
        QVERIFY2(csv.exitCode == 0 && csv.out.isEmpty(), csv.err);
        QVERIFY(readAll(file).startsWith(
            "channel,samples,not_finite,mse,rmse,mae,maximum,psnr,ssim\ngray,221,0,"));
    }
    void refused_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("part");
        const auto add = [](const char* name, const QStringList& arguments, int code,
                            const char* part) {
            QTest::newRow(name) << arguments << code << QByteArray(part);
        };
        add("one", {"A"}, 2, "SECOND");
        add("missing", {"A", "nothing.png"}, 1, "nothing.png");
        add("size", {"A", "SMALL"}, 1, "17 x 13 and 3 x 2");
        add("size of the whole", {"A", "SMALL", "--region", "0,0,2,2"}, 1, "17 x 13 and 3 x 2");
        add("format", {"SMALL", "COLOR"}, 1, "Gray8 and Rgba8");
        add("region", {"A", "B", "--region", "1,2"}, 2, "X,Y,W,H");
        add("beyond", {"A", "B", "--region", "16,0,2,1"}, 1, "beyond the image");
        add("form", {"A", "B", "--format", "xml"}, 2, "xml");
        add("output", {"A", "B", "-o", "A"}, 1, "a.pgm");
    }
    void refused() {
        QFETCH(QStringList, arguments);
        QFETCH(int, exitCode);
        QFETCH(QByteArray, part);
        arguments.replaceInStrings(QRegularExpression("^A$"), m_first);
        arguments.replaceInStrings(QRegularExpression("^B$"), m_second);
        arguments.replaceInStrings("SMALL",
                                   writeFile(m_folder, "s.pgm", pgm(3, 2, QByteArray(6, 'x'))));
        arguments.replaceInStrings("COLOR", writeFile(m_folder, "c.ppm", smallPpm()));
        const CliRun run = runCli(QStringList{"compare"} + arguments);
        QVERIFY2(run.exitCode == exitCode, run.err);
        QCOMPARE(errorLines(run), 1);
        QVERIFY2(run.err.contains(part), run.err);
        QVERIFY(run.out.isEmpty());
    }
};

WARPSCOPE_TEST(CompareTest)
#include "compare_test.moc"
