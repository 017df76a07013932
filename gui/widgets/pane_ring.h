// A frame around the pane that a key has moved the focus to. It goes with the focus.
#pragma once

#include <QWidget>

namespace warpscope::gui {

class PaneRing : public QWidget {
    Q_OBJECT
  public:
    explicit PaneRing(QWidget* pane);  // owned by the pane

    bool eventFilter(QObject* watched, QEvent* event) override;

  protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace warpscope::gui
