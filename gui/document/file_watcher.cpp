#include "gui/document/file_watcher.h"

namespace warpscope::gui {
namespace {

constexpr int kRestMs = 120;

}  // namespace

FileWatcher::FileWatcher(QObject* parent) : QObject(parent) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, &FileWatcher::look);
    // Not put off again and again by a file that is written without end: the first touch counts.
    const auto touched = [this] {
        if (!m_rest.isActive()) m_rest.start();
    };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, touched);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this,
            [this, touched](const QString& folder) {
                m_folderTouched |= folder == m_folder;
                touched();
            });
}

void FileWatcher::watch(const QHash<QString, std::optional<FileStamp>>& files,
                        const QString& folder) {
    QHash<QString, State> states;
    for (auto it = files.cbegin(); it != files.cend(); ++it) {
        State state = m_files.value(it.key());
        state.seen.reset();
        // What was told is not told again because it could not be read since.
        if (it.value() && it.value() != state.given) state.known = state.given = it.value();
        states.insert(it.key(), state);
    }
    m_files = states;
    m_folder = folder;
    addPaths();
    look();  // it may have changed before it was watched
}

// A folder tells of files that are replaced or come back; a file that was replaced is not watched
// any more.
void FileWatcher::addPaths() {
    QStringList wanted;
    for (auto it = m_files.cbegin(); it != m_files.cend(); ++it)
        wanted << it.key() << it.key().left(std::max<qsizetype>(1, it.key().lastIndexOf('/')));
    if (!m_folder.isEmpty()) wanted << m_folder;
    wanted.removeDuplicates();
    const QStringList watched = m_watcher.files() + m_watcher.directories();
    QStringList gone;
    for (const QString& path : watched)
        if (!wanted.removeOne(path)) gone << path;
    if (!gone.isEmpty()) m_watcher.removePaths(gone);
    if (!wanted.isEmpty()) m_watcher.addPaths(wanted);  // what is not there is left out
}

void FileWatcher::look() {
    if (std::exchange(m_folderTouched, false)) emit folderChanged();
    if (m_files.isEmpty()) return;
    m_tasks.run([this, paths = m_files.keys()]() -> TaskRunner::Finish {
        QHash<QString, std::optional<FileStamp>> found;
        for (const QString& path : paths) found.insert(path, stampOf(path));
        return [this, found] { take(found); };
    });
}

void FileWatcher::take(const QHash<QString, std::optional<FileStamp>>& found) {
    QStringList ready;
    bool moving = false;
    for (auto it = found.cbegin(); it != found.cend(); ++it) {
        const auto state = m_files.find(it.key());
        if (state == m_files.end() || !it.value()) continue;  // one that is gone may come back
        if (!state->known) state->known = it.value();
        if (state->known == it.value()) continue;
        if (state->seen == it.value()) {
            state->known = it.value();
            state->seen.reset();
            ready << it.key();
        } else {
            state->seen = it.value();
            moving = true;
        }
    }
    addPaths();
    if (moving) m_rest.start();
    for (const QString& path : ready) emit changed(path);
}

}  // namespace warpscope::gui
