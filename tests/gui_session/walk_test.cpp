// A walk through the window as a person takes it: a folder, a chain, two images compared, a region
// measured, a histogram of 16 bits read, a result saved, a session saved, the program killed and
// its session restored. With WARPSCOPE_WALK=FOLDER there is a picture of every stop.
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>

#include "engine/io/image_reader.h"
#include "gui/app/compare_controller.h"
#include "gui/app/session_actions.h"
#include "gui/display/display_levels.h"
#include "gui/display/display_settings.h"
#include "gui/session/session_file.h"
#include "gui/window_fixture.h"
#include "support/images.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;
using namespace warpscope::test;

class WalkTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    int m_stop = 0;

    void picture(WindowFixture& f, const char* name) {
        const QString folder = qEnvironmentVariable("WARPSCOPE_WALK");
        ++m_stop;
        if (folder.isEmpty()) return;
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(f.window.grab().save(QStringLiteral("%1/%2-%3.png")
                                         .arg(folder)
                                         .arg(m_stop, 2, 10, QLatin1Char('0'))
                                         .arg(QLatin1String(name))));
    }
    static bool settled(WindowFixture& f) {
        return waitedFor(
            [&] {
                return f.document().source() && f.bridge().resultIsCurrent() &&
                       f.bridge().histogramsAreCurrent() && !f.window.session().busy();
            },
            20000);
    }
    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    static void drag(Canvas& canvas, const QPointF& from, const QPointF& to,
                     Qt::KeyboardModifiers keys) {
        const QPoint start = canvas.widgetPosition(from).toPoint();
        const QPoint end = canvas.widgetPosition(to).toPoint();
        QTest::mousePress(&canvas, Qt::LeftButton, keys, start);
        for (const QPoint& at : {(start + end) / 2, end}) {
            QMouseEvent move(QEvent::MouseMove, at, canvas.mapToGlobal(at), Qt::NoButton,
                             Qt::LeftButton, keys);
            QApplication::sendEvent(&canvas, &move);
        }
        QTest::mouseRelease(&canvas, Qt::LeftButton, keys, end);
    }

  private slots:
    void aPersonsWalk() {
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("images")));
        const QString images = path("images");
        const QString first = writeScene(images, QStringLiteral("scene 1.png"), {720, 480}, 1);
        const QString second = writeScene(images, QStringLiteral("scene 2.png"), {720, 480}, 2);
        const QString deep = images + QStringLiteral("/scene 3.png");
        const Image sixteen = makePhotograph(PixelFormat::Gray16, {720, 480});
        QVERIFY(saveImage(sixteen, deep.toStdString()));
        const QString session = path("walk.warpscope-session");
        const QString settings = path("warpscope/warpscope.ini");
        {
            WindowFixture f(settings);
            Canvas& canvas = f.window.canvas();
            f.window.files().openFiles({images});
            QVERIFY(settled(f));
            QCOMPARE(f.window.files().images(), QStringList({first, second, deep}));
            picture(f, "folder");

            QVERIFY(f.addStep("gaussian_blur"));
            f.document().setParameter(0, "sigma", 2.5, EditPhase::Single);
            QVERIFY(f.addStep("equalize"));
            QVERIFY(settled(f));
            picture(f, "chain");

            f.window.comparing().compareWith(second);
            QTRY_VERIFY(canvas.comparison());
            canvas.setFocus();
            f.press(Qt::Key_4);
            QCOMPARE(canvas.viewMode(), ViewMode::Wipe);
            picture(f, "compare");
            f.press(Qt::Key_Escape);
            QTRY_VERIFY(!canvas.comparison());

            drag(canvas, {100, 80}, {300, 260}, Qt::ShiftModifier);
            QVERIFY(f.document().region());
            QVERIFY(settled(f));
            picture(f, "region");

            f.window.files().openPath(deep);
            QTRY_COMPARE(f.document().filePath(), deep);
            QVERIFY(settled(f));
            QCOMPARE(f.bridge().histograms()->source.format, PixelFormat::Gray16);
            picture(f, "histogram");

            const QString result = path("result.png");
            QSignalSpy saved(&f.window.files(), &FileController::saved);
            f.window.files().saveResultTo(result);
            QTRY_COMPARE(saved.count(), 1);
            const auto read = readImage(result.toStdString());
            QVERIFY(read);
            compareSamples(exactImage(f.bridge().result()), *read, "saved result");
            picture(f, "saved");

            f.window.session().saveTo(session);
            QTRY_VERIFY(QFile::exists(session) && !f.window.session().busy());
            picture(f, "session");
            QVERIFY(f.window.close());
        }

        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_folder.path());
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        environment.insert(QStringLiteral("CUDA_VISIBLE_DEVICES"), QString());
        program.setProcessEnvironment(environment);
        program.start(QStringLiteral(WARPSCOPE_PROGRAM), {session});
        QVERIFY(program.waitForStarted());
        const QDir autosave(path("warpscope/autosave"));
        QVERIFY(waitedFor(
            [&] {
                for (const QString& name :
                     autosave.entryList({QStringLiteral("*.warpscope-session")}, QDir::Files)) {
                    const auto found = readSession(autosave.filePath(name));
                    if (found && found->session.shown.path == deep) return true;
                }
                return false;
            },
            60000));
        program.kill();
        QVERIFY(program.waitForFinished());

        WindowFixture f(settings);
        f.window.session().begin();
        picture(f, "offer");
        auto* restore = f.window.findChild<QPushButton*>(QStringLiteral("messageAction"));
        QVERIFY(restore->isVisible());
        QTest::mouseClick(restore, Qt::LeftButton);
        QTRY_COMPARE(f.document().filePath(), deep);
        QVERIFY(settled(f));
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(2));
        QCOMPARE(f.document().pipeline().steps[0].parameters.real("sigma"), 2.5);
        QVERIFY(f.document().region());
        picture(f, "restored");
        QVERIFY(f.window.close());
    }
};

WARPSCOPE_TEST(WalkTest)
#include "walk_test.moc"
