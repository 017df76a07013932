// The files that bench writes: form by name, sources that stay, charts.
#include <unistd.h>

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QXmlStreamReader>

#include "cli/cli_process.h"
#include "support/test_case.h"

using namespace warpscope::test;

namespace {

QStringList quick(const QStringList& more) {
    return QStringList{"bench", "--ops", "median,box_mean", "--budget-ms", "1"} + more;
}

// All text of a well-formed SVG file, piece by piece; empty where it is none.
QStringList textOf(const QByteArray& svg) {
    QXmlStreamReader reader(svg);
    QStringList pieces;
    bool root = false;
    while (!reader.atEnd()) {
        const auto token = reader.readNext();
        if (token == QXmlStreamReader::StartElement && !root)
            root = reader.name() == QLatin1String("svg") &&
                   reader.namespaceUri() == QLatin1String("http://www.w3.org/2000/svg");
        if (token == QXmlStreamReader::Characters && !reader.isWhitespace())
            pieces << reader.text().toString();
    }
    return root && !reader.hasError() ? pieces : QStringList();
}

}  // namespace

class BenchFilesTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString m_results;  // of two sizes on one thread and all cores, as if these were 8 of them
    QByteArray m_bytes;

    QString path(const QString& name) const { return m_folder.filePath(name); }

  private slots:
    void initTestCase() {
        m_results = path("results.json");
        const CliRun run = runCli(
            quick({"--sizes", "64,256", "--backends", "cpu-single,cpu", "--format", "json"}));
        QVERIFY2(run.exitCode == 0, run.err);
        QJsonObject root = QJsonDocument::fromJson(run.out).object();
        QJsonArray rows = root["results"].toArray();
        QCOMPARE(rows.size(), 8);
        for (auto&& value : rows) {
            QJsonObject row = value.toObject();
            if (row["backend"].toString() == "cpu") row["threads"] = row["threads_worked"] = 8;
            value = row;
        }
        root["results"] = rows;
        m_bytes = QJsonDocument(root).toJson();
        QVERIFY(!writeFile(m_folder, "results.json", m_bytes).isEmpty());
    }

    void formFollowsTheName_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<QByteArray>("begins");
        const QStringList none;
        QTest::newRow("json") << "a.json" << none << QByteArray("{\n  \"schema\": \"warpscope-tim");
        QTest::newRow("capitals") << "a.JSON" << none << QByteArray("{\n  \"schema\"");
        QTest::newRow("csv") << "a.csv" << none << QByteArray("operation,variant,parameters,");
        QTest::newRow("md") << "a.md" << none << QByteArray("MACHINE");
        QTest::newRow("markdown") << "a.markdown" << none << QByteArray("MACHINE");
        QTest::newRow("text") << "a.txt" << none << QByteArray("MACHINE");
        QTest::newRow("no extension") << "json" << none << QByteArray("MACHINE");
        QTest::newRow("said") << "b.json" << QStringList{"--format", "csv"}
                              << QByteArray("operation,variant,parameters,");
        QTest::newRow("table said")
            << "c.csv" << QStringList{"--format", "table"} << QByteArray("MACHINE");
    }
    void formFollowsTheName() {
        QFETCH(QString, name);
        QFETCH(QStringList, more);
        QFETCH(QByteArray, begins);
        const QString file = path(name);
        const CliRun run = runCli(QStringList{"bench", "--from", m_results, "-o", file} + more);
        QVERIFY2(run.exitCode == 0, run.err);
        QVERIFY(run.out.isEmpty());
        const QByteArray text = readAll(file);
        if (begins == "MACHINE") {
            const QString cpu =
                QJsonDocument::fromJson(m_bytes).object()["machine"].toObject()["cpu"].toString();
            QVERIFY(text.startsWith(cpu.toUtf8()));
            QCOMPARE(text.contains("|---"), name.endsWith("md") || name.endsWith("markdown"));
        } else {
            QVERIFY2(text.startsWith(begins), text.left(60));
        }
        // What was written as JSON can be shown again.
        if (name.endsWith("json", Qt::CaseInsensitive) && name.contains('.') && more.isEmpty())
            QCOMPARE(runCli({"bench", "--from", file}).exitCode, 0);
    }
    // A run, and not only what is shown again.
    void formOfARun() {
        const QString file = path("run.json");
        const CliRun run = runCli(quick({"--sizes", "32", "--backends", "cpu", "-o", file}));
        QCOMPARE(run.exitCode, 0);
        QCOMPARE(QJsonDocument::fromJson(readAll(file)).object()["results"].toArray().size(), 2);
        // Standard output has no name.
        QVERIFY(!runCli({"bench", "--from", m_results, "-o", "-"}).out.startsWith('{'));
    }

    void sourcesStay_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("results") << QStringList{"--from", "RESULTS", "-o", "RESULTS"};
        QTest::newRow("through a link") << QStringList{"--from", "RESULTS", "-o", "LINK"};
        QTest::newRow("hard link") << QStringList{"--from", "RESULTS", "-o", "HARD"};
        QTest::newRow("read through a link") << QStringList{"--from", "LINK", "-o", "RESULTS"};
        QTest::newRow("another spelling") << QStringList{"--from", "RESULTS", "-o", "SPELLING"};
        QTest::newRow("compared") << QStringList{"--compare", "RESULTS", "-o",
                                                 "RESULTS",   "--sizes", "64"};
        QTest::newRow("second of those")
            << QStringList{"--from", "COPY", "--compare", "COPY", "RESULTS", "-o", "RESULTS"};
        QTest::newRow("image") << QStringList{"--image", "IMAGE", "-o", "IMAGE"};
        QTest::newRow("chart") << QStringList{"--image", "SVG", "--chart", "SVG"};
        QTest::newRow("speedups") << QStringList{"--image", "SVG", "--speedup-chart", "SVG"};
    }
    void sourcesStay() {
        QFETCH(QStringList, arguments);
        const QByteArray image = smallPpm();
        writeFile(m_folder, "image.ppm", image);
        writeFile(m_folder, "image.svg", image);  // by content, not by name
        writeFile(m_folder, "copy.json", m_bytes);
        QFile::link(m_results, path("link.json"));
        const QByteArray hard = path("hard.json").toLocal8Bit();
        if (!QFile::exists(path("hard.json"))) QCOMPARE(::link(m_results.toLocal8Bit(), hard), 0);
        const QHash<QString, QString> names{
            {"RESULTS", m_results},
            {"LINK", path("link.json")},
            {"HARD", path("hard.json")},
            {"SPELLING", path("../") + QDir(m_folder.path()).dirName() + "/./results.json"},
            {"COPY", path("copy.json")},
            {"IMAGE", path("image.ppm")},
            {"SVG", path("image.svg")}};
        for (QString& argument : arguments) argument = names.value(argument, argument);
        const CliRun run = runCli(
            QStringList{"bench", "--ops", "median", "--backends", "cpu", "--budget-ms", "1"} +
            arguments);
        QCOMPARE(run.exitCode, 1);
        QCOMPARE(errorLines(run), 1);
        QVERIFY2(run.err.contains("protected"), run.err);
        QVERIFY(run.out.isEmpty());  // before anything is measured
        QCOMPARE(readAll(m_results), m_bytes);
        QCOMPARE(readAll(path("image.ppm")), image);
        QCOMPARE(readAll(path("image.svg")), image);
    }

    void foldersThatAreNotThere() {
        for (const char* option : {"-o", "--chart"}) {
            const CliRun run =
                runCli({"bench", "--from", m_results, option, path("no/such/folder/x.svg")});
            QCOMPARE(run.exitCode, 1);
            QVERIFY2(run.err.contains("no folder"), run.err);
            QVERIFY(run.out.isEmpty());
        }
    }

    void charts() {
        const QString time = path("time.svg"), speedup = path("speedup.SVG");
        const CliRun run = runCli({"bench", "--from", m_results, "--chart", time, "--speedup-chart",
                                   speedup, "--against", "cpu-single", "--format", "csv"});
        QVERIFY2(run.exitCode == 0, run.err);
        QVERIFY(run.err.isEmpty());
        QVERIFY(run.out.startsWith("operation,"));
        const QStringList times = textOf(readAll(time));
        for (const char* piece :
             {"Median time against image size", "median time, ms, logarithmic",
              "image size, pixels, logarithmic", "Median", "Box mean", "1 thread", "8 threads"})
            QVERIFY2(times.contains(piece), qPrintable(times.join("; ") + "\nlacks " + piece));
        // A panel each, and a tool tip a point.
        QCOMPARE(times.count("1 thread"), 2);
        QCOMPARE(times.filter("256 × 256: ").size(), 4);
        const QStringList speedups = textOf(readAll(speedup));
        QVERIFY(speedups.contains("Speedup against the same algorithm on 1 thread"));
        QCOMPARE(speedups.count("8 threads"), 2);
        QVERIFY(!speedups.contains("1 thread"));
        QCOMPARE(speedups.filter("x against 1 thread, identical").size(), 4);
        // The best of the CPU, unless something else is asked for.
        const QString best = path("best.svg");
        QCOMPARE(runCli({"bench", "--from", m_results, "--speedup-chart", best}).exitCode, 0);
        QVERIFY(textOf(readAll(best)).contains("Speedup against the best CPU"));
    }

    void othersLieBeside() {
        writeFile(m_folder, "theirs <&>.json", m_bytes);
        const QString time = path("beside.svg");
        const CliRun run = runCli(
            {"bench", "--from", m_results, "--compare", path("theirs <&>.json"), "--chart", time});
        QVERIFY2(run.exitCode == 0, run.err);
        const QStringList text = textOf(readAll(time));
        QVERIFY(text.contains("8 threads (A)") && text.contains("8 threads (B)"));
        QVERIFY(text.join(' ').contains("B: theirs <&>.json: "));
        QVERIFY(readAll(time).contains("stroke-dasharray"));
    }

    void chartsOfARun() {
        const QString time = path("run.svg");
        const CliRun run =
            runCli({"bench", "--step", "median:radius=2", "--sizes", "32,64", "--backends", "cpu",
                    "--budget-ms", "1", "--chart", time, "-o", path("run-of-chart.csv")});
        QVERIFY2(run.exitCode == 0, run.err);
        QVERIFY(textOf(readAll(time)).contains("radius=2, 8-bit gray"));
    }

    // Results were written; what could not be drawn is said.
    void nothingToDraw() {
        const QString chart = path("none.svg");
        const CliRun run =
            runCli(quick({"--sizes", "32", "--backends", "cpu", "--speedup-chart", chart, "-q"}));
        QCOMPARE(run.exitCode, 1);
        QCOMPARE(errorLines(run), 1);
        QVERIFY2(run.err.contains("nothing to draw") && run.err.contains("the best CPU"), run.err);
        QVERIFY(run.out.contains("median"));
        QVERIFY(!QFile::exists(chart));
    }

    void namesThatAreWrong() {
        const QStringList wrong[] = {
            {"--chart", path("x.png")},
            {"--speedup-chart", "-"},
            {"--chart", path("x.svg"), "--speedup-chart", path("./x.svg")},
            {"--chart", path("x.svg"), "-o", path("x.svg")},
            {"--chart", path("x.svg"), "--against", "cuda"},
        };
        for (const QStringList& arguments : wrong) {
            const CliRun run = runCli(QStringList{"bench", "--from", m_results} + arguments);
            QVERIFY2(run.exitCode == 2, run.err);
            QCOMPARE(errorLines(run), 1);
            QVERIFY(run.out.isEmpty());
        }
        QVERIFY(!QFile::exists(path("x.png")) && !QFile::exists(path("x.svg")));
    }
};

WARPSCOPE_TEST(BenchFilesTest)
#include "bench_files_test.moc"
