#include "gui/session/session_file.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "engine/io/image_reader.h"
#include "engine/io/text_file.h"
#include "gui/base/file_name.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

// More is not read for a hash: size and time must do.
constexpr qint64 kMostHashed = 256 << 20;

QString hashOf(const QString& path) {
    QFile file(path);
    if (file.size() > kMostHashed || !file.open(QIODevice::ReadOnly)) return {};
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!hash.addData(&file)) return {};
    return QString::fromLatin1(hash.result().toHex());
}

void stamp(SessionImage& image, bool withHash) {
    const QFileInfo info(image.path);
    if (image.path.isEmpty() || !info.isFile()) return;
    image.bytes = info.size();
    image.changedMs = info.lastModified().toMSecsSinceEpoch();
    if (withHash) image.sha256 = hashOf(image.path);
}

bool hasChanged(const SessionImage& image, const QString& path) {
    const QFileInfo info(path);
    if (image.bytes >= 0 && info.size() != image.bytes) return true;
    if (image.changedMs < 0 || info.lastModified().toMSecsSinceEpoch() == image.changedMs)
        return false;
    // A copy is younger, and still the same.
    return image.sha256.isEmpty() || hashOf(path) != image.sha256;
}

// True: it is there.
bool locate(SessionImage& image, const QDir& folder, QStringList& problems, bool tellsChange) {
    if (image.path.isEmpty()) return false;
    QStringList places{image.path};
    if (!image.relative.isEmpty() && QDir::isRelativePath(image.relative))
        places.prepend(QDir::cleanPath(folder.absoluteFilePath(image.relative)));
    for (const QString& place : places) {
        if (!QFileInfo(place).isFile()) continue;
        // Another one of that name in the folder, and the right one where it was.
        if (place != places.back() && hasChanged(image, place) &&
            QFileInfo(places.back()).isFile() && !hasChanged(image, places.back()))
            continue;
        if (tellsChange && hasChanged(image, place))
            problems << tr("%1 has changed").arg(shownFileName(place));
        image.path = place;
        return true;
    }
    problems << tr("%1 is not there").arg(shownName(QDir::toNativeSeparators(image.path)));
    image = {};
    return false;
}

void checkPage(Session& session, QStringList& problems) {
    if (session.page == 0 || session.shown.path.isEmpty()) return;
    const auto pages = listPages(pathOf(session.shown.path));
    if (pages && std::size_t(session.page) < pages->size()) return;
    problems
        << tr("%1 has no page %2").arg(shownFileName(session.shown.path)).arg(session.page + 1);
    session.page = 0;
}

}  // namespace

bool isSessionName(const QString& path) {
    return path.endsWith(QLatin1Char('.') + QLatin1String(kSessionSuffix), Qt::CaseInsensitive);
}

QString leftText(const QString& title) {
    return tr("%1 is no file and is not in it").arg(title);
}

Result<void> writeSession(Session session, const QString& path, bool portable,
                          const WriteOptions& options) {
    const QDir folder = QFileInfo(path).absoluteDir();
    const auto complete = [&](SessionImage& image, bool stamped) {
        if (image.path.isEmpty()) return;
        if (portable) image.relative = folder.relativeFilePath(image.path);
        if (stamped) stamp(image, portable);
    };
    complete(session.shown, true);
    complete(session.second, true);
    complete(session.compared, true);
    for (SessionKept& kept : session.kept) complete(kept.image, true);
    for (SessionImage& image : session.list) complete(image, false);
    const std::string text = toJson(session);
    const std::span bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    return writeFileAtomically(pathOf(path), bytes, options);
}

Result<ReadSession> readSession(const QString& path) {
    const auto text = readTextFile(pathOf(path), kMaxSessionBytes);
    if (!text) return fail(text.error());
    auto read = sessionFromJson(*text);
    if (!read) return read;
    Session& session = read->session;
    QStringList& problems = read->problems;
    const QDir folder = QFileInfo(path).absoluteDir();
    // Once each: what is shown is in the list as well.
    locate(session.shown, folder, problems, true);
    QStringList ofList;
    std::erase_if(session.list,
                  [&](SessionImage& image) { return !locate(image, folder, ofList, false); });
    for (const QString& problem : ofList)
        if (!problems.contains(problem)) problems << problem;
    locate(session.second, folder, problems, true);
    locate(session.compared, folder, problems, true);
    QStringList ofKept;
    std::erase_if(session.kept,
                  [&](SessionKept& kept) { return !locate(kept.image, folder, ofKept, true); });
    for (const QString& problem : ofKept)
        if (!problems.contains(problem)) problems << problem;
    checkPage(session, problems);
    for (const QString& title : session.left) problems << leftText(title);
    return read;
}

}  // namespace warpscope::gui
