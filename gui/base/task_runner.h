// Work that must not run on the window's thread: saving, converting for the clipboard. One thread,
// in order. The destructor finishes what was begun and what waits, so that no save is lost.
#pragma once

#include <QObject>
#include <functional>
#include <thread>

#include "engine/base/mailbox.h"

namespace warpscope::gui {

class TaskRunner : public QObject {
    Q_OBJECT
  public:
    using Finish = std::function<void()>;  // runs on the window's thread; may be empty
    using Work = std::function<Finish()>;  // runs on the task thread

    explicit TaskRunner(QObject* parent = nullptr);

    void run(Work work);
    bool busy() const { return m_unfinished > 0; }

  signals:
    void busyChanged(bool busy);

  private:
    Q_INVOKABLE void drain();

    int m_unfinished = 0;  // window's thread only
    Mailbox<Work> m_waiting;
    Mailbox<Finish> m_finished;
    std::jthread m_thread;  // last: joined before the rest goes
};

}  // namespace warpscope::gui
