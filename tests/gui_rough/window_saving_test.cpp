// Saving from the window: by its dialog, against disks that fail, cancelled, and closed in the
// middle.
#include <QElapsedTimer>
#include <QFileDialog>
#include <QLineEdit>
#include <QToolButton>
#include <stdexcept>
#include <thread>

#include "engine/io/image_reader.h"
#include "gui/window_fixture.h"
#include "io/faulty_file_calls.h"
#include "support/images.h"
#include "support/processor_time.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;
using io_test::FaultyFileCalls;

namespace {

// A disk that takes a while for each of many small pieces, and remembers whether it saw one.
struct SlowDisk {
    std::atomic<bool> writes = false;
    FaultyFileCalls calls{[this](std::string_view name, int) {
                              if (name != "write") return 0;
                              writes = true;
                              std::this_thread::sleep_for(std::chrono::milliseconds(20));
                              return 0;
                          },
                          256};
};

QStringList leftIn(const QTemporaryDir& folder) {
    return QDir(folder.path()).entryList({".warpscope*"}, QDir::Files | QDir::Hidden);
}

void putOld(const QString& path) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write("old"), 3);
}

}  // namespace

class WindowSavingTest : public QObject {
    Q_OBJECT

    // With the dialog open, as a person at the keyboard.
    static void giveName(WindowFixture& f, const QString& path) {
        auto* dialog = f.window.findChild<QFileDialog*>();
        QVERIFY(dialog);
        QVERIFY(QTest::qWaitForWindowExposed(dialog));
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        QVERIFY(name);
        name->setFocus();
        QTest::keySequence(name, QKeySequence::SelectAll);
        QTest::keyClicks(name, path);
        QTest::keyClick(name, Qt::Key_Return);
    }
    static QToolButton* cancelButton(WindowFixture& f) {
        return f.window.status().findChild<QToolButton*>(QStringLiteral("statusCancel"));
    }
    static bool says(WindowFixture& f, const char* part) {
        return f.window.messages().text().contains(QLatin1String(part));
    }
    static void openWithSteps(WindowFixture& f) {
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("invert"));
        // Figures are taken too; what is cancelled is the work that is shown.
        QVERIFY(waitedFor([&] { return !f.bridge().busy() && !f.window.files().busy(); }, 60'000));
    }

  private slots:
    void byTheKeyboard() {
        WindowFixture f;
        openWithSteps(f);
        const QString path = f.folder.filePath(QStringLiteral("saved.tif"));
        f.press(Qt::Key_S, Qt::ControlModifier);
        giveName(f, path);
        QTRY_VERIFY(says(f, "Saved"));
        const auto saved = readImage(path.toStdString());
        REQUIRE_OK(saved);
        QVERIFY(sameSamples(*saved, f.bridge().result()->levels.front()));
        QCOMPARE(leftIn(f.folder), QStringList());
    }

    void diskThatFails_data() {
        QTest::addColumn<QByteArray>("call");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("why");
        QTest::newRow("full") << QByteArray("write") << ENOSPC << "the disk is full";
        QTest::newRow("full, told late") << QByteArray("fsync") << ENOSPC << "the disk is full";
        QTest::newRow("quota") << QByteArray("close") << EDQUOT << "the disk quota is used up";
        QTest::newRow("read-only") << QByteArray("open") << EROFS << "the file system is read-only";
        QTest::newRow("broken") << QByteArray("rename") << EIO << "the disk reported an error";
    }
    void diskThatFails() {
        QFETCH(QByteArray, call);
        QFETCH(int, code);
        QFETCH(QString, why);
        WindowFixture f;
        openWithSteps(f);
        const Pipeline before = f.document().pipeline();
        const QString path = f.folder.filePath(QStringLiteral("saved.png"));
        putOld(path);
        {
            const FaultyFileCalls calls(
                [&](std::string_view name, int) { return name == call.toStdString() ? code : 0; });
            f.window.files().saveResultTo(path);
            QTRY_VERIFY(says(f, "Could not save."));
        }
        QVERIFY2(f.window.messages().text().contains(why), qPrintable(f.window.messages().text()));
        QVERIFY(f.window.messages().text().contains(QStringLiteral("saved.png")));
        QCOMPARE(f.window.messages().level(), MessageBar::Level::Error);
        QCOMPARE(bytesOf(path), QByteArray("old"));
        QCOMPARE(leftIn(f.folder), QStringList());
        // Everything is as it was, and the next save works.
        QVERIFY(f.document().pipeline() == before && f.bridge().resultIsCurrent());
        f.window.files().saveResultTo(path);
        QTRY_VERIFY(says(f, "Saved"));
        QVERIFY(readImage(path.toStdString()));
    }

    void whatIsThrownIsSaid() {
        WindowFixture f;
        openWithSteps(f);
        const QString path = f.folder.filePath(QStringLiteral("saved.png"));
        putOld(path);
        {
            const FaultyFileCalls calls([](std::string_view name, int) -> int {
                if (name == "fsync") throw std::runtime_error("nobody thought of this");
                return 0;
            });
            f.window.files().saveResultTo(path);
            QTRY_VERIFY(says(f, "nobody thought of this"));
            QCOMPARE(f.window.messages().level(), MessageBar::Level::Error);
            QTRY_VERIFY_WITH_TIMEOUT(!f.window.files().busy(), 30000);
        }
        QCOMPARE(bytesOf(path), QByteArray("old"));
        QCOMPARE(leftIn(f.folder), QStringList());
    }

    void cancelledByItsButton() {
        WindowFixture f;
        openWithSteps(f);
        const QString path = f.folder.filePath(QStringLiteral("saved.bmp"));
        putOld(path);
        {
            SlowDisk disk;
            f.window.files().saveResultTo(path);
            QTRY_VERIFY(disk.writes && cancelButton(f)->isVisible());
            QVERIFY(f.window.actions().cancel->isEnabled());
            QTest::mouseClick(cancelButton(f), Qt::LeftButton);
            QTRY_VERIFY_WITH_TIMEOUT(!f.window.files().busy(), 30000);
            QTRY_VERIFY(!cancelButton(f)->isVisible());
        }
        QVERIFY2(says(f, "Saving was cancelled"), qPrintable(f.window.messages().text()));
        QVERIFY(says(f, "saved.bmp"));
        QCOMPARE(bytesOf(path), QByteArray("old"));
        QCOMPARE(leftIn(f.folder), QStringList());
        f.window.files().saveResultTo(path);  // a cancel is not for later saves
        QTRY_VERIFY(says(f, "Saved"));
        QVERIFY(readImage(path.toStdString()));
    }

    void manyAreCancelledTwice() {
        WindowFixture f;
        openWithSteps(f);
        {
            SlowDisk disk;
            for (int i = 0; i < 20; ++i)
                f.window.files().saveResultTo(f.folder.filePath(QStringLiteral("%1.bmp").arg(i)));
            QTRY_VERIFY(disk.writes);
            f.press(Qt::Key_Period, Qt::ControlModifier);
            f.press(Qt::Key_Period, Qt::ControlModifier);
            QTRY_VERIFY_WITH_TIMEOUT(!f.window.files().busy(), 30000);
        }
        QCOMPARE(QDir(f.folder.path()).entryList(QDir::Files | QDir::Hidden),
                 QStringList{QStringLiteral("a.png")});
    }

    // A save that waits for the exact result goes with the work that would have made it.
    void cancelledBeforeItBegan() {
        WindowFixture f;
        f.document().setSource(pyramidOf(sceneOf({3000, 2000})), {}, QStringLiteral("large"));
        Step step = makeStep("nl_means").value();
        step.parameters.set("search_radius", std::int64_t(20));
        f.document().insertStep(0, step);
        QTRY_VERIFY(f.bridge().busy());
        const QString path = f.folder.filePath(QStringLiteral("saved.png"));
        f.window.files().saveResultTo(path);
        QVERIFY(f.window.files().savesUnfinished());
        QTRY_VERIFY(f.bridge().busy());
        f.press(Qt::Key_Period, Qt::ControlModifier);
        QVERIFY(!f.window.files().savesUnfinished());
        QVERIFY2(says(f, "Saving was cancelled"), qPrintable(f.window.messages().text()));
        QTRY_VERIFY_WITH_TIMEOUT(!f.bridge().busy(), 30000);
        QVERIFY(!QFile::exists(path));
    }

    void closingAsksOnceForEachSave() {
        WindowFixture f;
        openWithSteps(f);
        for (int round = 0; round < 2; ++round) {
            SlowDisk disk;
            f.window.files().saveResultTo(f.folder.filePath(QStringLiteral("saved.pgm")));
            f.window.files().saveResultTo(f.folder.filePath(QStringLiteral("saved.ppm")));
            QTRY_VERIFY(disk.writes);
            QVERIFY(!f.window.close());
            QVERIFY2(says(f, "Close again to cancel it"), qPrintable(f.window.messages().text()));
            f.window.files().cancelSaves();
            QTRY_VERIFY_WITH_TIMEOUT(!f.window.files().busy(), 30000);
            f.window.messages().clear(MessageBar::Level::Error);
        }
    }

    void closedInTheMiddle_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("mostMs");
        // Half of what saving takes to its end, and much more than closing does.
        QTest::newRow("saved.png") << QStringLiteral("saved.png") << 3000;
        QTest::newRow("saved.webp") << QStringLiteral("saved.webp") << 3500;
        QTest::newRow("saved.tif") << QStringLiteral("saved.tif") << 1500;
    }
    void closedInTheMiddle() {
        QFETCH(QString, name);
        QFETCH(int, mostMs);
        const QTemporaryDir folder;
        const QString path = folder.filePath(name);
        putOld(path);
        QElapsedTimer timer;
        qint64 computed = 0;
        {
            WindowFixture f;
            f.document().setSource(pyramidOf(test::makeNoise(PixelFormat::Rgba8, {7680, 4320}, 3)),
                                   {}, QStringLiteral("large"));
            QVERIFY(waitedFor([&] { return f.bridge().resultIsCurrent(); }, 60'000));
            f.window.files().saveResultTo(path);
            QVERIFY(waitedFor([&] { return f.window.files().busy(); }));
            QTest::qWait(200);
            timer.start();
            computed = test::processorMs();
            QVERIFY(!f.window.close());
            QVERIFY(f.window.close());
        }
        computed = test::processorMs() - computed;
        qInfo("gone after %lld ms, of processors %lld ms", (long long)timer.elapsed(),
              (long long)computed);
        QVERIFY(computed < mostMs * kSlowdown);
        QCOMPARE(bytesOf(path), QByteArray("old"));
        QCOMPARE(leftIn(folder), QStringList());
    }

    void twoWindowsAndOneFile() {
        WindowFixture f, g;
        openWithSteps(f);
        QVERIFY(g.open(g.scene("b.png", {90, 70}, 9)));
        const QString path = f.folder.filePath(QStringLiteral("both.tif"));
        for (int i = 0; i < 20; ++i) {
            f.window.files().saveResultTo(path);
            g.window.files().saveResultTo(path);
        }
        QTRY_VERIFY(!f.window.files().savesUnfinished() && !g.window.files().savesUnfinished());
        const auto saved = readImage(path.toStdString());
        REQUIRE_OK(saved);
        QVERIFY(sameSamples(*saved, f.bridge().result()->levels.front()) ||
                sameSamples(*saved, g.bridge().result()->levels.front()));
        QCOMPARE(leftIn(f.folder), QStringList());
    }
};

WARPSCOPE_TEST(WindowSavingTest)
#include "window_saving_test.moc"
