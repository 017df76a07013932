// Thumbnails: size and content for every kind of file, what is wanted comes first, bounded memory.
#include <QSignalSpy>
#include <fstream>

#include "engine/io/image_writer.h"
#include "engine/io/reduced_reader.h"
#include "gui/folder/thumbnail_store.h"
#include "support/test_case.h"
#include "tests/gui/gui_samples.h"

using namespace warpscope;
using namespace warpscope::gui;

class ThumbnailsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString saved(const char* name, const Image& image) {
        const QString path = m_folder.filePath(QLatin1String(name));
        return saveImage(image, path.toStdString()) ? path : QString();
    }
    static QByteArray number(quint32 value, int bytes) {
        QByteArray text;
        for (int i = 0; i < bytes; ++i) text += char(value >> (8 * i));
        return text;
    }
    static QByteArray entry(int tag, int type, quint32 value) {
        return number(quint32(tag), 2) + number(quint32(type), 2) + number(1, 4) + number(value, 4);
    }
    // The JPEG with an EXIF block that holds an orientation and the preview.
    static QByteArray withExif(const QByteArray& jpeg, int orientation, const QByteArray& preview) {
        const quint32 second = 8 + 2 + 12 + 4, data = second + 2 + 24 + 4;
        const QByteArray tiff = "II*" + QByteArray(1, 0) + number(8, 4) + number(1, 2) +
                                entry(0x0112, 3, quint32(orientation)) + number(second, 4) +
                                number(2, 2) + entry(0x0201, 4, data) +
                                entry(0x0202, 4, quint32(preview.size())) + number(0, 4) + preview;
        const int length = int(tiff.size()) + 8;
        return jpeg.left(2) + "\xff\xe1" + char(length >> 8) + char(length & 255) + "Exif" +
               QByteArray(2, 0) + tiff + jpeg.mid(2);
    }
    static double meanDistance(const QImage& a, const Image& b) {
        double sum = 0;
        for (int y = 0; y < a.height(); ++y)
            for (int x = 0; x < a.width(); ++x) {
                const QColor c = a.pixelColor(x, y);
                const auto* p = b.view<std::uint8_t>().row(y) + 4 * x;
                sum += std::abs(c.red() - p[0]) + std::abs(c.green() - p[1]) +
                       std::abs(c.blue() - p[2]);
            }
        return sum / (3.0 * a.width() * a.height());
    }

  private slots:
    void aJpegComesAsSmallAsIsEnough() {
        const QString path = saved("photo.jpg", sceneOf({803, 601}));
        const auto whole = readImage(path.toStdString());
        REQUIRE_OK(whole);
        for (const auto& [side, width] : {std::pair{0, 803},
                                          {803, 803},
                                          {402, 803},
                                          {401, 402},
                                          {200, 201},
                                          {100, 101},
                                          {1, 101}}) {
            const auto image = readReducedImage(path.toStdString(), side);
            REQUIRE_OK(image);
            QCOMPARE(image->width(), width);
        }
        const Thumbnail thumbnail = makeThumbnail(path, 100, {});
        QCOMPARE(thumbnail.picture.size(), QSize(100, 75));
    }

    void theCamerasPreviewServesWhereItHasTheShape() {
        const Image preview = sceneOf({160, 120}, 3);
        const QString small = saved("preview.jpg", preview);
        const QString large = saved("large.jpg", sceneOf({1600, 1200}, 9));
        const auto shown = readImage(small.toStdString());
        REQUIRE_OK(shown);
        const auto write = [&](const QByteArray& bytes) {
            const QString path = m_folder.filePath(QStringLiteral("exif.jpg"));
            QFile file(path);
            return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? path
                                                                                        : QString();
        };
        const QString upright = write(withExif(bytesOf(large), 1, bytesOf(small)));
        auto image = readReducedImage(upright.toStdString(), 160);
        REQUIRE_OK(image);
        QVERIFY(sameSamples(*image, *shown));
        // Larger than the preview: of the image itself.
        image = readReducedImage(upright.toStdString(), 161);
        REQUIRE_OK(image);
        QCOMPARE(image->width(), 200);
        // Turned as the image is.
        const QString turned = write(withExif(bytesOf(large), 6, bytesOf(small)));
        image = readReducedImage(turned.toStdString(), 100);
        REQUIRE_OK(image);
        QCOMPARE(image->size(), (Size{120, 160}));
        QCOMPARE(image->view<std::uint8_t>().row(0)[4 * 119],
                 shown->view<std::uint8_t>().row(0)[0]);
        // Black bars above and below.
        const QString wide = saved("wide.jpg", sceneOf({1600, 1000}, 9));
        image =
            readReducedImage(write(withExif(bytesOf(wide), 1, bytesOf(small))).toStdString(), 100);
        REQUIRE_OK(image);
        QCOMPARE(image->size(), (Size{200, 125}));
        // A block that lies about where the preview is.
        for (int cut = 0; cut < 60; ++cut) {
            QByteArray bytes = withExif(bytesOf(large), 1, bytesOf(small));
            bytes[12 + cut] = char(0xFF);
            image = readReducedImage(write(bytes).toStdString(), 100);
            QVERIFY(!image || image->width() == 160 || image->width() == 200 ||
                    image->width() == 120 || image->width() == 150);
        }
    }

    void everyFormatHasItsPicture() {
        const Image scene = sceneOf({90, 60});
        const Thumbnail same = makeThumbnail(saved("scene.png", scene), 128, {});
        QCOMPARE(same.picture.size(), QSize(90, 60));
        QVERIFY(meanDistance(same.picture, scene) < 0.5);
        // Nearly black in its own range.
        auto dark = MutableImage::create(PixelFormat::Gray16, {200, 10});
        REQUIRE_OK(dark);
        for (int y = 0; y < 10; ++y)
            for (int x = 0; x < 200; ++x)
                dark->view<std::uint16_t>().row(y)[x] = std::uint16_t(x < 100 ? 20 : 90);
        ImageInfo info;
        info.whiteLevel = 65535;
        const Thumbnail shown =
            makeThumbnail(saved("dark.png", std::move(*dark).freeze(info)), 100, {});
        QCOMPARE(shown.picture.size(), QSize(100, 5));
        QVERIFY(shown.picture.pixelColor(10, 2).lightness() < 10);
        QVERIFY(shown.picture.pixelColor(90, 2).lightness() > 245);
    }

    void aFileThatCannotBeShownSaysWhy() {
        const QString path = m_folder.filePath(QStringLiteral("text.png"));
        std::ofstream(path.toStdString()) << "no picture";
        const Thumbnail none = makeThumbnail(path, 100, {});
        QVERIFY(none.picture.isNull());
        QVERIFY(none.problem.contains(QStringLiteral("text.png")));
        ReadOptions tight;
        tight.limits.maxDecodedBytes = 1000;
        QVERIFY(
            !makeThumbnail(saved("scene.png", sceneOf({90, 60})), 100, tight).problem.isEmpty());
    }

    void whatIsWantedIsMadeAndKeptWithinTheBytes() {
        QStringList paths;
        for (int i = 0; i < 24; ++i)
            paths << saved(qPrintable(QStringLiteral("%1.png").arg(i)),
                           sceneOf({100, 100}, quint32(i)));
        constexpr std::uint64_t kBytes = 10 * (100 * 100 * 4 + 256);
        ThumbnailStore store(nullptr, kBytes);
        QSignalSpy ready(&store, &ThumbnailStore::ready);
        store.want(paths.mid(0, 8));
        for (const QString& path : paths.mid(0, 8)) QTRY_VERIFY(store.find(path));
        store.want(paths.mid(16, 8));
        for (const QString& path : paths.mid(16, 8)) QTRY_VERIFY(store.find(path));
        QVERIFY(store.byteCount() <= kBytes);
        QVERIFY(!store.find(paths[8]));
        store.forget(paths[16]);
        QVERIFY(!store.find(paths[16]));
        store.want({paths[16]});
        QTRY_VERIFY(store.find(paths[16]));
        store.setSide(50);
        QVERIFY(!store.find(paths[17]));
        store.want({paths[17]});
        QTRY_VERIFY(store.find(paths[17]));
        QCOMPARE(store.find(paths[17])->picture.size(), QSize(50, 50));
    }

    void endsWhileItWorks() {
        QStringList paths;
        for (int i = 0; i < 12; ++i)
            paths << saved(qPrintable(QStringLiteral("e%1.png").arg(i)),
                           sceneOf({400, 300}, quint32(i)));
        ThumbnailStore store;
        store.want(paths);
    }
};

WARPSCOPE_TEST(ThumbnailsTest)
#include "thumbnails_test.moc"
