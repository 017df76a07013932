// The lines of the log in Simplified Chinese: what the window and the engine report while somebody
// works, and every place in the sources that reports.
#include <QClipboard>
#include <QDirIterator>
#include <QLineEdit>
#include <QRegularExpression>
#include <functional>

#include "engine/base/log.h"
#include "engine/io/isolated_reader.h"
#include "gui/app/languages.h"
#include "gui/app/log_panel.h"
#include "gui/base/task_runner.h"
#include "gui/display/screen_colors.h"
#include "gui/session/autosave.h"
#include "gui/steps/preset_store.h"
#include "gui/widgets/engine_text.h"
#include "io/hostile_files.h"
#include "pipeline/fake_backend.h"
#include "support/images.h"
#include "tests/gui/window_fixture.h"

namespace warpscope::gui {
namespace {

// What a reader says of a file may quote what the file begins with.
const QString kNoPicture = QStringLiteral("no picture at all");

QString writtenFile(const WindowFixture& f, const char* name, const QByteArray& bytes) {
    const QString path = f.folder.filePath(QLatin1String(name));
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? path : QString();
}

// Lines that are not Chinese, or in part not: two words of the sources after each other. Names of
// files and figures stay; so does what a library said, between “ and ”.
QStringList untranslatedLines(const QString& log, const QStringList& names) {
    static const QRegularExpression start(QStringLiteral("^\\d\\d:\\d\\d:\\d\\d  \\S+  "));
    static const QRegularExpression english(QStringLiteral("\\b[a-z]{2,} [a-z]{2,}\\b"));
    static const QRegularExpression chinese(QStringLiteral("\\p{Han}"));
    static const QRegularExpression quoted(QString::fromUtf8("“[^”]*”"));
    QStringList left;
    for (const QString& line : log.split(u'\n', Qt::SkipEmptyParts)) {
        QString text = QString(line).remove(start).remove(quoted);
        for (const QString& name : names) text.remove(name);
        if (!text.contains(chinese) || text.contains(english)) left << line;
    }
    return left;
}

// Words in quotation marks in the calls of these functions that nothing translates.
QStringList untranslatedCalls(const QString& source, const QRegularExpression& called,
                              const std::function<bool(const QString&)>& isListed) {
    static const QRegularExpression word(QStringLiteral("[A-Za-z]{2,}"));
    static const QRegularExpression translated(QStringLiteral("\\b(tr|engineText)\\($"));
    QStringList left;
    for (auto it = called.globalMatch(source); it.hasNext();) {
        qsizetype at = it.next().capturedEnd(), from = 0;
        bool inside = false;
        for (int depth = 1; at < source.size() && depth > 0; ++at) {
            const QChar c = source[at];
            if (inside && c == u'\\') {
                ++at;
            } else if (c == u'"') {
                inside = !inside;
                if (inside) {
                    from = at;
                } else if (const QString text = source.mid(from + 1, at - from - 1);
                           text.contains(word) && !isListed(text) &&
                           !source.mid(from - 12, 12).trimmed().contains(translated)) {
                    left << text;
                }
            } else if (!inside && (c == u'(' || c == u')')) {
                depth += c == u'(' ? 1 : -1;
            }
        }
    }
    return left;
}

// With the log as it is once nobody waits any more.
#define SAYS(f, words) \
    if (!says(f, words)) QFAIL(qPrintable(QString::fromUtf8(words) + QLatin1Char('\n') + text(f)))

}  // namespace

class LogTest : public QObject {
    Q_OBJECT

