// The command line of a row: right words, and the real program measures the same row with it.
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "engine/image/synthetic.h"
#include "engine/io/image_writer.h"
#include "gui/benchmark/benchmark_reports.h"
#include "gui/widgets/bench_command.h"
#include "support/test_case.h"
#include "tests/gui/gui_samples.h"
#include "tests/gui_benchmark/samples.h"

using namespace warpscope;
using namespace warpscope::gui;

class BenchCommandTest : public QObject {
    Q_OBJECT

    static StepTiming row() { return rowOf("gaussian_blur", {1024, 768}, BackendKind::Cuda, 0, 1); }

    // By a shell, as somebody who pastes it; the program is the one of this build.
    static QByteArray run(QString command, const QString& more, const QString& folder, int& code) {
        command.replace(QRegularExpression(QStringLiteral("^warpscope-cli ")),
                        shellQuoted(QStringLiteral(WARPSCOPE_CLI)) + QLatin1Char(' '));
        QProcess process;
        process.setWorkingDirectory(folder);
        process.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), command + more});
        if (!process.waitForFinished(60000)) return "timed out";
        code = process.exitCode();
        return process.readAllStandardError();
    }

  private slots:
    void wordsOfARow() {
        StepTiming one = row();
        one.variant = "direct_2d";
        QCOMPARE(benchCommand(one),
                 QStringLiteral("warpscope-cli bench --step "
                                "gaussian_blur:sigma=1,size=0,variant=direct_2d --sizes 1024x768 "
                                "--pixels gray --backends cuda --cache warm"));
        one.cold = true;
        one.format = PixelFormat::Rgba8;
        one.backendRequested = BackendKind::CpuSingle;
        const QString cold = benchCommand(one);
        QVERIFY(cold.endsWith(QStringLiteral("--pixels color --backends cpu-single --cache cold")));
        one.imageName = "it's my photo.png";
        const QString image = benchCommand(one);
        QVERIFY2(image.contains(QStringLiteral("--image 'it'\\''s my photo.png' ")),
                 qPrintable(image));
        QVERIFY(!image.contains(QStringLiteral("--sizes")));
        StepTiming published = row();
        published.experiment = "gaussian_filter";
        QCOMPARE(benchCommand(published),
                 QStringLiteral("warpscope-cli bench --published --backends cuda --cache warm"));
        StepTiming peer = row();
        peer.peer = "OpenCV 4.6.0";
        peer.backendRequested = peer.backend = Place::Peer{"opencv", false};
        QVERIFY(benchCommand(peer).contains(QStringLiteral("--backends cpu --peers")));
        QVERIFY(!benchCommand(peer).contains(QStringLiteral("opencv")));
    }

    // What the shell makes of a quoted word is the word.
    void quoting_data() {
        QTest::addColumn<QString>("word");
        for (const char* word : {"plain", "", "two words", "it's", "a;b", "$HOME", "1 2 1;2 4 2",
                                 "back\\slash", "\"quoted\"", "*", "-x", "#"})
            QTest::newRow(word) << QString::fromUtf8(word);
    }
    void quoting() {
        QFETCH(QString, word);
        QProcess process;
        process.start(QStringLiteral("/bin/sh"),
                      {QStringLiteral("-c"), QStringLiteral("printf %s ") + shellQuoted(word)});
        QVERIFY(process.waitForFinished());
        QCOMPARE(QString::fromUtf8(process.readAllStandardOutput()), word);
    }

    void theProgramMeasuresTheSameRow_data() {
        QTest::addColumn<int>("which");
        QTest::newRow("variant") << 0;
        QTest::newRow("points") << 1;
        QTest::newRow("colour") << 2;
        QTest::newRow("image") << 3;
        QTest::newRow("all cores") << 4;
    }
    void theProgramMeasuresTheSameRow() {
        QFETCH(int, which);
        QTemporaryDir folder;
        StepTiming asked =
            rowOf(which == 1   ? "curves"
                  : which == 2 ? "grayscale"
                               : "gaussian_blur",
                  {67, 41}, which == 4 ? BackendKind::Cpu : BackendKind::CpuSingle, 1, 1);
        if (which == 0) {
            asked.variant = "direct_2d";
            asked.parameters.set("sigma", 1.75);
        }
        if (which == 1)
            asked.parameters.set(
                "points",
                parseParameter(
                    *std::find_if(findOperation("curves")->description().parameters.begin(),
                                  findOperation("curves")->description().parameters.end(),
                                  [](const auto& s) { return s.id == "points"; }),
                    "0:9;128:140;255:250")
                    .value());
        if (which == 2) asked.format = PixelFormat::Rgba8;
        if (which == 3) {
            writeScene(folder.path(), QStringLiteral("my photo.png"), {67, 41}, 3);
            asked.imageName = "my photo.png";
            asked.format = PixelFormat::Rgba8;
        }
        int code = -1;
        const QByteArray said =
            run(benchCommand(asked), QStringLiteral(" --budget-ms 1 --repetitions 1 -o out.json"),
                folder.path(), code);
        QVERIFY2(code == 0, said.constData());
        const auto entry = readEntry(folder.filePath(QStringLiteral("out.json")));
        QVERIFY(entry);
        int found = 0;
        for (const StepTiming& row : entry->report.results) {
            if (row.backendRequested != asked.backendRequested) continue;
            ++found;
            QVERIFY(row.measured());
            QCOMPARE(QString::fromStdString(row.operation),
                     QString::fromStdString(asked.operation));
            QCOMPARE(QString::fromStdString(row.variant), QString::fromStdString(asked.variant));
            QCOMPARE(parameterText(row.parameters), parameterText(asked.parameters));
            QCOMPARE(row.format, asked.format);
            QCOMPARE(QSize(row.width, row.height), QSize(67, 41));
            QCOMPARE(row.cold, false);
        }
        QCOMPARE(found, 1);
    }
};

WARPSCOPE_TEST(BenchCommandTest)
#include "bench_command_test.moc"
