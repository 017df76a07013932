// Of a file that says how it is to be turned, coordinates are those of what is seen: in regions, in
// the parameters of steps, and where positions are printed.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "cli/cli_process.h"
#include "io/turned_tiff.h"
#include "support/test_case.h"

using namespace io_test;
using namespace warpscope::test;

class TurnedTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

  private slots:
    void coordinatesAreThoseOfTheUprightImage_data() {
        QTest::addColumn<int>("orientation");
        for (int i = 1; i <= 8; ++i) QTest::addRow("%d", i) << i;
    }
    void coordinatesAreThoseOfTheUprightImage() {
        QFETCH(int, orientation);
        const QString file = writeFile(m_folder, "turned.tif", turnedTiff(orientation));
        const QSize size = turnedSize(orientation);
        const QPoint at(1, size.height() - 1);
        const int there = turnedSample(orientation, at);

        const CliRun info = runCli({"info", file, "--format", "json"});
        QVERIFY2(info.exitCode == 0, info.err);
        const QJsonObject json = QJsonDocument::fromJson(info.out).object();
        QCOMPARE(QSize(json["width"].toInt(), json["height"].toInt()), size);
        QCOMPARE(info.err.contains("coordinates are those of the upright image"), orientation > 1);

        const CliRun region =
            runCli({"analyze", file, "--region", QString("%1,%2,1,1").arg(at.x()).arg(at.y()),
                    "--format", "json"});
        QVERIFY2(region.exitCode == 0, region.err);
        const QJsonObject row =
            QJsonDocument::fromJson(region.out).object()["rows"].toArray()[0].toObject();
        QCOMPARE(row["pixels"].toInt(), 1);
        QCOMPARE(row["mean"].toDouble(), double(there));

        const QString crop = QString("crop:x=%1,y=%2,width=1,height=1").arg(at.x()).arg(at.y());
        const CliRun cropped =
            runCli({"apply", file, "-o", "-", "--step", crop, "--backend", "cpu"});
        QVERIFY2(cropped.exitCode == 0, cropped.err);
        QCOMPARE(cropped.out, "P5\n1 1\n255\n" + QByteArray(1, char(there)));
    }
};

WARPSCOPE_TEST(TurnedTest)
#include "turned_test.moc"
