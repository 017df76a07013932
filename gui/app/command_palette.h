// Ctrl+Shift+P: every command of the window by typing a part of its name, and what else can be done
// in one go: adding an operation, opening a recent file, applying a preset.
#pragma once

#include <QDialog>
#include <functional>
#include <vector>

#include "gui/app/actions.h"

class QLineEdit;
class QListWidget;

namespace warpscope::gui {

class CommandPalette : public QDialog {
    Q_OBJECT
  public:
    struct Entry {
        QString group;  // "Add", "Open recent"
        QString text;
        QString more;  // searched, and shown as a tip: a description, a path
        QIcon icon;
        bool enabled = true;
        std::function<void()> run;  // the palette is closed before
    };
    using Source = std::function<std::vector<Entry>()>;  // asked whenever the palette opens

    CommandPalette(const Actions& actions, QWidget* parent);
    // Entries beside the actions, after them in the order of the calls.
    void addSource(Source source);
    void popUp();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void collect();
    void fill(const QString& filter);
    void runCurrent();

    const Actions& m_actions;
    std::vector<Source> m_sources;
    struct Line {
        Entry entry;
        QString key;
    };
    std::vector<Line> m_lines;  // of the palette that is open
    QLineEdit* m_edit = nullptr;
    QListWidget* m_list = nullptr;
};

}  // namespace warpscope::gui
