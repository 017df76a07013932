// Two programs at once on the same settings and caches: what one of them writes the other neither
// loses nor damages.
#include <QImageReader>
#include <csignal>

#include "gui/app/kept_steps.h"
#include "gui/app/session_actions.h"
#include "gui/steps/preset_store.h"
#include "gui/window_fixture.h"
#include "real_program.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

constexpr const char* kOther = "WARPSCOPE_TEST_OTHER_WINDOW";  // the settings that it uses

Step blurOf(double sigma) {
    Step step = makeStep("gaussian_blur").value();
    step.parameters.set("sigma", sigma);
    return step;
}

QString picture(const QString& folder, const char* name, std::uint32_t seed) {
    const QString path = writeScene(folder, QLatin1String(name), {64, 48}, seed);
    // A thumbnail is kept of a file that was not written just now.
    QFile file(path);
    const auto before = QDateTime::currentDateTime().addSecs(-60);
    return file.open(QIODevice::ReadWrite) && file.setFileTime(before, QFile::FileModificationTime)
               ? path
               : QString();
}

QStringList names(const Settings& settings) {
    QStringList found;
    for (const QString& file : settings.recentFiles()) found << QFileInfo(file).fileName();
    return found;
}

QStringList presets(PresetStore& store) {
    QStringList found;
    for (const Preset& preset : store.of("gaussian_blur")) found << preset.name;
    return found;
}

// This executable once more: it opens an image, names a preset and closes with unsaved steps.
int otherWindow(const QString& settings) {
    WindowFixture f(settings);
    if (!f.open(picture(f.folder.path(), "theirs.png", 1))) return 1;
    PresetStore(f.settings).save(blurOf(2.5), QStringLiteral("theirs"));
    f.document().insertStep(0, blurOf(4.5));
    return f.window.close() ? 0 : 2;
}

}  // namespace

class TwoProgramsTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        if (qEnvironmentVariableIsSet(kOther))
            std::_Exit(otherWindow(qEnvironmentVariable(kOther)));
    }

    void whatTheOtherHasWrittenStays() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("warpscope.ini"));
        {
            WindowFixture f(path);
            QVERIFY(f.open(picture(folder.path(), "ours.png", 2)));
            PresetStore store(f.settings);
            QVERIFY(store.save(blurOf(1.5), QStringLiteral("ours")));
            f.settings.save();

            QProcess other;
            auto environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QLatin1String(kOther), path);
            other.setProcessEnvironment(environment);
            other.setProcessChannelMode(QProcess::ForwardedChannels);
            other.start(QCoreApplication::applicationFilePath(), {QStringLiteral("two_programs")});
            QVERIFY(other.waitForFinished(kWaitMs));
            QCOMPARE(other.exitStatus(), QProcess::NormalExit);
            QCOMPARE(other.exitCode(), 0);

            QVERIFY(f.open(picture(folder.path(), "later.png", 3)));
            QVERIFY(store.save(blurOf(3.5), QStringLiteral("later")));
            QCOMPARE(presets(store), (QStringList{"later", "ours", "theirs"}));
            QVERIFY(f.window.close());
        }
        WindowFixture g(path);
        QCOMPARE(names(g.settings), (QStringList{"later.png", "theirs.png", "ours.png"}));
        PresetStore store(g.settings);
        QCOMPARE(presets(store), (QStringList{"later", "ours", "theirs"}));
        g.window.keptSteps().restore();
        QCOMPARE(g.document().pipeline().steps.size(), std::size_t(1));
        QCOMPARE(g.document().pipeline().steps[0].parameters.real("sigma"), 4.5);
        QVERIFY(!QFile::exists(path + QStringLiteral(".corrupt")));
    }

    // From the same moment on, in a folder of images whose thumbnails both make.
    void twoStartTogether() {
        const QTemporaryDir folder, images;
        QStringList files;
        for (int i = 0; i < 4; ++i)
            files << picture(images.path(), qPrintable(QStringLiteral("%1.png").arg(i)), i + 1);
        QVERIFY(!files.contains(QString()));
        RealProgram first(folder.path()), second(folder.path());
        const QDir autosave = first.autosave();
        const auto written = [&] {
            return autosave.entryList({QStringLiteral("*.warpscope-session")}, QDir::Files);
        };
        const QDir cache(folder.filePath(QStringLiteral("cache/thumbnails")));
        const auto thumbnails = [&] {
            QStringList found;
            for (const char* size : {"normal", "large"})
                for (const QFileInfo& file :
                     QDir(cache.filePath(QLatin1String(size)))
                         .entryInfoList({QStringLiteral("*.png")}, QDir::Files))
                    found << file.absoluteFilePath();
            return found;
        };
        first.process.start(QStringLiteral(WARPSCOPE_PROGRAM), files);
        second.process.start(QStringLiteral(WARPSCOPE_PROGRAM),
                             {files[3], files[2], files[1], files[0]});
        QTRY_VERIFY(written().size() == 2 && thumbnails().size() == files.size());

        // What a program that was killed had is offered, what the other one has is its own.
        first.process.kill();
        QVERIFY(first.process.waitForFinished(kWaitMs));
        {
            WindowFixture f(first.settings());
            f.window.session().begin();
            QCOMPARE(f.window.messages().count(), 1);
            QVERIFY2(f.window.messages().text().contains(QStringLiteral("0.png")),
                     qPrintable(f.window.messages().text()));
            QCOMPARE(names(f.settings).size(), 2);
        }
        QCOMPARE(::kill(pid_t(second.process.processId()), SIGTERM), 0);
        QVERIFY(second.process.waitForFinished(kWaitMs));
        QCOMPARE(second.process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(second.process.exitCode(), 0);
        QCOMPARE(written().size(), 1);
        QVERIFY(readSession(autosave.filePath(written().front())));

        Settings settings(first.settings());
        QVERIFY(settings.setAsidePath().isEmpty());
        QStringList recent = names(settings);
        recent.sort();
        QCOMPARE(recent, (QStringList{"0.png", "3.png"}));
        for (const QString& file : thumbnails()) {
            QImageReader reader(file);
            QVERIFY2(!reader.read().isNull(), qPrintable(file + ": " + reader.errorString()));
        }
    }
};

WARPSCOPE_TEST(TwoProgramsTest)
#include "two_programs_test.moc"
