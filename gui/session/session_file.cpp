#include "gui/session/session_file.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSet>
#include <algorithm>
#include <map>
#include <utility>

#include "engine/io/isolated_reader.h"
#include "engine/io/text_file.h"
#include "gui/base/file_name.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

// More is not read for a hash, of one file and of all: size and time must do.
constexpr qint64 kMostHashed = 256 << 20;
constexpr qint64 kMostHashedTogether = 2 * kMostHashed;
constexpr qint64 kHashedAtOnce = 1 << 20;  // between two looks at the stop token

// Of files of one session, which may name one of them very often: each is read once.
class Hashes {
  public:
    explicit Hashes(std::stop_token stop) : m_stop(std::move(stop)) {}

    bool stopped() const { return m_stop.stop_requested(); }
    // Empty: stopped, too long or unreadable.
    QString of(const QString& path) {
        const QString file = QFileInfo(path).canonicalFilePath();
        const auto known = m_known.find(file);
        if (known != m_known.end()) return known->second;
        return m_known[file] = read(file);
    }

  private:
    QString read(const QString& path) {
        QFile file(path);
        // Not what comes after it: a file can grow, and some have no end.
        qint64 left = file.size();
        if (left > std::min(kMostHashed, m_left) || !file.open(QIODevice::ReadOnly)) return {};
        m_left -= left;
        QCryptographicHash hash(QCryptographicHash::Sha256);
        while (left > 0) {
            if (stopped()) return {};
            const QByteArray bytes = file.read(std::min(left, kHashedAtOnce));
            if (bytes.isEmpty()) return {};
            hash.addData(bytes);
            left -= bytes.size();
        }
        return QString::fromLatin1(hash.result().toHex());
    }

    std::stop_token m_stop;
    std::map<QString, QString> m_known;
    qint64 m_left = kMostHashedTogether;
};

void stamp(SessionImage& image, Hashes* hashes) {
    const QFileInfo info(image.path);
    if (image.path.isEmpty() || !info.isFile()) return;
    image.bytes = info.size();
    image.changedMs = info.lastModified().toMSecsSinceEpoch();
    if (hashes) image.sha256 = hashes->of(image.path);
}

enum class Change { None, Unknown, Certain };

Change changeOf(const SessionImage& image, const QString& path, Hashes& hashes) {
    const QFileInfo info(path);
    if (image.bytes >= 0 && info.size() != image.bytes) return Change::Certain;
    if (image.changedMs < 0 || info.lastModified().toMSecsSinceEpoch() == image.changedMs)
        return Change::None;
    if (image.sha256.isEmpty()) return Change::Certain;
    // A copy is younger, and still the same.
    const QString hash = hashes.of(path);
    if (hash.isEmpty()) return Change::Unknown;
    return hash == image.sha256 ? Change::None : Change::Certain;
}

// As the window names it. Behind a link to a folder ".." is not what the text says.
QString cleaned(const QString& path) {
    const QString clean = QDir::cleanPath(path);
    if (clean == path) return path;
    const QString file = QFileInfo(path).canonicalFilePath();
    return QFileInfo(clean).canonicalFilePath() == file ? clean : file;
}

// Where the images of a session are now: beside its file, and where the person has found one.
class Places {
  public:
    Places(const QDir& folder, const std::vector<FoundImage>& found, std::stop_token stop)
        : m_folder(folder), m_found(found), m_hashes(std::move(stop)) {}

    bool stopped() const { return m_hashes.stopped(); }
    // True: it is there.
    bool locate(SessionImage& image, ReadSession& read, QStringList& problems, bool tellsChange) {
        if (image.path.isEmpty() || stopped()) return false;
        const QStringList places = of(image);
        for (const QString& place : places) {
            if (!QFileInfo(place).isFile()) continue;
            // Another one of that name in the folder, and the right one elsewhere.
            const auto right = [&](const QString& other) {
                return other != place && QFileInfo(other).isFile() &&
                       changeOf(image, other, m_hashes) != Change::Certain;
            };
            if (changeOf(image, place, m_hashes) == Change::Certain &&
                std::ranges::any_of(places, right))
                continue;
            const Change change = tellsChange ? changeOf(image, place, m_hashes) : Change::None;
            if (change == Change::Certain)
                problems << tr("%1 has changed").arg(shownFileName(place));
            else if (change == Change::Unknown)
                problems << tr("%1 may have changed").arg(shownFileName(place));
            image.path = cleaned(place);
            return true;
        }
        problems << tr("%1 is not there").arg(shownName(QDir::toNativeSeparators(image.path)));
        if (!read.missing.contains(image.path)) read.missing << image.path;
        image = {};
        return false;
    }

