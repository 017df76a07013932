// The place that appears over the picture while something is dragged over the window: what is
// dropped there becomes the second image.
#pragma once

#include <QWidget>

namespace warpscope::gui {

class DropCorner : public QWidget {
    Q_OBJECT
  public:
    explicit DropCorner(QWidget* area);  // lies along its lower edge

    void appear();
    void setUnder(const QPoint& globalCursor);  // brighter while the cursor is over it
    bool holds(const QPoint& globalCursor) const;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    bool m_under = false;
};

}  // namespace warpscope::gui
