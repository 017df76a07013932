// Sessions: saving and opening them, the autosave and what a window that ended unexpectedly has
// left, and the chain as a command line.
#pragma once

#include <QObject>
#include <QTimer>
#include <stop_token>

#include "gui/app/session_window.h"
#include "gui/base/task_runner.h"
#include "gui/session/autosave.h"
#include "gui/session/session_file.h"

namespace warpscope::gui {

class Actions;
class MessageBar;
class Settings;

class SessionActions : public QObject {
    Q_OBJECT
  public:
    SessionActions(const SessionParts& parts, const Actions& actions, Settings& settings,
                   MessageBar& messages);
    // What is still saved is finished, but without waiting for hashes.
    ~SessionActions() override;

    void saveTo(const QString& path);
    void openFrom(const QString& path);
    Session session() const { return sessionOf(m_parts); }
    bool busy() const { return m_tasks.busy() || m_opener.busy(); }
    // A save is being written: closing must wait for it.
    bool savesUnfinished() const { return m_saving > 0; }

    // From now on what is open is written kAutosaveMs after a change; and what windows that are no
    // more have left is offered. Without a settings file neither.
    void begin();
    static constexpr int kAutosaveMs = 3000;
    void setAutosaveDelay(int ms) { m_delay.setInterval(ms); }
    int autosaveDelay() const { return m_delay.interval(); }
    Autosave& autosave() { return m_autosave; }

    void copyCommand();

  private:
    void watchChanges();
    void autosaveNow();
    void offer();
    void openLost(const QString& file);
    // A session on its way into the window, and again when an image of it was found elsewhere.
    struct Opening {
        QString path;
        bool lost = false;  // of a window that is no more
        ReadSession parsed;
        std::vector<FoundImage> found;
    };
    void read(const QString& path, bool lost);
    void put(const Opening& opening);
    void use(const Opening& opening, const ReadSession& session);
    void finish(const Opening& opening, const ReadSession& session);
    void askWhereIs(const Opening& opening, const QString& missing);
    void tell(const QString& text, const QStringList& problems,
              const std::function<void()>& locate = {});

    SessionParts m_parts;
    Settings& m_settings;
    MessageBar& m_messages;
    SessionOpener m_opener;
    Autosave m_autosave;
    QStringList m_lost;
    QTimer m_delay;
    int m_saving = 0;
    std::stop_source m_stop;
    TaskRunner m_tasks;
};

}  // namespace warpscope::gui
