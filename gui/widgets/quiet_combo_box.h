// A drop-down list that a wheel which scrolls the panel does not change, nor a letter meant as a
// shortcut (the arrow keys and the list do), and that never asks for more width than the dock has:
// what has no room is shortened, and whole in its tip, where it has no other.
#pragma once

#include <QComboBox>

namespace warpscope::gui {

class QuietComboBox : public QComboBox {
    Q_OBJECT
  public:
    explicit QuietComboBox(QWidget* parent = nullptr);

    void showPopup() override;  // wide enough for its longest entry

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    // As drawn; whole where there is room.
    QString shortened() const;
};

}  // namespace warpscope::gui
