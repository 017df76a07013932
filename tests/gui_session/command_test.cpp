// The chain as a command line: what warpscope-cli makes of it is what the window shows.
#include <QClipboard>
#include <QProcess>

#include "engine/io/image_reader.h"
#include "engine/report/bench_command.h"
#include "gui/app/session_actions.h"
#include "gui/display/display_levels.h"
#include "gui/window_fixture.h"
#include "random_session.h"
#include "support/images.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;
using namespace warpscope::test;

class CommandTest : public QObject {
    Q_OBJECT

    static QString copied(WindowFixture& f) {
        QApplication::clipboard()->setText(QString());
        f.window.actions().copyCommand->trigger();
        return QApplication::clipboard()->text();
    }
    // Runs it as a shell does, and compares what it writes with what the window shows.
    static void checkCommand(WindowFixture& f) {
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QString command = copied(f);
        QVERIFY(command.startsWith(QStringLiteral("warpscope-cli apply ")));
        QCOMPARE(f.window.messages().level(), MessageBar::Level::Info);
        command.replace(0, 13, QString::fromStdString(shellQuoted({WARPSCOPE_CLI})));
        QTemporaryDir folder;
        QProcess shell;
        shell.setWorkingDirectory(folder.path());
        shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), command});
        QVERIFY(shell.waitForFinished(120000));
        QVERIFY2(shell.exitCode() == 0, shell.readAllStandardError().constData());
        const QStringList made = QDir(folder.path()).entryList(QDir::Files);
        QCOMPARE(made.size(), 1);
        const auto image = readImage(folder.filePath(made[0]).toStdString());
        QVERIFY(image);
        compareSamples(exactImage(f.bridge().result()), *image, command.toStdString());
    }
    static Pipeline chain(std::initializer_list<const char*> steps) {
        Pipeline pipeline;
        for (const char* step : steps) pipeline.steps.push_back(parseStep(step).value());
        return pipeline;
    }

  private slots:
    void theCommandMakesTheSamePixels() {
        Chance chance;
        WindowFixture f;
        QVERIFY(f.open(f.scene("an image's name; $HOME {n}.png", {61, 47}, 5)));
        checkCommand(f);
        for (int i = 0; i < 4; ++i) {
            Pipeline steps = randomChain(chance);
            for (Step& step : steps.steps) step.enabled = chance.flag();
            f.document().replacePipeline(steps, QStringLiteral("steps"));
            checkCommand(f);
        }
        f.document().replacePipeline(chain({"crop:x=3,y=5,width=40,height=30",
                                            "flip_rotate:operation=rotate_90", "grayscale"}),
                                     QStringLiteral("steps"));
        checkCommand(f);
        f.document().replacePipeline(chain({"grayscale", "integral_image"}),
                                     QStringLiteral("steps"));
        checkCommand(f);
    }

    // What is referred to may be off, and all before it.
    void aStepThatIsOffStandsForWhatComesBeforeIt() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {61, 47}, 5)));
        Pipeline steps = chain({"gaussian_blur:sigma=3", "median:radius=2,name=off", "equalize",
                                "blend:with=step:off,mode=difference"});
        for (int on = 0; on < 16; ++on) {
            for (int i = 0; i < 4; ++i) steps.steps[std::size_t(i)].enabled = (on >> i & 1) != 0;
            f.document().replacePipeline(steps, QStringLiteral("steps"));
            checkCommand(f);
        }
    }

    void secondImageAndDepth() {
        WindowFixture f;
        const QString deep = f.folder.filePath(QStringLiteral("deep.png"));
        QVERIFY(saveImage(makeNoise(PixelFormat::Rgba16, {61, 47}, 3), deep.toStdString()));
        QVERIFY(f.open(deep));
        f.bridge().openSecondFile(f.scene("second one.png", {61, 47}, 9));
        QTRY_VERIFY(f.document().second());
        f.document().replacePipeline(chain({"blend:with=second,mode=multiply,opacity=70"}),
                                     QStringLiteral("steps"));
        checkCommand(f);
        QVERIFY(copied(f).contains(QStringLiteral("--second")));
        f.document().replacePipeline(chain({"invert"}), QStringLiteral("steps"));
        QVERIFY(!copied(f).contains(QStringLiteral("--second")));
        const QString real = f.folder.filePath(QStringLiteral("real.tiff"));
        QVERIFY(saveImage(makeNoise(PixelFormat::RgbaF32, {31, 17}, 3), real.toStdString()));
        QVERIFY(f.open(real));
        checkCommand(f);
    }

    void whatCannotBeACommandSaysSo() {
        WindowFixture f;
        const auto refused = [&](const char* word) {
            QCOMPARE(copied(f), QString());
            QCOMPARE(f.window.messages().level(), MessageBar::Level::Warning);
            QVERIFY2(f.window.messages().text().contains(QLatin1String(word)),
                     qPrintable(f.window.messages().text()));
        };
        QVERIFY(!f.window.actions().copyCommand->isEnabled());
        f.bridge().openImage(sceneOf({30, 20}), QStringLiteral("Pasted image"));
        QTRY_VERIFY(f.document().source());
        refused("Pasted image");
        QVERIFY(f.open(f.scene("a.png")));
        f.document().replacePipeline(chain({"blend:with=second"}), QStringLiteral("steps"));
        QTRY_VERIFY_WITH_TIMEOUT(!f.bridge().busy(), 30000);
        refused("second");
        f.document().replacePipeline(chain({"invert", "crop:x=5000,y=0,width=3,height=3"}),
                                     QStringLiteral("steps"));
        QTRY_VERIFY_WITH_TIMEOUT(!f.bridge().busy(), 30000);
        refused("2");
    }
};

WARPSCOPE_TEST(CommandTest)
#include "command_test.moc"
