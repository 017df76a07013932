// bench as a process: what it prints, what it refuses, how soon it stops; --step: operations with
// parameters and variants of their own.
#include <signal.h>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include "cli/cli_process.h"
#include "support/test_case.h"

using namespace warpscope::test;

namespace {

// Small and quick: figures do not matter here.
QStringList bench(const QStringList& more, const QString& sizes = "64") {
    return QStringList{"bench",           "--sizes",       sizes, "--budget-ms", "1", "--ops",
                       "median,equalize", "--repetitions", "3"} +
           more;
}

QJsonArray resultsOf(const QByteArray& json) {
    return QJsonDocument::fromJson(json).object()["results"].toArray();
}

QStringList quickSteps(const QStringList& more) {
    return QStringList{"bench",       "--sizes", "48",       "--backends", "cpu",
                       "--budget-ms", "1",       "--format", "json"} +
           more;
}

// "median automatic radius=3"
QStringList said(const CliRun& run) {
    QStringList lines;
    for (const QJsonValue& value : resultsOf(run.out)) {
        const QJsonObject row = value.toObject();
        QStringList words{row["operation"].toString(), row["variant"].toString()};
        const QJsonObject parameters = row["parameters"].toObject();
        for (auto p = parameters.begin(); p != parameters.end(); ++p)
            words << QString("%1=%2").arg(p.key(), p.value().toVariant().toString());
        lines << words.join(' ');
    }
    return lines;
}

}  // namespace

class BenchTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

  private slots:
    void rowsAreThoseAskedFor() {
        // Here alone copies are as large as for a person.
        const QByteArray copies = qgetenv("WARPSCOPE_COPY_MIB");
        qunsetenv("WARPSCOPE_COPY_MIB");
        const CliRun run = runCli(
            bench({"--format", "json", "--cache", "both", "--backends", "cpu-single,cpu"}, "512"));
        qputenv("WARPSCOPE_COPY_MIB", copies);
        QCOMPARE(run.exitCode, 0);
        // No bar in a pipe; a slow run says now and then in a line of its own that it goes on.
        QVERIFY2(!run.err.contains('\r') && run.err.count('\n') < 20, run.err);
        const QJsonObject root = QJsonDocument::fromJson(run.out).object();
        QCOMPARE(root["schema"].toString(), QString("warpscope-timings/2"));
        QVERIFY(root["machine"].toObject()["copy_gbps_cpu"].toDouble() > 0);
        QVERIFY(root["machine"].toObject()["copy_gbps_cpu_single"].toDouble() > 0);
        const QJsonArray rows = root["results"].toArray();
        QCOMPARE(rows.size(), 2 * 2 * 2);
        int cold = 0;
        for (const QJsonValue& value : rows) {
            const QJsonObject row = value.toObject();
            QVERIFY(row["n"].toInt() >= 3);
            QVERIFY(row["median_ms"].toDouble() > 0);
            QCOMPARE(row["agreement"].toObject()["verdict"].toString(), QString("identical"));
            cold += row["cold"].toBool();
            QCOMPARE(row["cold"].toBool(), row["inputs"].toInt() > 1);
        }
        QCOMPARE(cold, 4);
    }

    void otherFormats() {
        const CliRun csv = runCli(bench({"--format", "csv", "--backends", "cpu"}));
        QCOMPARE(csv.exitCode, 0);
        QCOMPARE(csv.out.count('\n'), 3);
        const CliRun markdown =
            runCli(bench({"--format", "markdown", "--backends", "cpu-single,cpu"}, "64,256"));
        QCOMPARE(markdown.exitCode, 0);
        QVERIFY(markdown.out.contains("| operation |"));
        // One core is no race, nor are small images that one thread does alone; and what is noisy
        // here takes no part.
        static const QRegularExpression race("\\| cpu \\((?!1\\)|1 of )");
        if (!race.match(markdown.out).hasMatch())
            QVERIFY(!markdown.out.contains("## Break-even"));
        else if (markdown.out.contains("## Break-even"))
            QVERIFY(markdown.out.contains("all cores win"));
        QVERIFY(!markdown.out.contains("Published"));
    }

    void variantsAndPixels() {
        const CliRun run =
            runCli({"bench", "--ops", "gaussian_blur", "--variants", "--sizes", "40x30", "--pixels",
                    "both", "--backends", "cpu", "--budget-ms", "1", "--format", "json"});
        QCOMPARE(run.exitCode, 0);
        QSet<QString> variants;
        QSet<QString> formats;
        for (const QJsonValue& row : resultsOf(run.out)) {
            variants << row.toObject()["variant"].toString();
            formats << row.toObject()["format"].toString();
        }
        QVERIFY(variants.size() > 1);
        for (const QString& variant : variants) QVERIFY(!variant.startsWith("wrong_"));
        QCOMPARE(formats, (QSet<QString>{"Gray8", "Rgba8"}));
    }

    // By name alone, and they are told from what is right, one thread included.
    void variantsThatAreWrongOnPurpose() {
        const CliRun run =
            runCli({"bench", "--step", "grayscale:variant=wrong_whole_blocks_only", "--step",
                    "gaussian_blur:variant=wrong_floor", "--step",
                    "histogram:variant=wrong_missing_barrier", "--sizes", "70x50", "--backends",
                    "cpu-single,cpu", "--budget-ms", "1", "--format", "json"});
        QCOMPARE(run.exitCode, 0);
        int wrong = 0;
        for (const QJsonValue& row : resultsOf(run.out)) {
            if (!row.toObject()["variant"].toString().startsWith("wrong_")) continue;
            ++wrong;
            QCOMPARE(row.toObject()["agreement"].toObject()["verdict"].toString(),
                     QString("differs"));
        }
        QCOMPARE(wrong, 6);
    }

    void imageAtHand() {
        const QString file = writeFile(m_folder, "at hand.ppm", smallPpm());
        const CliRun run = runCli({"bench", "--image", file, "--ops", "median", "--backends", "cpu",
                                   "--budget-ms", "1", "--format", "json"});
        QCOMPARE(run.exitCode, 0);
        const QJsonArray rows = resultsOf(run.out);
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows[0].toObject()["width"].toInt(), 3);
        QCOMPARE(rows[0].toObject()["height"].toInt(), 2);
        QCOMPARE(rows[0].toObject()["image"].toString(), QString("at hand.ppm"));

        // 18 bytes fill no cache.
        const CliRun cold = runCli({"bench", "--image", file, "--ops", "median", "--backends",
                                    "cpu", "--cache", "cold", "--format", "json"});
        QCOMPARE(cold.exitCode, 0);
        QVERIFY(resultsOf(cold.out)[0].toObject()["fallback_reason"].toString().contains(
            "too small for a cold run"));
    }

    void compareAndFrom() {
        const QString a = m_folder.filePath("a.json");
        const QString b = m_folder.filePath("b.json");
        QCOMPARE(runCli(bench({"--format", "json", "--backends", "cpu", "-o", a})).exitCode, 0);
        QByteArray slower = readAll(a);
        QVERIFY(!slower.isEmpty());
        // The same with every median ten times as long.
        QJsonObject root = QJsonDocument::fromJson(slower).object();
        QJsonArray rows = root["results"].toArray();
        for (auto&& row : rows) {
            QJsonObject object = row.toObject();
            object["median_ms"] = 10 * object["median_ms"].toDouble();
            row = object;
        }
        root["results"] = rows;
        QVERIFY(!writeFile(m_folder, "b.json", QJsonDocument(root).toJson()).isEmpty());

        const CliRun table = runCli({"bench", "--from", a, "--compare", b});
        QCOMPARE(table.exitCode, 0);
        QVERIFY(table.out.contains("geometric mean: 10x (2 results"));
        const CliRun both =
            runCli({"bench", "--from", b, "--compare", a, b, "--format", "markdown"});
        QVERIFY(both.out.contains("geometric mean: 0.1x (2 results"));
        QVERIFY(both.out.contains("geometric mean: 1x (2 results"));
        // JSON stays JSON.
        const CliRun json = runCli({"bench", "--from", a, "--compare", b, "--format", "json"});
        QCOMPARE(json.exitCode, 0);
        QCOMPARE(json.out, readAll(a));
        QVERIFY(json.err.contains("10x"));
        // With a run, too, and slower results are no failure.
        const CliRun run = runCli(bench({"--backends", "cpu", "--compare", b}));
        QCOMPARE(run.exitCode, 0);
        QVERIFY(run.out.contains("geometric mean: "));
    }

    void publishedTables() {
        // Large images: each row once.
        const CliRun run =
            runCli({"bench", "--published", "--ops", "median", "--backends", "cpu-single,cpu",
                    "--budget-ms", "1", "--rounds", "1", "--most-rounds", "1", "--repetitions", "1",
                    "--format", "markdown"},
                   {}, 120'000);
        QCOMPARE(run.exitCode, 0);
        QVERIFY(run.out.contains("Published figures beside ours"));
        for (const char* printed : {"15.21x", "28.63x", "9.87x", "24.96x", "about 30x", "GTX 570"})
            QVERIFY2(run.out.contains(printed), printed);
        QVERIFY(run.out.contains("never one side of our speedups"));
    }

    void longRowsAreSkippedAloud() {
        const CliRun run = runCli({"bench", "--ops", "nl_means", "--sizes", "1024", "--backends",
                                   "cpu-single", "--longest-row", "0.05", "--format", "csv"});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.out.contains("skipped: would take about"), run.out);
    }

    void peersSayWhatTheyAre() {
        const CliRun run =
            runCli(bench({"--peers", "--format", "json", "--backends", "cpu-single,cpu"}));
        QCOMPARE(run.exitCode, 0);
        int peers = 0;
        for (const QJsonValue& value : resultsOf(run.out)) {
            const QJsonObject row = value.toObject();
            if (row["peer"].toString().isEmpty()) continue;
            ++peers;
            QVERIFY(row["peer"].toString().startsWith("OpenCV "));
            QVERIFY(row["backend"].toString().startsWith("opencv"));
            QVERIFY(row["median_ms"].toDouble() > 0);
            // A median has one right answer.
            if (row["operation"].toString() == "median")
                QCOMPARE(row["agreement"].toObject()["verdict"].toString(), QString("identical"));
        }
        // None or all; a notice may also be about another module, of a library for GPUs.
        const bool none = run.err.contains("warpscope-peer-opencv.so") ||
                          run.err.contains("OpenCV was not found");
        QVERIFY2(peers == (none ? 0 : 4), run.err);
    }

    // Each step on what the steps before it make, as apply makes it.
    void stepsOfAPipeline() {
        const QString input = writeFile(m_folder, "chain.ppm", smallPpm());
        const QString chain = writeFile(m_folder, "chain.json",
                                        R"({"schema": "warpscope-pipeline/1", "steps": [
            {"operation": "median", "variant": "automatic", "enabled": true, "parameters": {"radius": 1}},
            {"operation": "grayscale", "variant": "automatic", "enabled": true, "parameters": {}},
            {"operation": "invert", "variant": "automatic", "enabled": false, "parameters": {}},
            {"operation": "crop", "variant": "automatic", "enabled": true, "parameters": {"x": 1}},
            {"operation": "gaussian_blur", "variant": "direct_2d", "enabled": true, "parameters": {"sigma": 1.5}},
            {"operation": "median", "variant": "automatic", "enabled": true, "parameters": {"radius": 1}}]})");
        const QStringList quick{"--backends", "cpu", "--budget-ms", "1", "--format", "json"};
        const CliRun run =
            runCli(QStringList{"bench", "--image", input, "--pipeline", chain} + quick);
        QVERIFY2(run.exitCode == 0, run.err);
        const QStringList made{"--step", "median",   "--step", "grayscale",
                               "--step", "crop:x=1", "--step", "gaussian_blur:sigma=1.5"};
        const QList<int> steps{0, 1, 3, 4, 5};
        const QStringList operations{"median", "grayscale", "crop", "gaussian_blur", "median"};
        const QJsonArray rows = resultsOf(run.out);
        QCOMPARE(rows.size(), 5);
        for (int i = 0; i < 5; ++i) {
            const QJsonObject row = rows[i].toObject();
            QCOMPARE(row["operation"].toString(), operations[i]);
            QCOMPARE(row["step"].toInt(), steps[i]);
            QCOMPARE(row["agreement"].toObject()["verdict"].toString(), QString("identical"));
            const QString before = m_folder.filePath("step.png");
            QCOMPARE(
                runCli(QStringList{"apply", input, "-o", before} + made.mid(0, 2 * i)).exitCode, 0);
            const QJsonObject info =
                QJsonDocument::fromJson(runCli({"info", before, "--format", "json"}).out).object();
            QCOMPARE(row["image_hash"].toString(), info["content_hash"].toString());
        }
        QCOMPARE(rows[3].toObject()["variant"].toString(), QString("direct_2d"));
        // On scenes, beside an operation, and loaded again.
        const QString file = m_folder.filePath("chain-rows.json");
        const CliRun more = runCli(QStringList{"bench", "--pipeline", chain, "--ops", "equalize",
                                               "--sizes", "48,64", "-o", file} +
                                   quick);
        QVERIFY2(more.exitCode == 0, more.err);
        QCOMPARE(resultsOf(readAll(file)).size(), 12);
        QCOMPARE(runCli({"bench", "--from", file, "--format", "json"}).out, readAll(file));

        const QString wrong = writeFile(m_folder, "wrong.json", "{}");
        const CliRun refused = runCli({"bench", "--pipeline", wrong});
        QCOMPARE(refused.exitCode, 1);
        QVERIFY2(errorLines(refused) == 1 && refused.err.contains("wrong.json"), refused.err);
        QCOMPARE(runCli({"bench", "--pipeline", chain, "-o", chain, "--sizes", "16"}).exitCode, 1);
        QVERIFY(readAll(chain).contains("direct_2d"));
    }

    void wrongUsageIsTwo_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("named");
        const auto add = [](const char* name, const QStringList& arguments,
                            const QByteArray& named) { QTest::newRow(name) << arguments << named; };
        add("operation", {"--ops", "sharpen"}, "--ops");
        add("size", {"--sizes", "12,0"}, "--sizes");
        add("backend", {"--backends", "cpu,tpu"}, "--backends");
        add("cache", {"--cache", "tepid"}, "--cache");
        add("repetitions", {"--repetitions", "0"}, "--repetitions");
        add("longest row", {"--longest-row", "-1"}, "--longest-row");
        add("nothing to time", {"--ops", "grayscale", "--pixels", "gray"}, "nothing to time");
        add("operation of a step", {"--step", "sharpen"}, "--step sharpen");
        add("parameter", {"--step", "median:sigma=1"}, "no parameter 'sigma'");
        add("range", {"--step", "median:radius=99"}, "radius");
        add("variant", {"--step", "median:variant=quickSteps"}, "quickSteps");
        add("variant of an analysis", {"--step", "histogram:variant=quickSteps"}, "global_atomics");
        add("empty", {"--step", ""}, "--step");
        add("no value", {"--step", "median:"}, "name=value");
        add("chain and steps", {"--step", "median", "--pipeline", "FILE"}, "--pipeline");
        add("results at hand", {"--step", "median", "--from", "FILE"}, "--from");
    }
    void wrongUsageIsTwo() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, named);
        const QString file = m_folder.filePath("any.json");
        if (arguments.contains("FILE"))
            QCOMPARE(runCli(quickSteps({"--ops", "median", "-o", file})).exitCode, 0);
        arguments.replaceInStrings("FILE", file);
        const CliRun run = runCli(QStringList{"bench"} + arguments);
        QCOMPARE(run.exitCode, 2);
        QCOMPARE(errorLines(run), 1);
        QVERIFY2(run.err.contains(named), run.err);
        QVERIFY(run.out.isEmpty());
    }

    void filesThatAreNoResults() {
        const QString text = writeFile(m_folder, "text.json", "hello");
        const QString newer =
            writeFile(m_folder, "newer.json", "{\"schema\": \"warpscope-timings/9\"}");
        for (const QString& file : {text, newer, m_folder.filePath("none.json")}) {
            for (const char* option : {"--compare", "--from"}) {
                const CliRun run = runCli(bench({option, file}));
                QCOMPARE(run.exitCode, 1);
                QCOMPARE(errorLines(run), 1);
                QVERIFY(run.err.contains(file.toUtf8()));
                QVERIFY(run.out.isEmpty());  // and no minutes spent
            }
        }
    }

    // Rows with all of a round are kept, in well under the time that a run would take.
    void interruptKeepsCompleteRows() {
        const QString file = m_folder.filePath("stopped.json");
        QProcess process;
        process.start(cliProgram(),
                      {"bench", "--ops", "median,nl_means", "--sizes", "64,2048", "--backends",
                       "cpu-single", "--budget-ms", "60000", "--repetitions", "100000",
                       "--longest-row", "86400", "--format", "json", "-o", file});
        QVERIFY(process.waitForStarted());
        QTest::qWait(3000);
        QCOMPARE(process.state(), QProcess::Running);
        ::kill(pid_t(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(process.readAllStandardError().contains("stopped"));
        const QByteArray json = readAll(file);
        QVERIFY(QJsonDocument::fromJson(json).isObject());
        QCOMPARE(QJsonDocument::fromJson(json).object()["complete"], QJsonValue(false));
        // A ninth of the repetitions in each of nine rounds.
        for (const QJsonValue& value : resultsOf(json)) {
            const QJsonObject row = value.toObject();
            QVERIFY(row["rounds"].toInt() >= 1);
            QCOMPARE(row["n"].toInt(), 11112 * row["rounds"].toInt());
        }
        // What was kept loads again.
        QCOMPARE(runCli({"bench", "--from", file, "--format", "json"}).out, json);
    }

    void stepsAre_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QStringList>("rows");
        const auto add = [](const char* name, const QStringList& arguments,
                            const QStringList& rows) { QTest::newRow(name) << arguments << rows; };
        add("parameters", {"--step", "median:radius=3"}, {"median automatic radius=3"});
        add("defaults", {"--step", "median"}, {"median automatic radius=1"});
        add("one variant", {"--step", "gaussian_blur:sigma=2,variant=direct_2d"},
            {"gaussian_blur direct_2d sigma=2 size=0"});
        // In the order of the description, whatever was said first.
        add("two variants",
            {"--step", "gaussian_blur:variant=direct_2d,sigma=2", "--step",
             "gaussian_blur:sigma=2"},
            {"gaussian_blur automatic sigma=2 size=0", "gaussian_blur direct_2d sigma=2 size=0"});
        add("a variant beside the operation",
            {"--ops", "gaussian_blur", "--step", "gaussian_blur:sigma=2,variant=direct_2d"},
            {"gaussian_blur automatic sigma=2 size=0", "gaussian_blur direct_2d sigma=2 size=0"});
        // Each has rows of its own, told apart by its parameters, and no variant that was not asked
        // for.
        add("several parameters",
            {"--step", "median:radius=3", "--step", "equalize", "--step", "median:radius=1",
             "--step", "median:radius=2"},
            {"median automatic radius=3", "median automatic radius=1", "median automatic radius=2",
             "equalize automatic channels=luma mapping=classic"});
        add("parameters and variants",
            {"--step", "gaussian_blur:sigma=2,variant=direct_2d", "--step", "gaussian_blur:sigma=1",
             "--step", "gaussian_blur:sigma=2,variant=direct_2d"},
            {"gaussian_blur direct_2d sigma=2 size=0", "gaussian_blur automatic sigma=1 size=0"});
        add("the same twice", {"--step", "median:radius=2", "--step", "median:radius=2"},
            {"median automatic radius=2"});
        add("beside operations", {"--ops", "equalize,median", "--step", "median:radius=2"},
            {"equalize automatic channels=luma mapping=classic", "median automatic radius=2"});
        add("and others", {"--ops", "median", "--step", "box_mean:radius=4"},
            {"median automatic radius=1", "box_mean automatic radius=4"});
        add("an analysis", {"--step", "histogram:channel=luma,variant=global_atomics"},
            {"histogram global_atomics channel=luma"});
    }
    void stepsAre() {
        QFETCH(QStringList, arguments);
        QFETCH(QStringList, rows);
        const CliRun run = runCli(quickSteps(arguments));
        QVERIFY2(run.exitCode == 0, run.err);
        QCOMPARE(said(run), rows);
        for (const QJsonValue& row : resultsOf(run.out))
            QCOMPARE(row.toObject()["agreement"].toObject()["verdict"].toString(),
                     QString("identical"));
    }

    void allOperationsAndAStep() {
        const CliRun run = runCli(quickSteps({"--ops", "all", "--step", "median:radius=2"}));
        QCOMPARE(run.exitCode, 0);
        const QStringList lines = said(run);
        QVERIFY(lines.contains("median automatic radius=2"));
        QVERIFY(!lines.contains("median automatic radius=1"));
        QVERIFY(lines.size() > 6);
        QCOMPARE(lines.filter("median").size(), 1);
    }

    // A step that names no variant has all of them where all are asked for.
    void allVariantsOfAStep() {
        const CliRun all = runCli(quickSteps({"--variants", "--step", "gaussian_blur:sigma=2"}));
        QCOMPARE(all.exitCode, 0);
        QVERIFY(said(all).size() > 1);
        for (const QString& line : said(all)) QVERIFY(line.contains("sigma=2"));
        const CliRun one =
            runCli(quickSteps({"--variants", "--step", "gaussian_blur:sigma=2,variant=direct_2d"}));
        QCOMPARE(said(one), QStringList{"gaussian_blur direct_2d sigma=2 size=0"});
        // Another step of the same operation takes none of them away, in either order.
        const QStringList steps{"gaussian_blur:sigma=2", "gaussian_blur:sigma=2,variant=direct_2d"};
        for (const bool turned : {false, true})
            QCOMPARE(said(runCli(quickSteps(
                         {"--variants", "--step", steps[turned], "--step", steps[!turned]}))),
                     said(all));
    }

    void onAnImage() {
        const QString file = writeFile(m_folder, "in.ppm", smallPpm());
        const CliRun run = runCli({"bench", "--image", file, "--backends", "cpu", "--budget-ms",
                                   "1", "--format", "json", "--step", "median:radius=2"});
        QCOMPARE(run.exitCode, 0);
        QCOMPARE(said(run), QStringList{"median automatic radius=2"});
        QCOMPARE(resultsOf(run.out)[0].toObject()["width"].toInt(), 3);
    }
};

WARPSCOPE_TEST(BenchTest)
#include "bench_test.moc"
