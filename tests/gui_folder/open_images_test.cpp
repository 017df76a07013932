// Images that stay open: view and region of each, one chain; what is kept in memory and read ahead.
#include <filesystem>

#include "gui/app/open_images.h"
#include "gui/document/image_cache.h"
#include "gui/document/prefetcher.h"
#include "gui/folder/folder_strip.h"
#include "support/test_case.h"
#include "tests/gui/window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class OpenImagesTest : public QObject {
    Q_OBJECT

    static std::uint64_t bytesOfImage(const PyramidPtr& pyramid) {
        return pyramid->byteCount() + std::uint64_t(pyramid->levels.front().byteCount());
    }

  private slots:
    void eachKeepsItsViewAndRegionAndTheChainIsShared() {
        WindowFixture f;
        const QString a = f.scene("a.png", {300, 200}), b = f.scene("b.png", {300, 200}, 8),
                      c = f.scene("c.png", {120, 90}, 9);
        QVERIFY(f.open(a));
        QVERIFY(f.addStep("invert"));
        f.press(Qt::Key_K, Qt::ControlModifier);
        QVERIFY(f.window.actions().keepOpen->isChecked());
        f.window.canvas().setZoom(6.0, QPointF(100, 100));
        const QPointF corner = f.window.canvas().imagePosition({50, 50});
        f.document().setRegion(Rect{10, 20, 30, 40});
        f.press(Qt::Key_PageDown);
        QTRY_COMPARE(f.document().filePath(), b);
        QVERIFY(!f.window.actions().keepOpen->isChecked());
        f.window.canvas().fit();
        f.document().setRegion(std::nullopt);
        f.press(Qt::Key_PageDown);
        QTRY_COMPARE(f.document().filePath(), c);
        f.press(Qt::Key_K, Qt::ControlModifier);
        f.document().setRegion(Rect{1, 2, 3, 4});
        f.press(Qt::Key_Tab, Qt::ControlModifier);
        QTRY_COMPARE(f.document().filePath(), a);
        QCOMPARE(f.window.canvas().zoom(), 6.0);
        QCOMPARE(f.window.canvas().imagePosition({50, 50}), corner);
        QCOMPARE(f.document().region(), (std::optional<Rect>(Rect{10, 20, 30, 40})));
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(1));
        f.press(Qt::Key_Tab, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(f.document().filePath(), c);
        QVERIFY(f.window.canvas().isFitted());
        QCOMPARE(f.document().region(), (std::optional<Rect>(Rect{1, 2, 3, 4})));
        // No longer kept: nothing of it is remembered.
        f.press(Qt::Key_K, Qt::ControlModifier);
        QCOMPARE(f.window.openImages().keptPaths(), QStringList{a});
        f.press(Qt::Key_Tab, Qt::ControlModifier);
        QTRY_COMPARE(f.document().filePath(), a);
    }

    void whatIsNoFileStaysOpenToo() {
        WindowFixture f;
        f.bridge().openImage(sceneOf({64, 48}, 5), QStringLiteral("Pasted"));
        QTRY_COMPARE(f.document().title(), QStringLiteral("Pasted"));
        f.press(Qt::Key_K, Qt::ControlModifier);
        QVERIFY(f.open(f.scene("a.png")));
        f.press(Qt::Key_Tab, Qt::ControlModifier);
        QTRY_COMPARE(f.document().title(), QStringLiteral("Pasted"));
        QVERIFY(sameSamples(f.document().image(), sceneOf({64, 48}, 5)));
    }

    void theNeighboursAreReadAhead() {
        WindowFixture f;
        QStringList paths;
        for (int i = 1; i <= 5; ++i)
            paths << f.scene(qPrintable(QStringLiteral("%1.png").arg(i)), {60, 40}, quint32(i));
        QVERIFY(f.open(paths[1]));
        ImageCache& images = f.bridge().images();
        QTRY_VERIFY(images.holds({paths[0]}) && images.holds({paths[2]}));
        QVERIFY(images.holds({paths[1]}));
        QVERIFY(!images.holds({paths[3]}));
        f.press(Qt::Key_PageDown);
        QTRY_VERIFY(images.holds({paths[3]}));
        QVERIFY(images.holds({paths[1]}));
        QVERIFY(!images.holds({paths[0]}));
        // The strip's mark keeps one that was never shown.
        emit f.window.strip().keepRequested(paths[4], true);
        f.press(Qt::Key_PageDown);
        f.press(Qt::Key_PageDown);
        QTRY_COMPARE(f.document().filePath(), paths[4]);
        QVERIFY(f.window.actions().keepOpen->isChecked());
    }

    void theCacheKeepsWhatIsWantedAndReadsWhatChanged() {
        QTemporaryDir folder;
        const QString a = writeScene(folder.path(), "a.png", {80, 60}, 1);
        const QString b = writeScene(folder.path(), "b.png", {80, 60}, 2);
        const QString c = writeScene(folder.path(), "c.png", {80, 60}, 3);
        ImageCache cache;
        const auto first = cache.load({a}, {});
        REQUIRE_OK(first);
        QVERIFY(!cache.holds({a}));
        const std::uint64_t one = bytesOfImage(*first);
        cache.retain({{a}, {b}, {c}}, 2 * one);
        for (const QString& path : {c, b, a}) REQUIRE_OK(cache.load({path}, {}));
        QVERIFY(cache.holds({a}) && cache.holds({b}) && !cache.holds({c}));
        QVERIFY(cache.byteCount() <= 2 * one);
        const auto again = cache.load({a}, {});
        REQUIRE_OK(again);
        QCOMPARE(*cache.load({a}, {}), *again);
        // Another file by renaming: other content, the same name.
        std::filesystem::rename(c.toStdString(), a.toStdString());
        QVERIFY(!cache.holds({a}));
        const auto other = cache.load({a}, {});
        REQUIRE_OK(other);
        QVERIFY(sameSamples((*other)->levels.front(), sceneOf({80, 60}, 3)));
        QFile::remove(b);
        REQUIRE_FAILS(cache.load({b}, {}), ErrorCode::NotFound, "b.png");
        cache.retain({}, one);
        QCOMPARE(cache.byteCount(), std::uint64_t(0));
    }

    void aPrefetchIsDroppedForAnother() {
        QTemporaryDir folder;
        QStringList paths;
        for (int i = 0; i < 6; ++i)
            paths << writeScene(folder.path(), QStringLiteral("%1.png").arg(i), {400, 300},
                                quint32(i));
        ImageCache cache;
        std::vector<ImageFile> all;
        for (const QString& path : paths) all.push_back({path});
        cache.retain(all, 1 << 30);
        {
            Prefetcher prefetcher(cache);
            prefetcher.fetch({all[0], all[1], {folder.filePath("missing.png")}, all[2]}, {});
            QTRY_VERIFY(cache.holds(all[2]));
            prefetcher.fetch({all[3], all[4]}, {});
            prefetcher.fetch({all[5]}, {});
            QTRY_VERIFY(cache.holds(all[5]));
            // A file that is beyond the limit is left to the person who opens it.
            ReadLimits tight;
            tight.maxDecodedBytes = 1000;
            cache.retain({}, 0);
            cache.retain(all, 1 << 30);
            prefetcher.fetch({all[0]}, tight);
        }
        QVERIFY(!cache.holds(all[0]));
    }
};

WARPSCOPE_TEST(OpenImagesTest)
#include "open_images_test.moc"
