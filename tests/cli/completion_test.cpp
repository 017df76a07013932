// Completion: what the program says may follow, and the scripts in the shells that are here.
#include <QStandardPaths>
#include <QTest>

#include "cli/cli_process.h"
#include "engine/operations/registry.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// Words before the tabs.
QStringList candidates(const QStringList& words) {
    const CliRun run = runCli(QStringList{"complete"} + words);
    if (run.exitCode != 0) return {"exit code"};
    QStringList found;
    for (const QByteArray& line : run.out.split('\n'))
        if (!line.isEmpty()) found << QString::fromUtf8(line.split('\t')[0]);
    return found;
}

}  // namespace

class CompletionTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

  private slots:
    void words_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QStringList>("wanted");
        const auto add = [](const QStringList& words, const QStringList& wanted) {
            QTest::newRow(qPrintable(words.join(' '))) << words << wanted;
        };
        add({"hist"}, {"histogram"});
        add({"nothing", ""}, {});
        add({"apply", "--ste"}, {"--step"});
        add({"apply", ""}, {":files"});
        add({"apply", "in.png", "-o", ""}, {":files"});
        add({"apply", "--step", "gaussian_b"}, {"gaussian_blur", "gaussian_blur:"});
        add({"apply", "--step", "gaussian_blur:si"},
            {"gaussian_blur:sigma=", "gaussian_blur:size="});
        add({"apply", "--step", "gaussian_blur:sigma=2,"},
            {"gaussian_blur:sigma=2,size=", "gaussian_blur:sigma=2,variant="});
        add({"apply", "--step", "grayscale:method=a"}, {"grayscale:method=average"});
        add({"apply", "--step=grayscale:method=a"}, {"--step=grayscale:method=average"});
        add({"apply", "--step", "grayscale:method=average,variant=aut"},
            {"grayscale:method=average,variant=automatic"});
        // An analysis is no step of a chain, but can be timed.
        add({"apply", "--step", "histog"}, {});
        add({"bench", "--step", "histogram"}, {"histogram", "histogram:"});
        add({"analyze", "in.png", "--op", "hist"}, {"histogram", "histogram:"});
        add({"analyze", "in.png", "--op", "med"}, {});
        add({"apply", "--step", "blend:with=s"},
            {"blend:with=source", "blend:with=second", "blend:with=step:"});
        add({"apply", "--step", "invert:name=first", "--step", "blend:mode=add,with=step:"},
            {"blend:mode=add,with=step:first"});
        add({"bench", "--ops", "median,gray"}, {"median,grayscale"});
        add({"bench", "--backends", "cpu,cu"}, {"cpu,cuda"});
        add({"apply", "--backend", "cpu-"}, {"cpu-single"});
        add({"apply", "--backend=cu"}, {"--backend=cuda"});
        add({"apply", "--jobs", ""}, {});
        add({"apply", "--quiet", ""}, {":files"});
        add({"info", "--format", ""}, {"table", "json"});
        add({"completion", ""}, {"bash", "zsh", "fish"});
        add({}, {});
    }
    void words() {
        QFETCH(QStringList, words);
        QFETCH(QStringList, wanted);
        QCOMPARE(candidates(words), wanted);
    }

    // From the descriptions: an operation that is new is known at once.
    void everyOperation() {
        const QStringList steps = candidates({"bench", "--step", ""});
        const QStringList filters = candidates({"apply", "--step", ""});
        for (const Operation* operation : allOperations()) {
            const OperationDescription& d = operation->description();
            const QString id = QString::fromStdString(d.id);
            QVERIFY2(steps.contains(id), d.id.c_str());
            QCOMPARE(filters.contains(id), d.kind == OperationKind::Filter);
            const QStringList names = candidates({"bench", "--step", id + ":"});
            for (const ParamSpec& spec : d.parameters) {
                const QString parameter = id + ":" + QString::fromStdString(spec.id) + "=";
                QVERIFY2(names.contains(parameter), qPrintable(parameter));
                QCOMPARE(candidates({"bench", "--step", parameter}).size(),
                         qsizetype(spec.choices.size() + spec.presets.size() +
                                   (spec.kind == ParamKind::Image ? 3 : 0)));
            }
        }
        const QByteArray help = runCli({"--help"}).out;
        for (const QString& command : candidates({""}))
            QVERIFY2(help.contains(command.toUtf8()), qPrintable(command));
        QVERIFY(candidates({""}).size() > 8);
    }

    // As bash calls it when somebody presses the tabulator.
    void bash() {
        const QString bash = QStandardPaths::findExecutable("bash");
        if (bash.isEmpty()) QSKIP("bash is not installed");
        const CliRun script = runCli({"completion", "bash"});
        QCOMPARE(script.exitCode, 0);
        writeFile(m_folder, "warpscope-cli.bash", script.out);
        QVERIFY(QFile::link(cliProgram(), m_folder.filePath("warpscope-cli")) ||
                QFile::exists(m_folder.filePath("warpscope-cli")));
        const auto complete = [&](const QByteArray& line) {
            const CliRun run =
                runProgram(bash,
                           {"--norc", "-c",
                            "PATH=.:$PATH; source ./warpscope-cli.bash && complete -p "
                            "warpscope-cli >/dev/null "
                            "&& COMP_LINE=$1 COMP_POINT=${#1} && _warpscope_cli && printf '%s\\n' "
                            "\"${COMPREPLY[@]}\"",
                            "bash", QString::fromUtf8(line)},
                           m_folder.path());
            return run.exitCode == 0 ? run.out : "failed: " + run.err;
        };
        QCOMPARE(complete("warpscope-cli hist"), QByteArray("histogram\n"));
        QCOMPARE(complete("./warpscope-cli apply --ste"), QByteArray("--step\n"));
        // What bash takes for a word begins behind : and =.
        QCOMPARE(complete("warpscope-cli apply --step gaussian_blur:si"),
                 QByteArray("sigma=\nsize=\n"));
        QCOMPARE(complete("warpscope-cli apply --step grayscale:method=av"),
                 QByteArray("average\n"));
        QCOMPARE(complete("warpscope-cli apply --step gaussian_blur:sigma=2,si"),
                 QByteArray("2,size=\n"));
        QCOMPARE(complete("warpscope-cli apply in.png "), QByteArray("\n"));
        QCOMPARE(complete("warpscope-cli completion "), QByteArray("bash\nzsh\nfish\n"));
    }

    void syntax_data() {
        QTest::addColumn<QString>("shell");
        for (const char* shell : {"bash", "zsh", "fish"}) QTest::newRow(shell) << shell;
    }
    void syntax() {
        QFETCH(QString, shell);
        const CliRun script = runCli({"completion", shell});
        QCOMPARE(script.exitCode, 0);
        QVERIFY(script.out.contains("warpscope-cli"));
        const QString program = QStandardPaths::findExecutable(shell);
        if (program.isEmpty()) QSKIP(qPrintable(shell + " is not installed"));
        writeFile(m_folder, "script", script.out);
        const CliRun run = runProgram(program, {"-n", "script"}, m_folder.path());
        QVERIFY2(run.exitCode == 0 && run.err.isEmpty(), run.err);
    }
};

WARPSCOPE_TEST(CompletionTest)
#include "completion_test.moc"
