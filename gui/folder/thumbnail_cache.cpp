#include "gui/folder/thumbnail_cache.h"

#include <QBuffer>
#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImageReader>
#include <QImageWriter>
#include <QSaveFile>
#include <QStandardPaths>
#include <algorithm>

#include "gui/base/file_name.h"

namespace warpscope::gui {
namespace {

constexpr int kNormal = 128;
constexpr int kLarge = 256;
constexpr qint64 kRestSeconds = 2;
constexpr qint64 kMostFileBytes = 1 << 20;
const QString kUri = QStringLiteral("Thumb::URI");
const QString kChanged = QStringLiteral("Thumb::MTime");
const QString kBytes = QStringLiteral("Thumb::Size");
const QString kSoftware = QStringLiteral("Software");
const QString kOurs = QStringLiteral("Warpscope");

// Other programs show 16 bits and floats in their own ways; a JPEG looks the same everywhere.
bool trusted(const QImage& kept, const QByteArray& uri) {
    const QByteArray name = uri.toLower();
    return kept.text(kSoftware) == kOurs || name.endsWith(".jpg") || name.endsWith(".jpeg");
}

}  // namespace

QString ThumbnailCache::folder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
           QStringLiteral("/thumbnails");
}

// As GLib writes them, for the sum of the name is over this text.
QByteArray ThumbnailCache::uriOf(const QString& path) {
    return "file://" + nameToBytes(path).toPercentEncoding("!$&'()*+,/:=@");
}

std::optional<ThumbnailCache::State> ThumbnailCache::stateOf(const QString& path) {
    const QFileInfo file(path);
    if (!file.exists()) return {};
    const QString absolute = file.absoluteFilePath();
    const QString cache = QFileInfo(folder()).canonicalFilePath();  // empty: there is none yet
    if (!cache.isEmpty() && file.canonicalFilePath().startsWith(cache + QLatin1Char('/')))
        return {};
    const std::int64_t changed = file.lastModified().toSecsSinceEpoch();
    if (QDateTime::currentSecsSinceEpoch() - changed < kRestSeconds) return {};
    return State{uriOf(absolute), changed, std::uint64_t(file.size())};
}

int ThumbnailCache::keptSide(int side) {
    return side <= kNormal ? kNormal : side <= kLarge ? kLarge : 0;
}

QString ThumbnailCache::fileOf(const State& state, int side) {
    const QByteArray sum = QCryptographicHash::hash(state.uri, QCryptographicHash::Md5).toHex();
    return QStringLiteral("%1/%2/%3.png")
        .arg(folder(),
             keptSide(side) == kNormal ? QStringLiteral("normal") : QStringLiteral("large"),
             QString::fromLatin1(sum));
}

std::optional<QImage> ThumbnailCache::load(const State& state, int side) {
    const int kept = keptSide(side);
    if (kept == 0) return {};
    QFile file(fileOf(state, side));
    if (file.size() > kMostFileBytes || !file.open(QIODevice::ReadOnly)) return {};
    QImageReader reader(&file, "png");
    const QSize size = reader.size();
    if (size.isEmpty() || std::max(size.width(), size.height()) > kept) return {};
    const QImage picture = reader.read();
    if (picture.isNull() || picture.text(kUri).toUtf8() != state.uri ||
        picture.text(kChanged) != QString::number(state.changed) || !trusted(picture, state.uri))
        return {};
    const QString bytes = picture.text(kBytes);
    if (!bytes.isEmpty() && bytes != QString::number(state.bytes)) return {};
    // One that is smaller than it may be is of a small image: as large as it gets.
    const QSize wanted = size.scaled(side, side, Qt::KeepAspectRatio);
    const QSize shown = wanted.width() < size.width() || wanted.height() < size.height()
                            ? wanted.expandedTo({1, 1})
                            : size;
    return (shown == size ? picture
                          : picture.scaled(shown, Qt::IgnoreAspectRatio, Qt::SmoothTransformation))
        .convertToFormat(QImage::Format_ARGB32_Premultiplied);
}

void ThumbnailCache::save(const State& state, const QImage& picture, int side) {
    const int kept = keptSide(side);
    if (kept == 0 || picture.isNull()) return;
    QImage small = picture;
    if (std::max(small.width(), small.height()) > kept)
        small = small.scaled(kept, kept, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    small.setText(kUri, QString::fromUtf8(state.uri));
    small.setText(kChanged, QString::number(state.changed));
    small.setText(kBytes, QString::number(state.bytes));
    small.setText(kSoftware, kOurs);
    const QString path = fileOf(state, side);
    const QString parent = QFileInfo(path).absolutePath();
    constexpr auto kOwner = QFile::ReadOwner | QFile::WriteOwner;
    for (const QString& made : {folder(), parent})
        if (!QFileInfo::exists(made) && QDir().mkpath(made))
            QFile::setPermissions(made, kOwner | QFile::ExeOwner);
    // Whoever reads at the same time has the old file or the new one.
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return;
    file.setPermissions(kOwner);
    QImageWriter writer(&file, "png");
    if (writer.write(small)) file.commit();
}

}  // namespace warpscope::gui
