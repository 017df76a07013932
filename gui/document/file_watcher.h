// Says when a file has another content and rests: written anew, in place or by renaming another one
// over it.
#pragma once

#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include "gui/base/file_stamp.h"
#include "gui/base/task_runner.h"

namespace warpscope::gui {

class FileWatcher : public QObject {
    Q_OBJECT
  public:
    explicit FileWatcher(QObject* parent = nullptr);

    // Instead of those before. A stamp says of which state somebody knows already; without one it
    // is the last that was told, of a file that was not watched before the present one.
    void watch(const QHash<QString, std::optional<FileStamp>>& files, const QString& folder);

  signals:
    void changed(const QString& path);  // is there, is another, and has been so for a moment
    void folderChanged();               // something in it came, went or was renamed

  private:
    void look();
    void take(const QHash<QString, std::optional<FileStamp>>& found);
    void addPaths();

    struct State {
        std::optional<FileStamp> given;  // by whoever watches
        std::optional<FileStamp> known;  // that, or the last that was told
        std::optional<FileStamp> seen;   // last, not yet at rest
    };
    QFileSystemWatcher m_watcher;
    QHash<QString, State> m_files;
    QString m_folder;
    bool m_folderTouched = false;
    QTimer m_rest;
    TaskRunner m_tasks;  // last: what it still runs refers to the rest
};

}  // namespace warpscope::gui
