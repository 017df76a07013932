// A window in which every command can be given another key.
#pragma once

#include <QDialog>

class QKeySequenceEdit;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace warpscope::gui {

class Actions;
class Canvas;
class Settings;
class ShortcutKeys;
class StepsPanel;
class WrapLabel;

class ShortcutEditor : public QDialog {
    Q_OBJECT
  public:
    ShortcutEditor(ShortcutKeys& keys, QWidget* parent);

    void choose(int command);  // as a click on its row
    int chosen() const;        // -1: none

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void build();
    void fill();
    void filter();
    void showChosen();
    void take(const QKeySequence& typed);
    void showClash(const QString& text, bool canSwap);
    QTreeWidgetItem* itemOf(int command) const;

    ShortcutKeys& m_keys;
    QLineEdit* m_filter = nullptr;
    QTreeWidget* m_tree = nullptr;
    QKeySequenceEdit* m_edit = nullptr;
    WrapLabel* m_says = nullptr;
    QPushButton *m_swap = nullptr, *m_none = nullptr, *m_reset = nullptr;
    QKeySequence m_wanted;  // belongs to another command
    bool m_filling = false;
};

struct ShortcutParts {
    QWidget& window;
    const Actions& actions;
    Canvas& canvas;
    StepsPanel& steps;
    Settings& settings;
};
// Keys as the settings have them, and the command that opens the window. All must outlive
// `window`'s children.
void connectShortcuts(const ShortcutParts& parts);

}  // namespace warpscope::gui
