// What a running window would lose: one session file for each of them, beside a lock that tells
// whether it still runs. A clean end leaves nothing.
#pragma once

#include <QLockFile>
#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "gui/base/task_runner.h"
#include "gui/session/session.h"

namespace warpscope::gui {

class Autosave {
  public:
    // An empty folder: nothing is written, and nothing found.
    explicit Autosave(const QString& folder);
    ~Autosave();

    // Written on a thread; a window with nothing open has nothing to lose.
    void write(const Session& session);
    bool busy() const { return m_tasks && m_tasks->busy(); }
    QString file() const { return m_file; }  // empty before the first write

    // Files of windows that are no more, the newest first. They belong to this one from then on, so
    // that no other offers them too.
    QStringList takeLost();
    void remove(const QString& lost);
    // Offered no more, and kept as restored/last until the next one is set aside.
    void setAside(const QString& lost);

  private:
    struct Lost {
        QString file;
        std::unique_ptr<QLockFile> lock;
    };
    bool begin();

    QString m_folder;
    QString m_file;
    std::unique_ptr<QLockFile> m_lock;
    std::vector<Lost> m_lost;
    std::unique_ptr<TaskRunner> m_tasks;  // last: what it still writes is removed
};

}  // namespace warpscope::gui
