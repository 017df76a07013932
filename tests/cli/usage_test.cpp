#include <QFile>

#include "cli/cli_process.h"
#include "support/test_case.h"

using namespace warpscope::test;

class UsageTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

  private slots:
    void wrongUsageIsTwo_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("nothing") << QStringList{};
        QTest::newRow("unknown command") << QStringList{"frobnicate"};
        QTest::newRow("unknown option") << QStringList{"info", "IMAGE", "--frob"};
        QTest::newRow("no output") << QStringList{"apply", "IMAGE"};
        QTest::newRow("backend") << QStringList{"apply", "IMAGE",     "-o",
                                                "OUT",   "--backend", "opencl"};
        QTest::newRow("timings") << QStringList{"apply", "IMAGE", "-o", "OUT", "--timings", "xml"};
        QTest::newRow("no such operation")
            << QStringList{"apply", "IMAGE", "-o", "OUT", "--step", "sharpen"};
        QTest::newRow("analysis as a step")
            << QStringList{"apply", "IMAGE", "-o", "OUT", "--step", "histogram"};
        QTest::newRow("no such parameter")
            << QStringList{"apply", "IMAGE", "-o", "OUT", "--step", "gaussian_blur:radius=3"};
        QTest::newRow("out of range")
            << QStringList{"apply", "IMAGE", "-o", "OUT", "--step", "gaussian_blur:sigma=1000"};
        QTest::newRow("even size")
            << QStringList{"apply", "IMAGE", "-o", "OUT", "--step", "gaussian_blur:size=4"};
        QTest::newRow("not a number")
            << QStringList{"apply", "IMAGE", "-o", "OUT", "--step", "gaussian_blur:sigma=abc"};
        QTest::newRow("infinite") << QStringList{"apply", "IMAGE",  "-o",
                                                 "OUT",   "--step", "gaussian_blur:sigma=inf"};
        QTest::newRow("nan") << QStringList{"apply", "IMAGE",  "-o",
                                            "OUT",   "--step", "gaussian_blur:sigma=nan"};
        QTest::newRow("twice") << QStringList{"apply", "IMAGE",  "-o",
                                              "OUT",   "--step", "gaussian_blur:sigma=1,sigma=2"};
        QTest::newRow("no such choice")
            << QStringList{"apply", "IMAGE", "-o", "OUT", "--step", "grayscale:method=mean"};
        QTest::newRow("no such variant")
            << QStringList{"apply", "IMAGE", "-o", "OUT", "--step", "grayscale:variant=best"};
        QTest::newRow("empty step") << QStringList{"apply", "IMAGE", "-o", "OUT", "--step", ""};
        QTest::newRow("step and pipeline") << QStringList{
            "apply", "IMAGE", "-o", "OUT", "--step", "grayscale", "--pipeline", "p.json"};
        QTest::newRow("channel") << QStringList{"histogram", "IMAGE", "--channel", "alpha"};
        QTest::newRow("histogram variant")
            << QStringList{"histogram", "IMAGE", "--variant", "quantum"};
        QTest::newRow("size 0") << QStringList{"bench", "--sizes", "0"};
        QTest::newRow("size too large") << QStringList{"bench", "--sizes", "2000000"};
        QTest::newRow("size text") << QStringList{"bench", "--sizes", "12x"};
        QTest::newRow("bench operation")
            << QStringList{"bench", "--ops", "sharpen", "--sizes", "64"};
        QTest::newRow("bench backend")
            << QStringList{"bench", "--backends", "tpu", "--sizes", "64"};
        QTest::newRow("budget") << QStringList{"bench", "--budget-ms", "0"};
        QTest::newRow("picture is no svg")
            << QStringList{"histogram", "IMAGE", "--picture", "h.png"};
        QTest::newRow("picture to standard output")
            << QStringList{"histogram", "IMAGE", "--picture", "-"};
        // What an argument holds must not become a second line.
        QTest::newRow("line feed in a step")
            << QStringList{"apply", "IMAGE", "-o", "OUT", "--step", "gray\nscale"};
        QTest::newRow("line feed in a value")
            << QStringList{"apply", "IMAGE", "-o", "OUT", "--step", "grayscale:method=a\r\nb"};
        QTest::newRow("line feed in operations")
            << QStringList{"bench", "--ops", "gray\nscale", "--sizes", "64"};
        QTest::newRow("line feed in sizes") << QStringList{"bench", "--sizes", "64,\n12"};
        QTest::newRow("line feed in backends")
            << QStringList{"bench", "--backends", "cpu\n", "--sizes", "64"};
        QTest::newRow("line feed in an option") << QStringList{"info", "IMAGE", "--a\nb"};
        QTest::newRow("line feed in a picture's name")
            << QStringList{"histogram", "IMAGE", "--picture", "h\n.png"};
        QStringList many = {"apply", "IMAGE", "-o", "OUT"};
        for (int i = 0; i < 257; ++i)
            many << "--step"
                 << "grayscale";
        QTest::newRow("257 steps") << many;
        QTest::newRow("scene size") << QStringList{"scene", "-o", "OUT", "--size", "-3"};
    }
    void wrongUsageIsTwo() {
        QFETCH(QStringList, arguments);
        const QString image = writeFile(m_folder, "in.ppm", smallPpm());
        const QString output = m_folder.filePath("never.png");
        for (QString& argument : arguments) {
            if (argument == "IMAGE") argument = image;
            if (argument == "OUT") argument = output;
        }
        const CliRun run = runCli(arguments);
        QVERIFY(!run.crashed);
        QVERIFY2(run.exitCode == 2, run.err);
        QVERIFY2(errorLines(run) == 1, run.err);
        QVERIFY(!QFile::exists(output));
    }
    void benchNamesTheOption() {
        for (const char* option : {"--ops", "--sizes", "--backends"}) {
            const CliRun run = runCli({"bench", option, "foo"});
            QCOMPARE(run.exitCode, 2);
            QVERIFY2(run.err.contains(QByteArray(option) + ": "), run.err);
        }
    }
    void rangeIsNamed() {
        const QString image = writeFile(m_folder, "in.ppm", smallPpm());
        const CliRun run = runCli({"apply", image, "-o", m_folder.filePath("x.png"), "--step",
                                   "gaussian_blur:sigma=1000"});
        QVERIFY2(run.err.contains("sigma") && run.err.contains("0.3") && run.err.contains("100"),
                 run.err);
    }
    void helpOfEveryCommand() {
        const QByteArray all = runCli({"--help"}).out;
        for (const char* command :
             {"apply", "histogram", "info", "ops", "devices", "bench", "scene", "integral"}) {
            QVERIFY2(all.contains(command), command);
            const CliRun run = runCli({command, "--help"});
            QCOMPARE(run.exitCode, 0);
            QVERIFY(run.out.size() > 100);
        }
        QVERIFY(runCli({"--version"}).out.startsWith("warpscope-cli "));
    }
    void controlCharactersInFileNames() {
        const QString image = writeFile(m_folder, "in.ppm", smallPpm());
        const QStringList runs[] = {
            {"apply", image, "-o", m_folder.filePath("a\nb.docx")},
            {"apply", image, "-o", m_folder.filePath("no\nsuch/x.png")},
            {"apply", image, "-o", m_folder.filePath("x.png"), "--pipeline", "no\n\033[2J.json"},
            {"info", m_folder.filePath("no\nsuch.png")},
            {"integral", image, "-o", m_folder.filePath("a\nb.txt")},
        };
        for (const QStringList& arguments : runs) {
            const CliRun run = runCli(arguments);
            QVERIFY2(run.exitCode == 1, run.err);
            QVERIFY2(errorLines(run) == 1, run.err);
            QVERIFY2(!run.err.contains('\033'), run.err);
        }
    }
    void outputNameIsCheckedBeforeWork() {
        const QString image = writeFile(m_folder, "in.ppm", smallPpm());
        const CliRun run = runCli({"apply", image, "-o", m_folder.filePath("x.docx")});
        QCOMPARE(run.exitCode, 1);
        QCOMPARE(errorLines(run), 1);
        QVERIFY(run.err.contains("png"));
    }
};

WARPSCOPE_TEST(UsageTest)
#include "usage_test.moc"
