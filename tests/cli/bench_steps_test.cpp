// bench --step: operations with parameters and variants of their own.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "cli/cli_process.h"
#include "support/test_case.h"

using namespace warpscope::test;

namespace {

QJsonArray rowsOf(const CliRun& run) {
    return QJsonDocument::fromJson(run.out).object()["results"].toArray();
}

QStringList quickSteps(const QStringList& more) {
    return QStringList{"bench",       "--sizes", "48",       "--backends", "cpu",
                       "--budget-ms", "1",       "--format", "json"} +
           more;
}

// "median automatic radius=3"
QStringList said(const CliRun& run) {
    QStringList lines;
    for (const QJsonValue& value : rowsOf(run)) {
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

class BenchStepsTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

  private slots:
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
        for (const QJsonValue& row : rowsOf(run))
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
        QCOMPARE(rowsOf(run)[0].toObject()["width"].toInt(), 3);
    }

    void wrongUsageIsTwo_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("named");
        const auto add = [](const char* name, const QStringList& arguments,
                            const QByteArray& named) { QTest::newRow(name) << arguments << named; };
        add("operation", {"--step", "sharpen"}, "--step sharpen");
        add("parameter", {"--step", "median:sigma=1"}, "no parameter 'sigma'");
        add("range", {"--step", "median:radius=99"}, "radius");
        add("variant", {"--step", "median:variant=quickSteps"}, "quickSteps");
        add("variant of an analysis", {"--step", "histogram:variant=quickSteps"}, "global_atomics");
        add("empty", {"--step", ""}, "--step");
        add("no value", {"--step", "median:"}, "name=value");
        add("other parameters", {"--step", "median:radius=1", "--step", "median:radius=2"},
            "other parameters");
        add("results at hand", {"--step", "median", "--from", "FILE"}, "--from");
    }
    void wrongUsageIsTwo() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, named);
        const QString file = m_folder.filePath("any.json");
        if (!QFile::exists(file))
            QCOMPARE(runCli(quickSteps({"--ops", "median", "-o", file})).exitCode, 0);
        for (QString& argument : arguments)
            if (argument == "FILE") argument = file;
        const CliRun run = runCli(QStringList{"bench"} + arguments);
        QCOMPARE(run.exitCode, 2);
        QCOMPARE(errorLines(run), 1);
        QVERIFY2(run.err.contains(named), run.err);
        QVERIFY(run.out.isEmpty());
    }
};

WARPSCOPE_TEST(BenchStepsTest)
#include "bench_steps_test.moc"
