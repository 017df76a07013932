// Four notes for somebody who starts the program for the first time, in the status line, one after
// the other: each goes when what it says was done, all of them when they are not wanted. They never
// come again.
#pragma once

#include <QObject>
#include <QString>
#include <vector>

class QLabel;
class QStatusBar;
class QWidget;

namespace warpscope::gui {

class Actions;
class Canvas;
class Document;
class Settings;

class FirstHints : public QObject {
    Q_OBJECT
  public:
    struct Parts {
        Document& document;
        Canvas& canvas;
        const Actions& actions;
        Settings& settings;
        QStatusBar& status;
    };
    // All must outlive it, but for the status bar, which owns the note. Without a settings file
    // there are none: nothing could remember that they were seen.
    explicit FirstHints(const Parts& parts);

    QString text() const;  // empty: none is shown

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    enum Hint { AddStep, Zoom, HoldShift, Race, kHints };
    QString textOf(Hint hint) const;
    bool isDone(Hint hint) const;
    void done(Hint hint);
    void stop();
    void showNext();

    Parts m_parts;
    QWidget* m_note = nullptr;
    QLabel* m_label = nullptr;
    std::size_t m_steps = 0;
};

}  // namespace warpscope::gui
