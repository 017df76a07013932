// A small overview of a picture that is larger than the view, with what is seen of it. A drag or a
// click moves the view there. Not a tab stop: arrows on the canvas do the same.
#pragma once

#include <QWidget>

#include "gui/canvas/side_renderer.h"

namespace warpscope::gui {

class Navigator : public QWidget {
    Q_OBJECT
  public:
    explicit Navigator(QWidget* parent);
    void setPicture(const PyramidPtr& picture, const DisplayLook& look);
    void setSeen(const QRectF& seen);  // image pixels
    QRectF seen() const { return m_seen; }
    // As large as it wants to be beside a view of this size.
    QSize sizeIn(const QSize& view) const;
    // Widget coordinates of an image position.
    QPointF place(const QPointF& inImage) const;

  signals:
    void centerRequested(const QPointF& inImage);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

  private:
    double scale() const;  // logical pixels an image pixel

    SideRenderer m_side;
    QRectF m_seen;
};

}  // namespace warpscope::gui
