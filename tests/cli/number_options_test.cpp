// Every number that an option of any command takes, as --help lists them: what is out of range, no
// number or not there is wrong usage, and the message says what may be.
#include <QRegularExpression>

#include "cli/cli_process.h"
#include "engine/operations/registry.h"
#include "engine/pipeline/operation_choice.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

struct ValueOption {
    QString command, name, type;
    QByteArray least, most;  // empty where --help names no range

    bool is(const char* nameOrType) const {
        return name == QLatin1String(nameOrType) || type == QLatin1String(nameOrType);
    }
};

// Numbers in a text of their own form: values that are wrong, and a part of what is then said.
struct NumbersInText {
    const char* nameOrType;
    QByteArrayList wrong;
    const char* says;
};
const NumbersInText kNumbersInText[] = {
    {"--size", {"0", "1048577", "nan", "1e999", "64x0"}, "from 1 to 1048576"},
    {"--sizes", {"nan", "64,", "64,0"}, "from 1 to 1048576"},
    {"X,Y,W,H", {"0,0,0,1", "-1,0,1,1", "0,0,nan,1", "0,0,99999999999,1"}, "at least 1 x 1"},
    {"I/N", {"0/2", "3/2", "nan/2", "1/99999999999999999999", "1"}, "from 1 to N"},
    {"SHARE", {"0", "-1", "nan", "inf", "1e999", "1001%", "%"}, "above 0 and up to 10"},
    {"SWEEP",
     {"gaussian_blur.sigma=0:1", "gaussian_blur.sigma=1:1e9", "gaussian_blur.sigma=1:1e999",
      "gaussian_blur.sigma=nan:2", "gaussian_blur.sigma=1:2:201", "gaussian_blur.sigma=:", "x"},
     "--sweep "},
};

// Texts without numbers. Those of steps have a test below.
constexpr const char* kOtherTexts[] = {"FILE",    "FOLDER",          "UUID",      "STEP",
                                       "OPS",     "BACKENDS",        "ANALYSIS",  "LEFT=RIGHT",
                                       "--image", "--from",          "--compare", "--output",
                                       "--chart", "--speedup-chart", "--html",    "--picture"};

}  // namespace

class NumberOptionsTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QList<ValueOption> m_options;
    QMap<QString, QStringList> m_required;  // what each command cannot do without

    // "  -o,--output FILE REQUIRED   File to write"; a flag has no type.
    void readHelp(const QString& command) {
        static const QRegularExpression form(
            "^  (?:-\\w,)?(--[-a-z]+|[A-Z]+) (?! )([^\\s=]+(?:=RIGHT)?)( in \\[(\\S+) - (\\S+)\\])?"
            "(?:=\\S*)?(?: \\.\\.\\.)?( REQUIRED)?");
        for (const QByteArray& line : runCli({command, "--help"}).out.split('\n')) {
            const auto found = form.match(QString::fromUtf8(line));
            const QString name = found.captured(1), type = found.captured(2);
            if (!found.hasMatch() || type.endsWith(':')) continue;
            const bool isOption = name.startsWith("--");
            if (isOption)
                m_options << ValueOption{command, name, type, found.captured(4).toUtf8(),
                                         found.captured(5).toUtf8()};
            if (found.captured(6).isEmpty()) continue;
            if (isOption) m_required[command] << name;
            m_required[command] << m_folder.filePath(isOption ? "never.png" : "in.ppm");
        }
    }

    void refuses(const ValueOption& option, const QByteArray& value, const QByteArray& says) const {
        const CliRun run = runCli(QStringList{option.command} + m_required[option.command] +
                                  QStringList{option.name, QString::fromLatin1(value)});
        const QByteArray all = (option.command + ' ' + option.name + ' ').toUtf8() + value +
                               ": exit " + QByteArray::number(run.exitCode) + ", " + run.err;
        QVERIFY2(run.exitCode == 2 && errorLines(run) == 1, all);
        QVERIFY2(run.err.contains(option.name.toUtf8()) && run.err.contains(says), all);
    }

  private slots:
    void initTestCase() {
        QVERIFY(!writeFile(m_folder, "in.ppm", smallPpm()).isEmpty());
        for (const QByteArray& line : runCli({"complete", ""}).out.split('\n'))
            if (!line.isEmpty()) readHelp(QString::fromUtf8(line.split('\t')[0]));
        QVERIFY(m_options.size() > 60);
        QCOMPARE(m_required["apply"].size(), 3);
        QCOMPARE(m_required["compare"].size(), 2);
    }

    // A new one has a range that --help names, or stands in a list above.
    void everyOptionIsKnown() {
        for (const ValueOption& option : m_options) {
            const auto named = [&](const char* one) { return option.is(one); };
            const bool known =
                !option.least.isEmpty() || option.type.contains(":{") ||
                std::ranges::any_of(kOtherTexts, named) ||
                std::ranges::any_of(kNumbersInText, named, &NumbersInText::nameOrType);
            QVERIFY2(known, qPrintable(option.command + ' ' + option.name + ' ' + option.type));
        }
    }

    void numbersOutOfRange() {
        QSet<QString> seen;
        for (const ValueOption& option : m_options) {
            if (option.least.isEmpty()) continue;
            const QByteArray range = option.least + " to " + option.most;
            refuses(option, QByteArray::number(option.most.toLongLong() + 1), range);
            // The same option of another command.
            if (seen.contains(option.name)) continue;
            seen.insert(option.name);
            refuses(option, option.least.toDouble() > 0 ? "0" : "-1", range);
            for (const char* wrong : {"nan", "1e999", "two", ""}) refuses(option, wrong, range);
        }
        QVERIFY(seen.size() >= 11);
    }

    void numbersInText() {
        QSet<QString> seen;
        for (const ValueOption& option : m_options)
            for (const NumbersInText& one : kNumbersInText) {
                if (!option.is(one.nameOrType)) continue;
                refuses(option, {}, option.name.toUtf8());
                if (seen.contains(option.name)) continue;
                seen.insert(option.name);
                for (const QByteArray& wrong : one.wrong) refuses(option, wrong, one.says);
            }
        QCOMPARE(std::size_t(seen.size()), std::size(kNumbersInText));
    }

    // ID:name=value, as --step and --op read it, of every operation that there is.
    void parametersOfSteps() {
        int numbers = 0;
        for (const Operation* operation : allOperations())
            for (const ParamSpec& spec : operation->description().parameters) {
                if (spec.kind != ParamKind::Integer && spec.kind != ParamKind::Real) continue;
                ++numbers;
                const std::string start = operation->description().id + ":" + spec.id + "=";
                const auto refused = [&](const std::string& value) {
                    const auto read = parseChoice(start + value);
                    QVERIFY2(!read, (start + value).c_str());
                    QVERIFY2(read.error().message.find(spec.id) != std::string::npos,
                             read.error().message.c_str());
                };
                for (const char* wrong : {"", "nan", "-nan", "inf", "1e999", "two", "1x", "--1"})
                    refused(wrong);
                for (const double outside : {spec.hardMin - 1, spec.hardMax + 1}) {
                    const auto read = parseChoice(fmt::format("{}{}", start, outside));
                    QVERIFY2(!read, start.c_str());
                    const std::string range =
                        fmt::format("allowed are {} to {}", spec.hardMin, spec.hardMax);
                    QVERIFY2(read.error().message.find(range) != std::string::npos,
                             (range + " / " + read.error().message).c_str());
                }
            }
        QVERIFY(numbers > 50);
    }
};

WARPSCOPE_TEST(NumberOptionsTest)
#include "number_options_test.moc"
