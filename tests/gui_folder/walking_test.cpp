// Walking a folder: by keys, strip, argument and drop.
#include <QClipboard>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <filesystem>

#include "gui/base/file_name.h"
#include "gui/folder/folder_strip.h"
#include "support/test_case.h"
#include "tests/gui/window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class WalkingTest : public QObject {
    Q_OBJECT

    static bool write(const QString& path, const QByteArray& bytes) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    }
    // Pages of 4 x 2 grey pixels; the samples of page n are 50 n and `more`.
    static QByteArray tiffOf(int pages, int more = 0) {
        const auto number = [](quint32 value, int bytes) {
            QByteArray text;
            for (int i = 0; i < bytes; ++i) text += char(value >> (8 * i));
            return text;
        };
        QByteArray file = "II*" + QByteArray(1, 0) + number(8, 4);
        for (int page = 0; page < pages; ++page) {
            const auto entry = [&](int tag, int type, quint32 value) {
                return number(quint32(tag), 2) + number(quint32(type), 2) + number(1, 4) +
                       number(value, 4);
            };
            const auto at = quint32(file.size());
            const quint32 data = at + 2 + 9 * 12 + 4;
            file += number(9, 2) + entry(256, 3, 4) + entry(257, 3, 2) + entry(258, 3, 8) +
                    entry(259, 3, 1) + entry(262, 3, 1) + entry(273, 4, data) + entry(277, 3, 1) +
                    entry(278, 3, 2) + entry(279, 4, 8) +
                    number(page + 1 < pages ? data + 8 : 0, 4) +
                    QByteArray(8, char(50 * page + more));
        }
        return file;
    }
    static QString said(WindowFixture& f) {
        QString all;
        for (const QLabel* label : f.window.status().findChildren<QLabel*>()) all += label->text();
        return all;
    }
    static QDockWidget& dock(WindowFixture& f) {
        return *f.window.findChild<QDockWidget*>(QStringLiteral("imagesDock"));
    }
    static void drop(WindowFixture& f, const QByteArray& uri) {
        QMimeData data;
        data.setData(QStringLiteral("text/uri-list"), uri + "\r\n");
        QDragEnterEvent enter(QPoint(300, 200), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&f.window, &enter);
        QDropEvent event(QPointF(300, 200), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&f.window, &event);
        QVERIFY(event.isAccepted());
    }
    // Of the strip's tile of that path.
    static QPoint tile(FolderStrip& strip, const QString& path) {
        for (int row = 0; row < strip.model()->rowCount(); ++row) {
            const QModelIndex index = strip.model()->index(row, 0);
            if (index.data(StripModel::PathRole).toString() == path)
                return strip.visualRect(index).center();
        }
        return {-1, -1};
    }

  private slots:
    // What is no file has a tile of its own between those of the folder, and the keys lead from it
    // to its neighbours: the image that was open, and the one before that.
    void whatIsNoFileHasATile() {
        WindowFixture f;
        const QStringList paths{f.scene("img1.png", {40, 30}), f.scene("img2.png", {41, 30}),
                                f.scene("img3.png", {42, 30})};
        f.window.files().openFiles({f.folder.path()});
        QTRY_COMPARE(f.document().filePath(), paths[0]);
        FolderStrip& strip = f.window.strip();
        QTRY_VERIFY(strip.isVisible());
        QVERIFY(f.open(paths[1]));
        QImage picture(50, 20, QImage::Format_RGB32);
        picture.fill(QColor(200, 0, 0));
        const auto paste = [&] {
            QGuiApplication::clipboard()->setImage(picture);
            f.window.canvas().setFocus();
            f.press(Qt::Key_V, Qt::ControlModifier);
            return waitedFor([&] {
                return f.document().filePath().isEmpty() &&
                       f.document().image().width() == picture.width();
            });
        };
        const auto current = [&](int role) { return strip.currentIndex().data(role); };
        for (const auto& [key, reached] :
             {std::pair{Qt::Key_PageDown, paths[1]}, {Qt::Key_PageUp, paths[0]}}) {
            QVERIFY(f.open(paths[1]));
            QTRY_COMPARE(strip.model()->rowCount(), 3);
            QVERIFY(paste());
            QCOMPARE(strip.model()->rowCount(), 4);
            QCOMPARE(strip.currentIndex().row(), 1);
            QCOMPARE(current(Qt::DisplayRole).toString(), QStringLiteral("Pasted image"));
            const QImage tile = current(StripModel::PictureRole).value<QImage>();
            QVERIFY(!tile.isNull());
            QCOMPARE(tile.pixelColor(tile.rect().center()), QColor(200, 0, 0));
            QVERIFY2(!said(f).contains(QStringLiteral("of 3")), qPrintable(said(f)));
            // A click on it changes nothing.
            QTest::mouseClick(strip.viewport(), Qt::LeftButton, {},
                              strip.visualRect(strip.currentIndex()).center());
            f.window.canvas().setFocus();
            f.press(key);
            QTRY_COMPARE(f.document().filePath(), reached);
            QTRY_COMPARE(strip.model()->rowCount(), 3);
            QCOMPARE(current(StripModel::PathRole).toString(), reached);
        }
        // A scene of the program as well, also where it is the first image of all.
        f.window.actions().openSample->trigger();
        QTRY_VERIFY(f.document().filePath().isEmpty());
        QCOMPARE(strip.currentIndex().row(), 0);
        QVERIFY(!current(StripModel::PictureRole).value<QImage>().isNull());
        QVERIFY(!f.window.actions().previousImage->isEnabled());
        f.press(Qt::Key_PageDown);
        QTRY_COMPARE(f.document().filePath(), paths[0]);
    }

    void aSingleFileLetsThePageKeysWalkItsFolder() {
        WindowFixture f;
        const QString ten = f.scene("img10.png", {40, 30}), two = f.scene("img2.png", {41, 30}),
                      three = f.scene("img3.png", {42, 30});
        QVERIFY(f.open(two));
        QTRY_COMPARE(f.window.files().images(), (QStringList{two, three, ten}));
        QVERIFY2(said(f).contains(QStringLiteral("1 of 3")), qPrintable(said(f)));
        QVERIFY(dock(f).isHidden());
        f.press(Qt::Key_PageDown);
        QTRY_COMPARE(f.document().filePath(), three);
        QVERIFY(said(f).contains(QStringLiteral("2 of 3")));
        f.press(Qt::Key_PageDown);
        f.press(Qt::Key_PageUp);
        f.press(Qt::Key_PageDown);
        QTRY_COMPARE(f.document().filePath(), ten);
        QTRY_VERIFY(!f.window.actions().nextImage->isEnabled());
        QVERIFY(f.window.actions().previousImage->isEnabled());
    }

    // Results beside their images are not walked to, other new files are.
    void whatIsSavedFromHereIsLeftOut() {
        WindowFixture f;
        const QString a = f.scene("a.png", {40, 30}), c = f.scene("c.png", {42, 30});
        QVERIFY(f.open(a));
        QTRY_COMPARE(f.window.files().images(), (QStringList{a, c}));
        QVERIFY(f.addStep("invert"));
        const QString result = f.folder.filePath(QStringLiteral("a-result.png"));
        f.window.files().saveResultTo(result);
        QTRY_VERIFY(QFile::exists(result) && !f.window.files().busy());
        // Seen with a file that comes later.
        const QString b = f.scene("b.png", {41, 30});
        QTRY_COMPARE(f.window.files().images(), (QStringList{a, b, c}));
        f.window.canvas().setFocus();
        f.press(Qt::Key_PageDown);
        QTRY_COMPARE(f.document().filePath(), b);
        QVERIFY2(said(f).contains(QStringLiteral("2 of 3")), qPrintable(said(f)));
        // One of the list that is written over stays in it.
        f.window.files().saveResultTo(c);
        QTRY_VERIFY(!f.window.files().busy() && f.bridge().resultIsCurrent());
        f.window.files().refreshFolder();
        QTest::qWait(50);
        QCOMPARE(f.window.files().images(), (QStringList{a, b, c}));
        // Who opens it walks on from it.
        QVERIFY(f.open(result));
        QTRY_COMPARE(f.window.files().images(), (QStringList{a, result, b, c}));
        const QString other = f.folder.filePath(QStringLiteral("d-result.png"));
        f.window.files().saveResultTo(other);
        QTRY_VERIFY(QFile::exists(other) && !f.window.files().busy());
        f.window.files().openFiles({f.folder.path()});
        QTRY_COMPARE(f.window.files().images(), (QStringList{a, result, b, c, other}));
    }

    void aFolderIsItsImages() {
        WindowFixture f;
        const QString a = f.scene("a.png", {40, 30}), b = f.scene("b.png", {41, 30});
        f.window.files().openFiles({f.folder.path()});
        QTRY_COMPARE(f.document().filePath(), a);
        QCOMPARE(f.window.files().images(), (QStringList{a, b}));
        QVERIFY(dock(f).isVisible());
        f.window.canvas().setFocus();
        f.press(Qt::Key_PageDown);
        QTRY_COMPARE(f.document().filePath(), b);
        QTemporaryDir empty;
        f.window.files().openFiles({empty.path()});
        QTRY_COMPARE(f.window.messages().count(), 1);
        QCOMPARE(f.document().filePath(), b);
        QCOMPARE(f.window.files().images(), (QStringList{a, b}));
    }

    void aDroppedFolderToo() {
        WindowFixture f;
        const QString a = f.scene("a.png", {40, 30});
        f.scene("b.png", {41, 30});
        drop(f, QUrl::fromLocalFile(f.folder.path()).toEncoded());
        QTRY_COMPARE(f.document().filePath(), a);
        QCOMPARE(f.window.files().images().size(), 2);
    }

    void namesThatAreNoTextAreOpened() {
        WindowFixture f;
        const QString a = f.scene("a.png", {40, 30}), z = f.scene("z.png", {41, 30});
        const QString odd = f.folder.path() + QLatin1Char('/') + nameFromBytes("b\xe9.png");
        std::filesystem::copy_file(pathOf(z), pathOf(odd));
        QVERIFY(f.open(a));
        QTRY_COMPARE(f.window.files().images().size(), 3);
        f.press(Qt::Key_PageDown);
        QTRY_COMPARE(f.document().filePath(), odd);
        QVERIFY(f.window.windowTitle().startsWith(QStringLiteral("b\ufffd.png")));
        f.press(Qt::Key_PageUp);
        QTRY_COMPARE(f.document().filePath(), a);
        drop(f, QUrl::fromLocalFile(f.folder.path()).toEncoded() + "/b%E9.png");
        QTRY_COMPARE(f.document().filePath(), odd);
        QVERIFY(!f.settings.recentFiles().contains(odd));
        std::filesystem::remove(pathOf(odd));  // QTemporaryDir cannot
    }

    void unreadableFilesAreNamedAndPassedOver() {
        WindowFixture f;
        const QString a = f.scene("a.png", {40, 30});
        for (const char* name : {"b.png", "c.png", "d.png", "e.png", "f.png"})
            QVERIFY(write(f.folder.filePath(QLatin1String(name)), "no picture"));
        const QString z = f.scene("z.png", {41, 30});
        QVERIFY(f.open(a));
        QTRY_COMPARE(f.window.files().images().size(), 7);
        f.press(Qt::Key_PageDown);
        QTRY_COMPARE(f.document().filePath(), z);
        QVERIFY(f.window.messages().count() >= 2);
        QCOMPARE(f.window.files().imageIndex(), 6);
        // Back over them, and what vanished is one of them.
        QVERIFY(QFile::remove(f.folder.filePath("d.png")));
        f.press(Qt::Key_PageUp);
        QTRY_COMPARE(f.document().filePath(), a);
        // At the end of the way the image that is open stays.
        QVERIFY(QFile::remove(z));
        QVERIFY(write(z, "no picture any more"));
        f.press(Qt::Key_PageDown);
        QTRY_VERIFY(f.window.messages().text().contains(QStringLiteral("z.png")) ||
                    f.window.messages().text().contains(QStringLiteral("More files")));
        QCOMPARE(f.document().filePath(), a);
        f.press(Qt::Key_PageUp);
        QTRY_COMPARE(f.window.files().imageIndex(), 0);
    }

    void theStripOpensByMouseAndKeys() {
        WindowFixture f;
        const QStringList paths{f.scene("a.png", {40, 30}), f.scene("b.png", {41, 30}),
                                f.scene("c.png", {42, 30})};
        f.window.files().openFiles(paths);
        QTRY_COMPARE(f.document().filePath(), paths[0]);
        FolderStrip& strip = f.window.strip();
        QTRY_VERIFY(strip.isVisible());
        QTRY_VERIFY(strip.complete());
        for (int row = 0; row < 3; ++row) {
            const QImage picture =
                strip.model()->index(row, 0).data(StripModel::PictureRole).value<QImage>();
            QCOMPARE(picture.size(), QSize(40 + row, 30));
        }
        QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, tile(strip, paths[2]));
        QTRY_COMPARE(f.document().filePath(), paths[2]);
        strip.setFocus();
        QTest::keyClick(&strip, Qt::Key_Left);
        QCOMPARE(f.document().filePath(), paths[2]);
        QTest::keyClick(&strip, Qt::Key_Return);
        QTRY_COMPARE(f.document().filePath(), paths[1]);
        QTest::keyClick(&strip, Qt::Key_PageUp);
        QTRY_COMPARE(f.document().filePath(), paths[0]);
        QCOMPARE(strip.currentIndex().row(), 0);
        // Letters are not searched for in it.
        QTest::keyClick(&strip, Qt::Key_C);
        QCOMPARE(strip.currentIndex().row(), 0);
    }

    void aFileOfSeveralImagesIsWalkedPageByPage() {
        WindowFixture f;
        const QString next = f.scene("z.png", {40, 30});
        const QString path = f.folder.filePath("pages.tif");
        QVERIFY(write(path, tiffOf(3)));
        QVERIFY(f.open(path));
        QTRY_VERIFY2(said(f).contains(QStringLiteral("page 1 of 3")), qPrintable(said(f)));
        f.document().setRegion(Rect{1, 0, 2, 1});
        QVERIFY(!f.window.actions().previousPage->isEnabled());
        const auto shown = [&] { return int(f.document().image().view<std::uint8_t>().row(0)[0]); };
        QCOMPARE(shown(), 0);
        f.press(Qt::Key_PageDown, Qt::ControlModifier);
        f.press(Qt::Key_PageDown, Qt::ControlModifier);
        QTRY_COMPARE(shown(), 100);
        QVERIFY(said(f).contains(QStringLiteral("page 3 of 3")));
        QVERIFY(!f.window.actions().nextPage->isEnabled());
        QVERIFY(f.document().region());
        // Written anew, the page stays.
        QVERIFY(write(path, tiffOf(4, 7)));
        QTRY_COMPARE_WITH_TIMEOUT(shown(), 107, 20000);
        f.press(Qt::Key_PageUp, Qt::ControlModifier);
        QTRY_COMPARE(shown(), 57);
        f.press(Qt::Key_PageDown);
        QTRY_COMPARE(f.document().filePath(), next);
        QTRY_VERIFY(!said(f).contains(QStringLiteral("page")));
    }

    void whoPutsTheStripAwayHasNone() {
        WindowFixture f;
        const QStringList paths{f.scene("a.png", {40, 30}), f.scene("b.png", {41, 30})};
        f.window.files().openFiles(paths);
        QTRY_VERIFY(dock(f).isVisible());
        dock(f).toggleViewAction()->trigger();
        QVERIFY(dock(f).isHidden());
        f.window.files().openFiles({paths[1], paths[0]});
        QTRY_COMPARE(f.document().filePath(), paths[1]);
        QVERIFY(dock(f).isHidden());
    }
};

WARPSCOPE_TEST(WalkingTest)
#include "walking_test.moc"
