// Title of a dock in the manner of the window: a quiet heading with buttons to float and to close.
// A dock that stands in tabs has its name on the tab and no title of its own.
#pragma once

#include <QDockWidget>
#include <QWidget>

class QLabel;
class QToolButton;

namespace warpscope::gui {

class DockTitle : public QWidget {
    Q_OBJECT
  public:
    explicit DockTitle(QDockWidget* dock);

    void setCollapsed(bool collapsed);
    bool isCollapsed() const { return m_collapsed; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  private:
    QDockWidget* m_dock;
    QLabel* m_label = nullptr;
    QToolButton* m_float = nullptr;
    QToolButton* m_close = nullptr;
    bool m_collapsed = false;
};

}  // namespace warpscope::gui
