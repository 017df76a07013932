// Canvas and message bar over each other: a message covers the upper edge of the picture and moves
// nothing, so that zoom and position stay when one comes or goes.
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
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void place();

    Canvas* m_canvas = nullptr;
    QWidget* m_messages = nullptr;
};

}  // namespace warpscope::gui