    static QString text(const WindowFixture& f) { return f.window.findChild<LogPanel*>()->text(); }
    static bool says(const WindowFixture& f, const char* words) {
        return waitedFor([&] { return text(f).contains(QString::fromUtf8(words)); }, 10'000);
    }

  private slots:
    void init() { installLanguage(QStringLiteral("zh_CN")); }
    void cleanup() {
        installLanguage(QStringLiteral("en"));
        setDecodeHelper(standardDecodeHelper());
    }

    void filesAreReported() {
        WindowFixture f;
        FileController& files = f.window.files();
        SAYS(f, "没有 GPU：");
        const QString photo = f.scene("photo.png");
        QVERIFY(f.open(photo));
        SAYS(f, "photo.png：PNG, 8 位");
        const QByteArray gamma(QByteArray::fromHex("0000b18f"));
        const QString noted = writtenFile(
            f, "gamma.png", hostile::png(4, hostile::pngChunk("gAMA", gamma).repeated(2)));
        QVERIFY(f.open(noted));
        SAYS(f, "gamma.png: libpng 报告：");
        QVERIFY(f.open(writtenFile(f, "two.pgm", "P5 1 1 255\naP5 1 1 255\nb")));
        SAYS(f, "two.pgm: ");
        files.openFiles({writtenFile(f, "bad.png", kNoPicture.toUtf8())});
        SAYS(f, "bad.png：不是");
        QVERIFY(f.open(photo));
        files.openSecond(f.scene("second.png", {160, 120}, 8));
        SAYS(f, "second.png：PNG");
        files.openSecond(f.folder.filePath(QStringLiteral("bad.png")));
        SAYS(f, "无法作为第二图像打开");
        f.scene("photo.png", {160, 120}, 9);
        SAYS(f, "已变化");
        QVERIFY(waitedFor([&] { return f.bridge().resultIsCurrent(); }));

        files.saveResultTo(f.folder.filePath(QStringLiteral("saved.png")));
        SAYS(f, "saved.png");
        files.saveResultTo(f.folder.filePath(QStringLiteral("no/such/folder/a.png")));
        SAYS(f, "a.png");
        f.window.actions().copyResult->trigger();
        f.window.actions().copyCommand->trigger();
        SAYS(f, "warpscope-cli");
        QApplication::clipboard()->clear();
        f.press(Qt::Key_V, Qt::ControlModifier);
        SAYS(f, "剪贴板");

        const QStringList left = untranslatedLines(text(f), {f.folder.path(), kNoPicture});
        QVERIFY2(left.isEmpty(), qPrintable(left.join(u'\n')));
        QVERIFY2(text(f).count(u'\n') >= 12, qPrintable(text(f)));
    }

    void stepsAndTheScreenAreReported() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("photo.png")));
        auto* black = f.window.findChild<QLineEdit*>(QStringLiteral("levelsBlack"));
        QTRY_VERIFY(black->isEnabled());
        black->setFocus();
        black->selectAll();
        QTest::keyClicks(black, "300");
        QTest::keyClick(black, Qt::Key_Return);
        SAYS(f, "300");

        f.document().insertStep(0, makeStep("gaussian_blur").value());
        f.document().setParameter(0, "sigma", -5.0, EditPhase::Single);
        SAYS(f, "-5");

        f.settings.setPresets(
            QStringLiteral("gaussian_blur"),
            QStringLiteral("[{\"name\": \"a\", \"variant\": \"gone\", \"parameters\": {\"glow\": "
                           "\"1\", \"size\": \"4\"}}, {\"name\": \"\"}]"));
        f.settings.setPresets(QStringLiteral("equalize"), QStringLiteral("{]"));
        PresetStore presets(f.settings);
        presets.of("gaussian_blur");
        presets.of("equalize");
        SAYS(f, "equalize");

        auto odd = MutableImage::create(PixelFormat::Rgba8, {4, 4}).value();
        ImageInfo info;
        info.iccProfile =
            std::make_shared<const std::vector<std::uint8_t>>(std::size_t(200), std::uint8_t(9));
        QVERIFY(!screenColorsOf(std::move(odd).freeze(info)));
        SAYS(f, "颜色按存储的样子显示：");

