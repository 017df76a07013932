// Keys of the view act on the image while the mouse is over it, whatever has the focus: a slider
// that was dragged, a list, a button. The image then takes the focus, but for Shift, which only
// shows the source for as long as it is held. Text that is being written, open lists and menus, and
// whatever the keyboard was moved to since the mouse moved last, keep their keys; arrows, Return
// and Delete always stay where the focus is. Escape that no control takes gives the focus back to
// the image.
#pragma once

#include <QObject>

class QKeyEvent;
class QWidget;

namespace warpscope::gui {

class Canvas;

class KeysOverImage : public QObject {
    Q_OBJECT
  public:
    // For the keys of that window and of what was torn off it.
    KeysOverImage(Canvas& canvas, QWidget& window);

    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    bool isMeant(const QWidget* focused) const;
    bool isOurs(const QWidget* top) const;  // the window, or a dock
    bool leaveToImage(const QKeyEvent& event);
    bool isViewKey(const QKeyEvent& event) const;
    bool handle(QWidget* focused, QKeyEvent* event);
    void releaseShift();

    Canvas& m_canvas;
    QWidget& m_window;
    bool m_overImage = false;  // where the mouse moved last, and nothing was chosen by key since
    bool m_shiftSent = false;
};

}  // namespace warpscope::gui
