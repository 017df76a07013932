// bench that runs again and sets results against each other: --check, --fail-if-slower, --pair,
// --sweep, lines that were cut off, reports for a browser. No test here asserts a timing:
// tolerances are so wide that only a doctored file is beyond them.
#include <signal.h>

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QThread>

#include "cli/cli_process.h"
#include "support/test_case.h"

using namespace warpscope::test;

namespace {

// One round has no interval, so that no row is noisy, which would promise nothing.
QStringList quickly(const QStringList& more) {
    return QStringList{"bench", "--rounds",    "1", "--most-rounds",
                       "1",     "--budget-ms", "1", "--no-energy"} +
           more;
}

QJsonObject objectOf(const QByteArray& json) {
    return QJsonDocument::fromJson(json).object();
}

// Every figure of it a thousand times as long (or as short).
QByteArray doctored(const QByteArray& json, double factor) {
    QJsonObject root = objectOf(json);
    QJsonArray rows = root["results"].toArray();
    for (auto&& value : rows) {
        QJsonObject row = value.toObject();
        for (const char* key : {"median_ms", "p10_ms", "p90_ms", "end_to_end_ms", "low_ms",
                                "high_ms", "end_to_end_low_ms", "end_to_end_high_ms"})
            if (row[key].isDouble()) row[key] = row[key].toDouble() * factor;
        value = row;
    }
    root["results"] = rows;
    return QJsonDocument(root).toJson();
}

}  // namespace

class BenchAgainTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString m_results;
    QByteArray m_bytes;

    QString path(const QString& name) const { return m_folder.filePath(name); }

  private slots:
    void initTestCase() {
        m_results = path("results.json");
        const CliRun run = runCli(quickly(
            {"--ops", "median", "--sizes", "96", "--backends", "cpu-single,cpu", "-o", m_results}));
        QVERIFY2(run.exitCode == 0, run.err);
        m_bytes = readAll(m_results);
        QCOMPARE(objectOf(m_bytes)["results"].toArray().size(), 2);
    }

    void sameAgain() {
        const CliRun run = runCli({"bench", "--check", m_results, "--by", "1000%", "--all"});
        QVERIFY2(run.exitCode == 0, run.err);
        QVERIFY2(run.out.contains("came out again") && run.out.contains("median"), run.out);
        // The second run is kept where somebody wants it, and is a run of the same command.
        const QString second = path("second.json");
        QCOMPARE(runCli({"bench", "--check", m_results, "--by", "1000%", "-o", second}).exitCode,
                 0);
        const QJsonArray then = objectOf(m_bytes)["command"].toArray();
        const QJsonArray now = objectOf(readAll(second))["command"].toArray();
        QCOMPARE(now.size(), then.size());
        for (int i = 1; i < then.size(); ++i) QCOMPARE(now[i], then[i]);
    }

    void movedIsNamed() {
        const QString slow = writeFile(m_folder, "slow.json", doctored(m_bytes, 1000));
        const CliRun run = runCli({"bench", "--check", slow, "--by", "1000%"});
        QCOMPARE(run.exitCode, 1);
        QVERIFY2(run.out.contains("MOVED") && run.out.contains("median") &&
                     run.out.contains("cpu-single"),
                 run.out);
        QVERIFY2(run.err.contains("2 of 2 figures moved"), run.err);
    }

    void nothingToCheck() {
        QJsonObject root = objectOf(m_bytes);
        root.remove("command");
        const QString silent = writeFile(m_folder, "silent.json", QJsonDocument(root).toJson());
        const CliRun run = runCli({"bench", "--check", silent});
        QCOMPARE(run.exitCode, 1);
        QCOMPARE(errorLines(run), 1);
        QVERIFY2(run.err.contains("which command made it"), run.err);
        root["command"] = QJsonArray{"x", "bench", "--no-such-option"};
        const QString strange = writeFile(m_folder, "strange.json", QJsonDocument(root).toJson());
        const CliRun other = runCli({"bench", "--check", strange});
        QCOMPARE(other.exitCode, 1);
        QVERIFY2(other.err.contains("strange.json"), other.err);
        // The file itself stays, which is said before anything is measured.
        const CliRun same = runCli({"bench", "--check", m_results, "-o", m_results});
        QCOMPARE(same.exitCode, 1);
        QVERIFY2(same.err.contains("protected"), same.err);
        QCOMPARE(readAll(m_results), m_bytes);
        QCOMPARE(runCli({"bench", "--check", m_results, "--by", "lots"}).exitCode, 2);
    }

    void slowerFails() {
        const QString fast = writeFile(m_folder, "fast.json", doctored(m_bytes, 1e-3));
        const QString slow = writeFile(m_folder, "slow.json", doctored(m_bytes, 1000));
        const QStringList now{"bench", "--from", m_results, "--fail-if-slower"};
        QCOMPARE(runCli(now + QStringList{slow}).exitCode, 0);
        QCOMPARE(runCli(now + QStringList{m_results}).exitCode, 0);
        const CliRun failed = runCli(now + QStringList{fast});
        QCOMPARE(failed.exitCode, 1);
        QVERIFY2(failed.err.contains("slower: median") && failed.err.contains("cpu-single") &&
                     failed.err.contains("2 of 2 figures are slower"),
                 failed.err);
    }

    // That nobody wants the table is no failure, which would read as "slower"; a device that cannot
    // be replaced is said before minutes are spent.
    void nowhereIsAPlaceToWriteTo() {
        const CliRun run = runCli(
            {"bench", "--from", m_results, "--fail-if-slower", m_results, "-o", "/dev/null"});
        QVERIFY2(run.exitCode == 0, run.err);
        QVERIFY(run.out.isEmpty());
        const CliRun device = runCli({"bench", "--sizes", "8k", "-o", "/dev/full"});
        QCOMPARE(device.exitCode, 1);
        QVERIFY2(device.err.contains("/dev/full: not saved, it is a device"), device.err);
    }

    // Minutes in a pipe are not silent: a line every ten seconds, none with --quiet.
    void aPipeHearsHowFarItIs() {
        const QStringList run{"bench",       "--sizes", "1024",     "--backends", "cpu-single",
                              "--budget-ms", "5000",    "--format", "json"};
        QProcess loud, quiet;
        loud.start(cliProgram(), run);
        quiet.start(cliProgram(), run + QStringList{"--quiet"});
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT((said += loud.readAllStandardError()).contains("benchmark "),
                                 60000);
        const QRegularExpression line(
            QStringLiteral("benchmark \\d+%  \\d+ rows, round \\d+.* 1024 x 1024, cpu-single"));
        QVERIFY2(line.match(QString::fromUtf8(said)).hasMatch(), said);
        QVERIFY(!said.contains('\r'));
        // One that runs does so until now: both have had as long.
        for (QProcess* process : {&loud, &quiet}) {
            QCOMPARE(process->state(), QProcess::Running);
            process->terminate();
            QVERIFY(process->waitForFinished(60000));
        }
        QVERIFY(!quiet.readAllStandardError().contains("benchmark "));
    }

    // What measures nothing takes no options of measuring, and keeps the rows that are named.
    void nothingIsIgnoredInSilence() {
        const CliRun check = runCli({"bench", "--check", m_results, "--from", m_results});
        QCOMPARE(check.exitCode, 2);
        QVERIFY2(check.err.contains("--check") && check.err.contains("--from"), check.err);
        QCOMPARE(runCli({"bench", "--check", m_results, "--ops", "median"}).exitCode, 2);
        const CliRun pixels = runCli({"bench", "--from", m_results, "--pixels", "both"});
        QCOMPARE(pixels.exitCode, 2);
        QVERIFY2(pixels.err.contains("--pixels"), pixels.err);
        const CliRun one =
            runCli({"bench", "--from", m_results, "--backends", "cpu", "--format", "csv"});
        QCOMPARE(one.exitCode, 0);
        QCOMPARE(one.out.count('\n'), 2);
        const CliRun none = runCli({"bench", "--from", m_results, "--ops", "invert"});
        QCOMPARE(none.exitCode, 1);
        QVERIFY2(none.err.contains("has no row"), none.err);
    }

    // Charts that cannot be drawn leave out nothing else.
    void whatCanBeWrittenIs() {
        const QString chart = path("some.svg"), none = path("none.svg"), html = path("some.html");
        const CliRun run = runCli({"bench", "--from", m_results, "--backends", "cpu-single",
                                   "--speedup-chart", none, "--against", "cpu", "--chart", chart,
                                   "--html", html, "--pair", "cpu-single=cpu-single"});
        QCOMPARE(run.exitCode, 1);
        QVERIFY2(run.err.contains("none.svg: there is nothing to draw"), run.err);
        QVERIFY(QFile::exists(chart) && !QFile::exists(none));
        QVERIFY(readAll(html).contains("Ratios, row by row"));
    }

    // What was asked for stands first and names the file.
    void comparisonsComeFirst() {
        const CliRun run = runCli({"bench", "--from", m_results, "--pair", "cpu=cpu-single"});
        QCOMPARE(run.exitCode, 0);
        const QByteArray file = QFileInfo(m_results).fileName().toUtf8();
        QVERIFY2(run.out.contains("a: " + file + ": ") && run.out.contains(", cpu-single\n"),
                 run.out);
        QVERIFY(run.out.indexOf("geometric mean") < run.out.indexOf("median ms"));
    }

    // A busy machine is said last, whatever the exit code is.
    void busyMachinesAreNamedLast() {
        QJsonObject root = objectOf(m_bytes);
        QJsonObject around = root["conditions"].toObject();
        for (const char* when : {"before", "after"}) {
            QJsonObject one = around[when].toObject(), cpu = one["cpu"].toObject();
            const bool end = *when == 'a';
            cpu["ticks"] =
                QJsonObject{{"busy", end ? 900 : 100}, {"idle", end ? 300 : 100}, {"steal", 0}};
            cpu["own_ticks"] = end ? 200 : 100;
            one["cpu"] = cpu;
            around[when] = one;
        }
        root["conditions"] = around;
        const QString busy = writeFile(m_folder, "busy.json", QJsonDocument(root).toJson());
        const CliRun run = runCli({"bench", "--from", m_results, "--fail-if-slower", busy});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(
            run.err.contains("busy during the run of ") && run.err.contains("other work 70.0%"),
            run.err);
        QVERIFY(runCli({"bench", "--from", busy}).out.contains("doubtful: the machine was busy"));
        const CliRun again = runCli({"bench", "--check", busy, "--by", "900%"});
        QVERIFY2(again.err.contains("quiet machine"), again.err);
    }

    void pairs_data() {
        QTest::addColumn<QString>("pair");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("named");
        QTest::newRow("there") << "cpu=cpu-single" << 0 << QByteArray("geometric mean: ");
        QTest::newRow("variant and size")
            << "cpu/automatic@96x96=cpu-single@96x96" << 0 << QByteArray("geometric mean");
        QTest::newRow("one side") << "cpu" << 2 << QByteArray("LEFT=RIGHT");
        QTest::newRow("empty side") << "cpu=" << 2 << QByteArray("--pair");
        QTest::newRow("no size") << "cpu@96=cpu-single" << 2 << QByteArray("no size");
        QTest::newRow("no variant") << "cpu/=cpu-single" << 2 << QByteArray("no variant");
        QTest::newRow("no such place") << "cpu=h100" << 1 << QByteArray("no row there is of h100");
        QTest::newRow("not measured") << "cpu=cuda" << 1 << QByteArray("cpu-single, cpu");
        QTest::newRow("another size") << "cpu@64x64=cpu" << 1 << QByteArray("cpu-single, cpu");
    }
    void pairs() {
        QFETCH(QString, pair);
        QFETCH(int, exitCode);
        QFETCH(QByteArray, named);
        // A chart beside it is of these results alone.
        const QString chart = path("pair.svg");
        const CliRun run = runCli({"bench", "--from", m_results, "--pair", pair, "--chart", chart});
        QVERIFY(!run.crashed);
        QCOMPARE(run.exitCode, exitCode);
        QVERIFY2((exitCode == 0 ? run.out : run.err).contains(named), run.out + run.err);
        if (exitCode == 0) QVERIFY(!readAll(chart).contains("B: "));
    }

    void sweeps_data() {
        QTest::addColumn<QString>("sweep");
        QTest::addColumn<QStringList>("values");
        QTest::newRow("linear") << "gaussian_blur.sigma=1:2:5"
                                << QStringList{"1", "1.25", "1.5", "1.75", "2"};
        QTest::newRow("logarithmic")
            << "gaussian_blur.sigma=1:8:4:log" << QStringList{"1", "2", "4", "8"};
        // As many as there are whole numbers.
        QTest::newRow("whole") << "box_mean.radius=1:4:12" << QStringList{"1", "2", "3", "4"};
    }
    void sweeps() {
        QFETCH(QString, sweep);
        QFETCH(QStringList, values);
        const QString chart = path("sweep.svg");
        const CliRun run = runCli(quickly({"--sweep", sweep, "--sizes", "40", "--backends", "cpu",
                                           "--format", "json", "--chart", chart}));
        QVERIFY2(run.exitCode == 0, run.err);
        const QString parameter = sweep.section('.', 1).section('=', 0, 0);
        QStringList found;
        for (const QJsonValue& row : objectOf(run.out)["results"].toArray())
            found << QString::number(row.toObject()["parameters"].toObject()[parameter].toDouble());
        QCOMPARE(found, values);
        const QByteArray svg = readAll(chart);
        QVERIFY(svg.contains("40 × 40"));
        const QByteArray axis =
            parameter == "sigma" ? QByteArray("Sigma, px") : QByteArray("Radius, px");
        QVERIFY2(svg.contains(axis + (sweep.endsWith("log") ? ", logarithmic</text>" : "</text>")),
                 svg);
        for (const QString& value : values)
            QVERIFY2(svg.contains(">" + value.toUtf8() + "</text>"), qPrintable(value));
    }

    void wrongSweeps_data() {
        QTest::addColumn<QString>("sweep");
        for (const char* sweep :
             {"median", "median.radius", "sharpen.radius=1:2", "median.sigma=1:2",
              "equalize.mapping=1:2", "median.radius=2", "median.radius=2:1", "median.radius=1:x",
              "gaussian_blur.sigma=0:2:log", "gaussian_blur.sigma=1:2:1",
              "gaussian_blur.sigma=1:2:2.5", "gaussian_blur.sigma=1:2:201",
              "gaussian_blur.sigma=1:2:3:4", "gaussian_blur.sigma=1:9999"})
            QTest::newRow(sweep) << sweep;
    }
    void wrongSweeps() {
        QFETCH(QString, sweep);
        const CliRun run = runCli({"bench", "--sweep", sweep, "--sizes", "40"});
        QCOMPARE(run.exitCode, 2);
        QCOMPARE(errorLines(run), 1);
        QVERIFY2(run.err.contains("--sweep"), run.err);
    }

    void linesThatWereCut() {
        const QString lines = path("lines.jsonl");
        const CliRun run = runCli(quickly(
            {"--ops", "median,equalize", "--sizes", "32,48", "--backends", "cpu", "-o", lines}));
        QVERIFY2(run.exitCode == 0, run.err);
        const QStringList json{"--format", "json"};
        QCOMPARE(objectOf(runCli(QStringList{"bench", "--from", lines} + json).out)["complete"],
                 QJsonValue(true));
        const QByteArray all = readAll(lines);
        const int rows = int(all.count('\n')) - 2;
        QVERIFY(rows >= 4);
        // After a whole line, and in the middle of one.
        int newline = -1;
        for (int i = 0; i < 3; ++i) newline = int(all.indexOf('\n', newline + 1));
        for (const int end : {newline + 1, newline + 40}) {
            const QString cut = writeFile(m_folder, "cut.jsonl", all.left(end));
            const CliRun shown = runCli(QStringList{"bench", "--from", cut} + json);
            QVERIFY2(shown.exitCode == 0, shown.err);
            QCOMPARE(objectOf(shown.out)["complete"], QJsonValue(false));
            QCOMPARE(objectOf(shown.out)["results"].toArray().size(), 2);
        }
    }

    void interruptIsSaid() {
        const QString lines = path("stopped.jsonl");
        QProcess process;
        process.start(cliProgram(),
                      {"bench", "--ops", "median", "--sizes", "64,512", "--backends", "cpu-single",
                       "--budget-ms", "60000", "--repetitions", "100000", "--longest-row", "86400",
                       "--rounds", "1000", "--most-rounds", "1000", "-o", lines});
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY(readAll(lines).contains('\n'));
        ::kill(pid_t(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(kWaitMs));
        QCOMPARE(process.exitCode(), 130);
        const CliRun shown = runCli({"bench", "--from", lines, "--format", "json"});
        QVERIFY2(shown.exitCode == 0, shown.err);
        QCOMPARE(objectOf(shown.out)["complete"], QJsonValue(false));
    }

    void reportForABrowser() {
        const QString html = path("report.html");
        CliRun run = runCli({"bench", "--from", m_results, "--html", html, "-o", path("x.txt")});
        QVERIFY2(run.exitCode == 0, run.err);
        const QByteArray page = readAll(html);
        QVERIFY(page.startsWith("<!DOCTYPE html>"));
        // It loads nothing; namespaces are names.
        QVERIFY(!QString(page).remove("http://www.w3.org/2000/svg").contains("http://"));
        QVERIFY(!page.contains("https://"));
        QVERIFY(!page.contains("<link"));
        QCOMPARE(page.count("<script>"), 1);
        QCOMPARE(page.count("src=\"data:image/png;base64,"), 2);
        QVERIFY(page.contains("median:radius=1,variant=automatic --sizes 96x96 --pixels gray"));

        const QString slides = path("slides");
        run = runCli({"bench", "--from", m_results, "--slides", slides, "-o", path("x.txt")});
        QVERIFY2(run.exitCode == 0, run.err);
        QVERIFY(readAll(slides + "/slide-01.svg").contains("width=\"1600\" height=\"900\""));
        QVERIFY(readAll(slides + "/index.html").contains("src=\"slide-01.svg\""));

        QCOMPARE(runCli({"bench", "--from", m_results, "--html", path("report.svg")}).exitCode, 2);
        QCOMPARE(runCli({"bench", "--from", m_results, "--html", path("no/r.html")}).exitCode, 1);
        QCOMPARE(runCli({"bench", "--from", m_results, "--slides", m_results}).exitCode, 1);
        QCOMPARE(readAll(m_results), m_bytes);
    }
};

WARPSCOPE_TEST(BenchAgainTest)
#include "bench_again_test.moc"
