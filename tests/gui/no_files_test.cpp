// What is no file, by every way into the window: one message that says what it is, at once, and
// everything stays as it was.
#include <sys/stat.h>

#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMimeData>

#include "gui/app/session_actions.h"
#include "io/ordinary_user.h"
#include "support/test_case.h"
#include "window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

using Opens = std::function<void(WindowFixture&, const QString&)>;

void byItsDialog(WindowFixture& f, const QString& path) {
    f.press(Qt::Key_O, Qt::ControlModifier);
    auto* dialog = f.window.findChild<QFileDialog*>();
    QVERIFY(dialog && QTest::qWaitForWindowExposed(dialog));
    auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    QVERIFY(name);
    name->setFocus();
    QTest::keySequence(name, QKeySequence::SelectAll);
    QTest::keyClicks(name, path);
    QTest::keyClick(name, Qt::Key_Return);
}

void byDropping(WindowFixture& f, const QString& path) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&f.window, &enter);
    QDropEvent event(QPointF(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&f.window, &event);
}

}  // namespace

class NoFilesTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }

    // Of a pipe that nobody writes to even opening would wait for ever.
    QString pipe(const char* name) const {
        const QString made = path(name);
        return QFile::exists(made) || ::mkfifo(made.toLocal8Bit().constData(), 0600) == 0
                   ? made
                   : QString();
    }
    static void isRefused(WindowFixture& f, const Opens& open, const QString& file,
                          const QString& says) {
        const auto image = f.document().image().id();
        const QString shown = f.document().filePath();
        const Pipeline steps = f.document().pipeline();
        f.window.messages().clear(MessageBar::Level::Error);
        open(f, file);
        QTRY_COMPARE(f.window.messages().count(), 1);
        const QString text = f.window.messages().text();
        QVERIFY2(text.contains(QFileInfo(file).fileName()) && text.contains(says),
                 qPrintable(text));
        QCOMPARE(f.window.messages().level(), MessageBar::Level::Error);
        QTRY_VERIFY(!f.bridge().opening() && !f.window.session().busy() &&
                    !f.window.files().busy());
        QCOMPARE(f.document().filePath(), shown);
        QCOMPARE(f.document().image().id(), image);
        QVERIFY(f.document().pipeline() == steps);
        QVERIFY(f.bridge().resultIsCurrent());
        QVERIFY(!f.settings.recentFiles().contains(file));
    }

  private slots:
    void images_data() {
        QTest::addColumn<Opens>("open");
        QTest::newRow("command line") << Opens(
            [](WindowFixture& f, const QString& file) { f.window.files().openFiles({file}); });
        QTest::newRow("drop") << Opens(byDropping);
        QTest::newRow("second image") << Opens(
            [](WindowFixture& f, const QString& file) { f.window.files().openSecond(file); });
    }
    void images() {
        QFETCH(Opens, open);
        WindowFixture f;
        QVERIFY(f.open(f.scene("good.png")));
        QVERIFY(f.addStep("invert"));
        isRefused(f, open, pipe("pipe.png"), QStringLiteral("it is a FIFO, not a file"));
        isRefused(f, open, QStringLiteral("/dev/zero"), QStringLiteral("it is a device"));
        const QString secret = writeScene(m_folder.path(), QStringLiteral("secret.png"), {8, 8});
        QVERIFY(QFile::setPermissions(secret, {}));
        const io_test::OrdinaryUser user(m_folder.path().toStdString());
        isRefused(f, open, secret, QStringLiteral("permission denied"));
    }

    void byTheDialog() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("good.png")));
        isRefused(f, byItsDialog, pipe("pipe.png"), QStringLiteral("it is a FIFO, not a file"));
    }

    // In the list of a folder, between two images.
    void besideAnImage() {
        WindowFixture f;
        const QString first = f.scene("1.png"), last = f.scene("3.png", {90, 60});
        const QString between = f.folder.filePath(QStringLiteral("2.png"));
        QCOMPARE(::mkfifo(between.toLocal8Bit().constData(), 0600), 0);
        QVERIFY(f.open(first));
        f.press(Qt::Key_PageDown);
        QTRY_COMPARE(f.document().filePath(), last);
    }

    void pipelinesAndSessions() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("good.png")));
        QVERIFY(f.addStep("invert"));
        const Opens pipeline = [](WindowFixture& window, const QString& file) {
            window.window.files().openPipelineFrom(file);
        };
        const Opens session = [](WindowFixture& window, const QString& file) {
            window.window.session().openFrom(file);
        };
        const Opens any = [](WindowFixture& window, const QString& file) {
            window.window.files().openFiles({file});
        };
        const QString steps = pipe("steps.json"), kept = pipe("kept.warpscope-session");
        const QString says = QStringLiteral("it is a FIFO, not a file");
        isRefused(f, pipeline, steps, says);
        isRefused(f, any, steps, says);
        isRefused(f, session, kept, says);
        isRefused(f, any, kept, says);
        isRefused(f, pipeline, QStringLiteral("/dev/zero"), QStringLiteral("it is a device"));
        isRefused(f, session, m_folder.path(), QStringLiteral("it is a directory"));
    }
};

WARPSCOPE_TEST(NoFilesTest)
#include "no_files_test.moc"
