// Files that change on disk while they are open.
#include <QSignalSpy>
#include <filesystem>
#include <utility>

#include "gui/app/compare_controller.h"
#include "support/test_case.h"
#include "tests/gui/window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class ReloadTest : public QObject {
    Q_OBJECT

    static bool write(const QString& path, const QByteArray& bytes) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    }
    static bool shows(WindowFixture& f, const Image& image) {
        return waitedFor([&] { return sameSamples(f.document().image(), image); }, 20000);
    }

  private slots:
    void aFileThatIsWrittenAnewIsReadAnew() {
        WindowFixture f;
        const QString path = f.scene("a.png", {300, 200}, 1);
        QVERIFY(f.open(path));
        QVERIFY(f.addStep("invert"));
        f.window.canvas().setZoom(5.0, QPointF(30, 40));
        const QPointF corner = f.window.canvas().imagePosition({0, 0});
        f.document().setRegion(Rect{5, 6, 70, 80});
        f.scene("a.png", {300, 200}, 2);
        QVERIFY(shows(f, sceneOf({300, 200}, 2)));
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QCOMPARE(f.window.canvas().zoom(), 5.0);
        QCOMPARE(f.window.canvas().imagePosition({0, 0}), corner);
        QCOMPARE(f.document().region(), (std::optional<Rect>(Rect{5, 6, 70, 80})));
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(1));
        QCOMPARE(f.document().filePath(), path);
        QCOMPARE(f.window.messages().count(), 0);
        // Again, and of another size.
        f.scene("a.png", {120, 90}, 3);
        QVERIFY(shows(f, sceneOf({120, 90}, 3)));
        QVERIFY(!f.document().region());
    }

    void aReplacementByRenamingIsFollowed() {
        WindowFixture f;
        const QString path = f.scene("a.png", {90, 60}, 1);
        QTemporaryDir elsewhere(f.folder.path() + QStringLiteral("/x"));
        QVERIFY(f.open(path));
        for (const std::uint32_t seed : {2u, 3u}) {
            const QString fresh = writeScene(elsewhere.path(), "new.png", {90, 60}, seed);
            std::filesystem::rename(fresh.toStdString(), path.toStdString());
            QVERIFY(shows(f, sceneOf({90, 60}, seed)));
        }
        // Gone: the picture stays; back: it is read.
        QVERIFY(QFile::remove(path));
        QTest::qWait(300);
        QVERIFY(sameSamples(f.document().image(), sceneOf({90, 60}, 3)));
        QCOMPARE(f.window.messages().count(), 0);
        f.scene("a.png", {90, 60}, 4);
        QVERIFY(shows(f, sceneOf({90, 60}, 4)));
    }

    void aHalfWrittenFileIsTriedAgain() {
        WindowFixture f;
        const QString path = f.scene("a.png", {200, 150}, 1);
        QVERIFY(f.open(path));
        const QByteArray whole = bytesOf(writeScene(f.folder.path(), "b.png", {200, 150}, 2));
        QVERIFY(write(path, whole.left(whole.size() / 2)));
        // Rests long enough to be looked at.
        QTest::qWait(700);
        QVERIFY(sameSamples(f.document().image(), sceneOf({200, 150}, 1)));
        QCOMPARE(f.window.messages().count(), 0);
        QVERIFY(write(path, whole));
        QVERIFY(shows(f, sceneOf({200, 150}, 2)));
        QCOMPARE(f.window.messages().count(), 0);
    }

    void aFileThatStaysBrokenIsNamedAndItsPictureStays() {
        WindowFixture f;
        const QString path = f.scene("a.png", {90, 60}, 1);
        QVERIFY(f.open(path));
        QVERIFY(write(path, "no picture"));
        QTRY_COMPARE_WITH_TIMEOUT(f.window.messages().count(), 1, 30000);
        QVERIFY(f.window.messages().text().contains(QStringLiteral("a.png")));
        QVERIFY(sameSamples(f.document().image(), sceneOf({90, 60}, 1)));
        f.scene("a.png", {90, 60}, 2);
        QVERIFY(shows(f, sceneOf({90, 60}, 2)));
        QTRY_COMPARE(f.window.messages().count(), 0);
    }

    void theFolderIsFollowed() {
        WindowFixture f;
        const QString a = f.scene("a.png", {40, 30}), c = f.scene("c.png", {41, 30});
        QVERIFY(f.open(a));
        QTRY_COMPARE(f.window.files().images(), (QStringList{a, c}));
        const QString b = f.scene("b.png", {42, 30});
        QTRY_COMPARE(f.window.files().images(), (QStringList{a, b, c}));
        QVERIFY(QFile::remove(c));
        QTRY_COMPARE(f.window.files().images(), (QStringList{a, b}));
        f.press(Qt::Key_PageDown);
        QTRY_COMPARE(f.document().filePath(), b);
    }

    void theSecondImageToo() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {40, 30})));
        const QString second = f.scene("second.png", {40, 30}, 5);
        f.window.files().openSecond(second);
        QTRY_VERIFY(f.document().second());
        f.scene("second.png", {40, 30}, 6);
        QTRY_VERIFY(sameSamples(f.document().second()->levels.front(), sceneOf({40, 30}, 6)));
    }

    // Between reading it and watching it, while what was read is kept nowhere but in the document.
    void theSecondImageBeforeItIsWatched() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {40, 30})));
        const QString second = f.scene("second.png", {40, 30}, 5);
        connect(&f.bridge(), &EngineBridge::openingSecondChanged, &f.window, [&](bool opening) {
            if (opening || f.document().second()) return;
            f.bridge().images().retain({}, 0);
            f.scene("second.png", {40, 30}, 6);
        });
        f.window.files().openSecond(second);
        QTRY_VERIFY(f.document().second());
        QTRY_VERIFY(sameSamples(f.document().second()->levels.front(), sceneOf({40, 30}, 6)));
    }

    // What was told once is not told again whenever something else changes.
    void whatCannotBeReadIsTriedOnce() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {40, 30})));
        f.window.files().openSecond(f.scene("second.png", {40, 30}, 5));
        QTRY_VERIFY(f.document().second());
        QSignalSpy failed(&f.bridge(), &EngineBridge::openSecondFailed);
        QVERIFY(write(f.document().secondPath(), "no picture"));
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 30000);
        f.scene("b.png", {41, 30});  // the folder's images change, so what is watched is said anew
        QTRY_COMPARE(f.window.files().images().size(), 3);
        QTest::qWait(500);
        QCOMPARE(failed.size(), 1);
        QVERIFY(sameSamples(f.document().second()->levels.front(), sceneOf({40, 30}, 5)));
    }

    void theComparedImageToo() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {40, 30})));
        const QString other = f.scene("other.png", {40, 30}, 5);
        CompareController& compare = f.window.comparing();
        connect(&compare, &CompareController::read, &f.window, [&, first = true]() mutable {
            if (std::exchange(first, false)) f.scene("other.png", {40, 30}, 6);
        });
        compare.compareWith(other);
        QTRY_VERIFY(compare.source() &&
                    sameSamples(compare.source()->levels.front(), sceneOf({40, 30}, 6)));
    }
};

WARPSCOPE_TEST(ReloadTest)
#include "reload_test.moc"
