// Canvas and message bar. A message stands above the canvas and covers nothing of the picture: one
// that is fitted stays whole below it, and where there is room beside it keeps scale and place.
// With no picture the message lies over the empty canvas, whose buttons do not move away under the
// cursor.
#pragma once

#include <QWidget>

namespace warpscope::gui {

class Canvas;

class CanvasArea : public QWidget {
    Q_OBJECT
  public:
    explicit CanvasArea(QWidget* parent = nullptr);
    // Both become children of the area.
    void setParts(Canvas* canvas, QWidget* messages);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void place();
    int messageHeight() const;  // 0: there is none

    Canvas* m_canvas = nullptr;
    QWidget* m_messages = nullptr;
};

}  // namespace warpscope::gui
