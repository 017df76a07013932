// A drop-down list that a wheel which scrolls the panel does not change, nor a letter meant as a
// shortcut (the arrow keys and the list do), and that never asks for more width than the dock has.
#pragma once

#include <QComboBox>

namespace warpscope::gui {

class QuietComboBox : public QComboBox {
    Q_OBJECT
  public:
    explicit QuietComboBox(QWidget* parent = nullptr);

    void showPopup() override;  // wide enough for its longest entry

  protected:
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
};

}  // namespace warpscope::gui
