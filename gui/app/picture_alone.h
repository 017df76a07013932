// The picture on the whole screen: menus, bars and panels go, and come back as they were by the
// same command or by Escape.
#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

class QMainWindow;

namespace warpscope::gui {

class Actions;
class Canvas;
class Docks;

class PictureAlone : public QObject {
    Q_OBJECT
  public:
    // All must outlive it.
    PictureAlone(QMainWindow& window, Canvas& canvas, Docks& docks, Actions& actions);

    bool active() const { return m_active; }
    void set(bool on);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QMainWindow& m_window;
    Canvas& m_canvas;
    Docks& m_docks;
    Actions& m_actions;
    QList<QPointer<QWidget>> m_bars;  // that were there
    Qt::WindowStates m_state;
    bool m_docksHidden = false;
    bool m_active = false;
};

}  // namespace warpscope::gui
