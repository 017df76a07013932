// Ctrl+Shift+P: every command of the window by typing a part of its name.
#pragma once

#include <QDialog>

#include "gui/app/actions.h"

class QLineEdit;
class QListWidget;

namespace warpscope::gui {

class CommandPalette : public QDialog {
    Q_OBJECT
  public:
    CommandPalette(const Actions& actions, QWidget* parent);
    void popUp();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void fill(const QString& filter);
    void runCurrent();

    const Actions& m_actions;
    QLineEdit* m_edit = nullptr;
    QListWidget* m_list = nullptr;
};

}  // namespace warpscope::gui
