// Drawn over the step list while a step is dragged: the line where it will go, and its picture
// under the cursor.
#pragma once

#include <QPixmap>
#include <QWidget>

namespace warpscope::gui {

class DropOverlay : public QWidget {
    Q_OBJECT
  public:
    explicit DropOverlay(QWidget* parent);

    void start(const QPixmap& picture, const QRect& origin, const QPoint& grabOffset);
    void update(const QPoint& cursor, int lineY);  // widget coordinates

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QPixmap m_picture;
    QRect m_origin;  // where the step lies now
    QPoint m_grabOffset;
    QPoint m_cursor;
    int m_lineY = -1;
};

}  // namespace warpscope::gui
