// Panels that share a place have tabs there. A double click on a tab takes its panel out, into a
// window of its own, and so does dragging the tab out of the row: the panel then follows the mouse
// and can be let go in another place of the window. (Qt's own way for tabs, grouped dragging,
// is not used: docks.cpp says why.)
#pragma once

#include <QObject>
#include <QPoint>
#include <QPointer>

class QDockWidget;
class QMainWindow;
class QMouseEvent;
class QTabBar;

namespace warpscope::gui {

class DockTabs : public QObject {
    Q_OBJECT
  public:
    // Watches all tabs that the window makes from now on.
    explicit DockTabs(QMainWindow& window);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QDockWidget* dockAt(const QTabBar& bar, const QPoint& place) const;
    bool mouse(QTabBar& bar, QMouseEvent& event);
    static void takeOut(QDockWidget& dock, const QPoint& cursor);
    static void follow(QDockWidget& dock, const QPoint& cursor);

    QMainWindow& m_window;
    QPointer<QDockWidget> m_pressed;  // whose tab the left button holds
};

}  // namespace warpscope::gui
