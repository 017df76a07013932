// Opening, dropping, pasting and saving in the real window.
#include <QClipboard>
#include <QDropEvent>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>

#include "gui/app/log_panel.h"
#include "gui/app/qimage_convert.h"
#include "io/hostile_files.h"
#include "support/test_case.h"
#include "window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class FilesTest : public QObject {
    Q_OBJECT

    static bool write(const QString& path, const QByteArray& bytes) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    }
    static void drop(QWidget& window, QMimeData& data) {
        QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &data, Qt::LeftButton,
                              Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event(QPointF(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &event);
        QVERIFY(event.isAccepted());
    }

  private slots:
    void aNoteOnAFileGoesWithTheFile() {
        WindowFixture f;
        const auto write = [&](const char* name, const QByteArray& bytes) {
            const QString path = f.folder.filePath(QLatin1String(name));
            QFile file(path);
            return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? path
                                                                                        : QString();
        };
        // What changes nothing of the picture is for the log alone.
        const QByteArray gamma(QByteArray::fromHex("0000b18f"));
        const QString twice =
            write("gamma.png", hostile::png(4, hostile::pngChunk("gAMA", gamma).repeated(2)));
        QVERIFY(f.open(twice));
        QVERIFY(!f.document().image().info().notices.empty());
        QCOMPARE(f.window.messages().count(), 0);
        auto* log = f.window.findChild<LogPanel*>();
        QTRY_VERIFY(log->text().contains(QStringLiteral("gamma.png: libpng: ")));
        // What was left out is said, until another image is there.
        QVERIFY(f.open(write("two.pgm", QByteArray("P5 1 1 255\naP5 1 1 255\nb"))));
        QTRY_COMPARE(f.window.messages().count(), 1);
        QVERIFY(f.window.messages().text().contains(QStringLiteral("two.pgm")));
        QVERIFY(f.open(f.scene("b.png")));
        QTRY_COMPARE(f.window.messages().count(), 0);
    }

    void opensAndRemembersAFile() {
        WindowFixture f;
        const QString path = f.scene("photo.png");
        QVERIFY(f.open(path));
        QVERIFY(f.window.windowTitle().contains(QStringLiteral("photo.png")));
        QCOMPARE(f.settings.recentFiles(), QStringList{path});
        QCOMPARE(f.settings.lastFolder(), f.folder.path());
        QMenu* recent = f.window.files().recent().menu();
        QVERIFY(recent->isEnabled());
        const QString other = f.scene("other.png", {90, 60});
        QVERIFY(f.open(other));
        recent->actions().at(1)->trigger();
        QTRY_COMPARE(f.document().filePath(), path);
    }

    void aBadFileShowsTheMessageAndKeepsTheImage() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("photo.png")));
        QVERIFY(f.addStep("gaussian_blur"));
        const auto id = f.document().image().id();
        const QString bad = f.folder.filePath(QStringLiteral("bad.png"));
        QVERIFY(write(bad, "no picture at all"));
        f.window.files().openFiles({bad});
        QTRY_COMPARE(f.window.messages().count(), 1);
        QCOMPARE(f.window.messages().level(), MessageBar::Level::Error);
        QVERIFY(f.window.messages().isVisible());
        QVERIFY(f.window.messages().text().contains(QStringLiteral("bad.png")));
        QCOMPARE(f.document().image().id(), id);
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(1));
        QVERIFY(f.bridge().resultIsCurrent());
        QVERIFY(!f.settings.recentFiles().contains(bad));
        // It says nothing about the next image.
        QVERIFY(f.open(f.scene("next.png")));
        QCOMPARE(f.window.messages().count(), 0);
    }

    void pageKeysWalkThroughSeveralFiles() {
        WindowFixture f;
        const QStringList paths{f.scene("1.png", {40, 30}), f.scene("2.png", {41, 30}),
                                f.scene("3.png", {42, 30})};
        f.window.files().openFiles(paths);
        QTRY_COMPARE(f.document().filePath(), paths[0]);
        f.press(Qt::Key_PageDown);
        QTRY_COMPARE(f.document().filePath(), paths[1]);
        f.press(Qt::Key_PageDown);
        QTRY_COMPARE(f.document().filePath(), paths[2]);
        QVERIFY(!f.window.actions().nextImage->isEnabled());
        f.press(Qt::Key_PageUp);
        QTRY_COMPARE(f.document().filePath(), paths[1]);
    }

    void aFailedOpenKeepsTheListAndThePlaceInIt() {
        WindowFixture f;
        const QStringList paths{f.scene("1.png", {40, 30}), f.folder.filePath("2.png"),
                                f.scene("3.png", {42, 30})};
        QVERIFY(write(paths[1], "no picture"));
        f.window.files().openFiles(paths);
        QTRY_COMPARE(f.document().filePath(), paths[0]);
        const QString missing = f.folder.filePath(QStringLiteral("missing.png"));
        f.window.files().openFiles({missing});
        QTRY_COMPARE(f.window.messages().count(), 1);
        QVERIFY2(f.window.messages().text().contains(QStringLiteral("does not exist")),
                 qPrintable(f.window.messages().text()));
        QCOMPARE(f.window.files().images(), paths);
        QCOMPARE(f.window.files().imageIndex(), 0);
        QVERIFY(f.window.actions().nextImage->isEnabled());
        // One that cannot be opened is named, and does not bar the way to the next.
        f.window.canvas().setFocus();
        f.press(Qt::Key_PageDown);
        QTRY_COMPARE(f.document().filePath(), paths[2]);
        QCOMPARE(f.window.messages().count(), 1);
        QVERIFY(f.window.messages().text().contains(QStringLiteral("2.png")));
        QCOMPARE(f.window.files().images(), paths);
        QCOMPARE(f.window.files().imageIndex(), 2);
    }

    void ofSeveralFilesThoseThatCanBeAreOpened() {
        WindowFixture f;
        const QString bad = f.folder.filePath(QStringLiteral("bad.png"));
        QVERIFY(write(bad, "no picture"));
        const QString good = f.scene("good.png", {40, 30});
        f.window.files().openFiles({bad, good});
        QTRY_COMPARE(f.document().filePath(), good);
        QCOMPARE(f.window.files().images(), QStringList{good});
        QVERIFY(f.window.messages().text().contains(QStringLiteral("bad.png")));
        QVERIFY(f.open(f.scene("next.png")));
        QCOMPARE(f.window.messages().count(), 0);
    }

    void aRecentFileStaysWhileItsFolderIsAway() {
        WindowFixture f;
        QVERIFY(QDir(f.folder.path()).mkdir(QStringLiteral("drive")));
        const QString there = f.scene("drive/a.png", {40, 30});
        QVERIFY(f.open(there));
        const QString here = f.scene("b.png", {40, 30});
        QVERIFY(f.open(here));
        QVERIFY(QDir(f.folder.filePath(QStringLiteral("drive"))).removeRecursively());
        f.window.files().openFiles({there});
        QTRY_COMPARE(f.window.messages().count(), 1);
        QVERIFY(f.settings.recentFiles().contains(there));
        QVERIFY(QFile::remove(here));
        f.window.files().openFiles({here});
        QTRY_COMPARE(f.window.messages().count(), 2);
        QVERIFY(!f.settings.recentFiles().contains(here));
    }

    void aDroppedFileIsOpened() {
        WindowFixture f;
        const QString path = f.scene("dropped.png");
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        drop(f.window, data);
        QTRY_COMPARE(f.document().filePath(), path);
    }

    void otherThingsCannotBeDropped() {
        WindowFixture f;
        QMimeData data;
        data.setText(QStringLiteral("words"));
        data.setUrls({QUrl(QStringLiteral("https://example.org/a.png"))});
        QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &data, Qt::LeftButton,
                              Qt::NoModifier);
        enter.ignore();
        QApplication::sendEvent(&f.window, &enter);
        QVERIFY(!enter.isAccepted());
    }

    void pastesAndCopiesPictures() {
        WindowFixture f;
        QImage picture(30, 20, QImage::Format_RGBA8888);
        picture.fill(QColor(10, 200, 30, 77));
        QApplication::clipboard()->setImage(picture);
        f.press(Qt::Key_V, Qt::ControlModifier);
        QTRY_COMPARE(f.document().image().size(), (Size{30, 20}));
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QApplication::clipboard()->clear();
        f.window.canvas().setFocus();
        f.press(Qt::Key_C, Qt::ControlModifier);
        QTRY_COMPARE(QApplication::clipboard()->image().size(), QSize(30, 20));
        QCOMPARE(QApplication::clipboard()->image().pixelColor(3, 3), QColor(10, 200, 30, 77));
    }

    void pastingNothingSaysSo() {
        WindowFixture f;
        QApplication::clipboard()->clear();
        f.window.actions().paste->trigger();
        QCOMPARE(f.window.messages().count(), 1);
        QCOMPARE(f.window.messages().level(), MessageBar::Level::Info);
    }

    void savesTheExactResult() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("photo.png")));
        f.document().insertStep(0, makeStep("grayscale").value());
        const QString target = f.folder.filePath(QStringLiteral("out.png"));
        QSignalSpy saved(&f.window.files(), &FileController::saved);
        f.window.files().saveResultTo(target);  // before the result is there
        QTRY_COMPARE(saved.count(), 1);
        const QImage written(target);
        const QImage result = toQImage(f.bridge().result()->levels.front());
        QCOMPARE(written.size(), result.size());
        for (int y = 0; y < result.height(); ++y)
            for (int x = 0; x < result.width(); ++x)
                QCOMPARE(written.pixelColor(x, y), result.pixelColor(x, y));
    }

    // Of a result that is turned: the region is the source's, what is saved is upright in the
    // result.
    void savesAndCopiesTheRegion() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("photo.png", {160, 120})));
        const Actions& a = f.window.actions();
        QVERIFY(!a.saveRegion->isEnabled() && !a.copyRegion->isEnabled());
        Step crop = makeStep("crop").value();
        crop.parameters.set("x", std::int64_t(20));
        crop.parameters.set("y", std::int64_t(10));
        f.document().insertStep(0, crop);
        QVERIFY(f.addStep("invert"));
        f.document().setRegion(Rect{31, 17, 23, 11});
        QVERIFY(a.saveRegion->isEnabled() && a.copyRegion->isEnabled());
        const QImage result = toQImage(f.bridge().result()->levels.front());
        const QString target = f.folder.filePath(QStringLiteral("region.png"));
        QSignalSpy saved(&f.window.files(), &FileController::saved);
        f.window.files().saveResultTo(target, false, {.regionOnly = true});
        QTRY_COMPARE(saved.count(), 1);
        QApplication::clipboard()->clear();
        a.copyRegion->trigger();
        QTRY_VERIFY(!QApplication::clipboard()->image().isNull());
        for (const QImage& part : {QImage(target), QApplication::clipboard()->image()}) {
            QCOMPARE(part.size(), QSize(23, 11));
            for (int y = 0; y < 11; ++y)
                for (int x = 0; x < 23; ++x)
                    QCOMPARE(part.pixelColor(x, y), result.pixelColor(x + 11, y + 7));
        }
        // Asked for before the result is there, with the region of then.
        const QString later = f.folder.filePath(QStringLiteral("later.png"));
        f.document().setStepEnabled(1, false);
        QVERIFY(!f.bridge().resultIsCurrent());
        f.window.files().saveResultTo(later, false, {.regionOnly = true});
        f.document().setRegion(std::nullopt);
        QVERIFY(!a.saveRegion->isEnabled());
        QTRY_COMPARE(saved.count(), 2);
        QCOMPARE(QImage(later).size(), QSize(23, 11));
        // What the crop has taken away is nowhere.
        f.document().setRegion(Rect{0, 0, 15, 9});
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        a.copyRegion->trigger();
        QTRY_VERIFY(f.window.messages().text().contains(QStringLiteral("outside the result")));
    }

    void savesAsSeen() {
        WindowFixture f;
        auto made = MutableImage::create(PixelFormat::Gray16, {64, 48});
        QVERIFY(made.has_value());
        const auto sample = [](int x, int y) { return std::uint16_t(1000 + 10 * x + y); };
        for (int y = 0; y < 48; ++y)
            for (int x = 0; x < 64; ++x) made->view<std::uint16_t>().row(y)[x] = sample(x, y);
        f.bridge().openImage(std::move(*made).freeze({}), QStringLiteral("deep"));
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        const Image image = f.document().image();
        f.window.display().setManual(image, {1050, 1550});
        const QString seen = f.folder.filePath(QStringLiteral("seen.png"));
        const QString exact = f.folder.filePath(QStringLiteral("exact.png"));
        QSignalSpy saved(&f.window.files(), &FileController::saved);
        f.window.files().saveResultTo(exact);
        QTRY_COMPARE(saved.count(), 1);
        f.window.files().saveResultTo(seen, false, {.asSeen = true});
        QTRY_COMPARE(saved.count(), 2);
        QVERIFY2(f.window.messages().text().contains(QStringLiteral("black 1050, white 1550")),
                 qPrintable(f.window.messages().text()));
        const QImage shown(seen), kept(exact);
        QCOMPARE(shown.depth(), 8);
        for (int y = 0; y < 48; ++y)
            for (int x = 0; x < 64; ++x) {
                QCOMPARE(kept.pixelColor(x, y).rgba64().red(), sample(x, y));
                const double level = std::clamp((sample(x, y) - 1050) / 500.0, 0.0, 1.0) * 255;
                QVERIFY(std::abs(qGray(shown.pixel(x, y)) - level) <= 0.51);
            }
    }

    // A cancelled chain is computed for the save that needs it.
    void aSaveAfterCancelIsWritten() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png", {700, 500})));
        f.document().insertStep(0, makeStep("nl_means").value());
        QVERIFY(!f.bridge().resultIsCurrent());
        f.bridge().cancel();
        QVERIFY(!f.bridge().busy());
        const QString target = f.folder.filePath(QStringLiteral("b.png"));
        f.window.files().saveResultTo(target);
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(target), 60000);
        QVERIFY(f.bridge().resultIsCurrent());
    }

    void theSourceIsNotReplacedUnasked() {
        WindowFixture f;
        const QString source = f.scene("photo.png");
        QVERIFY(f.open(source));
        QVERIFY(f.addStep("grayscale"));
        const QByteArray before = bytesOf(source);
        const QString link = f.folder.filePath(QStringLiteral("link.png"));
        QVERIFY(QFile::link(source, link));
        for (const QString& target : {link, source}) {
            f.window.files().saveResultTo(target);
            QTRY_COMPARE(f.window.messages().level(), MessageBar::Level::Warning);
            QCOMPARE(bytesOf(source), before);
            if (target == link) f.window.messages().dismiss();
        }
        QSignalSpy saved(&f.window.files(), &FileController::saved);
        auto* replace = f.window.findChild<QPushButton*>(QStringLiteral("messageAction"));
        QVERIFY(replace->isVisible());
        QTest::mouseClick(replace, Qt::LeftButton);
        QTRY_COMPARE(saved.count(), 1);
        QVERIFY(bytesOf(source) != before);
    }

    void aFailedSaveNamesTheCause() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("photo.png")));
        f.window.files().saveResultTo(f.folder.filePath(QStringLiteral("no/such/folder/a.png")));
        QTRY_COMPARE(f.window.messages().level(), MessageBar::Level::Error);
        QVERIFY(f.window.messages().text().contains(QStringLiteral("a.png")));
        // Said once.
        QVERIFY2(!f.window.messages().text().contains(QStringLiteral("not saved")),
                 qPrintable(f.window.messages().text()));
        f.window.messages().dismiss();
        f.window.files().saveResultTo(f.folder.filePath(QStringLiteral("a.unknown")));
        QTRY_COMPARE(f.window.messages().level(), MessageBar::Level::Error);
    }

    // A pixel wide and as long as an image may be.
    void longThinImagesAreOpenedAndZoomed() {
        constexpr int kLong = 1'048'576;
        QByteArray samples(kLong, Qt::Uninitialized);
        for (int i = 0; i < kLong; ++i) samples[i] = char(i % 251);
        WindowFixture f;
        f.document().insertStep(0, makeStep("invert").value());
        for (const char* sides : {"1 1048576", "1048576 1"}) {
            const QString path = f.folder.filePath(QString::fromLatin1(sides) + ".pgm");
            QVERIFY(write(path, QByteArray("P5 ") + sides + " 255\n" + samples));
            QVERIFY(f.open(path));
            const Image result = f.bridge().result()->levels.front();
            QCOMPARE(std::max(result.width(), result.height()), kLong);
            const auto seen = result.view<std::uint8_t>();
            for (int i = 0; i < kLong; i += 1021) {
                const int value = result.width() == 1 ? seen.row(i)[0] : seen.row(0)[i];
                QCOMPARE(value, 255 - i % 251);
            }
            const double fitting = f.window.canvas().zoom();
            for (int i = 0; i < 40; ++i) f.window.actions().zoomIn->trigger();
            QVERIFY(f.window.canvas().zoom() > 100 * fitting);
            f.window.grab();
            for (int i = 0; i < 60; ++i) f.window.actions().zoomOut->trigger();
            f.window.actions().fit->trigger();
            QCOMPARE(f.window.canvas().zoom(), fitting);
            QVERIFY2(f.window.messages().count() == 0, qPrintable(f.window.messages().text()));
        }
    }

    void pipelinesAreSavedAndOpened() {
        WindowFixture f;
        Step step = makeStep("gaussian_blur").value();
        step.parameters.set("sigma", 3.25);
        f.document().insertStep(0, step);
        const Pipeline before = f.document().pipeline();
        const QString path = f.folder.filePath(QStringLiteral("p.json"));
        QSignalSpy saved(&f.window.files(), &FileController::saved);
        f.window.files().savePipelineTo(path);
        QTRY_COMPARE(saved.count(), 1);
        f.document().removeStep(0);
        f.window.files().openFiles({path});
        QCOMPARE(f.document().pipeline(), before);
        f.press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(f.document().pipeline().steps.empty());
    }

    void aBadPipelineKeepsTheOneThatIsThere_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("place");  // said in the message
        const auto steps = [](const QByteArray& all, const char* version = "1") {
            return QByteArray(R"({"schema": "warpscope-pipeline/VERSION", "steps": [STEPS]})")
                .replace("VERSION", version)
                .replace("STEPS", all);
        };
        const auto step = [](const char* operation, const char* parameters) {
            return QByteArray(R"({"operation": "OPERATION", "variant": "automatic",
                                  "enabled": true, "parameters": {PARAMETERS}})")
                .replace("OPERATION", operation)
                .replace("PARAMETERS", parameters);
        };
        QTest::newRow("empty") << QByteArray() << "line 1";
        QTest::newRow("not JSON") << QByteArray("hello") << "line 1";
        QTest::newRow("unknown operation") << steps(step("magic", "")) << "steps[0]";
        QTest::newRow("unknown parameter")
            << steps(step("invert", "") + "," + step("invert", "\"x\": 1")) << "steps[1]";
        QTest::newRow("1e999") << steps(step("gaussian_blur", "\"sigma\": 1e999")) << "1e999";
        QTest::newRow("radius of 10^9")
            << steps(step("box_mean", "\"radius\": 1000000000")) << "steps[0].parameters.radius";
        QTest::newRow("newer") << steps({}, "2") << "newer version";
        QTest::newRow("a million steps")
            << steps(QByteArray("{},").repeated(999'999) + "{}") << "steps[256]";
        QTest::newRow("nested") << QByteArray(2000, '[') << "[0][0]";
        QTest::newRow("not UTF-8") << QByteArray("{\"schema\": \"\xff\xfe\"}") << "byte 13";
        QTest::newRow("too large") << QByteArray(5 << 20, ' ') << "limit";
    }
    void aBadPipelineKeepsTheOneThatIsThere() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, place);
        WindowFixture f;
        f.document().insertStep(0, makeStep("equalize").value());
        const Pipeline before = f.document().pipeline();
        const QString path = f.folder.filePath(QStringLiteral("bad.json"));
        QVERIFY(write(path, bytes));
        f.window.files().openPipelineFrom(path);
        QCOMPARE(f.document().pipeline(), before);
        QCOMPARE(f.window.messages().level(), MessageBar::Level::Error);
        const QString said = f.window.messages().text();
        QVERIFY2(said.contains(QStringLiteral("bad.json")) && said.contains(place),
                 qPrintable(said));
        f.window.files().openPipelineFrom(f.folder.path());
        QCOMPARE(f.document().pipeline(), before);
        f.window.files().openPipelineFrom(f.folder.filePath(QStringLiteral("none.json")));
        QVERIFY2(f.window.messages().text().endsWith(QStringLiteral("none.json: does not exist")),
                 qPrintable(f.window.messages().text()));
        QCOMPARE(f.document().pipeline(), before);
    }

    void picturesKeepTheirSamples_data() {
        QTest::addColumn<QImage::Format>("format");
        QTest::addColumn<PixelFormat>("expected");
        QTest::newRow("gray") << QImage::Format_Grayscale8 << PixelFormat::Gray8;
        QTest::newRow("gray 16") << QImage::Format_Grayscale16 << PixelFormat::Gray16;
        QTest::newRow("alpha") << QImage::Format_RGBA8888 << PixelFormat::Rgba8;
        QTest::newRow("argb") << QImage::Format_ARGB32 << PixelFormat::Rgba8;
        QTest::newRow("rgb") << QImage::Format_RGB32 << PixelFormat::Rgba8;
        QTest::newRow("rgb packed") << QImage::Format_RGB888 << PixelFormat::Rgba8;
        QTest::newRow("16 bits") << QImage::Format_RGBA64 << PixelFormat::Rgba16;
    }
    void picturesKeepTheirSamples() {
        QFETCH(QImage::Format, format);
        QFETCH(PixelFormat, expected);
        QImage picture(37, 5, QImage::Format_RGBA8888);
        for (int y = 0; y < 5; ++y)
            for (int x = 0; x < 37; ++x)
                picture.setPixelColor(x, y, QColor(x * 6, y * 50, 255 - x, 255 - y * 20));
        picture = picture.convertToFormat(format);
        const auto image = fromQImage(picture, QStringLiteral("test"));
        QVERIFY(image.has_value());
        QCOMPARE(image->format(), expected);
        QCOMPARE(image->info().hasAlpha, picture.hasAlphaChannel());
        const QImage back = toQImage(*image);
        for (int y = 0; y < 5; ++y)
            for (int x = 0; x < 37; ++x) QCOMPARE(back.pixelColor(x, y), picture.pixelColor(x, y));
        QVERIFY(!fromQImage(QImage(), {}));
    }
};

WARPSCOPE_TEST(FilesTest)
#include "files_test.moc"
