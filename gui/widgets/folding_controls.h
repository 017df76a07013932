// Controls, and in their place, where they would take too much room, a button that opens them.
#pragma once

#include <QWidget>

class QFrame;
class QToolButton;

namespace warpscope::gui {

class FoldingControls : public QWidget {
    Q_OBJECT
  public:
    // Takes the controls over. `text` is the button's, `spoken` what a screen reader says of it.
    FoldingControls(QWidget* controls, const QString& text, const QString& spoken,
                    QWidget* parent = nullptr);

    void setFolded(bool folded);
    bool isFolded() const { return m_folded; }
    int controlsHeight(int width) const;  // of what is not folded
    QToolButton& button() { return *m_button; }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void open();

    QWidget* m_controls;
    QToolButton* m_button;
    QFrame* m_popup;
    bool m_folded = false;
};

}  // namespace warpscope::gui
