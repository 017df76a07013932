// warpscope-cli analyze: every analysis of the list, in every form.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include "cli/cli_process.h"
#include "support/test_case.h"

using namespace warpscope::test;

class AnalyzeTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString m_image;

    static QJsonObject jsonOf(const QStringList& arguments) {
        const CliRun run =
            runCli(QStringList{"analyze"} + arguments + QStringList{"--format", "json"});
        if (run.exitCode != 0) qWarning("%s", run.err.constData());
        return QJsonDocument::fromJson(run.out).object();
    }

  private slots:
    void initTestCase() { m_image = writeFile(m_folder, "in.ppm", smallPpm()); }

    // Red: 255, 0, 0, 10, 200, 255.
    void statisticsAsJson() {
        const QJsonObject json = jsonOf({m_image});
        const QJsonArray columns = json["columns"].toArray(), rows = json["rows"].toArray();
        QCOMPARE(columns[0].toObject()["id"].toString(), QString("channel"));
        QCOMPARE(columns[1].toObject()["unit"].toString(), QString("px"));
        QCOMPARE(rows.size(), qsizetype(4));
        for (const auto& row : rows) QCOMPARE(row.toObject().size(), columns.size());
        const QJsonObject red = rows[1].toObject();
        QCOMPARE(red["channel"].toString(), QString("red"));
        QCOMPARE(red["pixels"].toInt(), 6);
        QCOMPARE(red["mean"].toDouble(), 120.0);
        QCOMPARE(red["median"].toInt(), 10);
        QCOMPARE(red["percentile_75"].toInt(), 255);
        QCOMPARE(red["black"].toInt(), 2);
        QCOMPARE(red["white"].toInt(), 2);
    }
    void csvAndFile() {
        const QString file = m_folder.filePath("found.csv");
        const CliRun run =
            runCli({"analyze", m_image, "--op", "statistics", "--format", "csv", "-o", file});
        QVERIFY2(run.exitCode == 0, run.err);
        QVERIFY(run.out.isEmpty());
        const QList<QByteArray> lines = readAll(file).trimmed().split('\n');
        QCOMPARE(lines.size(), qsizetype(5));
        QVERIFY(lines[0].startsWith("channel,pixels,nan,infinite,minimum,"));
        QVERIFY(lines[2].startsWith("red,6,0,0,0,"));
        for (const QByteArray& line : lines) QCOMPARE(line.count(','), lines[0].count(','));
    }
    void tableForPeople() {
        const QByteArray text = runCli({"analyze", m_image}).out;
        // Turned: a line a figure.
        QVERIFY2(QRegularExpression("^Channel +luma +red +green +blue$",
                                    QRegularExpression::MultilineOption)
                     .match(text)
                     .hasMatch(),
                 text);
        QVERIFY(text.contains("\nMean (grey levels) "));
        QVERIFY(text.contains("\nEntropy (bits) "));
    }
    void region() {
        const QJsonObject red =
            jsonOf({m_image, "--region", "1,1,2,1"})["rows"].toArray()[1].toObject();
        QCOMPARE(red["pixels"].toInt(), 2);
        QCOMPARE(red["minimum"].toInt(), 200);
        QCOMPARE(red["maximum"].toInt(), 255);
        QCOMPARE(red["mean"].toDouble(), 227.5);
    }
    void histogramIsOneOfThem() {
        const CliRun run =
            runCli({"analyze", m_image, "--op", "histogram:channel=red", "--format", "csv"});
        QVERIFY2(run.exitCode == 0, run.err);
        QCOMPARE(run.out,
                 runCli({"histogram", m_image, "--channel", "red", "--format", "csv"}).out);
        const QByteArray table = runCli({"analyze", m_image, "--op", "histogram"}).out;
        QCOMPARE(table.count('\n'), qsizetype(257));
        QVERIFY(table.startsWith("Value (grey levels)  Luma (px)"));
    }
    void everyAnalysisOfTheList() {
        const QJsonArray ops =
            QJsonDocument::fromJson(runCli({"ops", "--format", "json"}).out).array();
        int tried = 0;
        for (const auto& entry : ops) {
            const QString id = entry.toObject()["id"].toString();
            const bool analysis = entry.toObject()["kind"].toString() == "analysis";
            const CliRun run = runCli({"analyze", m_image, "--op", id, "--format", "json"});
            QVERIFY2(run.exitCode == (analysis ? 0 : 2), qPrintable(id + ": " + run.err));
            if (!analysis) QCOMPARE(errorLines(run), 1);
            if (analysis) QVERIFY(QJsonDocument::fromJson(run.out).isObject());
            tried += analysis;
        }
        QVERIFY(tried >= 2);
    }
    void floatWithoutAnyNumber() {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const QString file = writeFile(
            m_folder, "nan.pfm",
            QByteArray("Pf\n1 1\n-1.0\n") + QByteArray(reinterpret_cast<const char*>(&nan), 4));
        const QJsonObject row = jsonOf({file})["rows"].toArray()[0].toObject();
        QCOMPARE(row["nan"].toInt(), 1);
        QVERIFY(row["mean"].isNull());
        QVERIFY(runCli({"analyze", file}).out.contains(" -\n"));
    }
    // Two bars on a ground of 20, of 100 to 102 and of 200.
    QString barsOnGround() {
        const QByteArray rows = QByteArray::fromHex(
            "14141414141414"
            "14646566141414"
            "14141414141414"
            "1414141414c8c8");
        return writeFile(m_folder, "bars.pgm", "P5\n7 4\n255\n" + rows);
    }
    static QByteArray csvOf(const QStringList& arguments) {
        const CliRun run =
            runCli(QStringList{"analyze"} + arguments + QStringList{"--format", "csv"});
        return run.exitCode == 0 ? run.out : run.err;
    }
    // As the table of objects in the window: values of the source, not of what a threshold made.
    void componentsBehindSteps() {
        const QString image = barsOnGround();
        const QByteArray head =
            "label,area,x,y,width,height,centroid_x,centroid_y,minimum,maximum,mean\n";
        const QStringList threshold{"--step", "threshold:method=fixed,value=80"};
        QCOMPARE(csvOf(QStringList{image, "--op", "components"} + threshold),
                 head + "1,3,1,1,3,1,2,1,100,102,101\n2,2,5,3,2,1,5.5,3,200,200,200\n");
        // Turned first: so is what is measured.
        QCOMPARE(csvOf(QStringList{image, "--op", "components", "--step",
                                   "flip_rotate:operation=rotate_180"} +
                       threshold),
                 head + "1,2,0,0,2,1,0.5,0,200,200,200\n2,3,3,2,3,1,4,2,100,102,101\n");
        // A part of the result.
        QCOMPARE(csvOf(QStringList{image, "--op", "components", "--region", "2,1,5,2"} + threshold),
                 head + "1,2,0,0,2,1,0.5,0,101,102,101.5\n");
        // A step that numbers says which; parameters of the analysis say otherwise.
        const QStringList numbered = QStringList{image} + threshold +
                                     QStringList{"--step", "connected_components:min_area=3"};
        QCOMPARE(csvOf(numbered + QStringList{"--op", "components"}),
                 head + "1,3,1,1,3,1,2,1,100,102,101\n");
        QVERIFY(csvOf(numbered + QStringList{"--op", "components:min_area=4"}) == head);
        const QByteArray table =
            runCli(QStringList{"analyze", image, "--op", "components"} + threshold).out;
        QVERIFY2(table.contains("Source mean (grey levels)"), table);
        QVERIFY(
            runCli({"analyze", image, "--op", "components"}).out.contains("\nMean (grey levels)"));
    }
    void analysesBehindAPipeline() {
        const QString image = barsOnGround();
        QCOMPARE(
            csvOf({image, "--step", "invert", "--op", "statistics"}).split('\n').value(1).left(21),
            QByteArray("gray,28,0,0,55,55,55,"));
        const CliRun preset =
            runCli({"analyze", image, "--op", "components", "--pipeline", "preset:count-cells"});
        QVERIFY2(preset.exitCode == 0, preset.err);
        const CliRun missing =
            runCli({"analyze", image, "--step", "blend:with=second", "--op", "statistics"});
        QCOMPARE(missing.exitCode, 2);
        QVERIFY2(missing.err.contains("--second"), missing.err);
    }
    void wrongUsage_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("part");
        const auto add = [](const char* name, const QStringList& arguments, int code,
                            const char* part) {
            QTest::newRow(name) << arguments << code << QByteArray(part);
        };
        add("unknown", {"--op", "nothing"}, 2, "nothing");
        add("filter", {"--op", "invert"}, 2, "apply runs it");
        add("parameter", {"--op", "statistics:radius=2"}, 2, "radius");
        add("region text", {"--region", "1,2,3"}, 2, "X,Y,W,H");
        add("empty region", {"--region", "0,0,0,1"}, 2, "X,Y,W,H");
        add("negative region", {"--region", "-1,0,1,1"}, 2, "X,Y,W,H");
        add("more than a region", {"--region", "0,0,1,1x"}, 2, "X,Y,W,H");
        add("beyond the image", {"--region", "2,1,2,1"}, 1, "2 x 1 pixels at 2, 1");
        add("far beyond", {"--region", "2147483647,0,2147483647,1"}, 1, "of 3 x 2");
        add("format", {"--format", "xml"}, 2, "xml");
        add("step", {"--step", "nothing"}, 2, "nothing");
        add("beyond, by a step", {"--step", "crop:x=9,width=5"}, 2, "crop");
        add("both", {"--step", "invert", "--pipeline", "preset:count-cells"}, 2, "--step");
        add("no preset", {"--pipeline", "preset:none"}, 1, "none");
    }
    void wrongUsage() {
        QFETCH(QStringList, arguments);
        QFETCH(int, exitCode);
        QFETCH(QByteArray, part);
        const CliRun run = runCli(QStringList{"analyze", m_image} + arguments);
        QCOMPARE(run.exitCode, exitCode);
        QCOMPARE(errorLines(run), 1);
        QVERIFY2(run.err.contains(part), run.err);
        QVERIFY(run.out.isEmpty());
    }
    void inputIsNotReplaced() {
        const CliRun run = runCli({"analyze", m_image, "-o", m_image});
        QCOMPARE(run.exitCode, 1);
        QCOMPARE(readAll(m_image), smallPpm());
    }
};

WARPSCOPE_TEST(AnalyzeTest)
#include "analyze_test.moc"