  private:
    // The best one first.
    QStringList of(const SessionImage& image) const {
        QStringList places;
        if (!image.relative.isEmpty() && QDir::isRelativePath(image.relative))
            places << QDir::cleanPath(m_folder.absoluteFilePath(image.relative));
        places << image.path;
        for (const FoundImage& one : m_found) {
            if (one.missing == image.path) return {one.path};
            // Others have most likely moved with it.
            const QDir there = QFileInfo(one.path).absoluteDir();
            places << there.filePath(
                QDir(QFileInfo(one.missing).absolutePath()).relativeFilePath(image.path));
            places << there.filePath(QFileInfo(image.path).fileName());
        }
        return places;
    }

    QDir m_folder;
    const std::vector<FoundImage>& m_found;
    Hashes m_hashes;
};

void checkPage(Session& session, QStringList& problems) {
    if (session.page == 0 || session.shown.path.isEmpty()) return;
    const auto pages = listPagesIsolated(pathOf(session.shown.path));
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
                          const WriteOptions& options, std::stop_token stop) {
    const QDir folder = QFileInfo(path).absoluteDir();
    Hashes hashes(std::move(stop));
    const auto complete = [&](SessionImage& image, bool stamped) {
        if (image.path.isEmpty()) return;
        if (portable) image.relative = folder.relativeFilePath(image.path);
        if (stamped) stamp(image, portable ? &hashes : nullptr);
    };
    complete(session.shown, true);
    complete(session.second, true);
    complete(session.compared, true);
    for (SessionKept& kept : session.kept) complete(kept.image, true);
    for (SessionImage& image : session.list) complete(image, false);
    const std::string text = toJson(session);
    if (text.size() > kMaxSessionBytes)
        return fail(ErrorCode::LimitExceeded,
                    tr("It would take more than %1 MiB and could not be opened again. Regions of "
                       "kept images that were drawn freehand take most.")
                        .arg(kMaxSessionBytes >> 20)
                        .toStdString());
    const std::span bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    return writeFileAtomically(pathOf(path), bytes, options);
}

Result<ReadSession> parseSession(const QString& path) {
    const auto text = readTextFile(pathOf(path), kMaxSessionBytes);
    if (!text) return fail(text.error());
    return sessionFromJson(*text);
}

ReadSession withImages(ReadSession read, const QString& path, const std::vector<FoundImage>& found,
                       std::stop_token stop) {
    Session& session = read.session;
    QStringList& problems = read.problems;
    Places places(QFileInfo(path).absoluteDir(), found, std::move(stop));
    // Once each: what is shown is in the list as well.
    places.locate(session.shown, read, problems, true);
    QStringList ofList;
    std::erase_if(session.list,
                  [&](SessionImage& image) { return !places.locate(image, read, ofList, false); });
    for (const QString& problem : ofList)
        if (!problems.contains(problem)) problems << problem;
    places.locate(session.second, read, problems, true);
    places.locate(session.compared, read, problems, true);
    QStringList ofKept;
    std::erase_if(session.kept, [&](SessionKept& kept) {
        return !places.locate(kept.image, read, ofKept, true);
    });
    for (const QString& problem : ofKept)
        if (!problems.contains(problem)) problems << problem;
    if (places.stopped()) return read;
    checkPage(session, problems);
    for (const QString& title : session.left) problems << leftText(title);
    return read;
}

Result<ReadSession> readSession(const QString& path, std::stop_token stop) {
    auto parsed = parseSession(path);
    if (!parsed) return parsed;
    ReadSession read = withImages(std::move(*parsed), path, {}, stop);
    if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "cancelled");
    return read;
}

QString contentsText(const Session& session) {
    QStringList parts;
    QSet<QString> others;
    for (const SessionKept& kept : session.kept) others << kept.image.path;
    for (const SessionImage* image : {&session.second, &session.compared}) others << image->path;
    others.remove(session.shown.path);
    others.remove(QString());
    if (!session.shown.path.isEmpty())
        parts << shownFileName(session.shown.path);
    else if (session.scene)
        parts << tr("the sample scene");
    if (!others.isEmpty())
        parts << (others.size() == 1 ? tr("one more image")
                                     : tr("%n more images", nullptr, int(others.size())));
    const int steps = int(session.pipeline.steps.size());
    if (steps > 0) parts << (steps == 1 ? tr("one step") : tr("%n steps", nullptr, steps));
    return parts.join(QStringLiteral(", "));
}

}  // namespace warpscope::gui
