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

class Document;
class FileController;
class Settings;

class CommandPalette : public QDialog {
    Q_OBJECT
  public:
    // Everything is borrowed and must outlive this.
    CommandPalette(const Actions& actions, Document& document, FileController& files,
                   Settings& settings, QWidget* parent);
    void popUp();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Entry {
        QString group;  // "Add", "Open recent"
        QString text;
        QString more;  // searched, and shown as a tip: a description, a path
        QIcon icon;
        std::function<void()> run;  // the palette is closed before
        bool enabled = true;
        QString key = {};
    };
    void collect();
    void addPresets();
    void fill(const QString& filter);
    void runCurrent();

    const Actions& m_actions;
    Document& m_document;
    FileController& m_files;
    Settings& m_settings;
    std::vector<Entry> m_entries;  // of the palette that is open
    QLineEdit* m_edit = nullptr;
    QListWidget* m_list = nullptr;
};

}  // namespace warpscope::gui
