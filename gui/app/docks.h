// The panels around the canvas: where they stand at first, hiding them all, walking through them.
#pragma once

#include <QList>
#include <QObject>

class QAction;
class QDockWidget;
class QMainWindow;
class QWidget;

namespace warpscope::gui {

class Docks : public QObject {
    Q_OBJECT
  public:
    Docks(QMainWindow& window, QWidget& canvas);

    // Docks take their panels over. One that is not `shown` stays away until it is asked for.
    QDockWidget* add(const char* name, const QString& title, QWidget* panel,
                     Qt::DockWidgetArea area, bool shown = true);
    void arrange();  // the first layout, also after "reset layout"
    // Deletes them, panels and all, for a window that goes: also one that is shown, in the middle
    // of a drag.
    void takeDown();

    // All hidden or as they were. Docks that were hidden one by one stay so.
    void setAllHidden(bool hidden);
    bool allHidden() const { return m_allHidden; }
    // Of a layout that is kept: its tabs are those of a low window, and come apart in a higher one.
    bool tabbedForRoom() const { return m_tabbedForRoom; }
    void setTabbedForRoom(bool tabbed) { m_tabbedForRoom = tabbed; }
    bool imagesForRoom() const { return m_imagesForRoom; }  // likewise, of the strip of images
    void setImagesForRoom(bool tabbed) { m_imagesForRoom = tabbed; }
    void showPane(QWidget* panel);  // and its tab
    // Of a docked one, as far as the image keeps half of what they share; nothing gets lower.
    void giveHeight(QWidget* panel, int height);

    // Focus to the next visible pane: the canvas, then the docks in the order they were added.
    void focusNeighbour(int by);
    QList<QAction*> toggles() const;
    QAction* toggleOf(const QWidget* panel) const;  // of one that was added

  signals:
    void allHiddenChanged(bool hidden);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    // Where two panels above each other would both be too low to be of use, they become tabs; they
    // come apart when there is room again.
    void fitToHeight();
    void fitImages();  // the strip above the image, and the panels at the foot
    QDockWidget* find(const char* name) const;
    void updateTitles();
    int focusedPane() const;
    static bool focusInto(QWidget* pane);

    QMainWindow& m_window;
    QWidget& m_canvas;
    QList<QDockWidget*> m_docks;
    QList<QDockWidget*> m_onDemand;  // not part of the first layout
    QList<QDockWidget*> m_hidden;    // what setAllHidden(true) hid
    bool m_allHidden = false;
    bool m_tabbedForRoom = false;
    bool m_imagesForRoom = false;
    QSize m_above, m_below;  // before that
};

}  // namespace warpscope::gui
