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
        QTest::newRow("unknown name of a step")
            << QStringList{"apply", "IMAGE", "-o", "OUT", "--step", "blend:with=step:gone"};
        QTest::newRow("later step") << QStringList{
            "apply",  "IMAGE",           "-o", "OUT", "--step", "blend:with=step:late",
            "--step", "invert:name=late"};
        QTest::newRow("no second image")
            << QStringList{"apply", "IMAGE", "-o", "OUT", "--step", "blend:with=second"};
        QTest::newRow("crop beyond the image")
            << QStringList{"apply", "IMAGE", "-o", "OUT", "--step", "invert", "--step", "crop:x=3"};
        QTest::newRow("crop larger than the image")
            << QStringList{"apply", "IMAGE", "-o", "OUT", "--step", "crop:width=4"};
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
        for (const char* option : {"--budget-ms", "--longest-row", "--longest-call"})
            QTest::addRow("%s nan", option) << QStringList{"bench", option, "nan"};
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
    // What is wrong in a file, or does not fit one image of many, is no wrong usage.
    void whatIsNotTheCommandLine() {
        const QString image = writeFile(m_folder, "in.ppm", smallPpm());
        const QString crop =
            writeFile(m_folder, "crop.json",
                      R"({"schema": "warpscope-pipeline/1", "steps": [{"operation": "crop",
                          "variant": "automatic", "enabled": true, "parameters": {"x": 3}}]})");
        const QString output = m_folder.filePath("never.png");
        const CliRun file = runCli({"apply", image, "-o", output, "--pipeline", crop});
        QVERIFY2(file.exitCode == 1, file.err);
        QVERIFY2(file.err.contains("begins at x = 3, beyond the right edge of the image"),
                 file.err);
        const CliRun many = runCli({"apply", image, "-o", m_folder.filePath("out/"), "--step",
                                    "crop:y=2", "--keep-going"});
        QVERIFY2(many.exitCode == 1, many.err);
        QVERIFY2(many.err.contains("beyond the lower edge"), many.err);
        QVERIFY(!QFile::exists(output));
    }
    void misspelt_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("meant");
        const auto add = [](const char* meant, const QStringList& arguments) {
            QTest::newRow(meant) << arguments << QByteArray(meant);
        };
        add("median", {"apply", "IMAGE", "-o", "OUT", "--step", "mediam"});
        add("gaussian_blur", {"apply", "IMAGE", "-o", "OUT", "--step", "guasian_blur"});
        add("sigma", {"apply", "IMAGE", "-o", "OUT", "--step", "gaussian_blur:simga=2"});
        add("grayscale", {"bench", "--ops", "median,greyscale", "--sizes", "64"});
        add("statistics", {"analyze", "IMAGE", "--op", "statistic"});
        add("histogram", {"histgram", "IMAGE"});
        add("--backend", {"info", "IMAGE", "--format", "json", "--bakend"});
        add("--pipeline", {"apply", "IMAGE", "-o", "OUT", "--pipelin=x.json"});
    }
    void misspelt() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, meant);
        if (meant == "--backend") arguments[0] = "histogram";
        arguments.replaceInStrings("IMAGE", writeFile(m_folder, "in.ppm", smallPpm()));
        const CliRun run = runCli(arguments);
        QVERIFY2(run.exitCode == 2, run.err);
        QVERIFY2(run.err.contains("did you mean '" + meant + "'?"), run.err);
        QCOMPARE(errorLines(run), 1);
    }
    void notAlike() {
        const CliRun run = runCli({"apply", "in.png", "-o", "x.png", "--step", "sharpen"});
        QCOMPARE(run.exitCode, 2);
        QVERIFY2(!run.err.contains("did you mean"), run.err);
    }
    void analysesAreNamed() {
        const QString image = writeFile(m_folder, "in.ppm", smallPpm());
        for (const char* wrong : {"median", "nothing"}) {
            const CliRun run = runCli({"analyze", image, "--op", wrong});
            QCOMPARE(run.exitCode, 2);
            QVERIFY2(run.err.contains("there are components, histogram, statistics"), run.err);
            QVERIFY2(!run.err.contains("gaussian_blur"), run.err);
        }
    }
    void secondImageThatNobodyTakes() {
        const QString image = writeFile(m_folder, "in.ppm", smallPpm());
        const QStringList apply{"apply",  image,    "-o",       m_folder.filePath("x.png"),
                                "--step", "invert", "--second", image};
        const QStringList bench{"bench", "--image", image,        "--second",  image,
                                "--ops", "invert",  "--backends", "cpu-single"};
        for (const QStringList& arguments : {apply, bench}) {
            const CliRun run = runCli(arguments);
            QVERIFY2(run.exitCode == 0, run.err);
            QVERIFY2(run.err.contains("no step takes it"), run.err);
            const CliRun quiet = runCli(arguments + QStringList{"--quiet"});
            QVERIFY2(quiet.exitCode == 0 && quiet.err.isEmpty(), quiet.err);
        }
        const QString blend =
            writeFile(m_folder, "blend.json",
                      R"({"schema": "warpscope-pipeline/1", "steps": [{"operation": "blend",
                          "variant": "automatic", "enabled": true,
                          "parameters": {"with": "second"}}]})");
        const CliRun missing = runCli({"bench", "--image", image, "--pipeline", blend});
        QVERIFY2(missing.exitCode == 2, missing.err);
        QVERIFY2(missing.err.contains("--second FILE names it"), missing.err);
    }
    void secondImageOfAnotherDepth() {
        const QString image = writeFile(m_folder, "in.ppm", smallPpm());
        const QString deep = writeFile(m_folder, "deep.pgm", "P2\n3 2\n4095\n1 2 3 4 5 4095\n");
        const CliRun run = runCli({"apply", image, "-o", m_folder.filePath("x.png"), "--step",
                                   "blend:with=second", "--second", deep, "--backend", "cpu"});
        QVERIFY2(run.exitCode == 0, run.err);
        QVERIFY2(run.err.contains("converted from 16-bit gray to 8-bit colour, full white to full "
                                  "white"),
                 run.err);
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
    // What lies in the folder where somebody stands is no library of ours: each of these would end
    // the program if it was loaded.
    void librariesOfTheCurrentFolderAreNotLoaded() {
        const QTemporaryDir folder;
        for (const char* name : {"libfmt.so.9", "libpng16.so.16", "libjpeg.so.62", "libtiff.so.6",
                                 "libwarpscope_base.so", "libwarpscope_io.so"})
            QVERIFY(!writeFile(folder, name, QByteArray(4096, 'x')).isEmpty());
        const QString image = writeFile(m_folder, "in.ppm", smallPpm());
        const CliRun run = runCli({"info", image}, folder.path());
        QVERIFY2(run.exitCode == 0, run.err);
        QVERIFY2(run.err.isEmpty(), run.err);  // the process that decodes was started as well
        const CliRun usual = runCli({"info", image});
        QCOMPARE(run.out, usual.out);
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
