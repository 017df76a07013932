// The command line of a row: right words, and the real program measures the same row with it.
#include <QFile>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <set>

#include "engine/image/synthetic.h"
#include "engine/io/image_writer.h"
#include "gui/benchmark/benchmark_reports.h"
#include "gui/widgets/bench_command.h"
#include "support/test_case.h"
#include "tests/gui/gui_samples.h"
#include "tests/gui_benchmark/bench_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class BenchCommandTest : public QObject {
    Q_OBJECT

    static StepTiming row() { return rowOf("gaussian_blur", {1024, 768}, BackendKind::Cuda, 0, 1); }

    // By a shell, as somebody who pastes it; the program is the one of this build.
    static QByteArray run(QString command, const QString& more, const QString& folder, int& code) {
        command.replace(QRegularExpression(QStringLiteral("^warpscope-cli ")),
                        QString::fromStdString(shellQuoted({WARPSCOPE_CLI})) + QLatin1Char(' '));
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
        QCOMPARE(commandLineOf(one),
                 QStringLiteral("warpscope-cli bench --step "
                                "gaussian_blur:sigma=1,size=0,variant=direct_2d --sizes 1024x768 "
                                "--pixels gray --backends cuda --cache warm"));
        one.cold = true;
        one.format = PixelFormat::Rgba8;
        one.backendRequested = BackendKind::CpuSingle;
        const QString cold = commandLineOf(one);
        QVERIFY(cold.endsWith(QStringLiteral("--pixels color --backends cpu-single --cache cold")));
        one.imageName = "it's my photo.png";
        const QString image = commandLineOf(one);
        QVERIFY2(image.contains(QStringLiteral("--image 'it'\\''s my photo.png' ")),
                 qPrintable(image));
        QVERIFY(!image.contains(QStringLiteral("--sizes")));
        StepTiming published = row();
        published.experiment = "gaussian_filter";
        QCOMPARE(commandLineOf(published),
                 QStringLiteral("warpscope-cli bench --published --backends cuda --cache warm"));
        StepTiming peer = row();
        peer.peer = "OpenCV 4.6.0";
        peer.backendRequested = peer.backend = Place::Peer{"opencv", BackendKind::Cpu};
        QVERIFY(commandLineOf(peer).contains(QStringLiteral("--backends cpu --peers")));
        QVERIFY(!commandLineOf(peer).contains(QStringLiteral("opencv")));
    }

    // What the window measured and saved, the program measures again row by row.
    void aSavedRunIsCheckedAgain() {
        Bench b;
        const QString picture =
            writeScene(b.folder.path(), QStringLiteral("my photo.png"), {67, 41});
        b.window.setImage(sceneOf({67, 41}), QStringLiteral("my photo.png"), picture);
        BenchmarkPlan plan = b.window.choices().plan();
        plan.operations = {"median", "gaussian_blur"};
        plan.variants["gaussian_blur"] = {"automatic", "direct_2d"};
        plan.sizes = {{64, 48}};
        plan.image = sceneOf({67, 41});
        plan.sampling.budgetMs = 5;
        plan.sampling.minRounds = plan.sampling.maxRounds = 2;
        plan.cold = false;
        b.window.choices().setPlan(plan);
        QTest::mouseClick(b.part<QPushButton>("startBenchmark"), Qt::LeftButton);
        QVERIFY(b.finished());
        const TimingReport& made = b.last();
        QVERIFY(made.complete && made.results.size() == 12);
        QVERIFY(!made.command.empty());
        const QString file = b.folder.filePath(QStringLiteral("run.json"));
        b.window.saveResultsTo(file);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file) && !b.window.busy(), 30000);
        QProcess check;
        check.setWorkingDirectory(b.folder.path());
        check.start(QStringLiteral(WARPSCOPE_CLI),
                    {QStringLiteral("bench"), QStringLiteral("--check"), file, QStringLiteral("-o"),
                     QStringLiteral("again.json")});
        QVERIFY(check.waitForFinished(120000));
        const QByteArray said = check.readAllStandardError();
        // Other times are no fault here; other rows are.
        QVERIFY2(check.readAllStandardOutput().startsWith("then: "), said.constData());
        QVERIFY2(!said.contains("rows have no figure"), said.constData());
        const auto saved = readEntry(file);
        const auto again = readEntry(b.folder.filePath(QStringLiteral("again.json")));
        QVERIFY(saved && again);
        const auto keys = [](const TimingReport& report) {
            std::set<std::pair<StepKey, std::string>> all;
            for (const StepTiming& row : report.results)
                all.emplace(keyOf(row), row.backendRequested.id());
            return all;
        };
        QCOMPARE(saved->report.command, made.command);
        QVERIFY(keys(saved->report) == keys(again->report));
        QCOMPARE(keys(again->report).size(), std::size_t(12));
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
            run(commandLineOf(asked), QStringLiteral(" --budget-ms 1 --repetitions 1 -o out.json"),
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
