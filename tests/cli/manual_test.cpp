// Manual pages against --help and the descriptions, and against the program that formats them.
#include <QStandardPaths>

#include "cli/cli_process.h"
#include "engine/operations/registry.h"
#include "engine/report/manual_page.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

class ManualTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    // As a terminal of 500 columns shows it, without the marks of bold letters.
    QByteArray formatted(const QByteArray& page, QByteArray* complaints = nullptr) {
        writeFile(m_folder, "page", page);
        const CliRun run = runProgram(
            QStringLiteral("groff"),
            {"-man", "-Tutf8", "-Kutf8", "-ww", "-rLL=500n", "-P-c", "-P-b", "-P-u", "page"},
            m_folder.path());
        if (complaints) *complaints = run.err;
        return run.out;
    }
    static bool hasGroff() { return !QStandardPaths::findExecutable("groff").isEmpty(); }

  private slots:
    void everyCommand() {
        const QByteArray own = runCli({"manual"}).out;
        QVERIFY(own.startsWith(".TH \"WARPSCOPE\\-CLI\" 1"));
        int commands = 0;
        for (const QByteArray& line : runCli({"complete", ""}).out.split('\n')) {
            const QString command = QString::fromUtf8(line.left(line.indexOf('\t')));
            if (command.isEmpty()) continue;
            ++commands;
            const CliRun page = runCli({"manual", command});
            QCOMPARE(page.exitCode, 0);
            // Every long option of --help, as the shells are told of it.
            for (const QByteArray& option : runCli({"complete", command, "--"}).out.split('\n')) {
                QByteArray name = option.left(option.indexOf('\t'));
                name.replace("-", "\\-");
                QVERIFY2(page.out.contains(name), name);
            }
            QVERIFY2(own.contains("\\fB" + command.toUtf8() + "\\fR"), qPrintable(command));
        }
        QVERIFY(commands > 8);
        QCOMPARE(runCli({"manual", "frobnicate"}).exitCode, 2);
    }

    void everyOperation() {
        const CliRun page = runCli({"manual", "operations"});
        QCOMPARE(page.exitCode, 0);
        QByteArray complaints;
        const QByteArray shown = hasGroff() ? formatted(page.out, &complaints) : page.out;
        QCOMPARE(complaints, QByteArray());
        for (const Operation* operation : allOperations()) {
            const OperationDescription& d = operation->description();
            QVERIFY2(shown.contains("(" + QByteArray::fromStdString(d.id) + ")"), d.id.c_str());
            for (const ParamSpec& spec : d.parameters)
                QVERIFY2(shown.contains(QByteArray::fromStdString(spec.id) + "="), spec.id.c_str());
        }
    }

    // What would be a request, a font or another sign to the formatter is printed as it is.
    void signs_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char* text :
             {".TH at the beginning", "'so is this", "a \\fBbackslash\\fR \\n(.l",
              "--option -1 'quoted' \"twice\" `tick` x^2 ~ 3", "\xc2\xb5 \xc3\x97 2"})
            QTest::newRow(text) << QByteArray(text);
    }
    void signs() {
        if (!hasGroff()) QSKIP("groff is not installed");
        QFETCH(QByteArray, text);
        ManualPage page("name", 1, "summary");
        page.paragraph(text.toStdString());
        page.entry("term", text.toStdString(), text.toStdString());
        QByteArray complaints;
        const QByteArray shown = formatted(QByteArray::fromStdString(page.text()), &complaints);
        QCOMPARE(complaints, QByteArray());
        QVERIFY2(shown.count(text) == 3, shown);
    }

    void allOfThem() {
        const CliRun run = runCli({"manual", "--all", m_folder.path()});
        QCOMPARE(run.exitCode, 0);
        for (const char* name :
             {"warpscope-cli.1", "warpscope-cli-apply.1", "warpscope-operations.7"})
            QVERIFY2(QFile::exists(m_folder.filePath(name)), name);
        QCOMPARE(runCli({"manual", "--all", m_folder.filePath("not/there")}).exitCode, 1);
    }
};

WARPSCOPE_TEST(ManualTest)
#include "manual_test.moc"