        const QStringList left = untranslatedLines(text(f), {f.folder.path()});
        QVERIFY2(left.isEmpty(), qPrintable(left.join(u'\n')));
        QVERIFY2(text(f).count(u'\n') >= 8, qPrintable(text(f)));
    }

    void whatTheEngineReports() {
        auto gpu = std::make_shared<test::FakeBackend>(BackendKind::Cuda);
        gpu->failure = {0,
                        {ErrorCode::DeviceFault,
                         "uploading the image: CUDA: an illegal memory "
                         "access was encountered (cudaErrorIllegal"
                         "Address) in cudaMalloc(&p, n) at pool.cu:7"},
                        true};
        WindowFixture f({}, [gpu] {
            BackendSet set = BackendSet::cpuOnly({});
            set.cuda = gpu;
            return set;
        });
        QVERIFY(f.open(f.scene("photo.png")));
        QVERIFY(f.addStep("invert"));
        SAYS(f, "在 CPU 上计算：");

        DecodeHelper unfiltered = standardDecodeHelper();
        unfiltered.arguments = {"--no-filter"};
        setDecodeHelper(unfiltered);
        QVERIFY(f.open(f.scene("unfiltered.png")));
        SAYS(f, "没有系统调用过滤：启动时");
        setDecodeHelper({});
        QVERIFY(f.open(f.scene("other.png")));
        SAYS(f, "warpscope-decode");
        DecodeHelper none;
        none.program = "/bin/true";
        setDecodeHelper(none);
        QVERIFY(f.open(f.scene("third.png")));
        SAYS(f, "/bin/true");

        const QString blocked = writtenFile(f, "file", "x") + QStringLiteral("/autosave");
        Session open;
        open.scene = SessionScene{{8, 8}};
        Autosave(blocked).write(open);
        SAYS(f, "/autosave");
        TaskRunner tasks;
        tasks.run([]() -> TaskRunner::Finish { throw std::runtime_error("E-7"); });
        SAYS(f, "E-7");

        const QStringList left = untranslatedLines(text(f), {f.folder.path()});
        QVERIFY2(left.isEmpty(), qPrintable(left.join(u'\n')));
        QVERIFY2(text(f).count(u'\n') >= 8, qPrintable(text(f)));
    }

    // What another system, another processor or another build would say.
    void whyNothingIsFiltered() {
        for (const char* reason :
             {"this build has a sanitizer", "there is none for this architecture",
              "the system refuses it: not enough memory",
              "the kernel refuses it: not enough memory"}) {
            const QString line = engineText(
                std::string("images are decoded with limits on memory and time, but without a "
                            "filter on system calls: ") +
                reason);
            QVERIFY2(untranslatedLines(line, {}).isEmpty(), qPrintable(line));
        }
    }

    void noPlaceReportsInEnglishAlone() {
        const QString root = QStringLiteral(WARPSCOPE_ROOT "/");
        QFile lines(root + QStringLiteral("resources/translations/engine_texts.txt"));
        if (!lines.open(QIODevice::ReadOnly)) QSKIP("the sources are not on this machine");
        static const QRegularExpression gap(QStringLiteral("\\{[^{}]*\\}"));
        QStringList listed;
        for (const QString& line : QString::fromUtf8(lines.readAll()).split(u'\n'))
            listed << QString(line).replace(gap, QStringLiteral("{}"));
        const auto isListed = [&](const QString& text) {
            const QString wanted = QString(text).replace(gap, QStringLiteral("{}"));
            return std::any_of(listed.begin(), listed.end(), [&](const QString& line) {
                return line == wanted || line == wanted + QStringLiteral("{}");
            });
        };
        // Those of the engine that come through a function of their own, too.
        static const QRegularExpression called(
            QStringLiteral("\\b(logMessage|logLeftOut|warn|describeFailure)\\("));
        static const QRegularExpression joint(QStringLiteral("\"\\s*\\n\\s*\""));
        QStringList left;
        int calls = 0;
        for (const char* folder : {"gui", "engine", "cuda_kernels"}) {
            QDirIterator it(root + QLatin1String(folder), {"*.cpp", "*.h", "*.cu"}, QDir::Files,
                            QDirIterator::Subdirectories);
            while (it.hasNext()) {
                QFile file(it.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                const QString source = QString::fromUtf8(file.readAll()).remove(joint);
                calls += int(source.count(called));
                for (const QString& text : untranslatedCalls(source, called, isListed))
                    left << file.fileName() + QStringLiteral(": ") + text;
            }
        }
        QVERIFY2(calls > 25, qPrintable(QString::number(calls)));
        QVERIFY2(left.isEmpty(), qPrintable(left.join(u'\n')));
    }

    // The checks find what they are for.
    void seesWhatIsUntranslated() {
        QCOMPARE(untranslatedLines("12:00:01  信息  已打开 a.png", {}).size(), 0);
        QCOMPARE(untranslatedLines("12:00:01  信息  opened a.png", {}).size(), 1);
        QCOMPARE(untranslatedLines("12:00:01  信息  已打开 the file a.png", {}).size(), 1);
        QCOMPARE(untranslatedLines("12:00:01  信息  /my own/a.png 已打开", {"/my own"}).size(), 0);
        static const QRegularExpression called(QStringLiteral("\\bsay\\("));
        const auto none = [](const QString& one) { return one == QStringLiteral("is listed: "); };
        QCOMPARE(untranslatedCalls(R"(say(a, "not this" + b); tell("nor that");)", called, none),
                 QStringList{QStringLiteral("not this")});
        QVERIFY(untranslatedCalls(R"(say(a, tr("this %1").arg(f("")) + ", "); say("is listed: "))",
                                  called, none)
                    .isEmpty());
    }
};

}  // namespace warpscope::gui

using warpscope::gui::LogTest;
WARPSCOPE_TEST(LogTest)
#include "log_test.moc"
