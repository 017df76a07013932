// Which keys the commands have: their own ones, or those that a person gave them. Kept in the
// settings, in force at once, and never two commands at one key.
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <optional>

class QAction;

namespace warpscope::gui {

class Actions;
class Canvas;
class Settings;

class ShortcutKeys : public QObject {
    Q_OBJECT
  public:
    // All must outlive it. What the settings know is in force from here on.
    ShortcutKeys(const Actions& actions, Canvas& canvas, QWidget& window, Settings& settings);

    struct Command {
        QAction* action = nullptr;
        QString name;  // of the command, where its text also says what it would do now
        QString menu;
        QString id;  // in the settings
        QList<QKeySequence> defaults;
    };
    const QList<Command>& commands() const { return m_commands; }
    QList<QKeySequence> keysOf(int command) const;
    bool isChanged(int command) const;

    // Keys that the image, the lists or the menus use and nobody can give away.
    bool isFixed(const QKeySequence& key) const;
    // Another command that has the key.
    std::optional<int> ownerOf(const QKeySequence& key, int exceptCommand) const;

    // Of keys that are free.
    void set(int command, const QList<QKeySequence>& keys);
    // Gives the key to that command, and the command's keys to the one that had it.
    void swap(int command, const QKeySequence& key);
    void reset(int command);  // whoever has one of its keys loses it
    void resetAll();

  signals:
    void changed();

  private:
    void load();
    void apply(int command, const QList<QKeySequence>& keys);
    void keep(int command);
    void tellCanvas();

    Canvas& m_canvas;
    QWidget& m_window;
    Settings& m_settings;
    QList<Command> m_commands;
};

QString keysText(const QList<QKeySequence>& keys);  // "Ctrl+Z, Ctrl+Y"

}  // namespace warpscope::gui
