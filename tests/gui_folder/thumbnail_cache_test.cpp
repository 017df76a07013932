// Thumbnails on disk as all programs of a desktop keep them: names, keys, age, damage.
#include <QDateTime>
#include <QFileInfo>
#include <QStandardPaths>

#include "gui/folder/thumbnail_cache.h"
#include "gui/folder/thumbnail_store.h"
#include "support/test_case.h"
#include "tests/gui/gui_samples.h"

using namespace warpscope;
using namespace warpscope::gui;

class ThumbnailCacheTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    // Of an hour ago: what is new is not kept.
    QString saved(const char* name, Size size = {400, 300}) {
        const QString path = m_folder->filePath(QLatin1String(name));
        if (!saveImage(sceneOf(size), path.toStdString())) return {};
        return age(path, 3600) ? path : QString();
    }
    static bool age(const QString& path, int seconds) {
        QFile file(path);
        return file.open(QIODevice::ReadWrite) &&
               file.setFileTime(QDateTime::currentDateTime().addSecs(-seconds),
                                QFileDevice::FileModificationTime);
    }
    static QString keptFile(const QString& path, int side = 96) {
        const auto state = ThumbnailCache::stateOf(path);
        return state ? ThumbnailCache::fileOf(*state, side) : QString();
    }
    // In place of what is kept: the same keys, all red.
    static bool paintRed(const QString& path, const QString& software) {
        const auto state = ThumbnailCache::stateOf(path);
        if (!state) return false;
        QImage red(128, 96, QImage::Format_RGB32);
        red.fill(Qt::red);
        red.setText(QStringLiteral("Thumb::URI"), QString::fromUtf8(state->uri));
        red.setText(QStringLiteral("Thumb::MTime"), QString::number(state->changed));
        if (!software.isEmpty()) red.setText(QStringLiteral("Software"), software);
        QDir().mkpath(QFileInfo(keptFile(path)).absolutePath());
        return red.save(keptFile(path), "png");
    }
    static bool isRed(const Thumbnail& thumbnail) {
        const QImage& picture = thumbnail.picture;
        return !picture.isNull() &&
               picture.pixelColor(picture.width() / 2, picture.height() / 2) == QColor(Qt::red);
    }

  private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        QStandardPaths::setTestModeEnabled(false);
        qputenv("XDG_CACHE_HOME", m_folder->filePath(QStringLiteral("cache")).toUtf8());
        QCOMPARE(ThumbnailCache::folder(), m_folder->filePath(QStringLiteral("cache/thumbnails")));
    }
    void cleanup() {
        qunsetenv("XDG_CACHE_HOME");
        QStandardPaths::setTestModeEnabled(true);
    }

    void namesAreThoseOfTheStandard() {
        ThumbnailCache::State state;
        state.uri = ThumbnailCache::uriOf(QStringLiteral("/home/jens/photos/me.png"));
        QCOMPARE(state.uri, QByteArray("file:///home/jens/photos/me.png"));
        QVERIFY(ThumbnailCache::fileOf(state, 128)
                    .endsWith(
                        QStringLiteral("/thumbnails/normal/c6ee772d9e49320e97ec29a7eb5b1697.png")));
        QVERIFY(ThumbnailCache::fileOf(state, 129).contains(QStringLiteral("/large/")));
        QCOMPARE(ThumbnailCache::uriOf(QString::fromUtf8("/a b/\u00e4;%(1).png")),
                 QByteArray("file:///a%20b/%C3%A4%3B%25(1).png"));
    }

    void whatIsMadeIsKeptAndUsed() {
        const QString path = saved("photo.png");
        const Thumbnail made = keptThumbnail(path, 96, {});
        QCOMPARE(made.picture.size(), QSize(96, 72));
        const QString file = keptFile(path);
        const QImage kept(file);
        QCOMPARE(kept.size(), QSize(128, 96));
        QCOMPARE(kept.text(QStringLiteral("Thumb::URI")),
                 QString::fromUtf8(ThumbnailCache::uriOf(path)));
        QCOMPARE(kept.text(QStringLiteral("Thumb::MTime")).toLongLong(),
                 QFileInfo(path).lastModified().toSecsSinceEpoch());
        QCOMPARE(QFile::permissions(file) & (QFile::ReadGroup | QFile::ReadOther),
                 QFile::Permissions());
        QVERIFY(paintRed(path, QStringLiteral("Warpscope")));
        QVERIFY(isRed(keptThumbnail(path, 96, {})));
        QCOMPARE(keptThumbnail(path, 96, {}).picture.size(), QSize(96, 72));
        // Larger ones are others.
        QVERIFY(!isRed(keptThumbnail(path, 192, {})));
        QVERIFY(QFile::exists(keptFile(path, 192)));
    }

    void aChangedFileGetsANewOne() {
        const QString path = saved("photo.png");
        QVERIFY(paintRed(path, QStringLiteral("Warpscope")));
        QVERIFY(isRed(keptThumbnail(path, 96, {})));
        QVERIFY(age(path, 7200));
        QVERIFY(!isRed(keptThumbnail(path, 96, {})));
        QCOMPARE(QImage(keptFile(path)).text(QStringLiteral("Thumb::MTime")).toLongLong(),
                 QFileInfo(path).lastModified().toSecsSinceEpoch());
    }

    void aDamagedOneIsIgnoredAndWrittenAnew() {
        const QString path = saved("photo.png");
        (void)keptThumbnail(path, 96, {});
        const QByteArray whole = bytesOf(keptFile(path));
        QVERIFY(whole.size() > 200);
        for (const QByteArray& damaged :
             {QByteArray(), QByteArray("no picture"), whole.left(whole.size() / 2),
              whole.left(20) + QByteArray(int(whole.size()) - 20, 'x')}) {
            {
                QFile file(keptFile(path));
                QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
                file.write(damaged);
            }
            const Thumbnail made = keptThumbnail(path, 96, {});
            QCOMPARE(made.picture.size(), QSize(96, 72));
            QCOMPARE(bytesOf(keptFile(path)), whole);
        }
    }

    void otherProgramsAreTrustedWithJpegAlone() {
        const QString png = saved("photo.png"), jpeg = saved("photo.jpg");
        QVERIFY(paintRed(png, QStringLiteral("Somebody")));
        QVERIFY(paintRed(jpeg, QString()));
        QVERIFY(!isRed(keptThumbnail(png, 96, {})));
        QVERIFY(isRed(keptThumbnail(jpeg, 96, {})));
    }

    void newFilesAndThoseOfTheCacheAreNotKept() {
        const QString path = saved("photo.png");
        QVERIFY(age(path, 0));
        QCOMPARE(keptThumbnail(path, 96, {}).picture.size(), QSize(96, 72));
        QVERIFY(!QDir(ThumbnailCache::folder()).exists());
        QVERIFY(age(path, 3600));
        (void)keptThumbnail(path, 96, {});
        const QString inside = keptFile(path);
        QVERIFY(age(inside, 3600));
        QVERIFY(!ThumbnailCache::stateOf(inside));
        QCOMPARE(keptThumbnail(inside, 96, {}).picture.size(), QSize(96, 72));
        QCOMPARE(QDir(QFileInfo(inside).absolutePath()).entryList(QDir::Files).size(), 1);
        QVERIFY(!keptThumbnail(m_folder->filePath(QStringLiteral("none.png")), 96, {})
                     .problem.isEmpty());
    }

    void smallImagesStayAsTheyAre() {
        const QString path = saved("icon.png", {40, 30});
        QCOMPARE(keptThumbnail(path, 96, {}).picture.size(), QSize(40, 30));
        QCOMPARE(QImage(keptFile(path)).size(), QSize(40, 30));
        QCOMPARE(keptThumbnail(path, 96, {}).picture.size(), QSize(40, 30));
    }

    void theStoreUsesItWhenItIsToldTo() {
        const QString path = saved("photo.png");
        QVERIFY(paintRed(path, QStringLiteral("Warpscope")));
        for (const bool onDisk : {false, true}) {
            ThumbnailStore store;
            store.setOnDisk(onDisk);
            store.setSide(96);
            store.want({path});
            QTRY_VERIFY(store.find(path));
            QCOMPARE(isRed(*store.find(path)), onDisk);
        }
    }
};

WARPSCOPE_TEST(ThumbnailCacheTest)
#include "thumbnail_cache_test.moc"
