// The pixels around one, enlarged.
#pragma once

#include <QPoint>
#include <QWidget>

#include "gui/display/display_levels.h"

namespace warpscope::gui {

class Loupe : public QWidget {
    Q_OBJECT
  public:
    static constexpr int kSide = 11;  // pixels, the looked-at one in the middle

    explicit Loupe(QWidget* parent = nullptr);
    void setPyramid(PyramidPtr pyramid);
    void setLook(const DisplayLook& look);
    void setPixel(const QPoint& pixel);

    // As drawn (8 bits, over the range of its look); invalid outside.
    QColor colorAt(const QPoint& pixel);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Rect around() const;
    void paintPicture(QPainter& painter) const;  // m_picture, its middle marked

    DisplayLevels m_levels;
    QPoint m_pixel{-1, -1};
    // The last picture, for as long as the samples are gone.
    QImage m_picture;
    QPoint m_pictureOf{-1, -1};
};

}  // namespace warpscope::gui
